"""An encoding that follows its data: latent facts, exceptions and bits, up to date after every change.

What a change costs depends on the facts that come and go and on the joins that they touch; of a relation
that is closed, on the pieces that they touch. Everything is made again for models and data that have more
than this module counts (see `Followed.counts`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from logicoder.autoencoder.exceptions_file import Exceptions
from logicoder.autoencoder.following.derived_predicates import views_of
from logicoder.autoencoder.following.fact_store import FactStore, Row
from logicoder.autoencoder.following.message_bits import MessageCounts
from logicoder.autoencoder.following.rebuilt import RebuiltClosure, rebuilt_by
from logicoder.autoencoder.layer import Layer
from logicoder.autoencoder.lossless import LosslessEncoding, encode_losslessly, facts_hash, fingerprint
from logicoder.autoencoder.lossless_bits import Bits
from logicoder.base.errors import InputError
from logicoder.compression.plan import Plan
from logicoder.engine.programs import run_program
from logicoder.kb.knowledge_base import TRUTHS, KnowledgeBase
from logicoder.kb.schema import Schema
from logicoder.kb.table import FactTable
from logicoder.logic.terms import Program


@dataclass(frozen=True)
class Change:
    """What an update did.

    Attributes:
        added: facts that came.
        removed: facts that went.
        ignored: facts to be added that were there, and facts to be removed that were not.
        facts: how many there are now.
        bits: what the encoding costs now.
    """

    added: int
    removed: int
    ignored: int
    facts: int
    bits: Bits


class Followed:
    """Data in their encoding by a model of one layer.

    >>> from logicoder import AutoEncoder
    >>> pairs = [(f"e{i}", f"e{(7 * i + 3) % 40}") for i in range(40)]
    >>> kb = KnowledgeBase.from_facts({"likes": pairs, "liked": [(y, x) for x, y in pairs]})
    >>> followed = AutoEncoder().fit(kb).follow(kb)
    >>> change = followed.update(remove=KnowledgeBase.from_facts([("likes", "e0", "e3")]))
    >>> change.removed, change.facts, followed.encoding().exceptions.counts()["false"]
    (1, 79, 1)

    Args:
        layer: the programs.
        kb: the data; predicates that the model does not know are refused.

    Attributes:
        store: the facts.
        counts: what the bits depend on, kept up to date fact by fact; None where everything is encoded anew
            each time: for models without a plan, and where atoms are listed as false or unknown or
            predicates have no arguments.
    """

    def __init__(self, layer: Layer, kb: KnowledgeBase) -> None:
        strangers = sorted(set(kb.schema) - set(layer.schema or kb.schema))
        if strangers:
            raise InputError(f"the model does not know the predicate {strangers[0]}")
        self._layer = layer
        self._load(layer.typed(kb))

    # -- loading ----------------------------------------------------------------------------------------

    def _load(self, kb: KnowledgeBase) -> None:
        layer = self._layer
        self._schema = kb.schema
        self._doubtful = {truth: {n: kb.table(n, truth) for n in kb.schema} for truth in TRUTHS[1:]}
        self._symbols = list(kb.symbols)
        self._ids = {symbol: number for number, symbol in enumerate(self._symbols)}
        self._worlds = {name: number for number, name in enumerate(kb.interpretations)}
        encoding = encode_losslessly([layer], kb)
        self._latent_schema = encoding.latent.schema
        self.store = FactStore(self._symbols)
        for name in kb.schema:
            self.store.load(name, self._rows(kb, name))
        self.counts: MessageCounts | None = None
        doubtful = any(len(table) for own in self._doubtful.values() for table in own.values())
        propositions = any(not predicate.arity for predicate in kb.schema.values())
        odd = doubtful or propositions or layer.plan is None
        rebuilt_all = None if odd else rebuilt_by(layer, self._schema, self._number)
        if layer.plan is None or rebuilt_all is None:
            self._encoding = encoding
            return
        self._rebuilt = rebuilt_all
        known = layer.prepared(kb)
        self._known_schema = known.schema
        self._load_views(layer.plan, known, encoding.latent)
        self.counts = MessageCounts(layer.plan, known, self.store, self._number)
        listed, false = encoding.exceptions.listed, encoding.exceptions.false
        bases = {base.predicate: base.name for base in layer.bases}
        for name, rebuilt in self._rebuilt.items():
            if isinstance(rebuilt, RebuiltClosure):
                rebuilt.load(self.store)
            else:
                kept = self._rows(encoding.latent, bases[name]) if name in bases else ()
                rebuilt.load(kept, self._rows(listed, name), self._rows(false, name))
        rules = [rule for view in self._views for rule in view.rules()]
        rules += [rule for rebuilt in self._rebuilt.values() for rule in rebuilt.rules]
        for rule in (*rules, *self.counts.rules()):
            rule.prepare(self.store)

    def _load_views(self, plan: Plan, known: KnowledgeBase, latent: KnowledgeBase) -> None:
        """Take what follows by clauses: from a background program, and latent predicates."""
        layer, encoded = self._layer, self._layer.encoder.defined()
        for name in layer.background.defined():
            self.store.load(name, self._rows(known, name))
        for name in encoded:
            self.store.load(name, self._rows(latent, name))
        others = Program(tuple(clause for own in plan.latents for clause in own.clauses()))
        if others.defined():
            derived = run_program(others, known)
            for name in others.defined():
                self.store.load(name, self._rows(derived, name))
        clauses = [clause for clause in others if clause.head.predicate not in encoded]
        self._views = views_of(Program((*layer.background, *layer.encoder, *clauses)), self._number)

    def _number(self, symbol: str) -> int:
        found = self._ids.setdefault(symbol, len(self._symbols))
        if found == len(self._symbols):
            self._symbols.append(symbol)
        return found

    def _rows(self, kb: KnowledgeBase, name: str) -> Iterator[Row]:
        """Iterate over the facts of a predicate, in the numbers of this encoding."""
        table = kb.table(name)
        if kb.symbols != tuple(self._symbols[: len(kb.symbols)]):
            numbers = np.array([self._number(symbol) for symbol in kb.symbols] or [0])
            table = FactTable(table.worlds, numbers[table.arguments].astype(np.int32))
        worlds = [self._worlds[interpretation] for interpretation in kb.interpretations]
        columns = table.arguments.T.tolist()
        return zip((worlds[world] for world in table.worlds.tolist()), *columns, strict=True)

    # -- changing ---------------------------------------------------------------------------------------

    def update(self, add: KnowledgeBase | None = None, remove: KnowledgeBase | None = None) -> Change:
        """Take facts away, then add others.

        Raises:
            InputError: for predicates or interpretations that are not known, before anything is changed.
        """
        before = set(self._worlds.values())
        gone = set(self._given(remove, "remove"))
        come = set(self._given(add, "add"))
        net_gone = {(n, row) for n, row in gone - come if self.store.holds(n, row)}
        net_come = {(n, row) for n, row in come if not self.store.holds(n, row)}
        new_worlds = sorted(set(self._worlds.values()) - before)
        for name, row in net_come:
            self.store.add(name, row)
        for name, row in net_gone:
            self.store.remove(name, row)
        if self.counts is None:
            self.store.settle()
            self._load(self.data())
        else:
            self._work_in(self.counts, new_worlds)
        ignored = len(gone) + len(come) - len(net_gone) - len(net_come)
        facts = sum(len(self.store.rows(n)) for n, own in self._schema.items() if not own.background)
        return Change(len(net_come), len(net_gone), ignored, facts, self.bits)

    def _given(self, kb: KnowledgeBase | None, what: str) -> Iterator[tuple[str, Row]]:
        if kb is None:
            return
        for name in kb.schema:
            known = self._schema.get(name)
            if (
                known is None
                or known.arity != kb.schema[name].arity
                or name in self._layer.background.defined()
            ):
                raise InputError(f"there is no predicate {name}/{kb.schema[name].arity} to {what} facts of")
        strangers = [world for world in kb.interpretations if world not in self._worlds]
        if strangers and what == "add":
            for world in strangers:
                self._worlds[world] = len(self._worlds)
        elif strangers:
            raise InputError(f"there is no interpretation {strangers[0]} to remove facts from")
        for name in kb.schema:
            for row in self._rows(kb, name):
                yield name, row

    def _work_in(self, counts: MessageCounts, worlds: Iterable[int]) -> None:
        store = self.store
        for view in self._views:
            for world in worlds:
                view.enter(store, world)
            view.update(store, self._run)
        for rebuilt in self._rebuilt.values():
            rebuilt.update(store)
        counts.update(store)
        store.settle()

    def _run(self, program: Program) -> dict[str, Iterator[Row]]:
        """Return what a program derives from the facts as they will be."""
        defined = program.defined()
        reads = {name for clause in program for name in clause.body_predicates()}.difference(defined)
        schema = self._known_schema.restricted(reads)
        inputs = self._knowledge_base(schema, {name: self.store.rows_now(name) for name in schema})
        derived = run_program(program, inputs, self._known_schema.restricted(defined))
        return {name: self._rows(derived, name) for name in defined}

    # -- what there is ----------------------------------------------------------------------------------

    @property
    def bits(self) -> Bits:
        """What the encoding costs, beside the plain facts."""
        return self._encoding.bits if self.counts is None else self.counts.bits(self.store)

    def data(self) -> KnowledgeBase:
        """Return the data as they are now."""
        return self._part(self._schema)

    def _part(self, names: Iterable[str]) -> KnowledgeBase:
        wanted = set(names)
        schema = self._schema.restricted([name for name in self._schema if name in wanted])
        tables = {name: self._table(self.store.rows(name), schema[name].arity) for name in schema}
        others = {t: {n: own[n] for n in schema} for t, own in self._doubtful.items()}
        return KnowledgeBase(schema, self._symbols, list(self._worlds), {"true": tables, **others})

    def encoding(self) -> LosslessEncoding:
        """Return the encoding as it is now."""
        if self.counts is None:
            return self._encoding
        layer = self._layer
        data = self.data()
        bases = {base.name: self._rebuilt[base.predicate].base for base in layer.bases}
        latent = self._knowledge_base(
            self._latent_schema, {n: bases.get(n, self.store.rows(n)) for n in self._latent_schema}
        )
        missing = {name: self._rebuilt[name].missing for name in self._schema}
        false = {name: self._rebuilt[name].false for name in self._schema}
        exceptions = Exceptions(
            listed=self._knowledge_base(self._schema, missing),
            false=self._knowledge_base(self._schema, false),
            latent_schema=self._latent_schema,
            model_hash=fingerprint([layer]),
            latent_hash=facts_hash(latent),
        )
        return LosslessEncoding(latent, exceptions, data, (layer,))

    def _knowledge_base(self, schema: Schema, rows: Mapping[str, Iterable[Row]]) -> KnowledgeBase:
        tables = {name: self._table(rows[name], schema[name].arity) for name in schema}
        return KnowledgeBase(schema, self._symbols, list(self._worlds), {"true": tables})

    def _table(self, rows: Iterable[Row], arity: int) -> FactTable:
        found = np.array(sorted(rows), np.int32).reshape(-1, arity + 1)
        return FactTable(found[:, 0].copy(), found[:, 1:].copy())
