"""Running a program by its definition: every stratum until nothing new is derived."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from logicoder.engine.signatures import program_schema
from logicoder.kb import KnowledgeBase, Schema
from logicoder.kb.builder import KnowledgeBaseBuilder
from logicoder.logic import Program
from logicoder.logic.ordered_values import compares
from logicoder.logic.strata import strata
from logicoder.logic.terms import Atom, Body, Literal, Variable

Known = dict[tuple[str, str], set[tuple[str, ...]]]
"""The atoms of an interpretation, by predicate and truth."""
Values = Mapping[Variable, str]


def run(program: Program, kb: KnowledgeBase, outputs: Schema | None) -> KnowledgeBase:
    """Return what a program derives in each interpretation."""
    schema = program_schema(program, kb.schema, outputs)
    builder = KnowledgeBaseBuilder(schema)
    for number, name in enumerate(kb.interpretations):
        world = builder.interpretation(name)
        run = _Run(kb, number, schema)
        for stratum in strata(program):
            clauses = [clause for clause in program if clause.head.predicate in stratum]
            while fresh := {
                (clause.head.predicate, row)
                for clause in clauses
                for body in clause.alternatives
                for values in run.solutions(body)
                if (row := _row(clause.head, values)) not in run.known[clause.head.predicate, "true"]
            }:
                for predicate, row in fresh:
                    run.known[predicate, "true"].add(row)
        for predicate in schema:
            for row in sorted(run.known[predicate, "true"]):
                builder.add(predicate, row, world, "true")
    return builder.build()


class _Run:
    """What is known in one interpretation, more and more."""

    def __init__(self, kb: KnowledgeBase, world: int, schema: Schema) -> None:
        self.open = {name for name, predicate in kb.schema.items() if predicate.open_world}
        self.known: Known = {
            (name, truth): set() for name in schema for truth in ("true", "false", "unknown")
        }
        for name in kb.schema:
            for truth in ("true", "false", "unknown"):
                table = kb.table(name, truth)
                self.known[name, truth] = {
                    tuple(kb.symbols[i] for i in row)
                    for own, row in zip(table.worlds.tolist(), table.arguments.tolist(), strict=True)
                    if own == world
                }

    def solutions(self, body: Body) -> list[Values]:
        """Return the values of variables for which a conjunction holds: what binds them comes first."""
        found: list[Values] = [{}]
        for literal in sorted(body, key=lambda literal: not literal.binds):
            if literal.binds:
                found = [more for values in found for more in self._matches(literal.atom, values, "true")]
            else:
                found = [values for values in found if self._passes(literal, values)]
        return found

    def _matches(self, atom: Atom, values: Values, truth: str) -> Iterator[Values]:
        for row in self.known[atom.predicate, truth]:
            found = dict(values)
            for term, symbol in zip(atom.arguments, row, strict=True):
                if (found.setdefault(term, symbol) if isinstance(term, Variable) else term.symbol) != symbol:
                    break
            else:
                yield found

    def _passes(self, literal: Literal, values: Values) -> bool:
        atom = literal.atom
        if literal.inequality:
            left, right = _row(atom, values)
            return compares(atom.predicate, left, right) if literal.orders else left != right
        if atom.predicate in self.open:
            return next(self._matches(atom, values, "false"), None) is not None
        return all(next(self._matches(atom, values, t), None) is None for t in ("true", "unknown"))


def _row(atom: Atom, values: Values) -> tuple[str, ...]:
    return tuple(values[a] if isinstance(a, Variable) else a.symbol for a in atom.arguments)
