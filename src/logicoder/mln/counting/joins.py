"""Joins of tables of counts: rows that agree are multiplied, and variables that nobody needs summed over."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from logicoder.base.errors import UsageError
from logicoder.engine.arrays.join import sorted_matches
from logicoder.engine.arrays.relation import joint_keys
from logicoder.mln.counting.tables import Columns, Table, added

_EXACT = 2**62
"""Counts that may reach this are kept as Python's integers."""
_ARRAYS = 8
"""Arrays of the length of a block that a join needs."""
_MANY = 1 << 16
"""Pairs of rows from which on a product of sparse matrices is worth its preparation."""


def joined(left: Table, right: Table, kept: Sequence[int], budget: int) -> Table:
    """Return the products of two tables, summed over all variables but some.

    Raises:
        UsageError: if the result has more rows than `budget`. A fraction of it is made at a time.
    """
    if len(left.counts) < len(right.counts):
        left, right = right, left
    shared = [v for v in left.variables if v in right.variables]
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
    matches = np.searchsorted(ordered, keys, "right") - np.searchsorted(ordered, keys, "left")
    pairs = int(matches.sum())
    chained = len(left.variables) == len(right.variables) == 2 and len(shared) == 1 and shared[0] not in kept
    if chained and first.dtype != object and _MANY <= pairs <= budget:
        return _matrix_product(left, right, shared[0])
    variables = tuple(dict.fromkeys(v for v in (*left.variables, *right.variables) if v in kept))
    sides = [
        (left.variables.index(v), None) if v in left.variables else (None, right.variables.index(v))
        for v in variables
    ]
    sizes = tuple(left.sizes[a] if a is not None else right.sizes[b or 0] for a, b in sides)
    summed = any(v not in kept for v in (*left.variables, *right.variables))
    partial: tuple[Columns, np.ndarray] | None = None
    for block in _blocks(matches, budget // _ARRAYS + 1):
        rows, places = sorted_matches(keys[block], ordered, None)
        rows, places = rows + block.start, order[places]
        columns = [
            left.columns[a][rows] if a is not None else right.columns[b or 0][places] for a, b in sides
        ]
        counts = first[rows] * second[places]
        if partial is not None:
            columns = [np.concatenate(pair) for pair in zip(partial[0], columns, strict=True)]
            counts = np.concatenate([partial[1], counts])
        partial = added(columns, counts, sizes) if summed else (tuple(columns), counts)
        if len(partial[1]) > budget:
            raise UsageError(
                f"a clause has more than {budget} different counts over pairs of constants or more: "
                f"use a larger budget, or leave it out"
            )
    assert partial is not None  # noqa: S101  (there is at least one block)
    return Table(variables, partial[0], partial[1], sizes)


def _matrix_product(left: Table, right: Table, through: int) -> Table:
    """Return the sums over the one common variable of two tables of two variables each."""
    from scipy.sparse import csr_array  # noqa: PLC0415  (slow to import)

    i, j = left.variables.index(through), right.variables.index(through)
    sizes = left.sizes[1 - i], right.sizes[1 - j]
    first = csr_array((left.counts, (left.columns[1 - i], left.columns[i])), (sizes[0], left.sizes[i]))
    second = csr_array((right.counts, (right.columns[j], right.columns[1 - j])), (right.sizes[j], sizes[1]))
    product = first @ second
    product.sort_indices()
    found = product.tocoo()
    variables = left.variables[1 - i], right.variables[1 - j]
    return Table(variables, (found.row.astype(np.int32), found.col.astype(np.int32)), found.data, sizes)


def _blocks(matches: np.ndarray, most: int) -> list[slice]:
    """Return slices of rows with at most so many matches each, or of a single row."""
    ends = np.cumsum(matches)
    if not len(ends) or ends[-1] <= most:
        return [slice(0, len(ends))]
    found, start = [], 0
    while start < len(ends):
        done = int(ends[start - 1]) if start else 0
        stop = max(int(np.searchsorted(ends, done + most, "right")), start + 1)
        found.append(slice(start, stop))
        start = stop
    return found
