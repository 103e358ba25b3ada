"""Lists of rules for one predicate: what one takes exactly, the best found, and what none can undercut."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from logicoder.compression import list_model
from logicoder.compression.goals import Goal
from logicoder.compression.list_model import Line, ListProblem
from logicoder.engine.arrays.rules.rule_classes import Classes

_MOST_RULES = 32
"""Rules among which a solver chooses."""

_LARGEST = 12_000
"""Size of problems that a solver is given for lists, and a quarter of it for bounds."""

_EFFORT = 0.1
"""Deterministic seconds of a solver for one predicate."""

_BOUND_EFFORT = 0.02
"""As many for a bound, of which there is one for each way to say a predicate."""

_WORTH = 2.0
"""What a solver must possibly save to be asked."""

_PURE = 0.9
"""Rules that are right so often are tried before all others."""

Rules = NDArray[np.intp]


@dataclass(frozen=True)
class Listed:
    """A list of rules.

    Attributes:
        rules: their numbers.
        derived: for each, the atoms that it derives and no rule before it does.
        true: facts among them.
        saved: bits that each saves beyond its own.
    """

    rules: tuple[int, ...] = ()
    derived: tuple[int, ...] = ()
    true: tuple[int, ...] = ()
    saved: tuple[float, ...] = ()

    @property
    def total(self) -> float:
        """All bits saved."""
        return sum(self.saved)


class Head(Protocol):
    """The predicate that rules are for."""

    @property
    def atoms(self) -> int:
        """Number of its possible atoms."""

    @property
    def facts(self) -> int:
        """Number of facts among them."""

    @property
    def options(self) -> int:
        """How many facts there could be of each value of a place that has one; see `code.rest_bits`."""


class RuleLists:
    """Finds lists among candidate rules.

    Args:
        goal: what lists cost.
        head: the predicate.
        lengths: costs of the rules.
        classes: their coverage classes.
        stopped: whether to choose no further rules.
        solver: whether a solver may be asked.
    """

    def __init__(
        self,
        goal: Goal,
        head: Head,
        lengths: NDArray[np.float64],
        classes: Classes,
        stopped: Callable[[], bool] = lambda: False,
        *,
        solver: bool = True,
    ) -> None:
        self._goal, self._atoms, self._facts = goal, float(head.atoms), float(head.facts)
        self._lengths, self._classes, self._stopped, self._solver = lengths, classes, stopped, solver
        self._options = head.options

    def greedy(self, usable: Rules) -> Listed:
        """Choose each time the rule that saves most of what is left."""
        return self._grown(usable, [np.ones(len(usable), np.bool_)])

    def _purest_first(self, usable: Rules) -> Listed:
        """Choose among the rules that are nearly always right before all others.

        One that is right at times may save more than any of these, and less than all of them together.
        """
        derived, true = (counts[usable] for counts in self._classes.totals)
        pure = true >= _PURE * derived
        return self._grown(usable, [pure, ~pure])

    def _grown(self, usable: Rules, stages: Sequence[NDArray[np.bool_]]) -> Listed:
        """Choose rules of each stage as long as they save something."""
        derived, true = (counts[usable] for counts in self._classes.totals)
        state = _State(self)
        for stage in stages:
            while stage.any() and not self._stopped():
                gains = state.gains(derived, true) - self._lengths[usable]
                gains[(derived == 0) | ~stage] = -1
                best = int(np.argmax(gains))
                if gains[best] <= 0:
                    break
                gone, gone_true = self._classes.sums(state.add(int(usable[best])))
                derived -= gone[usable]
                true -= gone_true[usable]
        return state.listed()

    def measured(self, rules: Sequence[int]) -> Listed:
        """Return what a list takes."""
        state = _State(self)
        for rule in rules:
            state.add(rule)
        return state.listed()

    def improved(self, usable: Rules, start: Listed) -> Listed:
        """Return the best list that a solver finds among the rules that save most, or the one to begin with.

        The solver knows few rates, and each rule has one of them; what it proposes is measured exactly.
        """
        if len(usable) < 2 or self._stopped():
            return start
        start = max(start, self._purest_first(usable), key=lambda listed: listed.total)
        if not self._solver:
            return start
        if self._alone - self._dual(usable) < start.total + _WORTH:
            return start
        chosen = self._promising(usable, start)
        left = self._atoms - sum(start.derived), self._facts - sum(start.true)
        lines = self._goal.layer_lines(below=False), self._goal.rest_lines(*left, self._options, below=False)
        problem = self._problem(chosen, *lines, ordered=True)
        if problem is None or not problem.rest:
            return start
        places = {rule: place for place, rule in enumerate(chosen.tolist())}
        solution = list_model.solved(problem, _EFFORT, [places[rule] for rule in start.rules])
        by_level = sorted(solution.levels, key=lambda place: (-solution.levels[place], place))
        lists = [
            start,
            self._without_idle(chosen[by_level].tolist()),
            self.greedy(np.sort(chosen[by_level])),
            self._without_idle(start.rules),
        ]
        return max(lists, key=lambda listed: listed.total)

    def _promising(self, usable: Rules, start: Listed) -> Rules:
        """Return the rules of a list and others that save most by themselves."""
        derived, true = (counts[usable] for counts in self._classes.totals)
        gains = _State(self).gains(derived, true) - self._lengths[usable]
        gains[np.isin(usable, start.rules)] = np.inf
        best = np.argsort(-gains, kind="stable")[: max(_MOST_RULES, len(start.rules))]
        return np.sort(usable[best])

    def _without_idle(self, rules: Sequence[int]) -> Listed:
        """Return a list without the rules that it is shorter without."""
        best = self.measured(rules)
        for rule in reversed(rules):
            shorter = self.measured([other for other in best.rules if other != rule])
            if shorter.total > best.total:
                best = shorter
        return best

    # -- bounds -------------------------------------------------------------------------------------------

    def most_saved(self, usable: Rules, *, solver: bool = True) -> float:
        """Return bits that no list of some rules can save more of.

        Args:
            usable: the rules.
            solver: whether a solver may make the bound tighter.
        """
        if not len(usable):
            return 0.0
        least = self._dual(usable)
        if not (solver and self._solver):
            return max(0.0, self._alone - least)
        problem = self._problem(usable, self._goal.layer_lines(below=True), self._below, ordered=False)
        if problem is not None and not self._stopped():
            least = max(least, list_model.solved(problem, _BOUND_EFFORT).bound)
        return max(0.0, self._alone - least)

    @property
    def _alone(self) -> float:
        return float(self._goal.rest(self._atoms, self._facts, self._options))

    @property
    def _below(self) -> list[Line]:
        return self._goal.rest_lines(self._atoms, self._facts, self._options, below=True)

    def _dual(self, usable: Rules) -> float:
        """Return a bound by prices of classes: no rule is worth more than its length.

        A class in a layer takes at least what it would in a layer of its own. What it takes beyond that where
        no rule derives it is its price, lowered until the prices of all classes of a rule sum to no more than
        the rule's length.
        """
        classes = self._classes
        atoms, true = classes.atoms, classes.true
        member = np.isin(classes.rules, usable)
        of_class = np.repeat(np.arange(len(atoms)), np.diff(classes.ends))[member]
        rules = classes.rules[member]
        within = self._goal.purest(atoms, true)
        outside = self._atoms - float(atoms.sum()), self._facts - float(true.sum())
        bounds = []
        for line in self._below:
            prices = line.bits(atoms, true) - within
            costly = np.maximum(0.0, prices)
            sums = np.bincount(rules, costly[of_class], classes.number)
            with np.errstate(divide="ignore", invalid="ignore"):
                factors = np.where(sums > self._lengths, self._lengths / sums, 1.0)
            lowest = np.ones(len(atoms))
            np.minimum.at(lowest, of_class, factors[rules])
            free = np.ones(len(atoms), np.bool_)
            free[of_class] = False
            paid = np.where(free, prices, np.where(prices > 0, prices * lowest, prices))
            bounds.append(float((within + paid).sum()) + float(line.bits(*map(np.asarray, outside))))
        return min(bounds, default=0.0)

    # -- problems -------------------------------------------------------------------------------------------

    def _problem(
        self, rules: Rules, layers: Sequence[Line], rest: Sequence[Line], *, ordered: bool
    ) -> ListProblem | None:
        """Return the problem of choosing among some rules; None where it is too large."""
        classes = self._classes
        place = np.full(classes.number, -1)
        place[rules] = np.arange(len(rules))
        member = place[classes.rules]
        of_class = np.repeat(np.arange(len(classes.atoms)), np.diff(classes.ends))[member >= 0]
        member = member[member >= 0]
        ends = np.concatenate([[0], np.cumsum(np.bincount(of_class, minlength=len(classes.atoms)))])
        covers: dict[tuple[int, ...], list[int]] = {}
        for number, (begin, end) in enumerate(pairwise(ends.tolist())):
            if end > begin:
                covers.setdefault(tuple(member[begin:end].tolist()), []).append(number)
            if len(covers) * len(layers) > _LARGEST:
                return None
        atoms, true = (
            np.array([counts[numbers].sum() for numbers in covers.values()])
            for counts in (classes.atoms, classes.true)
        )
        outside = self._atoms - float(atoms.sum()), self._facts - float(true.sum())
        problem = ListProblem(self._lengths[rules], list(covers), atoms, true, outside, layers, rest, ordered)
        return problem if problem.size <= (_LARGEST if ordered else _LARGEST // 4) else None


class _State:
    """What is left while a list grows."""

    def __init__(self, lists: RuleLists) -> None:
        self._lists = lists
        self._classes, self._goal = lists._classes, lists._goal
        self._uncovered = np.ones(len(self._classes.atoms), np.bool_)
        self._atoms, self._true = lists._atoms, lists._facts
        self._parts: list[tuple[int, int, int, float]] = []

    def gains(self, derived: NDArray[np.float64], true: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what layers save, the bits of their rules left out."""
        options = self._lists._options
        rest = self._goal.rest(self._atoms - derived, self._true - true, options)
        alone = self._goal.rest(self._atoms, self._true, options)
        return np.asarray(alone - self._goal.layer(derived, true) - rest)

    def add(self, rule: int) -> NDArray[np.int64]:
        """Add a rule to the list; return the classes that it derives first."""
        fresh = self._classes.of_rule(rule)
        fresh = fresh[self._uncovered[fresh]]
        derived, true = self._classes.atoms[fresh].sum(), self._classes.true[fresh].sum()
        saved = float(self.gains(derived, true)) - float(self._lists._lengths[rule])
        self._uncovered[fresh] = False
        self._atoms -= derived
        self._true -= true
        self._parts.append((rule, round(derived), round(true), saved))
        return fresh

    def listed(self) -> Listed:
        """Return the list so far."""
        return Listed(*map(tuple, zip(*self._parts, strict=True))) if self._parts else Listed()
