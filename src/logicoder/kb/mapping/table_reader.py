"""Reading tables from wherever they are, under a mapping that is given or proposed."""

from __future__ import annotations

import logging
import os
import re
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from logicoder.base.address import is_address
from logicoder.base.errors import InputError, UsageError
from logicoder.kb.file_names import suffix_of
from logicoder.kb.mapping.application import apply_mapping
from logicoder.kb.mapping.cut_choice import with_cuts
from logicoder.kb.mapping.data_mapping import DataMapping
from logicoder.kb.mapping.duckdb_source import DuckdbSource, is_duckdb
from logicoder.kb.mapping.file_source import SUFFIXES, FileSource
from logicoder.kb.mapping.mapping_file import read_mapping
from logicoder.kb.mapping.named_columns import columns_are_named
from logicoder.kb.mapping.proposal import propose_mapping
from logicoder.kb.mapping.rdf_source import SUFFIXES as RDF
from logicoder.kb.mapping.rdf_source import rdf_source
from logicoder.kb.mapping.sql_source import SqlSource
from logicoder.kb.mapping.sqlite_source import SqliteSource, is_sqlite
from logicoder.kb.schema import Schema

if TYPE_CHECKING:
    from logicoder.kb.knowledge_base import KnowledgeBase
    from logicoder.kb.mapping.keys import AllRows
    from logicoder.kb.mapping.tables import TableData, TableSource

AUTO = "auto"
_SQLITE = re.compile(r"sqlite(?:\+\w+)?://(?:/(?P<path>[^?]+))?")
_SUFFIXES = (".sqlite", ".sqlite3", ".db3")

_log = logging.getLogger("logicoder")


def is_database(path: str | Path) -> bool:
    """Whether a text or path names a database: an address, a file of SQLite or DuckDB, or one named so."""
    if is_address(path):
        return True
    return is_sqlite(Path(path)) or Path(path).suffix.lower() in _SUFFIXES or is_duckdb(Path(path))


def are_tables(paths: Sequence[str | Path]) -> bool:
    """Whether paths name tables that need a mapping: a database, or files whose first rows name columns."""
    return any(map(is_database, paths)) or columns_are_named(paths)


def open_source(where: str | Path) -> TableSource:
    """Return the tables that an address or a path names.

    Raises:
        InputError: if it is not there, or holds no tables.
        MissingExtraError: if it needs a package that is not installed.
    """
    if not is_address(where):
        path = Path(where)
        if is_duckdb(path):
            return DuckdbSource(path)
        if suffix_of(path) in RDF:
            return rdf_source([path])
        tables = os.path.isdir(path) or (suffix_of(path) in SUFFIXES and os.path.exists(path))
        return FileSource([path]) if tables else SqliteSource(path)
    local = sqlite_path(where)
    return SqlSource(str(where)) if local is None else SqliteSource(local)


def sqlite_path(where: str | Path) -> Path | None:
    """Return the file of an SQLite database, named by its address or an ending that only those have.

    >>> sqlite_path("sqlite:///shop.db"), sqlite_path("postgresql://host/shop")
    (PosixPath('shop.db'), None)
    """
    if not is_address(where):
        return Path(where) if Path(where).suffix.lower() in _SUFFIXES else None
    local = _SQLITE.match(str(where))
    if local is None:
        return None
    if local["path"] is None:
        raise UsageError("the URL of an SQLite database must contain its file: sqlite:///shop.db")
    return Path(local["path"])


def source_of(paths: Sequence[str | Path]) -> TableSource:
    """Return the tables that paths name: one database, or files of tables with headers."""
    if len(paths) == 1:
        return open_source(paths[0])
    if not paths or any(is_database(path) for path in paths):
        raise UsageError("a database cannot be combined with other data: pass only the database")
    files = [Path(path) for path in paths]
    return rdf_source(files) if all(suffix_of(file) in RDF for file in files) else FileSource(files)


