"""The mapping from tables to predicates, as plain data; each part says why it is as it is."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any, Literal

Kind = Literal["text", "code", "number", "date"]
ORDERED = ("number", "date")
TEXT = "text"
"""A type of text that is there without being listed."""


@dataclass(frozen=True)
class ValueType:
    """A type of values of columns.

    Attributes:
        name: what schemas call it.
        kind: text and codes stay constants; numbers and dates become bins, which are ordered.
        cuts: where the bins of an ordered type meet; None: they are chosen as `bins` says.
        bins: `quantiles`, `widths` or `informative` (where other columns change), and how many at the most:
            `quantiles:4`.
        compare: whether clauses may compare values of an ordered type with its cuts: `price(X) >= 50`.
        why: the evidence.
    """

    name: str
    kind: Kind = "text"
    cuts: tuple[Any, ...] | None = None
    bins: str | None = None
    compare: bool = True
    why: str = field(default="", compare=False)


@dataclass(frozen=True)
class Argument:
    """What one or more columns of a row stand for.

    Attributes:
        columns: one, or those of a key of several columns.
        predicate: the predicate between the row and it; empty for an argument of a relation.
        refers: the table whose key it is.
        type: the type of its values, if it is no key.
        holds: the values for which a predicate of the row alone holds.
        part: of dates, `year`, `month` or `weekday` instead of the bin.
        why: the evidence.
        left_out: a proposal that was not taken.
    """

    columns: tuple[str, ...]
    predicate: str = ""
    refers: str | None = None
    type: str | None = None
    holds: tuple[Any, ...] | None = None
    part: str | None = None
    why: str = field(default="", compare=False)
    left_out: bool = False


@dataclass(frozen=True)
class TableMapping:
    """What the rows of a table are: things with a key, or facts of one relation.

    Attributes:
        table: its name in the source.
        entity: the type whose constants its rows are.
        key: the columns that tell rows apart; the rows of an entity without any are numbered.
        relation: the predicate whose facts the rows are, if they are no things.
        arguments: what the columns stand for.
        why: the evidence.
        left_out: the table gives no facts, and `why` tells the reason.
    """

    table: str
    entity: str | None = None
    key: tuple[str, ...] = ()
    relation: str | None = None
    arguments: tuple[Argument, ...] = ()
    why: str = field(default="", compare=False)
    left_out: bool = False

    @property
    def used(self) -> tuple[Argument, ...]:
        """The arguments that give facts."""
        return tuple(argument for argument in self.arguments if not argument.left_out)


@dataclass(frozen=True)
class DataMapping:
    """How tables become typed predicates.

    Attributes:
        tables: by the names of the tables.
        types: of the values, by name; types of things are those of the tables.
    """

    tables: dict[str, TableMapping]
    types: dict[str, ValueType]

    def essential(self) -> DataMapping:
        """Return what counts, without proposals that were not taken."""
        return DataMapping(
            {
                name: replace(table, arguments=table.used)
                for name, table in self.tables.items()
                if not table.left_out
            },
            self.types,
        )

    def attributes(self) -> dict[str, str]:
        """Return the predicates that are functions of a thing, as a column has one value in each row.

        With each stands the type of the thing.
        """
        return {
            argument.predicate: table.entity
            for table in self.tables.values()
            if table.entity is not None and not table.left_out
            for argument in table.used
            if argument.predicate
        }

    def parts_of_keys(self) -> set[str]:
        """Return the predicates that say what the key of a row, which is part of its constant, says, too."""
        return {
            argument.predicate
            for table in self.tables.values()
            if table.entity is not None and not table.left_out
            for argument in table.used
            if argument.predicate and set(argument.columns) <= set(table.key)
        }

    def ranges(self) -> set[str]:
        """Return the predicates whose values are ranges of numbers or dates."""
        ordered = {name for name, kind in self.types.items() if kind.kind in ORDERED}
        return {
            argument.predicate
            for table in self.tables.values()
            for argument in table.used
            if argument.type in ordered and argument.part is None and argument.holds is None
        }

    def numbered(self) -> list[str]:
        """Return the tables whose rows are numbered, since they have no key."""
        return [
            name
            for name, table in self.tables.items()
            if table.entity is not None and not table.key and not table.left_out
        ]

    def decisions(self) -> list[tuple[str, str, str]]:
        """Return what was decided about each table and column: where, what, and why."""
        found = []
        for table in self.tables.values():
            what = "left out" if table.left_out else table.entity or table.relation or ""
            found.append((table.table, what if table.left_out else _told(table, what), table.why))
            for argument in table.arguments:
                place = f"{table.table}.{'+'.join(argument.columns)}"
                taken = "left out" if argument.left_out else self._taken(table, argument)
                found.append((place, taken, argument.why))
        users = Counter(a.type for table in self.tables.values() for a in table.used)
        for kind in self.types.values():
            if kind.kind in ORDERED or users[kind.name] > 1:
                found.append((f"type {kind.name}", _described(kind), kind.why))
        return found

    def _taken(self, table: TableMapping, argument: Argument) -> str:
        other = self.type_of(argument)
        if not argument.predicate:
            return other
        return f"{argument.predicate}({', '.join(filter(None, (table.entity, other)))})"

    def type_of(self, argument: Argument) -> str:
        """Return the type of what columns stand for; empty where they say something of the row alone."""
        if argument.refers is not None:
            return self.tables[argument.refers].entity or ""
        return argument.type or ""


def _described(kind: ValueType) -> str:
    if kind.kind not in ORDERED:
        return kind.kind
    return f"{kind.kind}, {kind.bins if kind.cuts is None else f'{len(kind.cuts) + 1} bins'}"


def _told(table: TableMapping, what: str) -> str:
    return f"type {what}" if table.entity else f"relation {what}"
