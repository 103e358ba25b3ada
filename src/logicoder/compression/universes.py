"""The sets that subsets are named in, in an order that sender and receiver know."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from logicoder.engine.arrays.relation import Keys
from logicoder.engine.arrays.rules.ranks import AtomRanks, Ranks, among, without
from logicoder.engine.arrays.rules.spaces import key_columns, row_keys


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
    """

    def __init__(self, atoms: AtomRanks, sizes: tuple[int, ...], removed: Keys) -> None:
        self._atoms, self._sizes = atoms, sizes
        self._removed = np.sort(self._plain(removed)) if len(removed) else None

    def _plain(self, keys: Keys) -> Ranks:
        return self._atoms.ranks(key_columns(keys, self._sizes))

    def ranks(self, keys: Keys) -> Ranks:
        """Among all atoms, less those before them that are left out."""
        found = self._plain(keys)
        return found if self._removed is None else without(self._removed, found)

    def keys(self, ranks: Ranks) -> Keys:
        """The opposite."""
        columns = self._atoms.columns(ranks if self._removed is None else among(self._removed, ranks))
        return row_keys(columns, self._sizes)
