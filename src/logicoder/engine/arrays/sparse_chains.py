"""Pairs of views that share existential variables, where there are many values and few of them meet.

Bit vectors over all values (see `chains`) take time for values that a pair never derives. Here the facts are
looked at first: which pairs of views lead from one argument of a fact to the other? Only for those is the
join made, for many pairs at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from logicoder.base.sorted_keys import inside
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.join import matching_rows, sorted_matches
from logicoder.engine.arrays.listing import spread
from logicoder.engine.arrays.pairs import ViewPairs
from logicoder.engine.arrays.products import cross_counts
from logicoder.engine.arrays.relation import Column, distinct_keys, joint_keys
from logicoder.engine.arrays.views import ViewClass

_STEPS = 1_000_000
"""Most rows of either class that are followed from facts; of more facts, evenly spaced ones stand for all."""

_TUPLES = 2_000_000
"""Most tuples of joins that are made together."""


class SparseChains(ViewPairs):
    """Pairs of views of two classes that share existentials; few pairs derive anything that is true.

    Args:
        database: the data.
        first: class of the first views.
        second: class of the second views.
        types: types of the head variables.
        facts: tables of head tuples, of which those that are derived are counted.
        together: the most tuples that are looked at together.
    """

    def __init__(
        self,
        database: Database,
        first: ViewClass,
        second: ViewClass,
        types: tuple[int, ...],
        facts: Sequence[tuple[Column, ...]],
        *,
        together: int,
    ) -> None:
        super().__init__(database, first, second, types)
        self.facts = facts
        self._together = together

    def meetings(self) -> np.ndarray:
        """Return the sizes of the joins of all pairs, views by views."""
        left, right = self.degrees
        return cross_counts(left, right)

    def least(self, meetings: np.ndarray) -> np.ndarray:
        """Return how many atoms pairs derive at least, given the sizes of joins; see `ChainPairs.bounds`."""
        return np.asarray(
            -(-meetings // np.minimum.outer(self.first.largest_groups, self.second.largest_groups))
        )

    def likely(self, facts: Sequence[Column]) -> tuple[np.ndarray, bool]:
        """Return how many of some facts each pair derives, views by views, and whether that is exact."""
        shape = (len(self.first.views), len(self.second.views))
        count = len(facts[0])
        rows = [self._meeting(views, facts) for views in (self.first, self.second)]
        steps = max(1, -(-max(int(r[1].sum()) for r in rows) // min(_STEPS, self._together)))
        chosen = np.arange(0, count, steps)
        left, right = (spread(begin[chosen], counts[chosen]) for begin, counts in rows)
        first_rows, second_rows = self._order(self.first)[left[0]], self._order(self.second)[right[0]]
        one, two = matching_rows(
            left[1] * self.keys + self.key_first[first_rows],
            right[1] * self.keys + self.key_second[second_rows],
            None,
        )
        pairs = self.first.view[first_rows[one]].astype(np.int64) * shape[1]
        pairs += self.second.view[second_rows[two]]
        pairs += left[1][one] * (shape[0] * shape[1])
        found = distinct_keys(pairs, count * shape[0] * shape[1]) % (shape[0] * shape[1])
        counts = np.bincount(found, minlength=shape[0] * shape[1]).reshape(shape)
        return counts * steps, steps == 1

    @cached_property
    def _orders(self) -> dict[int, tuple[np.ndarray, np.ndarray]]:
        found = {}
        for views in (self.first, self.second):
            keys = self._keys(views.columns, views)
            order = np.argsort(keys, kind="stable")
            found[id(views)] = (order, keys[order])
        return found

    def _order(self, views: ViewClass) -> np.ndarray:
        return self._orders[id(views)][0]

    def _keys(self, columns: Sequence[Column] | dict[int, Column], views: ViewClass) -> np.ndarray:
        """Return keys of the head variables that a class binds; without any, all rows are equal."""
        chosen = [columns[v] for v in views.variables]
        if not chosen:
            return np.zeros(len(views.view) if columns is views.columns else len(columns[0]), np.int64)
        sizes = [self.database.sizes[self.types[v]] for v in views.variables]
        return joint_keys(chosen, [c[:0] for c in chosen], sizes)[0]

    def _meeting(self, views: ViewClass, facts: Sequence[Column]) -> tuple[np.ndarray, np.ndarray]:
        """Return where the rows that agree with each fact start, in the order of keys, and how many."""
        keys, ordered = self._keys(facts, views), self._orders[id(views)][1]
        low = np.searchsorted(ordered, keys, "left")
        return low, np.searchsorted(ordered, keys, "right") - low

    def counts(self, pairs_first: np.ndarray, pairs_second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the exact number of head tuples of each pair, and of true ones for each table.

        Args:
            pairs_first: first view of each pair, ascending.
            pairs_second: second view of each pair.
        """
        sizes = np.zeros(len(pairs_first), np.int64)
        known = np.zeros((len(self.facts), len(pairs_first)), np.int64)
        borders = np.flatnonzero(np.diff(pairs_first)) + 1
        for part in np.split(np.arange(len(pairs_first)), borders):
            if len(part):
                self._count_one(int(pairs_first[part[0]]), pairs_second[part], part, sizes, known)
        return sizes, known

    def _count_one(
        self, view: int, partners: np.ndarray, places: np.ndarray, sizes: np.ndarray, known: np.ndarray
    ) -> None:
        """Count one first view with all its partners, joined together as far as there is room."""
        rows = self.first.rows(view)
        keys = self.key_first[rows]
        order, ordered, _ = self._partners
        step = max(1, min(_TUPLES, self._together) // max(1, len(keys)))
        for low in range(0, len(partners), step):
            part = partners[low : low + step]
            queries = (part.astype(np.int64)[:, None] * self.keys + np.sort(keys)[None, :]).ravel()
            query, found = sorted_matches(queries, ordered, None)
            pair, row = np.divmod(query, len(keys))
            left = np.argsort(keys, kind="stable")[row] + rows.start
            right = order[found]
            columns = [
                self.first.columns[v][left] if v in self.first.columns else self.second.columns[v][right]
                for v in range(len(self.types))
            ]
            self._tally(pair, columns, places[low : low + step], sizes, known)

    def _tally(
        self,
        pair: np.ndarray,
        columns: Sequence[Column],
        places: np.ndarray,
        sizes: np.ndarray,
        known: np.ndarray,
    ) -> None:
        domains = [self.database.sizes[kind] for kind in self.types]
        tuples = [pair, *columns]
        heads, _ = joint_keys(tuples, [c[:0] for c in tuples], [len(places), *domains])
        order = np.argsort(heads, kind="stable")
        fresh = np.ones(len(order), np.bool_)
        np.not_equal(heads[order[1:]], heads[order[:-1]], out=fresh[1:])
        chosen = order[fresh]
        pair, columns = pair[chosen], [column[chosen] for column in columns]
        sizes[places] = np.bincount(pair, minlength=len(places))
        for index, table in enumerate(self.facts):
            if len(table[0]):
                derived, facts = joint_keys(columns, table, domains)
                known[index, places] = np.bincount(pair[inside(derived, facts)], minlength=len(places))
