"""Exact counts for pairs of views that share existential variables, with 64 head tuples per machine word.

For a body `v1(A,C,E), v2(C,E,B)` with head variables A, B, C and shared existentials E, the head tuples
of one A,C are the union, over E, of sets of B. With B numbered within each interpretation, such a set
is a short bit vector, the union a bitwise or, its size a population count.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np

from logicoder.engine.pairs import ViewPairs
from logicoder.engine.products import cross_counts, key_numbers
from logicoder.engine.relation import joint_keys

_BATCH_WORDS = 1 << 20
_TABLE_WORDS = 1 << 26


class ChainPairs(ViewPairs):
    """Pairs of views of two classes that share existentials."""

    @property
    def only_first(self) -> tuple[int, ...]:
        """Head variables that only the first view binds."""
        return tuple(v for v in self.first.variables if v not in self.common)

    @property
    def only_second(self) -> tuple[int, ...]:
        """Head variables that only the second view binds."""
        return tuple(v for v in self.second.variables if v not in self.common)

    # -- bits -----------------------------------------------------------------------------------------

    @cached_property
    def _bit_of(self) -> tuple[np.ndarray, list[np.ndarray], int]:
        """Bit positions of the second side's own head variables, numbered within each world."""
        if not self.only_second:
            return (
                np.zeros(len(self.second.view), np.int64),
                [np.zeros(len(f[0]), np.int64) for f in self.facts],
                1,
            )
        kinds = [self.types[v] for v in self.only_second]
        stacked = [
            np.concatenate([self.second.columns[v], *(fact[v] for fact in self.facts)])
            for v in self.only_second
        ]
        numbers, _, count = key_numbers(self.database, kinds, stacked, [column[:0] for column in stacked])
        world = np.zeros(count, np.int64)
        world[numbers] = self.database.world_of[kinds[0]][stacked[0]]
        order = np.argsort(world, kind="stable")
        local = np.empty(count, np.int64)
        per_world = np.bincount(world, minlength=self.database.worlds)
        local[order] = np.arange(count) - np.repeat(np.cumsum(per_world) - per_world, per_world)
        bits = local[numbers]
        cuts = np.cumsum([len(self.second.view), *(len(f[0]) for f in self.facts)])
        return (
            bits[: cuts[0]],
            [bits[a:b] for a, b in pairwise(cuts)],
            int(per_world.max()),
        )

    @property
    def words(self) -> int:
        """Number of 64-bit words of one set of B."""
        return (self._bit_of[2] + 63) // 64

    @property
    def table_words(self) -> int:
        """Number of words of the bit table of one second view."""
        return self.keys * self.words

    @property
    def dense_enough(self) -> bool:
        """Whether bit tables of single views are small enough to be used at all."""
        return self.table_words <= _TABLE_WORDS // 8

    def _table(self, views: np.ndarray) -> np.ndarray:
        """Return the bit tables of some second views: views by keys by words."""
        bits = self._bit_of[0]
        table = np.zeros((len(views), self.keys, self.words), np.uint64)
        for position, view in enumerate(views.tolist()):
            rows = self.second.rows(view)
            here = bits[rows]
            np.bitwise_or.at(
                table[position],
                (self.key_second[rows], here >> 6),
                np.uint64(1) << (here & 63).astype(np.uint64),
            )
        return table

    @cached_property
    def _fact_tables(self) -> tuple[np.ndarray, list[np.ndarray]]:
        """Numbers of the (A,C) of the first side's rows, and for each table its bits by that number."""
        variables = (*self.only_first, *self.common)
        kinds = [self.types[v] for v in variables]
        stacked = [
            np.concatenate([self.first.columns[v], *(fact[v] for fact in self.facts)]) for v in variables
        ]
        numbers, _, count = key_numbers(self.database, kinds, stacked, [column[:0] for column in stacked])
        cuts = np.cumsum([len(self.first.view), *(len(f[0]) for f in self.facts)])
        per_fact = [numbers[a:b] for a, b in pairwise(cuts)]
        return numbers[: cuts[0]], self._scatter(per_fact, count)

    def _scatter(self, groups: Sequence[np.ndarray], count: int) -> list[np.ndarray]:
        tables = []
        for group, bits in zip(groups, self._bit_of[1], strict=True):
            table = np.zeros((count, self.words), np.uint64)
            np.bitwise_or.at(table, (group, bits >> 6), np.uint64(1) << (bits & 63).astype(np.uint64))
            tables.append(table)
        return tables

    # -- bounds ---------------------------------------------------------------------------------------

    def bounds(self, block: slice) -> tuple[np.ndarray, np.ndarray]:
        """Return a lower and an upper bound on the derived atoms of the pairs of a block of first views.

        The upper bound is the size of the join. An atom is derived at most once for each tuple of a view
        that agrees with it on the head variables, which gives the lower bound.
        """
        left, right = self.degrees
        most_first, most_second = self.largest_groups
        meetings = cross_counts(left[block], right)
        least = -(-meetings // np.minimum.outer(most_first[block], most_second))
        return np.asarray(least), meetings

    # -- counts ---------------------------------------------------------------------------------------

    def counts(self, pairs_first: np.ndarray, pairs_second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the exact number of head tuples of each pair, and of true ones for each target.

        Args:
            pairs_first: first view of each pair, ascending.
            pairs_second: second view of each pair.

        Returns:
            sizes of shape (pairs,) and true positives of shape (targets, pairs).
        """
        sizes = np.zeros(len(pairs_first), np.int64)
        true = np.zeros((len(self.facts), len(pairs_first)), np.int64)
        if not len(pairs_first):
            return sizes, true
        if not self.dense_enough:
            for index, (a, b) in enumerate(zip(pairs_first.tolist(), pairs_second.tolist(), strict=True)):
                columns = self.extension(a, b)
                sizes[index] = len(columns[0])
                for target, fact in enumerate(self.facts):
                    kinds = [self.database.sizes[kind] for kind in self.types]
                    left, right = joint_keys(columns, fact, kinds)
                    true[target, index] = np.count_nonzero(np.isin(left, right))
            return sizes, true
        groups, fact_tables = self._fact_tables
        needed = np.unique(pairs_second)
        span = max(1, _TABLE_WORDS // self.table_words)
        for low in range(0, len(needed), span):
            chunk = needed[low : low + span]
            table = self._table(chunk)
            inside = np.flatnonzero((pairs_second >= chunk[0]) & (pairs_second <= chunk[-1]))
            position = np.searchsorted(chunk, pairs_second[inside])
            borders = np.flatnonzero(np.diff(pairs_first[inside])) + 1
            for part in np.split(np.arange(len(inside)), borders):
                self._count_one(
                    int(pairs_first[inside[part[0]]]),
                    table,
                    position[part],
                    inside[part],
                    groups,
                    fact_tables,
                    sizes,
                    true,
                )
        return sizes, true

    def _count_one(
        self,
        view: int,
        table: np.ndarray,
        partners: np.ndarray,
        places: np.ndarray,
        groups: np.ndarray,
        fact_tables: Sequence[np.ndarray],
        sizes: np.ndarray,
        true: np.ndarray,
    ) -> None:
        rows = self.first.rows(view)
        group = groups[rows]
        order = np.argsort(group, kind="stable")
        group = group[order]
        keys = self.key_first[rows][order]
        starts = np.flatnonzero(np.r_[True, group[1:] != group[:-1]])
        wanted = [facts[group[starts]] for facts in fact_tables]
        step = max(1, _BATCH_WORDS // (len(keys) * self.words))
        for low in range(0, len(partners), step):
            part = partners[low : low + step]
            union = np.bitwise_or.reduceat(table[part[:, None], keys[None, :]], starts, axis=1)
            where = places[low : low + step]
            sizes[where] = np.bitwise_count(union).sum(axis=(1, 2), dtype=np.int64)
            for target, mask in enumerate(wanted):
                true[target, where] = np.bitwise_count(union & mask).sum(axis=(1, 2), dtype=np.int64)
