"""Tables of a database, or of files, as the predicates that a mapping makes of them; the rows stay there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from logicoder.base.address import masked
from logicoder.engine.sql.relations import Relation, argument_columns
from logicoder.engine.sql.stored_data import StoredData
from logicoder.kb import fact_tables
from logicoder.kb.fact_tables import holds_facts, told_tables
from logicoder.kb.mapping.application import mapping_schema
from logicoder.kb.mapping.cut_choice import with_cuts
from logicoder.kb.mapping.data_mapping import DataMapping
from logicoder.kb.mapping.names import unused
from logicoder.kb.mapping.source_queries import RowSource, source_queries
from logicoder.kb.mapping.table_reader import open_source, tell_things, usable_proposal
from logicoder.logic.plain_constants import plain_constant

if TYPE_CHECKING:
    from logicoder.engine.sql.duckdb_session import DuckdbSession
    from logicoder.engine.sql.session import Session
    from logicoder.kb.mapping.file_source import FileSource
    from logicoder.kb.mapping.tables import TableData, TableSource

_MAPPED_ROWS = 100_000
"""Rows of each table by which a mapping is proposed."""
_NUMBER = "logicoder_row"

Given = DataMapping | Literal["auto"] | None


def stored_database(where: str | Path, session: Session, given: Given) -> StoredData:
    """Return the facts of a database: of tables that logicoder wrote, or by a mapping.

    Args:
        where: the file or the address.
        session: has it open.
        given: the mapping; `auto` for a proposal; None for a proposal unless logicoder wrote the tables.
    """
    if given is None:
        facts = _fact_tables(where, session)
        if facts is not None:
            return facts
    with closing(_opened(where)) as source:
        mapping, data = _mapping(source, given, _AllRows(session))
    sources = {
        name: _numbered(session, mapping, name, view=data[name].table.view) for name in mapping.numbered()
    }
    return _mapped(session, mapping, sources, masked(str(where)))


def stored_files(files: FileSource, session: DuckdbSession, given: Given) -> StoredData:
    """Return the facts of tables in files that DuckDB reads in place.

    Args:
        files: the files.
        session: a session of DuckDB.
        given: the mapping; `auto` and None for a proposal, of which None is a guess that is told.
    """
    from logicoder.engine.sql.file_tables import FileTables  # noqa: PLC0415  (DuckDB alone needs it)

    tables = FileTables(session, files.files, files.name)
    mapping, _ = _mapping(tables, given, _AllRows(session, tables.sources))
    if given is None:
        tell_things(files)
    return _mapped(session, mapping, tables.sources, files.name)


def _mapped(
    session: Session, mapping: DataMapping, sources: Mapping[str, RowSource], name: str
) -> StoredData:
    """Return the predicates that a mapping makes of tables."""
    schema, compared = mapping_schema(mapping)
    relations = {
        own: Relation(
            session.filled(["a1"], [(plain_constant(symbol),) for symbol in symbols], f"listing {own}"), 1
        )
        for own, (_, symbols) in compared.items()
    }
    queries = source_queries(mapping, session, sources)
    for own in session.steps("read", queries):
        query, columns = queries[own], argument_columns(schema[own].arity)
        texts = ", ".join(f"{session.as_text(column)} AS {column}" for column in columns)
        read = f"WITH read_table ({', '.join(columns)}) AS ({query}) SELECT {texts} FROM read_table"
        relations[own] = Relation(session.table(read, f"reading {own}"), len(columns))
    return StoredData(session, relations, name, schema.restricted(relations), mapping=mapping)


def _numbered(session: Session, mapping: DataMapping, name: str, *, view: bool) -> RowSource:
    """Return a copy of what a table says, with the numbers of its rows: the same ones for all columns."""
    columns = dict.fromkeys(column for argument in mapping.tables[name].used for column in argument.columns)
    number = unused(_NUMBER, set(columns))
    listed = ", ".join(
        [session.row_number(view=view) + f" AS {session.quoted(number)}", *map(session.quoted, columns)]
    )
    query = f"SELECT {listed} FROM {session.quoted(name)}"
    return RowSource(session.table(query, f"numbering the rows of {name}"), number)


def _opened(where: str | Path) -> TableSource:
    """Return the tables of a database, a server's by the driver that its session has."""
    scheme, found, rest = str(where).partition("://")
    return open_source(f"postgresql+psycopg://{rest}" if found and "+" not in scheme else where)


def _fact_tables(where: str | Path, session: Session) -> StoredData | None:
    """Return the facts of tables that logicoder wrote; None where there are none."""
    with closing(_opened(where)) as source:
        if not holds_facts(source):
            return None
        told = told_tables(source)
    several = len(told.interpretations) > 1
    relations = {}
    for name, table in told.tables.items():
        arity = told.schema[name].arity
        relation = Relation("", arity)
        given = [fact_tables.INTERPRETATION] * several + fact_tables.argument_columns(arity)
        columns = zip(given, relation.columns(worlds=several), strict=True)
        texts = ", ".join(f"{session.as_text(session.quoted(old))} AS {new}" for old, new in columns)
        query = f"SELECT DISTINCT {texts} FROM {session.quoted(table)}"
        relations[name] = Relation(session.table(query, f"reading {name}"), arity)
    worlds = told.interpretations if several else ()
    return StoredData(session, relations, masked(str(where)), told.schema, worlds, plain=True)


def _mapping(source: TableSource, given: Given, every: _AllRows) -> tuple[DataMapping, dict[str, TableData]]:
    """Return a mapping, or the one that some rows of each table suggest, with cuts; and these rows."""
    known = given if isinstance(given, DataMapping) else None
    data = source.read(None if known is None else list(known.essential().tables), _MAPPED_ROWS)
    return with_cuts((known or usable_proposal(data, source.name, every)).essential(), data), data


class _AllRows:
    """Answers about all rows of tables, see `logicoder.kb.mapping.keys.AllRows`.

    Args:
        session: the system that has the tables.
        sources: what they are read from, where that is not their names.
    """

    def __init__(self, session: Session, sources: Mapping[str, RowSource] | None = None) -> None:
        self._session, self._sources = session, {} if sources is None else sources

    def tells_apart(self, table: str, columns: Sequence[str]) -> bool:
        """See `AllRows.tells_apart`."""
        named = [self._session.quoted(column) for column in columns]
        missing = " OR ".join(f"{column} IS NULL" for column in named)
        read, purpose = self._read(table), f"looking for the key of {table}"
        if self._session.rows(f"SELECT 1 FROM {read} WHERE {missing} LIMIT 1", purpose):
            return False
        again = f"SELECT 1 FROM {read} GROUP BY {', '.join(named)} HAVING count(*) > 1 LIMIT 1"
        return not self._session.rows(again, purpose)

    def among(self, table: str, column: str, target: str, key: str) -> tuple[int, int]:
        """See `AllRows.among`."""
        own, other = self._values(table, column), self._values(target, key)
        query = f"SELECT count(k.v), count(*) FROM ({own}) AS s LEFT JOIN ({other}) AS k ON s.v = k.v"
        included, number = self._session.row(query, f"comparing {column} of {table} with {target}")
        return int(included), int(number)

    def _values(self, table: str, column: str) -> str:
        text = self._session.as_text(self._session.quoted(column))
        return f"SELECT DISTINCT {text} AS v FROM {self._read(table)} WHERE {text} <> ''"

    def _read(self, table: str) -> str:
        source = self._sources.get(table)
        return self._session.quoted(table) if source is None else source.table
