"""Which latents are worth combining for a head, where there are too many to combine all of them.

These are latents that rebuild many of its facts alone, those that tell its facts from others by some
argument, and pairs that lead from one argument to another.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import numpy as np

from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.linking_latents import Links
from logicoder.engine.arrays.promises import Promises
from logicoder.engine.arrays.relation import Relation

_REBUILDING = 12
"""Latents of a head that rebuild most of its facts alone, for either order of arguments."""

_TELLING = 4
"""Latents of a head that tell its facts from those of others by some of the arguments."""

_PAIRS = 12
"""Pairs of latents that lead from one argument of a head to the other."""


class Promising:
    """Ranks latents for predicates.

    Args:
        database: the data.
        facts: for each predicate the facts that are wanted.
        latents: the latents, the most promising first.
        own: for each predicate the latents that lead to its facts in a trivial way.
        links: pairs of latents that lead from one argument to another are looked for among so many links.
        together: the most tuples of latents that are looked at together.
    """

    def __init__(
        self,
        database: Database,
        facts: Mapping[str, Relation],
        latents: Mapping[int, Relation],
        own: Mapping[str, Collection[int]],
        *,
        links: int,
        together: int,
    ) -> None:
        self._facts = facts
        self._places = {name: place for place, name in enumerate(facts)}
        self._own = own
        self._covers = list(Promises(database, list(facts.values()), together).covers(latents))
        self._links = Links(database, latents, links) if links else None

    def __call__(self, predicate: str) -> list[list[int]]:
        """Return a few rankings of latents for a predicate."""
        return list(self._rankings(predicate))

    def _rankings(self, predicate: str) -> Iterator[list[int]]:
        facts = self._facts[predicate]
        for cover in self._covers:
            total = cover.counts.sum(axis=1)
            for column, (other, columns) in enumerate(cover.places):
                if other != self._places[predicate]:
                    continue
                counts = cover.counts[:, column]
                if len(columns) == facts.arity:
                    yield _top(cover.latents, 2 * counts - cover.sizes, counts, _REBUILDING)
                    yield _top(cover.latents, counts, counts, _REBUILDING // 2)
                else:
                    yield _top(cover.latents, 2 * counts - total, counts, _TELLING)
        if facts.arity == 2 and self._links is not None:
            pairs = self._links.pairs(facts, list(self._own.get(predicate, ())), _PAIRS)
            yield [number for pair in pairs for number in pair]


def _top(latents: np.ndarray, score: np.ndarray, counts: np.ndarray, count: int) -> list[int]:
    order = np.argsort(-score, kind="stable")[:count]
    return [int(latents[i]) for i in order.tolist() if counts[i] > 0]
