"""Candidates and the problems made of them: all at once where that is possible, otherwise in rounds.

Where there are more latents than can be combined with each other at once, or where decoders are long, the
first problem holds the shortest ones. Each further round looks where the program found so far can still
gain: at the heads that lose facts, with the latents of that program and some that were not tried yet.
"""

from __future__ import annotations

import copy
import logging
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from logicoder.base.errors import SearchError
from logicoder.base.memory import MemoryBudget
from logicoder.base.progress import PhaseAdvanced
from logicoder.base.stopping import StopToken
from logicoder.candidates.assemble import build_problem
from logicoder.candidates.batches import Acceptance, Batch, DecoderStatistics, ListedBatch
from logicoder.candidates.decoders import PairEnumeration
from logicoder.candidates.deep import DeepEnumeration
from logicoder.candidates.dominance import undominated
from logicoder.candidates.encoders import EncoderEnumeration, Latent
from logicoder.candidates.language import database_with_constants
from logicoder.candidates.promises import Promises
from logicoder.candidates.pruning import Decoder, Signature, chosen_decoders
from logicoder.candidates.recursion import RecursiveEnumeration
from logicoder.candidates.targets import Focus
from logicoder.engine.relation import Relation
from logicoder.learner.candidate_wishes import CandidateWishes
from logicoder.learner.clock import Clock
from logicoder.learner.rounds import CHAINED, Misses, Rounds, Tried, merged
from logicoder.learner.screened import MOST_DECODERS, ScreenedDecoders, form
from logicoder.learner.settings import Settings
from logicoder.learner.wishes import with_demands
from logicoder.problem.evaluate import violations
from logicoder.problem.model import Problem
from logicoder.selection import Solution

if TYPE_CHECKING:
    from logicoder.kb.knowledge_base import KnowledgeBase

logger = logging.getLogger("logicoder")

_BODIES = 300
"""Bodies of one length that a round extends for each head."""

_VIEW_BYTES = 500
"""What a tuple of a latent takes in all views of it, over all kinds of heads."""

_HEAD_BYTES = 200 << 20
"""What the decoders of a head of large data take while they are evaluated."""

_BIT_BYTES = 1 << 29
"""The most that bit vectors of pairs of values take at a time."""

_NEW_SHARE = 4
"""One part in so many of the candidates of a problem is made anew in a round."""


