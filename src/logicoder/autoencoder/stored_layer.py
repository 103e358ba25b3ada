"""A layer over data that stay where they are: encoding, decoding and exceptions inside their system."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from logicoder.autoencoder.layer import Layer
from logicoder.autoencoder.predicate_scores import PredicateScore
from logicoder.base.errors import one_line
from logicoder.engine.programs import beside, derived_beside
from logicoder.engine.signatures import program_schema
from logicoder.engine.sql.closures import Closures
from logicoder.engine.sql.relations import Relation, empty, listed
from logicoder.kb.schema import Schema
from logicoder.logic.parser import parse_program
from logicoder.logic.strata import strata

if TYPE_CHECKING:
    from logicoder.compression.plan_programs import Base
    from logicoder.engine.sql.stored_data import StoredData

_log = logging.getLogger("logicoder")

Relations = dict[str, Relation]
Correct = Callable[[str, Relation | None], Relation]
"""Returns the facts of a predicate, given what was derived of it, if anything was."""


@dataclass(frozen=True)
class StoredExceptions:
    """What makes the data come back exactly, a table for each predicate.

    Attributes:
        missing: facts that are not derived.
        false: atoms that are derived and no facts.
    """

    missing: Mapping[str, Relation]
    false: Mapping[str, Relation]


def prepared(layer: Layer, data: StoredData) -> StoredData:
    """Return the data under the types of a layer, with what its background program derives.

    Predicates that the layer does not know are left out, with a warning.
    """
    schema = layer.schema
    if schema is None:
        made = data.runs.run(layer.background, data.relations)
        schema = data.known_schema
        types = program_schema(layer.background, schema)
        marked = {name: replace(own, background=True) for name, own in types.items()}
        return data.of_schema(Schema({**schema.predicates, **marked}, schema.domains), made)
    strangers = [name for name in data.relations if name not in schema]
    if strangers:
        _log.warning("the model does not know these predicates, which are left out: %s", ", ".join(strangers))
    return data.of_schema(schema, data.runs.run(layer.background, data.relations))


class StoredLayer:
    """The programs of a model, run in the system that holds the data.

    Args:
        layer: the programs.
        data: what they are run on.
    """

    def __init__(self, layer: Layer, data: StoredData) -> None:
        self._layer, self._data, self._session = layer, data, data.session
        # Comparisons of bins follow from the mapping: they are no data.
        derived = set(layer.background.defined())
        arities = {n: p.arity for n, p in self.schema.items() if not p.compares and n not in derived}
        arities |= {n: r.arity for n, r in data.relations.items() if n not in self.schema}
        self._arities = arities

    @property
    def schema(self) -> Schema:
        """The predicates of the data that the layer knows."""
        return self._layer.schema or self._data.known_schema

    def encoded(self) -> Relations:
        """Return the facts that represent the data."""
        layer, given = self._layer, self.given
        return {name: given[name] for name in layer.kept if name in given} | self._latent | self.bases()

    @cached_property
    def given(self) -> Relations:
        """The facts, with those of the background."""
        data = self._data
        return {**data.relations, **data.runs.run(self._layer.background, data.relations)}

    @cached_property
    def _latent(self) -> Relations:
        return self._data.runs.run(self._layer.encoder, self.given)

    def bases(self) -> Relations:
        """Return what is kept of predicates that the decoder rebuilds otherwise."""
        layer, given = self._layer, self.given
        bases = [base for base in layer.bases if base.predicate in given]
        if not bases:
            return {}
        program = derived_beside(layer.given_clauses(bases), {base.predicate for base in bases})
        derived = self._data.runs.run(program, {**given, **self._latent})
        return {base.name: self._base(base, given, derived) for base in bases}

    def _base(self, base: Base, known: Mapping[str, Relation], derived: Mapping[str, Relation]) -> Relation:
        facts, given = known[base.predicate], derived.get(beside(base.predicate))
        if base.form == "rest":
            query = self._data.missing_from(facts, given)
            return self._made(query, facts.arity, f"keeping what is left of {base.predicate}")
        closures = Closures(self._data)
        if base.form == "recursive":
            (clause,) = parse_program(base.clause, "<base>")
            return Relation(closures.recursive(clause, facts, given, known), facts.arity)
        every = f"SELECT * FROM {facts.table}"
        atoms = closures.atoms(base.form, every)
        seeds = given or Relation(self._session.table(f"{every} WHERE 1 = 0", "making room"), 2)
        implied = closures.atoms(base.form, f"SELECT * FROM {seeds.table}")
        if base.form != "symmetric":
            implied = closures.closed(base.form, f"SELECT * FROM {implied}")
        kept = closures.base(base.form, atoms, implied)
        columns = listed(facts.columns(worlds=self._data.several))
        query = f"SELECT {columns} FROM {kept} UNION SELECT {columns} FROM {facts.table} WHERE a1 = a2"
        return self._made(query, 2, f"keeping the base of {base.predicate}")

    def _made(self, query: str, arity: int, purpose: str) -> Relation:
        return Relation(self._session.table(query, purpose), arity)

    def exceptions(self, represented: Mapping[str, Relation]) -> StoredExceptions:
        """Return what the decoder gets wrong, each predicate being right before the next one is rebuilt."""
        missing: Relations = {}
        false: Relations = {}

        def correct(name: str, derived: Relation | None) -> Relation:
            facts = self._facts(name)
            missing[name] = self._made(
                self._data.missing_from(facts, derived), facts.arity, f"finding what is missing of {name}"
            )
            if derived is not None:
                query = self._data.missing_from(derived, facts)
                false[name] = self._made(query, facts.arity, f"finding what is false of {name}")
            return facts

        self._stepwise(represented, correct)
        return StoredExceptions(missing, false)

    def decoded(self, represented: Mapping[str, Relation], exceptions: StoredExceptions | None) -> Relations:
        """Return the predicates of the data: exactly, with exceptions, or as the decoder has them."""
        layer, data = self._layer, self._data
        if exceptions is None:
            derived = data.runs.run(layer.decoder, represented)
            kept = {name: represented[name] for name in layer.kept if name in represented}
            known = layer.schema  # of hand-written programs nobody knows: then all of it is theirs
            return {n: r for n, r in (kept | derived).items() if known is None or n in known}
        given = exceptions

        def correct(name: str, derived: Relation | None) -> Relation:
            missing, false = given.missing.get(name), given.false.get(name)
            if derived is None:
                return missing or self._facts(name)
            if missing is None and false is None:
                return derived
            columns = listed(derived.columns(worlds=data.several))
            query = f"({data.missing_from(derived, false)})"
            query += f" UNION SELECT {columns} FROM {missing.table}" if missing else ""
            return self._made(query, derived.arity, f"correcting {name}")

        strangers = set(given.missing) - set(self._arities)
        return self._stepwise(represented, correct) | {name: given.missing[name] for name in strangers}

    def _facts(self, name: str) -> Relation:
        """Return the facts of a predicate, of which data need not have any."""
        if name in self._data.relations:
            return self._data.relations[name]
        arity = self._arities[name]
        columns = Relation("", arity).columns(worlds=self._data.several)
        return self._made(empty(self._session, columns), arity, f"making room for {name}")

    def _stepwise(self, represented: Mapping[str, Relation], correct: Correct) -> Relations:
        """Rebuild predicate after predicate, each corrected before the next one uses it."""
        known = dict(represented)
        wanted = set(self._arities)
        found: Relations = {}
        for name in self._layer.kept:
            if name in known and name in wanted:
                found[name] = known[name]
        for stratum in strata(self._layer.decoder):
            derived = self._data.runs.stratum(self._layer.decoder, stratum, known)
            for name in sorted(stratum):
                if name in wanted:
                    found[name] = correct(name, derived[name])
                    known[name] = found[name]
                else:
                    known[name] = derived[name]
        for name in sorted(wanted - set(found)):
            found[name] = correct(name, None)
        return found

    # -- counting -----------------------------------------------------------------------------------------

    def count(self, relation: Relation | None) -> int:
        """Return the number of facts."""
        if relation is None:
            return 0
        return self._session.value(f"SELECT count(*) FROM {relation.table}", "counting")

    def scores(self, represented: Mapping[str, Relation], wrong: StoredExceptions) -> list[PredicateScore]:
        """Return how each predicate comes back from what represents the data."""
        return self.counted(self.compared(represented, wrong))

    def counted(self, found: StoredExceptions) -> list[PredicateScore]:
        """Return how each predicate comes back, given what is missing and false."""
        scores = []
        for name in self._learned():
            facts, missing = self._data.counts.get(name, 0), self.count(found.missing.get(name))
            false = self.count(found.false.get(name))
            scores.append(PredicateScore.of(name, facts, missing, false))
        return scores

    def compared(self, represented: Mapping[str, Relation], wrong: StoredExceptions) -> StoredExceptions:
        """Return what is missing and what is false where the decoder is run as a whole.

        Args:
            represented: what represents the data.
            wrong: the exceptions where each predicate is right before the next one is rebuilt.
        """
        parts = (wrong.missing, wrong.false)
        bad = {name for name in self._learned() if any(self.count(part.get(name)) for part in parts)}
        used = {n for c in self._layer.decoder for n in c.body_predicates() if n != c.head.predicate}
        if not bad & used:
            return wrong
        # What is wrong is used further on: only running the decoder as a whole tells the loss.
        back = self.decoded(represented, None)
        missing: Relations = {}
        false: Relations = {}
        for name in self._learned():
            facts, derived = self._facts(name), back.get(name)
            missing[name] = self._made(self._data.missing_from(facts, derived), facts.arity, "comparing")
            if derived is not None:
                query = self._data.missing_from(derived, facts)
                false[name] = self._made(query, facts.arity, "comparing")
        return StoredExceptions(missing, false)

    def learned(self, part: Mapping[str, Relation]) -> Relations:
        """Return those of some relations whose predicates are to be rebuilt."""
        return {name: part[name] for name in self._learned() if name in part}

    def first(self, part: Mapping[str, Relation], most: int) -> list[str]:
        """Return some facts as texts, with the interpretation if there are several."""
        found: list[str] = []
        for name in self.learned(part):
            if len(found) < most:
                columns = listed(part[name].columns(worlds=self._data.several))
                query = (
                    f"SELECT {columns} FROM {part[name].table} ORDER BY {columns} LIMIT {most - len(found)}"
                )
                for row in self._session.rows(query, f"listing {name}"):
                    atom, world = self._data.atom(name, row)
                    found.append(f"{atom}.  % {one_line(world)}" if self._data.several else f"{atom}.")
        return found

    def _learned(self) -> list[str]:
        return [name for name in self._arities if name in self.schema and not self.schema[name].background]
