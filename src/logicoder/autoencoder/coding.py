"""Encoding and decoding by a pair of programs, wherever these come from."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence

from logicoder.autoencoder.explaining import Explainer
from logicoder.autoencoder.model import Model
from logicoder.autoencoder.reconstruction import Reconstruction
from logicoder.base.errors import InputError, UsageError
from logicoder.engine.programs import run_program
from logicoder.engine.signatures import program_schema
from logicoder.kb.knowledge_base import TRUTHS, KnowledgeBase
from logicoder.kb.schema import Predicate, Schema
from logicoder.learner.background import with_background
from logicoder.logic.terms import Program

_log = logging.getLogger("logicoder")


class Coding(Model):
    """A model of one encoder and one decoder.

    Attributes:
        background: a program that encoders may use, or its text.
        encoder_: the encoder program.
        decoder_: the decoder program.
        schema_: predicates and types of the data; None where they are those of the data each time.
    """

    background: Program | str | None
    encoder_: Program
    decoder_: Program
    schema_: Schema | None

    # -- the programs ---------------------------------------------------------------------------------

    def programs(self) -> list[tuple[Program, Program]]:
        """Return the encoder and the decoder, as the only layer."""
        self._require_programs()
        return [(self.encoder_, self.decoder_)]

    def background_predicates(self) -> set[str]:
        """Return the predicates that the background program defines: data need not have them."""
        return set(self.background_program().defined())

    def background_program(self) -> Program:
        """Return the background program; an empty one where there is none."""
        return self._background() or Program()

    def _background(self) -> Program | None:
        return (
            Program.parse(self.background, "<background>")
            if isinstance(self.background, str)
            else self.background
        )

    def _require_programs(self) -> None:
        if not hasattr(self, "encoder_"):
            raise UsageError("this AutoEncoder has no programs yet: call fit, load, or from_programs")

    # -- using ----------------------------------------------------------------------------------------

    def transform(self, X: KnowledgeBase | Iterable[KnowledgeBase]) -> KnowledgeBase:  # noqa: N803
        """Return the latent facts of a knowledge base; constants may be new.

        Predicates that the model does not know are left out, with a warning.
        """
        return self.encoded(X)[1]

    def inverse_transform(self, X: KnowledgeBase) -> KnowledgeBase:  # noqa: N803
        """Return the facts that the decoder derives from latent facts."""
        self._require_programs()
        if self.schema_ is not None:
            latent = X.with_schema(program_schema(self.encoder_, self.schema_))
        else:
            latent = self._with_all_latents(X)
        return self.decode(latent, self.schema_)

    def reconstruct(self, X: KnowledgeBase | Iterable[KnowledgeBase]) -> Reconstruction:  # noqa: N803
        """Encode and decode a knowledge base and compare: missing and false facts, loss, per predicate."""
        self._require_programs()
        kb = self._without_strangers(together(X))
        latent = self.transform(kb)
        schema = self.schema_ or kb.schema
        return Reconstruction(kb.with_schema(schema), self.decode(latent, schema), len(latent))

    def encoded(self, X: KnowledgeBase | Iterable[KnowledgeBase]) -> tuple[KnowledgeBase, KnowledgeBase]:  # noqa: N803
        """Return the data under the types of the model, background included, and the latent facts."""
        self._require_programs()
        kb = self._conforming(self._without_strangers(together(X)))
        return kb, run_program(self.encoder_, kb)

    def decode(self, latent: KnowledgeBase, schema: Schema | None) -> KnowledgeBase:
        """Return the facts that the decoder derives, under the types of a schema of the data."""
        return run_program(self.decoder_, latent, _learnable(schema) if schema is not None else None)

    def explainer(
        self,
        X: KnowledgeBase | Iterable[KnowledgeBase],  # noqa: N803
        above: Sequence[tuple[Program, Schema | None]] = (),
    ) -> Explainer:
        """Run the programs once and return what explains any number of atoms.

        Args:
            X: the data.
            above: programs of higher layers, between encoder and decoder, with the types of their heads.
        """
        self._require_programs()
        kb = self._without_strangers(together(X))
        background = self.background_program()
        names = set(background.defined())
        if self.schema_ is not None:
            schema = self.schema_
            kb = kb.with_schema(schema.restricted(set(schema) - names))
        else:
            schema = self._prepared(kb).schema
            kb = kb.restricted(set(kb.schema) - names)
        return Explainer(
            [Program((*background, *self.encoder_)), *(program for program, _ in above), self.decoder_],
            kb,
            outputs=[schema.restricted(names), *(types for _, types in above), _learnable(schema)],
            background=names,
        )

    # -- data under the types of the model ------------------------------------------------------------

    def known_part(self, kb: KnowledgeBase) -> KnowledgeBase:
        """Return the knowledge base without the predicates that the model does not know.

        Those that the background program defines are left out, too: they are derived. A model without a
        schema takes all predicates.
        """
        if self.schema_ is None:
            return kb
        known = set(self.schema_) - self.background_predicates()
        return kb if known.issuperset(kb.schema) else kb.restricted(known)

    def _without_strangers(self, kb: KnowledgeBase) -> KnowledgeBase:
        part = self.known_part(kb)
        strangers = (name for name in kb.schema if name not in part.schema)
        names = [name for name in strangers if any(kb.count(name, truth) for truth in TRUTHS)]
        if names and not any(part.count(truth=truth) for truth in TRUTHS):
            raise InputError(
                f"the model knows none of the predicates of this data: {', '.join(names)}",
                hint=f"it knows: {', '.join(self.schema_ or ())}",
            )
        if names:
            _log.warning("the model does not know these predicates, they are left out: %s", ", ".join(names))
        return part

    def _with_all_latents(self, latent: KnowledgeBase) -> KnowledgeBase:
        """Declare latent predicates without facts, which untyped data does not mention."""
        absent = [name for name in self.encoder_.defined() if name not in latent.schema]
        if not absent:
            return latent
        # Which types they have cannot be told, and one for all makes no difference to what is derived.
        arities = {**{n: p.arity for n, p in latent.schema.items()}, **self.encoder_.arities()}
        names = (*latent.schema, *absent)
        return latent.with_schema(Schema({n: Predicate(n, ("thing",) * arities[n]) for n in names}))

    def _conforming(self, kb: KnowledgeBase) -> KnowledgeBase:
        """Give new data the types that the programs were learned with, and add the background."""
        if self.schema_ is not None:
            kb = kb.with_schema(self.schema_.restricted(set(self.schema_) - self.background_predicates()))
        return self._prepared(kb, self.schema_)

    def _prepared(self, kb: KnowledgeBase, declared: Schema | None = None) -> KnowledgeBase:
        """Add what the background program derives."""
        background = self._background()
        return with_background(kb, background, declared) if background is not None else kb


def together(data: KnowledgeBase | Iterable[KnowledgeBase]) -> KnowledgeBase:
    """Return one knowledge base of one or several."""
    if isinstance(data, KnowledgeBase):
        return data
    try:
        parts = list(data)
    except TypeError:
        raise UsageError(f"expected a KnowledgeBase or a list of them, not {type(data).__name__}") from None
    for part in parts:
        if not isinstance(part, KnowledgeBase):
            raise UsageError(
                f"expected a KnowledgeBase or a list of them, not a list with {type(part).__name__}"
            )
    return parts[0] if len(parts) == 1 else KnowledgeBase.union(parts)


def _learnable(schema: Schema) -> Schema:
    return schema.restricted(name for name, predicate in schema.items() if not predicate.background)
