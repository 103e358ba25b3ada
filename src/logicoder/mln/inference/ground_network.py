"""Ground networks: weighted clauses over open atoms, each clause once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from logicoder.base.errors import UsageError
from logicoder.engine.arrays.relation import joint_keys

MOST_CLAUSES = 30_000_000
"""More ground clauses than this, after equal ones are merged, are refused."""

_MERGE_AT = 4_000_000


@dataclass(frozen=True, eq=False)
class Clauses:
    """Disjunctions of literals over atoms that are numbers.

    A literal is twice its atom, plus one where the atom is negated. The literals of a clause are sorted.

    Attributes:
        starts: where each clause starts among the literals, and where the last one ends.
        literals: those of all clauses, one after the other.
        weights: infinite for hard clauses.
        formulas: for each clause the number of the formula that it comes from (of the first, where it comes
            from several), counted from zero.
    """

    starts: np.ndarray
    literals: np.ndarray
    weights: np.ndarray
    formulas: np.ndarray

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def atoms(self) -> np.ndarray:
        """The atom of each literal."""
        return np.asarray(self.literals >> 1)

    @property
    def lengths(self) -> np.ndarray:
        """The number of literals of each clause."""
        return np.diff(self.starts)

    @property
    def hard(self) -> np.ndarray:
        """Whether each clause is hard."""
        return np.asarray(np.isinf(self.weights))

    @property
    def owners(self) -> np.ndarray:
        """The clause of each literal."""
        return np.repeat(np.arange(len(self)), self.lengths)

    def select(self, chosen: np.ndarray) -> Clauses:
        """Return some of the clauses: a mask, or positions in any order."""
        if chosen.dtype == bool:
            if chosen.all():
                return self
            chosen = np.flatnonzero(chosen)
        lengths = self.lengths[chosen]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        places = np.arange(starts[-1]) + np.repeat(self.starts[chosen] - starts[:-1], lengths)
        return Clauses(starts, self.literals[places], self.weights[chosen], self.formulas[chosen])

    def renumbered(self, places: np.ndarray) -> Clauses:
        """Return the clauses with other numbers for the atoms; the order of atoms must stay the same."""
        literals = 2 * places[self.literals >> 1] + (self.literals & 1)
        return Clauses(self.starts, literals, self.weights, self.formulas)

    def satisfied(self, state: np.ndarray) -> np.ndarray:
        """Return which clauses hold where the atoms have these truth values."""
        true = state[self.literals >> 1] != (self.literals & 1).astype(bool)
        return any_of(true, self.starts)

    @classmethod
    def empty(cls) -> Clauses:
        """Return no clauses."""
        nothing = np.empty(0, np.int64)
        return cls(np.zeros(1, np.int64), nothing, np.empty(0), nothing)


def any_of(values: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Return for each part of an array whether some value in it is true; parts may be empty."""
    sums = np.concatenate([[0], np.cumsum(values, dtype=np.int64)])
    return np.asarray(sums[starts[1:]] > sums[starts[:-1]])


@dataclass(frozen=True, eq=False)
class GroundNetwork:
    """The distribution over the open atoms of one world.

    Attributes:
        bias: for each atom the weight of its being true, from clauses of one literal.
        clauses: those of two and more literals; of one only where they are hard.
    """

    bias: np.ndarray
    clauses: Clauses

    @property
    def atoms(self) -> int:
        """The number of atoms."""
        return len(self.bias)

    def log_weight(self, state: np.ndarray) -> float:
        """Return the logarithm of a state's unnormalised probability, up to what all states share."""
        hard = self.clauses.hard
        broken = ~self.clauses.satisfied(state)
        if (broken & hard).any():
            return -np.inf
        return float(self.bias[state].sum() - self.clauses.weights[broken].sum())


def side_by_side(parts: Sequence[GroundNetwork]) -> GroundNetwork:
    """Return networks as one, the atoms of each after those of the one before."""
    firsts = np.cumsum([0, *(part.atoms for part in parts)])
    lengths = np.concatenate([part.clauses.lengths for part in parts])
    pairs = list(zip(parts, firsts.tolist(), strict=False))
    clauses = Clauses(
        np.concatenate([[0], np.cumsum(lengths)]),
        np.concatenate([part.clauses.literals + 2 * first for part, first in pairs]),
        np.concatenate([part.clauses.weights for part in parts]),
        np.concatenate([part.clauses.formulas for part in parts]),
    )
    return GroundNetwork(np.concatenate([part.bias for part in parts]), clauses)


