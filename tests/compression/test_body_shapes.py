"""Every connected shape of three literals is found where a predicate is defined by it."""

from __future__ import annotations

import random

import pytest

from compression.body_shapes import Shape, planted, shapes
from logicoder import KnowledgeBase
from logicoder.compression.goals import GOALS, Bits
from logicoder.compression.head_spaces import HeadSpaces
from logicoder.compression.learned_plan import Compressor
from logicoder.compression.message_search import Search

BINARY, UNARY = shapes("XY"), shapes("X")


def is_found(shape: Shape, head: str, seed: int) -> bool:
    """Whether a candidate derives all facts of `p` and nothing else, before orders and lists are searched."""
    facts, derived = planted(shape, head, seed)
    compressor = Compressor(KnowledgeBase.from_facts(sorted(facts | derived)))
    code = compressor.code
    heads = HeadSpaces(compressor.database, compressor.names, Bits(code), Bits(code))
    search = Search(compressor.tables, heads, code, GOALS["bits"], compressor.background, compressor.effort)
    for phase in search.phases():
        if phase.name == "order":
            break
        for _ in search.messages(phase):
            pass
    return any(
        rule.counted.true == rule.counted.derived == space.facts
        for number, space in enumerate(heads.tried)
        if space.predicate == "p"
        for rule in search.candidates.ranked(number)
    )


def test_there_are_as_many_shapes_as_can_be_counted_by_hand() -> None:
    # Of one literal: a(X,Y). Of two: with a second literal on X, Y, (X,Y), (X,Z) or (Y,Z), or a chain.
    assert shapes("XY", 1) == [(("X", "Y"),)]
    assert len(shapes("XY", 2)) == 6
    assert (len(BINARY), len(UNARY)) == (31, 20)


@pytest.mark.parametrize("shape", BINARY, ids=str)
def test_shapes_of_heads_of_two_places(shape: Shape) -> None:
    assert is_found(shape, "XY", 0)


@pytest.mark.parametrize("shape", UNARY, ids=str)
def test_shapes_of_heads_of_one_place(shape: Shape) -> None:
    assert is_found(shape, "X", 0)


@pytest.mark.parametrize("seed", range(1, 4))
def test_three_relations_between_the_same_two_values(seed: int) -> None:
    assert is_found((("X", "Z"), ("X", "Z"), ("X", "Z")), "X", seed)


def test_a_chain_of_three_among_many_other_predicates() -> None:
    rng = random.Random(3)  # noqa: S311
    orders = {("oc", f"o{i}", f"c{rng.randrange(30)}") for i in range(200)}
    city = {("city", f"c{i}", f"t{rng.randrange(12)}") for i in range(30)}
    country = {("cc", f"t{i}", f"l{rng.randrange(4)}") for i in range(12)}
    to_city, to_country = (dict(row[1:] for row in rows) for rows in (city, country))
    ship = {("ship_country", o, to_country[to_city[c]]) for _, o, c in orders}
    others = {
        (f"r{i}", f"{a}{rng.randrange(n)}", f"{b}{rng.randrange(m)}")
        for i in range(76)
        for (a, n), (b, m) in [rng.sample([("o", 200), ("c", 30), ("t", 12), ("l", 4)], 2)]
        for _ in range(20)
    }
    found = Compressor(KnowledgeBase.from_facts(sorted(orders | city | country | ship | others))).run()
    step = next(step for step in found.plan if step.predicate == "ship_country")
    assert [str(c) for c in step.clauses()] == ["ship_country(X,Y) :- oc(X,Z), city(Z,U), cc(U,Y)."]
    choice = found.choices["ship_country"]
    assert [layer.true for layer in choice.layers] == [200] == [layer.derived for layer in choice.layers]
