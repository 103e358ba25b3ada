"""How large a join would be, before it is made: by degrees, from the leaves of a body to its root."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from logicoder.engine.sql.relations import WORLD, Relations, argument_columns
from logicoder.logic.plain_constants import plain_constant

if TYPE_CHECKING:
    from logicoder.engine.sql.stored_data import StoredData
    from logicoder.logic.rules import Literal, Rule


_TUPLES, _TUPLES_PER_FACT = 2_000_000, 4
"""Tuples that the join of a rule may have: so many, and for each fact so many more."""


def most_tuples(data: StoredData) -> int:
    """Return how many tuples the join of a rule may have."""
    return _TUPLES + _TUPLES_PER_FACT * len(data)


@dataclass(frozen=True)
class _Node:
    """A literal in the tree of a body: by which variable it hangs on another one, and what hangs on it."""

    literal: Literal
    variable: int | None
    below: tuple[_Node, ...]


class JoinSizes:
    """Sizes of bodies, which are never underestimated.

    Literals that share several variables with the others count as if they shared one of them.

    Args:
        data: the facts.
        relations: what literals read.
    """

    def __init__(self, data: StoredData, relations: Relations) -> None:
        self._data, self._session, self._relations = data, data.session, relations
        self._largest: dict[tuple[str, int], int] = {}
        self._facts: dict[str, int] = {}
        self._exactly: dict[str, float] = {}

    def within(self, rule: Rule, most: int) -> bool:
        """Whether the join of a rule has at most so many tuples."""
        literals = [literal for literal in rule.body if not literal.tests]
        if len(literals) < 2:
            return True
        trees = _trees(literals)
        quick = 1
        for tree in trees:
            quick *= self._bound(tree)
        if quick <= most:
            return True
        exact = 1.0
        for tree in trees:
            exact *= self._exact(tree)
        return exact <= most

    def _bound(self, node: _Node) -> int:
        """Return a bound by the largest degrees."""
        name = node.literal.predicate
        if node.variable is None:
            found = self._count(name)
        else:
            found = self._degree(name, node.literal.arguments.index(node.variable))
        for below in node.below:
            found *= self._bound(below)
        return found

    def _count(self, name: str) -> int:
        if name not in self._facts:
            table = self._relations[name].table
            self._facts[name] = self._session.value(f"SELECT count(*) FROM {table}", f"counting {name}")
        return self._facts[name]

    def _degree(self, name: str, place: int) -> int:
        """Return how many facts the value of a place is in at the most."""
        key = name, place
        if key not in self._largest:
            relation = self._relations[name]
            columns = self._keys(argument_columns(relation.arity)[place])
            counts = f"SELECT count(*) AS n FROM {relation.table} GROUP BY {columns}"
            query = f"SELECT max(n) FROM ({counts}) AS degrees"
            self._largest[key] = self._session.value(query, f"looking at degrees of {name}")
        return self._largest[key]

    def _keys(self, column: str, table: str = "") -> str:
        columns = [WORLD, column] if self._data.several else [column]
        return ", ".join(f"{table}{name}" for name in columns)

    def _exact(self, root: _Node) -> float:
        query = f"SELECT sum(n) FROM ({self._weights(root, [0])}) AS joined"
        if query not in self._exactly:
            row = self._session.row(query, f"looking at the size of a join with {root.literal.predicate}")
            self._exactly[query] = float(row[0] or 0)
        return self._exactly[query]

    def _weights(self, node: _Node, number: list[int]) -> str:
        """Return the query for how many tuples each value of the upper variable begins."""
        number[0] += 1
        own = f"l{number[0]}"
        relation = self._relations[node.literal.predicate]
        columns = argument_columns(relation.arity)
        conditions = [
            f"{own}.{column} = {self._text(argument)}"
            for column, argument in zip(columns, node.literal.arguments, strict=True)
            if isinstance(argument, str)
        ]
        sources, factors = [f"{relation.table} AS {own}"], []
        for below in node.below:
            query = self._weights(below, number)
            number[0] += 1
            weight = f"l{number[0]}"
            assert below.variable is not None  # only the root hangs on nothing  # noqa: S101
            place = columns[node.literal.arguments.index(below.variable)]
            on = f"{own}.{place} = {weight}.v"
            if self._data.several:
                on += f" AND {own}.{WORLD} = {weight}.{WORLD}"
            sources.append(f"JOIN ({query}) AS {weight} ON {on}")
            factors.append(f"{weight}.n")
        product = " * ".join(factors) or "1"
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        total = f"sum(CAST({product} AS {self._session.number})) AS n"
        body = f"FROM {' '.join(sources)}{where}"
        if node.variable is None:
            return f"SELECT {total} {body}"
        column = f"{own}.{columns[node.literal.arguments.index(node.variable)]}"
        world = f"{own}.{WORLD}, " if self._data.several else ""
        return f"SELECT {world}{column} AS v, {total} {body} GROUP BY {world}{column}"

    def _text(self, symbol: str) -> str:
        return self._session.as_text(self._session.literal(plain_constant(symbol)))


def _trees(literals: Sequence[Literal]) -> list[_Node]:
    """Return the literals as trees, connected by variables."""
    left = list(literals)
    found = []
    while left:
        found.append(_grown(left.pop(0), None, left))
    return found


def _grown(literal: Literal, variable: int | None, left: list[Literal]) -> _Node:
    """Return a literal with all that hangs on it, which is taken from those that are left."""
    below = []
    for argument in dict.fromkeys(literal.arguments):
        if isinstance(argument, str) or argument == variable:
            continue
        for other in list(left):
            if other in left and argument in other.arguments:
                left.remove(other)
                below.append(_grown(other, argument, left))
    if variable is not None:
        for other in list(left):
            if other in left and variable in other.arguments:
                left.remove(other)
                below.append(_grown(other, variable, left))
    return _Node(literal, variable, tuple(below))
