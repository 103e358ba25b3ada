"""Candidates and the problems made of them: all at once where that is possible, otherwise in rounds.

Where there are more latents than can be combined with each other at once, or where decoders are long, the
first problem holds the shortest ones. Each further round looks where the program found so far can still
gain: at the heads that lose facts, with the latents of that program and some that were not tried yet.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any

from logicoder.base.clock import Clock
from logicoder.base.stopping import StopToken
from logicoder.candidates.assemble import build_problem
from logicoder.candidates.batches import Batch, ListedBatch
from logicoder.candidates.pruning import Decoder
from logicoder.candidates.targets import Focus
from logicoder.learner.candidate_making import CandidateMaker
from logicoder.learner.rounds import CHAINED, Misses, Rounds, Tried, merged
from logicoder.learner.screened import MOST_DECODERS, ScreenedDecoders, form
from logicoder.learner.settings import Settings
from logicoder.learner.wishes import with_demands
from logicoder.problem.evaluate import violations
from logicoder.problem.model import Problem
from logicoder.selection import Solution

if TYPE_CHECKING:
    from logicoder.kb.knowledge_base import KnowledgeBase

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
        self._origins = origins or {}
        self._jobs = settings.jobs or available_cores()
        self._maker = CandidateMaker(kb, settings, clock, stop, self._jobs)
        self._screened: ScreenedDecoders | None = None
        self._judged: list[Decoder] = []
        self._present: list[Decoder] = []
        self._decoders: list[Decoder] = []
        self._rounds = Rounds(settings)

    def first_problem(self) -> Problem:
        """Enumerate and evaluate candidates, and return the problem of choosing among them."""
        with self._clock.phase("encoders") as counts:
            self._maker.make_latents()
            counts.update(asdict(self._maker.encoders.statistics))
        with self._clock.phase("decoders") as counts:
            first = self._rounds.first([len(latent.relation) for latent in self._maker.latents])
            if self._is_large(first):
                return self._first_screened(counts)
            batches = self._maker.pairs(first, self._settings.decoder_length)
            rest = [i for i in range(len(self._maker.latents)) if i not in set(first)]
            if rest:
                batches += self._maker.pairs(rest, 1)
            if self._settings.recursion:
                batches += self._maker.recursive(first)
            if self._settings.decoder_length > 2:
                # Of many latents, the shortest are combined into long bodies from the start.
                shortest = first[:CHAINED] if self._rounds.lazy else first
                batches += self._maker.long(shortest, sum(map(len, batches)), lazy=self._rounds.lazy)
            self._decoders = self._maker.chosen(batches, self._settings.max_decoders)
            counts.update(asdict(self._maker.statistics))
        return self._problem()

    def _is_large(self, numbers: Sequence[int]) -> bool:
        """Whether latents cannot be combined for all heads at once within the limits on work and memory."""
        tuples = sum(len(self._maker.latents[number].relation) for number in numbers)
        most = self._settings.max_work
        bits = len(numbers) * max(self._maker.database.sizes) ** 2 // 8
        if tuples * _VIEW_BYTES + min(bits, _BIT_BYTES) > self._maker.budget.part(0.5):
            return True
        return most is not None and tuples * len(self._kb.learnable) > most

    def _first_screened(self, counts: dict[str, int]) -> Problem:
        """Look for decoders head by head; the problem is exact unless `guided`."""
        self._screened = ScreenedDecoders(
            self._maker.database,
            self._kb.learnable,
            self._maker.encoders.language.predicates,
            self._maker.latents,
            self._settings,
            self._maker.budget,
            self._maker.statistics,
            partial(self._maker.chosen, thrifty=True),
            max(1, min(self._jobs, self._maker.budget.free // _HEAD_BYTES)),
        )
        self._rounds.screen(len(self._maker.latents))
        self._judged = self._screened.decoders(self._maker.decoders_advanced)
        self._decoders = list(self._judged)
        if self._screened.sampled:
            problem = self._screened.guide(self._problem())
        else:
            self._decoders = self._screened.listed(self._decoders, ())
            problem = self._problem()
        counts.update(asdict(self._maker.statistics))
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
            counts.update(asdict(self._maker.statistics))
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
            self._maker.signatures.clear()
            found = self._screened.decoders(self._maker.decoders_advanced, focus, used)
            heads = {decoder.predicate for decoder in found}
            self._judged = [*(d for d in self._judged if d.predicate not in heads), *found]
            self._decoders = list(self._judged)
            counts.update(asdict(self._maker.statistics))
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
                found = self._screened.decoders(self._maker.decoders_advanced, focus, used)
                found = self._screened.listed(found, (), share=_NEW_SHARE)
            else:
                found = self._tried(tried, used, focus, limit)
            self._decoders = merged(present, found, self._decoders, limit)
            counts.update(asdict(self._maker.statistics))
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
        found._settings, found._clock = settings, clock
        found._maker = self._maker.branch(settings, clock, stop)
        found._decoders = list(self._decoders)
        found._rounds = copy.deepcopy(self._rounds)
        return found

    def _misses(self, present: Sequence[Decoder]) -> Focus:
        """Return where a program still misses facts."""
        return Misses(self._maker.database, self._kb.learnable, present, self._counts).focus

    def _counts(self, decoder: Decoder) -> bool:
        """Whether what a decoder rebuilds is not missing: if masked facts count, it must be eligible."""
        if not self._settings.masks:
            return True
        predicates = self._maker.encoders.language.predicates
        head = self._kb.learnable[decoder.predicate]
        names = {
            predicates[p] for latent in decoder.latents for p in self._maker.latents[latent].dependencies
        }
        return head not in names.union(*(self._origins.get(name, ()) for name in names))

    def _tried(self, tried: Tried, used: Sequence[int], focus: Focus, limit: int | None) -> list[Decoder]:
        """Return the candidates of a round over some latents."""
        batches: list[Batch | ListedBatch] = []
        if tried.paired:
            batches += self._maker.pairs(sorted({*used, *tried.paired}), 2, focus)
        if tried.chained:
            batches += self._maker.long(used, None, focus, lazy=True)
            batches += self._maker.long(sorted({*used, *tried.chained}), None, focus, lazy=True)
        return self._maker.chosen(batches, None if limit is None else max(1, limit // _NEW_SHARE))

    def _problem(self) -> Problem:
        self._decoders.sort(key=lambda decoder: decoder.predicate)
        self._maker.statistics.decoders = len(self._decoders)
        with self._clock.phase("problem") as counts:
            problem = build_problem(
                self._maker.database,
                self._kb.learnable,
                self._maker.encoders.language,
                self._maker.latents,
                self._decoders,
                generality=self._settings.generality,
                reconstruct_all=self._settings.reconstruct_all,
                masking=self._settings.masks,
                origins=self._origins,
            )
            problem = self._settings.constrained(with_demands(problem, self._maker.wishes.required))
            counts.update(variables=problem.variables, atoms=problem.atoms, classes=len(problem.classes))
        return problem

    @property
    def complete(self) -> bool:
        """Whether all candidates of the language were looked at, apart from those counted as pruned."""
        return not self._rounds.lazy

    @property
    def counts(self) -> dict[str, Any]:
        """Counts of candidates, step by step."""
        encoders, decoders = self._maker.encoders.statistics, self._maker.statistics
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


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