class Enumeration:
    """The candidates of one run.

    Args:
        kb: the data.
        settings: what to consider.
        clock: times the phases.
        stop: ends the enumeration.
        origins: what predicates of the data were derived from, if they were.
    """

    def __init__(
        self,
        kb: KnowledgeBase,
        settings: Settings,
        clock: Clock,
        stop: StopToken,
        origins: Mapping[str, frozenset[str]] | None = None,
    ) -> None:
        settings.check_predicates(kb.learnable)
        self._kb = kb
        self._settings = settings
        self._clock = clock
        self._stop = stop
        self._origins = origins or {}
        self._database = database_with_constants(kb, settings.constants)
        self._wishes = CandidateWishes.of(self._database, kb, settings)
        self._latents: list[Latent] = []
        self._statistics = DecoderStatistics()
        self._budget = MemoryBudget.of(settings.max_memory, kb.size, len(kb.symbols))
        self._screened: ScreenedDecoders | None = None
        self._judged: list[Decoder] = []
        self._present: list[Decoder] = []
        self._signatures: set[Signature] = set()
        self._decoders: list[Decoder] = []
        self._rounds = Rounds(settings)

    # -- problems -------------------------------------------------------------------------------------

    def first_problem(self) -> Problem:
        """Enumerate and evaluate candidates, and return the problem of choosing among them."""
        with self._clock.phase("encoders") as counts:
            self._latents = self._encoders.run(self._encoders_advanced)
            counts.update(asdict(self._encoders.statistics))
        with self._clock.phase("decoders") as counts:
            first = self._rounds.first([len(latent.relation) for latent in self._latents])
            if self._is_large(first):
                return self._first_screened(counts)
            batches = self._pairs(first, self._settings.decoder_length)
            rest = [i for i in range(len(self._latents)) if i not in set(first)]
            if rest:
                batches += self._pairs(rest, 1)
            if self._settings.recursion:
                batches += self._recursive(first)
            if self._settings.decoder_length > 2:
                # Of many latents, the shortest are combined into long bodies from the start.
                shortest = first[:CHAINED] if self._rounds.lazy else first
                batches += self._long(shortest, sum(map(len, batches)), lazy=self._rounds.lazy)
            self._decoders = self._chosen(batches, self._settings.max_decoders)
            counts.update(asdict(self._statistics))
        return self._problem()

    def _is_large(self, numbers: Sequence[int]) -> bool:
        """Whether latents cannot be combined for all heads at once within the limits on work and memory."""
        tuples = sum(len(self._latents[number].relation) for number in numbers)
        most = self._settings.max_work
        bits = len(numbers) * max(self._database.sizes) ** 2 // 8
        if tuples * _VIEW_BYTES + min(bits, _BIT_BYTES) > self._budget.part(0.5):
            return True
        return most is not None and tuples * len(self._kb.learnable) > most

    def _first_screened(self, counts: dict[str, int]) -> Problem:
        """Look for decoders head by head; the problem is exact unless `guided`."""
        self._screened = ScreenedDecoders(
            self._database,
            self._kb.learnable,
            self._encoders.language.predicates,
            self._latents,
            self._settings,
            self._budget,
            self._statistics,
            self._chosen,
            max(1, min(self._settings.jobs or available_cores(), self._budget.free // _HEAD_BYTES)),
        )
        self._rounds.screen(len(self._latents))
        self._judged = self._screened.decoders(self._decoders_advanced)
        self._decoders = list(self._judged)
        if self._screened.sampled:
            problem = self._screened.guide(self._problem())
        else:
            self._decoders = self._screened.listed(self._decoders, ())
            problem = self._problem()
        counts.update(asdict(self._statistics))
        return problem

    @property
    def screened(self) -> bool:
        """Whether the data are large: each head was given some of the latents."""
        return self._screened is not None

    @property
    def guided(self) -> bool:
        """Whether the first problem is about samples: its program is a guide to the exact problem."""
        return self._screened is not None and self._screened.sampled > 0

    def exact_problem(self, solution: Solution | None) -> tuple[Problem, list[int] | None]:
        """Return the problem of all atoms and a start: the program so far, or else that of the samples."""
        assert self._screened is not None  # noqa: S101  (there was a first problem)
        guiding = [self._decoders[i] for i in solution.decoders] if solution is not None else []
        with self._clock.phase("decoders") as counts:
            listed = (*self._present, *self._screened.listed(self._judged, guiding))
            by_clause = {(form(decoder.target), decoder.body): decoder for decoder in reversed(listed)}
            self._decoders = list(by_clause.values())
            counts.update(asdict(self._statistics))
        problem = self._problem()
        program = self._present or guiding
        kept = {(form(decoder.target), decoder.body) for decoder in program}
        start = [n for n, d in enumerate(self._decoders) if (form(d.target), d.body) in kept]
        # What is good on samples, or was allowed before, need not be allowed here.
        allowed = start and len(start) == len(program) and not violations(problem, start)
        return problem, start if allowed else None

    def next_guide(self, solution: Solution | None) -> Problem | None:
        """Judge candidates again for heads that still lose facts, with those facts in the sample.

        Returns:
            a problem of samples, or None after the last round; `exact_problem` is to follow.
        """
        assert self._screened is not None  # noqa: S101  (there was a first problem)
        self._present = [self._decoders[i] for i in solution.decoders] if solution is not None else []
        focus = self._misses(self._present)
        used = sorted({latent for decoder in self._present for latent in decoder.latents})
        with self._clock.phase("decoders") as counts:
            if self._rounds.next(used) is None:
                return None
            self._signatures.clear()
            found = self._screened.decoders(self._decoders_advanced, focus, used)
            heads = {decoder.predicate for decoder in found}
            self._judged = [*(d for d in self._judged if d.predicate not in heads), *found]
            self._decoders = list(self._judged)
            counts.update(asdict(self._statistics))
        return self._screened.guide(self._problem())

    def next_problem(self, solution: Solution | None) -> tuple[Problem, list[int]] | None:
        """Look for candidates where a program can still gain; everywhere, if there is none yet.

        Returns:
            a problem that holds the program and new candidates, and the program as a selection from it; None
            where nothing is left to be tried.
        """
        present = [self._decoders[i] for i in solution.decoders] if solution is not None else []
        focus = self._misses(present)
        used = sorted({latent for decoder in present for latent in decoder.latents})
        with self._clock.phase("decoders") as counts:
            tried = self._rounds.next(used)
            if tried is None:
                return None
            limit = self._settings.max_decoders
            if self._screened is not None:
                limit = min(limit or MOST_DECODERS, MOST_DECODERS)
                found = self._screened.decoders(self._decoders_advanced, focus, used)
                found = self._screened.listed(found, (), share=_NEW_SHARE)
            else:
                found = self._tried(tried, used, focus, limit)
            self._decoders = merged(present, found, self._decoders, limit)
            counts.update(asdict(self._statistics))
        problem = self._problem()
        place = {id(decoder): number for number, decoder in enumerate(self._decoders)}
        return problem, [place[id(decoder)] for decoder in present]

    def branch(self, settings: Settings, clock: Clock, stop: StopToken) -> Enumeration:
        """Return the candidates so far for other bottlenecks; rounds of the two are independent from here on.

        Args:
            settings: the same but for compression and what concerns the search.
            clock: times the rounds.
            stop: ends them.
        """
        found = copy.copy(self)
        found._settings, found._clock, found._stop = settings, clock, stop
        found._statistics = replace(self._statistics)
        found._signatures = set(self._signatures)
        found._decoders = list(self._decoders)
        found._rounds = copy.deepcopy(self._rounds)
        return found

    def _misses(self, present: Sequence[Decoder]) -> Focus:
        """Return where a program still misses facts."""
        return Misses(self._database, self._kb.learnable, present, self._counts).focus

    def _counts(self, decoder: Decoder) -> bool:
        """Whether what a decoder rebuilds is not missing: if masked facts count, it must be eligible."""
        if not self._settings.masks:
            return True
        predicates = self._encoders.language.predicates
        head = self._kb.learnable[decoder.predicate]
        names = {predicates[p] for latent in decoder.latents for p in self._latents[latent].dependencies}
        return head not in names.union(*(self._origins.get(name, ()) for name in names))

    def _tried(self, tried: Tried, used: Sequence[int], focus: Focus, limit: int | None) -> list[Decoder]:
        """Return the candidates of a round over some latents."""
        batches: list[Batch | ListedBatch] = []
        if tried.paired:
            batches += self._pairs(sorted({*used, *tried.paired}), 2, focus)
        if tried.chained:
            batches += self._long(used, None, focus, lazy=True)
            batches += self._long(sorted({*used, *tried.chained}), None, focus, lazy=True)
        return self._chosen(batches, None if limit is None else max(1, limit // _NEW_SHARE))

    def _problem(self) -> Problem:
        self._decoders.sort(key=lambda decoder: decoder.predicate)
        self._statistics.decoders = len(self._decoders)
        with self._clock.phase("problem") as counts:
            problem = build_problem(
                self._database,
                self._kb.learnable,
                self._encoders.language,
                self._latents,
                self._decoders,
                generality=self._settings.generality,
                reconstruct_all=self._settings.reconstruct_all,
                masking=self._settings.masks,
                origins=self._origins,
            )
            problem = self._settings.constrained(with_demands(problem, self._wishes.required))
            counts.update(variables=problem.variables, atoms=problem.atoms, classes=len(problem.classes))
        return problem

    @property
    def complete(self) -> bool:
        """Whether all candidates of the language were looked at, apart from those counted as pruned."""
        return not self._rounds.lazy

    @property
    def counts(self) -> dict[str, Any]:
        """Counts of candidates, step by step."""
        encoders, decoders = self._encoders.statistics, self._statistics
        return {
            "encoders": encoders.encoders,
            "after_naming_variants": encoders.after_naming_variants,
            "decoders_evaluated": decoders.decoders_evaluated,
            "decoders": decoders.decoders,
            "rounds": self._rounds.done,
            "pruned": {
                "empty": encoders.empty,
                "too_large": encoders.too_large,
                "unevaluated": encoders.unevaluated,
                "over_bottleneck": encoders.over_bottleneck,
                "memory": encoders.memory,
                "forbidden": encoders.forbidden,
                "naming_variants": encoders.naming_variants,
                "unsupported": decoders.unsupported,
                "corruption": decoders.corruption,
                "repeated": decoders.repeated,
                "signature_variants": decoders.signature_variants,
                "extensions": decoders.extensions,
                "dominated": decoders.dominated,
                "limit": decoders.limit,
                "sampled_heads": self._screened.sampled if self._screened is not None else 0,
                "partly_combined": self._rounds.partly,
                "forbidden_decoders": decoders.forbidden_decoders,
            },
        }

    # -- candidates -----------------------------------------------------------------------------------

    @cached_property
    def _encoders(self) -> EncoderEnumeration:
        settings, kb = self._settings, self._kb
        return EncoderEnumeration(
            self._database,
            kb.predicates,
            settings.encoder_length,
            settings.max_latent_arity or max(1, *(kb.schema[name].arity for name in kb.predicates)),
            switches=settings.switches,
            merge_naming_variants=settings.naming_variants,
            limits=settings.encoder_limits(kb.size, self._budget),
            score=self._score,
            forbidden=self._wishes.is_forbidden if self._wishes.forbidden.encoders else None,
            protected=self._wishes.is_protected if self._wishes.required else None,
            jobs=self._settings.jobs or available_cores(),
        )

    def _score(self, latent: Latent) -> float:
        """Return how promising a latent is, where there is no memory for all."""
        return self._promises.scores({0: latent.relation})[0]

    @cached_property
    def _promises(self) -> Promises:
        return Promises(self._database, [self._database.relation(name) for name in self._kb.learnable])

    def _relations(self, numbers: Collection[int]) -> dict[int, Relation]:
        return {number: self._latents[number].relation for number in numbers}

    def _pairs(
        self, numbers: Collection[int], length: int, focus: Focus | None = None
    ) -> list[Batch | ListedBatch]:
        enumeration = PairEnumeration(
            self._database,
            self._kb.learnable,
            self._relations(numbers),
            length,
            self._acceptance,
            self._statistics,
            self._settings.switches,
            focus,
            jobs=self._settings.jobs or available_cores(),
        )
        return list(enumeration.run(self._decoders_advanced))

    def _long(
        self, numbers: Collection[int], found: int | None, focus: Focus | None = None, *, lazy: bool
    ) -> Iterator[ListedBatch]:
        limit, drop = self._settings.max_decoders, self._settings.drops_extensions
        crowded = found is None or (limit is not None and found > limit)
        return DeepEnumeration(
            self._database,
            self._kb.learnable,
            self._relations(numbers),
            self._settings.decoder_length,
            self._acceptance,
            self._statistics,
            min(_BODIES, self._settings.max_bodies or _BODIES) if lazy else self._settings.max_bodies,
            self._settings.max_tuples,
            drop_extensions=crowded if drop is None else drop,
            switches=self._settings.switches,
            focus=focus,
        ).run(self._decoders_advanced)

    def _recursive(self, numbers: Collection[int]) -> Iterator[ListedBatch]:
        return RecursiveEnumeration(
            self._database,
            self._kb.learnable,
            self._relations(numbers),
            self._acceptance,
            self._statistics,
            self._settings.max_bodies,
            self._settings.max_tuples,
        ).run(self._decoders_advanced)

    def _chosen(
        self,
        batches: Sequence[Batch | ListedBatch],
        limit: int | None,
        statistics: DecoderStatistics | None = None,
    ) -> list[Decoder]:
        """Return the candidates that the rules leave."""
        settings, wishes = self._settings, self._wishes
        statistics = statistics or self._statistics
        found = chosen_decoders(
            batches,
            self._weights,
            statistics,
            merge_signature_variants=settings.signature_variants,
            drop_extensions=settings.drops_extensions,
            max_decoders=limit,
            dispensable=self._dispensable,
            protected=wishes.protected_bodies(self._latents),
            wanted=wishes.wanted_latents(self._latents),
            seen=self._signatures,
            thrifty=self._screened is not None,
        )
        allowed = wishes.allowed_decoders(self._latents, found)
        statistics.forbidden_decoders += len(found) - len(allowed)
        if not settings.prunes_dominated:
            return allowed
        left = undominated(self._database, self._kb.learnable, allowed, self._dispensable)
        statistics.dominated += len(allowed) - len(left)
        return left

    @cached_property
    def _weights(self) -> np.ndarray:
        """Number of facts of each latent."""
        return np.array([len(latent.relation) for latent in self._latents], np.int64)

    def _dispensable(self, latent: int) -> bool:
        """Whether a latent may lose users: not where it is smaller than a bottleneck on the mean allows."""
        return self._least_mean is None or len(self._latents[latent].relation) >= self._least_mean

    @cached_property
    def _least_mean(self) -> Fraction | None:
        return self._settings.average_limit(self._kb.size, len(self._kb.learnable))

    @property
    def _acceptance(self) -> Acceptance:
        return Acceptance(self._settings.corruption)

    # -- progress -------------------------------------------------------------------------------------

    def _encoders_advanced(self, done: int) -> None:
        self._refuse_when_stopped()
        self._clock.report(PhaseAdvanced("encoders", done, self._encoders.total))

    def _decoders_advanced(self, done: int, total: int) -> None:
        self._refuse_when_stopped()
        self._clock.report(PhaseAdvanced("decoders", done, total))

    def _refuse_when_stopped(self) -> None:
        """End the enumeration; where there is no program yet, that is the end of the run."""
        if self._stop.reason == "interrupted":
            raise KeyboardInterrupt
        if self._stop.reason is not None:
            raise SearchError(
                "the time limit is long over and the candidates are not enumerated yet; allow more time "
                "(--time-limit), or ask for fewer: shorter clauses, --max-latent-arity, --types infer"
            )


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
