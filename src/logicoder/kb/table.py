"""A columnar table of ground atoms of one predicate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int32]


@dataclass(frozen=True)
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
        rows = np.column_stack([worlds, arguments])
        _, first = np.unique(rows, axis=0, return_index=True)
        if len(first) == len(rows):
            return cls(worlds, arguments)
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

    def as_set(self) -> set[tuple[int, ...]]:
        """Return the rows as a set of tuples, the interpretation first."""
        return set(map(tuple, np.column_stack([self.worlds, self.arguments]).tolist()))