class ClauseStore:
    """Collects ground clauses, equal ones merged: their weights are added up, hard ones stay hard."""

    def __init__(self, atoms: int) -> None:
        self.bias = np.zeros(atoms)
        self._parts: dict[tuple[int, bool], list[tuple[np.ndarray, np.ndarray, np.ndarray]]] = {}
        self._pending = 0
        self._merged = 0

    def add_clauses(self, clauses: Clauses) -> None:
        """Add clauses of any lengths, soft and hard."""
        for length in np.unique(clauses.lengths).tolist():
            for hard in (False, True):
                part = clauses.select((clauses.lengths == length) & (clauses.hard == hard))
                if len(part):
                    self.add(part.literals.reshape(-1, length), part.weights, part.formulas)

    def add(self, literals: np.ndarray, weights: np.ndarray, formulas: np.ndarray | int = 0) -> None:
        """Add clauses of one length, all soft or all hard.

        Literals that occur twice count once; clauses with an atom and its negation are dropped.

        Args:
            literals: of shape (n, length).
            weights: of shape (n,).
            formulas: the numbers of the formulas that they come from, or of the one formula.
        """
        sources = np.broadcast_to(formulas, len(weights))
        length = literals.shape[1]
        if length > 1:
            literals = np.sort(literals, axis=1)
            before, after = literals[:, :-1], literals[:, 1:]
            keep = ~((after == before + 1) & (before % 2 == 0)).any(axis=1)
            twice = (after == before) & keep[:, None]
            some = twice.any(axis=1)
            if some.any():
                self._add_repeated(literals[some], twice[some], weights[some], sources[some])
                keep &= ~some
            if not keep.all():
                literals, weights, sources = literals[keep], weights[keep], sources[keep]
        if not len(literals):
            return
        hard = bool(np.isinf(weights[0]))
        if length == 1 and not hard:
            signed = np.where(literals[:, 0] & 1, -weights, weights)
            np.add.at(self.bias, literals[:, 0] >> 1, signed)
            return
        self._parts.setdefault((length, hard), []).append((literals, weights, sources))
        self._pending += len(weights)
        if self._pending > self._merged + _MERGE_AT:
            self._merge()

    def _add_repeated(
        self, literals: np.ndarray, twice: np.ndarray, weights: np.ndarray, formulas: np.ndarray
    ) -> None:
        distinct = literals.shape[1] - twice.sum(axis=1)
        last = np.iinfo(literals.dtype).max
        first = np.column_stack([np.zeros(len(literals), bool), twice])
        squeezed = np.sort(np.where(first, last, literals), axis=1)
        for length in np.unique(distinct).tolist():
            rows = distinct == length
            self.add(squeezed[rows, :length], weights[rows], formulas[rows])

    def _merge(self) -> None:
        for kind, parts in self._parts.items():
            literals, weights, formulas = (
                np.concatenate(column) if len(parts) > 1 else column[0] for column in zip(*parts, strict=True)
            )
            columns = list(literals.T)
            sizes = [2 * len(self.bias)] * len(columns)
            keys, _ = joint_keys(columns, [column[:0] for column in columns], sizes)
            order = np.argsort(keys, kind="stable")
            keys = keys[order]
            starts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
            if len(starts) < len(keys):
                first = order[starts]
                weights = weights[first] if kind[1] else np.add.reduceat(weights[order], starts)
                literals, formulas = literals[first], formulas[first]
            self._parts[kind] = [(literals, weights, formulas)]
        self._pending = self._merged = sum(len(parts[0][1]) for parts in self._parts.values())
        if self._merged > MOST_CLAUSES:
            raise UsageError(
                f"the ground network has more than {MOST_CLAUSES:,} clauses; "
                "close predicates, restrict domains or leave formulas out"
            )

    def network(self) -> GroundNetwork:
        """Return the ground network of all that was added."""
        self._merge()
        kinds = sorted(kind for kind in self._parts)
        if not kinds:
            return GroundNetwork(self.bias, Clauses.empty())
        blocks = [self._parts[kind][0] for kind in kinds]
        lengths = np.concatenate(
            [np.full(len(block[1]), kind[0]) for kind, block in zip(kinds, blocks, strict=True)]
        )
        clauses = Clauses(
            np.concatenate([[0], np.cumsum(lengths)]),
            np.concatenate([block[0].ravel() for block in blocks]).astype(np.int64, copy=False),
            np.concatenate([block[1] for block in blocks]),
            np.concatenate([block[2] for block in blocks]),
        )
        if (clauses.weights == 0).any():
            clauses = clauses.select(clauses.weights != 0)
        return GroundNetwork(self.bias, clauses)
