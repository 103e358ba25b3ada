"""Counts of clauses against going through all groundings."""

from __future__ import annotations

from collections import Counter as Multiset
from itertools import combinations
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logicoder.base.errors import UsageError
from logicoder.kb.schema import Predicate, Schema
from logicoder.logic.terms import Atom, Constant, Literal, Variable
from logicoder.mln.counting import Counter, canonical, classes, codes, count_tables, expansion, joins, tensors
from logicoder.mln.formulas import Literals
from logicoder.mln.worlds import World
from mln import brute_force, random_worlds

SEEDS = st.integers(0, 2**32)


def atom(name: str, *arguments: str) -> Atom:
    """Return an atom; capital letters start variables."""
    return Atom(name, tuple(Variable(a) if a[0].isupper() else Constant(a) for a in arguments))


def clause(*texts: str) -> Literals:
    """Return a clause of literals such as `!friends X Y`."""
    return tuple(Literal(atom(*t.lstrip("!").split()), not t.startswith("!")) for t in texts)


def people(number: int, friends: list[tuple[int, int]], smokers: list[int]) -> World:
    schema = Schema.of(Predicate("friends", ("person", "person")), Predicate("smokes", ("person",)))
    relations = {
        "friends": np.array(sorted(friends), np.int32).reshape(-1, 2),
        "smokes": np.array(sorted(smokers), np.int32).reshape(-1, 1),
    }
    return World("people", schema, {"person": tuple(f"p{i:05d}" for i in range(number))}, relations)


PATHS: dict[str, list[tuple[object, str, object]]] = {
    "plain": [],
    "many alternatives": [(expansion, "_MERGED_FROM", 2)],
    "sums by sorting": [(count_tables, "_SMALL", 0), (count_tables, "_SPARSE", 0)],
    "sums of long rows": [(count_tables, "packable", lambda _: False)],
    "huge counts": [(joins, "_EXACT", 0)],
    "matrices": [(joins, "_MANY", 0)],
}


@pytest.mark.parametrize("path", PATHS)
@settings(max_examples=40, deadline=None)
@given(seed=SEEDS)
def test_counts_of_random_clauses_in_random_worlds(path: str, seed: int) -> None:
    rng = random_worlds.seeded(seed)
    worlds = [random_worlds.random_world(rng) for _ in range(rng.choice((1, 1, 2)))]
    counter = Counter(worlds, budget=rng.choice((90, 1 << 20)))  # Joins of a few pairs at a time, or of all.
    with pytest.MonkeyPatch.context() as patch:
        for module, name, value in PATHS[path]:
            patch.setattr(module, name, value)
        check_counts(rng, worlds, counter)


def check_counts(rng: Random, worlds: list[World], counter: Counter) -> None:
    for _ in range(4):
        literals = random_worlds.random_clause(rng)
        expected = [brute_force.satisfied(literals, w, brute_force.truth_of(w)) for w in worlds]
        assert counter.satisfied(literals) == expected
        for name in sorted({x.atom.predicate for x in literals if not x.inequality} | {"p"}):
            for number, world in enumerate(worlds):
                found = counter.differences(literals, name, number)
                assert found.tolist() == brute_force.differences(literals, world, name)


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_rows_are_the_distinct_atoms_however_small_the_blocks(seed: int) -> None:
    rng = random_worlds.seeded(seed)
    world = random_worlds.random_world(rng)
    clauses = [random_worlds.random_clause(rng) for _ in range(rng.choice((0, 1, 3)))]
    check_rows(rng, world, clauses)


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_rows_of_clauses_about_overlapping_pairs_of_arguments(seed: int) -> None:
    rng = random_worlds.seeded(seed)
    clauses = [clause("!t X Y Z", "!q X Y"), clause("!t X Y Z", "r X Z"), clause("t X Y Z", "q Z Y")]
    check_rows(rng, random_worlds.random_world(rng, sizes=(2, 3)), clauses)


