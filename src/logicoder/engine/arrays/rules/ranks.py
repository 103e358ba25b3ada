"""The atoms of a space in order: which number each has among all that are possible, and back."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.rules.spaces import Mask

Ranks = np.ndarray
"""Numbers from 0 on; Python's own where there are more atoms than machine words can count."""

_MACHINE = 2**62


class _Place:
    """The values of one place, world by world."""

    def __init__(self, database: Database, kind: int, mask: Mask | None) -> None:
        size = database.sizes[kind]
        self.allowed = np.arange(size) if mask is None else np.flatnonzero(mask)
        self.world_of = database.world_of[kind]
        self.counts = np.bincount(self.world_of[self.allowed], minlength=database.worlds)
        self.starts = np.cumsum(self.counts) - self.counts
        self.number = np.full(size, -1, np.int64)
        self.number[self.allowed] = np.arange(len(self.allowed)) - self.starts[self.world_of[self.allowed]]

    def values(self, worlds: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        return np.asarray(self.allowed[self.starts[worlds] + numbers.astype(np.int64)])


class AtomRanks:
    """Numbers the atoms of a space: by world, then by the values of each place.

    Args:
        database: the entities.
        types: type of each place.
        masks: values of each place, None for all entities of its type.
        apart: whether atoms p(x,x) are left out.
        symmetric: whether of p(x,y) and p(y,x) only the one with the smaller entity first is numbered.
    """

    def __init__(
        self,
        database: Database,
        types: Sequence[int],
        masks: Sequence[Mask | None],
        *,
        apart: bool = False,
        symmetric: bool = False,
    ) -> None:
        self._places = [_Place(database, kind, mask) for kind, mask in zip(types, masks, strict=True)]
        counts = [place.counts.astype(object) for place in self._places]
        whole = counts[0]
        for other in counts[1:]:
            whole = whole * other
        if symmetric:
            whole = counts[0] * (counts[0] - 1) // 2
        self._symmetric = symmetric
        total = int(sum(whole))
        self._kind = np.dtype(np.int64) if total < _MACHINE else np.dtype(object)
        self._starts = (np.cumsum(whole) - whole).astype(self._kind)
        self._counts = [own.astype(self._kind) for own in counts]
        self._diagonal = self._of_diagonal() if apart and not symmetric else None
        self.total = total - (0 if self._diagonal is None else len(self._diagonal))

    def _of_diagonal(self) -> Ranks:
        first, second = self._places
        both = np.intersect1d(first.allowed, second.allowed)
        return self._plain([both, both])

    def ranks(self, columns: Sequence[np.ndarray]) -> Ranks:
        """Return the numbers of atoms of the space."""
        found = self._pairs(*columns) if self._symmetric else self._plain(columns)
        return found if self._diagonal is None else without(self._diagonal, found)

    def columns(self, ranks: Ranks) -> list[np.ndarray]:
        """Return the atoms of numbers, place by place."""
        ranks = ranks.astype(self._kind)
        if self._diagonal is not None:
            ranks = among(self._diagonal, ranks)
        worlds = np.searchsorted(self._starts, ranks, side="right") - 1
        rest = ranks - self._starts[worlds]
        if self._symmetric:
            return self._ends(worlds, rest)
        found = []
        for place, counts in zip(reversed(self._places), reversed(self._counts), strict=True):
            sizes = counts[worlds]
            found.append(place.values(worlds, rest % sizes))
            rest = rest // sizes
        return found[::-1]

    def _plain(self, columns: Sequence[np.ndarray]) -> Ranks:
        worlds = self._places[0].world_of[columns[0]]
        found = np.zeros(len(worlds), self._kind)
        for place, counts, column in zip(self._places, self._counts, columns, strict=True):
            found = found * counts[worlds] + place.number[column].astype(self._kind)
        return np.asarray(found + self._starts[worlds])

    def _pairs(self, low: np.ndarray, high: np.ndarray) -> Ranks:
        place = self._places[0]
        worlds = place.world_of[low]
        first, second = (place.number[column].astype(self._kind) for column in (low, high))
        before = _before(first, self._counts[0][worlds])
        return np.asarray(self._starts[worlds] + before + second - first - 1)

    def _ends(self, worlds: np.ndarray, rest: Ranks) -> list[np.ndarray]:
        """Return both members of pairs, given the numbers of the pairs in their worlds."""
        sizes = self._counts[0][worlds]
        # The first member solves a quadratic equation; what rounding does to it is mended.
        wide = 2 * sizes.astype(float) - 1
        first = np.floor((wide - np.sqrt(np.maximum(0, wide**2 - 8 * rest.astype(float)))) / 2)
        first = first.astype(np.int64).astype(self._kind)
        while (late := _before(first, sizes) > rest).any():
            first = first - late
        while (early := _before(first + 1, sizes) <= rest).any():
            first = first + early
        second = rest - _before(first, sizes) + first + 1
        return [self._places[0].values(worlds, end) for end in (first, second)]


def _before(first: Ranks, size: Ranks) -> Ranks:
    """Return how many pairs of members of classes have a smaller first member."""
    return np.asarray(first * size - first * (first + 1) // 2)


def without(removed: Ranks, ranks: Ranks) -> Ranks:
    """Return the numbers of elements among those that are left when some are taken out.

    >>> without(np.array([2, 5]), np.array([0, 3, 6])).tolist()
    [0, 2, 4]
    """
    return np.asarray(ranks - np.searchsorted(removed, ranks))


def among(removed: Ranks, numbers: Ranks) -> Ranks:
    """Return which elements have some numbers when others are taken out; the opposite of `without`.

    >>> among(np.array([2, 5]), np.array([0, 2, 4])).tolist()
    [0, 3, 6]
    """
    shifted = removed - np.arange(len(removed))
    return np.asarray(numbers + np.searchsorted(shifted, numbers, side="right"))
