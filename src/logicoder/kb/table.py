"""A columnar table of ground atoms of one predicate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class FactTable:
    """Distinct ground atoms: the interpretation and the constants of each, as ids.

    Attributes:
        worlds: interpretation of each row, shape (n,).
        arguments: constants of each row, shape (n, arity).
    """

    worlds: Ids
    arguments: Ids

    @classmethod
    def empty(cls, arity: int) -> FactTable:
        """Return a table without rows."""
        return cls(np.empty(0, np.int32), np.empty((0, arity), np.int32))

    @classmethod
    def distinct(cls, worlds: Ids, arguments: Ids) -> FactTable:
        """Return the distinct rows in the order of their first occurrence."""
        keys = row_keys(worlds, arguments)
        ordered = np.sort(keys)  # without places, which take longer and are rarely needed
        if not (ordered[1:] == ordered[:-1]).any():
            return cls(worlds, arguments)
        del ordered
        first = np.unique(keys, return_index=True)[1]
        first.sort()
        return cls(worlds[first], arguments[first])

    def __len__(self) -> int:
        return len(self.worlds)

    @property
    def arity(self) -> int:
        """Number of arguments."""
        return int(self.arguments.shape[1])

    def select(self, rows: NDArray[np.bool_] | NDArray[np.intp]) -> FactTable:
        """Return some of the rows."""
        return FactTable(self.worlds[rows], self.arguments[rows])


def row_keys(worlds: Ids, arguments: Ids) -> NDArray[np.int64]:
    """Return one number per row, equal exactly for equal rows.

    >>> row_keys(np.array([0, 0, 1], np.int32), np.array([[5, 2], [5, 2], [5, 2]], np.int32)).tolist()
    [17, 17, 35]
    """
    keys = worlds.astype(np.int64)
    bound = int(keys.max(initial=0)) + 1
    for column in arguments.T:
        width = int(column.max(initial=0)) + 1
        if bound * width >= 2**63:
            # Renumbering the keys so far makes room: there are no more of them than rows.
            keys = np.unique(keys, return_inverse=True)[1].astype(np.int64)
            bound = len(keys) + 1
        keys = keys * width + column
        bound *= width
    return keys


def number_rows(tables: Sequence[FactTable]) -> tuple[FactTable, list[NDArray[np.intp]]]:
    """Return the distinct rows of some tables as one table, and for each table the numbers of its rows there.

    >>> ones = FactTable(np.zeros(2, np.int32), np.array([[3], [4]], np.int32))
    >>> others = FactTable(np.zeros(2, np.int32), np.array([[4], [5]], np.int32))
    >>> together, numbers = number_rows([ones, others])
    >>> together.arguments.ravel().tolist(), [found.tolist() for found in numbers]
    ([3, 4, 5], [[0, 1], [1, 2]])
    """
    worlds = np.concatenate([table.worlds for table in tables])
    arguments = np.concatenate([table.arguments for table in tables])
    _, first, numbers = np.unique(row_keys(worlds, arguments), return_index=True, return_inverse=True)
    ends = np.cumsum([len(table) for table in tables])
    return FactTable(worlds[first], arguments[first]), np.split(numbers, ends[:-1])
