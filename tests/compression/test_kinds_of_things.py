"""Rules about kinds of things in two places, and about things of which two columns hold the same."""

from __future__ import annotations

import random
from itertools import combinations, product

import pytest

from compression.worlds import comes_back, shuffled
from logicoder.compression.compressed import Compressed
from logicoder.compression.learned_plan import Compressor

Facts = set[tuple[str, ...]]


def groups(seed: int) -> tuple[Facts, set[tuple[str, str]]]:
    """Who buys what, by segments of people and categories of goods; and which of these go together."""
    rng = random.Random(seed)  # noqa: S311
    segment = {f"u{i}": f"s{i % 3}" for i in range(60)}
    category = {f"i{i}": f"c{i % 4}" for i in range(48)}
    likes = set(rng.sample(sorted(product(sorted(set(segment.values())), sorted(set(category.values())))), 4))
    found: Facts = {("segment", *row) for row in segment.items()}
    found |= {("category", *row) for row in category.items()}
    for user, item in product(segment, category):
        if rng.random() < (0.8 if (segment[user], category[item]) in likes else 0.03):
            found.add(("buys", user, item))
    return found, likes


def clauses(found: Compressed, predicate: str) -> set[str]:
    """Return the clauses of a predicate, those that only narrow it down too."""
    (step,) = [step for step in found.plan.steps if step.predicate == predicate]
    return {str(rule.clause(predicate)) for rule in step.rules}


@pytest.mark.parametrize("seed", range(3))
def test_what_goes_together_is_told_by_kinds(seed: int) -> None:
    facts, likes = groups(seed)
    compressor = Compressor(shuffled(facts, seed))
    found = compressor.run()
    expected = {f"buys(X,Y) :- segment(X,{s}), category(Y,{c})." for s, c in likes}
    assert clauses(found, "buys") >= expected
    assert comes_back(compressor, found)


def test_pairs_of_a_symmetric_relation_are_told_by_kinds() -> None:
    rng = random.Random(4)  # noqa: S311
    kind = {f"e{i}": rng.choice("abc") for i in range(60)}
    dense = {("a", "b"), ("c", "c")}
    facts: Facts = {("kind", *row) for row in kind.items()}
    for x, y in combinations(kind, 2):
        if rng.random() < (0.9 if tuple(sorted((kind[x], kind[y]))) in dense else 0.05):
            facts |= {("knows", x, y), ("knows", y, x)}
    compressor = Compressor(shuffled(facts, 0))
    found = compressor.run()
    told = clauses(found, "knows")
    assert "knows(X,Y) :- kind(X,c), kind(Y,c)." in told
    assert told & {f"knows(X,Y) :- kind(X,{x}), kind(Y,{y})." for x, y in ("ab", "ba")}
    assert comes_back(compressor, found)


def test_kinds_that_are_drawn_by_lot_tell_nothing() -> None:
    rng = random.Random(6)  # noqa: S311
    facts: Facts = {("buys", f"u{rng.randrange(60)}", f"i{rng.randrange(50)}") for _ in range(700)}
    facts |= {("segment", f"u{i}", f"s{rng.randrange(4)}") for i in range(60)}
    facts |= {("category", f"i{i}", f"c{rng.randrange(4)}") for i in range(50)}
    found = Compressor(shuffled(facts, 0)).run()
    assert found.plan.steps
    assert not any(step.rules for step in found.plan.steps)


def test_two_columns_that_hold_the_same() -> None:
    rng = random.Random(7)  # noqa: S311
    facts: Facts = set()
    for i in range(300):
        home, away = (f"team{rng.randrange(8)}" for _ in range(2))
        facts |= {("home", f"m{i}", home), ("away", f"m{i}", away)}
        facts.add(("verdict", f"m{i}", "wrong" if home == away else rng.choice(["won", "lost", "drawn"])))
    compressor = Compressor(shuffled(facts, 0))
    found = compressor.run()
    assert "verdict(X,wrong) :- away(X,Y), home(X,Y)." in clauses(found, "verdict")
    assert comes_back(compressor, found)


def test_two_paths_that_lead_to_the_same() -> None:
    rng = random.Random(8)  # noqa: S311
    genre = {f"f{i}": f"g{rng.randrange(4)}" for i in range(40)}
    fan = {f"u{i}": f"g{rng.randrange(4)}" for i in range(40)}
    facts: Facts = {("genre", *row) for row in genre.items()} | {("fan", *row) for row in fan.items()}
    for i in range(500):
        user, film = rng.choice(sorted(fan)), rng.choice(sorted(genre))
        facts |= {("who", f"r{i}", user), ("what", f"r{i}", film)}
        if fan[user] == genre[film]:
            facts.add(("praise", f"r{i}"))
    compressor = Compressor(shuffled(facts, 0))
    found = compressor.run()
    (clause,) = clauses(found, "praise")
    assert {item.split("(")[0] for item in clause.split(" :- ")[1].split(", ")} == {
        *("who", "what", "fan", "genre")
    }
    (layer,) = found.choices["praise"].layers
    assert layer.derived == layer.true == sum(fact[0] == "praise" for fact in facts)
    assert comes_back(compressor, found)
