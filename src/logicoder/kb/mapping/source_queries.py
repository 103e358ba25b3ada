"""Queries over the tables of a database for the predicates that a mapping makes of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar, NamedTuple

from logicoder.kb.mapping.bins import WEEKDAYS, labels, point_text
from logicoder.kb.mapping.data_mapping import ORDERED, TEXT, Argument, DataMapping, TableMapping
from logicoder.kb.mapping.mapping_file import signatures_of


class Dialect(ABC):
    """How queries are written.

    Attributes:
        text: the type of texts.
        number: the type of numbers.
        moment: the type of dates and times.
        weekday: the field of a point in time that numbers weekdays, from 1 for Monday.
    """

    text: ClassVar[str] = "TEXT"
    number: ClassVar[str] = "DOUBLE PRECISION"
    moment: ClassVar[str] = "TIMESTAMP"
    weekday: ClassVar[str] = "ISODOW"

    @abstractmethod
    def quoted(self, name: str) -> str:
        """Return a name of a table, a view or a column."""

    @abstractmethod
    def literal(self, text: str) -> str:
        """Return a text."""

    def text_of(self, column: str) -> str:
        """Return the expression for the value of a column as text."""
        return f"CAST({self.quoted(column)} AS {self.text})"

    def moment_of(self, column: str) -> str:
        """Return the expression for the point in time that a column holds."""
        return f"CAST({self.quoted(column)} AS {self.moment})"

    def part_of(self, column: str, part: str) -> str:
        """Return the expression for the number of a year, a month or a weekday; that of Monday is 1."""
        word = self.weekday if part == "weekday" else part.upper()
        return f"CAST(EXTRACT({word} FROM {self.moment_of(column)}) AS INTEGER)"


class RowSource(NamedTuple):
    """What the rows of a table are read from.

    Attributes:
        table: what queries read.
        number: the column with the number of a row, from 1 on, if it has one.
    """

    table: str
    number: str | None = None


def source_queries(
    mapping: DataMapping, dialect: Dialect, sources: Mapping[str, RowSource] | None = None
) -> dict[str, str]:
    """Return a query for each predicate that gives its facts from the tables that the mapping reads.

    There is none for the values of ordered types without cuts, nor for rows that ought to be numbered and
    are not.

    Args:
        mapping: how tables become predicates.
        dialect: how queries are written.
        sources: what some tables are read from, by their names.
    """
    found: dict[str, str] = {}
    for table in mapping.essential().tables.values():
        source = (sources or {}).get(table.table) or RowSource(dialect.quoted(table.table))
        if table.entity is not None and not table.key and source.number is None:
            continue
        arguments = [(argument,) for argument in table.arguments]
        for (name, _), used in zip(
            signatures_of(mapping, table), [table.arguments] if table.relation else arguments, strict=True
        ):
            query = _query(mapping, table, used, dialect, source)
            if query is not None:
                found[name] = query
    return found


def _query(
    mapping: DataMapping,
    table: TableMapping,
    arguments: Sequence[Argument],
    dialect: Dialect,
    source: RowSource,
) -> str | None:
    columns: list[str] = []
    tests: list[str] = []
    if table.entity is not None:
        columns.append(_key(table.entity, table.key or (source.number or "",), dialect))
        tests += [_there(column, dialect) for column in table.key]
    for argument in arguments:
        if argument.holds is not None:
            holding = ", ".join(_literal(value, dialect) for value in argument.holds)
            tests.append(f"{dialect.quoted(argument.columns[0])} IN ({holding})")
            continue
        kind = mapping.types.get(argument.type or TEXT)
        text = argument.refers is None and argument.part is None and (kind is None or kind.kind == TEXT)
        tests += [
            f"{dialect.quoted(column)} IS NOT NULL" if text else _there(column, dialect)
            for column in argument.columns
        ]
        if argument.refers is not None:
            columns.append(_key(mapping.type_of(argument), argument.columns, dialect))
        else:
            value = _value(mapping, argument, dialect)
            if value is None:
                return None
            columns.append(value)
    # Spark makes no view of expressions without names, not even if the view names its columns.
    selected = ",\n  ".join(
        f"{column} AS {dialect.quoted(f'argument{number}')}" for number, column in enumerate(columns, start=1)
    )
    return f"SELECT DISTINCT\n  {selected}\nFROM {source.table}\nWHERE {' AND '.join(tests)}"


def _there(column: str, dialect: Dialect) -> str:
    """Return the test that a key, a number or a date is there: NULL and empty text are none."""
    return f"{dialect.text_of(column)} <> ''"


def _key(entity: str, columns: Sequence[str], dialect: Dialect) -> str:
    parts = " || ':' || ".join(map(dialect.text_of, columns))
    return f"{dialect.literal(f'{entity}:')} || {parts}"


def _value(mapping: DataMapping, argument: Argument, dialect: Dialect) -> str | None:
    """Return the expression for the constant that a value becomes."""
    (column,) = argument.columns
    kind = mapping.types.get(argument.type or TEXT)
    if argument.part is not None:
        number = dialect.part_of(column, argument.part)
        if argument.part != "weekday":
            return f"CAST({number} AS {dialect.text})"
        days = (f"WHEN {day} THEN {dialect.literal(name)}" for day, name in enumerate(WEEKDAYS, start=1))
        return f"CASE {number} {' '.join(days)} END"
    if kind is None or kind.kind not in ORDERED:
        return dialect.text_of(column)
    if kind.cuts is None:
        return None
    *lower, last = labels(kind.cuts)
    point = f"CAST({dialect.quoted(column)} AS {dialect.number})"
    if kind.kind == "date":
        point = dialect.moment_of(column)
    cases = " ".join(
        f"WHEN {point} < {_literal(cut, dialect)} THEN {dialect.literal(label)}"
        for cut, label in zip(kind.cuts, lower, strict=True)
    )
    return f"CASE {cases} ELSE {dialect.literal(last)} END" if cases else dialect.literal(last)


def _literal(value: Any, dialect: Dialect) -> str:
    if isinstance(value, datetime):
        return dialect.literal(point_text(value))
    if isinstance(value, bool):
        return str(value).upper()
    return dialect.literal(value) if isinstance(value, str) else repr(value)
