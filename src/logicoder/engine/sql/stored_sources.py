"""Opening data where they are: files of facts, a DuckDB file, a server, tables and frames of Spark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from logicoder.base.address import is_address, masked
from logicoder.base.errors import InputError, Location, UsageError, shown
from logicoder.base.files import is_special
from logicoder.base.memory import bytes_of
from logicoder.base.progress import Reporter, silent
from logicoder.engine.sql.choice import AUTO
from logicoder.engine.sql.file_tables import readable
from logicoder.engine.sql.mapped_tables import stored_database, stored_files
from logicoder.engine.sql.relations import Relation
from logicoder.engine.sql.session import QueryError
from logicoder.engine.sql.spark_sources import is_held_by_spark, stored_by_spark
from logicoder.engine.sql.stored_data import StoredData
from logicoder.engine.sql.stored_relations import Part, stored_relation, stored_triples
from logicoder.kb.formats.alchemy.declarations import parse_schema
from logicoder.kb.formats.delimited import first_rows
from logicoder.kb.formats.headers import header_rows
from logicoder.kb.formats.incomplete_rows import tell_incomplete
from logicoder.kb.mapping.duckdb_source import is_duckdb
from logicoder.kb.mapping.file_source import FileSource
from logicoder.kb.mapping.mapping_file import read_mapping
from logicoder.kb.mapping.named_columns import columns_are_named
from logicoder.kb.mapping.table_reader import source_of
from logicoder.kb.reader import read_knowledge_base
from logicoder.kb.schema import Schema
from logicoder.kb.sources import find_schemas, find_sources

if TYPE_CHECKING:
    from logicoder.base.stopping import StopToken
    from logicoder.engine.sql.session import Session
    from logicoder.kb.formats.interface import Header, Source
    from logicoder.kb.mapping.data_mapping import DataMapping


_ENGINES = ("duckdb", "postgresql", "spark")
_FILES = ("parquet", "tables", "triples")
_MOST_READ = 1 << 28
"""A file with fewer bytes is read into memory to find what is wrong with it."""
_LEARNER = 600 << 20
"""What the learner takes of a memory limit, with its sample."""


@dataclass(frozen=True)
class Opening:
    """How stored data are opened.

    Attributes:
        engine: `duckdb`, `postgresql` or `spark`.
        schema: declared predicates; None to look for a file beside the data.
        format: `parquet`, `tables` or `triples`; None to tell by the names of files.
        interpretations: what an interpretation is, as for other data.
        header: whether delimited files begin with one; `auto` to tell by their first rows.
        mapping: how tables become predicates; `auto` for a proposal; None for one where there are tables.
        max_memory: what the engine may take.
        jobs: its threads.
        stop: ends whatever query is running.
        strangers: take predicates that the schema does not declare, too.
        types: for undeclared predicates, see `KnowledgeBase.from_facts`.
        report: told of tables that are read.
    """

    engine: str
    schema: Schema | Path | None = None
    format: str | None = None
    interpretations: Any = "auto"
    header: Header = "auto"
    mapping: DataMapping | Literal["auto"] | None = None
    max_memory: int | str | None = None
    jobs: int | None = None
    stop: StopToken | None = None
    strangers: bool = False
    types: str = "auto"
    report: Reporter = silent

    def session(self, where: str | Path | None = None) -> Session:
        """Return a session of the engine.

        Args:
            where: the file or the address of a database, if there is one.
        """
        session = self._session(where)
        session.report = self.report
        return session

    def _session(self, where: str | Path | None) -> Session:
        limit = None if self.max_memory is None else _engine_memory(bytes_of(self.max_memory))
        if self.engine == "duckdb":
            from logicoder.engine.sql.duckdb_session import DuckdbSession  # noqa: PLC0415  (an extra)

            return DuckdbSession(where, max_memory=limit, jobs=self.jobs, stop=self.stop)
        if self.engine == "postgresql":
            from logicoder.engine.sql.postgresql_session import PostgresqlSession  # noqa: PLC0415  (an extra)

            if where is None:
                raise UsageError("the engine postgresql reads data on a server: pass its URL")
            return PostgresqlSession(str(where), max_memory=limit, stop=self.stop)
        from logicoder.engine.sql.spark_session import SparkSession  # noqa: PLC0415  (an extra)

        return SparkSession(max_memory=limit, stop=self.stop)


def _engine_memory(limit: int) -> int:
    """Return what an engine may take where it shares a limit with the learner and its sample."""
    return max(limit // 4, int(0.85 * (limit - _LEARNER)))


def open_stored(paths: Sequence[str | Path], opening: Opening) -> StoredData:
    """Return data where they are; what is neither a database nor tables is brought into the engine.

    Args:
        paths: files, folders and patterns, or one database.
        opening: how.

    Raises:
        InputError: for data that cannot be opened.
        UsageError: for an engine that does not go with the data.
    """
    first = paths[0]
    if opening.engine == "spark" and is_held_by_spark(paths):
        return stored_by_spark(paths, opening)
    if is_address(first):
        if not str(first).startswith("postgres"):
            raise UsageError(
                f"{masked(str(first))}: no engine can leave the data there; choose --engine arrays"
            )
        if opening.engine != "postgresql":
            raise UsageError("to leave data in PostgreSQL, pass --engine postgresql")
        return _mapped(opening, str(first))
    if opening.engine == "duckdb" and is_duckdb(Path(first)):
        return _mapped(opening, Path(first))
    if opening.engine == "postgresql":
        raise UsageError("the engine postgresql reads data on a server: pass its URL")
    sources: list[Source] = []
    things = opening.format is None and (opening.mapping is not None or columns_are_named(paths))
    if things and opening.engine == "duckdb" and (found := _things(paths, opening)) is not None:
        return found
    if not things:
        with suppress(UsageError):
            sources = find_sources(paths, opening.format, opening.interpretations)
    if sources and sources[0].format.name in _FILES:
        schema = _schema(opening, paths)
        if scans := _scans(sources, opening.header, schema):
            return _files(scans, paths, opening, schema)
    kb = read_knowledge_base(
        *paths,
        schema=opening.schema,
        format=opening.format,
        interpretations=opening.interpretations,
        header=opening.header,
        strangers=opening.strangers,
        types=opening.types,
        mapping=opening.mapping,
    )
    return StoredData.of(kb, opening.session())


def stored_in_place(
    paths: Sequence[str | Path], engine: str, mapping: Any = None, **options: Any
) -> StoredData:
    """Return data where they are; see `KnowledgeBase.in_place`."""
    if not paths:
        raise UsageError("name the data: files, folders or patterns, a database, or tables of Spark")
    if engine not in (AUTO, *_ENGINES):
        raise UsageError(f"engine must be one of {AUTO}, {', '.join(_ENGINES)}, not {shown(engine)}")
    if engine == AUTO:
        engine = "postgresql" if is_address(paths[0]) else "duckdb"
    given = read_mapping(Path(mapping)) if isinstance(mapping, str | Path) else mapping
    places = [path if is_address(path) else Path(path) for path in paths]
    return open_stored(places, Opening(engine, mapping=given, **options))


# -- files ------------------------------------------------------------------------------------------------


class _Scan(NamedTuple):
    """How a file is read: its delimiter, and whether it has a header."""

    source: Source
    delimiter: str
    header: bool


def _scans(sources: Sequence[Source], header: Header, schema: Schema | None) -> list[_Scan]:
    """Return how files are read; nothing if one has white space between fields, or gives its content once."""
    if any(is_special(source.path) for source in sources):
        return []
    seen = [("", []) if source.format.name == "parquet" else first_rows(source) for source in sources]
    if any(delimiter is None for delimiter, _ in seen):
        return []
    scans = []
    for source, (delimiter, first) in zip(sources, seen, strict=True):
        declared = schema.get(source.stem) if schema and source.format.name == "tables" else None
        types = declared.types if declared else ()
        begins = header_rows(first, str(source.path), types) if header == "auto" else header
        scans.append(_Scan(source, delimiter or "", bool(begins)))
    return scans


def _files(
    scans: Sequence[_Scan], paths: Sequence[str | Path], opening: Opening, schema: Schema | None
) -> StoredData:
    session = opening.session()
    try:
        with session.in_time("the data was read"):
            return _read_files(session, scans, paths, opening, schema)
    except BaseException:
        session.close()
        raise


def _read_files(
    session: Session,
    scans: Sequence[_Scan],
    paths: Sequence[str | Path],
    opening: Opening,
    schema: Schema | None,
) -> StoredData:
    worlds = list(dict.fromkeys(scan.source.world for scan in scans))
    several = len(worlds) > 1
    parts: dict[str, list[Part]] = {}
    for scan in scans:
        source = scan.source
        try:
            table, columns = _scanned(session, scan)
        except QueryError:
            _raise_located(scan, opening)
            raise
        key = "" if source.format.name == "triples" else source.stem
        parts.setdefault(key, []).append((table, columns, source.world if several else None))
    if "" in parts:
        relations = stored_triples(session, parts[""])
    else:
        relations = {
            name: stored_relation(session, name, parts[name]) for name in session.steps("read", parts)
        }
    if schema is not None:
        _require(schema, relations, str(paths[0]), strangers=opening.strangers)
    return StoredData(
        session, relations, str(paths[0]), schema, worlds if several else (), types=opening.types
    )


def _scanned(session: Session, scan: _Scan) -> tuple[str, list[str]]:
    """Return how queries call a file, and its columns; tell how many of its rows are no facts."""
    path = scan.source.path
    kind = "parquet" if scan.source.format.name == "parquet" else "csv"
    table, columns = session.scanned(str(path), kind, scan.delimiter, header=scan.header)
    missing = " OR ".join(f"{session.quoted(column)} IS NULL" for column in columns)
    ((number,),) = session.rows(f"SELECT count(*) FROM {table} AS s WHERE {missing}", f"reading {path}")
    tell_incomplete(path, number)
    return table, columns


def _raise_located(scan: _Scan, opening: Opening) -> None:
    """Raise the error that reading a file into memory finds, with its place, unless it is too large."""
    if scan.source.path.is_file() and scan.source.path.stat().st_size < _MOST_READ:
        name = scan.source.format.name
        read_knowledge_base(
            scan.source.path, schema=opening.schema, format=name, header=scan.header, empty=True
        )


def _schema(opening: Opening, paths: Sequence[str | Path]) -> Schema | None:
    if isinstance(opening.schema, Schema):
        return opening.schema
    found = [opening.schema] if opening.schema is not None else find_schemas(paths)[:1]
    if not found:
        return None
    return parse_schema(found[0].read_text(encoding="utf-8"), str(found[0])) or None


def _require(schema: Schema, relations: Mapping[str, Relation], where: str, *, strangers: bool) -> None:
    for name, relation in relations.items():
        if name not in schema and strangers:
            continue
        if name not in schema:
            raise InputError(
                f"{name} is not declared", Location(where), f"the schema declares: {', '.join(schema)}"
            )
        if schema[name].arity != relation.arity:
            raise InputError(
                f"{name} has {relation.arity} columns, and {schema[name].arity} arguments in the schema",
                Location(where),
            )


# -- tables of things -------------------------------------------------------------------------------------


def _mapped(opening: Opening, where: str | Path) -> StoredData:
    """Return what a mapping makes of the tables of a database."""
    session = opening.session(where)
    try:
        with session.in_time("the data was read"):
            return stored_database(where, session, opening.mapping)
    except BaseException:
        session.close()
        raise


def _things(paths: Sequence[str | Path], opening: Opening) -> StoredData | None:
    """Return what a mapping makes of files that DuckDB reads in place; None where it cannot read them."""
    from logicoder.engine.sql.duckdb_session import DuckdbSession  # noqa: PLC0415  (an extra)

    source = source_of(paths)
    if not isinstance(source, FileSource) or not readable(list(source.files.values())):
        return None
    session = opening.session()
    assert isinstance(session, DuckdbSession)  # noqa: S101  (the engine is DuckDB)
    try:
        with session.in_time("the data was read"):
            return stored_files(source, session, opening.mapping)
    except QueryError:
        session.close()
        if sum(file.stat().st_size for file in source.files.values()) >= _MOST_READ:
            raise
        return None  # reading them into memory takes more kinds of text, or finds the place of an error
    except BaseException:
        session.close()
        raise
