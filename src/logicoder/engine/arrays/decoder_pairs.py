"""Decoder candidates of one or two literals, evaluated as products over all pairs of literals at once.

True positives come first: a body is worth a join only where the facts that it could rebuild, counted
by a matrix product, can outweigh a lower bound on what it derives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np

from logicoder.engine.arrays.atom_sample import Sample
from logicoder.engine.arrays.batches import Batch, tally
from logicoder.engine.arrays.chains import ChainPairs
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.product_pairs import ProductPairs
from logicoder.engine.arrays.products import blocks
from logicoder.engine.arrays.relation import Relation
from logicoder.engine.arrays.sparse_chains import SparseChains
from logicoder.engine.arrays.supports import Supports
from logicoder.engine.arrays.targets import Target
from logicoder.engine.arrays.views import Projections, ViewClass, build_views
from logicoder.engine.clauses import View
from logicoder.engine.questions import Acceptance, DecoderStatistics, stands_for
from logicoder.engine.shapes import ClassKey, class_pairs, label_turns


@dataclass
class PairEnumeration:
    """Evaluates all decoder candidates of one or two literals over some latents.

    Attributes:
        targets: the heads, by the types of their variables.
        negation: whether the second literal may be negated.
        jobs: number of threads; kinds of head are evaluated side by side. The result does not depend on it.
        sample: the atoms that candidates are judged by; all of them unless given.
        most_meetings: most tuples of a join over shared existentials; larger ones are left out, and counted.
        together: the most tuples of such joins that are made together.
        repeats: whether a variable may occur more than once in a literal.
    """

    database: Database
    targets: Mapping[tuple[int, ...], Sequence[Target]]
    latents: Mapping[int, Relation]
    length: int
    acceptance: Acceptance
    statistics: DecoderStatistics = field(default_factory=DecoderStatistics)
    negation: bool = False
    jobs: int = 1
    sample: Sample | None = None
    most_meetings: int | None = None
    together: int = 4_000_000
    repeats: bool = True

    def run(self, advanced: Callable[[int, int], None]) -> Iterator[Batch]:
        """Yield the accepted candidates; `advanced` is told how many kinds of head are done, of how many."""
        groups = [_Group(self, types, targets) for types, targets in self.targets.items()]
        advanced(0, len(groups))
        projections = Projections(self.database, self.latents, repeats=self.repeats)
        with ThreadPoolExecutor(self.jobs, "logicoder-decoders") as pool:
            pending = [pool.submit(group.run, projections, self.length) for group in groups]
            try:
                for done, (group, future) in enumerate(zip(groups, pending, strict=True), start=1):
                    yield from _patiently(future, lambda: advanced(done - 1, len(groups)))  # noqa: B023
                    self.statistics.add(group.statistics)
                    advanced(done, len(groups))
            finally:
                for group, future in zip(groups, pending, strict=True):
                    future.cancel()
                    group.cancelled = True


def _patiently(future: Future[list[Batch]], alive: Callable[[], None]) -> list[Batch]:
    """Return the result of a future; `alive` is called now and then, and may end the wait by raising."""
    while True:
        try:
            return future.result(timeout=1.0)
        except TimeoutError:
            if future.done():
                raise
            alive()


class _Group:
    """All candidates whose heads have variables of the same types."""

    def __init__(
        self, enumeration: PairEnumeration, types: tuple[int, ...], targets: Sequence[Target]
    ) -> None:
        self.database = enumeration.database
        self.acceptance = enumeration.acceptance
        self.negation = enumeration.negation
        self.sample, self.most_meetings = enumeration.sample, enumeration.most_meetings
        self.together = enumeration.together
        self.types = types
        self.targets = targets
        self.tables = [table for target in targets for table in target.tables]
        self.statistics = DecoderStatistics()
        self.cancelled = False

    def run(self, projections: Projections, length: int) -> list[Batch]:
        """Return the accepted candidates; a cancelled group ends soon, with fewer."""
        found = []
        for batch in self._batches(projections, length):
            if self.cancelled:
                break
            found.append(batch)
        return found

    def _batches(self, projections: Projections, length: int) -> Iterator[Batch]:
        classes = build_views(projections, self.types, complete=length == 1)
        if self.sample is not None:
            classes = self.sample.views(classes)
        supports = Supports(self.database, classes, self.types, self.tables)
        single = _Singles(self, classes, supports)
        yield from single.batches(length)
        if length >= 2:
            # An inequality is a literal too.
            targets = [target for target in self.targets if 2 + target.head.unequal <= length]
            for one, other in class_pairs(classes, len(self.types)):
                first, second = classes[one], classes[other]
                chains = self._chains if self.most_meetings is None else self._sparse_chains
                evaluate = chains if first.shared else self._products
                yield from evaluate(first, second, targets, single, supports)

    def _products(
        self,
        first: ViewClass,
        second: ViewClass,
        targets: Sequence[Target],
        single: _Singles,
        supports: Supports,
    ) -> Iterator[Batch]:
        types = self.types
        pairs = ProductPairs(self.database, first, second, types)
        negatable = self._negatable(first, second)
        for low, high in blocks(len(first.views), len(second.views)):
            block = slice(low, high)
            sizes = pairs.sizes(block)
            known = [supports.counts(first, second, block, number) for number in range(len(self.tables))]
            a, b = np.nonzero(_each_body_once(first, second, len(types), low, sizes.shape))
            for target in targets:
                tables = [known[number][a, b] for number in self.numbers_of(target)]
                yield self._batch(target, pairs, a + low, b, sizes[a, b], tables, single)
            if len(negatable):
                a, b = (part.ravel() for part in np.meshgrid(np.arange(high - low), negatable, indexing="ij"))
                if first is second:
                    a, b = a[a + low != b], b[a + low != b]
                for target in targets:
                    alone = single.counts_of(target, a + low)
                    counts = [
                        whole - known[number][a, b]
                        for whole, number in zip(alone[1], self.numbers_of(target), strict=True)
                    ]
                    yield self._batch(
                        target, pairs, a + low, b, alone[0] - sizes[a, b], counts, single, negated=True
                    )

        if self.most_meetings is not None:  # large data
            pairs.forget()

    def numbers_of(self, target: Target) -> range:
        """Return the numbers of the tables of a target among those of all targets."""
        start = 0
        for other in self.targets:
            if other is target:
                break
            start += len(other.tables)
        return range(start, start + len(target.tables))

    def _negatable(self, first: ViewClass, second: ViewClass) -> np.ndarray:
        """Return the second views that may be negated beside first views that bind all head variables."""
        if not self.negation or len(first.variables) < len(self.types):
            return np.empty(0, np.int64)
        size = len(self.types)
        return np.array(
            [i for i, v in enumerate(second.views) if all(a < size for a in v.arguments)], np.int64
        )

    def _chains(
        self,
        first: ViewClass,
        second: ViewClass,
        targets: Sequence[Target],
        single: _Singles,
        supports: Supports,
    ) -> Iterator[Batch]:
        pairs = ChainPairs(self.database, first, second, self.types, self.tables)
        for low, high in blocks(len(first.views), len(second.views)):
            block = slice(low, high)
            least, most = pairs.bounds(block)
            once = _each_body_once(first, second, len(self.types), low, least.shape)
            possible = np.zeros(least.shape, np.bool_)
            supported = []
            for target in targets:
                facts = self.numbers_of(target)[0]
                most_true = np.minimum(supports.counts(first, second, block, facts), most)
                # The fewest false atoms: all others that could be derived might be unknown, or equal pairs.
                spared = sum(len(table[0]) for table in target.tables[1:])
                unsure = 0 if target.open_world else least - most_true - spared
                possible |= self.acceptance.mask(most_true, np.maximum(unsure, 0))
                supported.append(most_true > 0)
            possible &= once
            a, b = np.nonzero(possible)
            sizes, known = pairs.counts(a + low, b)
            excluded = once & ~possible
            for hopeful in supported:
                # No fact can be rebuilt, or too few for what is derived at the least.
                tally(self.statistics, hopeful[excluded])
            for target in targets:
                tables = [known[number] for number in self.numbers_of(target)]
                yield self._batch(target, pairs, a + low, b, sizes, tables, single)

    def _sparse_chains(
        self,
        first: ViewClass,
        second: ViewClass,
        targets: Sequence[Target],
        single: _Singles,
        supports: Supports,  # noqa: ARG002  (as the other ways to evaluate have it)
    ) -> Iterator[Batch]:
        """Evaluate pairs that derive some facts for sure, and whose joins are not too large."""
        pairs = SparseChains(self.database, first, second, self.types, self.tables, together=self.together)
        meetings = pairs.meetings()
        once = _each_body_once(first, second, len(self.types), 0, meetings.shape)
        small = meetings <= (self.most_meetings or 0)
        possible = np.zeros(meetings.shape, np.bool_)
        for target in targets:
            true, exact = pairs.likely(target.facts)
            # An estimate from some of the facts may be too low.
            most_true = true if exact else true + true // 2
            spared = sum(len(table[0]) for table in target.tables[1:])
            unsure = 0 if target.open_world else pairs.least(meetings) - most_true - spared
            hopeful = self.acceptance.mask(most_true, np.maximum(unsure, 0))
            possible |= hopeful
            supported = (true[once & small & ~hopeful] > 0) | (not exact)
            tally(self.statistics, supported)
        self.statistics.limit += int(np.count_nonzero(once & possible & ~small))
        a, b = np.nonzero(once & small & possible)
        sizes, known = pairs.counts(a, b)
        for target in targets:
            tables = [known[number] for number in self.numbers_of(target)]
            yield self._batch(target, pairs, a, b, sizes, tables, single)
        pairs.forget()

    def _batch(
        self,
        target: Target,
        pairs: ProductPairs | ChainPairs | SparseChains,
        first: np.ndarray,
        second: np.ndarray,
        sizes: np.ndarray,
        tables: Sequence[np.ndarray],
        single: _Singles,
        *,
        negated: bool = False,
    ) -> Batch:
        true, false, kept = self.accepted(target, sizes, tables)
        first, second, true, false = first[kept], second[kept], true[kept], false[kept]
        idle = _idle(single.counts_alone(target, pairs.first), first, true, false)
        if not negated:
            idle |= _idle(single.counts_alone(target, pairs.second), second, true, false)
        worth = target.worth(true, [table[kept] for table in tables])
        return Batch(self.database, target, pairs, first, second, true, false, idle, worth, negated)

    def accepted(
        self, target: Target, sizes: np.ndarray, tables: Sequence[np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return true and false atoms of candidates, and which of them are accepted; all are counted."""
        true, false = target.counts(sizes, tables)
        kept = self.acceptance.mask(true, false)
        tally(self.statistics, true, kept)
        if target.head.unequal:
            # Without a derived pair of equal values the inequality says nothing.
            self.statistics.repeated += int(np.count_nonzero(kept & (tables[2] == 0)))
            kept &= tables[2] > 0
        return true, false, kept


