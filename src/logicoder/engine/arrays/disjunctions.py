"""Disjunctive decoder candidates: their literals are alternatives, judged by what they derive together.

    h(X,Y) :- l1(X,Y) ; l2(Y,X,Z).

Literals that are mostly false alone can be mostly right together, where they have false atoms in common, and
one that is right by itself has room for the mistakes of another. So each disjunction is counted, by inclusion
and exclusion: what a disjunction and a further literal have in common is an entry of a matrix product.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from logicoder.engine.arrays.array_handles import relations_of
from logicoder.engine.arrays.batches import UnionBatch, tally
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.products import blocks, cross_counts, incidence, key_numbers
from logicoder.engine.arrays.targets import Target
from logicoder.engine.arrays.views import Projections, ViewClass, build_views
from logicoder.engine.questions import DecoderQuestion, stands_for

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix
else:
    csr_matrix = Any


@dataclass(frozen=True)
class DisjunctiveEnumeration:
    """Evaluates disjunctions of at least two literals for some heads.

    Attributes:
        database: the data.
        targets: the heads.
        question: the latents, how long bodies may be, and what is accepted. Where bodies may have three
            literals or more, so many disjunctions of each length are extended as `most_bodies` says, the best
            first; what is left out is counted.
    """

    database: Database
    targets: Sequence[Target]
    question: DecoderQuestion

    def run(self, advanced: Callable[[int, int], None]) -> Iterator[UnionBatch]:
        """Yield the accepted candidates; `advanced` is told how many heads are done, of how many."""
        projections = Projections(
            self.database, relations_of(self.question.latents), repeats=self.question.repeats
        )
        views: dict[tuple[int, ...], ViewClass | None] = {}
        for done, target in enumerate(self.targets):
            advanced(done, len(self.targets))
            types = target.types
            if types not in views:
                found = build_views(projections, types, complete=True)
                views = {types: found.get((tuple(range(len(types))), ()))}
            own = views[types]
            if own is not None:
                alive = lambda: advanced(done, len(self.targets))  # noqa: B023, E731
                yield from _Disjunctions(self, target, own).levels(alive)
        advanced(len(self.targets), len(self.targets))


@dataclass(frozen=True, eq=False)
class _Level:
    """Disjunctions of one length.

    Attributes:
        members: their literals, ascending, a row each.
        tuples: the head tuples that each derives: disjunctions by tuples.
    """

    members: np.ndarray
    tuples: csr_matrix


@dataclass(frozen=True, eq=False)
class _Found:
    """Disjunctions with their literals, a row each, their true and false atoms, and what they gain."""

    members: np.ndarray
    true: np.ndarray
    false: np.ndarray
    gain: np.ndarray

    @classmethod
    def none(cls, length: int) -> _Found:
        return cls(np.empty((0, length), np.int32), np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))

    def at(self, rows: np.ndarray) -> _Found:
        return _Found(self.members[rows], self.true[rows], self.false[rows], self.gain[rows])

    def with_more(self, other: _Found) -> _Found:
        return _Found(
            np.concatenate([self.members, other.members]),
            np.concatenate([self.true, other.true]),
            np.concatenate([self.false, other.false]),
            np.concatenate([self.gain, other.gain]),
        )


class _Disjunctions:
    """The disjunctions of one head."""

    def __init__(self, enumeration: DisjunctiveEnumeration, target: Target, views: ViewClass) -> None:
        self._database = enumeration.database
        self._question = enumeration.question
        self._target, self._views = target, views
        variables = range(len(target.types))
        columns = [views.columns[v] for v in variables]
        tables = target.tables
        known = [np.concatenate([table[v] for table in tables]) for v in variables]
        numbers, others, count = key_numbers(enumeration.database, target.types, columns, known)
        self._single = _Level(
            np.arange(len(views.views), dtype=np.int32)[:, None],
            incidence(views.view, numbers, (len(views.views), count)),
        )
        starts = np.cumsum([len(table[0]) for table in tables])[:-1]
        self._weights = [np.ones(count)]
        """For all head tuples, and for each table: which tuples count."""
        for part in np.split(others, starts):
            weight = np.zeros(count)
            weight[part] = 1
            self._weights.append(weight)
        self._totals = self._counts(self._single.tuples)
        self._true, self._false = target.counts(self._totals[0], self._totals[1:])
        gain = target.worth(self._true, self._totals[1:]) - self._false
        # What a literal is worth that is a candidate by itself.
        accepted = enumeration.question.acceptance.mask(self._true, self._false)
        self._gain = np.where(accepted, gain, 0.0)

    def _counts(self, tuples: csr_matrix) -> list[np.ndarray]:
        return [np.asarray(tuples @ weight).astype(np.int64) for weight in self._weights]

    def levels(self, alive: Callable[[], None]) -> Iterator[UnionBatch]:
        """Yield the accepted disjunctions of each length; `alive` is called now and then."""
        level = self._single
        for length in range(2, self._question.length + 1):
            # Of three literals and more, there are as many candidates as are extended.
            most = None if length == 2 else self._question.most_bodies
            accepted, further = _Found.none(length), _Found.none(length)
            for low, high in blocks(len(level.members), len(self._views.views)):
                alive()
                members, counts = self._extended(level, low, high)
                true, false = self._target.counts(counts[0], counts[1:])
                kept = self._question.acceptance.mask(true, false)
                tally(self._question.statistics, true, kept)
                found = _Found(members, true, false, self._target.worth(true, counts[1:]) - false)
                accepted = self._best(accepted, self._marginal(found.at(kept)), most)
                if length < self._question.length:
                    further = self._best(further, found, self._question.most_bodies)
            if len(accepted.members):
                yield self._batch(accepted)
            if length < self._question.length:
                level = self._listed(further.members)

    def _extended(self, level: _Level, low: int, high: int) -> tuple[np.ndarray, list[np.ndarray]]:
        """Return a block of disjunctions with one more literal each, and what they derive of each table."""
        part = level.tuples[low:high]
        wider = np.arange(len(self._views.views)) > level.members[low:high, -1:]
        a, b = np.nonzero(wider)
        counts = []
        for weight, before, alone in zip(self._weights, self._counts(part), self._totals, strict=True):
            common = cross_counts(part.multiply(weight[None, :]).tocsr(), self._single.tuples)
            counts.append(before[a] + alone[b] - common[a, b])
        return np.column_stack([level.members[low:high][a], b.astype(np.int32)]), counts

    def _marginal(self, found: _Found) -> _Found:
        """Return disjunctions with what they gain beside their best literal.

        Where a limit leaves no room for all, that is what they count for: the literals that are good by
        themselves are candidates, and several of them may be selected.
        """
        return replace(found, gain=found.gain - self._gain[found.members].max(axis=1, initial=-np.inf))

    def _batch(self, found: _Found) -> UnionBatch:
        members, true, false = found.members, found.true, found.false
        idle = np.zeros(len(members), np.bool_)
        for own_true, own_false in zip(self._true[members].T, self._false[members].T, strict=True):
            idle |= (own_true == true) & stands_for(own_true, own_false, true, false)
        return UnionBatch(
            self._database, self._target, self._views, members, true, false, idle, found.gain + false
        )

    def _best(self, known: _Found, found: _Found, most: int | None) -> _Found:
        """Return the disjunctions that gain most, of equal ones the first; what is left out is counted."""
        both = known.with_more(found)
        if most is None or len(both.members) <= most:
            return both
        self._question.statistics.limit += len(both.members) - most
        return both.at(np.sort(np.argsort(-both.gain, kind="stable")[:most]))

    def _listed(self, members: np.ndarray) -> _Level:
        """Return disjunctions with what they derive."""
        shape = (len(members), len(self._views.views))
        owner = np.repeat(np.arange(len(members)), members.shape[1])
        tuples = (incidence(owner, members.ravel(), shape) @ self._single.tuples).tocsr()
        tuples.data[:] = 1
        return _Level(members, tuples)
