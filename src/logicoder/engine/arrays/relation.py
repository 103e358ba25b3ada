"""Relations over entities: distinct tuples as columns of ids, and the arithmetic of their keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

Column = NDArray[np.int32]
Keys = NDArray[np.int64]

_LARGEST_KEY = 2**62


@dataclass(frozen=True, eq=False)
class Relation:
    """Distinct tuples of entities.

    Attributes:
        types: index of the type of each column; a proposition has the single hidden column of worlds.
        columns: one array per column, all of the same length.
    """

    types: tuple[int, ...]
    columns: tuple[Column, ...]

    def __len__(self) -> int:
        return len(self.columns[0])

    @property
    def arity(self) -> int:
        """Number of columns."""
        return len(self.columns)

    def select(self, rows: NDArray[np.bool_] | NDArray[np.intp]) -> Relation:
        """Return some of the tuples."""
        return Relation(self.types, tuple(column[rows] for column in self.columns))


def packable(sizes: Sequence[int]) -> bool:
    """Whether tuples over domains of these sizes fit into one 64-bit key."""
    return prod(max(size, 1) for size in sizes) < _LARGEST_KEY


def pack(columns: Sequence[Column], sizes: Sequence[int]) -> Keys:
    """Return one key per row: the tuple read as a number in mixed radix (see `packable`)."""
    keys = columns[0].astype(np.int64)
    for column, size in zip(columns[1:], sizes[1:], strict=True):
        keys *= max(size, 1)
        keys += column
    return keys


def unpack(keys: Keys, sizes: Sequence[int]) -> tuple[Column, ...]:
    """Return the columns of packed keys."""
    columns: list[Column] = []
    for size in reversed(sizes[1:]):
        keys, column = np.divmod(keys, max(size, 1))
        columns.append(column.astype(np.int32))
    columns.append(keys.astype(np.int32))
    return tuple(reversed(columns))


def joint_keys(left: Sequence[Column], right: Sequence[Column], sizes: Sequence[int]) -> tuple[Keys, Keys]:
    """Return keys that are equal exactly where tuples of the two sides are equal, whatever the sizes."""
    if packable(sizes):
        return pack(left, sizes), pack(right, sizes)
    keys = np.zeros(len(left[0]) + len(right[0]), np.int64)
    for first, second in zip(left, right, strict=True):
        column = np.concatenate([first, second])
        # Ranks are below the number of rows, so the product with a 32-bit column cannot overflow.
        keys = np.unique(keys, return_inverse=True)[1].astype(np.int64) << 31
        keys += column
    return keys[: len(left[0])], keys[len(left[0]) :]


def distinct(columns: Sequence[Column], sizes: Sequence[int]) -> tuple[Column, ...]:
    """Return the distinct rows of some columns, sorted."""
    if not packable(sizes):
        rows = np.unique(np.column_stack(list(columns)), axis=0)
        return tuple(np.ascontiguousarray(rows[:, i]) for i in range(len(columns)))
    return unpack(distinct_keys(pack(columns, sizes), prod(max(size, 1) for size in sizes)), sizes)


def distinct_keys(keys: Keys, space: int) -> Keys:
    """Return the distinct keys, sorted; a bitmap over a small key space is far quicker than sorting."""
    if space <= max(16 * len(keys), 1 << 12):
        present = np.zeros(space, np.bool_)
        present[keys] = True
        return np.flatnonzero(present)
    # Sorting beats the hash table of newer `np.unique`.
    keys = np.sort(keys)
    fresh = np.ones(len(keys), np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=fresh[1:])
    return keys[fresh]


def numbered(keys: Keys, space: int) -> tuple[Keys, np.ndarray]:
    """Return the distinct keys, sorted, and for each key its number among them; keys are below `space`.

    >>> [part.tolist() for part in numbered(np.array([7, 2, 7]), 10)]
    [[2, 7], [1, 0, 1]]
    """
    if space > max(4 * len(keys), 1 << 16):
        found, numbers = np.unique(keys, return_inverse=True)
        return found, numbers
    # A table of all possible keys is far quicker than sorting.
    present = np.zeros(space, np.bool_)
    present[keys] = True
    return np.flatnonzero(present), (np.cumsum(present) - 1)[keys]


def key_space(sizes: Sequence[int]) -> int:
    """Return how many keys `joint_keys` has for tuples over domains of these sizes, at most."""
    return prod(max(size, 1) for size in sizes) if packable(sizes) else _LARGEST_KEY
