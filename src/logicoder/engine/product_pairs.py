"""Exact counts for pairs of views without shared existentials.

For a body `v1(A,C), v2(C,B)` in which every variable is in the head, both the number of derived atoms
and the number of true ones among them are entries of a matrix product.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from logicoder.engine.atom_hashes import Factors, products, running_sums, sums
from logicoder.engine.listing import borders, chunks, spread
from logicoder.engine.pairs import ViewPairs
from logicoder.engine.products import cross_counts, support
from logicoder.engine.views import ViewClass

_CHUNK = 1 << 20
"""Greatest number of keys whose sums are multiplied together, unless one view has more."""


class ProductPairs(ViewPairs):
    """Pairs of views of two classes without shared existentials; they have a head variable in common."""

    @cached_property
    def _supports(self) -> list[tuple[Any, Any]]:
        return [
            (
                support(self.database, self.first, self.types, table),
                support(self.database, self.second, self.types, table),
            )
            for table in self.facts
        ]

    def counts(self, block: slice) -> tuple[np.ndarray, np.ndarray]:
        """Return derived atoms (views by views) and recognised ones (tables by views by views) of a block."""
        left, right = self.degrees
        sizes = cross_counts(left[block], right)
        known = np.zeros((len(self.facts), *sizes.shape), np.int64)
        for index, (first, second) in enumerate(self._supports):
            if first.shape[1]:
                known[index] = cross_counts(first[block], second)
        return sizes, known

    # -- fingerprints ---------------------------------------------------------------------------------

    def fingerprints(self, first: np.ndarray, second: np.ndarray, factors: Sequence[Factors]) -> Factors:
        """Return the fingerprints of the atoms of some pairs, without listing the atoms.

        Args:
            first: first view of each pair.
            second: second view of each pair.
            factors: factors of the entities of each head variable.
        """
        order, entries, keys, starts = self._entries
        of_first = sums(self._row_hashes(self.first, self.first.variables, factors)[:, order], entries)
        only_second = [v for v in self.second.variables if v not in self.common]
        running = running_sums(
            self._row_hashes(self.second, only_second, factors)[:, self._partners[0]]
        )
        found = np.zeros((2, len(first)), np.uint64)
        counts = np.diff(starts)[first]
        for low, high in chunks(counts, _CHUNK):
            entry, owner = spread(starts[first[low:high]], counts[low:high])
            begin, run = self._runs(second[low:high][owner], keys[entry])
            met = np.flatnonzero(run)
            entry, owner, begin = entry[met], owner[met], begin[met]
            meeting = of_first[:, entry] * (running[:, begin + run[met]] - running[:, begin])
            found[:, low:high] = sums(meeting, borders(np.bincount(owner, minlength=high - low)))
        return found

    @cached_property
    def _entries(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The first class by (view, key): its rows in that order, and the runs of rows of equal view and key.

        Then the key of each run, and the first run of each view.
        """
        combined = self.first.view.astype(np.int64) * self.keys + self.key_first
        order = np.argsort(combined, kind="stable")
        combined = combined[order]
        begin = np.flatnonzero(np.r_[True, combined[1:] != combined[:-1]])
        starts = np.searchsorted(begin, self.first.starts)
        return order, np.r_[begin, len(order)], self.key_first[order[begin]], starts

    @staticmethod
    def _row_hashes(views: ViewClass, variables: Sequence[int], factors: Sequence[Factors]) -> Factors:
        if not variables:
            return np.ones((2, len(views.view)), np.uint64)
        return products([factors[v] for v in variables], [views.columns[v] for v in variables])
