"""Clauses as queries: a join for each body."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from logicoder.base.errors import UsageError
from logicoder.engine.sql.relations import WORLD, Relations, argument_columns
from logicoder.logic.plain_constants import plain_constant
from logicoder.logic.terms import Atom, Body, Constant, Term, Variable

if TYPE_CHECKING:
    from logicoder.engine.sql.session import Session


@dataclass(frozen=True)
class ClauseQueries:
    """Makes queries of clauses.

    Attributes:
        session: says how names and texts are written.
        worlds: the table of all interpretations, where there are several.
    """

    session: Session
    worlds: str | None = None

    def select(
        self, head: Atom, body: Body, relations: Relations, instead: Mapping[int, str] | None = None
    ) -> str:
        """Return the query of one body, each atom of the head once.

        Args:
            head: what is derived.
            body: the literals.
            relations: what predicates are read from.
            instead: other tables for some of the literals, by their number.
        """
        where: dict[Variable, str] = {}
        conditions: list[str] = []
        sources: list[str] = []
        for number, literal in enumerate(body):
            if literal.binds:
                table = (instead or {}).get(number) or relations[literal.atom.predicate].table
                self._bound(literal.atom, f"t{number}", where, conditions)
                if self.worlds is not None and sources:
                    conditions.append(f"t{number}.{WORLD} = {sources[0].rpartition(' ')[2]}.{WORLD}")
                sources.append(f"{table} AS t{number}")
        if self.worlds is not None and not sources:
            sources.append(f"{self.worlds} AS t")
        world = f"{sources[0].rpartition(' ')[2]}.{WORLD}" if self.worlds is not None else None
        for number, literal in enumerate(body):
            if literal.orders:
                raise UsageError(
                    f"{literal}: {self.session.name} does not compare values as programs do; compare with "
                    "cuts, such as price(X) >= 50, or use the engine arrays"
                )
            if literal.inequality:
                left, right = (self._term(term, where) for term in literal.atom.arguments)
                conditions.append(f"{left} <> {right}")
            elif not literal.positive:
                conditions.append(self._none(literal.atom, number, relations, where, world))
        columns = argument_columns(head.arity)
        values = [self._term(term, where) for term in head.arguments] or [self.session.literal("true")]
        selected = [f"{value} AS {column}" for value, column in zip(values, columns, strict=True)]
        if world is not None:
            selected.insert(0, f"{world} AS {WORLD}")
        text = f"SELECT DISTINCT {', '.join(selected)}"
        text += f" FROM {', '.join(sources)}" if sources else ""
        return text + (f" WHERE {' AND '.join(conditions)}" if conditions else "")

    def _term(self, term: Term, where: Mapping[Variable, str]) -> str:
        if isinstance(term, Constant):
            return self.session.as_text(self.session.literal(plain_constant(term.symbol)))
        return where[term]

    def _bound(self, atom: Atom, table: str, where: dict[Variable, str], conditions: list[str]) -> None:
        """Say where an atom's variables are found, and what its columns must equal."""
        for column, argument in zip(argument_columns(atom.arity), atom.arguments, strict=False):
            place = f"{table}.{column}"
            if isinstance(argument, Constant):
                conditions.append(f"{place} = {self._term(argument, where)}")
            elif where.setdefault(argument, place) != place:
                conditions.append(f"{place} = {where[argument]}")

    def _none(
        self, atom: Atom, number: int, relations: Relations, where: Mapping[Variable, str], world: str | None
    ) -> str:
        """Return the condition that there is no such fact, whatever stands for variables of its own."""
        inner: list[str] = []
        self._bound(atom, f"n{number}", dict(where), inner)
        if world is not None:
            inner.append(f"n{number}.{WORLD} = {world}")
        test = f" WHERE {' AND '.join(inner)}" if inner else ""
        return f"NOT EXISTS (SELECT 1 FROM {relations[atom.predicate].table} AS n{number}{test})"
