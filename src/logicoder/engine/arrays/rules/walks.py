"""Walks between the two sides of facts: which chains of views lead from x to y."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from logicoder.base.effort import Effort
from logicoder.engine.arrays.relation import distinct_keys
from logicoder.engine.arrays.rules.rule_tables import RuleTables, View
from logicoder.engine.arrays.rules.spaces import Space, key_columns

Chain = tuple[int, ...]
"""Numbers of views, from the first variable of a head to the second."""

_MOST_AHEAD = 200_000
"""Facts from which more walks lead on are left out."""

_AT_ONCE = 1_000_000
"""Walks that are made at once."""


class Walks:
    """All views as edges of one graph, over entities of all types.

    Args:
        tables: the relations.
        effort: what walking may cost.
        widest: entities with more neighbours are not walked through in the middle of a chain.
    """

    def __init__(self, tables: RuleTables, effort: Effort, widest: int = 100) -> None:
        self.views: Sequence[View] = tables.views
        self._effort = effort
        self._offsets = np.cumsum([0, *tables.database.sizes])
        self._total = int(self._offsets[-1])
        self._widest = widest
        self._predicates = {name: number for number, name in enumerate(tables.names)}
        self._predicate_of = np.array([self._predicates[view.predicate] for view in self.views], np.int64)
        self._reached: dict[tuple[str, bool, int], tuple[np.ndarray, np.ndarray, int]] = {}

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
            sources.append(found.row + np.int32(self._offsets[view.types[0]]))
            targets.append(found.col + np.int32(self._offsets[view.types[1]]))
            labels.append(np.full(found.nnz, number, np.int32))
        source, target, label = (
            np.concatenate(parts) if parts else np.empty(0, np.int32) for parts in (sources, targets, labels)
        )
        order = np.argsort(source.astype(np.int64) * self._total + target, kind="stable")
        begins = np.concatenate([[0], np.cumsum(np.bincount(source, minlength=self._total))])
        return target[order], label[order], begins

    @cached_property
    def _pairs(self) -> np.ndarray:
        """Source and target of every edge as one number, in the order of `_edges`."""
        target, _, begins = self._edges
        source = np.repeat(np.arange(self._total), np.diff(begins))
        return np.asarray(source * self._total + target)

    @cached_property
    def _ahead(self) -> dict[int, np.ndarray]:
        """By the length of chains, how many walks have to be made from each entity."""
        target, _, begins = self._edges
        degree = np.diff(begins)
        passed = np.where(degree <= self._widest, degree, 0)
        sums = np.concatenate([[0], np.cumsum(passed[target])])
        return {2: degree, 3: degree + sums[begins[1:]] - sums[begins[:-1]]}

    def likely(
        self, space: Space, steps: int, sample: int, least: int, most: int
    ) -> list[tuple[float, Chain]]:
        """Return chains of other predicates that lead through enough facts, with about how many, most first.

        Args:
            space: the head.
            steps: number of views of a chain, two or three.
            sample: number of facts that are looked at.
            least: the fewest facts.
            most: the most chains.
        """
        key = (space.predicate, space.symmetric, steps)
        if key not in self._reached:
            self._reached[key] = self._chains(space, steps, sample)
        codes, counts, sampled = self._reached[key]
        true = counts * (space.facts / max(1, sampled))
        enough = np.flatnonzero(true >= least)
        columns = np.array(key_columns(codes[enough], [len(self.views)] * steps), np.int64)
        own = self._predicates.get(space.predicate, -1)
        foreign = (self._predicate_of[columns] != own).all(axis=0)
        enough, columns = enough[foreign], columns[:, foreign]
        best = np.argsort(-true[enough], kind="stable")[:most]
        chains = zip(*(column.tolist() for column in columns[:, best]), strict=True)
        return list(zip(true[enough[best]].tolist(), chains, strict=True))

    def _chains(self, space: Space, steps: int, sample: int) -> tuple[np.ndarray, np.ndarray, int]:
        """Return the chains through facts of a sample as numbers, through how many, and the sample's size."""
        every = max(1, space.facts // sample)
        first, second = key_columns(space.keys[::every], space.sizes)
        first = first + self._offsets[space.types[0]]
        second = second + self._offsets[space.types[1]]
        ahead = self._ahead[steps]
        forward = ahead[first] <= ahead[second]
        narrow = np.minimum(ahead[first], ahead[second]) <= _MOST_AHEAD
        found, counts, sampled = [], [], 0
        for starts, ends, turned in (
            (first[forward & narrow], second[forward & narrow], False),
            (second[~forward & narrow], first[~forward & narrow], True),
        ):
            for codes, times, facts in self._from(starts, ends, steps):
                found.append(self._turned_round(codes, steps) if turned else codes)
                counts.append(times)
                sampled += facts
        if not found:
            return np.empty(0, np.int64), np.empty(0), 0
        codes, places = np.unique(np.concatenate(found), return_inverse=True)
        return codes, np.bincount(places, np.concatenate(counts), len(codes)), sampled

    def _turned_round(self, codes: np.ndarray, steps: int) -> np.ndarray:
        number = len(self.views)
        columns = key_columns(codes, [number] * steps)
        turned = np.zeros(len(codes), np.int64)
        for column in reversed(columns):
            turned = turned * number + self._turned[column]
        return turned

    def _from(
        self, starts: np.ndarray, ends: np.ndarray, steps: int
    ) -> Iterator[tuple[np.ndarray, np.ndarray, int]]:
        """Iterate over parts of the facts: chains, how many facts each leads through, and number of facts."""
        work = self._ahead[steps][starts]
        breaks = np.flatnonzero(np.diff(np.cumsum(work) // _AT_ONCE)) + 1
        for part in np.split(np.arange(len(starts)), breaks):
            if not len(part) or not self._effort.spend(int(work[part].sum())):
                continue
            codes, counts = self._through(starts[part], ends[part], steps)
            yield codes, counts, len(part)

    def _through(self, starts: np.ndarray, ends: np.ndarray, steps: int) -> tuple[np.ndarray, np.ndarray]:
        rows, at, labels = np.arange(len(starts)), starts, np.zeros(len(starts), np.int64)
        for step in range(steps - 1):
            if step:
                narrow = self._ahead[2][at] <= self._widest
                rows, at, labels = rows[narrow], at[narrow], labels[narrow]
            rows, at, labels = self._stepped(rows, at, labels)
        # The last step is no expansion: whether there is an edge to the end is looked up.
        wanted = at * self._total + ends[rows]
        begin = np.searchsorted(self._pairs, wanted, "left")
        met = np.flatnonzero(self._pairs[np.minimum(begin, len(self._pairs) - 1)] == wanted)
        begin = begin[met]
        times = np.searchsorted(self._pairs, wanted[met], "right") - begin
        places = _ranges(begin, times)
        # A chain is a number, and so are a fact and a chain together.
        number = max(1, len(self.views))
        chains = np.repeat(labels[met], times) * number + self._edges[1][places]
        most = number**steps
        keys = distinct_keys(np.repeat(rows[met], times) * most + chains, len(starts) * most)
        return np.unique(keys % most, return_counts=True)

    def _stepped(
        self, rows: np.ndarray, at: np.ndarray, labels: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        target, label, begins = self._edges
        times = begins[at + 1] - begins[at]
        places = _ranges(begins[at], times)
        longer = np.repeat(labels, times) * len(self.views) + label[places]
        return np.repeat(rows, times), target[places].astype(np.int64), longer


def _ranges(begin: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Return the numbers of several ranges, one after the other."""
    return np.repeat(begin - (np.cumsum(times) - times), times) + np.arange(int(times.sum()))
