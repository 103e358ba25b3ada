"""Rules that all facts propose: of short candidates, counted at once, those that save most by themselves.

A sample never shows rules about what is rare or far from it. These are few shapes, and nothing but
candidates: the same counts judge them as judge the rules of the sample (`compression.stored_search`).
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from logicoder.base.effort import StoppedError
from logicoder.base.stopping import PartToken
from logicoder.compression.goals import Goal, table_cost
from logicoder.compression.stored_spaces import CountedSpace, bare_space
from logicoder.engine.sql.candidate_rows import CHAIN, OPEN, SHAPES, STRAIGHT, CandidateRow, Head
from logicoder.engine.sql.derived_counts import DerivedCounts
from logicoder.engine.sql.space_counts import Look
from logicoder.engine.sql.step_tables import Steps
from logicoder.engine.sql.walk_counts import Limits, WalkCounts

if TYPE_CHECKING:
    from logicoder.engine.sql.space_counts import SpaceCounts
    from logicoder.engine.sql.stored_data import StoredData
    from logicoder.kb.schema import Schema
    from logicoder.logic.rules import Rule

_log = logging.getLogger("logicoder")

_DERIVED = 24
"""Candidates of each head and shape of which it is counted what they derive, those with most facts first."""

_PROPOSED = 6
"""Rules that are proposed for each head."""

_ALIKE = 2
"""As many of them have the same predicates."""

_RIGHT = 4
"""At least one atom of so many that they derive is true."""

_SHARE = 0.3
"""The part of the time that is left, where it is limited."""


class StoredProposals:
    """Proposes rules.

    Args:
        data: all of the facts.
        schema: their types.
        counts: of the data.
        goal: what rules cost and save.
        limits: what counting may cost.
    """

    def __init__(
        self,
        data: StoredData,
        schema: Schema,
        counts: SpaceCounts,
        goal: Goal,
        limits: Limits | None = None,
    ) -> None:
        self._data, self._schema, self._counts, self._goal = data, schema, counts, goal
        self._limits = limits or Limits()
        self._spaces: dict[str, list[CountedSpace]] = {}

    def in_time(self, names: Iterable[str]) -> dict[str, list[Rule]]:
        """Return rules for some predicates, best first; none if a part of the time that is left is over."""
        session = self._data.session
        whole = session.stop
        session.stop = part = PartToken(whole)
        if part.remaining is not None:
            part.allow(_SHARE * part.remaining)
        try:
            return self.rules(names)
        except StoppedError:
            if whole.stopped:
                raise
            _log.warning("no time was left to look for rules beyond the sample")
            return {}
        finally:
            session.stop = whole

    def rules(self, names: Iterable[str]) -> dict[str, list[Rule]]:
        """Return rules for some predicates, best first."""
        heads = [
            Head(name, self._schema[name].types, self._data.counts[name], self._least(name))
            for name in names
            if len(self._schema[name].types) in (1, 2) and self._data.counts[name]
        ]
        heads = [head for head in heads if head.least <= head.facts]
        if not heads:
            return {}
        found: dict[str, list[tuple[float, Rule]]] = {}
        with Steps(self._data, self._schema) as steps:
            walks = WalkCounts(steps, heads, self._limits)
            for saved, head, rule in self._counted(walks):
                found.setdefault(head, []).append((saved, rule))
        for words in walks.told:
            _log.info("rules beyond the sample: not evaluated were %s", words)
        return {name: _varied(several) for name, several in found.items()}

    def _counted(self, walks: WalkCounts) -> Iterator[tuple[float, str, Rule]]:
        """Iterate over rules that pay: what they save, head and rule."""
        derived, steps = DerivedCounts(walks, self._limits), walks.steps.every
        true = dict(walks.counted())
        alone: dict[tuple[int, int], float] = {}
        for shape in SHAPES:
            worth = {
                row: facts
                for row, facts in true.items()
                if row.shape == shape and self._can_pay(walks, row, facts, alone)
            }
            for counted in derived.counted(shape, _most_true(worth)):
                row, head = counted.row, walks.heads[counted.row.head]
                rule = row.rule(walks.heads, steps)
                saved = self._saved(head, counted.derived / counted.share, counted.true / counted.share)
                saved -= self._goal.clause(head.name, rule)
                if shape == STRAIGHT:
                    alone[row.head, row.first] = saved
                if saved > _untested(walks, row, alone) and _RIGHT * counted.true >= counted.derived:
                    yield saved, head.name, rule

    def _can_pay(
        self, walks: WalkCounts, row: CandidateRow, true: int, alone: Mapping[tuple[int, int], float]
    ) -> bool:
        """Whether a candidate with a test can save more than it saves without, were it always right."""
        less = _untested(walks, row, alone)
        if not less:
            return True
        head, facts = walks.heads[row.head], true / walks.shares[row.head]
        length = self._goal.clause(head.name, row.rule(walks.heads, walks.steps.every))
        return self._saved(head, facts, facts) - length > less

    # -- what they save -----------------------------------------------------------------------------------

    def _looks(self, name: str) -> list[CountedSpace]:
        """Return a predicate by its types, and within all of its domains."""
        if name not in self._spaces:
            kinds = self._schema[name].types
            numbers = tuple(sorted(set(kinds)).index(kind) for kind in kinds)
            looks = [Look(name), Look(name, tuple(range(len(kinds))))]
            self._spaces[name] = [bare_space(look, self._counts.look(look), numbers) for look in looks]
        return self._spaces[name]

    def _least(self, name: str) -> int:
        """Return the fewest facts with which a rule can pay, were it always right."""
        space = self._looks(name)[0]
        low, high = 1, space.facts + 1
        while low < high:
            middle = (low + high) // 2
            if self._gain(space, middle, middle) > self._goal.literal:
                high = middle
            else:
                low = middle + 1
        return low

    def _gain(self, space: CountedSpace, derived: int, true: int) -> float:
        """Return what is saved beside the cost of a rule."""
        left = self._goal.rest(space.atoms - derived, space.facts - true)
        alone = self._goal.rest(space.atoms, space.facts)
        return float(alone - self._goal.layer(derived, true) - left)

    def _saved(self, head: Head, derived: float, true: float) -> float:
        """Return about what a rule saves, beside its own cost, of the shortest table without rules."""
        spaces = self._looks(head.name)
        costs = []
        for space in spaces:
            facts = min(space.facts, round(true))
            atoms = max(facts, min(round(derived), space.atoms - (space.facts - facts)))
            costs.append(table_cost(self._goal, space) - self._gain(space, atoms, facts))
        return min(table_cost(self._goal, space) for space in spaces) - min(costs)


def _untested(walks: WalkCounts, row: CandidateRow, alone: Mapping[tuple[int, int], float]) -> float:
    """Return what a candidate saves without the literal that only tests a value, if it has one.

    Args:
        walks: says what steps are.
        row: the candidate.
        alone: what steps save by themselves, for each head.
    """
    untested: list[int] = []
    if row.shape == OPEN:
        untested = [walks.steps.begins[row.first]]
    elif row.shape == CHAIN:
        every, both = walks.steps.every, (row.first, row.second)
        untested = [p for p, q in (both, both[::-1]) if every[q].stays]
    return max((alone.get((row.head, p), 0.0) for p in untested), default=0.0)


def _most_true(counted: Mapping[CandidateRow, int]) -> list[CandidateRow]:
    """Return the candidates of each head with the most true atoms."""
    found: dict[int, list[tuple[int, CandidateRow]]] = {}
    for row, true in counted.items():
        found.setdefault(row.head, []).append((true, row))
    return [
        row
        for several in found.values()
        for _, row in sorted(several, key=lambda one: (-one[0], one[1].first, one[1].second))[:_DERIVED]
    ]


def _varied(found: Sequence[tuple[float, Rule]]) -> list[Rule]:
    """Return the rules that save most, few of each set of predicates."""
    times: dict[frozenset[str], int] = {}
    kept: list[Rule] = []
    for _, rule in sorted(found, key=lambda one: (-one[0], one[1])):
        if times.get(rule.predicates, 0) < _ALIKE and len(kept) < _PROPOSED:
            times[rule.predicates] = times.get(rule.predicates, 0) + 1
            kept.append(rule)
    return kept


def unlike(rules: Sequence[Rule], others: Sequence[Rule]) -> list[Rule]:
    """Return the rules that do not say the same as some others.

    >>> from logicoder.logic.rules import Literal, Rule
    >>> one = Rule((0, 1), (Literal("p", (0, 2)), Literal("q", (2, 1))))
    >>> unlike([one], [Rule((0, 1), (Literal("q", (5, 1)), Literal("p", (0, 5))))])
    []
    """
    known = {_reading(rule) for rule in others}
    return [rule for rule in rules if _reading(rule) not in known]


def _reading(rule: Rule) -> object:
    """Return what a rule with one further variable at most says, whatever its order and numbers."""
    every = [a for item in rule.body for a in item.arguments]

    def argument(value: int | str) -> int | str:
        if isinstance(value, str) or value in rule.head:
            return value
        return "\nshared" if every.count(value) > 1 else "\nany"

    return rule.head, frozenset(
        (item.predicate, item.negated, tuple(map(argument, item.arguments))) for item in rule.body
    )
