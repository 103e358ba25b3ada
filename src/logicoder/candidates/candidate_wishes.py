"""What is required or forbidden, in terms of candidates as they are enumerated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from logicoder.candidates.candidate_clauses import as_written, latent_name, written_decoder
from logicoder.candidates.candidate_options import CandidateOptions
from logicoder.candidates.encoders import Latent
from logicoder.candidates.language import EncoderLanguage
from logicoder.candidates.wishes import EncoderClause, Wishes
from logicoder.engine.handles import Decoder
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.logic.terms import Program

_WORLD = (0,)
"""The types of propositions."""


@dataclass(frozen=True)
class CandidateWishes:
    """Wishes about the candidates of one run.

    Attributes:
        required: what must be selected; it is protected from pruning.
        forbidden: what must not be selected; it is left out.
        language: the language of encoder candidates.
    """

    required: Wishes
    forbidden: Wishes
    language: EncoderLanguage

    @classmethod
    def of(cls, kb: KnowledgeBase, language: EncoderLanguage, options: CandidateOptions) -> CandidateWishes:
        """Read the wishes of the settings."""
        arities = {name: kb.schema[name].arity for name in kb.predicates}
        required, forbidden = (
            Wishes.of(given, arities, kb.learnable, option)
            for option, given in (("require", options.require), ("forbid", options.forbid))
        )
        return cls(required, forbidden, language)

    def _definition(self, latent: Latent, name: str = "latent") -> Program:
        own = [name] if latent.extension.types == _WORLD else []
        return as_written(latent.definition(name, self.language), {*self.language.propositions, *own})

    def is_forbidden(self, latent: Latent) -> bool:
        """Whether an encoder candidate is forbidden."""
        return self.forbidden.about_encoder(self._definition(latent))

    def is_protected(self, latent: Latent) -> bool:
        """Whether an encoder candidate is required, clause by clause."""
        return self.required.names_encoder(self._definition(latent))

    def wanted_latents(self, latents: Sequence[Latent]) -> list[int]:
        """Return the latents that are required by their clause: some decoders must use them."""
        wishes = [wish for wish in self.required.encoders if isinstance(wish, EncoderClause)]
        return self._fitting(latents, wishes) if wishes else []

    def protected_bodies(self, latents: Sequence[Latent]) -> list[frozenset[int]]:
        """Return the sets of latents of required decoders."""
        found: list[frozenset[int]] = []
        for decoder in self.required.decoders:
            parts = [self._fitting(latents, [encoder]) for _, encoder in decoder.definitions]
            if all(parts):
                found.append(frozenset(latent for part in parts for latent in part))
        return found

    def _fitting(self, latents: Sequence[Latent], wishes: Sequence[EncoderClause]) -> list[int]:
        return [
            number
            for number, latent in enumerate(latents)
            if any(wish.fits(self._definition(latent)) for wish in wishes)
        ]

    def allowed_decoders(self, latents: Sequence[Latent], decoders: list[Decoder]) -> list[Decoder]:
        """Return the decoder candidates that are not forbidden."""
        if not self.forbidden.decoders:
            return decoders
        used = {latent for decoder in decoders for latent in decoder.latents}
        names = {latent: latent_name(latent, self.language.predicates) for latent in used}
        definitions = {names[i]: self._definition(latents[i], names[i]) for i in used}
        own = (names[i] for i in used if latents[i].extension.types == _WORLD)
        propositions = {*self.language.propositions, *own}

        def forbidden(decoder: Decoder) -> bool:
            definition = written_decoder(decoder.head, decoder.body, names, propositions)
            return self.forbidden.about_decoder(definition, definitions)

        return [decoder for decoder in decoders if not forbidden(decoder)]
