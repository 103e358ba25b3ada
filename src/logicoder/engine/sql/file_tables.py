"""Tables of things in CSV and Parquet files, which DuckDB reads in place with the values that memory has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from logicoder.base.files import is_special, line_blocks
from logicoder.base.input_record import current_record
from logicoder.engine.sql.column_texts import require_plain
from logicoder.engine.sql.field_columns import FieldColumns, blank_free
from logicoder.kb.file_names import suffix_of
from logicoder.kb.mapping.csv_table import csv_header
from logicoder.kb.mapping.names import unused
from logicoder.kb.mapping.source_queries import RowSource
from logicoder.kb.mapping.tables import Columns, SourceTable, TableSource

if TYPE_CHECKING:
    from logicoder.engine.sql.duckdb_session import DuckdbSession
    from logicoder.kb.mapping.csv_header import CsvHeader

CSV, PARQUET = (".csv", ".tsv"), (".parquet", ".pq")


def readable(files: Sequence[Path]) -> bool:
    """Whether DuckDB reads all of some files in place, and sees the same rows in them as others do."""
    return all(
        not is_special(file)
        and (
            _has_plain_lines(file)
            if suffix_of(file) in CSV
            else suffix_of(file) in PARQUET and file.suffix.lower() in PARQUET
        )
        for file in files
    )


def _has_plain_lines(file: Path) -> bool:
    """Whether blank lines of a CSV file are no rows: it begins with none, and has several columns."""
    return (
        next(line_blocks(file, 1 << 10), b"")[:1] not in (b"\r", b"\n") and len(csv_header(file)[0].names) > 1
    )


class FileTables(TableSource):
    """The tables of some files, by a session of DuckDB.

    Parquet files are read where they are, column by column. CSV files are read once, into the session's
    own database, since every column would take a reading of the whole file.

    Attributes:
        sources: what the rows of tables are read from, of those that were opened.

    Args:
        session: the session.
        files: by the names of the tables.
        name: what messages call them.
    """

    def __init__(self, session: DuckdbSession, files: Mapping[str, Path], name: str) -> None:
        self.name = name
        self._session, self._files = session, files
        self.sources: dict[str, RowSource] = {}
        self._columns: dict[str, list[str]] = {}

    def tables(self, names: Sequence[str] | None = None) -> list[SourceTable]:
        """See `TableSource.tables`."""
        found = self.chosen([SourceTable(name, {}) for name in self._files], names)
        opened = self._session.steps("read", [one.name for one in found])
        return [SourceTable(name, {}, rows=self._opened(name)) for name in opened]

    def values(self, table: SourceTable, every: int) -> Columns:
        """See `TableSource.values`."""
        source, session = self.sources[table.name], self._session
        columns = self._columns[table.name]
        number = session.quoted(source.number or "")
        query = f"SELECT {', '.join(map(session.quoted, columns))} FROM {source.table}"
        query += f" WHERE ({number} - 1) % {every} = 0 ORDER BY {number}"
        rows = session.rows(query, f"reading {table.name}")
        return {name: [row[place] for row in rows] for place, name in enumerate(columns)}

    def _opened(self, name: str) -> int:
        """Open a table, and return the number of its rows."""
        path = self._files[name]
        if (record := current_record()) is not None:
            record.note_file(path)
        csv = suffix_of(path) in CSV
        read, values = self._csv(path) if csv else self._parquet(path)
        number = unused("row_number", set(values))
        values = self._settled(read, values, str(path))
        listed = ", ".join(f"{value} AS {self._session.quoted(own)}" for own, value in values.items())
        if csv:
            # Once, since every predicate asks for the values of its columns.
            texts, read = (
                read,
                self._session.table_in_order(f"SELECT {listed} FROM {read}", f"reading {path}"),
            )
            self._session.drop(texts)
            listed = ", ".join(map(self._session.quoted, values))
        row = "rowid" if csv else "file_row_number"
        source = f"(SELECT {row} + 1 AS {self._session.quoted(number)}, {listed} FROM {read}) AS read_file"
        self.sources[name], self._columns[name] = RowSource(source, number), list(values)
        return self._session.value(f"SELECT count(*) FROM {read}", f"counting the rows of {path}")

    def _csv(self, path: Path) -> tuple[str, dict[str, str]]:
        """Return the table of a file, and its columns as values."""
        session = self._session
        header, delimiter = csv_header(path)
        scanned, places = session.scanned(str(path), "csv", delimiter, header=True)
        listed = ", ".join(
            f"{place} AS {session.quoted(name)}" for place, name in zip(places, header.names, strict=True)
        )
        table = session.table_in_order(f"SELECT {listed} FROM {scanned} AS s", f"reading {path}")
        filled = self._filled(table, header, path)
        header.tell(path, filled)
        names = [header.names[place] for place in header.kept(filled)]
        return table, FieldColumns(session, table, names, delimiter).expressions(str(path))

    def _filled(self, table: str, header: CsvHeader, path: Path) -> set[int]:
        """Return the places of columns without a name that have values."""
        if not header.unnamed:
            return set()
        texts = [blank_free(self._session, header.names[place]) for place in header.unnamed]
        asked = ", ".join(f"bool_or({text} <> '')" for text in texts)
        row = self._session.row(f"SELECT {asked} FROM {table}", f"reading {path}")
        return {place for place, has_values in zip(header.unnamed, row, strict=True) if has_values}

    def _parquet(self, path: Path) -> tuple[str, dict[str, str]]:
        session = self._session
        read = session.read_parquet(str(path), ", file_row_number = true")
        kinds = {
            str(row[0]): str(row[1])
            for row in session.rows(
                f"DESCRIBE SELECT * EXCLUDE (file_row_number) FROM {read}", f"opening {path}"
            )
        }
        for name, kind in kinds.items():
            require_plain(kind, name, str(path))
        return read, {name: _plain(session.quoted(name), kind) for name, kind in kinds.items()}

    def _settled(self, source: str, values: Mapping[str, str], path: str) -> dict[str, str]:
        """Return columns with numbers that are all whole as such, and moments that are all days as days."""
        session = self._session
        kinds = session.rows(
            "DESCRIBE SELECT "
            + ", ".join(f"{v} AS {session.quoted(n)}" for n, v in values.items())
            + f" FROM {source}",
            f"opening {path}",
        )
        tests = {}
        for name, kind, *_ in kinds:
            value = values[name]
            if kind == "DOUBLE":
                tests[name] = "BIGINT", f"{value} = trunc({value}) AND abs({value}) < 1e15"
            elif kind == "TIMESTAMP":
                tests[name] = "DATE", f"{value} = date_trunc('day', {value})"
        if not tests:
            return dict(values)
        asked = ", ".join(f"bool_and({test})" for _, test in tests.values())
        passed = session.row(f"SELECT {asked} FROM {source}", f"reading {path}")
        whole = {name: kind for (name, (kind, _)), yes in zip(tests.items(), passed, strict=True) if yes}
        return {n: f"CAST({v} AS {whole[n]})" if n in whole else v for n, v in values.items()}


def _plain(column: str, kind: str) -> str:
    """Return a column of a Parquet file with the values that reading it into memory gives."""
    if kind in ("FLOAT", "DOUBLE") or kind.startswith("DECIMAL"):
        value = f"CAST({column} AS DOUBLE)"
        return f"CASE WHEN isfinite({value}) THEN {value} END"
    if kind == "TIMESTAMP WITH TIME ZONE":
        return f"timezone('UTC', {column})"
    if kind.startswith("TIMESTAMP"):
        return f"CAST({column} AS TIMESTAMP)"
    if kind in ("BOOLEAN", "DATE", "BLOB") or kind.endswith(("INT", "INTEGER")):
        return column
    return f"CAST({column} AS VARCHAR)"
