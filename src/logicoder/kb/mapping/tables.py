"""Tables as any source has them: names, columns, keys, and rows as columns of plain values."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from logicoder.base.errors import InputError, Location, shown

MOST_ROWS = 5_000_000
"""A table with more rows is read in part only, and only when that was asked for."""

Columns = dict[str, list[Any]]
"""The values of each column; None where there is none."""


@dataclass(frozen=True)
class ForeignKey:
    """Columns whose values are those of columns of another table: of its key unless `referred` are named."""

    columns: tuple[str, ...]
    table: str
    referred: tuple[str, ...] = ()


@dataclass(frozen=True)
class SourceTable:
    """What a source says about a table before its rows are read.

    Attributes:
        name: as the source calls it.
        columns: the declared types by the names of the columns; an empty text where none is declared.
        key: the columns of the declared primary key.
        foreign_keys: the declared ones.
        rows: how many there are.
        view: whether it is a view: its rows say what tables say already.
    """

    name: str
    columns: Mapping[str, str]
    key: tuple[str, ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    rows: int = 0
    view: bool = False


@dataclass(frozen=True)
class TableData:
    """A table with its values, all columns of one length."""

    table: SourceTable
    values: Columns

    @property
    def rows(self) -> int:
        """Number of rows that were read."""
        return len(next(iter(self.values.values()), ()))


def column_values(data: Mapping[str, TableData], table: str, column: str) -> list[Any]:
    """Return the values of a column.

    Raises:
        InputError: if there is no such table, or it has no such column: a mapping speaks of it.
    """
    found = data.get(table)
    if found is None:
        raise InputError(
            f"the mapping mentions the table {table}, which does not exist",
            hint=f"there are: {', '.join(list(data)[:20])}",
        )
    if column not in found.values:
        raise InputError(
            f"the mapping mentions the column {column} of the table {table}, which does not exist",
            hint=f"it has: {', '.join(found.values)}",
        )
    return found.values[column]


class TableSource(ABC):
    """Something that holds tables and is only ever read.

    Attributes:
        name: what messages call it; it shows no password.
    """

    name: str

    @abstractmethod
    def tables(self, names: Sequence[str] | None = None) -> list[SourceTable]:
        """Return the tables, or those of some names; views only by name.

        Raises:
            InputError: if the source cannot be read, or has no such table.
        """

    @abstractmethod
    def values(self, table: SourceTable, every: int) -> Columns:
        """Return the values of a table: of each of its rows, or of every second, third and so on."""

    def close(self) -> None:  # noqa: B027  (most need not)
        """Let go of the source."""

    def refused(self, message: str, hint: str | None = None) -> InputError:
        """Return an error about this source."""
        return InputError(message, Location(self.name), hint)

    def chosen(self, tables: Sequence[SourceTable], names: Sequence[str] | None) -> list[SourceTable]:
        """Return the tables of some names, or all that are no views."""
        if names is None:
            return [table for table in tables if not table.view]
        known = {table.name: table for table in tables}
        for name in names:
            if name not in known:
                some = ", ".join(sorted(known)[:20])
                raise self.refused(f"there is no table {shown(name)}", f"it has: {some}" if some else None)
        return [known[name] for name in dict.fromkeys(names)]

    def read(self, names: Sequence[str] | None = None, sample: int | None = None) -> dict[str, TableData]:
        """Return tables with their values.

        Args:
            names: which tables; all unless given.
            sample: as many rows of a table are read at the most, evenly spread.

        Raises:
            InputError: if the source cannot be read, or a table is too large to be read without being asked.
        """
        tables = self.tables(names)
        if not tables:
            raise self.refused("there are no tables", "views are read only if they are named")
        for table in tables:
            if sample is None and table.rows > MOST_ROWS:
                raise self.refused(
                    f"the table {table.name} has {table.rows:,} rows, which is a lot to read",
                    "read some of the rows of each table with `sample=100000`",
                )
        found = {}
        for table in tables:
            every = 1 if sample is None else max(1, math.ceil(table.rows / sample))
            values = {name: plain(column) for name, column in self.values(table, every).items()}
            if every == 1:  # before, files only say how many rows there may be
                table = replace(table, rows=len(next(iter(values.values()), ())))  # noqa: PLW2901
            found[table.name] = TableData(table, values)
        return found


@dataclass
class GivenTables(TableSource):
    """Tables that are in memory already."""

    given: Mapping[str, TableData]
    name: str = field(default="the tables")

    def tables(self, names: Sequence[str] | None = None) -> list[SourceTable]:
        """See `TableSource.tables`."""
        return self.chosen([data.table for data in self.given.values()], names)

    def values(self, table: SourceTable, every: int) -> Columns:
        """See `TableSource.values`."""
        return {name: column[::every] for name, column in self.given[table.name].values.items()}


_PLAIN = frozenset({int, float, bool, bytes, list})


def plain(values: Iterable[Any]) -> list[Any]:
    """Return values as text, numbers, truth values, points in time and bytes; None for what is missing.

    Lists stay lists.

    >>> plain([1, "", float("nan"), Decimal("2.50"), date(2024, 5, 17)])
    [1, '', None, 2.5, datetime.datetime(2024, 5, 17, 0, 0)]
    """
    return [_plain(value) for value in values]


def _plain(value: Any) -> Any:
    kind = type(value)
    if kind is str:
        return value
    if value is None or value != value:  # noqa: PLR0124  (NaN, NaT and whatever else is not itself)
        return None
    if kind in _PLAIN:
        return None if kind is float and math.isinf(value) else value
    return _moment(value) if isinstance(value, date) else _other(value)


def _moment(value: date) -> datetime:
    """Return a point in time, in UTC where it says so; frames have classes of their own for it."""
    if not isinstance(value, datetime):
        return datetime(value.year, value.month, value.day)
    local = datetime.combine(value.date(), value.time().replace(fold=0), value.tzinfo)
    return local.astimezone(UTC).replace(tzinfo=None) if local.tzinfo else local


def _other(value: Any) -> Any:
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, bytearray | memoryview):
        return bytes(value)
    return _plain(value.item()) if hasattr(value, "item") else str(value)
