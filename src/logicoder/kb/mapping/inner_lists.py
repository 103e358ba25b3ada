"""Lists among the values of a table, which become tables of their own that refer to it.

`{"id": 1, "genres": ["drama", "war"]}` in films has two rows in `film_genres`: 1 with each of the two. Of
objects in a list, each is a row, and their values are its columns.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from logicoder.kb.mapping.column_profile import profile
from logicoder.kb.mapping.json_records import record_columns
from logicoder.kb.mapping.keys import key_of, leading_key
from logicoder.kb.mapping.names import singular, unused
from logicoder.kb.mapping.tables import Columns, ForeignKey, SourceTable, TableData, plain

ROW = "row"
"""The column that numbers the rows of a table with lists, if nothing else tells them apart."""

_OBJECT = "objects"
_LEFT_OUT = {float: "numbers with fractions", list: "lists"}
"""Coordinates and matrices are no values of something."""

_log = logging.getLogger("logicoder")


def without_lists(tables: Iterable[TableData]) -> dict[str, TableData]:
    """Return tables without lists by name, and a table for each column that held some."""
    found: dict[str, TableData] = {}
    for data in tables:
        for table, values in tables_of(data.table, data.values):
            name = unused(table.name, found)
            found[name] = TableData(replace(table, name=name), values)
    return found


def tables_of(table: SourceTable, values: Columns) -> Iterator[tuple[SourceTable, Columns]]:
    """Iterate over a table without its lists, and a table for each column that held some."""
    lists = {name for name, column in values.items() if any(isinstance(v, list) for v in column)}
    if not lists:
        yield table, values
        return
    own = {name: column for name, column in values.items() if name not in lists}
    rows = len(next(iter(values.values())))
    if (key := _key(table, own)) is None:
        key = unused(ROW, set(values))
        own = {key: list(range(1, rows + 1)), **own}
    yield table, own
    for name in values:
        if name in lists:
            yield from _inner(table, key, own[key], name, values[name])


def _key(table: SourceTable, values: Columns) -> str | None:
    """Return the one column that tells rows apart, as a proposal of a mapping would find it."""
    profiles = {name: profile(name, table.columns.get(name, ""), column) for name, column in values.items()}
    found = key_of(table, profiles) or leading_key(profiles, values)
    return found.columns[0] if found is not None and len(found.columns) == 1 else None


def _inner(
    table: SourceTable, key: str, keys: Sequence[Any], name: str, lists: Sequence[Any]
) -> Iterator[tuple[SourceTable, Columns]]:
    """Iterate over the tables of what the lists of a column hold."""
    items = [
        (owner, item)
        for owner, several in zip(keys, lists, strict=True)
        for item in (several if isinstance(several, list) else [several])
        if item is not None
    ]
    kinds = {_OBJECT if isinstance(item, dict) else _LEFT_OUT.get(type(item), "values") for _, item in items}
    if len(kinds) != 1 or kinds & set(_LEFT_OUT.values()):
        what = " and ".join(sorted(kinds)) or "nothing"
        _log.warning("%s: left out %s, because lists of %s are not read", table.name, name, what)
        return
    owners = [owner for owner, _ in items]
    if kinds == {_OBJECT}:
        columns = record_columns((item for _, item in items), 1, f"{table.name}.{name}")
    else:
        pairs = dict.fromkeys(items)  # what a list has twice is one fact
        owners, columns = [owner for owner, _ in pairs], {singular(name): [item for _, item in pairs]}
    refers = unused(f"{singular(table.name)}_{key}", columns)
    own = replace(
        table,
        name=f"{singular(table.name)}_{name}",
        columns={},
        key=(),
        foreign_keys=(ForeignKey((refers,), table.name, (key,)),),
        rows=len(owners),
    )
    yield from tables_of(own, {refers: owners, **{c: plain(values) for c, values in columns.items()}})
