"""Lists of rules as a linear problem: atoms in classes, one rate for each rule, and one for what is left.

A set of k among N elements takes at least min k·a + (N−k)·b bits over the pairs (a, b) of rates θ, where
a = log2 1/θ and b = log2 1/(1−θ). With few rates that is a little too much, and what a solver finds is a list
to be measured; with chords between neighbouring rates it is never too much, and what it proves is a bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log2

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.float64]

RATES = (0.03, 0.1, 0.3, 0.6, 0.85, 0.97, 0.998)
"""Shares of facts among what a rule derives."""

_SCALE = 1000
"""Whole numbers are thousandths of a bit."""


@dataclass(frozen=True)
class Line:
    """Bits of a set as a linear function.

    Attributes:
        true: bits of each element that is chosen.
        false: bits of each other one.
    """

    true: float
    false: float

    def bits(self, atoms: Counts, true: Counts) -> Counts:
        """Return the bits of some sets."""
        return self.true * true + self.false * (atoms - true)


def entropy(share: float) -> float:
    """Return the bits of one element where a share of them is chosen.

    >>> entropy(0.5), entropy(1.0)
    (1.0, 0.0)
    """
    return sum(p * log2(1 / p) for p in (share, 1 - share) if p > 0)


def tangents(rates: Sequence[float]) -> list[Line]:
    """Return lines that are never below the shortest length: fixed rates, all but 0 and 1.

    >>> tangents([0.25])[0].true
    2.0
    """
    return [Line(-log2(rate), -log2(1 - rate)) for rate in rates if 0 < rate < 1]


def chords(rates: Sequence[float]) -> list[Line]:
    """Return lines of which the smallest is never above the entropy, and so never above an exact length.

    >>> [(line.true, line.false) for line in chords([0.5])]
    [(2.0, 0.0), (0.0, 2.0)]
    """
    points = sorted({0.0, 1.0, *rates})
    found = []
    for low, high in pairwise(points):
        slope = (entropy(high) - entropy(low)) / (high - low)
        at_zero = entropy(low) - slope * low if low else 0.0
        found.append(Line(at_zero + slope, at_zero))
    return found


def rest_rates(atoms: float, facts: float) -> list[float]:
    """Return shares of facts among what no rule derives: none up to those of all atoms, step by step."""
    share = facts / atoms if atoms else 0.0
    return [share / 4**step for step in range(5) if 0 < share < 1]


@dataclass(frozen=True)
class ListProblem:
    """Which rules to use, each at which rate.

    Attributes:
        lengths: bits of each rule.
        covers: for each class, its rules.
        atoms: number of atoms of each class.
        true: number of facts among them.
        outside: number of atoms that no rule derives, and of facts among them.
        layers: lines of rules.
        rest: lines of what is left.
        ordered: whether a class belongs to the rule of the highest rate; otherwise to any of its rules.
    """

    lengths: Counts
    covers: Sequence[Sequence[int]]
    atoms: Counts
    true: Counts
    outside: tuple[float, float]
    layers: Sequence[Line]
    rest: Sequence[Line]
    ordered: bool

    @property
    def size(self) -> int:
        """About how many variables and conditions it has."""
        covered = sum(map(len, self.covers))
        return covered * len(self.layers) + len(self.covers) * (len(self.layers) + len(self.rest))


@dataclass(frozen=True)
class ListSolution:
    """What a solver came to.

    Attributes:
        levels: the layer of each rule that is used, as a number of its line.
        bound: no choice takes fewer bits, by the lines.
    """

    levels: dict[int, int]
    bound: float


def solved(problem: ListProblem, effort: float, start: Sequence[int] = ()) -> ListSolution:
    """Solve a problem within a deterministic effort.

    Args:
        problem: the problem.
        effort: limit in deterministic seconds of CP-SAT.
        start: rules that are used to begin with.
    """
    from ortools.sat.python import cp_model  # noqa: PLC0415  (takes half a second to import)

    model = cp_model.CpModel()
    levels = range(len(problem.layers))
    used = [[model.new_bool_var("") for _ in levels] for _ in problem.lengths]
    for rule, own in enumerate(used):
        model.add_at_most_one(own)
        for level in levels:
            model.add_hint(own[level], int(rule in start and level == max(0, len(levels) - 2)))
    rest = [model.new_bool_var("") for _ in problem.rest]
    model.add_exactly_one(rest)
    terms, weights = [], []

    def cost(variable: object, bits: float) -> None:
        terms.append(variable)
        weights.append(int(np.floor(_SCALE * bits)))

    for own, length in zip(used, problem.lengths.tolist(), strict=True):
        for variable in own:
            cost(variable, length)
    for variable, line in zip(rest, problem.rest, strict=True):
        cost(variable, float(line.bits(*map(np.asarray, problem.outside))))
    for rules, atoms, true in zip(problem.covers, problem.atoms, problem.true, strict=True):
        at = [model.new_bool_var("") for _ in problem.layers]
        left = [model.new_bool_var("") for _ in problem.rest]
        model.add_exactly_one([*at, *left])
        for variable, picked, line in zip(left, rest, problem.rest, strict=True):
            model.add_implication(variable, picked)
            cost(variable, float(line.bits(atoms, true)))
        for level, (variable, line) in enumerate(zip(at, problem.layers, strict=True)):
            cost(variable, float(line.bits(atoms, true)))
            model.add_bool_or([used[rule][level] for rule in rules]).only_enforce_if(variable)
            for rule in rules:
                # Whatever is derived is in a layer: in one at least as good, where they come in order.
                others = at[level:] if problem.ordered else at
                model.add_bool_or(others).only_enforce_if(used[rule][level])
    model.minimize(cp_model.LinearExpr.weighted_sum(terms, weights))
    solver = cp_model.CpSolver()
    parameters = solver.parameters
    parameters.max_deterministic_time = effort
    parameters.num_workers = 1
    parameters.random_seed = 0
    parameters.catch_sigint_signal = False
    status = solver.solve(model)
    # Every weight was rounded down by less than one, and so the bound holds as it is.
    bound = solver.best_objective_bound / _SCALE
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return ListSolution({}, bound)
    chosen = {
        rule: level for rule, own in enumerate(used) for level in levels if solver.boolean_value(own[level])
    }
    return ListSolution(chosen, bound)
