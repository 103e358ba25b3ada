"""Comparisons mean the same in every system as in memory, and in memory as `compares` says."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.engine.random_programs import REPEATABLE

from logicoder import InputError, KnowledgeBase, Program
from logicoder.engine.programs import run_program
from logicoder.engine.sql.stored_data import StoredData
from logicoder.engine.sql.value_orders import order_text
from logicoder.kb.builder import KnowledgeBaseBuilder
from logicoder.kb.schema import Predicate, Schema
from logicoder.logic.ordered_values import compares
from logicoder.logic.symbols import Text, symbol_of
from logicoder.logic.terms import Atom, Constant

NUMBERS = [0, 3, 7, 7.0, 2.5, -1, -10, -1.5, 10**30, 1e30, -(10**40), 2**53 + 1, 2.0**53, 1e-300, 0.1]
DATES = [
    "2024-01-01",
    "2024-01-01 12:00",
    "2024-01-01T00:00:00",
    "1999-12-31",
    "2024-01-01 12:00:00.5",
    "\u0662024-01-01",
]
BINS = ["[..3)", "[3..7)", "[7..)", "[3.5..1e3)", "[2024-01-01..2024-02-01)", "[..2024-01-01)", "[..1e999)"]
OTHERS = ["anna", "7", "'7'", "-", "[a..b)", "Ünï", "", "2024-13", Text("2024-01-01")]
VALUES = st.sampled_from(NUMBERS + DATES + BINS + OTHERS)
SIGNS = ["<", "=<", ">", ">="]


@settings(REPEATABLE, max_examples=300)
@given(
    st.lists(
        st.one_of(st.integers(), st.floats(allow_nan=False), st.sampled_from([10**400, -(10**400)])),
        min_size=2,
        max_size=2,
    )
)
@example([1e23, 10**23])
@example([-1.0, -1.5])
def test_texts_are_in_the_order_of_numbers(pair):
    left, right = pair
    assert (order_text(left) < order_text(right)) == (left < right)
    assert (order_text(left) == order_text(right)) == (left == right)


PROGRAM = """
r(X,Y) :- p(_,X), q(_,Y), X {0} Y.
s(X) :- p(K,X), q(K,Y), X {1} {4}, Y {2} X.
t(K) :- p(K,X), q(K,Y), X < Y, Y =< 7, not q(K,3), 3 < 5, 2.5 {3} X.
up(X,Y) :- p(X,Y), X =< Y.
up(X,Z) :- up(X,Y), p(Y,Z), Z > X, X >= X.
"""
POINTS = ["2.5", "'2024-01-01'", "'[..3)'"]


def atoms_of(session, program, kb):
    """What a system derives, as texts with their interpretations."""
    data = StoredData.of(kb, session)
    found = set()
    for name, relation in data.runs.run(program, data.relations).items():
        rows = session.rows(f"SELECT * FROM {relation.table}", "testing")
        assert len(rows) == len(set(rows)), "every atom is listed once"
        for row in rows:
            constants = tuple(Constant(data.symbol(text)) for text in row[data.several :])
            found.add((row[0] if data.several else "data", str(Atom(name, constants))))
    session.clear()
    return found


@st.composite
def knowledge_bases(draw):
    """Pairs of values, in one interpretation or two."""
    builder = KnowledgeBaseBuilder(
        Schema.of(Predicate("p", ("value", "value")), Predicate("q", ("value", "value")))
    )
    for world in ("data", "other")[: draw(st.integers(1, 2))]:
        number = builder.interpretation(world)
        for name in ("p", "q"):
            for pair in draw(st.lists(st.tuples(VALUES, VALUES), max_size=6)):
                builder.add(name, tuple(map(symbol_of, pair)), number)
    return builder.build()


def refused(work):
    """What is returned, or that a point lies within a bin, whichever of several it is."""
    try:
        return work()
    except InputError as error:
        return re.sub(r"within the bin .*", "", error.message)


def test_random_values_compare_as_in_memory(session):
    @settings(REPEATABLE, max_examples=1 if session.system == "spark" else 40)
    @given(
        knowledge_bases(), st.lists(st.sampled_from(SIGNS), min_size=4, max_size=4), st.sampled_from(POINTS)
    )
    def check(kb, signs, point):
        program = Program.parse(PROGRAM.format(*signs, point))
        expected = refused(lambda: {(f.interpretation, str(f)) for f in run_program(program, kb)})
        assert refused(lambda: atoms_of(session, program, kb)) == expected
        session.clear()

    check()


def test_all_pairs_of_values_compare_as_single_ones_do(session):
    values = [symbol_of(value) for value in NUMBERS + DATES + BINS + OTHERS]
    builder = KnowledgeBaseBuilder(Schema.of(Predicate("p", ("value",))))
    world = builder.interpretation("data")
    for symbol in values:
        builder.add("p", (symbol,), world)
    program = Program.parse("".join(f"r{n}(X,Y) :- p(X), p(Y), X {sign} Y." for n, sign in enumerate(SIGNS)))
    expected = {
        ("data", f"r{n}({left},{right})")
        for n, sign in enumerate(SIGNS)
        for left in values
        for right in values
        if compares(sign, left, right)
    }
    assert atoms_of(session, program, builder.build()) == expected
    assert len(expected) > 400


def test_a_point_within_a_bin_is_refused(session):
    kb = KnowledgeBase.from_facts({"price": [("a", "[..10)"), ("b", "[10..50)")], "sold": ["a"]})
    with pytest.raises(InputError, match=r"35 lies within the bin \[10\.\.50\)"):
        atoms_of(session, Program.parse("dear(X) :- price(X,P), P >= 35."), kb)
    # No row of this body has that bin.
    program = Program.parse("dear(X) :- sold(X), price(X,P), 35 > P.")
    assert atoms_of(session, program, kb) == {("data", "dear(a)")}
    session.clear()


def test_more_values_than_come_at_once(session, monkeypatch):
    monkeypatch.setattr("logicoder.engine.sql.session._BATCH", 20 if session.system == "spark" else 7)
    kb = KnowledgeBase.from_facts({"age": [(f"p{i}", i * 37 % 61) for i in range(40)]})
    program = Program.parse("older(X) :- age(X,A), age(p1,B), A > B.")
    assert atoms_of(session, program, kb) == {("data", str(f)) for f in run_program(program, kb)}
