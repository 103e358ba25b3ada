"""Sparse tables of counts: rows of constants, each with a number, joined by multiplying and summed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from logicoder.base.errors import UsageError
from logicoder.engine.join import sorted_matches
from logicoder.engine.relation import joint_keys, pack, packable, unpack

Columns = tuple[np.ndarray, ...]

_EXACT = 2**62
"""Counts that may reach this are kept as Python's integers."""
_EXACT_FLOAT = 2**53
_SPARSE = 8
_SMALL = 1 << 10
"""Sums are made in an array of all possible rows if it is small, or not much larger than the given ones."""
_ARRAYS = 8
"""Arrays of the length of a block that a join needs."""


@dataclass(frozen=True, eq=False)
class Table:
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

    def summed(self, kept: Sequence[int]) -> Table:
        """Return the sums over all variables but some."""
        places = [i for i, v in enumerate(self.variables) if v in kept]
        if len(places) == len(self.variables):
            return self
        variables = tuple(self.variables[i] for i in places)
        sizes = tuple(self.sizes[i] for i in places)
        columns, counts = added([self.columns[i] for i in places], self.counts, sizes)
        return Table(variables, columns, counts, sizes)


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


def joined(left: Table, right: Table, kept: Sequence[int], budget: int) -> Table:
    """Return the products of two tables, summed over all variables but some.

    Raises:
        UsageError: if the result has more rows than `budget`. A fraction of it is made at a time.
    """
    if len(left.counts) < len(right.counts):
        left, right = right, left
    shared = [v for v in left.variables if v in right.variables]
    variables = tuple(dict.fromkeys(v for v in (*left.variables, *right.variables) if v in kept))
    sides = [
        (left.variables.index(v), None) if v in left.variables else (None, right.variables.index(v))
        for v in variables
    ]
    sizes = tuple(left.sizes[a] if a is not None else right.sizes[b or 0] for a, b in sides)
    first, second = left.counts, right.counts
    if left.total() * right.total() >= _EXACT:
        first, second = first.astype(object), second.astype(object)
    if shared:
        a = [left.variables.index(v) for v in shared]
        b = [right.variables.index(v) for v in shared]
        keys, others = joint_keys(
            [left.columns[i] for i in a], [right.columns[i] for i in b], [left.sizes[i] for i in a]
        )
    else:
        keys, others = np.zeros(len(first), np.int64), np.zeros(len(second), np.int64)
    order = np.argsort(others, kind="stable")
    ordered = others[order]
    partial: tuple[Columns, np.ndarray] | None = None
    for block in _blocks(keys, ordered, budget // _ARRAYS + 1):
        rows, places = sorted_matches(keys[block], ordered, None)
        rows, places = rows + block.start, order[places]
        columns = [
            left.columns[a][rows] if a is not None else right.columns[b or 0][places] for a, b in sides
        ]
        counts = first[rows] * second[places]
        if partial is not None:
            columns = [np.concatenate(pair) for pair in zip(partial[0], columns, strict=True)]
            counts = np.concatenate([partial[1], counts])
        distinct = not set(left.variables).difference(kept) and not set(right.variables).difference(kept)
        partial = (tuple(columns), counts) if distinct else added(columns, counts, sizes)
        if len(partial[1]) > budget:
            raise UsageError(
                f"a clause has more than {budget} different counts over pairs of constants or more: "
                f"use a larger budget, or leave it out"
            )
    assert partial is not None  # noqa: S101  (there is at least one block)
    return Table(variables, partial[0], partial[1], sizes)


def _blocks(keys: np.ndarray, ordered: np.ndarray, budget: int) -> list[slice]:
    """Return slices of the keys with at most `budget` matches each, or of a single key."""
    counts = np.searchsorted(ordered, keys, "right") - np.searchsorted(ordered, keys, "left")
    ends = np.cumsum(counts)
    if not len(ends) or ends[-1] <= budget:
        return [slice(0, len(keys))]
    found, start = [], 0
    while start < len(keys):
        done = int(ends[start - 1]) if start else 0
        stop = max(int(np.searchsorted(ends, done + budget, "right")), start + 1)
        found.append(slice(start, stop))
        start = stop
    return found
