"""Candidates and the problems made of them: all at once where that is possible, otherwise in rounds.

Where there are more latents than can be combined with each other at once, or where decoders are long, the
first problem holds the shortest ones. Each further round looks where the program found so far can still
gain: at the heads that lose facts, with the latents of that program and some that were not tried yet.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cached_property

from logicoder.base.clock import Clock
from logicoder.base.machine import available_cores
from logicoder.base.memory import MemoryBudget
from logicoder.base.stopping import StopToken
from logicoder.candidates.assembly import Assembly
from logicoder.candidates.candidate_counts import CandidateCounts
from logicoder.candidates.candidate_options import CandidateOptions
from logicoder.candidates.candidate_wishes import CandidateWishes
from logicoder.candidates.decoders import DecoderSource, Focus
from logicoder.candidates.encoders import EncoderEnumeration, Latent
from logicoder.candidates.enumeration_watch import Watch
from logicoder.candidates.language import EncoderLanguage
from logicoder.candidates.large import MOST_DECODERS, LargeDecoders
from logicoder.candidates.rounds import CHAINED, Rounds, Tried, merged
from logicoder.candidates.wishes import with_demands
from logicoder.engine.handles import Counted, Decoder
from logicoder.engine.registry import DEFAULT, ENGINES
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.problem.evaluate import violations
from logicoder.problem.model import Problem

_VIEW_BYTES = 500
"""What a tuple of a latent takes in all views of it, over all kinds of heads."""

_BIT_BYTES = 1 << 29
"""The most that bit vectors of pairs of values take at a time."""

_NEW_SHARE = 4
"""One part in so many of the candidates of a problem is made anew in a round."""


class Enumeration:
    """The candidates of one run.

    Args:
        kb: the data.
        options: what to consider.
        clock: times the phases.
        stop: ends the enumeration.
        origins: what predicates of the data were derived from, if they were.
        engine: the name of the engine that holds the data.
    """

    def __init__(
        self,
        kb: KnowledgeBase,
        options: CandidateOptions,
        clock: Clock,
        stop: StopToken,
        origins: Mapping[str, frozenset[str]] | None = None,
        engine: str = DEFAULT,
    ) -> None:
        options.check_predicates(kb.learnable)
        self._kb = kb
        self._options = options
        self._clock = clock
        self._watch = Watch(clock, stop)
        self._origins = origins or {}
        self._jobs = options.jobs or available_cores()
        self._budget = MemoryBudget.of(options.max_memory, kb.size, len(kb.symbols))
        self._engine = ENGINES[engine](kb, constants=options.constants, jobs=self._jobs)
        self._language = EncoderLanguage(self._engine, kb.schema, kb.predicates, options.switches)
        self._wishes = CandidateWishes.of(kb, self._language, options)
        self._rounds = Rounds(options)
        self._places = {name: place for place, name in enumerate(kb.learnable)}
        self._large: LargeDecoders | None = None
        self._judged: list[Decoder] = []
        self._present: list[Decoder] = []
        self._decoders: list[Decoder] = []

    # -- the first problem ----------------------------------------------------------------------------

    def first_problem(self) -> Problem:
        """Enumerate and evaluate candidates, and return the problem of choosing among them."""
        with self._clock.phase("encoders") as counts:
            latents = self._encoders.run(lambda done: self._watch.encoders(done, self._encoders.total))
            counts.update(asdict(self._encoders.statistics))
        with self._clock.phase("decoders") as counts:
            self._source = DecoderSource(
                self._engine, self._kb, self._options, self._watch, self._wishes, latents
            )
            self._assembly = self._assembled(latents)
            first = self._rounds.first([latent.extension.size for latent in latents])
            if self._is_large(first):
                return self._first_of_large(counts)
            counted = self._source.pairs(first, self._options.decoder_length)
            if rest := [i for i in range(len(latents)) if i not in set(first)]:
                counted += self._source.pairs(rest, 1)
            if self._options.recursion:
                counted += self._source.recursive(first)
            if self._options.decoder_length > 2:
                # Of many latents, the shortest are combined into long bodies from the start.
                shortest = first[:CHAINED] if self._rounds.lazy else first
                counted += self._source.long(shortest, sum(map(len, counted)), lazy=self._rounds.lazy)
            if self._options.disjunctive_decoders:
                counted += self._source.disjunctive(first)
            self._decoders = self._source.pruned(counted, self._options.max_decoders)
            counts.update(asdict(self._source.statistics))
        return self._problem()

    @cached_property
    def _encoders(self) -> EncoderEnumeration:
        options, kb, wishes = self._options, self._kb, self._wishes
        return EncoderEnumeration(
            self._language,
            options.encoder_length,
            options.max_latent_arity or max(1, *(kb.schema[name].arity for name in kb.predicates)),
            merge_naming_variants=options.naming_variants,
            by_dependencies=options.dependency_variants,
            limits=options.encoder_limits(kb.size, self._budget),
            score=self._score,
            forbidden=wishes.is_forbidden if wishes.forbidden.encoders else None,
            protected=wishes.is_protected if wishes.required else None,
        )

    def _score(self, latent: Latent) -> float:
        """Return how promising a latent is, where there is no memory for all."""
        return self._engine.promises({0: latent.extension}, self._kb.learnable)[0]

    def _assembled(self, latents: Sequence[Latent]) -> Assembly:
        return Assembly(
            self._language,
            self._kb.learnable,
            latents,
            generality=self._options.generality,
            reconstruct_all=self._options.reconstruct_all,
            masking=self._options.masks,
            origins=self._origins,
        )

    def _is_large(self, numbers: Sequence[int]) -> bool:
        """Whether latents cannot be combined for all heads at once within the limits on work and memory."""
        tuples = sum(self._source.latents[number].extension.size for number in numbers)
        most = self._options.max_work
        bits = len(numbers) * max(self._engine.domain_sizes()) ** 2 // 8
        if tuples * _VIEW_BYTES + min(bits, _BIT_BYTES) > self._budget.part(0.5):
            return True
        return most is not None and tuples * len(self._kb.learnable) > most

    # -- large data -----------------------------------------------------------------------------------

    def _first_of_large(self, counts: dict[str, int]) -> Problem:
        """Look for decoders head by head; the problem is exact unless `guided`."""
        self._large = LargeDecoders(self._source, self._budget, self._jobs)
        self._rounds.screen(len(self._source.latents))
        self._judged = self._large.decoders()
        self._decoders = list(self._judged)
        if self._large.sampled:
            problem = self._large.guide(self._problem())
        else:
            self._decoders = self._large.listed(self._decoders, ())
            problem = self._problem()
        counts.update(asdict(self._source.statistics))
        return problem

    @property
    def large(self) -> bool:
        """Whether the data are large: each head was given some of the latents."""
        return self._large is not None

    @property
    def guided(self) -> bool:
        """Whether the first problem is about samples: its program is a guide to the exact problem."""
        return self._large is not None and self._large.sampled > 0

    def exact_problem(self, selected: Sequence[int] | None) -> tuple[Problem, list[int] | None]:
        """Return the problem of all atoms and a start: the program so far, or else that of the samples."""
        assert self._large is not None  # noqa: S101  (there was a first problem)
        guiding = [self._decoders[i] for i in selected or ()]
        with self._clock.phase("decoders") as counts:
            listed = (*self._present, *self._large.listed(self._judged, guiding))
            by_clause = {(decoder.head, decoder.body): decoder for decoder in reversed(listed)}
            self._decoders = list(by_clause.values())
            counts.update(asdict(self._source.statistics))
        problem = self._problem()
        program = self._present or guiding
        kept = {(decoder.head, decoder.body) for decoder in program}
        start = [n for n, d in enumerate(self._decoders) if (d.head, d.body) in kept]
        # What is good on samples, or was allowed before, need not be allowed here.
        allowed = start and len(start) == len(program) and not violations(problem, start)
        return problem, start if allowed else None

    def next_guide(self, selected: Sequence[int] | None) -> Problem | None:
        """Judge candidates again for heads that still lose facts, with those facts in the sample.

        Returns:
            a problem of samples, or None after the last round; `exact_problem` is to follow.
        """
        assert self._large is not None  # noqa: S101  (there was a first problem)
        self._present = [self._decoders[i] for i in selected or ()]
        focus, used = self._focus(self._present), _latents(self._present)
        with self._clock.phase("decoders") as counts:
            if self._rounds.next(used) is None:
                return None
            self._source.signatures.clear()
            found = self._large.decoders(focus, used)
            heads = {decoder.predicate for decoder in found}
            self._judged = [*(d for d in self._judged if d.predicate not in heads), *found]
            self._decoders = list(self._judged)
            counts.update(asdict(self._source.statistics))
        return self._large.guide(self._problem())

    # -- further rounds -------------------------------------------------------------------------------

    def next_problem(self, selected: Sequence[int] | None) -> tuple[Problem, list[int]] | None:
        """Look for candidates where a program can still gain; everywhere, if there is none yet.

        Returns:
            a problem that holds the program and new candidates, and the program as a selection from it; None
            where nothing is left to be tried.
        """
        present = [self._decoders[i] for i in selected or ()]
        focus, used = self._focus(present), _latents(present)
        with self._clock.phase("decoders") as counts:
            tried = self._rounds.next(used)
            if tried is None:
                return None
            limit = self._options.max_decoders
            if self._large is not None:
                limit = min(limit or MOST_DECODERS, MOST_DECODERS)
                found = self._large.listed(self._large.decoders(focus, used), (), share=_NEW_SHARE)
            else:
                found = self._tried(tried, used, focus, limit)
            self._decoders = merged(present, found, self._decoders, limit)
            counts.update(asdict(self._source.statistics))
        problem = self._problem()
        place = {id(decoder): number for number, decoder in enumerate(self._decoders)}
        return problem, [place[id(decoder)] for decoder in present]

    def branch(self, options: CandidateOptions, clock: Clock, stop: StopToken) -> Enumeration:
        """Return the candidates so far for other bottlenecks; rounds of the two are independent from here on.

        Args:
            options: the same but for compression and what concerns the search.
            clock: times the rounds.
            stop: ends them.
        """
        found = copy.copy(self)
        found._options, found._clock, found._watch = options, clock, Watch(clock, stop)
        found._source = self._source.branch(options, found._watch)
        found._assembly = self._assembled(self._source.latents)
        found._decoders = list(self._decoders)
        found._rounds = copy.deepcopy(self._rounds)
        return found

    def _focus(self, present: Sequence[Decoder]) -> Focus:
        """Return where a program can still gain."""
        missed = self._engine.missed([decoder for decoder in present if self._counts(decoder)])
        wrong = {decoder.predicate for decoder in present if decoder.false}
        return Focus(missed, frozenset(n for n, facts in missed.facts.items() if facts or n in wrong))

    def _counts(self, decoder: Decoder) -> bool:
        """Whether what a decoder rebuilds is not missing: if masked facts count, it must be eligible."""
        if not self._options.masks:
            return True
        latents = self._source.latents
        names = {self._kb.predicates[p] for latent in decoder.latents for p in latents[latent].dependencies}
        return decoder.predicate not in names.union(*(self._origins.get(name, ()) for name in names))

    def _tried(self, tried: Tried, used: Sequence[int], focus: Focus, limit: int | None) -> list[Decoder]:
        """Return the candidates of a round over some latents."""
        counted: list[Counted] = []
        if tried.paired:
            paired = sorted({*used, *tried.paired})
            counted += self._source.pairs(paired, 2, focus)
            if self._options.disjunctive_decoders:
                counted += self._source.disjunctive(paired, focus)
        if tried.chained:
            counted += self._source.long(used, None, focus, lazy=True)
            counted += self._source.long(sorted({*used, *tried.chained}), None, focus, lazy=True)
        return self._source.pruned(counted, None if limit is None else max(1, limit // _NEW_SHARE))

    def _problem(self) -> Problem:
        self._decoders.sort(key=lambda decoder: self._places[decoder.predicate])
        self._source.statistics.decoders = len(self._decoders)
        with self._clock.phase("problem") as counts:
            problem = self._assembly.problem(self._decoders)
            problem = self._options.constrained(with_demands(problem, self._wishes.required))
            counts.update(variables=problem.variables, atoms=problem.atoms, classes=len(problem.classes))
        return problem

    @property
    def complete(self) -> bool:
        """Whether all candidates of the language were looked at, apart from those counted as pruned."""
        return not self._rounds.lazy

    @property
    def counts(self) -> CandidateCounts:
        """Counts of candidates, step by step."""
        encoders, decoders = self._encoders.statistics, self._source.statistics
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
                "sampled_heads": self._large.sampled if self._large is not None else 0,
                "partly_combined": self._rounds.partly,
                "forbidden_decoders": decoders.forbidden_decoders,
            },
        }


def _latents(decoders: Sequence[Decoder]) -> list[int]:
    """Return the latents that some decoders use."""
    return sorted({latent for decoder in decoders for latent in decoder.latents})
