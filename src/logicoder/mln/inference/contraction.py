"""Sums of products of tables over some of their variables, kept as products where nothing connects them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import prod

import numpy as np

from logicoder.engine.arrays.relation import joint_keys
from logicoder.mln.counting.joins import joined
from logicoder.mln.counting.tables import Table

JOIN_BUDGET = 1 << 22
"""How many pairs of rows a join looks at at once."""


def contract(
    tables: Sequence[Table], kept: Collection[int], sizes: Mapping[int, int]
) -> tuple[list[Table], int]:
    """Sum the product of some tables over all variables that are not kept.

    Args:
        tables: the factors.
        kept: variables of the result.
        sizes: the number of constants of every variable of the clause; variables of no table count too.

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
        left = [*rest, joined(left[pair[0]], left[pair[1]], needed, JOIN_BUDGET)]
    for table in left:
        if not table.variables:
            scale *= table.total()
    return [table for table in left if table.variables], scale


def _cheapest(tables: Sequence[Table]) -> tuple[int, int] | None:
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


def lookup(table: Table, columns: Mapping[int, np.ndarray], rows: int) -> np.ndarray:
    """Return the number that a table has for each binding, zero where it has none.

    Args:
        table: over some of the variables.
        columns: the values of each variable.
        rows: how many bindings there are.
    """
    if not table.variables:
        return np.full(rows, table.total(), table.counts.dtype)
    found = np.zeros(rows, table.counts.dtype)
    if not len(table.counts):
        return found
    asked, known = joint_keys([columns[v] for v in table.variables], table.columns, table.sizes)
    order = np.argsort(known)
    known = known[order]
    places = np.minimum(np.searchsorted(known, asked), len(known) - 1)
    hit = known[places] == asked
    found[hit] = table.counts[order[places[hit]]]
    return found
