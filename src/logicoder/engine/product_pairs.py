"""Exact counts for pairs of views without shared existentials.

For a body `v1(A,C), v2(C,B)` in which every variable is in the head, both the number of derived atoms
and the number of true ones among them are entries of a matrix product.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from logicoder.engine.pairs import ViewPairs
from logicoder.engine.products import cross_counts, support


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
