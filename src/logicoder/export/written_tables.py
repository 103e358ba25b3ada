"""Writing facts as tables of a database, which views of exported programs read, and logicoder, too."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from logicoder.base.address import HIDDEN, is_address, masked
from logicoder.base.errors import MissingExtraError, OutputError, UsageError
from logicoder.base.sql_text import quoted
from logicoder.export.sql import SqliteExporter
from logicoder.kb.fact_tables import INTERPRETATION, TOLD, TOLD_COLUMNS, argument_columns
from logicoder.kb.formats.alchemy.declarations import schema_text
from logicoder.kb.knowledge_base import TRUTHS
from logicoder.kb.mapping.table_reader import sqlite_path
from logicoder.logic.plain_constants import plain_constant

if TYPE_CHECKING:
    from logicoder.kb.knowledge_base import KnowledgeBase

Rows = Sequence[tuple[str, ...]]


@dataclass(frozen=True)
class _Table:
    name: str
    columns: tuple[str, ...]
    rows: Rows


def write_fact_tables(kb: KnowledgeBase, where: str | Path) -> None:
    """Write a knowledge base into a database, all of it or nothing.

    Facts that were written so before are replaced; no other table is touched, and one that is called like a
    predicate is an error.

    Args:
        kb: the facts; true ones only.
        where: an SQLite file, which need not be there, or the address of a database.

    Raises:
        UsageError: for false and unknown atoms, and for a table that is there already.
        OutputError: if the database cannot be written.
        MissingExtraError: for an address, if SQLAlchemy is not installed.
    """
    for name in kb.schema:
        for truth in TRUTHS[1:]:
            if kb.count(name, truth):
                raise UsageError(f"{name} has {truth} atoms, and tables hold true facts only; write Prolog")
    tables = list(_tables(kb))
    local = sqlite_path(where)
    if local is not None:
        _write_sqlite(tables, local)
    else:
        _write_elsewhere(tables, str(where))


def _tables(kb: KnowledgeBase) -> Iterator[_Table]:
    names = SqliteExporter().names((TOLD, *kb.schema))
    several = len(kb.interpretations) > 1
    told = [("schema", "", schema_text(kb.schema))]
    told += [("interpretation", name, "") for name in kb.interpretations]
    told += [("table", name, names[name]) for name in kb.schema]
    yield _Table(TOLD, TOLD_COLUMNS, told)
    texts = [plain_constant(symbol) for symbol in kb.symbols]
    for name, predicate in kb.schema.items():
        table = kb.table(name)
        rows = [tuple(texts[i] for i in row) or ("true",) for row in table.arguments.tolist()]
        columns = tuple(argument_columns(predicate.arity))
        if several:
            worlds = [kb.interpretations[world] for world in table.worlds.tolist()]
            rows = [(world, *row) for world, row in zip(worlds, rows, strict=True)]
            columns = (INTERPRETATION, *columns)
        yield _Table(names[name], columns, rows)


def replaced(known: Sequence[str], written: Sequence[str], tables: Sequence[str], where: str) -> list[str]:
    """Return the tables to be removed first.

    Args:
        known: the tables of the database.
        written: those that were written as facts before.
        tables: the names of those to be written.
        where: the database, for messages.
    """
    old = {name.casefold() for name in (*written, *([TOLD] if written else ()))}
    others = {name.casefold() for name in known} - old
    for table in tables:
        if table.casefold() in others:
            raise UsageError(f"{where}: the table {table} already exists and contains something else")
    return [name for name in known if name.casefold() in old]


def _write_sqlite(tables: Sequence[_Table], path: Path) -> None:
    new = not path.exists()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            known = [name for (name,) in connection.execute("SELECT name FROM sqlite_master")]
            written = []
            if TOLD in known:
                query = f"SELECT text FROM {TOLD} WHERE kind = 'table'"  # noqa: S608  (a name of this module)
                written = [name for (name,) in connection.execute(query)]
            for name in replaced(known, written, [table.name for table in tables], str(path)):
                connection.execute(f"DROP TABLE {quoted(name)}")
            for table in tables:
                columns = ", ".join(f"{quoted(column)} TEXT NOT NULL" for column in table.columns)
                connection.execute(f"CREATE TABLE {quoted(table.name)} ({columns})")
                marks = ", ".join("?" * len(table.columns))
                connection.executemany(
                    f"INSERT INTO {quoted(table.name)} VALUES ({marks})",  # noqa: S608  (quoted)
                    table.rows,
                )
            connection.execute("COMMIT")
    except (OSError, sqlite3.Error, UnicodeError) as error:
        if new:
            path.unlink(missing_ok=True)
        raise OutputError(f"{path}: cannot be written: {getattr(error, 'strerror', None) or error}") from None


def _write_elsewhere(tables: Sequence[_Table], address: str) -> None:
    name = masked(address)
    try:
        import sqlalchemy  # noqa: PLC0415  (an extra)
    except ImportError:
        raise MissingExtraError("sqlalchemy", "database", f"writing to {name}") from None
    password: str | None = None
    try:
        password = sqlalchemy.make_url(address).password
        engine = sqlalchemy.create_engine(address)
        with ExitStack() as ending:
            ending.callback(engine.dispose)
            connection = ending.enter_context(engine.begin())
            known = sqlalchemy.inspect(connection).get_table_names()
            written: list[str] = []
            if TOLD in known:
                told = sqlalchemy.table(TOLD, *map(sqlalchemy.column, TOLD_COLUMNS))
                query = sqlalchemy.select(told.c.text).where(told.c.kind == "table")
                written = list(connection.execute(query).scalars())
            former = replaced(known, written, [table.name for table in tables], name)
            metadata: Any = sqlalchemy.MetaData()
            for old in former:
                sqlalchemy.Table(old, sqlalchemy.MetaData()).drop(connection)
            for table in tables:
                columns = [sqlalchemy.Column(c, sqlalchemy.Text, nullable=False) for c in table.columns]
                made = sqlalchemy.Table(table.name, metadata, *columns)
                made.create(connection)
                if table.rows:
                    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
                    connection.execute(made.insert(), rows)
    except (UsageError, OutputError):
        raise
    except Exception as error:  # drivers have errors of their own, and some quote the address
        said = masked(str(getattr(error, "orig", None) or error).strip().partition("\n")[0])
        said = said.replace(password, HIDDEN) if password else said
        raise OutputError(f"{name}: cannot be written: {said}") from None


def is_database_name(where: str | Path) -> bool:
    """Whether a text names a database to be written: an address, or a file with an ending of SQLite.

    >>> is_database_name("postgresql://host/shop"), is_database_name("out.sqlite"), is_database_name("out.pl")
    (True, True, False)
    """
    return is_address(where) or sqlite_path(where) is not None
