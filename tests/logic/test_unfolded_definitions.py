"""Definitions put in the place of what they define: the same facts, by fewer predicates."""

from __future__ import annotations

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from engine.asp import derived
from engine.random_programs import REPEATABLE, knowledge_bases, programs
from logicoder import Program
from logicoder.engine import run_program
from logicoder.logic.unfolding import unfold


def facts_of(kb, names):
    return {(f.interpretation, f.predicate, tuple(map(str, f.arguments))) for f in kb if f.predicate in names}


@settings(REPEATABLE, max_examples=50)
@given(st.data())
def test_unfolded_programs_derive_the_same(data):
    """Against clingo, which runs the program as it was, with negation, recursion, constants."""
    kb = data.draw(knowledge_bases())
    program, heads = data.draw(programs(kb))
    keep = data.draw(st.lists(st.sampled_from(sorted(heads)), min_size=1, unique=True))
    flat = Program.parse(str(unfold(program, keep, kb.schema)))
    event(f"auxiliary predicates stay: {bool(set(flat.defined()) - set(keep))}")
    expected = {atom for atom in derived(program, kb) if atom[1] in keep}
    assert facts_of(run_program(flat, kb, heads), keep) == expected if len(flat) else not expected


def test_what_is_not_negated_or_recursive_disappears():
    program = Program.parse(
        r"""
        both(X) :- a(X), b(X).
        some(X) :- a(X) ; both(X).
        path(X,Y) :- edge(X,Y).
        path(X,Z) :- path(X,Y), edge(Y,Z).
        top(X) :- some(X), \+ both(X), path(X,_).
        same(X,X) :- a(X).
        pair(X,Y) :- same(X,Y), c(Y).
        """
    )
    flat = unfold(program, ["top", "pair"], ["a", "b", "c", "edge"])
    assert set(flat.defined()) == {"top", "pair", "both", "path"}
    assert "pair(Y,Y) :- a(Y), c(Y)." in str(flat)


def test_arguments_of_the_head_have_names():
    """A variable of the head that is made equal to an anonymous one is not anonymous itself."""
    program = Program.parse("same(X,X) :- a(X). p(Y) :- same(Y,_).")
    assert str(unfold(program, ["p"], ["a"])) == "p(A) :- a(A)."


@pytest.mark.parametrize(
    ("body", "unfolded"),
    [
        ("other(X,a)", r"p(X) :- e(X,a), X \= a."),
        ("other(a,X)", r"p(X) :- e(a,X), X \= a."),
        ("q(X), other(a,b)", "p(X) :- q(X), e(a,b)."),
        ("q(X), other(a,a)", ""),
    ],
)
def test_inequalities_of_constants(body, unfolded):
    program = Program.parse(rf"other(X,Y) :- e(X,Y), X \= Y. p(X) :- {body}.")
    assert str(unfold(program, ["p"], ["e", "q"])) == unfolded


def test_a_predicate_that_nothing_defines_is_empty():
    program = Program.parse(r"p(X) :- a(X), gone(X) ; b(X), \+ gone(X). q(X) :- gone(X).")
    assert str(unfold(program, ["p", "q"], ["a", "b"])) == "p(X) :- b(X)."


def test_definitions_that_would_explode_stay(monkeypatch):
    monkeypatch.setattr("logicoder.logic.unfolding.MOST_ALTERNATIVES", 3)
    program = Program.parse("l(X) :- a(X) ; b(X). p(X,Y) :- l(X), l(Y). q(X) :- l(X).")
    assert str(unfold(program, ["p", "q"], ["a", "b"])).splitlines() == [
        "l(X) :- a(X) ; b(X).",
        "p(X,Y) :- l(X), l(Y).",
        "q(X) :- l(X).",
    ]


def test_what_can_have_no_facts_is_not_spoken_of():
    program = Program.parse(
        r"""
        never(X) :- a(X), X \= X.
        hardly(X) :- never(X), a(X) ; never(X), \+ never(X).
        kept(X) :- a(X), \+ never(X).
        also(X) :- b(X), \+ hardly(X) ; hardly(X), \+ kept(X).
        """
    )
    assert (
        str(unfold(program, ["kept", "also", "hardly"], ["a", "b"])) == "kept(X) :- a(X).\nalso(X) :- b(X)."
    )
