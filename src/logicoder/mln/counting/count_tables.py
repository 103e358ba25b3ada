"""Sparse tables of counts: rows of constants, each with a number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from logicoder.engine.arrays.relation import joint_keys, pack, packable, unpack

Columns = tuple[np.ndarray, ...]

_EXACT_FLOAT = 2**53
_SPARSE = 8
_SMALL = 1 << 10
"""Sums are made in an array of all possible rows if it is small, or not much larger than the given ones."""


@dataclass(frozen=True, eq=False)
class CountTable:
    """Counts for distinct rows of constants; rows that are not listed count zero.

    Attributes:
        variables: the number of the variable of each column.
        columns: the constants.
        counts: one per row.
        sizes: the size of the domain of each column.
    """

    variables: tuple[int, ...]
    columns: Columns
    counts: np.ndarray
    sizes: tuple[int, ...]

    def total(self) -> int:
        """Return the sum of all counts."""
        return int(self.counts.sum()) if len(self.counts) else 0

    def summed(self, kept: Sequence[int]) -> CountTable:
        """Return the sums over all variables but some."""
        places = [i for i, v in enumerate(self.variables) if v in kept]
        if len(places) == len(self.variables):
            return self
        variables = tuple(self.variables[i] for i in places)
        sizes = tuple(self.sizes[i] for i in places)
        columns, counts = added([self.columns[i] for i in places], self.counts, sizes)
        return CountTable(variables, columns, counts, sizes)

    def at(self, columns: Mapping[int, np.ndarray], rows: int) -> np.ndarray:
        """Return the count of each binding of the variables, zero where it is not listed.

        Args:
            columns: the values of each variable.
            rows: how many bindings there are.
        """
        if not self.variables:
            return np.full(rows, self.total(), self.counts.dtype)
        found = np.zeros(rows, self.counts.dtype)
        if not len(self.counts):
            return found
        asked, known = joint_keys([columns[v] for v in self.variables], self.columns, self.sizes)
        order = np.argsort(known)
        known = known[order]
        places = np.minimum(np.searchsorted(known, asked), len(known) - 1)
        hit = known[places] == asked
        found[hit] = self.counts[order[places[hit]]]
        return found


def added(
    columns: Sequence[np.ndarray], counts: np.ndarray, sizes: Sequence[int]
) -> tuple[Columns, np.ndarray]:
    """Return the distinct rows, sorted, with the sums of their counts."""
    if not columns:
        return (), np.array([counts.sum()] if len(counts) else [0], counts.dtype)
    if not len(counts):
        return tuple(columns), counts
    if not packable(sizes):
        rows, places = np.unique(np.column_stack(list(columns)), axis=0, return_inverse=True)
        return tuple(rows.T), _sums(places.reshape(-1), counts, len(rows))
    keys, space = pack(columns, sizes), prod(max(size, 1) for size in sizes)
    if space <= max(_SPARSE * len(keys), _SMALL):
        sums = _sums(keys, counts, space)
        found = np.flatnonzero(sums)
        return unpack(found, sizes), sums[found]
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    return unpack(ordered[starts], sizes), np.add.reduceat(counts[order], starts)


def _sums(places: np.ndarray, counts: np.ndarray, length: int) -> np.ndarray:
    if counts.dtype != object and int(counts.sum()) < _EXACT_FLOAT:
        return np.bincount(places, counts, length).astype(np.int64)
    sums = np.zeros(length, counts.dtype)
    np.add.at(sums, places, counts)
    return sums
