"""The objective of a growing network: the weighted pseudo-log-likelihood on distinct rows.

Ground atoms of one predicate that agree in truth and in the differences of all clauses are one weighted row.
A further clause splits the rows that it tells apart; nothing else is counted again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from logicoder.base.errors import UsageError
from logicoder.mln.counting import Counter
from logicoder.mln.formulas import Literals
from logicoder.mln.likelihood import PseudoLikelihood
from logicoder.mln.optimum import fit
from logicoder.mln.priors import Prior
from logicoder.mln.weight_parameters import WEIGHTS
from logicoder.mln.worlds import World

_TOLERANCE = 1e-8
_DENSE = 1 << 22
"""Codes up to this many are renumbered by a table instead of by sorting."""


@dataclass(frozen=True, eq=False)
class PredicateRows:
    """The ground atoms of a predicate in all worlds, in rows of those that no clause tells apart.

    Attributes:
        places: the row of each ground atom.
        shares: of each ground atom, one over the groundings of the predicate in its world.
        truth: of each row, whether its atoms are true.
        weights: of each row, the sum of the shares of its atoms.
        clauses: positions of the clauses that mention the predicate.
        differences: a line per row, a column per such clause.
    """

    places: np.ndarray
    shares: np.ndarray
    truth: np.ndarray
    weights: np.ndarray
    clauses: tuple[int, ...]
    differences: np.ndarray

    @classmethod
    def of(cls, worlds: Sequence[World], predicate: str) -> PredicateRows:
        """Return the two rows of a network without clauses."""
        truth, shares = [], []
        for world in worlds:
            number = world.groundings(predicate)
            found = np.zeros(number, np.int32)
            found[world.numbers(predicate)] = 1
            truth.append(found)
            shares.append(np.full(number, 1.0 / max(number, 1)))
        places, every = np.concatenate(truth), np.concatenate(shares)
        weights = np.bincount(places, every, 2)
        return cls(places, every, np.array([False, True]), weights, (), np.zeros((2, 0)))

    def split(self, clause: int, values: np.ndarray) -> PredicateRows:
        """Return the rows with one more clause, given its difference for each ground atom."""
        columns = (*self.clauses, clause)
        if not len(values):
            zeros = np.zeros(len(self.truth))
            return replace(self, clauses=columns, differences=np.column_stack([self.differences, zeros]))
        low, high = int(values.min()), int(values.max())
        kinds, span = values - low, high - low + 1
        if span * len(self.truth) > _DENSE:
            distinct, kinds = np.unique(values, return_inverse=True)
            kinds, span = kinds.reshape(-1), len(distinct)
        codes = self.places * np.int64(span) + kinds
        places, first = _renumbered(codes, span * len(self.truth))
        parents = self.places[first]
        return PredicateRows(
            places,
            self.shares,
            self.truth[parents],
            np.bincount(places, self.shares, len(first)),
            columns,
            np.column_stack([self.differences[parents], values[first].astype(float)]),
        )


def _renumbered(codes: np.ndarray, bound: int) -> tuple[np.ndarray, np.ndarray]:
    """Return codes as numbers without gaps, in the same order, and the first place of each number."""
    if bound > _DENSE:
        _, first, places = np.unique(codes, return_index=True, return_inverse=True)
        return places.reshape(-1).astype(np.int32), first
    last = np.full(bound, -1, np.int64)
    last[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
    used = np.flatnonzero(last >= 0)
    numbers = np.empty(bound, np.int32)
    numbers[used] = np.arange(len(used), dtype=np.int32)
    return numbers[codes], last[used]


class Data:
    """What clauses do to the ground atoms of some worlds; those of background predicates are given."""

    def __init__(self, counter: Counter) -> None:
        self.counter = counter
        self.worlds = counter.worlds
        self.schema = counter.schema
        self.predicates = tuple(name for name, p in self.schema.items() if not p.background)
        for world in self.worlds:
            for name in self.predicates:
                if world.groundings(name) > counter.budget:
                    raise UsageError(
                        f"{name} has {world.groundings(name):,} ground atoms in {world.name}; structure "
                        f"learning examines each of them, up to {counter.budget:,} at most: leave the "
                        f"predicate out, declare it as background, or learn from fewer constants"
                    )

    def differences(self, clause: Literals) -> dict[str, np.ndarray]:
        """Return the differences of the atoms of each predicate in a clause, world after world."""
        return {
            name: np.concatenate(
                [self.counter.differences(clause, name, world) for world in range(len(self.worlds))]
            )
            for name in self.predicates_of(clause)
        }

    def predicates_of(self, clause: Literals) -> list[str]:
        """Return the predicates of a clause whose atoms count: all but background ones."""
        return sorted({x.atom.predicate for x in clause}.intersection(self.predicates))

    def support(self, clause: Literals) -> float:
        """Return the share of groundings that satisfy a clause."""
        groundings = sum(self.counter.groundings(clause))
        return sum(self.counter.satisfied(clause)) / groundings if groundings else 0.0


@dataclass(frozen=True, eq=False)
class Fit:
    """Clauses with their best weights.

    Attributes:
        clauses: the clauses.
        rows: the rows of each predicate.
        weights: the weights that maximise the objective.
        value: the weighted pseudo-log-likelihood less the prior.
    """

    clauses: tuple[Literals, ...]
    rows: dict[str, PredicateRows]
    weights: np.ndarray
    value: float

    def score(self, penalty: float) -> float:
        """Return the value less a penalty for each literal."""
        return self.value - penalty * sum(map(len, self.clauses))


class GrowingObjective:
    """Fits weights of networks that grow and shrink clause by clause.

    Args:
        data: the worlds.
        sigma: standard deviation of the Gaussian prior of the weights, around zero.
    """

    def __init__(self, data: Data, sigma: float = WEIGHTS.sigma) -> None:
        self.data = data
        self.prior = Prior("gaussian", sigma)
        self._start = {name: PredicateRows.of(data.worlds, name) for name in data.predicates}

    def empty(self) -> Fit:
        """Return the network without clauses."""
        return self._fit((), self._start, np.zeros(0))

    def of(self, clauses: Sequence[Literals], weights: Sequence[float] = ()) -> Fit:
        """Return the network of some clauses, where known from weights near the best."""
        rows = self._start
        for place, clause in enumerate(clauses):
            rows = self.split(rows, place, clause)
        start = np.array(weights if len(weights) else np.zeros(len(clauses)), float)
        return self._fit(tuple(clauses), rows, start)

    def with_clause(self, fit: Fit, clause: Literals) -> Fit:
        """Return the network with one more clause."""
        rows = self.split(fit.rows, len(fit.clauses), clause)
        return self._fit((*fit.clauses, clause), rows, np.append(fit.weights, 0.0))

    def without(self, fit: Fit, place: int) -> Fit:
        """Return the network without one of its clauses; its rows are those of the larger one."""
        rows = {}
        for name, old in fit.rows.items():
            kept = [i for i, clause in enumerate(old.clauses) if clause != place]
            columns = tuple(old.clauses[i] - (old.clauses[i] > place) for i in kept)
            rows[name] = replace(old, clauses=columns, differences=old.differences[:, kept])
        clauses = fit.clauses[:place] + fit.clauses[place + 1 :]
        return self._fit(clauses, rows, np.delete(fit.weights, place))

    def split(self, rows: dict[str, PredicateRows], place: int, clause: Literals) -> dict[str, PredicateRows]:
        """Return the rows of all predicates with one more clause, at a place among the clauses."""
        found = dict(rows)
        for name, values in self.data.differences(clause).items():
            found[name] = rows[name].split(place, values)
        return found

    def _fit(self, clauses: tuple[Literals, ...], rows: dict[str, PredicateRows], start: np.ndarray) -> Fit:
        found = fit(likelihood_of(rows.values(), len(clauses)), self.prior, start, tolerance=_TOLERANCE)
        return Fit(clauses, rows, found.weights, found.value)


def likelihood_of(parts: Iterable[PredicateRows], width: int) -> PseudoLikelihood:
    """Return the pseudo-likelihood of the weights of all clauses, given the rows of all predicates."""
    signed, shares = [], []
    for part in parts:
        columns = np.zeros((len(part.truth), width))
        columns[:, list(part.clauses)] = np.where(part.truth, 1.0, -1.0)[:, None] * part.differences
        signed.append(columns)
        shares.append(part.weights)
    return PseudoLikelihood(np.concatenate(signed), np.concatenate(shares))
