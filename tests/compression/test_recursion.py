"""Relations that go on along another one: found where planted, closed as by hand, and rebuilt by programs."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compression.worlds import comes_back, shuffled
from logicoder import AutoEncoder, KnowledgeBase
from logicoder.compression.learned_plan import Compressor
from logicoder.compression.message import Message
from logicoder.engine.arrays.rules.recursive_forms import Along, along_of, recursive_form
from logicoder.engine.arrays.rules.spaces import SpacesOf
from logicoder.logic.parser import parse_program
from logicoder.logic.rules import rule_of

Facts = set[tuple[str, ...]]


def classes(seed: int) -> Facts:
    """Things of some class are of all classes above it."""
    rng = random.Random(seed)  # noqa: S311
    up = {c: rng.randrange(max(0, c - 8), c) for c in range(1, 60)}
    found: Facts = {("sub", f"c{c}", f"c{p}") for c, p in up.items()}
    for i in range(150):
        at: int | None = rng.randrange(60)
        while at is not None:
            found.add(("type", f"i{i}", f"c{at}"))
            at = up.get(at)
    return found


def pointers(seed: int) -> Facts:
    """A variable points to what is assigned to it, and to what others point to that are."""
    rng = random.Random(seed)  # noqa: S311
    found: Facts = set()
    points: dict[int, set[int]] = {}
    for v in range(250):
        points[v] = {v} if rng.random() < 0.3 else set()
        found |= {("new", f"v{v}", f"h{v}") for _ in points[v]}
        for source in {rng.randrange(max(0, v - 9), v) for _ in range(2)} if v else ():
            found.add(("assign", f"v{v}", f"v{source}"))
            points[v] |= points[source]
    return found | {("points", f"v{v}", f"h{h}") for v, own in points.items() for h in own}


def connections(seed: int) -> Facts:
    """Where buses and trains lead, one after the other."""
    rng = random.Random(seed)  # noqa: S311
    steps = {(rng.randrange(max(0, i - 8), i), i): rng.choice(["bus", "train"]) for i in range(1, 60)}
    reached = set(steps)
    while further := {(a, d) for a, b in reached for c, d in steps if b == c} - reached:
        reached |= further
    found: Facts = {(kind, f"a{a}", f"a{b}") for (a, b), kind in steps.items()}
    return found | {("reach", f"a{a}", f"a{b}") for a, b in reached}


@pytest.mark.parametrize("seed", range(3))
def test_the_closure_of_two_relations_together(seed: int) -> None:
    model = AutoEncoder().fit(shuffled(connections(seed), seed))
    assert {str(clause) for clause in model.decoder_} == {
        "reach(X,Y) :- bus(X,Y).",
        "reach(X,Y) :- train(X,Y).",
        "reach(X,Z) :- reach(X,Y), reach(Y,Z), X \\= Z.",
    }
    assert model.kept_ == ("bus", "train")
    assert model.loss_ == 0


@pytest.mark.parametrize(
    ("facts", "clause", "bases"),
    [
        (classes(0), "type(X,Y) :- type(X,Z), sub(Z,Y).", ["type_base"]),
        (pointers(0), "points(X,Y) :- assign(X,Z), points(Z,Y).", []),
    ],
    ids=["classes", "pointers"],
)
def test_a_relation_that_goes_on_along_another(facts: Facts, clause: str, bases: list[str]) -> None:
    kb = shuffled(facts, 1)
    model = AutoEncoder().fit(kb)
    (score,) = (score for score in model.clauses_ if score["clause"] == clause)
    assert score["saved"] > 0
    assert score["true"] == score["derived"] == kb.count(clause.partition("(")[0])
    assert clause in map(str, model.decoder_)
    assert [base.name for base in model.bases_] == bases
    assert model.loss_ == model.exceptions_ == 0
    assert set(map(str, model.inverse_transform(model.transform(kb)))) == set(map(str, kb))
    assert Message.of(model.plan_, kb).bits == pytest.approx(model.bits_, abs=1e-3)


def test_a_few_exceptions_do_no_harm() -> None:
    rng = random.Random(2)  # noqa: S311
    facts = {fact for fact in classes(3) if fact[0] == "sub" or rng.random() < 0.98}
    compressor = Compressor(shuffled(facts, 0))
    found = compressor.run()
    step = next(step for step in found.plan if step.predicate == "type")
    assert step.recursion is not None
    assert comes_back(compressor, found)


@pytest.mark.parametrize(
    "text",
    [
        "p(X,Y) :- p(X,Z), p(Z,Y).",
        "p(X,Y) :- p(Y,X).",
        "p(X,Y) :- q(X,Z), r(Z,U), p(U,Y).",
        "p(X,Y) :- p(Z,X), q(Z,Y).",
    ],
)
def test_rules_of_other_kinds_are_refused(text: str) -> None:
    (clause,) = parse_program(text, "<test>")
    with pytest.raises(ValueError, match="extends"):
        along_of(rule_of(clause), "p")


PAIRS = st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=12)


@given(facts=PAIRS, steps=PAIRS, place=st.integers(0, 1))
def test_closure_and_base_are_those_of_a_naive_fixpoint(
    facts: set[tuple[int, int]], steps: set[tuple[int, int]], place: int
) -> None:
    rows = [("p", f"e{x}", f"e{y}") for x, y in facts] + [("q", f"e{x}", f"e{y}") for x, y in steps]
    kb = KnowledgeBase.from_facts(sorted(rows), types="one")
    compressor = Compressor(kb)
    database, tables = compressor.database, compressor.tables
    along = Along("q", (0, 1), place)
    assert along_of(along.rule("p", 2), "p") == along
    form = recursive_form(along, tables)
    space = SpacesOf(database, "p", database.relation("p")).space(())
    size = space.sizes[1]

    def naive(start: set[tuple[int, int]]) -> set[tuple[int, int]]:
        moves = {tuple(divmod(int(k), size)) for k in _keys(tables, size)}
        while True:
            more = {(x, z) for x, y in start for a, z in moves if a == y}
            if not place:
                more = {(a, y) for x, y in start for a, b in moves if b == x}
            if more <= start:
                return start
            start = start | more

    every = {tuple(divmod(int(key), size)) for key in space.keys}
    base = form.base(space, space.keys[:0])
    pairs = {tuple(divmod(int(key), size)) for key in base}
    assert pairs <= every
    derived = {tuple(divmod(int(key), size)) for key in form.close(space, base)}
    assert derived == naive(pairs)
    assert every <= derived
    assert {tuple(divmod(int(k), size)) for k in form.close(space, space.keys)} == naive(every)


def _keys(tables: object, size: int) -> list[int]:
    first, second = tables.relation("q").columns  # type: ignore[attr-defined]
    return [int(x) * size + int(y) for x, y in zip(first, second, strict=True)]
