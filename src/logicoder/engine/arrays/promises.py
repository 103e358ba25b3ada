"""What latents promise to rebuild: how many facts of each predicate they cover, alone or in some arguments.

On large data not all latents can be combined with each other for every head. What a latent covers is counted
for all predicates at once, by one sparse product, and tells which latents are worth combining where.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any

import numpy as np

from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.products import incidence
from logicoder.engine.arrays.relation import Column, Relation, joint_keys
from logicoder.engine.arrays.views import pattern_rows, stack

_ROWS = 4_000_000
"""Most tuples of latents looked at together."""

_FACTS = 100_000
"""Most facts of a predicate looked at; of more, evenly spaced ones stand for all."""

_CELLS = 1_000_000
"""Most pairs of a latent and a column of a predicate looked at together."""

_PLACES = 720
"""Most lists of columns looked at in a predicate; a wide one whose columns share a type has far more."""


def places_of(
    kinds: Sequence[int], types: Sequence[int], before: tuple[int, ...] = ()
) -> Iterator[tuple[int, ...]]:
    """Yield the lists of different columns that have these kinds.

    >>> list(places_of((0, 1), (0, 1, 0, 1)))
    [(0, 1), (0, 3), (2, 1), (2, 3)]
    """
    if len(before) == len(kinds):
        yield before
        return
    for column, kind in enumerate(types):
        if kind == kinds[len(before)] and column not in before:
            yield from places_of(kinds, types, (*before, column))


@dataclass(frozen=True, eq=False)
class Cover:
    """What some latents, projected to some of their columns, cover.

    Attributes:
        latents: numbers of the latents.
        arity: arity of the latents.
        sizes: number of tuples of each projection.
        places: predicate and columns that each count is about.
        counts: facts of the predicate whose values in these columns are in the projection: latents by places.
    """

    latents: np.ndarray
    arity: int
    sizes: np.ndarray
    places: tuple[tuple[int, tuple[int, ...]], ...]
    counts: np.ndarray


class Promises:
    """Counts what latents cover, and so what may be expected of them.

    Args:
        database: the data.
        facts: for each predicate its types and the facts to be covered, as columns.
        together: the most tuples of latents that are looked at together.
    """

    def __init__(self, database: Database, facts: Sequence[Relation], together: int = _ROWS) -> None:
        self._database = database
        self._rows = min(together, _ROWS)
        self.arities = [relation.arity for relation in facts]
        self._facts = []
        self._scale = []
        for relation in facts:
            step = -(-len(relation) // _FACTS) if len(relation) else 1
            self._facts.append(Relation(relation.types, tuple(c[::step] for c in relation.columns)))
            self._scale.append(float(step))
        self._tables: dict[tuple[int, ...], tuple[list[Any], list[Column], Any]] = {}

    def covers(self, latents: Mapping[int, Relation]) -> Iterator[Cover]:
        """Count what latents cover, so many tuples at a time."""
        groups: dict[tuple[int, ...], list[int]] = {}
        for number, relation in latents.items():
            groups.setdefault(relation.types, []).append(number)
        for types, members in groups.items():
            block: list[int] = []
            rows = 0
            most = max(1, _CELLS // max(1, sum(relation.arity for relation in self._facts)))
            for number in members:
                if block and (len(block) >= most or rows + len(latents[number]) > self._rows):
                    yield from self._block(types, block, latents)
                    block, rows = [], 0
                block.append(number)
                rows += len(latents[number])
            yield from self._block(types, block, latents)

    def _block(
        self, types: tuple[int, ...], members: Sequence[int], latents: Mapping[int, Relation]
    ) -> Iterator[Cover]:
        stacked = stack([latents[number] for number in members])
        arguments = tuple(range(len(types)))
        for size in range(1, len(types) + 1):
            for chosen in combinations(arguments, size):
                kinds = tuple(types[i] for i in chosen)
                places, columns, counts = self._table(kinds)
                if not places:
                    continue
                lines, projected = pattern_rows(
                    self._database, stacked, types, arguments, chosen, len(members)
                )
                keys, known = joint_keys(projected, columns, [self._database.sizes[k] for k in kinds])
                order = np.argsort(known)
                place = np.minimum(np.searchsorted(known, keys, sorter=order), len(known) - 1)
                hit = known[order[place]] == keys
                matrix = incidence(lines[hit], order[place[hit]], (len(members), len(known)))
                yield Cover(
                    np.array(members),
                    len(types),
                    np.bincount(lines, minlength=len(members)),
                    tuple(places),
                    np.asarray((matrix @ counts).toarray()),
                )

    def _table(self, kinds: tuple[int, ...]) -> tuple[list[Any], list[Column], Any]:
        """Return where values of some types occur, the distinct values, and how often each is where."""
        if kinds not in self._tables:
            places = []
            parts: list[list[Column]] = []
            weights = []
            for predicate, relation in enumerate(self._facts):
                if not len(relation):
                    continue
                for columns in islice(places_of(kinds, relation.types), _PLACES):
                    places.append((predicate, columns))
                    parts.append([relation.columns[c] for c in columns])
                    weights.append(self._scale[predicate])
            if not places:
                self._tables[kinds] = ([], [], None)
                return self._tables[kinds]
            stacked = [np.concatenate([part[i] for part in parts]) for i in range(len(kinds))]
            keys, _ = joint_keys(stacked, [c[:0] for c in stacked], [self._database.sizes[k] for k in kinds])
            _, first, numbers = np.unique(keys, return_index=True, return_inverse=True)
            owner = np.repeat(np.arange(len(places)), [len(part[0]) for part in parts])
            matrix = incidence(numbers, owner, (len(first), len(places)))
            matrix.sum_duplicates()
            matrix.data *= np.array(weights)[matrix.indices]
            self._tables[kinds] = (places, [column[first] for column in stacked], matrix)
        return self._tables[kinds]

    def scores(self, latents: Mapping[int, Relation]) -> dict[int, float]:
        """Return how much each latent promises: facts that it rebuilds or tells apart, less those it has."""
        found: dict[int, float] = {}
        for cover in self.covers(latents):
            score = self._score(cover) - np.array([len(latents[n]) for n in cover.latents.tolist()])
            for number, value in zip(cover.latents.tolist(), score.tolist(), strict=True):
                found[number] = max(value, found.get(number, value))
        return {number: found.get(number, -float(len(relation))) for number, relation in latents.items()}

    def _score(self, cover: Cover) -> np.ndarray:
        whole = np.array([len(columns) == self.arities[p] for p, columns in cover.places])
        predicate = np.array([p for p, _ in cover.places])
        best = np.zeros((len(cover.sizes), len(self.arities)))
        gain = np.where(whole[None, :], 2 * cover.counts - cover.sizes[:, None], 0.0)
        for column in np.flatnonzero(whole).tolist():
            np.maximum(best[:, predicate[column]], gain[:, column], out=best[:, predicate[column]])
        score = best.sum(axis=1)
        if not whole.all():
            partial = cover.counts[:, ~whole]
            score = np.maximum(score, (2 * partial.max(axis=1) - partial.sum(axis=1)) / 4)
        return np.asarray(score)