def check_rows(rng: Random, world: World, clauses: list[Literals]) -> None:
    plain, blocks = Counter([world]), Counter([world])
    blocks.budget = rng.choice((1, 3, 10))  # Of rows alone: the counts themselves have room.
    for name in world.schema:
        truth = np.zeros(world.groundings(name), np.int64)
        truth[world.numbers(name)] = 1
        columns = [plain.differences(literals, name, 0).tolist() for literals in clauses]
        expected = Multiset(zip(truth.tolist(), *columns, strict=True))
        for counter in (plain, blocks):
            rows = counter.rows(clauses, name, 0)
            found = {
                (int(y), *d): m
                for y, d, m in zip(rows.truth, rows.differences.tolist(), rows.multiplicity, strict=True)
            }
            assert found == expected
            assert len(found) == len(rows)


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_parts_by_sign_are_what_each_truth_value_would_falsify(seed: int) -> None:
    rng = random_worlds.seeded(seed)
    world, literals = random_worlds.random_world(rng), random_worlds.random_clause(rng)
    counter = Counter([world])
    truth = brute_force.truth_of(world)
    every = counter.groundings(literals)[0]
    for name in world.schema:
        gained = counter.differences(literals, name, 0, positive=True)
        lost = counter.differences(literals, name, 0, positive=False)
        assert (gained + lost).tolist() == counter.differences(literals, name, 0).tolist()
        for i, ground in enumerate(brute_force.ground_atoms(name, world.schema, world.domains)):
            # Groundings that do not mention the atom are false with either truth value: the least of both.
            false_if_false = every - brute_force.satisfied(literals, world, truth - {ground})
            false_if_true = every - brute_force.satisfied(literals, world, truth | {ground})
            assert gained[i] - -lost[i] == false_if_false - false_if_true
            assert gained[i] <= false_if_false
            assert -lost[i] <= false_if_true


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_names_of_variables_and_order_of_literals_do_not_matter(seed: int) -> None:
    rng = random_worlds.seeded(seed)
    world, literals = random_worlds.random_world(rng), list(random_worlds.random_clause(rng))
    counter = Counter([world])
    expected = counter.satisfied(tuple(literals)), counter.rows([tuple(literals)], "r", 0)
    new = {v: Variable(f"X{rng.random()}") for x in literals for v in x.atom.variables()}
    other = [
        Literal(
            Atom(x.atom.predicate, tuple(new.get(t, t) for t in x.atom.arguments)), x.positive, x.inequality
        )
        for x in literals
    ]
    rng.shuffle(other)
    if len(other) <= codes.MOST_ORDERS:
        assert canonical(tuple(other)) == canonical(tuple(literals))
    fresh = Counter([world])
    assert fresh.satisfied(tuple(other)) == expected[0]
    rows = fresh.rows([tuple(other)], "r", 0)
    assert rows.differences.tolist() == expected[1].differences.tolist()
    assert rows.multiplicity.tolist() == expected[1].multiplicity.tolist()


def test_known_values_of_smokers() -> None:
    # 0-1 and 1-2 are friends in both directions, 0 smokes: of nine pairs only (0,1) is false.
    world = people(3, [(0, 1), (1, 0), (1, 2), (2, 1)], [0])
    counter = Counter([world])
    spreads = clause("!friends X Y", "!smokes X", "smokes Y")
    assert counter.satisfied(spreads) == [8]
    assert counter.differences(spreads, "smokes", 0).tolist() == [-1, 0, -1]
    assert counter.differences(spreads, "friends", 0).tolist() == [0, -1, -1, 0, 0, 0, 0, 0, 0]


def test_tautologies_are_always_satisfied_and_decide_nothing() -> None:
    counter = Counter([people(4, [(0, 1)], [2])])
    for literals in (clause("smokes X", "!smokes X"), clause("friends X Y", "!friends X Y", "smokes Z")):
        assert counter.satisfied(literals) == counter.groundings(literals)
        assert not counter.differences(literals, "smokes", 0).any()
        assert not counter.differences(literals, "friends", 0).any()


def test_counts_beyond_64_bits_are_exact() -> None:
    number, smokers = 10_000, [1, 5, 7]
    counter = Counter([people(number, [(0, i) for i in range(number)], smokers)])
    someone = clause(*(f"smokes X{i}" for i in range(6)))
    assert counter.satisfied(someone) == [number**6 - (number - len(smokers)) ** 6]
    # Constant 0 alone has friends, all of them: falsified are number^5 groundings of the star.
    star = clause(*(f"!friends X Y{i}" for i in range(5)))
    assert counter.satisfied(star) == [number**6 - number**5]
    with pytest.raises(UsageError, match="64 bits"):
        counter.differences(someone, "smokes", 0)


def test_many_atoms_need_rows_rather_than_an_array() -> None:
    number = 3_000
    ring = [(i, (i + 1) % number) for i in range(number)]
    counter = Counter([people(number, ring, list(range(0, number, 3)))], budget=100_000)
    spreads = clause("!friends X Y", "!smokes X", "smokes Y")
    with pytest.raises(UsageError, match="9000000 ground atoms, more than the 100000"):
        counter.differences(spreads, "friends", 0)
    rows = counter.rows([spreads, clause("friends X Y")], "friends", 0)
    assert rows.multiplicity.sum() == number**2
    # A third smokes; the friend of a smoker (who precedes it on the ring) does not.
    assert {
        (bool(y), *d): int(m)
        for y, d, m in zip(rows.truth, rows.differences.tolist(), rows.multiplicity, strict=True)
    } == {
        (True, -1, 1): 1000,
        (True, 0, 1): 2000,
        (False, -1, 1): 1000 * 2000 - 1000,
        (False, 0, 1): number**2 - 1000 * 2000 - 2000,
    }


