"""Exact counts for pairs of views that share existential variables, many bits per machine word.

For a body `v1(A,C,E), v2(C,E,B)` with head variables A, B, C and shared existentials E, the head tuples
of one A,C are the union, over E, of sets of B. With B numbered within each interpretation, such a set
is a short bit vector, the union a bitwise or, its size a population count. Where the second view binds no
head variable of its own, it is a filter, and the bits of a word stand for many second views instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np

from logicoder.base.sorted_keys import distinct, inside
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.filters import count_filtered, filtering_cost
from logicoder.engine.arrays.listing import Runs, borders, spread
from logicoder.engine.arrays.pairs import ViewPairs
from logicoder.engine.arrays.products import cross_counts, key_numbers
from logicoder.engine.arrays.relation import Column, joint_keys
from logicoder.engine.arrays.views import ViewClass

_BATCH_WORDS = 1 << 20
_TABLE_WORDS = 1 << 26


class ChainPairs(ViewPairs):
    """Pairs of views of two classes that share existentials.

    Args:
        database: the data.
        first: class of the first views; they bind at least one head variable.
        second: class of the second views, with the same shared existentials.
        types: types of the head variables.
        facts: tables of atoms to be recognised, as columns over the head variables.
    """

    def __init__(
        self,
        database: Database,
        first: ViewClass,
        second: ViewClass,
        types: tuple[int, ...],
        facts: Sequence[Sequence[Column]],
    ) -> None:
        super().__init__(database, first, second, types)
        self.facts = facts
        self._present = [number for number, table in enumerate(facts) if len(table[0])]

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
        """Return the bit tables of some second views, ascending: views by keys by words."""
        rows, view = spread(self.second.starts[views], self.second.row_counts[views])
        bits = self._bit_of[0][rows]
        place = (view * self.keys + self.key_second[rows]) * self.words + (bits >> 6)
        table = np.zeros(len(views) * self.table_words, np.uint64)
        np.bitwise_or.at(table, place, np.uint64(1) << (bits & 63).astype(np.uint64))
        return table.reshape(len(views), self.keys, self.words)

    @cached_property
    def _groups(self) -> tuple[Runs, int, list[np.ndarray]]:
        """The first class by (view, A and C), the number of different A and C, and those of each table."""
        variables = (*self.only_first, *self.common)
        kinds = [self.types[v] for v in variables]
        stacked = [
            np.concatenate([self.first.columns[v], *(fact[v] for fact in self.facts)]) for v in variables
        ]
        numbers, _, count = key_numbers(self.database, kinds, stacked, [column[:0] for column in stacked])
        cuts = np.cumsum([len(self.first.view), *(len(f[0]) for f in self.facts)])
        runs = Runs.of(self.first.starts, self.first.view, numbers[: cuts[0]], count)
        return runs, count, [numbers[a:b] for a, b in pairwise(cuts)]

    @cached_property
    def _fact_tables(self) -> dict[int, np.ndarray]:
        """The bits of each table that is not empty, by the number of A and C."""
        _, count, of_facts = self._groups
        tables = {}
        for number in self._present:
            bits = self._bit_of[1][number]
            table = np.zeros((count, self.words), np.uint64)
            place = (of_facts[number], bits >> 6)
            np.bitwise_or.at(table, place, np.uint64(1) << (bits & 63).astype(np.uint64))
            tables[number] = table
        return tables

    # -- bounds ---------------------------------------------------------------------------------------

    def bounds(self, block: slice) -> tuple[np.ndarray, np.ndarray]:
        """Return a lower and an upper bound on the derived atoms of the pairs of a block of first views.

        The upper bound is the size of the join. An atom is derived at most once for each tuple of a view
        that agrees with it on the head variables, which gives the lower bound.
        """
        left, right = self.degrees
        meetings = cross_counts(left[block], right)
        most = np.minimum.outer(self.first.largest_groups[block], self.second.largest_groups)
        return np.asarray(-(-meetings // most)), meetings

    # -- counts ---------------------------------------------------------------------------------------

    def counts(self, pairs_first: np.ndarray, pairs_second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the exact number of head tuples of each pair, and of known ones for each table.

        Args:
            pairs_first: first view of each pair, ascending.
            pairs_second: second view of each pair.

        Returns:
            sizes of shape (pairs,) and known atoms of shape (tables, pairs).
        """
        sizes = np.zeros(len(pairs_first), np.int64)
        known = np.zeros((len(self.facts), len(pairs_first)), np.int64)
        if not len(pairs_first):
            return sizes, known
        if not self.only_second:
            one_by_one = int(self.first.row_counts[pairs_first].sum())
            if filtering_cost(self, self._groups[0], pairs_first, pairs_second) <= one_by_one:
                runs, count, of_facts = self._groups
                tables = {
                    number: np.bincount(of_facts[number], minlength=count) > 0 for number in self._present
                }
                return count_filtered(self, runs, tables, pairs_first, pairs_second, len(self.facts))
        if not self.dense_enough:
            return self._listed_counts(pairs_first, pairs_second)
        needed = distinct(pairs_second)
        span = max(1, _TABLE_WORDS // self.table_words)
        for low in range(0, len(needed), span):
            chunk = needed[low : low + span]
            table = self._table(chunk)
            inside = np.flatnonzero((pairs_second >= chunk[0]) & (pairs_second <= chunk[-1]))
            position = np.searchsorted(chunk, pairs_second[inside])
            cuts = np.flatnonzero(np.diff(pairs_first[inside])) + 1
            for a, b in pairwise([0, *cuts.tolist(), len(inside)]):
                view = int(pairs_first[inside[a]])
                self._count_one(view, table, position[a:b], inside[a:b], sizes, known)
        return sizes, known

    def _count_one(
        self,
        view: int,
        table: np.ndarray,
        partners: np.ndarray,
        places: np.ndarray,
        sizes: np.ndarray,
        known: np.ndarray,
    ) -> None:
        runs = self._groups[0]
        rows, starts, group = runs.of_view(view)
        keys = self.key_first[rows]
        wanted = [(number, table[group]) for number, table in self._fact_tables.items()]
        step = max(1, _BATCH_WORDS // (len(keys) * self.words))
        for low in range(0, len(partners), step):
            part = partners[low : low + step]
            union = np.bitwise_or.reduceat(table[part[:, None], keys[None, :]], starts, axis=1)
            where = places[low : low + step]
            sizes[where] = np.bitwise_count(union).sum(axis=(1, 2), dtype=np.int64)
            for number, mask in wanted:
                known[number, where] = np.bitwise_count(union & mask).sum(axis=(1, 2), dtype=np.int64)

    def _listed_counts(self, first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Count by listing all head tuples; see `counts`."""
        kinds = [self.database.sizes[kind] for kind in self.types]
        sizes: list[np.ndarray] = []
        known: list[np.ndarray] = []
        for part in self.extensions(first, second):
            sizes.append(np.diff(part.borders))
            found = (inside(*joint_keys(part.columns, fact, kinds)) for fact in self.facts)
            known.append(np.array([np.diff(borders(mask)[part.borders]) for mask in found]))
        return np.concatenate(sizes), np.concatenate(known, axis=1)
