"""Joins of tables of counts: rows that agree are multiplied, and variables that nobody needs summed over."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import prod

import numpy as np

from logicoder.base.errors import UsageError
from logicoder.engine.arrays.join import sorted_matches
from logicoder.engine.arrays.relation import joint_keys
from logicoder.mln.counting.count_tables import Columns, CountTable, added

_EXACT = 2**62
"""Counts that may reach this are kept as Python's integers."""
_ARRAYS = 8
"""Arrays of the length of a block that a join needs."""
_MANY = 1 << 16
"""Pairs of rows from which on a product of sparse matrices is worth its preparation."""


def joined(left: CountTable, right: CountTable, kept: Sequence[int], budget: int) -> CountTable:
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
    return CountTable(variables, partial[0], partial[1], sizes)


def _matrix_product(left: CountTable, right: CountTable, through: int) -> CountTable:
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
    return CountTable(variables, (found.row.astype(np.int32), found.col.astype(np.int32)), found.data, sizes)


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


def contract(
    tables: Sequence[CountTable], kept: Collection[int], sizes: Mapping[int, int], budget: int
) -> tuple[list[CountTable], int]:
    """Sum the product of some tables over all variables that are not kept.

    Args:
        tables: the factors.
        kept: variables of the result.
        sizes: the number of constants of every variable of the clause; variables of no table count too.
        budget: the most rows of a join.

    Returns:
        Tables without common variables and a number, the product of which is the result.
    """
    left = list(tables)
    covered = {v for table in left for v in table.variables}
    scale = 1
    for variable, size in sizes.items():
        if variable not in covered and variable not in kept:
            scale *= size
    while True:
        for i, table in enumerate(left):
            others = (v for j, other in enumerate(left) if j != i for v in other.variables)
            left[i] = table.summed((*kept, *others))
        pair = _cheapest(left)
        if pair is None:
            break
        rest = [table for k, table in enumerate(left) if k not in pair]
        needed = (*kept, *(v for table in rest for v in table.variables))
        left = [*rest, joined(left[pair[0]], left[pair[1]], needed, budget)]
    for table in left:
        if not table.variables:
            scale *= table.total()
    return [table for table in left if table.variables], scale


def _cheapest(tables: Sequence[CountTable]) -> tuple[int, int] | None:
    """Return two tables with common variables whose join is expected to be the smallest."""
    best: tuple[float, tuple[int, int]] | None = None
    for i, left in enumerate(tables):
        for j in range(i + 1, len(tables)):
            right = tables[j]
            shared = [v for v in left.variables if v in right.variables]
            if shared:
                most = prod(right.sizes[right.variables.index(v)] for v in shared)
                rows = len(left.counts) * len(right.counts) / max(1, min(len(right.counts), most))
                if best is None or rows < best[0]:
                    best = rows, (i, j)
    return best[1] if best else None
