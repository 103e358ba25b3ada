"""Pairs of views of two classes: what matrix products and bit vectors have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.listing import Listing, borders, chunks, spread
from logicoder.engine.arrays.products import incidence, key_numbers
from logicoder.engine.arrays.relation import (
    Column,
    distinct,
    distinct_keys,
    key_space,
    pack,
    packable,
    unpack,
)
from logicoder.engine.arrays.views import ViewClass

_CHUNK = 1 << 18
"""Greatest number of rows of a join that are made together, unless one pair has more."""

_LEAST_TABLE = 1 << 16
_SPARSEST = 8
"""A table of where keys begin may have so many entries, or so many for each row."""


class ViewPairs:
    """All pairs of a view of one class and a view of another.

    The two classes meet in the head variables that they have in common and in their shared existentials:
    the *key* of a row is its values for these.

    Args:
        database: the data.
        first: class of the first views; they bind at least one head variable.
        second: class of the second views, with the same shared existentials.
        types: types of the head variables.
    """

    def __init__(
        self,
        database: Database,
        first: ViewClass,
        second: ViewClass,
        types: tuple[int, ...],
    ) -> None:
        self.database = database
        self.first, self.second = first, second
        self.types = types
        self.common = tuple(v for v in first.variables if v in second.variables)
        variables = (*self.common, *range(len(types), len(types) + len(first.shared)))
        self.key_first, self.key_second, self.keys = key_numbers(
            database,
            (*(types[v] for v in self.common), *first.shared),
            [first.columns[v] for v in variables],
            [second.columns[v] for v in variables],
        )

    @cached_property
    def degrees(self) -> tuple[Any, Any]:
        """How many rows of each view have each key: a matrix views by keys, for both classes."""
        return (
            incidence(self.first.view, self.key_first, (len(self.first.views), self.keys)),
            incidence(self.second.view, self.key_second, (len(self.second.views), self.keys)),
        )

    def forget(self) -> None:
        """Give back the memory of what was worked out, and can be worked out again."""
        for name in [n for n in self.__dict__ if isinstance(getattr(type(self), n, None), cached_property)]:
            del self.__dict__[name]

    # -- listing --------------------------------------------------------------------------------------

    @cached_property
    def _partners(self) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        """The second class by (view, key): its rows in that order, their keys, and where each key begins.

        The last is None where there are far more possible keys than rows.
        """
        combined = self.second.view.astype(np.int64) * self.keys + self.key_second
        order = np.argsort(combined, kind="stable")
        space = len(self.second.views) * self.keys
        starts = None
        if space <= max(_LEAST_TABLE, _SPARSEST * len(combined)):
            starts = np.zeros(space + 1, np.int64)
            np.cumsum(np.bincount(combined, minlength=space), out=starts[1:])
        return order, combined[order], starts

    def _runs(self, second: np.ndarray, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return where the partners of some keys among the rows of second views begin, and how many."""
        _, ordered, starts = self._partners
        wanted = second.astype(np.int64) * self.keys + keys
        if starts is not None:
            begin = starts[wanted]
            return begin, starts[wanted + 1] - begin
        begin = np.searchsorted(ordered, wanted, "left")
        return begin, np.searchsorted(ordered, wanted, "right") - begin

    def extensions(self, first: np.ndarray, second: np.ndarray) -> Iterator[Listing]:
        """Yield the distinct head tuples of some pairs, in order, some pairs at a time."""
        for low, high in chunks(self.first.row_counts[first], _CHUNK):
            yield from self._extensions(first[low:high], second[low:high])

    def _extensions(self, first: np.ndarray, second: np.ndarray) -> Iterator[Listing]:
        left, owner = spread(self.first.starts[first], self.first.row_counts[first])
        begin, counts = self._runs(second[owner], self.key_first[left])
        per_pair = np.bincount(owner, counts, len(first)).astype(np.int64)
        if len(first) > 1 and per_pair.sum() > _CHUNK:
            for low, high in chunks(per_pair, _CHUNK):
                yield from self._extensions(first[low:high], second[low:high])
            return
        sizes = [len(first), *(self.database.sizes[kind] for kind in self.types)]
        if self.first.shared and packable(sizes):
            yield self._distinct_keys(owner, left, begin, counts, sizes)
            return
        places, lines = spread(begin, counts)
        partners = self._partners[0][places]
        left = left[lines]
        columns = [
            self.first.columns[v][left] if v in self.first.columns else self.second.columns[v][partners]
            for v in range(len(self.types))
        ]
        if self.first.shared:
            numbers, *columns = distinct([owner[lines].astype(np.int32), *columns], sizes)
            per_pair = np.bincount(numbers, minlength=len(first))
        # Without existentials, every pair of rows derives an atom of its own.
        yield Listing(borders(per_pair), tuple(columns))

    def _distinct_keys(
        self,
        owner: np.ndarray,
        left: np.ndarray,
        begin: np.ndarray,
        counts: np.ndarray,
        sizes: Sequence[int],
    ) -> Listing:
        """Return the distinct tuples of a join, whose rows are made as keys only.

        Args:
            owner: pair of each row of the left side.
            left: that row of the first class.
            begin: where its partners begin in the second class by (view, key).
            counts: how many partners there are.
            sizes: number of pairs, and of values of each head variable.
        """
        places, _ = spread(begin, counts)
        of_left = pack([owner, *(self._column(self.first, v)[left] for v in range(len(self.types)))], sizes)
        keys = np.repeat(of_left, counts) + self._partner_keys[places]
        numbers, *columns = unpack(distinct_keys(keys, key_space(sizes)), sizes)
        return Listing(borders(np.bincount(numbers, minlength=sizes[0])), tuple(columns))

    @cached_property
    def _partner_keys(self) -> np.ndarray:
        """The part of the keys of head tuples that rows of the second class contribute, by (view, key)."""
        own = [v for v in range(len(self.types)) if v not in self.first.columns]
        columns = [
            self._column(self.second, v) if v in own else np.zeros(len(self.second.view), np.int32)
            for v in range(len(self.types))
        ]
        keys = pack(columns, [self.database.sizes[kind] for kind in self.types])
        return np.asarray(keys[self._partners[0]])

    @staticmethod
    def _column(views: ViewClass, variable: int) -> Column:
        """Return the column of a variable; zeros where it is not bound."""
        found = views.columns.get(variable)
        return np.zeros(len(views.view), np.int32) if found is None else found

    def differences(self, first: np.ndarray, second: np.ndarray) -> Listing:
        """Return the head tuples of first views for which the second ones do not hold.

        The first views bind all head variables, and the second have no others.
        """
        left, owner = spread(self.first.starts[first], self.first.row_counts[first])
        keep = self._runs(second[owner], self.key_first[left])[1] == 0
        left, owner = left[keep], owner[keep]
        columns = tuple(self.first.columns[v][left] for v in range(len(self.types)))
        return Listing(borders(np.bincount(owner, minlength=len(first))), columns)
