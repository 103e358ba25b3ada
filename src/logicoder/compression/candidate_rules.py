"""Candidate rules for each space: counted shape by shape, kept where they pay by themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from logicoder.compression.code import Lengths
from logicoder.compression.goals import Goal
from logicoder.engine.arrays.rules.counted import Counted, Counts, Effort, Numbers
from logicoder.engine.arrays.rules.counts import RuleCounts
from logicoder.engine.arrays.rules.refinements import Refinements
from logicoder.engine.arrays.rules.rule_tables import RuleTables
from logicoder.engine.arrays.rules.spaces import Space
from logicoder.engine.arrays.rules.wide import wide_rules
from logicoder.logic.rules import Rule

_ALIKE = 2
"""Rules with the same body predicates that are kept for a head."""

_MOST_RULES = 300
"""Rules that are kept for a head."""

_LEAST_ATOMS = 500_000
_ATOMS_PER_FACT = 50
"""Atoms that the rules kept for a head may derive together: so many, and for each fact so many more."""

_LONGER = 2
"""How often the best rules of each head get one more literal."""

_REFINED = 10
"""Rules of each head that get one more literal."""


@dataclass(frozen=True)
class Candidate:
    """A rule that pays by itself.

    Attributes:
        saved: what it saves beyond its own cost.
        counted: the rule, for a space, with what it derives.
        length: its cost.
    """

    saved: float
    counted: Counted
    length: float

    @property
    def rule(self) -> Rule:
        """The rule."""
        return self.counted.rule


class CandidateRules:
    """Finds candidates for some spaces.

    Args:
        tables: the relations that rules may use.
        spaces: the heads.
        goal: what rules cost and save.
        effort: what counting may cost.
    """

    def __init__(self, tables: RuleTables, spaces: Sequence[Space], goal: Goal, effort: Effort) -> None:
        self._tables, self._spaces, self._goal, self._effort = tables, spaces, goal, effort
        self._atoms = np.array([float(space.atoms) for space in spaces])
        self._facts = np.array([float(space.facts) for space in spaces])
        self._alone = goal.rest(self._atoms, self._facts)
        self._cheapest = goal.literal
        self._found: list[dict[Rule, Candidate]] = [{} for _ in spaces]

    def ranked(self) -> list[list[Candidate]]:
        """Return for each space the rules that pay by themselves, best first."""
        least = [self._least_true(number) for number in range(len(self._spaces))]
        shared = (self._tables, self._spaces, least)
        counts = RuleCounts(*shared, self._worth, self._effort)
        further = Refinements(*shared, self._worth, self._effort, counts.walks)
        self._take(counts.run())
        self._take(wide_rules(*shared, self._effort))
        self._take(further.constants())
        self._take(further.long_chains())
        for _ in range(_LONGER):
            if not self._effort.stopped():
                best = [varied(own, most=_REFINED) for own in self._sorted()]
                self._take(further.longer([candidate.counted for own in best for candidate in own]))
        return self._sorted()

    def _sorted(self) -> list[list[Candidate]]:
        return [sorted(own.values(), key=lambda c: (-c.saved, c.rule)) for own in self._found]

    def _take(self, counted: Iterable[Counted]) -> None:
        items = list(counted)
        gains = self._gains(
            np.array([item.space for item in items], np.int64),
            np.array([float(item.derived) for item in items]),
            np.array([float(item.true) for item in items]),
        )
        lengths: dict[Rule, float] = {}
        for item, gain in zip(items, gains.tolist(), strict=True):
            if gain <= 0:
                continue
            length = lengths.get(item.rule)
            if length is None or item.rule.constants:
                length = self._goal.clause(self._spaces[item.space].predicate, item.rule)
                lengths[item.rule] = length
            if gain > length:
                self._found[item.space][item.rule] = Candidate(gain - length, item, length)

    def _gains(self, numbers: Numbers, derived: Counts, true: Counts) -> Lengths:
        """Return what rules save for their spaces, their own cost left out."""
        rest = self._goal.rest(self._atoms[numbers] - derived, self._facts[numbers] - true)
        return np.asarray(self._alone[numbers] - self._goal.layer(derived, true) - rest)

    def _worth(self, numbers: Numbers, derived: Counts, true: Counts, literals: int) -> Lengths:
        return np.asarray(self._gains(numbers, derived, true) - self._cheapest * literals)

    def _least_true(self, number: int) -> int:
        """Return the fewest facts with which a rule can pay, were it always right."""
        facts = self._spaces[number].facts
        low, high = 1, facts + 1
        while low < high:
            middle = (low + high) // 2
            exact = np.array([float(middle)])
            if middle <= facts and self._gains(np.array([number]), exact, exact)[0] <= self._cheapest:
                low = middle + 1
            else:
                high = middle
        return max(2, low)


def room_for(space: Space) -> int:
    """Return how many atoms the rules kept for a space may derive together."""
    return _LEAST_ATOMS + _ATOMS_PER_FACT * space.facts


def varied(
    candidates: Iterable[Candidate], room: int = _LEAST_ATOMS, most: int = _MOST_RULES
) -> list[Candidate]:
    """Return the best rules, few of each set of body predicates, as far as there is room."""
    times: dict[frozenset[str], int] = {}
    atoms = 0
    kept: list[Candidate] = []
    for candidate in candidates:
        about, derived = candidate.rule.predicates, candidate.counted.derived
        if times.get(about, 0) >= _ALIKE or atoms + derived > room:
            continue
        times[about] = times.get(about, 0) + 1
        atoms += derived
        kept.append(candidate)
        if len(kept) >= most:
            break
    return kept