class _Singles:
    """Candidates of one literal, and what each literal of a pair would derive alone."""

    def __init__(self, group: _Group, classes: dict[ClassKey, ViewClass], supports: Supports) -> None:
        self._group = group
        self._supports = supports
        self._variables = len(group.types)
        self._views = classes.get((tuple(range(self._variables)), ()))
        self._tables: list[list[np.ndarray]] = []
        if self._views is not None:
            totals = [supports.totals(self._views, number) for number in range(len(group.tables))]
            for target in group.targets:
                self._tables.append([totals[number] for number in group.numbers_of(target)])

    def batches(self, length: int) -> Iterator[Batch]:
        """Yield the accepted candidates of at most so many literals."""
        for target, tables in zip(self._group.targets, self._tables, strict=False):
            if 1 + target.head.unequal > length:
                continue
            assert self._views is not None  # noqa: S101  (there are no counts without views)
            true, false, kept = self._group.accepted(target, self._views.row_counts, tables)
            chosen = np.flatnonzero(kept)
            yield Batch(
                self._group.database,
                target,
                self._views,
                chosen,
                None,
                true[chosen],
                false[chosen],
                np.zeros(len(chosen), np.bool_),
                target.worth(true[chosen], [table[chosen] for table in tables]),
            )

    def counts_of(self, target: Target, views: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
        """Return what some views derive alone: all head tuples, and those of the tables of a target."""
        assert self._views is not None  # noqa: S101  (the views are some of them)
        tables = self._tables[self._place_of(target)]
        return self._views.row_counts[views], [table[views] for table in tables]

    def _place_of(self, target: Target) -> int:
        return next(i for i, known in enumerate(self._group.targets) if known is target)

    def counts_alone(self, target: Target, views: ViewClass) -> tuple[np.ndarray, np.ndarray]:
        """Return true and false atoms of each view alone; -1 where it leaves a head variable free."""
        if self._views is None or len(views.variables) < self._variables:
            none = np.full(len(views.views), -1)
            return none, none
        true, false = target.counts(self._views.row_counts, self._tables[self._place_of(target)])
        places = self._supports.places(views)
        return true[places], false[places]


def _idle(
    alone: tuple[np.ndarray, np.ndarray], views: np.ndarray, true: np.ndarray, false: np.ndarray
) -> np.ndarray:
    """Return which candidates one of their literals, which derives so much alone, can stand for."""
    own_true, own_false = alone[0][views], alone[1][views]
    return np.asarray((own_false == false) & stands_for(own_true, own_false, true, false))


def _each_body_once(
    first: ViewClass, second: ViewClass, variables: int, low: int, shape: tuple[int, ...]
) -> np.ndarray:
    """Return the mask of pairs in which each body appears once, for a block of first views from `low` on.

    The order of the two literals does not matter, nor do the names of shared existentials: of the pairs
    that exchanging names maps onto each other, the smallest is kept.
    """
    a = np.arange(shape[0])[:, None] + low
    b = np.arange(shape[1])[None, :]
    same = first is second
    keep = np.broadcast_to(a < b, shape).copy() if same else np.ones(shape, np.bool_)
    for turn_first, turn_second in _label_turns(first, second, variables):
        c, d = turn_first[a], turn_second[b]
        if same:
            c, d = np.minimum(c, d), np.maximum(c, d)
        keep &= (a < c) | ((a == c) & (b <= d))
    return keep


def _label_turns(
    first: ViewClass, second: ViewClass, variables: int
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Return what each exchange of names of like-typed shared existentials does to both classes."""
    for rename in label_turns(first.shared, variables):
        turned = []
        for views in (first, second):
            place = {view: number for number, view in enumerate(views.views)}
            turned.append(
                np.array(
                    [place[View(v.latent, tuple(rename.get(x, x) for x in v.arguments))] for v in views.views]
                )
            )
        yield turned[0], turned[1]