def retyped(kb: KnowledgeBase, schema: Schema) -> KnowledgeBase:
    """Return a knowledge base under the types that a schema gives to its predicates."""
    known = {name: schema.get(name, predicate) for name, predicate in kb.schema.items()}
    return kb.with_schema(Schema({**schema, **known}, kb.schema.domains))


def read_tables(
    source: TableSource,
    mapping: DataMapping | str | Path | None = None,
    tables: Sequence[str] | None = None,
    sample: int | None = None,
) -> tuple[KnowledgeBase, DataMapping]:
    """Return the facts of tables, and the mapping by which they were made, with all its cuts.

    Args:
        source: where the tables are; it is closed in the end.
        mapping: a mapping or the file of one; None and `auto` propose one.
        tables: which tables to read; otherwise those of the mapping, or all that are no views.
        sample: as many rows of each table are read at the most.
    """
    with closing(source):
        if sample is not None and sample < 1:
            raise UsageError("a sample needs at least one row")
        from_file = isinstance(mapping, str | Path) and str(mapping) != AUTO
        given = read_mapping(Path(str(mapping))) if from_file else mapping
        wanted = list(given.essential().tables) if isinstance(given, DataMapping) else None
        if wanted is not None and tables is not None:
            raise UsageError("the mapping selects the tables: remove those that should not be read from it")
        data = source.read(tables if wanted is None else wanted, sample)
    if mapping is None and isinstance(source, FileSource):
        tell_things(source)
    used = with_cuts(given, data) if isinstance(given, DataMapping) else usable_proposal(data, source.name)
    return apply_mapping(used, data, source.name), used


def tell_things(files: FileSource) -> None:
    """Tell that rows of files are read as things, for that is a guess."""
    _log.warning(
        "%s: %s, so each row is an entity with attributes; `logicoder inspect` shows how%s",
        files.name,
        *files.why,
    )


def usable_proposal(data: Mapping[str, TableData], name: str, every: AllRows | None = None) -> DataMapping:
    """Return the mapping that is proposed for some tables; what is left out is told.

    Args:
        data: the tables.
        name: what messages call them.
        every: answers about all rows, where only some were read.

    Raises:
        InputError: if that is all of them.
    """
    found = propose_mapping(data, every)
    numbered = found.numbered()
    for table in found.tables.values():
        if table.left_out:
            _log.warning("left out the table %s: %s", table.table, table.why)
        elif table.table in numbered:
            _log.warning(
                "the table %s has no key: its rows are numbered (%s:1 and so on)", table.table, table.entity
            )
    if all(table.left_out for table in found.tables.values()):
        raise InputError(f"no table of {name} has a row")
    return found


def _where(database: Any) -> str | Path:
    """Return the address or the file of a database that is given as such, or as a connection to it.

    Raises:
        UsageError: for anything else, and for a database that no file or server holds.
    """
    if isinstance(database, str | os.PathLike):
        return database if isinstance(database, str) else Path(database)
    if isinstance(database, sqlite3.Connection):
        file = next((row[2] for row in database.execute("PRAGMA database_list") if row[1] == "main"), "")
        if not file:
            raise UsageError(
                "this database is in memory: save it by connection.backup, or read its tables as frames"
            )
        return Path(file)
    url = getattr(getattr(database, "engine", database), "url", None)
    if url is not None and hasattr(url, "render_as_string"):
        return str(url.render_as_string(hide_password=False))
    raise UsageError(
        f"a {type(database).__name__} is not a database: pass a file or a URL such as postgresql://host/name"
    )


def from_sql(
    where: Any,
    mapping: DataMapping | str | Path | None = None,
    tables: Sequence[str] | None = None,
    sample: int | None = None,
) -> KnowledgeBase:
    """Read a database; see `KnowledgeBase.from_sql`."""
    return read_tables(open_source(_where(where)), mapping, tables, sample)[0]
