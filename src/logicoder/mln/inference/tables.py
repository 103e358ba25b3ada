"""Relations with a number per row, and sums of their products: what grounding is made of."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from logicoder.base.errors import UsageError
from logicoder.logic.terms import Variable

MOST_ROWS = 50_000_000
"""A join of more rows than this is refused."""

_ROOM = 2**62


@dataclass(frozen=True, eq=False)
class Table:
    """Distinct bindings of some variables, with a number (how many groundings) for each.

    Attributes:
        variables: the variables, distinct.
        rows: constants, shape (n, variables).
        counts: shape (n,); positive.
    """

    variables: tuple[Variable, ...]
    rows: np.ndarray
    counts: np.ndarray

    def __len__(self) -> int:
        return len(self.counts)

    def columns(self, variables: Collection[Variable]) -> np.ndarray:
        """Return the columns of some of the variables, in the order given."""
        return self.rows[:, [self.variables.index(v) for v in variables]]


def keys_of(*blocks: np.ndarray) -> list[np.ndarray]:
    """Return one number per row of each block, equal exactly for equal rows, in any of the blocks.

    >>> ours, theirs = keys_of(np.array([[1, 2], [3, 4]]), np.array([[3, 4]]))
    >>> ours[1] == theirs[0], ours[0] == theirs[0]
    (np.True_, np.False_)
    """
    ends = np.cumsum([len(block) for block in blocks])[:-1]
    keys = [np.zeros(len(block), np.int64) for block in blocks]
    bound = 1
    for column in range(blocks[0].shape[1]):
        parts = [block[:, column].astype(np.int64, copy=False) for block in blocks]
        width = 1 + max((int(part.max()) for part in parts if len(part)), default=0)
        if bound * width >= _ROOM:
            # Renumbering makes room: there are no more distinct keys than rows.
            distinct, numbers = np.unique(np.concatenate(keys), return_inverse=True)
            keys, bound = np.split(numbers.astype(np.int64), ends), len(distinct)
        keys = [key * width + part for key, part in zip(keys, parts, strict=True)]
        bound *= width
    return keys


def project(table: Table, keep: Collection[Variable]) -> Table:
    """Return the table over fewer variables, the numbers added up."""
    kept = tuple(v for v in table.variables if v in keep)
    if len(kept) == len(table.variables):
        return table
    rows = table.columns(kept)
    if not kept:
        total = table.counts.sum(keepdims=True) if len(table) else table.counts
        return Table((), np.empty((len(total), 0), np.int64), total)
    [keys] = keys_of(rows)
    _, first, numbers = np.unique(keys, return_index=True, return_inverse=True)
    counts = np.zeros(len(first), table.counts.dtype)
    np.add.at(counts, numbers, table.counts)
    return Table(kept, rows[first], counts)


def join(left: Table, right: Table, keep: Collection[Variable]) -> Table:
    """Return the product of two tables over the variables to keep, the numbers added up."""
    shared = [v for v in left.variables if v in right.variables]
    ours, theirs = keys_of(left.columns(shared), right.columns(shared))
    order = np.argsort(theirs, kind="stable")
    starts = np.searchsorted(theirs, ours, sorter=order)
    found = np.searchsorted(theirs, ours, "right", sorter=order) - starts
    total = int(found.sum())
    if total > MOST_ROWS:
        raise UsageError(f"a join of {total:,} rows is needed, more than {MOST_ROWS:,}")
    of_left = np.repeat(np.arange(len(left)), found)
    within = np.arange(total) - np.repeat(np.cumsum(found) - found, found)
    of_right = order[np.repeat(starts, found) + within]
    new = [v for v in right.variables if v not in shared]
    variables = (*left.variables, *new)
    rows = np.concatenate([left.rows[of_left], right.columns(new)[of_right]], axis=1)
    return project(Table(variables, rows, left.counts[of_left] * right.counts[of_right]), keep)


def contract(
    tables: Sequence[Table], keep: Collection[Variable], sizes: Mapping[Variable, int]
) -> tuple[list[Table], int]:
    """Sum the product of some tables over all variables that are not kept.

    Args:
        tables: the factors.
        keep: variables of the result.
        sizes: the number of constants of every variable of the clause; variables of no table count too.

    Returns:
        Tables without common variables and a number, the product of which is the result.
    """
    left = list(tables)
    covered = {v for table in left for v in table.variables}
    scale = 1
    for variable, size in sizes.items():
        if variable not in covered and variable not in keep:
            scale *= size
    while True:
        wanted = [
            {*keep, *(v for j, other in enumerate(left) if j != i for v in other.variables)}
            for i in range(len(left))
        ]
        left = [project(table, wanted[i]) for i, table in enumerate(left)]
        pair = _cheapest(left)
        if pair is None:
            break
        i, j = pair
        others = [table for k, table in enumerate(left) if k not in pair]
        needed = {*keep, *(v for table in others for v in table.variables)}
        left = [*others, join(left[i], left[j], needed)]
    for table in left:
        if not table.variables:
            scale *= int(table.counts[0]) if len(table) else 0
    return [table for table in left if table.variables], scale


def _cheapest(tables: Sequence[Table]) -> tuple[int, int] | None:
    """Return two tables with common variables whose join is expected to be the smallest."""
    best: tuple[float, tuple[int, int]] | None = None
    for i, left in enumerate(tables):
        for j in range(i + 1, len(tables)):
            right = tables[j]
            shared = [v for v in left.variables if v in right.variables]
            if not shared:
                continue
            [keys] = keys_of(right.columns(shared))
            rows = len(left) * len(right) / max(1, len(np.unique(keys)))
            if best is None or rows < best[0]:
                best = rows, (i, j)
    return best[1] if best else None


def lookup(table: Table, variables: Sequence[Variable], rows: np.ndarray) -> np.ndarray:
    """Return the number that a table has for each binding, zero where it has none.

    Args:
        table: over some of the variables.
        variables: those of the bindings.
        rows: the bindings, shape (n, variables).
    """
    columns = [list(variables).index(v) for v in table.variables]
    asked, known = keys_of(rows[:, columns], table.rows)
    found = np.zeros(len(rows), table.counts.dtype)
    if not len(known):
        return found
    order = np.argsort(known)
    known = known[order]
    places = np.minimum(np.searchsorted(known, asked), len(known) - 1)
    hit = known[places] == asked
    found[hit] = table.counts[order[places[hit]]]
    return found
