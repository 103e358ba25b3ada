"""Decoder candidates on large data: head by head, over the latents that promise most for it.

All pairs of all latents for all heads are too many where there are hundreds of predicates, and all their
atoms are too many where there are millions of facts. So each head gets some latents: those that rebuild many
of its facts alone, those that tell its facts from others by some argument, and pairs that lead from one
argument to another. Candidates over these are counted on a sample of the head's atoms if there are many.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from itertools import zip_longest

import numpy as np

from logicoder.candidates.batches import Acceptance, Batch, DecoderStatistics
from logicoder.candidates.decoders import PairEnumeration
from logicoder.candidates.language import Switches
from logicoder.candidates.links import Links
from logicoder.candidates.promises import Cover, Promises
from logicoder.candidates.pruning import Decoder
from logicoder.candidates.sampling import Sample
from logicoder.candidates.targets import Target
from logicoder.engine.database import Database
from logicoder.engine.relation import Relation

_REBUILDING = 12
"""Latents of a head that rebuild most of its facts alone, for either order of arguments."""

_TELLING = 4
"""Latents of a head that tell its facts from those of others by some of the arguments."""

_PAIRS = 12
"""Pairs of latents that lead from one argument of a head to the other."""

Choice = Callable[[Sequence[Batch], DecoderStatistics], list[Decoder]]
"""Chooses the decoders of a head from its accepted candidates."""


@dataclass
class HeadEnumeration:
    """Evaluates decoder candidates head by head.

    Attributes:
        database: the data.
        targets: the heads by predicate, those of a predicate together.
        latents: the latents, the most promising first.
        own: for each predicate the latents that mention no other predicate.
        length: greatest number of literals, one or two.
        acceptance: which candidates are kept.
        choice: chooses the decoders of a head.
        most_latents: most latents that are combined for a head.
        most_facts: most facts of a head that its candidates are judged by.
        most_links: most pairs of values by which latents that lead from one to the other are found.
        seed: seed of the samples.
        jobs: number of threads; the result does not depend on it.
        statistics: counts, updated.
    """

    database: Database
    targets: Mapping[int, Sequence[Target]]
    facts: Mapping[int, Relation]
    latents: Mapping[int, Relation]
    own: Mapping[int, Collection[int]]
    length: int
    acceptance: Acceptance
    switches: Switches
    choice: Choice
    most_latents: int
    most_facts: int
    most_links: int
    seed: int
    jobs: int
    statistics: DecoderStatistics = field(default_factory=DecoderStatistics)

    def run(self, advanced: Callable[[int, int], None]) -> list[Decoder]:
        """Return the chosen decoders; where a head was sampled, their atoms are those of the sample."""
        advanced(0, len(self.targets))
        found: list[Decoder] = []
        self._prepare()
        with ThreadPoolExecutor(self.jobs, "logicoder-heads") as pool:
            pending = [pool.submit(self._decoders, predicate) for predicate in self.targets]
            try:
                for done, future in enumerate(pending, start=1):
                    decoders, statistics = future.result()
                    found += decoders
                    self.statistics.add(statistics)
                    advanced(done, len(self.targets))
            finally:
                for future in pending:
                    future.cancel()
        return found

    def sampled(self, predicate: int) -> int:
        """Return one in how many values of a head's first variable its candidates are judged by."""
        total = max(len(target.facts[0]) for target in self.targets[predicate])
        return max(1, total // self.most_facts)

    def _prepare(self) -> None:
        """Make what all heads share before there are several threads."""
        if len(self.latents) > self.most_latents:
            _ = self._covers, self._links

    def _decoders(self, predicate: int) -> tuple[list[Decoder], DecoderStatistics]:
        latents = {n: self.latents[n] for n in self._latents_of(predicate)}
        by_types: dict[tuple[int, ...], list[Target]] = {}
        for target in self.targets[predicate]:
            by_types.setdefault(target.types, []).append(target)
        statistics = DecoderStatistics()
        batches: list[Batch] = []
        for types, targets in by_types.items():
            batches += self._batches(types, targets, latents, self.sampled(predicate), statistics)
        return self.choice(batches, statistics), statistics

    def _batches(
        self,
        types: tuple[int, ...],
        targets: Sequence[Target],
        latents: Mapping[int, Relation],
        every: int,
        statistics: DecoderStatistics,
    ) -> Iterator[Batch]:
        sample = None
        if every > 1:
            sample = Sample.of(
                self.database, types[0], every, self.seed, (self._missed(target) for target in targets)
            )
            latents = sample.near(self.database, latents)
            targets = [sample.target(target) for target in targets]
        facts = sum(len(target.facts[0]) for target in targets)
        if not facts:
            return iter(())
        return PairEnumeration(
            self.database,
            (),
            {number: relation for number, relation in latents.items() if len(relation)},
            self.length,
            self.acceptance,
            statistics,
            self.switches,
            targets={types: targets},
            sample=sample,
            most_meetings=_most_meetings(facts),
        ).run(lambda done, total: None)  # noqa: ARG005

    def _missed(self, target: Target) -> np.ndarray:
        """Return values of the first variable in facts that a present program misses: a sample needs some."""
        if target.wanted is None:
            return np.empty(0, np.int32)
        values = target.facts[0][target.wanted]
        return np.asarray(values[:: max(1, len(values) // self.most_facts)])

    # -- the latents of a head ------------------------------------------------------------------------

    @cached_property
    def _promises(self) -> Promises:
        return Promises(self.database, list(self.facts.values()))

    @cached_property
    def _covers(self) -> list[Cover]:
        return list(self._promises.covers(self.latents))

    @cached_property
    def _links(self) -> Links:
        return Links(self.database, self.latents, self.most_links)

    def _latents_of(self, predicate: int) -> list[int]:
        if len(self.latents) <= self.most_latents:
            return list(self.latents)
        rankings = list(self._rankings(predicate))
        mixed = (number for turn in zip_longest(*rankings) for number in turn if number is not None)
        return sorted(list(dict.fromkeys(mixed))[: self.most_latents])

    def _rankings(self, predicate: int) -> Iterator[list[int]]:
        place = list(self.facts).index(predicate)
        facts = self.facts[predicate]
        for cover in self._covers:
            total = cover.counts.sum(axis=1)
            for column, (other, columns) in enumerate(cover.places):
                if other != place:
                    continue
                counts = cover.counts[:, column]
                if len(columns) == facts.arity:
                    yield _top(cover.latents, 2 * counts - cover.sizes, counts, _REBUILDING)
                    yield _top(cover.latents, counts, counts, _REBUILDING // 2)
                else:
                    yield _top(cover.latents, 2 * counts - total, counts, _TELLING)
        if facts.arity == 2 and self.length > 1:
            pairs = self._links.pairs(facts, list(self.own.get(predicate, ())), _PAIRS)
            yield [number for pair in pairs for number in pair]


def _top(latents: np.ndarray, score: np.ndarray, counts: np.ndarray, count: int) -> list[int]:
    order = np.argsort(-score, kind="stable")[:count]
    return [int(latents[i]) for i in order.tolist() if counts[i] > 0]


def _most_meetings(facts: int) -> int:
    """Return the most tuples of a join over existentials: far more than facts would be mostly false."""
    return 12 * facts + 2_000
