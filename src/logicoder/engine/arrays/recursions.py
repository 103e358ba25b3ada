"""Recursive decoder definitions: a base case and a step over latents, which call their own head only.

    h(X,Y) :- base(X,Y).            h(X,Y) :- base(X,Y).
    h(X,Z) :- step(X,Y), h(Y,Z).    h(X,Z) :- h(X,Y), step(Y,Z).

The two clauses are one candidate, so that a recursive clause never stands without its base case. Since
other clauses for the same head would feed the recursion, such a definition excludes them: what it derives
does not depend on what else is selected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nlargest

import numpy as np

from logicoder.base.sorted_keys import inside
from logicoder.engine.arrays.batches import ListedBatch, tally
from logicoder.engine.arrays.closure import closure
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.join import JoinTooLargeError, bindings_of, matching_rows
from logicoder.engine.arrays.relation import Column, Relation, pack
from logicoder.engine.arrays.targets import Target
from logicoder.engine.clauses import DecoderBody, View
from logicoder.engine.questions import Acceptance, DecoderStatistics
from logicoder.engine.shapes import argument_patterns

Pairs = tuple[Column, Column]


@dataclass(frozen=True, eq=False)
class _Links:
    """All views that link two variables of a type, as one stacked table.

    Attributes:
        kind: the type.
        views: the views.
        pairs: the pairs of each view.
        keys: the keys of the pairs of all views, one after the other.
        owner: the view of each key.
    """

    kind: int
    views: list[View]
    pairs: list[Pairs]
    keys: np.ndarray
    owner: np.ndarray


@dataclass(frozen=True)
class RecursiveEnumeration:
    """Evaluates recursive definitions for binary heads over one type.

    Attributes:
        targets: the heads.
        max_bodies: most definitions to evaluate for each head; those whose first step rebuilds most facts
            that the base does not come first. Others are tried only where base and step are the same; what is
            left out is counted.
        max_tuples: a definition that derives more pairs is left out, and counted.
        repeats: whether a variable may occur more than once in a literal.
    """

    database: Database
    targets: Sequence[Target]
    latents: Mapping[int, Relation]
    acceptance: Acceptance
    statistics: DecoderStatistics = field(default_factory=DecoderStatistics)
    max_bodies: int | None = None
    max_tuples: int | None = None
    repeats: bool = True

    def run(self, advanced: Callable[[int, int], None]) -> Iterator[ListedBatch]:
        """Yield the accepted candidates; `advanced` is told how many heads are done, of how many."""
        targets = self.targets
        links: dict[int, _Links] = {}
        for done, target in enumerate(targets):
            advanced(done, len(targets))
            kind = target.types[0]
            if kind not in links:
                links[kind] = self._links(kind)
            found = list(self._definitions(target, links[kind], lambda: advanced(done, len(targets))))  # noqa: B023
            if found:
                yield ListedBatch.of(self.database, target, found)
        advanced(len(targets), len(targets))

    def _links(self, kind: int) -> _Links:
        views: list[View] = []
        pairs: list[Pairs] = []
        for index, latent in self.latents.items():
            for arguments, _ in argument_patterns(latent.types, (kind, kind), repeats=self.repeats):
                if {0, 1} <= set(arguments):
                    found = bindings_of(latent, arguments)
                    if found.rows:
                        first, second = found.project((0, 1), self.database.sizes)
                        views.append(View(index, arguments))
                        pairs.append((first, second))
        keys = [self._keys(kind, pair) for pair in pairs]
        owner = np.repeat(np.arange(len(keys)), [len(part) for part in keys])
        return _Links(kind, views, pairs, np.concatenate(keys) if keys else np.empty(0, np.int64), owner)

    def _keys(self, kind: int, pairs: Sequence[Column]) -> np.ndarray:
        return pack(pairs, (self.database.sizes[kind],) * 2)

    def _definitions(
        self, target: Target, links: _Links, alive: Callable[[], None]
    ) -> Iterator[tuple[DecoderBody, tuple[Column, ...], int, int, float]]:
        known = [self._keys(links.kind, table) for table in target.tables]
        for base, step, left in self._promising(target, links, known[0], alive):
            alive()
            columns = self._closed(links, base, step, left=left)
            if columns is None:
                self.statistics.limit += 1
                continue
            keys = self._keys(links.kind, columns)
            counts = [np.array([np.count_nonzero(inside(keys, table))]) for table in known]
            true, false = target.counts(np.array([len(keys)]), counts)
            kept = self.acceptance.mask(true, false)
            tally(self.statistics, true, kept)
            if kept[0]:
                body = DecoderBody((links.views[base],), step=links.views[step], left=left)
                worth = target.worth(true, counts)
                yield body, target.atoms(self.database, columns), int(true[0]), int(false[0]), float(worth[0])

    def _promising(
        self, target: Target, links: _Links, facts: np.ndarray, alive: Callable[[], None]
    ) -> list[tuple[int, int, bool]]:
        """Return base, step and side of definitions, those whose first step rebuilds most facts first."""
        found: list[tuple[int, int, int, bool]] = []
        for base, pairs in enumerate(links.pairs):
            alive()
            own = self._keys(links.kind, pairs)
            missing = [column[~inside(facts, own)] for column in target.facts]
            supported = bool(inside(own, facts).any())
            for left in (False, True):
                useful = self._useful_steps(links, pairs, missing, left=left)
                if not supported:
                    useful[:] = 0
                steps = set(np.flatnonzero(useful).tolist()) | {base}
                if left:
                    steps.discard(base)  # both sides of a transitive closure are the same
                found.extend((int(useful[step]), base, step, left) for step in sorted(steps))
        count = len(found) if self.max_bodies is None else min(self.max_bodies, len(found))
        every = len(links.views) * (2 * len(links.views) - 1)
        self.statistics.limit += every - count
        best = nlargest(count, found, key=lambda item: (item[0], -item[1], -item[2], not item[3]))
        return [(base, step, left) for _, base, step, left in best]

    def _useful_steps(
        self, links: _Links, base: Pairs, missing: Sequence[Column], *, left: bool
    ) -> np.ndarray:
        """Return for each view how many of its pairs, as a step, lead from the base to missing facts.

        Where that is too much to find out, every step counts as if one of its pairs did.
        """
        try:
            if left:
                fact, row = matching_rows(missing[0], base[0], self.max_tuples)
                needed = (base[1][row], missing[1][fact])
            else:
                fact, row = matching_rows(missing[1], base[1], self.max_tuples)
                needed = (missing[0][fact], base[0][row])
        except JoinTooLargeError:
            return np.ones(len(links.views), np.int64)
        hits = inside(links.keys, self._keys(links.kind, needed))
        return np.bincount(links.owner[hits], minlength=len(links.views))

    def _closed(self, links: _Links, base: int, step: int, *, left: bool) -> tuple[Column, ...] | None:
        def turned(pairs: tuple[Column, ...]) -> tuple[Column, ...]:
            return pairs[::-1] if left else pairs

        first, second = turned(links.pairs[base]), turned(links.pairs[step])
        try:
            return turned(closure(self.database, links.kind, first, second, self.max_tuples))
        except JoinTooLargeError:
            return None
