"""Candidate rules for each space: counted shape by shape, kept where they pay by themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from logicoder.base.effort import Effort
from logicoder.compression.code import Lengths
from logicoder.compression.goals import Goal
from logicoder.compression.plan import Plan
from logicoder.engine.arrays.join import JoinTooLargeError
from logicoder.engine.arrays.rules.counted import Counted, Counts, Numbers
from logicoder.engine.arrays.rules.counts import RuleCounts
from logicoder.engine.arrays.rules.inner_literals import InnerLiterals
from logicoder.engine.arrays.rules.refinements import Refinements
from logicoder.engine.arrays.rules.rule_tables import RuleTables
from logicoder.engine.arrays.rules.spaces import Space
from logicoder.engine.arrays.rules.wide import wide_rules
from logicoder.logic.rules import Rule

_ALIKE = 2
"""Rules with the same body predicates that are kept for a head."""

_NAMED = 4
"""As many of one literal that names a constant, and a head that does not: other values matter too."""

_PRODUCTS = 40
"""As many of two literals about one variable each: other kinds of things matter too."""

MOST_RULES = 300
"""Rules that are kept for a head."""

_REFINED = 10
"""Rules of each head that get one more literal."""

_INNER = 3
"""Rules of each head that get literals about other variables than those of the head."""

_FEW = 20
"""Up to so many predicates, literals that are of no use by themselves get two others."""

_BATCH = 4096
"""Rules that are judged at once."""

_CANDIDATE_BYTES = 2_000
"""What a candidate takes, its rule included."""


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

    @property
    def rank(self) -> tuple[float, Rule]:
        """By which the best come first."""
        return -self.saved, self.rule


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
        self._options = np.array([float(space.options) for space in spaces])
        self._alone = goal.rest(self._atoms, self._facts, self._options)
        self._cheapest = goal.literal
        self._lengths: dict[object, float] = {}
        # By predicates and number of literals, the best rules of each space.
        self._found: list[dict[object, list[Candidate]]] = [{} for _ in spaces]
        most = effort.room(0.1, _CANDIDATE_BYTES) // max(1, len(spaces))
        self._most = max(10, min(10 * MOST_RULES, most))
        self.changed: set[int] = set()
        shared = (tables, spaces, self._least_true())
        self._counts = RuleCounts(*shared, self._worth, effort)
        self._refinements = Refinements(*shared, self._worth, effort, self._counts)
        self._inner = InnerLiterals(*shared, self._worth, effort)
        self._wide = wide_rules(*shared, effort)

    # -- what there is to do ------------------------------------------------------------------------------

    def given(self, rules: Iterable[tuple[str, Rule]]) -> Iterator[None]:
        """Count given rules of some heads; this and the others pause often."""
        return self._take(self._counted(rules))

    def _counted(self, rules: Iterable[tuple[str, Rule]]) -> Iterator[Counted]:
        for head, rule in rules:
            for number, space in enumerate(self._spaces):
                if space.predicate == head:
                    try:
                        atoms = space.within(self._tables.atoms(space.types, rule, self._effort))
                    except JoinTooLargeError:
                        continue
                    yield Counted(number, rule, len(atoms), int(space.true(atoms).sum()))

    def single(self) -> Iterator[None]:
        """Find rules of one literal."""
        return self._take(self._counts.single())

    def chains(self) -> Iterator[None]:
        """Find chains of two literals."""
        return self._take(self._counts.chains())

    def wide(self) -> Iterator[None]:
        """Find rules for heads of three places and more."""
        return self._take(self._wide)

    def constants(self) -> Iterator[None]:
        """Find rules about constants."""
        return self._take(self._refinements.constants())

    def products(self) -> Iterator[None]:
        """Find rules about kinds of things in two places."""
        return self._take(self._refinements.products())

    def long_chains(self) -> Iterator[None]:
        """Find chains of three literals."""
        return self._take(self._refinements.long_chains())

    def longer(self) -> Iterator[None]:
        """Give the best rules of each head one more literal."""
        best = [varied(self.ranked(number), most=_REFINED) for number in range(len(self._spaces))]
        return self._take(self._refinements.longer([c.counted for own in best for c in own]))

    def inner(self) -> Iterator[None]:
        """Give the best rules of each head one more literal anywhere, or two that lead away from it."""
        best = [varied(self.ranked(number), most=_INNER) for number in range(len(self._spaces))]
        found = [c.counted for own in best for c in own]
        return self._take(self._inner.counted([*found, *self._idle_literals()]))

    def _idle_literals(self) -> Iterator[Counted]:
        """Literals that tell nothing of a unary head by themselves, but may do so with two others."""
        views = self._tables.views
        if len(self._tables.names) > _FEW:
            return
        for number, space in enumerate(self._spaces):
            for view in views if len(space.types) == 1 else ():
                if view.types[0] == space.types[0] and view.predicate != space.predicate:
                    atoms = space.within(np.flatnonzero(view.row_sizes).astype(np.int64))
                    true = int(space.true(atoms).sum())
                    if 2 * true >= space.facts:
                        rule = Rule((0,), (view.literal(0, 1, 2)[0],))
                        yield Counted(number, rule, len(atoms), true)

    def take_over(self, others: CandidateRules) -> None:
        """Take over the rules that were found for the first of these spaces."""
        for number, found in enumerate(others._found):
            self._found[number] = {key: list(alike) for key, alike in found.items()}
            if found:
                self.changed.add(number)

    def forget_products(self, plan: Plan) -> None:
        """Leave out rules about kinds of things in two places, but for those that a plan uses."""
        used = {(step.predicate, rule) for step in plan.steps for rule in step.rules}
        for space, found in zip(self._spaces, self._found, strict=True):
            for key, alike in list(found.items()):
                if _most_alike(alike[0].rule) == _PRODUCTS:
                    found[key] = [one for one in alike if (space.predicate, one.rule) in used]
                    if not found[key]:
                        del found[key]

    def ranked(self, number: int) -> list[Candidate]:
        """Return the rules of a space that pay by themselves, best first."""
        own = [candidate for alike in self._found[number].values() for candidate in alike]
        return sorted(own, key=lambda candidate: candidate.rank)

    # -- what is kept of it -------------------------------------------------------------------------------

    def _take(self, counted: Iterator[Counted]) -> Iterator[None]:
        while items := list(islice(counted, _BATCH)):
            gains = self._gains(
                np.array([item.space for item in items], np.int64),
                np.array([float(item.derived) for item in items]),
                np.array([float(item.true) for item in items]),
            )
            for item, gain in zip(items, gains.tolist(), strict=True):
                if gain > self._cheapest:
                    length = self._length(item)
                    if gain > length:
                        self._add(Candidate(gain - length, item, length))
            yield

    def _length(self, item: Counted) -> float:
        """Return the cost of a rule: but for constants, it depends on its variables alone."""
        rule, predicate = item.rule, self._spaces[item.space].predicate
        key: object = (predicate, rule) if rule.constants else (rule.head, *(x.arguments for x in rule.body))
        if key not in self._lengths:
            if len(self._lengths) > 100_000:
                self._lengths.clear()
            self._lengths[key] = self._goal.clause(predicate, rule)
        return self._lengths[key]

    def _add(self, candidate: Candidate) -> None:
        """Keep the best rules with the same predicates and as many literals."""
        number, rule = candidate.counted.space, candidate.rule
        own = self._found[number]
        most = _most_alike(rule)
        key = rule.predicates, len(rule.body), most
        alike = own.setdefault(key, [])
        if any(other.rule == rule for other in alike):
            return
        if len(alike) == most and not candidate.rank < alike[-1].rank:
            return
        alike.append(candidate)
        alike.sort(key=lambda other: other.rank)
        del alike[most:]
        self.changed.add(number)
        if len(own) > self._most:
            kept = sorted(own, key=lambda one: own[one][0].rank)[: self._most * 3 // 4]
            self._found[number] = {one: own[one] for one in kept}

    def _gains(self, numbers: Numbers, derived: Counts, true: Counts) -> Lengths:
        """Return what rules save for their spaces, their own cost left out."""
        atoms, facts = self._atoms[numbers] - derived, self._facts[numbers] - true
        rest = self._goal.rest(atoms, facts, self._options[numbers])
        return np.asarray(self._alone[numbers] - self._goal.layer(derived, true) - rest)

    def _worth(self, numbers: Numbers, derived: Counts, true: Counts, literals: int) -> Lengths:
        return np.asarray(self._gains(numbers, derived, true) - self._cheapest * literals)

    def _least_true(self) -> list[int]:
        """Return for each space the fewest facts with which a rule can pay, were it always right."""
        every = np.arange(len(self._facts))
        low, high = np.ones(len(every)), self._facts + 1
        while (open_ := low < high).any():
            middle = (low + high) // 2
            exact = np.minimum(middle, self._facts)
            short = (middle <= self._facts) & (self._gains(every, exact, exact) <= self._cheapest)
            low = np.where(open_ & short, middle + 1, low)
            high = np.where(open_ & ~short, middle, high)
        return [max(2, int(least)) for least in low]


def _most_alike(rule: Rule) -> int:
    """Return how many rules with the same predicates are kept for a head."""
    if rule.constants and len(rule.body) == 1 and not any(isinstance(a, str) for a in rule.head):
        return _NAMED
    if rule.head == (0, 1) and len(rule.body) == 2:
        first, second = ({a for a in item.arguments if not isinstance(a, str)} for item in rule.body)
        return _ALIKE if first & second else _PRODUCTS
    return _ALIKE


def varied(
    candidates: Iterable[Candidate], room: int | None = None, most: int = MOST_RULES
) -> list[Candidate]:
    """Return the best rules, few of each set of body predicates, as far as there is room for their atoms."""
    times: dict[object, int] = {}
    kept: list[Candidate] = []
    for candidate in candidates:
        rule, derived = candidate.rule, candidate.counted.derived
        most_alike = _most_alike(rule)
        about = rule.predicates, most_alike
        if times.get(about, 0) >= most_alike or (room is not None and derived > room):
            continue
        times[about] = times.get(about, 0) + 1
        kept.append(candidate)
        if room is not None:
            room -= derived
        if len(kept) >= most:
            break
    return kept
