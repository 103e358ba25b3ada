"""Making candidates: the enumerations of encoders and decoders under the settings of one run."""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from logicoder.base.clock import Clock
from logicoder.base.errors import SearchError
from logicoder.base.memory import MemoryBudget
from logicoder.base.progress import PhaseAdvanced
from logicoder.base.stopping import StopToken
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
from logicoder.learner.settings import Settings

if TYPE_CHECKING:
    from logicoder.kb.knowledge_base import KnowledgeBase

_BODIES = 300
"""Bodies of one length that a round extends for each head."""


class CandidateMaker:
    """Makes the candidates of one run.

    Args:
        kb: the data.
        settings: what to consider.
        clock: told of progress.
        stop: ends the enumeration.
        jobs: number of threads.

    Attributes:
        database: the data by entities.
        wishes: what is required and forbidden.
        latents: the encoders, once they were made.
        statistics: counts of decoders.
        budget: how much memory there is.
        signatures: those of the decoders so far, of which there shall be no variants.
    """

    def __init__(
        self, kb: KnowledgeBase, settings: Settings, clock: Clock, stop: StopToken, jobs: int
    ) -> None:
        self._kb = kb
        self._settings = settings
        self._clock = clock
        self._stop = stop
        self._jobs = jobs
        self.database = database_with_constants(kb, settings.constants)
        self.wishes = CandidateWishes.of(self.database, kb, settings)
        self.latents: list[Latent] = []
        self.statistics = DecoderStatistics()
        self.budget = MemoryBudget.of(settings.max_memory, kb.size, len(kb.symbols))
        self.signatures: set[Signature] = set()

    def branch(self, settings: Settings, clock: Clock, stop: StopToken) -> CandidateMaker:
        """Return what makes further candidates under other settings, independently of this one."""
        found = copy.copy(self)
        found._settings, found._clock, found._stop = settings, clock, stop
        found.statistics = replace(self.statistics)
        found.signatures = set(self.signatures)
        return found

    # -- encoders -------------------------------------------------------------------------------------

    def make_latents(self) -> None:
        """Enumerate and evaluate the encoders."""
        self.latents = self.encoders.run(self._encoders_advanced)

    @cached_property
    def encoders(self) -> EncoderEnumeration:
        """The enumeration of encoders."""
        settings, kb = self._settings, self._kb
        return EncoderEnumeration(
            self.database,
            kb.predicates,
            settings.encoder_length,
            settings.max_latent_arity or max(1, *(kb.schema[name].arity for name in kb.predicates)),
            switches=settings.switches,
            merge_naming_variants=settings.naming_variants,
            limits=settings.encoder_limits(kb.size, self.budget),
            score=self._score,
            forbidden=self.wishes.is_forbidden if self.wishes.forbidden.encoders else None,
            protected=self.wishes.is_protected if self.wishes.required else None,
            jobs=self._jobs,
        )

    def _score(self, latent: Latent) -> float:
        """Return how promising a latent is, where there is no memory for all."""
        return self._promises.scores({0: latent.relation})[0]

    @cached_property
    def _promises(self) -> Promises:
        return Promises(self.database, [self.database.relation(name) for name in self._kb.learnable])

    # -- decoders -------------------------------------------------------------------------------------

    def _relations(self, numbers: Collection[int]) -> dict[int, Relation]:
        return {number: self.latents[number].relation for number in numbers}

    def pairs(
        self, numbers: Collection[int], length: int, focus: Focus | None = None
    ) -> list[Batch | ListedBatch]:
        """Return the decoders of one literal or two over some latents."""
        enumeration = PairEnumeration(
            self.database,
            self._kb.learnable,
            self._relations(numbers),
            length,
            self._acceptance,
            self.statistics,
            self._settings.switches,
            focus,
            jobs=self._jobs,
        )
        return list(enumeration.run(self.decoders_advanced))

    def long(
        self, numbers: Collection[int], found: int | None, focus: Focus | None = None, *, lazy: bool
    ) -> Iterator[ListedBatch]:
        """Make the decoders of three literals or more over some latents.

        Args:
            numbers: the latents.
            found: how many shorter candidates there are; None for more than can be kept.
            focus: what of each head is wanted.
            lazy: look at few bodies, since rounds follow.
        """
        limit, drop = self._settings.max_decoders, self._settings.drops_extensions
        crowded = found is None or (limit is not None and found > limit)
        return DeepEnumeration(
            self.database,
            self._kb.learnable,
            self._relations(numbers),
            self._settings.decoder_length,
            self._acceptance,
            self.statistics,
            min(_BODIES, self._settings.max_bodies or _BODIES) if lazy else self._settings.max_bodies,
            self._settings.max_tuples,
            drop_extensions=crowded if drop is None else drop,
            switches=self._settings.switches,
            focus=focus,
        ).run(self.decoders_advanced)

    def recursive(self, numbers: Collection[int]) -> Iterator[ListedBatch]:
        """Make the recursive decoders over some latents."""
        return RecursiveEnumeration(
            self.database,
            self._kb.learnable,
            self._relations(numbers),
            self._acceptance,
            self.statistics,
            self._settings.max_bodies,
            self._settings.max_tuples,
        ).run(self.decoders_advanced)

    def chosen(
        self,
        batches: Sequence[Batch | ListedBatch],
        limit: int | None,
        statistics: DecoderStatistics | None = None,
        *,
        thrifty: bool = False,
    ) -> list[Decoder]:
        """Return the candidates that the rules leave.

        Args:
            batches: what was enumerated.
            limit: most candidates to keep.
            statistics: counts, updated; those of the run unless given.
            thrifty: whether the data are large.
        """
        settings, wishes = self._settings, self.wishes
        statistics = statistics or self.statistics
        found = chosen_decoders(
            batches,
            self._weights,
            statistics,
            merge_signature_variants=settings.signature_variants,
            drop_extensions=settings.drops_extensions,
            max_decoders=limit,
            dispensable=self._dispensable,
            protected=wishes.protected_bodies(self.latents),
            wanted=wishes.wanted_latents(self.latents),
            seen=self.signatures,
            thrifty=thrifty,
        )
        allowed = wishes.allowed_decoders(self.latents, found)
        statistics.forbidden_decoders += len(found) - len(allowed)
        if not settings.prunes_dominated:
            return allowed
        left = undominated(self.database, self._kb.learnable, allowed, self._dispensable)
        statistics.dominated += len(allowed) - len(left)
        return left

    @cached_property
    def _weights(self) -> np.ndarray:
        """Number of facts of each latent."""
        return np.array([len(latent.relation) for latent in self.latents], np.int64)

    def _dispensable(self, latent: int) -> bool:
        """Whether a latent may lose users: not where it is smaller than a bottleneck on the mean allows."""
        return self._least_mean is None or len(self.latents[latent].relation) >= self._least_mean

    @cached_property
    def _least_mean(self) -> Fraction | None:
        return self._settings.average_limit(self._kb.size, len(self._kb.learnable))

    @property
    def _acceptance(self) -> Acceptance:
        return Acceptance(self._settings.corruption)

    # -- progress -------------------------------------------------------------------------------------

    def _encoders_advanced(self, done: int) -> None:
        self._refuse_when_stopped()
        self._clock.report(PhaseAdvanced("encoders", done, self.encoders.total))

    def decoders_advanced(self, done: int, total: int) -> None:
        """Report progress; end the run where somebody said stop."""
        self._refuse_when_stopped()
        self._clock.report(PhaseAdvanced("decoders", done, total))

    def _refuse_when_stopped(self) -> None:
        """End the enumeration; where there is no program yet, that is the end of the run."""
        if self._stop.reason == "interrupted":
            raise KeyboardInterrupt
        if self._stop.reason is not None:
            raise SearchError(
                "the time limit is long over and the candidates are not enumerated yet; allow more time "
                "(`time_limit`), or ask for fewer: shorter clauses, `max_latent_arity`, `types=infer`"
            )
