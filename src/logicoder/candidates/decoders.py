"""Decoder candidates of a run: counted by the engine, pruned by the rules of its settings."""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from logicoder.candidates.candidate_options import CandidateOptions
from logicoder.candidates.candidate_wishes import CandidateWishes
from logicoder.candidates.deep import DeepEnumeration
from logicoder.candidates.dominance import undominated
from logicoder.candidates.encoders import Latent
from logicoder.candidates.enumeration_watch import Watch
from logicoder.candidates.heads import heads_of
from logicoder.candidates.language import Switches
from logicoder.engine.clauses import Head
from logicoder.engine.handles import Counted, Decoder, Extension, Missed
from logicoder.engine.interface import Engine
from logicoder.engine.questions import Acceptance, Choice, DecoderQuestion, DecoderStatistics, Signature
from logicoder.kb.knowledge_base import KnowledgeBase

_BODIES = 300
"""Bodies of one length that a round extends for each head."""


@dataclass(frozen=True)
class Focus:
    """Where a program can still gain.

    Attributes:
        missed: the facts that it misses.
        predicates: the predicates of which it misses facts or derives false ones.
    """

    missed: Missed
    predicates: frozenset[str]


@dataclass
class DecoderSource:
    """Makes the decoder candidates of one run.

    Attributes:
        engine: holds the data.
        kb: the data.
        options: what to consider.
        watch: told of progress; ends the work where somebody said stop.
        wishes: what is required and forbidden.
        latents: the encoders.
        statistics: counts.
        signatures: those of the decoders so far, of which there shall be no variants.
    """

    engine: Engine
    kb: KnowledgeBase
    options: CandidateOptions
    watch: Watch
    wishes: CandidateWishes
    latents: Sequence[Latent]
    statistics: DecoderStatistics = field(default_factory=DecoderStatistics)
    signatures: set[Signature] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._weights = [latent.extension.size for latent in self.latents]
        least = self.options.average_limit(self.kb.size, len(self.kb.learnable))
        # Where a bottleneck is on the mean, latents that are smaller than it allows must not lose users.
        self._needed = [n for n, size in enumerate(self._weights) if least is not None and size < least]
        self._heads: dict[Switches, list[Head]] = {}

    def branch(self, options: CandidateOptions, watch: Watch) -> DecoderSource:
        """Return what makes further candidates under other settings, independently of this one."""
        found = copy.copy(self)
        found.options, found.watch = options, watch
        found.statistics = replace(self.statistics)
        found.signatures = set(self.signatures)
        return found

    def extensions(self, numbers: Iterable[int]) -> dict[int, Extension]:
        """Return what some latents derive."""
        return {number: self.latents[number].extension for number in numbers}

    def heads(self, switches: Switches, focus: Focus | None = None) -> list[Head]:
        """Return the heads, or those of predicates that can gain."""
        if switches not in self._heads:
            self._heads[switches] = heads_of(self.engine, self.kb.learnable, switches)
        return [h for h in self._heads[switches] if focus is None or h.predicate in focus.predicates]

    def pairs(self, numbers: Collection[int], length: int, focus: Focus | None = None) -> list[Counted]:
        """Return the decoders of one literal or two over some latents."""
        question = self._question(self.options.switches, numbers, length, focus)
        return list(self.engine.count(question, self.watch.decoders))

    def long(
        self, numbers: Collection[int], found: int | None, focus: Focus | None = None, *, lazy: bool
    ) -> Iterator[Counted]:
        """Make the decoders of three literals or more over some latents.

        Args:
            numbers: the latents.
            found: how many shorter candidates there are; None for more than can be kept.
            focus: where a program can still gain.
            lazy: look at few bodies, since rounds follow.
        """
        options = self.options
        limit, drop, bodies = options.max_decoders, options.drops_extensions, options.max_bodies
        crowded = found is None or (limit is not None and found > limit)
        return DeepEnumeration(
            self.engine,
            self._question(self._positive(options.constants), numbers, options.decoder_length, focus),
            min(_BODIES, bodies or _BODIES) if lazy else bodies,
            drop_extensions=crowded if drop is None else drop,
        ).run(self.watch.decoders)

    def recursive(self, numbers: Collection[int]) -> Iterator[Counted]:
        """Make the recursive decoders over some latents: those of binary heads over one type."""
        question = self._question(self._positive(), numbers, 3, None)
        heads = [h for h in question.heads if len(h.types) == 2 and h.types[0] == h.types[1]]
        return self.engine.count_recursive(replace(question, heads=heads), self.watch.decoders)

    def disjunctive(self, numbers: Collection[int], focus: Focus | None = None) -> Iterator[Counted]:
        """Make the decoders over some latents whose literals are alternatives."""
        options = self.options
        question = self._question(self._positive(options.constants), numbers, options.decoder_length, focus)
        return self.engine.count_disjunctive(question, self.watch.decoders)

    def _positive(self, constants: int = 0) -> Switches:
        """Return what clauses may hold that have no tests."""
        return Switches(constants, repeats=self.options.switches.repeats)

    def _question(
        self, switches: Switches, numbers: Collection[int], length: int, focus: Focus | None
    ) -> DecoderQuestion:
        return DecoderQuestion(
            self.heads(switches, focus),
            self.extensions(numbers),
            length,
            Acceptance(self.options.corruption),
            self.statistics,
            switches.negation,
            None if focus is None else focus.missed,
            most_joined=self.options.max_tuples,
            most_bodies=self.options.max_bodies,
            repeats=switches.repeats,
        )

    def pruned(
        self,
        counted: Sequence[Counted],
        limit: int | None,
        statistics: DecoderStatistics | None = None,
        *,
        thrifty: bool = False,
    ) -> list[Decoder]:
        """Return the candidates that the rules leave.

        Args:
            counted: what was accepted.
            limit: most candidates to keep.
            statistics: counts, updated; those of the run unless given.
            thrifty: whether the data are large.
        """
        options, wishes = self.options, self.wishes
        statistics = statistics or self.statistics
        choice = Choice(
            self._weights,
            limit,
            options.signature_variants,
            options.drops_extensions,
            self._needed,
            wishes.protected_bodies(self.latents),
            wishes.wanted_latents(self.latents),
            thrifty,
        )
        found = self.engine.choose(counted, choice, statistics, self.signatures)
        allowed = wishes.allowed_decoders(self.latents, found)
        statistics.forbidden_decoders += len(found) - len(allowed)
        if not options.prunes_dominated:
            return allowed
        left = undominated(self.engine, allowed, self._needed)
        statistics.dominated += len(allowed) - len(left)
        return left
