"""Which two latents lead from one argument of a fact to the other: candidates for bodies `l1(X,Z), l2(Z,Y)`.

Rather than all pairs of latents, some facts are looked at: what do X and Y have in common? That takes a few
steps for each fact, whatever the number of latents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.join import JoinTooLargeError, matching_rows
from logicoder.engine.arrays.listing import spread
from logicoder.engine.arrays.products import incidence
from logicoder.engine.arrays.relation import Column, Relation, distinct_keys

_FACTS = 200
"""Facts of a head that are looked at."""

_STEPS = 400_000
"""Most links that are followed from the facts of a head, on either side."""

_MEETINGS = 4_000_000
"""Most pairs of links that meet."""

_LIKELY = 400
"""Most frequent pairs of links that are judged by how many tuples their join has."""


class Links:
    """Pairs of values that latents link, in both directions.

    Args:
        database: the data.
        latents: the latents; those of two arguments are links.
        most: most links; latents that come later are left out. No more pairs of links may meet.
    """

    def __init__(self, database: Database, latents: Mapping[int, Relation], most: int) -> None:
        self._meetings = min(_MEETINGS, most)
        self._offsets = np.concatenate([[0], np.cumsum(database.sizes)])
        self.latent: list[int] = []
        starts: list[np.ndarray] = []
        ends: list[np.ndarray] = []
        rows = 0
        for number, relation in latents.items():
            if relation.arity != 2 or rows + 2 * len(relation) > most:
                continue
            rows += 2 * len(relation)
            first, second = (self._node(*pair) for pair in zip(relation.types, relation.columns, strict=True))
            for start, end in ((first, second), (second, first)):
                self.latent.append(number)
                starts.append(start)
                ends.append(end)
        sizes = [len(part) for part in starts]
        self._view = np.repeat(np.arange(len(starts), dtype=np.int64), sizes)
        self._start = np.concatenate(starts) if starts else np.empty(0, np.int64)
        self._end = np.concatenate(ends) if ends else np.empty(0, np.int64)
        order = np.argsort(self._start, kind="stable")
        self._start, self._end, self._view = self._start[order], self._end[order], self._view[order]
        shape = (len(starts), int(self._offsets[-1]))
        self._arrivals = incidence(self._view, self._end, shape)
        self._arrivals.sum_duplicates()

    def _node(self, kind: int, column: Column) -> np.ndarray:
        return np.asarray(column.astype(np.int64) + self._offsets[kind])

    def pairs(self, facts: Relation, without: Sequence[int], count: int) -> list[tuple[int, int]]:
        """Return pairs of latents that lead from the first to the second argument of facts, the best first.

        Args:
            facts: facts of a predicate of two arguments.
            without: latents that do not count.
            count: how many pairs.
        """
        step = max(1, len(facts) // _FACTS)
        first, second = (
            self._node(kind, column[::step]) for kind, column in zip(facts.types, facts.columns, strict=True)
        )
        near_first, near_second = self._leaving(first), self._leaving(second)
        try:
            left, right = matching_rows(
                near_first[0] * self._offsets[-1] + near_first[1],
                near_second[0] * self._offsets[-1] + near_second[1],
                self._meetings,
            )
        except JoinTooLargeError:
            return []
        views = len(self.latent)
        codes = near_first[2][left] * views + near_second[2][right]
        together = distinct_keys(near_first[0][left] * (views * views) + codes, len(first) * views * views)
        found, support = np.unique(together % (views * views), return_counts=True)
        own = np.isin(np.array(self.latent), list(without))
        keep = ~own[found // views] & ~own[found % views]
        found, support = found[keep], support[keep]
        likely = np.argsort(-support, kind="stable")[:_LIKELY]
        found, covered = found[likely], support[likely] * float(step)
        if not len(found):
            return []
        one, other = self._arrivals[found // views], self._arrivals[found % views]
        joined = np.asarray(one.multiply(other).sum(axis=1)).ravel()
        best = np.argsort(-covered * covered / np.maximum(joined, covered), kind="stable")[:count]
        return [
            (self.latent[int(code) // views], self.latent[int(code) % views]) for code in found[best].tolist()
        ]

    def _leaving(self, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the links from nodes: the position of the node, the other end, and the view."""
        low = np.searchsorted(self._start, nodes, "left")
        counts = np.searchsorted(self._start, nodes, "right") - low
        # Facts with hubs come last, and go where there are too many links.
        order = np.argsort(counts, kind="stable")
        order = np.sort(order[np.cumsum(counts[order]) <= _STEPS])
        rows, run = spread(low[order], counts[order])
        return order[run], self._end[rows], self._view[rows]
