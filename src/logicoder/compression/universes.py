"""The sets that subsets are named in, in an order that sender and receiver know."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from logicoder.engine.arrays.relation import Keys
from logicoder.engine.arrays.rules.ranks import AtomRanks, Ranks, among, without
from logicoder.engine.arrays.rules.spaces import key_columns


class Universe(Protocol):
    """A set whose elements have numbers from 0 on."""

    def ranks(self, keys: Keys) -> Ranks:
        """Return the numbers of elements."""

    def keys(self, ranks: Ranks) -> Keys:
        """Return the elements of numbers."""


class Listed:
    """A set that is listed.

    Args:
        keys: its elements, sorted.
    """

    def __init__(self, keys: Keys) -> None:
        self._keys = keys

    def ranks(self, keys: Keys) -> Ranks:
        """By their place in the list."""
        return np.searchsorted(self._keys, keys)

    def keys(self, ranks: Ranks) -> Keys:
        """By their place in the list."""
        return np.asarray(self._keys[ranks.astype(np.int64)])


class Remaining:
    """The atoms of a space without some.

    Args:
        atoms: numbers all atoms.
        sizes: number of entities of each place.
        removed: the atoms that are left out, as keys.
        rows: whether atoms are rows of entities, which are too many for keys.
    """

    def __init__(
        self, atoms: AtomRanks, sizes: tuple[int, ...], removed: Keys, *, rows: bool = False
    ) -> None:
        self._atoms, self._sizes, self._rows = atoms, sizes, rows
        self._removed = np.sort(self._plain(removed)) if len(removed) else None

    def _plain(self, keys: Keys) -> Ranks:
        return self._atoms.ranks(list(keys.T) if self._rows else key_columns(keys, self._sizes))

    def ranks(self, keys: Keys) -> Ranks:
        """Among all atoms, less those before them that are left out."""
        found = self._plain(keys)
        return found if self._removed is None else without(self._removed, found)

    def keys(self, ranks: Ranks) -> Keys:
        """The opposite."""
        columns = self._atoms.columns(ranks if self._removed is None else among(self._removed, ranks))
        if self._rows:
            return np.column_stack(columns)
        found = columns[0].astype(np.int64)
        for column, size in zip(columns[1:], self._sizes[1:], strict=True):
            found = found * size + column
        return np.asarray(found)
