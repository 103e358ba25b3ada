"""Programs as SQL views: a table for each predicate that is read, a view for each one that is defined.

Columns are called `argument1`, `argument2` and so on and hold text; a predicate without arguments has the
column `holds`, and holds if there is a row. Recursion that SQL knows (one rule that calls the predicate
once) becomes a recursive query over rows. Everything else (several recursive rules, predicates that depend
on each other, a predicate that is joined with itself) is a recursive query over one value: the set of all
facts derived so far.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from logicoder.base.sql_text import literal, quoted
from logicoder.engine.sql.body_joins import BodyJoin, Notation
from logicoder.export.interface import Exporter, different
from logicoder.kb.fact_tables import argument_columns
from logicoder.kb.mapping.source_queries import Dialect, source_queries
from logicoder.logic.plain_constants import plain_constant

if TYPE_CHECKING:
    from logicoder.export.script import Rule, Script

_BATCH = 500
_LONGEST = 60  # PostgreSQL cuts names after 63 bytes


class SqlExporter(Exporter, Dialect):
    """Views, for one dialect of SQL."""

    comment = "--"

    def quoted(self, name: str) -> str:
        """See `Dialect.quoted`."""
        return quoted(name)

    def literal(self, text: str) -> str:
        """See `Dialect.literal`."""
        return literal(text)

    def names(self, predicates: Iterable[str]) -> dict[str, str]:
        """See `Exporter.names`: dialects take names of different case for the same."""
        return different(predicates, _identifier, str.casefold)

    def names_in(self, script: Script) -> dict[str, str]:
        """See `Exporter.names_in`: views are not called like the tables that they read."""
        tables = script.mapping.tables if script.mapping is not None else ()
        taken = {table.casefold() for table in tables}
        found = self.names(script.arities)
        for name, new in found.items():
            if new.casefold() in taken:
                found[name] = _free(f"{new}_facts", {**found, **{table: table for table in tables}})
        return found

    def constant(self, symbol: str) -> str:
        """See `Exporter.constant`."""
        return self.literal(plain_constant(symbol))

    def lines(self, script: Script, names: Mapping[str, str]) -> Iterator[str]:
        """See `Exporter.lines`."""
        queries = source_queries(script.mapping, self) if script.mapping is not None else {}
        for name, arity in script.inputs.items():
            if name in queries:
                listed = ", ".join(map(self.quoted, argument_columns(arity)))
                yield f"CREATE VIEW {self.quoted(names[name])} ({listed}) AS\n{queries[name]};"
                continue
            columns = ", ".join(
                f"{self.quoted(column)} {self.text} NOT NULL" for column in argument_columns(arity)
            )
            yield f"CREATE TABLE IF NOT EXISTS {self.quoted(names[name])} ({columns});"
        for name, rows in script.input_rows():
            for start in range(0, len(rows), _BATCH):
                values = ",\n    ".join(
                    f"({', '.join(map(self.constant, row)) or self.literal('true')})"
                    for row in rows[start : start + _BATCH]
                )
                yield f"INSERT INTO {self.quoted(names[name])} VALUES\n    {values};"
        tables = {name: self.quoted(new) for name, new in names.items()}
        for component in script.components:
            if script.is_recursive(component):
                yield from self.recursion(script, component, names)
            else:
                query = self._union(script.rules_for(component[0]), tables)
                yield self._view(script, component[0], names[component[0]], query)

    @abstractmethod
    def recursion(
        self, script: Script, component: tuple[str, ...], names: Mapping[str, str]
    ) -> Iterator[str]:
        """Return the views of predicates that depend on themselves or each other.

        Raises:
            UsageError: if the dialect has none.
        """

    def _view(self, script: Script, name: str, view: str, query: str) -> str:
        columns = ", ".join(map(self.quoted, argument_columns(script.defined[name])))
        return f"CREATE VIEW {self.quoted(view)} ({columns}) AS\n{query};"

    def _union(self, rules: Iterable[Rule], tables: Mapping[str, str]) -> str:
        return "\nUNION\n".join(self._select(rule, tables, distinct=True) for rule in rules)

    def _select(
        self,
        rule: Rule,
        tables: Mapping[str, str],
        *,
        distinct: bool = False,
        column: Callable[[list[str]], str] = ", ".join,
    ) -> str:
        """Return the query of one rule; `column` makes of the arguments what is selected."""
        join = BodyJoin(Notation(self._quoted_columns, self.constant, self.literal("true")))
        for number, atom in enumerate(rule.positive, start=1):
            join.read(atom, tables[atom.predicate], f"t{number}")
        for left, right in rule.unequal:
            join.differ(left, right)
        for number, atom in enumerate(rule.negated, start=1):
            join.lack(atom, tables[atom.predicate], f"n{number}")
        return join.text(column(join.values(rule.head)), distinct=distinct)

    def _quoted_columns(self, arity: int) -> list[str]:
        return list(map(self.quoted, argument_columns(arity)))


class RecursiveSqlExporter(SqlExporter):
    """Views, for a dialect with recursive queries."""

    @property
    @abstractmethod
    def nothing(self) -> str:
        """The set of no facts."""

    @abstractmethod
    def fact(self, values: list[str]) -> str:
        """Return a fact of a set, as an expression: the name of its predicate, and its arguments."""

    @abstractmethod
    def gathered(self, facts: str) -> str:
        """Return the expression for the set of all rows of a query, whose column is `fact`."""

    @abstractmethod
    def scattered(self, facts: str, name: str, columns: list[str], view: str | None = None) -> str:
        """Return a query for the rows of a predicate in a set of facts, which may be that of a view."""

    @property
    @abstractmethod
    def size(self) -> str:
        """The number of elements of the set in the column `facts`, or what grows with it."""

    def recursion(
        self, script: Script, component: tuple[str, ...], names: Mapping[str, str]
    ) -> Iterator[str]:
        """See `SqlExporter.recursion`."""
        if _is_linear(script, component):
            tables = {name: self.quoted(new) for name, new in names.items()}
            (name,) = component
            yield self._view(script, name, names[name], self._linear(script, name, tables))
        else:
            number = 1 + [one for one in script.components if _needs_sets(script, one)].index(component)
            yield from self._fixpoint(script, component, names, _free(f"recursion_{number}", names))

    def _linear(self, script: Script, name: str, tables: Mapping[str, str]) -> str:
        rules = script.rules_for(name)
        (step,) = (rule for rule in rules if name in rule.body)
        base = [rule for rule in rules if name not in rule.body]
        own = self.quoted(_free("so_far", {table[1:-1]: table[1:-1] for table in tables.values()}))
        columns = argument_columns(script.defined[name])
        first = self._union(base, tables) if base else self._empty(columns)
        again = self._select(step, {**tables, name: own})
        heading = f"WITH RECURSIVE {own} ({', '.join(map(self.quoted, columns))}) AS"
        return f"{heading} (\n{first}\nUNION\n{again}\n)\nSELECT * FROM {own}"

    def _fact(self, name: str, values: list[str]) -> str:
        return f"{self.fact([self.literal(name), *values])} AS fact"

    def _empty(self, columns: list[str]) -> str:
        return f"SELECT {', '.join([f'CAST(NULL AS {self.text})'] * len(columns))} WHERE 1 = 0"

    def _fixpoint(
        self, script: Script, component: tuple[str, ...], names: Mapping[str, str], view: str
    ) -> Iterator[str]:
        """Define predicates that depend on each other by way of a view of the set of all their facts."""
        tables = {name: self.quoted(new) for name, new in names.items()}
        within = {
            name: f"({self.scattered('state.facts', name, argument_columns(script.defined[name]))})"
            for name in component
        }
        facts = "\nUNION\n".join(
            self._select(
                rule, {**tables, **within}, distinct=True, column=partial(self._fact, rule.head.predicate)
            )
            for name in component
            for rule in script.rules_for(name)
        )
        yield (
            f'CREATE VIEW {self.quoted(view)} ("facts") AS\n'
            f'WITH RECURSIVE state ("facts") AS (\nSELECT {self.nothing}\nUNION\n'
            f"SELECT {self.gathered(facts)}\nFROM state\n)\n"
            f"SELECT facts FROM state ORDER BY {self.size} DESC LIMIT 1;"
        )
        for name in component:
            query = self.scattered(
                f"{self.quoted(view)}.facts", name, argument_columns(script.defined[name]), self.quoted(view)
            )
            yield self._view(script, name, names[name], query)


def _identifier(name: str) -> str:
    """Return a name that all dialects take."""
    text = name.replace("\0", "_").encode("utf-8", "replace").decode()
    while len(text.encode()) > _LONGEST - 4:
        text = text[:-1]
    return f"p_{text}" if not text or text.lower().startswith(("sqlite_", "pg_")) else text


def _free(name: str, names: Mapping[str, str]) -> str:
    taken = {new.casefold() for new in names.values()}
    while name in taken:
        name += "_"
    return name


def _needs_sets(script: Script, component: tuple[str, ...]) -> bool:
    """Whether a recursion is over the set of all facts derived so far."""
    return script.is_recursive(component) and not _is_linear(script, component)


def _is_linear(script: Script, component: tuple[str, ...]) -> bool:
    """Whether a predicate depends on itself alone, in one rule, and there once."""
    if len(component) > 1:
        return False
    own = [
        atom
        for rule in script.rules_for(component[0])
        for atom in rule.positive
        if atom.predicate == component[0]
    ]
    return len(own) == 1


class SqliteExporter(RecursiveSqlExporter):
    """Views for SQLite 3.38 and later; sets of facts are JSON, and dates are text."""

    name = "sql:sqlite"
    summary = "SQL views for SQLite"
    nothing = "'[]'"
    size = "length(facts)"

    def text_of(self, column: str) -> str:
        """See `Dialect.text_of`: a whole number is written without a fraction, whatever its column."""
        name = self.quoted(column)
        whole = f"typeof({name}) = 'real' AND {name} = CAST({name} AS INTEGER)"
        return f"CAST(CASE WHEN {whole} THEN CAST({name} AS INTEGER) ELSE {name} END AS TEXT)"

    def moment_of(self, column: str) -> str:
        """See `Dialect.moment_of`: one way to write what may be written in several."""
        return f"strftime('%Y-%m-%d %H:%M:%f', {self.quoted(column)})"

    def part_of(self, column: str, part: str) -> str:
        """See `Dialect.part_of`."""
        if part == "weekday":  # from 0 for Sunday
            return f"(CAST(strftime('%w', {self.quoted(column)}) AS INTEGER) + 6) % 7 + 1"
        return f"CAST(strftime('{'%Y' if part == 'year' else '%m'}', {self.quoted(column)}) AS INTEGER)"

    def fact(self, values: list[str]) -> str:
        """See `SqlExporter.fact`."""
        return f"json_array({', '.join(values)})"

    def gathered(self, facts: str) -> str:
        """See `SqlExporter.gathered`."""
        return f"(SELECT json_group_array(json(fact)) FROM (SELECT fact FROM (\n{facts}\n) ORDER BY fact))"

    def scattered(self, facts: str, name: str, columns: list[str], view: str | None = None) -> str:
        """See `SqlExporter.scattered`."""
        values = ", ".join(
            f"json_extract(e.value, '$[{i}]') AS {quoted(column)}"
            for i, column in enumerate(columns, start=1)
        )
        source = f"{view}, " if view else ""
        test = f"json_extract(e.value, '$[0]') = {literal(name)}"
        return f"SELECT {values} FROM {source}json_each({facts}) AS e WHERE {test}"


class PostgresqlExporter(RecursiveSqlExporter):
    """Views for PostgreSQL; sets of facts are JSON."""

    name = "sql:postgresql"
    summary = "SQL views for PostgreSQL"
    nothing = "CAST('[]' AS JSONB)"
    size = "jsonb_array_length(facts)"

    def fact(self, values: list[str]) -> str:
        """See `SqlExporter.fact`."""
        return f"jsonb_build_array({', '.join(f'CAST({value} AS TEXT)' for value in values)})"

    def gathered(self, facts: str) -> str:
        """See `SqlExporter.gathered`."""
        return f"(SELECT coalesce(jsonb_agg(fact ORDER BY fact), '[]') FROM (\n{facts}\n) AS derived)"

    def scattered(self, facts: str, name: str, columns: list[str], view: str | None = None) -> str:
        """See `SqlExporter.scattered`."""
        values = ", ".join(
            f"e.value ->> {i} AS {quoted(column)}" for i, column in enumerate(columns, start=1)
        )
        source = f"{view}, " if view else ""
        test = f"e.value ->> 0 = {literal(name)}"
        return f"SELECT {values} FROM {source}jsonb_array_elements({facts}) AS e(value) WHERE {test}"


class DuckdbExporter(RecursiveSqlExporter):
    """Views for DuckDB; sets of facts are lists."""

    name = "sql:duckdb"
    summary = "SQL views for DuckDB"
    nothing = "CAST([] AS VARCHAR[][])"
    size = "len(facts)"

    def fact(self, values: list[str]) -> str:
        """See `SqlExporter.fact`."""
        return f"[{', '.join(values)}]"

    def gathered(self, facts: str) -> str:
        """See `SqlExporter.gathered`."""
        return f"(SELECT coalesce(list(fact ORDER BY fact), {self.nothing}) FROM (\n{facts}\n) AS derived)"

    def scattered(self, facts: str, name: str, columns: list[str], view: str | None = None) -> str:
        """See `SqlExporter.scattered`."""
        values = ", ".join(f"e.value[{i}] AS {quoted(column)}" for i, column in enumerate(columns, start=2))
        source = f" FROM {view}" if view else ""
        rows = f"SELECT unnest({facts}) AS value{source}"
        return f"SELECT {values} FROM ({rows}) AS e WHERE e.value[1] = {literal(name)}"
