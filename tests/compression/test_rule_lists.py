"""Lists of rules and their bound, against all lists there are."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from math import comb, inf, log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logicoder.compression.code import ClauseCode
from logicoder.compression.goals import Bits, Goal, Stored
from logicoder.compression.list_model import chords, entropy, tangents
from logicoder.compression.rule_lists import Listed, RuleLists
from logicoder.engine.arrays.rules.rule_classes import classes_of_atoms
from logicoder.engine.arrays.rules.spaces import Space
from tiny_data import REPEATABLE

BITS, STORED = Bits(ClauseCode(1, {})), Stored(ClauseCode(1, {}))
Sets = tuple[int, frozenset[int], list[frozenset[int]], list[float], int]


@st.composite
def problems(draw) -> Sets:
    """Atoms, facts, what up to four rules derive, their bits, and what each fact could be one of."""
    atoms = draw(st.integers(4, 60))
    some = st.sets(st.integers(0, atoms - 1), min_size=1).map(frozenset)
    rules = draw(st.lists(some, min_size=1, max_size=4))
    facts = draw(some)
    if draw(st.booleans()):
        # Rules that are right in most that they derive, so that there is something to choose.
        rules = [rule & facts or rule for rule in rules[:-1]] + rules[-1:]
    lengths = draw(st.lists(st.floats(0.5, 12), min_size=len(rules), max_size=len(rules)))
    return atoms, facts, rules, lengths, draw(st.integers(0, 20))


@dataclass(frozen=True)
class Counts:
    """What lists know of a predicate."""

    atoms: int
    facts: int
    options: int


def lists_of(problem: Sets, goal: Goal = BITS) -> RuleLists:
    atoms, facts, rules, lengths, options = problem
    space = Space("p", (0,), (atoms,), (None,), False, False, atoms, np.array(sorted(facts)), (0, 0), 0)
    classes = classes_of_atoms(space, [np.array(sorted(rule)) for rule in rules])
    return RuleLists(goal, Counts(atoms, len(facts), options), np.array(lengths), classes)


def saved(problem: Sets, order: tuple[int, ...]) -> float:
    """What a list saves, set by set."""
    atoms, facts, rules, lengths, options = problem

    def bits(total: int, chosen: int) -> float:
        return log2(total + 1) + log2(comb(total, chosen))

    def rest(total: int, chosen: int) -> float:
        one_each = log2(total + 1) + chosen * log2(options) if options else inf
        return min(one_each, bits(total, chosen))

    total, seen = rest(atoms, len(facts)), frozenset[int]()
    for rule in order:
        fresh = rules[rule] - seen
        total -= lengths[rule] + bits(len(fresh), len(fresh & facts))
        seen |= fresh
    return total - rest(atoms - len(seen), len(facts - seen))


def listed_facts(problem: Sets, order: tuple[int, ...]) -> float:
    """What a list saves in facts and literals."""
    _, facts, rules, lengths, _ = problem
    derived = frozenset[int]().union(*(rules[rule] for rule in order))
    return len(facts) - len(facts - derived) - len(derived - facts) - sum(lengths[rule] for rule in order)


def every_list(problem: Sets) -> list[tuple[int, ...]]:
    numbers = range(len(problem[2]))
    return [order for size in range(len(problem[2]) + 1) for order in permutations(numbers, size)]


@REPEATABLE
@given(problems())
def test_no_list_saves_more_than_the_bound(problem: Sets) -> None:
    best = max(saved(problem, order) for order in every_list(problem))
    assert lists_of(problem).most_saved(np.arange(len(problem[2]))) >= best - 1e-3


@REPEATABLE
@given(problems())
def test_lists_are_measured_exactly_and_never_get_worse(problem: Sets) -> None:
    lists = lists_of(problem)
    usable = np.arange(len(problem[2]))
    greedy = lists.greedy(usable)
    better = lists.improved(usable, greedy)
    for listed in (greedy, better, *map(lists.measured, every_list(problem))):
        assert listed.total == pytest.approx(saved(problem, listed.rules), abs=1e-6)
    best = max(saved(problem, order) for order in every_list(problem))
    assert greedy.total - 1e-9 <= better.total <= best + 1e-6


@REPEATABLE
@given(problems())
def test_facts_are_counted_and_bounded_too(problem: Sets) -> None:
    lists, usable = lists_of(problem, STORED), np.arange(len(problem[2]))
    greedy = lists.greedy(usable)
    better = lists.improved(usable, greedy)
    best = max(listed_facts(problem, order) for order in every_list(problem))
    assert better.total == pytest.approx(listed_facts(problem, better.rules))
    assert greedy.total <= better.total <= best + 1e-6 <= lists.most_saved(usable) + 1e-2


def test_a_solver_sees_two_rules_where_one_is_greedy() -> None:
    """A rule that takes most of both halves first is in the way of two that say everything."""
    facts = frozenset(range(40))
    rules = [frozenset(range(20)), frozenset(range(20, 40)), frozenset(range(1, 39)) | frozenset({90, 91})]
    problem = 4000, facts, rules, [9.0, 9.0, 9.0], 0
    lists, usable = lists_of(problem), np.arange(3)
    greedy = lists.greedy(usable)
    assert 2 in greedy.rules
    assert sorted(lists.improved(usable, greedy).rules) == [0, 1]


def test_nothing_to_choose_from() -> None:
    assert (
        lists_of((9, frozenset({1}), [frozenset({2})], [3.0], 0)).improved(np.arange(0), Listed()) == Listed()
    )


@REPEATABLE
@given(st.lists(st.floats(0.001, 0.999), max_size=5), st.integers(1, 300), st.data())
def test_chords_are_below_and_tangents_above(rates: list[float], total: int, data: st.DataObject) -> None:
    chosen = data.draw(st.integers(0, total))
    exact = log2(total + 1) + log2(comb(total, chosen))
    counts = np.array(float(total)), np.array(float(chosen))
    least = min(float(line.bits(*counts)) for line in chords(rates))
    assert least <= total * entropy(chosen / total) + 1e-6 <= exact + 1e-6
    assert all(
        float(line.bits(*counts)) >= total * entropy(chosen / total) - 1e-6 for line in tangents(rates)
    )
