"""An encoder and a decoder over data of certain types, and several of them on top of each other."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from logicoder.autoencoder.explainer import Explainer
from logicoder.autoencoder.reconstruction import Reconstruction
from logicoder.base.errors import InputError, UsageError
from logicoder.compression.bases import base_table
from logicoder.compression.plan import Plan
from logicoder.compression.plan_programs import Base
from logicoder.engine.programs import run_beside, run_program, with_derived
from logicoder.engine.signatures import program_schema
from logicoder.kb.knowledge_base import TRUTHS, KnowledgeBase
from logicoder.kb.schema import Predicate, Schema
from logicoder.kb.table import FactTable
from logicoder.learner.background import with_background
from logicoder.logic.terms import Atom, Clause, Literal, Program, Variable

_log = logging.getLogger("logicoder")


@dataclass(frozen=True)
class Layer:
    """A pair of programs, and what is kept beside what they derive.

    Attributes:
        encoder: defines the latent predicates.
        decoder: rebuilds the data from them.
        schema: predicates and types of the data; None where they are those of the data each time.
        background: a program that the encoder may use; an empty one where there is none.
        kept: predicates of the data that are kept as they are; the decoder may use them.
        bases: what is kept of relations that the decoder closes.
        plan: how the data is said in few bits, where that was learned.
        mapping: how tables became the predicates of the data, where they did, as plain data.
        format: the format of the files of facts, where it had to be named.
    """

    encoder: Program
    decoder: Program
    schema: Schema | None = None
    background: Program = field(default_factory=Program)
    kept: tuple[str, ...] = ()
    bases: tuple[Base, ...] = ()
    plan: Plan | None = None
    mapping: Mapping[str, Any] | None = field(default=None, compare=False)
    format: str | None = field(default=None, compare=False)

    @property
    def represented(self) -> tuple[str, ...]:
        """The predicates that represent the data: latent ones, kept ones and bases."""
        return (*self.encoder.defined(), *self.kept, *(base.name for base in self.bases))

    def origins(self) -> Program:
        """Return what the representation depends on: background, encoder, and a clause for each base."""
        arities = self.decoder.arities()
        bases = []
        for base in self.bases:
            arguments = tuple(Variable(f"X{place}") for place in range(arities.get(base.name, 2)))
            body = Literal(Atom(base.predicate, arguments))
            bases.append(Clause(Atom(base.name, arguments), ((body,),)))
        return Program((*self.background, *self.encoder, *bases))

    def encoded(self, kb: KnowledgeBase) -> tuple[KnowledgeBase, KnowledgeBase]:
        """Return the data under the types of the layer, background included, and the latent facts.

        Predicates that the layer does not know are left out, with a warning.
        """
        data = self.prepared(self.typed(self._without_strangers(kb)))
        latent = run_program(self.encoder, data)
        if not self.kept and not self.bases:
            return data, latent
        given = data.restricted(name for name in self.kept if name in data.schema)
        return data, with_derived(given, with_derived(self._base_facts(data, latent), latent))

    def _base_facts(self, data: KnowledgeBase, latent: KnowledgeBase) -> KnowledgeBase:
        """Return what is kept of predicates that the decoder rebuilds otherwise."""
        bases = [base for base in self.bases if base.predicate in data.schema]
        given = run_beside(self.given_clauses(bases), with_derived(data, latent))
        tables, predicates = {}, {}
        for base in bases:
            predicate = data.schema[base.predicate]
            derived = base.predicate in given.schema
            known = given.table(base.predicate) if derived else FactTable.empty(predicate.arity)
            tables[base.name] = base_table(base, data, known)
            predicates[base.name] = Predicate(base.name, predicate.types)
        return KnowledgeBase(Schema(predicates), data.symbols, data.interpretations, {"true": tables})

    def given_clauses(self, bases: Sequence[Base]) -> Program:
        """Return what derives atoms of predicates without their bases; and shorthands."""
        owners = {base.predicate: base.name for base in bases}
        found = []
        for clause in self.decoder:
            name, body = clause.head.predicate, clause.body_predicates()
            if name in owners:
                if not body & {name, owners[name]}:
                    found.append(clause)
            elif self.schema is not None and name not in self.schema:
                found.append(clause)
        return Program(tuple(found))

    def decoded(self, latent: KnowledgeBase, schema: Schema | None) -> KnowledgeBase:
        """Return the facts that are kept or derived, under the types of a schema of the data."""
        outputs = schema and _learnable(schema)
        derived = run_program(self.decoder, latent, outputs)
        if outputs is not None:  # shorthands of the decoder are nobody's business
            derived = derived.restricted(name for name in derived.schema if name in outputs)
        kept = [n for n in self.kept if n in latent.schema and (outputs is None or n in outputs)]
        return with_derived(latent.restricted(kept), derived) if kept else derived

    def inverse(self, latent: KnowledgeBase) -> KnowledgeBase:
        """Return the facts that the decoder derives from latent facts of any source."""
        return self.decoded(self.understood(latent), self.schema)

    def understood(self, latent: KnowledgeBase) -> KnowledgeBase:
        """Return latent facts of any source under the types that they have."""
        if self.schema is None:
            return self._with_all_latents(latent)
        return latent.with_schema(self.latent_schema(self.schema))

    def latent_schema(self, schema: Schema) -> Schema:
        """Return the types of what represents data of some types."""
        found = dict(program_schema(self.encoder, schema))
        found |= {name: schema[name] for name in self.kept if name in schema}
        found |= {b.name: Predicate(b.name, schema[b.predicate].types) for b in self.bases}
        return Schema(found)

    # -- data under the types of the layer ------------------------------------------------------------

    def known_part(self, kb: KnowledgeBase) -> KnowledgeBase:
        """Return the knowledge base without the predicates that the layer does not know.

        Those that the background program defines are left out, too: they are derived. A layer without a
        schema takes all predicates.
        """
        if self.schema is None:
            return kb
        known = set(self.schema) - set(self.background.defined())
        return kb if known.issuperset(kb.schema) else kb.restricted(known)

    def prepared(self, kb: KnowledgeBase) -> KnowledgeBase:
        """Return the data with what the background program derives from it."""
        return with_background(kb, self.background, self.schema) if len(self.background) else kb

    def with_known(self, kb: KnowledgeBase) -> KnowledgeBase:
        """Return the data with what the background program derives, whatever they say of it themselves."""
        defined = set(self.background.defined())
        return self.prepared(kb.restricted(set(kb.schema) - defined)) if defined else kb

    def typed(self, kb: KnowledgeBase) -> KnowledgeBase:
        """Return the data with the types that the programs were learned with."""
        if self.schema is None:
            return kb
        return kb.with_schema(self.schema.restricted(set(self.schema) - set(self.background.defined())))

    def _without_strangers(self, kb: KnowledgeBase) -> KnowledgeBase:
        part = self.known_part(kb)
        strangers = (name for name in kb.schema if name not in part.schema)
        names = [name for name in strangers if any(kb.count(name, truth) for truth in TRUTHS)]
        if names and not any(part.count(truth=truth) for truth in TRUTHS):
            raise InputError(
                f"the model knows none of the predicates of this data: {', '.join(names)}",
                hint=f"it knows: {', '.join(self.schema or ())}",
            )
        if names:
            _log.warning("the model does not know these predicates, which are left out: %s", ", ".join(names))
        return part

    def _with_all_latents(self, latent: KnowledgeBase) -> KnowledgeBase:
        """Declare latent predicates without facts, which untyped data does not mention."""
        absent = [name for name in self.represented if name not in latent.schema]
        if not absent:
            return latent
        # Which types they have cannot be told, and one for all makes no difference to what is derived.
        mentioned = {**self.decoder.arities(), **self.encoder.arities()}
        arities = {**{n: p.arity for n, p in latent.schema.items()}, **mentioned}
        absent = [name for name in absent if name in arities]
        names = (*latent.schema, *absent)
        return latent.with_schema(Schema({n: Predicate(n, ("thing",) * arities[n]) for n in names}))

    def explained(self, kb: KnowledgeBase, above: Sequence[Layer]) -> Explainer:
        """Run the programs of this layer and those above it, and return what explains atoms."""
        kb = self._without_strangers(kb)
        names = set(self.background.defined())
        schema = self.prepared(kb).schema if self.schema is None else self.schema
        data = kb.restricted(set(kb.schema) - names) if self.schema is None else self.typed(kb)
        if self.bases:
            known = self.prepared(data)
            bases = self._base_facts(known, run_program(self.encoder, known))
            # What is kept of a relation is read like data, but nobody has to rebuild it.
            marked = {name: replace(own, background=True) for name, own in bases.schema.items()}
            data = with_derived(data, bases.with_schema(Schema(marked)))
        programs, outputs = self.read_in_turn(schema, above)
        return Explainer(programs, data, outputs=outputs, **self.told_apart())

    def read_in_turn(
        self, schema: Schema, above: Sequence[Layer]
    ) -> tuple[list[Program], list[Schema | None]]:
        """Return the programs of which each reads what the one before derives, and the types of heads."""
        rebuilt = _learnable(schema)
        programs = [
            Program((*self.background, *self.encoder)),
            *(layer.encoder for layer in above),
            *(layer.decoder for layer in reversed(above)),
            self.decoder,
        ]
        outputs = [
            schema.restricted(self.background.defined()),
            *(None for _ in above),
            *(layer.schema for layer in reversed(above)),
            rebuilt.restricted(set(rebuilt) - set(self.kept)),
        ]
        return programs, outputs

    def told_apart(self) -> dict[str, Collection[str]]:
        """Return what an explainer is to know of predicates: background, kept ones, and what is left over."""
        return {
            "background": self.background.defined(),
            "kept": (*self.kept, *(base.name for base in self.bases)),
            "left_over": [base.name for base in self.bases if base.form == "rest"],
        }


# -- layers on top of each other ----------------------------------------------------------------------


def encode_through(layers: Sequence[Layer], kb: KnowledgeBase) -> list[KnowledgeBase]:
    """Return the data under the types of the model, background included, and the facts of each layer."""
    levels = list(layers[0].encoded(kb))
    for layer in layers[1:]:
        levels.append(layer.encoded(levels[-1])[1])
    return levels


def decode_through(layers: Sequence[Layer], latent: KnowledgeBase) -> KnowledgeBase:
    """Return the facts that the decoders derive from facts of the topmost latent predicates."""
    facts = layers[-1].inverse(latent)
    for layer in reversed(layers[:-1]):
        # A decoder may have auxiliary predicates; only the latent ones concern the layer below.
        facts = layer.inverse(facts.restricted(layer.represented))
    return facts


def reconstruct_through(
    layers: Sequence[Layer], kb: KnowledgeBase, levels: Sequence[KnowledgeBase]
) -> Reconstruction:
    """Decode the facts of the topmost layer and compare what comes back with the data.

    Args:
        layers: the layers, the one that reads the data first.
        kb: the data.
        levels: what `encode_through` made of it.
    """
    known = layers[0].known_part(kb)
    data = known.with_schema(layers[0].schema or known.schema)
    back = levels[-1]
    for layer, level in zip(reversed(layers[1:]), reversed(levels[1:-1]), strict=True):
        back = layer.decoded(back, level.schema).restricted(level.schema).with_schema(level.schema)
    return Reconstruction(data, layers[0].decoded(back, data.schema), levels[-1])


def together(data: KnowledgeBase | Iterable[KnowledgeBase]) -> KnowledgeBase:
    """Return one knowledge base of one or several."""
    if isinstance(data, KnowledgeBase):
        return data
    try:
        parts = list(data)
    except TypeError:
        raise _no_data(type(data).__name__) from None
    for part in parts:
        if not isinstance(part, KnowledgeBase):
            listed = isinstance(data, list | tuple)
            raise _no_data(f"a list with {type(part).__name__}" if listed else type(data).__name__)
    return parts[0] if len(parts) == 1 else KnowledgeBase.union(parts)


def _no_data(given: str) -> UsageError:
    ways = "from_frames({'cars': frame}), from_path, from_sql and from_facts"
    return UsageError(
        f"expected a KnowledgeBase or a list of them, not {given}; KnowledgeBase.{ways} make one"
    )


def _learnable(schema: Schema) -> Schema:
    return schema.restricted(name for name, predicate in schema.items() if not predicate.background)
