"""Creating what an export says in a database: views of a program, where the data are."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from logicoder.base.address import HIDDEN, is_address, masked
from logicoder.base.errors import MissingExtraError, OutputError, UsageError
from logicoder.kb.mapping.duckdb_source import is_duckdb
from logicoder.kb.mapping.table_reader import sqlite_path


def database_of(where: str) -> str | None:
    """Return the language that a database speaks, by its name; None for what is no database.

    >>> database_of("shop.duckdb"), database_of("postgresql://host/shop"), database_of("views.sql")
    ('sql:duckdb', 'sql:postgresql', None)
    """
    if sqlite_path(where) is not None:
        return "sql:sqlite"
    if is_address(where):
        return "sql:postgresql" if where.startswith("postgres") else ""
    return "sql:duckdb" if is_duckdb(Path(where)) else None


def create_in(text: str, language: str, where: str) -> None:
    """Run an export in a database, all of it or nothing.

    Args:
        text: the export.
        language: what it is written in.
        where: a DuckDB or SQLite file, or the address of a PostgreSQL server.

    Raises:
        UsageError: for a database that does not speak the language.
        OutputError: if the database refuses it: for a view that is there already, say.
    """
    spoken = database_of(where)
    if spoken != language:
        known = f"--to {spoken}" if spoken else "a file, which you run there yourself"
        raise UsageError(f"{masked(where)}: views in {language} cannot be made there; choose {known}")
    run = {"sql:sqlite": _sqlite, "sql:duckdb": _duckdb, "sql:postgresql": _postgresql}[language]
    run(text, where)


def _sqlite(text: str, where: str) -> None:
    try:
        with closing(sqlite3.connect(str(sqlite_path(where)), isolation_level=None)) as connection:
            connection.executescript(f"BEGIN;\n{text}\nCOMMIT;")
    except sqlite3.Error as error:
        raise _refused(where, error) from None


def _duckdb(text: str, where: str) -> None:
    try:
        import duckdb  # noqa: PLC0415  (an extra)
    except ImportError:
        raise MissingExtraError("duckdb", "duckdb", f"writing {where}") from None
    try:
        with duckdb.connect(where) as connection:
            connection.execute(f"BEGIN;\n{text}\nCOMMIT;")
    except duckdb.Error as error:
        raise _refused(where, error) from None


def _postgresql(text: str, where: str) -> None:
    try:
        import psycopg  # noqa: PLC0415  (an extra)
    except ImportError:
        raise MissingExtraError("psycopg", "postgresql", f"writing to {masked(where)}") from None
    scheme, _, rest = where.partition("://")
    try:
        with psycopg.connect(f"{scheme.partition('+')[0]}://{rest}") as connection:
            connection.execute(text.encode())
    except psycopg.Error as error:
        raise _refused(where, error) from None


def _refused(where: str, error: Exception) -> OutputError:
    said = masked(" ".join(str(error).split()))[:300]
    password = where.partition("://")[2].partition("@")[0].partition(":")[2]
    said = said.replace(password, HIDDEN) if password else said
    return OutputError(f"{masked(where)}: the views were not created: {said}")
