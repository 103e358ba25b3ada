"""Clauses as queries: a join for each body."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from logicoder.engine.sql.body_comparisons import BodyComparisons
from logicoder.engine.sql.body_joins import BodyJoin, Notation
from logicoder.engine.sql.relations import WORLD, Relations, argument_columns
from logicoder.engine.sql.value_orders import ValueOrders
from logicoder.logic.plain_constants import plain_constant
from logicoder.logic.terms import Atom, Body

if TYPE_CHECKING:
    from logicoder.engine.sql.session import Session
    from logicoder.logic.rules import Rule


@dataclass(frozen=True)
class ClauseQueries:
    """Makes queries of clauses.

    Attributes:
        session: says how names and texts are written.
        worlds: the table of all interpretations, where there are several.
    """

    session: Session
    worlds: str | None = None

    @cached_property
    def _orders(self) -> ValueOrders:
        return ValueOrders(self.session)

    @cached_property
    def _notation(self) -> Notation:
        return Notation(argument_columns, self.constant, self.session.literal("true"))

    def constant(self, symbol: str) -> str:
        """Return a constant, given as its canonical text."""
        return self.session.as_text(self.session.literal(plain_constant(symbol)))

    def of_rule(
        self,
        predicate: str,
        rule: Rule,
        relations: Relations,
        instead: Mapping[int, str] | None = None,
        *,
        distinct: bool = True,
    ) -> str:
        """Return the query of a rule for a predicate, see `select`."""
        clause = rule.clause(predicate)
        (body,) = clause.alternatives
        return self.select(clause.head, body, relations, instead, distinct=distinct)

    def select(
        self,
        head: Atom,
        body: Body,
        relations: Relations,
        instead: Mapping[int, str] | None = None,
        *,
        distinct: bool = True,
    ) -> str:
        """Return the query of one body, each atom of the head once.

        Args:
            head: what is derived.
            body: the literals.
            relations: what predicates are read from.
            instead: other tables for some of the literals, by their number.
            distinct: False where atoms may come several times.
        """
        join = BodyJoin(self._notation)
        tables = {
            f"t{number}": (instead or {}).get(number) or relations[literal.atom.predicate].table
            for number, literal in enumerate(body)
            if literal.binds
        }
        filters = filtering(head, body)
        world = None
        for number, literal in enumerate(body):
            if literal.binds and number not in filters:
                join.read(literal.atom, tables[f"t{number}"], f"t{number}")
                if self.worlds is not None:
                    world = world or f"t{number}.{WORLD}"
                    join.conditions += [f"t{number}.{WORLD} = {world}"] * (len(join.sources) > 1)
        if self.worlds is not None and world is None:
            join.sources.append(f"{self.worlds} AS t")
            world = f"t.{WORLD}"
        for number in filters:
            join.have(body[number].atom, tables[f"t{number}"], f"t{number}", _within(f"t{number}", world))
        comparisons = BodyComparisons(self._orders, body, join, tables)
        for number, literal in enumerate(body):
            if literal.orders:
                comparisons.add(literal.atom)
            elif literal.inequality:
                join.differ(*literal.atom.arguments)
            elif not literal.positive:
                table = relations[literal.atom.predicate].table
                join.lack(literal.atom, table, f"n{number}", _within(f"n{number}", world))
        columns = argument_columns(head.arity)
        selected = [f"{v} AS {column}" for v, column in zip(join.values(head), columns, strict=True)]
        if world is not None:
            selected.insert(0, f"{world} AS {WORLD}")
        # Rows of a relation are different, and so are those of a join that tells the values of all variables.
        told = join.where.keys() <= set(head.arguments)
        return join.text(", ".join(selected), distinct=distinct and not told)


def filtering(head: Atom, body: Body) -> list[int]:
    """Return the literals, by their numbers, that only ask whether there is a fact: others bind the rest.

    >>> from logicoder.logic.terms import Program
    >>> (clause,) = Program.parse("p(X) :- q(X,Y), r(Y,Z).")
    >>> filtering(clause.head, clause.alternatives[0])
    [1]
    """
    binding = {number: set(literal.atom.variables()) for number, literal in enumerate(body) if literal.binds}
    asked = set(head.variables()).union(*(x.atom.variables() for x in body if not x.binds))
    found: list[int] = []
    for number in sorted(binding, reverse=True):
        # What a filter asks for must stay bound by others.
        others = [own for other, own in binding.items() if other != number]
        kept = [own for other, own in binding.items() if other != number and other not in found]
        needed = binding[number] & asked.union(*others)
        if kept and needed < binding[number] and needed <= set().union(*kept):
            found.append(number)
    return found[::-1]


def _within(alias: str, world: str | None) -> list[str]:
    """Return the condition that a table is read in the interpretation of the others."""
    return [] if world is None else [f"{alias}.{WORLD} = {world}"]
