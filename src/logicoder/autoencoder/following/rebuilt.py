"""What lossless decoding rebuilds of one predicate: what is kept of it, and what is wrong."""

from __future__ import annotations

from collections.abc import Iterable

from logicoder.autoencoder.following.closed_relation import ClosedRelation, Closing, Made
from logicoder.autoencoder.following.fact_store import NEW, OLD, FactStore, Row
from logicoder.autoencoder.following.matcher import Number, rules_of
from logicoder.autoencoder.layer import Layer
from logicoder.compression.plan import Step
from logicoder.compression.plan_programs import Base, closure_clauses, kept_clause
from logicoder.engine.arrays.rules.recursive_forms import along_of
from logicoder.kb.schema import Schema
from logicoder.logic.terms import Clause

CLOSED = ("symmetric", "transitive", "equivalence", "recursive")


class Rebuilt:
    """A predicate that is kept or rebuilt by clauses that do not read it; or pair by pair.

    Args:
        predicate: its name.
        clauses: what derives it, without what tells of its base.
        number: numbers constants.
        kept: whether it is kept as it is.
        based: whether what clauses leave over is kept; otherwise it is missing.
        symmetric: whether an atom and the one turned round are rebuilt together.

    Attributes:
        rules: the clauses.
        base: the facts that are kept of it.
        missing: facts that are not rebuilt.
        false: atoms that are rebuilt and are no facts.
    """

    def __init__(
        self,
        predicate: str,
        clauses: Iterable[Clause],
        number: Number,
        *,
        kept: bool = False,
        based: bool = False,
        symmetric: bool = False,
    ) -> None:
        self.predicate = predicate
        self.rules = rules_of(tuple(clauses), number)
        self._kept, self._based, self._symmetric = kept, based, symmetric
        self.base: set[Row] = set()
        self.missing: set[Row] = set()
        self.false: set[Row] = set()

    def load(self, base: Iterable[Row], missing: Iterable[Row], false: Iterable[Row]) -> None:
        """Take what there is."""
        self.base, self.missing, self.false = set(base), set(missing), set(false)

    def update(self, store: FactStore) -> None:
        """Bring it up to date, in the middle of a change.

        Of a pair, the atom whose first constant comes first is kept.
        """
        if self._kept:
            return
        concerned = set(store.changed(self.predicate))
        for rule in self.rules:
            concerned.update(rule.concerned(store))
        for row in concerned:
            sides = [row]
            if self._symmetric and row[1] != row[2]:
                sides = sorted((row, (row[0], row[2], row[1])), key=lambda side: store.texts[side[1]])
            facts = [store.holds(self.predicate, side) for side in sides]
            derived = any(rule.derives(store, side, NEW) for rule in self.rules for side in sides)
            diagonal = self._symmetric and len(sides) == 1
            kept = self._based and any(facts) and (diagonal or not derived)
            for side in sides:
                _put(self.base, side, kept and side is sides[0])
            for side, fact in zip(sides, facts, strict=True):
                rebuilt = derived or kept
                _put(self.missing, side, fact and not rebuilt)
                _put(self.false, side, rebuilt and not fact)


class RebuiltClosure:
    """A predicate that is rebuilt by closing what is kept of it and what clauses derive.

    Args:
        closing: how it is closed.
        clauses: what derives it, without what tells of its base.
        number: numbers constants.

    Attributes:
        rules: the clauses.
        base: the facts that are kept of it.
        missing: facts that are not rebuilt.
        false: atoms that are rebuilt and are no facts.
    """

    def __init__(self, closing: Closing, clauses: Iterable[Clause], number: Number) -> None:
        self.predicate, self._closing = closing.predicate, closing
        self.rules = rules_of(tuple(clauses), number)
        self._relation = ClosedRelation(closing, self.rules)
        self.base: set[Row] = set()
        self.missing: set[Row] = set()
        self.false: set[Row] = set()

    def load(self, store: FactStore) -> None:
        """Take what there is."""
        self.base, self.missing, self.false = self._parts(self._relation.load(store), store, NEW)

    def update(self, store: FactStore) -> None:
        """Bring it up to date, in the middle of a change."""
        old, new = self._relation.update(store)
        was, now = self._parts(old, store, OLD), self._parts(new, store, NEW)
        for rows, gone, come in zip((self.base, self.missing, self.false), was, now, strict=True):
            rows.difference_update(gone)
            rows.update(come)

    def _parts(self, made: Made, store: FactStore, time: str) -> tuple[set[Row], set[Row], set[Row]]:
        """Return base, missing facts and false atoms of some pieces."""
        closing, size = self._closing, len(made.entities)
        facts = made.rows(made.space.keys)
        base, rebuilt = made.rows(made.base), made.rows(made.derived)
        if closing.symmetric:
            facts, rebuilt = (
                {row for own in rows for row in (own, _turned(own))} for rows in (facts, rebuilt)
            )
            facts = {row for row in facts if store.holds(self.predicate, row, time)}
        if closing.apart:
            on_it = {(world, value, value) for world, value in made.entities}
            diagonal = {row for row in on_it if store.holds(self.predicate, row, time)}
            facts |= diagonal
            seeds = made.seeds[made.seeds // size == made.seeds % size]
            rebuilt |= made.rows(seeds)
            if closing.based:
                base |= diagonal
                rebuilt |= diagonal
            if closing.form == "transitive" and not self.rules:  # then circles come back to where they began
                rebuilt |= {(row[0], row[1], row[1]) for row in rebuilt if _turned(row) in rebuilt}
        return base, facts - rebuilt, rebuilt - facts


def _turned(row: Row) -> Row:
    return row[0], row[2], row[1]


def _put(rows: set[Row], row: Row, there: bool) -> None:
    if there:
        rows.add(row)
    else:
        rows.discard(row)


def rebuilt_by(layer: Layer, schema: Schema, number: Number) -> dict[str, Rebuilt | RebuiltClosure] | None:
    """Return how each predicate is rebuilt; None where a decoder has other clauses than its plan tells of."""
    bases = {base.predicate: base for base in layer.bases}
    steps = {step.predicate: step for step in layer.plan or ()}
    found: dict[str, Rebuilt | RebuiltClosure] = {}
    for name in schema:
        own = [clause for clause in layer.decoder if clause.head.predicate == name]
        step, base = steps.get(name, Step(name)), bases.get(name)
        recursion, marks = step.recursion, {name} | ({base.name} if base is not None else set())
        rules = [clause for clause in own if not clause.body_predicates() & marks]
        form = "recursive" if recursion is not None else step.form
        closed = form in CLOSED and bool(own)
        text = "" if recursion is None else str(recursion.clause(name))
        told = base if base is not None else Base("", name, form if closed else "rest", text)
        if told.form == "rest":
            closing = [kept_clause(told, schema[name].arity)]
        else:
            closing = list(closure_clauses(told, bool(rules)))
        expected = closing if base is not None else closing[1:]
        if {str(c) for c in own if c not in rules} != {str(c) for c in expected}:
            return None
        if not closed or form == "symmetric":
            found[name] = Rebuilt(
                name, rules, number, kept=name in layer.kept, based=base is not None, symmetric=closed
            )
            continue
        along = None if recursion is None else along_of(recursion, name)
        lone = along is not None and along.predicate not in (layer.schema or schema)
        how = Closing(name, form, along, form != "recursive", base is not None, lone and base is not None)
        found[name] = RebuiltClosure(how, rules, number)
    return found
