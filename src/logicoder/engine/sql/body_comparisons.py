"""Comparisons in a body: which columns they need, and what must hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from logicoder.logic.ordered_values import undecided
from logicoder.logic.plain_constants import symbol_of_plain
from logicoder.logic.terms import Atom, Body, Constant, Term, Variable

if TYPE_CHECKING:
    from logicoder.engine.sql.body_joins import BodyJoin
    from logicoder.engine.sql.value_orders import Ends, ValueOrders


class BodyComparisons:
    """Adds the comparisons of a body to its join, one after the other.

    Args:
        orders: the values that have an order.
        body: the literals.
        join: their join, with all literals that bind variables.
        tables: what it reads, by the names that the join has for them.
    """

    def __init__(self, orders: ValueOrders, body: Body, join: BodyJoin, tables: Mapping[str, str]) -> None:
        self._orders, self._join = orders, join
        terms = [term for literal in body if literal.orders for term in literal.atom.arguments]
        places = [join.where[term].split(".") for term in terms if isinstance(term, Variable)]
        self._table = orders.table((tables[alias], column) for alias, column in places) if places else ""
        self._known: dict[Term, Ends] = {}

    def add(self, atom: Atom) -> None:
        """Add that two terms are in an order.

        Raises:
            InputError: for a point within a bin, some of whose values compare so and some do not.
        """
        left, right = (self._ends(term) for term in atom.arguments)
        if left is None or right is None:
            self._join.conditions.append("1 = 0")
            return
        first, second = atom.arguments
        self._refuse_undecided(first, left, second, right)
        self._refuse_undecided(second, right, first, left)
        self._join.conditions.append(left.in_order(atom.predicate, right))

    def _ends(self, term: Term) -> Ends | None:
        if isinstance(term, Constant):
            return self._orders.of_constant(term.symbol)
        if term not in self._known:
            alias = f"o{len(self._known)}"
            self._join.sources.append(f"{self._table} AS {alias}")
            self._join.conditions.append(f"{alias}.v = {self._join.where[term]}")
            self._known[term] = self._orders.of_row(alias)
        return self._known[term]

    def _refuse_undecided(self, term: Term, ends: Ends, point: Term, where: Ends) -> None:
        if not isinstance(term, Variable) or not isinstance(point, Constant):
            return
        purpose = f"looking for bins around {point}"
        session, alias = self._orders.session, ends.kind.partition(".")[0]
        inside = ends.around(where)
        # There are few bins, and rarely one around a point: only then is the body asked.
        if session.rows(f"SELECT 1 FROM {self._table} AS {alias} WHERE {inside} LIMIT 1", purpose):
            asked = replace(self._join, conditions=[*self._join.conditions, inside])
            for (text,) in session.rows(f"{asked.text(f'{alias}.v')} LIMIT 1", purpose):
                raise undecided(point.symbol, symbol_of_plain(text))