def test_counts_that_no_memory_can_hold_are_refused() -> None:
    fans = [(i, 0) for i in range(200)] + [(0, i) for i in range(1, 200)]
    counter = Counter([people(200, fans, [])], budget=30_000)
    through_someone = clause("!friends X Y", "!friends Y Z", "friends X Z")
    assert counter.rows([through_someone], "smokes", 0).multiplicity.tolist() == [200]
    with pytest.raises(UsageError, match="more than 30000 different counts"):
        counter.rows([through_someone], "friends", 0)


def test_many_alternatives_of_a_clause() -> None:
    world = people(40, [(0, i) for i in range(1, 40, 2)] + [(1, 5), (2, 6)], [])
    counter = Counter([world])
    # "Everyone has a friend among the first 30", written out: false for all but 0, 1 and 2.
    literals = clause("smokes X", *(f"friends X p{i:05d}" for i in range(30)))
    assert counter.satisfied(literals) == [3]
    assert counter.differences(literals, "smokes", 0).tolist() == [0] * 3 + [1] * 37
    decided = counter.differences(literals, "friends", 0).reshape(40, 40)
    assert decided.sum() == 37 * 30 + 2
    assert (decided[1, 5], decided[1, 6], decided[0, 1], decided[3, 29], decided[3, 30]) == (1, 0, 0, 1, 0)


def test_rows_with_equal_keys_are_still_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = np.array([[3, 1], [2, 2], [3, 1], [1, 3]])
    expected = [column.tolist() for column in classes.grouped(matrix)]
    assert expected == [[3, 1, 0], [2, 1, 2, 0]]
    monkeypatch.setattr(classes, "_multipliers", lambda width: np.ones(width, np.int64))
    assert [column.tolist() for column in classes.grouped(matrix)] == expected


def test_more_atoms_than_numbers_are_refused() -> None:
    schema = Schema.of(Predicate("t", ("a",) * 5))
    domain = tuple(f"c{i:04d}" for i in range(6000))
    counter = Counter([World("w", schema, {"a": domain}, {"t": np.zeros((0, 5), np.int32)})])
    literals = clause("t A B C D E")
    assert counter.satisfied(literals) == [0]
    with pytest.raises(UsageError, match="more ground atoms than 64 bits can number"):
        counter.rows([literals], "t", 0)


def test_each_conjunction_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    table = tensors.WorldCounts._table
    monkeypatch.setattr(tensors.WorldCounts, "_table", lambda self, c: made.append(c) or table(self, c))
    counter = Counter([people(5, [(0, 1), (1, 2), (3, 4)], [0, 3])])
    for spreads in (
        clause("!friends X Y", "!smokes X", "smokes Y"),
        clause("smokes B", "!smokes A", "!friends A B"),  # the same clause
        clause("friends X Y", "smokes X", "!smokes Y"),  # the same atoms
    ):
        counter.satisfied(spreads)
        for name in ("smokes", "friends"):
            counter.differences(spreads, name, 0)
        kept = {name: counter.rows([spreads], name, 0) for name in ("smokes", "friends")}
        assert all(counter.rows([spreads], name, 0) is rows for name, rows in kept.items())
        assert len(made) == len(set(made)) > 3
    signs = (clause("!friends X Y", "!smokes X"), clause("friends X Y", "!smokes X"))
    found = [t for literals in signs for _, part in counter.terms(literals, "smokes", 0) for t in part]
    assert len(found) > len(set(found)) == len({(t.positions, t.keys.tobytes()) for t in found})


def test_no_more_is_kept_than_the_budget_allows() -> None:
    world = people(12, [(i, j) for i in range(12) for j in range(12) if (i * j) % 3 == 1], [0, 3, 7])
    counter, plain = Counter([world], budget=150), Counter([world])
    names = ["friends X Y", "friends Y X", "friends X Z", "friends Z Y", "smokes X", "smokes Y"]
    most, asked = 0, []
    for texts in combinations(names, 3):
        literals = clause(*(f"!{text}" for text in texts))
        assert counter.differences(literals, "friends", 0).tolist() == (
            plain.differences(literals, "friends", 0).tolist()
        )
        asked.append(literals)
        rows = [each.rows(asked[-2:], "friends", 0) for each in (counter, plain)]
        most = max(most, counter._counts[0].held)
    assert plain._counts[0].held > 4 * 150 + 300
    assert 4 * 150 < most < 4 * 150 + 300  # what is there, and what the last clause adds
    assert counter.rows(asked[-2:], "friends", 0) is rows[0]
    few, many = (sum(kept.differences.size for kept in each._rows.values()) for each in (counter, plain))
    assert few <= 150 < many


def test_mistakes_are_named() -> None:
    world = people(2, [], [])
    other = World("others", Schema.of(Predicate("smokes", ("person",))), world.domains, world.relations)
    with pytest.raises(UsageError, match="the predicates of others are not those of people"):
        Counter([world, other])
    with pytest.raises(UsageError, match="no world"):
        Counter([])
    with pytest.raises(UsageError, match="no predicate drinks"):
        Counter([world]).satisfied(clause("drinks X"))
