"""Exact counts for pairs of views without shared existentials.

For a body `v1(A,C), v2(C,B)` in which every variable is in the head, both the number of derived atoms
and the number of true ones among them (see `Supports`) are entries of a matrix product.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from logicoder.engine.arrays.atom_hashes import Factors, products, running_sums, sums
from logicoder.engine.arrays.listing import Runs, borders, chunks, spread
from logicoder.engine.arrays.pairs import ViewPairs
from logicoder.engine.arrays.products import cross_counts
from logicoder.engine.arrays.views import ViewClass

_CHUNK = 1 << 18
"""Greatest number of keys whose sums are multiplied together, unless one view has more."""


class ProductPairs(ViewPairs):
    """Pairs of views of two classes without shared existentials; they have a head variable in common."""

    def sizes(self, block: slice) -> np.ndarray:
        """Return the number of derived atoms of the pairs of a block of first views: views by views."""
        left, right = self.degrees
        return cross_counts(left[block], right)

    # -- fingerprints ---------------------------------------------------------------------------------

    def fingerprints(self, first: np.ndarray, second: np.ndarray, factors: Sequence[Factors]) -> Factors:
        """Return the fingerprints of the atoms of some pairs, without listing the atoms.

        Args:
            first: first view of each pair.
            second: second view of each pair.
            factors: factors of the entities of each head variable.
        """
        entries = self._entries
        of_first = sums(
            self._row_hashes(self.first, self.first.variables, factors)[:, entries.order], entries.begin
        )
        only_second = [v for v in self.second.variables if v not in self.common]
        running = running_sums(self._row_hashes(self.second, only_second, factors)[:, self._partners[0]])
        found = np.zeros((2, len(first)), np.uint64)
        counts = entries.run_counts[first]
        for low, high in chunks(counts, _CHUNK):
            entry, owner = spread(entries.starts[first[low:high]], counts[low:high])
            begin, run = self._runs(second[low:high][owner], entries.number[entry])
            met = np.flatnonzero(run)
            entry, owner, begin = entry[met], owner[met], begin[met]
            meeting = of_first[:, entry] * (running[:, begin + run[met]] - running[:, begin])
            found[:, low:high] = sums(meeting, borders(np.bincount(owner, minlength=high - low)))
        return found

    @cached_property
    def _entries(self) -> Runs:
        """The first class by view and key."""
        return Runs.of(self.first.starts, self.first.view, self.key_first, self.keys)

    @staticmethod
    def _row_hashes(views: ViewClass, variables: Sequence[int], factors: Sequence[Factors]) -> Factors:
        if not variables:
            return np.ones((2, len(views.view)), np.uint64)
        return products([factors[v] for v in variables], [views.columns[v] for v in variables])
