"""Walks between the two sides of facts: which chains of views lead from x to y."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from logicoder.engine.arrays.relation import distinct_keys
from logicoder.engine.arrays.rules.rule_tables import RuleTables, View
from logicoder.engine.arrays.rules.spaces import Space, key_columns

Chain = tuple[int, ...]
"""Numbers of views, from the first variable of a head to the second."""


class Walks:
    """All views as edges of one graph, over entities of all types.

    Args:
        tables: the relations.
        widest: entities with more neighbours are not walked through in the middle of a chain.
    """

    def __init__(self, tables: RuleTables, widest: int = 100) -> None:
        self.views: Sequence[View] = tables.views
        self._offsets = np.cumsum([0, *tables.database.sizes])
        self._total = int(self._offsets[-1])
        self._widest = widest

    @cached_property
    def _turned(self) -> np.ndarray:
        """For each view the one with its columns turned round."""
        place = {(view.predicate, view.columns): number for number, view in enumerate(self.views)}
        turned = [place[view.predicate, view.columns[::-1]] for view in self.views]
        return np.array(turned, np.int64)

    @cached_property
    def _edges(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Target and view of every edge, by source, and where the edges of each source begin."""
        sources, targets, labels = [], [], []
        for number, view in enumerate(self.views):
            found = view.matrix.tocoo()
            sources.append(found.row.astype(np.int64) + self._offsets[view.types[0]])
            targets.append(found.col.astype(np.int64) + self._offsets[view.types[1]])
            labels.append(np.full(found.nnz, number))
        source, target, label = (
            np.concatenate(parts) if parts else np.empty(0, np.int64) for parts in (sources, targets, labels)
        )
        order = np.lexsort((label, target, source))
        begins = np.searchsorted(source[order], np.arange(self._total + 1))
        return target[order], label[order], begins

    @cached_property
    def _pairs(self) -> np.ndarray:
        """Source and target of every edge as one number, in the order of `_edges`."""
        target, _, begins = self._edges
        source = np.repeat(np.arange(self._total), np.diff(begins))
        return np.asarray(source * self._total + target)

    def chains(self, space: Space, steps: int, sample: int) -> tuple[dict[Chain, int], int]:
        """Return through how many facts of a sample each chain of views leads, and the size of the sample."""
        every = max(1, space.facts // sample)
        first, second = key_columns(space.keys[::every], space.sizes)
        first = first + self._offsets[space.types[0]]
        second = second + self._offsets[space.types[1]]
        degree = np.diff(self._edges[2])
        forward = degree[first] <= degree[second] if steps == 2 else np.ones(len(first), np.bool_)
        found: dict[Chain, int] = {}
        for starts, ends, ahead in (
            (first[forward], second[forward], True),
            (second[~forward], first[~forward], False),
        ):
            for chain, count in self._from(starts, ends, steps).items():
                own = chain if ahead else tuple(int(self._turned[view]) for view in reversed(chain))
                found[own] = found.get(own, 0) + count
        return found, len(first)

    def _from(self, starts: np.ndarray, ends: np.ndarray, steps: int) -> dict[Chain, int]:
        rows, at, labels = np.arange(len(starts)), starts, np.zeros(len(starts), np.int64)
        for step in range(steps - 1):
            if step:
                narrow = np.diff(self._edges[2])[at] <= self._widest
                rows, at, labels = rows[narrow], at[narrow], labels[narrow]
            rows, at, labels = self._stepped(rows, at, labels)
        # The last step is no expansion: whether there is an edge to the end is looked up.
        wanted = at * self._total + ends[rows]
        begin = np.searchsorted(self._pairs, wanted, "left")
        times = np.searchsorted(self._pairs, wanted, "right") - begin
        places = _ranges(begin, times)
        # A chain is a number, and so are a fact and a chain together.
        number = max(1, len(self.views))
        chains = np.repeat(labels, times) * number + self._edges[1][places]
        most = number**steps
        keys = distinct_keys(np.repeat(rows, times) * most + chains, len(starts) * most)
        unique, counts = np.unique(keys % most, return_counts=True)
        columns = key_columns(unique, [number] * steps)
        return dict(zip(zip(*(c.tolist() for c in columns), strict=True), counts.tolist(), strict=True))

    def _stepped(
        self, rows: np.ndarray, at: np.ndarray, labels: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        target, label, begins = self._edges
        times = begins[at + 1] - begins[at]
        places = _ranges(begins[at], times)
        longer = np.repeat(labels, times) * len(self.views) + label[places]
        return np.repeat(rows, times), target[places], longer


def _ranges(begin: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Return the numbers of several ranges, one after the other."""
    return np.repeat(begin - (np.cumsum(times) - times), times) + np.arange(int(times.sum()))
