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
        join = BodyJoin(self._notation)
        tables: dict[str, str] = {}
        world = None
        for number, literal in enumerate(body):
            if literal.binds:
                table = (instead or {}).get(number) or relations[literal.atom.predicate].table
                tables[f"t{number}"] = table
                join.read(literal.atom, table, f"t{number}")
                if self.worlds is not None:
                    world = world or f"t{number}.{WORLD}"
                    join.conditions += [f"t{number}.{WORLD} = {world}"] * (len(join.sources) > 1)
        if self.worlds is not None and world is None:
            join.sources.append(f"{self.worlds} AS t")
            world = f"t.{WORLD}"
        comparisons = BodyComparisons(self._orders, body, join, tables)
        for number, literal in enumerate(body):
            if literal.orders:
                comparisons.add(literal.atom)
            elif literal.inequality:
                join.differ(*literal.atom.arguments)
            elif not literal.positive:
                own = [] if world is None else [f"n{number}.{WORLD} = {world}"]
                join.lack(literal.atom, relations[literal.atom.predicate].table, f"n{number}", own)
        columns = argument_columns(head.arity)
        selected = [f"{v} AS {column}" for v, column in zip(join.values(head), columns, strict=True)]
        if world is not None:
            selected.insert(0, f"{world} AS {WORLD}")
        return join.text(", ".join(selected))
