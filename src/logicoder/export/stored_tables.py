"""Facts of stored data as tables of a database, made by the engine itself: no fact leaves its system.

The tables are those of `logicoder.export.written_tables`, so that they are read back like these.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from logicoder.base.address import masked
from logicoder.engine.sql.session import QueryError
from logicoder.export.sql import SqliteExporter
from logicoder.export.written_tables import replaced
from logicoder.kb.fact_tables import INTERPRETATION, TOLD, TOLD_COLUMNS, argument_columns
from logicoder.kb.formats.alchemy.declarations import schema_text
from logicoder.kb.schema import Predicate, Schema

if TYPE_CHECKING:
    from logicoder.engine.sql.stored_data import StoredData


def write_stored_tables(data: StoredData, where: str) -> None:
    """Write facts into tables of a database, all of them or none.

    Facts that were written so before are replaced; no other table is touched, and one that is called like a
    predicate is an error.

    Args:
        data: the facts.
        where: a DuckDB file, which need not be there, or the address of the server that holds the data.

    Raises:
        UsageError: for a table that is there already, and an engine that does not write there.
        QueryError: if the database cannot be written.
    """
    session, relations, known = data.session, data.relations, data.schema or Schema()
    types = {n: known.get(n) or Predicate(n, ("thing",) * r.arity) for n, r in relations.items()}
    names = SqliteExporter().names((TOLD, *relations))
    told = [("schema", "", schema_text(Schema(types, known.domains)))]
    told += [("interpretation", name, "") for name in data.worlds]
    told += [("table", name, names[name]) for name in relations]
    purpose = f"writing into {masked(where)}"
    prefix = session.opened_for_writing(where)
    listing = session.filled(TOLD_COLUMNS, told, purpose)
    session.execute("BEGIN", purpose)
    try:
        there = session.tables_in(prefix)
        written = []
        if TOLD in there:
            query = f"SELECT text FROM {prefix}{session.quoted(TOLD)} WHERE kind = 'table'"
            written = [str(row[0]) for row in session.rows(query, purpose)]
        for name in replaced(there, written, [TOLD, *(names[name] for name in relations)], masked(where)):
            session.execute(f"DROP TABLE {prefix}{session.quoted(name)}", purpose)
        session.execute(f"CREATE TABLE {prefix}{session.quoted(TOLD)} AS SELECT * FROM {listing}", purpose)
        for name, relation in relations.items():
            given = relation.columns(worlds=data.several)
            columns = [INTERPRETATION] * data.several + argument_columns(relation.arity)
            selected = ", ".join(
                f"{old} AS {session.quoted(new)}" for old, new in zip(given, columns, strict=True)
            )
            query = f"SELECT {selected} FROM {relation.table}"
            session.execute(f"CREATE TABLE {prefix}{session.quoted(names[name])} AS {query}", purpose)
        session.execute("COMMIT", purpose)
    except BaseException:
        with suppress(QueryError):  # a session that is gone has rolled back
            session.execute("ROLLBACK", purpose)
        raise
