"""Relations of what a system reads in place: a table for each predicate, each fact once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from logicoder.base.errors import InputError
from logicoder.engine.sql.relations import HOLDS, WORLD, Relation, argument_columns

if TYPE_CHECKING:
    from logicoder.engine.sql.session import Session

_MOST_RELATIONS = 5_000

Part = tuple[str, list[str], str | None]
"""What queries call a table, its columns, and its interpretation; None where there are not several."""


def _selected(session: Session, table: str, columns: Sequence[str], world: str | None) -> str:
    values = [session.as_text(session.quoted(column)) for column in columns]
    names = argument_columns(len(columns))
    selected = [f"{value} AS {name}" for value, name in zip(values, names, strict=True)]
    if world is not None:
        selected.insert(0, f"{session.as_text(session.literal(world))} AS {WORLD}")
    there = " AND ".join(f"{session.quoted(column)} IS NOT NULL" for column in columns)
    return f"SELECT DISTINCT {', '.join(selected)} FROM {table} AS s WHERE {there}"


def stored_relation(session: Session, name: str, parts: Sequence[Part]) -> Relation:
    """Return the facts of a predicate, from one file or several; one without arguments has a column."""
    arity = len(parts[0][1])
    proposition = parts[0][1] == [HOLDS]
    for table, columns, _ in parts:
        if len(columns) != arity:
            raise InputError(f"{name} has {len(columns)} columns in {table}, but {arity} elsewhere")
    queries = [_selected(session, table, columns, world) for table, columns, world in parts]
    union = " UNION ".join(queries)
    if proposition:
        world_column = [WORLD] if parts[0][2] is not None else []
        union = f"SELECT {', '.join([*world_column, f'a1 AS {HOLDS}'])} FROM ({union}) AS s"
    return Relation(session.table(union, f"reading {name}"), 0 if proposition else arity)


def stored_triples(session: Session, parts: Sequence[Part]) -> dict[str, Relation]:
    """Return a relation for each name in the middle of triples."""
    for table, columns, _ in parts:
        if len(columns) != 3:
            raise InputError(f"a triple is head, relation and tail: {table} has {len(columns)} columns")
    queries = [_selected(session, table, columns, world) for table, columns, world in parts]
    every = session.table(" UNION ".join(queries), "reading triples")
    names = [
        row[0] for row in session.rows(f"SELECT DISTINCT a2 FROM {every} ORDER BY a2", "listing relations")
    ]
    if len(names) > _MOST_RELATIONS:
        raise InputError(f"there are {len(names):,} relations, and at most {_MOST_RELATIONS:,} can be tables")
    world = f"{WORLD}, " if parts[0][2] is not None else ""
    found = {}
    for name in names:
        test = f"a2 = {session.literal(name)}"
        query = f"SELECT {world}a1, a3 AS a2 FROM {every} WHERE {test}"
        found[str(name)] = Relation(session.table(query, f"reading {name}"), 2)
    session.drop(every)
    return found
