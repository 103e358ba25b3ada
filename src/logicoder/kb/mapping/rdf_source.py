"""RDF as tables: a class is a table of things, and a property that has one value at the most is a column.

A thing of several classes is a row of the one with most things, and the others are truth values of it; things
without a class are rows of a table `thing`. A property with several values of one thing is a table of its
own. So numbers and dates become ordered types, as in any database.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from logicoder.kb.formats.rdf import Graph, Names, graphs_of
from logicoder.kb.mapping.tables import Columns, ForeignKey, GivenTables, SourceTable, TableData
from logicoder.logic.symbols import Text, value_of

SUFFIXES = (".nt", ".ttl", ".n3", ".rdf", ".owl")
"""Endings of files of RDF."""

_KEY = "id"
_THING = "thing"
_MOMENTS = ("dateTime", "date")


def rdf_source(paths: Sequence[Path]) -> GivenTables:
    """Return the graphs of some files as tables.

    Raises:
        InputError: for what is not RDF, with its place.
        MissingExtraError: if pyoxigraph is not installed.
    """
    return GivenTables(_Tables(graphs_of(paths)).tables(), ", ".join(map(str, paths[:3])))


class _Tables:
    """Sorts the triples of graphs by the things that they are about.

    Args:
        graphs: the triples.
    """

    def __init__(self, graphs: Sequence[Graph]) -> None:
        names = Names(graphs)
        self._classes: defaultdict[str, set[str]] = defaultdict(set)
        self._values: defaultdict[str, defaultdict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
        self._things: set[str] = set()
        for graph in graphs:
            for triple, (name, symbols) in zip(graph.triples, names.facts(graph), strict=True):
                subject = str(value_of(symbols[0]))
                self._things.add(subject)
                if len(symbols) == 1:
                    self._classes[subject].add(name)
                    continue
                thing = triple[2]
                literal = hasattr(thing, "datatype")
                value = _value(thing, symbols[1]) if literal else _Thing(str(value_of(symbols[1])))
                if not literal:
                    self._things.add(value)
                if value not in self._values[name][subject]:
                    self._values[name][subject].append(value)
        sizes = Counter(name for classes in self._classes.values() for name in classes)
        self._table = {
            thing: max(self._classes.get(thing, {_THING}), key=lambda name: (sizes[name], name))
            for thing in sorted(self._things)
        }

    def tables(self) -> dict[str, TableData]:
        """Return a table of each class, and one of each property that has several values."""
        members: defaultdict[str, list[str]] = defaultdict(list)
        for thing, table in self._table.items():
            members[table].append(thing)
        columns: dict[str, Columns] = {table: {_KEY: [*things]} for table, things in members.items()}
        keyed = set(columns)
        foreign: defaultdict[str, list[ForeignKey]] = defaultdict(list)
        for table, things in members.items():
            for other in sorted({name for thing in things for name in self._classes[thing]} - {table}):
                columns[table][other] = [other in self._classes[thing] for thing in things]
        for name, table, refers, rows in self._properties():
            values = dict(rows)
            if len(values) == len(rows) and name not in columns[table]:
                columns[table][name] = [values.get(thing) for thing in members[table]]
                foreign[table] += [ForeignKey((name,), refers)] if refers else []
                continue
            own, last = f"{table}_{name}", name if name != table else f"{name}_2"
            columns[own] = {table: [row[0] for row in rows], last: [row[1] for row in rows]}
            foreign[own] = [ForeignKey((table,), table)]
            foreign[own] += [ForeignKey((last,), refers)] if refers else []
        return {
            name: TableData(
                SourceTable(
                    name,
                    dict.fromkeys(content, ""),
                    (_KEY,) if name in keyed else (),
                    tuple(foreign[name]),
                    len(next(iter(content.values()))),
                ),
                content,
            )
            for name, content in columns.items()
        }

    def _properties(self) -> Iterator[tuple[str, str, str | None, list[tuple[str, Any]]]]:
        """Iterate over properties by the tables of their subjects and objects: name, tables, and rows.

        Where the objects are of several tables, the name tells them apart.
        """
        for name, by_subject in self._values.items():
            parts: defaultdict[tuple[str, str | None], list[tuple[str, Any]]] = defaultdict(list)
            for subject, values in by_subject.items():
                for value in values:
                    refers = self._table[value] if isinstance(value, _Thing) else None
                    parts[self._table[subject], refers].append((subject, value))
            kinds = Counter(table for table, _ in parts)
            for (table, refers), rows in parts.items():
                yield (name if kinds[table] == 1 else f"{name}_{refers or 'value'}"), table, refers, rows


class _Thing(str):
    """The name of a thing, unlike a text."""

    __slots__ = ()


def _value(literal: Any, symbol: str) -> Any:
    """Return a literal as a number, a truth value, a point in time or a text."""
    if any(literal.datatype.value.endswith(f"#{kind}") for kind in _MOMENTS):
        try:
            return datetime.fromisoformat(literal.value)
        except ValueError:
            return literal.value
    value = value_of(symbol)
    if symbol in ("true", "false"):
        return symbol == "true"
    return value.value if isinstance(value, Text) else value
