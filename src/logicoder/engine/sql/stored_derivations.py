"""Where facts come from that a program derives inside a system: every answer is a query for a few rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from logicoder.engine.derivations import AnyDerivations, Binding
from logicoder.engine.sql.relations import WORLD, Relation, Relations, argument_columns, listed
from logicoder.kb.knowledge_base import KnowledgeBase, Truth
from logicoder.logic.strata import strata
from logicoder.logic.terms import Atom, Body, Constant, Literal, Program, Variable

if TYPE_CHECKING:
    from logicoder.engine.sql.stored_data import StoredData
    from logicoder.kb.schema import Schema

_MOST = 1_000
"""Derivations of one atom by one clause that are listed at most; they are counted all the same."""

_PARTS = 8
"""Rounds of a recursion that are kept in tables of their own."""


class StoredDerivations(AnyDerivations):
    """A program run on stored data.

    Args:
        program: the clauses.
        data: the facts; says how constants are written, and which interpretations there are.
        relations: what the clauses read.
        schema: the types of what they derive.
    """

    def __init__(self, program: Program, data: StoredData, relations: Relations, schema: Schema) -> None:
        self.program, self._data = program, data
        self.outputs = KnowledgeBase(schema, (), data.worlds, {})
        self._stages: dict[str, Relation] = {}
        self.made: dict[str, Relation] = {}
        for stratum in strata(program):
            rounds = _Rounds(data, program.arities()) if self.recursive.keys() & stratum else None
            known = {**relations, **self.made}
            self.made |= data.runs.stratum(program, stratum, known, None if rounds is None else rounds.add)
            if rounds is not None:
                self._stages |= rounds.finished()
        self.relations = {**relations, **self.made}
        mentioned = {n: a for n, a in program.arities().items() if n not in self.relations}
        self.relations |= data.runs.absent(mentioned, self.relations)

    def worlds_of(self, atom: Atom, truth: Truth = "true") -> list[int]:
        """See `AnyDerivations.worlds_of`; stored facts are true."""
        if truth != "true" or atom.predicate not in self.relations:
            return []
        query = self._select((), (Literal(atom),), self.relations)
        if not self._data.several:
            return [0] if self._rows(f"{query}\nLIMIT 1", Literal(atom)) else []
        found = {row[0] for row in self._rows(f"SELECT DISTINCT {WORLD} FROM ({query}) AS s", Literal(atom))}
        return [number for number, name in enumerate(self._data.worlds) if name in found]

    def bindings(
        self, body: Body, world: int, earlier: Any = None, most: int | None = None
    ) -> Iterable[Binding]:
        """See `AnyDerivations.bindings`: in the order of their texts."""
        variables = _variables(body)
        columns = listed(argument_columns(len(variables)))
        query = f"SELECT {columns} FROM ({self._within(body, world, earlier)}) AS s ORDER BY {columns}"
        fetched = self._rows(f"{query} LIMIT {most or _MOST}", *body)
        for row in fetched:
            values = row if variables else ()
            yield {v: Constant(self._data.symbol(text)) for v, text in zip(variables, values, strict=True)}

    def number(self, body: Body, world: int, earlier: Any) -> int:
        """See `AnyDerivations.number`."""
        query = f"SELECT count(*) FROM ({self._within(body, world, earlier)}) AS s"
        return self._data.session.value(query, "counting the ways to derive an atom")

    def before(self, atom: Atom, world: int) -> Any:
        """See `AnyDerivations.before`: facts of earlier rounds."""
        stratum = self.recursive.get(atom.predicate)
        if stratum is None:
            return None
        own = Relation(self._stages[atom.predicate].table, atom.arity)
        read = Atom(atom.predicate, (*atom.arguments, Variable("$ stage")))
        found = self._data.runs.queries.select(
            Atom("stage", (Variable("$ stage"),)), (Literal(read),), {atom.predicate: own}
        )
        query = f"SELECT max(a1) FROM ({self._in_world(found, world)}) AS s"
        limit = self._data.session.value(query, f"looking for {atom}")
        earlier = {}
        for name in stratum:
            staged = self._stages[name]
            columns = listed(self._columns(staged.arity - 1))
            rows = f"SELECT {columns} FROM {staged.table} WHERE a{staged.arity} < {limit}"
            earlier[name] = Relation(f"({rows})", staged.arity - 1)
        return earlier

    def _columns(self, arity: int) -> list[str]:
        return Relation("", arity).columns(worlds=self._data.several)

    def _within(self, body: Body, world: int, earlier: Mapping[str, Relation] | None) -> str:
        query = self._select(_variables(body), body, {**self.relations, **(earlier or {})})
        return self._in_world(query, world)

    def _in_world(self, query: str, world: int) -> str:
        session = self._data.session
        where = f" WHERE {WORLD} = {session.literal(self._data.worlds[world])}" if self._data.several else ""
        return f"SELECT * FROM ({query}) AS of_world{where}"

    def _select(self, variables: tuple[Variable, ...], body: Body, relations: Relations) -> str:
        return self._data.runs.queries.select(Atom("found", variables), body, relations)

    def _rows(self, query: str, *about: Literal) -> list[tuple[Any, ...]]:
        return self._data.session.rows(query, f"looking for {', '.join(map(str, about)) or 'a fact'}")


def _variables(body: Body) -> tuple[Variable, ...]:
    """Return the variables that literals give values to, in the order in which they occur."""
    return tuple(dict.fromkeys(v for item in body if item.binds for v in item.atom.variables()))


class _Rounds:
    """The facts of a recursion with the number of the round that derived each of them."""

    def __init__(self, data: StoredData, arities: Mapping[str, int]) -> None:
        self._data, self._arities = data, arities
        self._number = 0
        self._parts: dict[str, list[str]] = {}

    def add(self, fresh: Mapping[str, str]) -> None:
        """Keep what a round derived."""
        self._number += 1
        for name, table in fresh.items():
            arity = self._arities[name]
            columns = listed(Relation("", arity).columns(worlds=self._data.several))
            stage = f"CAST({self._number} AS INTEGER) AS a{arity + 1}"
            query = f"SELECT {columns}, {stage} FROM {table}"
            parts = self._parts.setdefault(name, [])
            parts.append(self._data.session.table(query, f"counting the rounds of {name}"))
            if len(parts) > _PARTS:
                self._parts[name] = [self._merged(name)]

    def _merged(self, name: str) -> str:
        parts = self._parts[name]
        union = " UNION ALL ".join(f"SELECT * FROM {part}" for part in parts)
        merged = self._data.session.table(union, f"counting the rounds of {name}")
        self._data.session.drop(*parts)
        return merged

    def finished(self) -> dict[str, Relation]:
        """Return the facts of each predicate, their rounds in a last column."""
        return {name: Relation(self._merged(name), self._arities[name] + 1) for name in self._parts}
