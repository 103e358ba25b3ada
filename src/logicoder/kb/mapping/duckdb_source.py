"""DuckDB files, opened for reading only."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from logicoder.base.errors import InputError, MissingExtraError, location_of
from logicoder.base.input_record import current_record, keep_data
from logicoder.base.sql_text import quoted
from logicoder.kb.mapping.tables import Columns, ForeignKey, SourceTable, TableSource

_SUFFIXES = (".duckdb", ".ddb")
_MAGIC = b"DUCK"
"""What stands after the first eight bytes."""


def is_duckdb(path: Path) -> bool:
    """Whether a file is a DuckDB database, by its name or its first bytes; a pipe is none."""
    if path.suffix.lower() in _SUFFIXES:
        return True
    try:
        if not path.is_file():
            return False
        with path.open("rb") as stream:
            return stream.read(12)[8:] == _MAGIC
    except OSError:
        return False


class DuckdbSource(TableSource):
    """The tables of a DuckDB file."""

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        if not path.is_file():
            raise InputError("there is no such file", location_of(path))
        try:
            import duckdb  # noqa: PLC0415  (an extra)
        except ImportError:
            raise MissingExtraError("duckdb", "duckdb", f"reading {path}") from None
        self._error = duckdb.Error
        try:
            self._connection = duckdb.connect(str(path), read_only=True)
        except duckdb.Error as error:
            raise self._failure(error) from None
        record = current_record()
        if record is not None:
            record.note_file(path)
            keep_data([path])

    def close(self) -> None:
        """See `TableSource.close`."""
        self._connection.close()

    def tables(self, names: Sequence[str] | None = None) -> list[SourceTable]:
        """See `TableSource.tables`."""
        kinds = self._rows(
            "SELECT table_name, table_type = 'VIEW' FROM information_schema.tables "
            "WHERE table_schema = 'main' ORDER BY table_name"
        )
        outlines = [SourceTable(name, {}, view=bool(view)) for name, view in kinds]
        return [self._table(outline) for outline in self.chosen(outlines, names)]

    def _table(self, outline: SourceTable) -> SourceTable:
        columns = self._rows(f"DESCRIBE {quoted(outline.name)}")
        keys = self._rows(
            "SELECT constraint_type, constraint_column_names, referenced_table, referenced_column_names "
            "FROM duckdb_constraints() WHERE schema_name = 'main' AND table_name = ?",
            [outline.name],
        )
        count = self._rows(f"SELECT count(*) FROM {quoted(outline.name)}")[0][0]  # noqa: S608  (quoted)
        return SourceTable(
            outline.name,
            {str(row[0]): str(row[1]) for row in columns},
            next((tuple(own) for kind, own, *_ in keys if kind == "PRIMARY KEY"), ()),
            tuple(
                ForeignKey(tuple(own), table, tuple(others))
                for kind, own, table, others in keys
                if kind == "FOREIGN KEY"
            ),
            int(count),
            outline.view,
        )

    def values(self, table: SourceTable, every: int) -> Columns:
        """See `TableSource.values`."""
        listed = ", ".join(map(quoted, table.columns))
        query = f"SELECT {listed} FROM {quoted(table.name)}"  # noqa: S608  (quoted)
        if every > 1 and not table.view:
            query += f" WHERE rowid % {every} = 0"
        rows = self._rows(query)[:: every if table.view else 1]
        return {name: [row[place] for row in rows] for place, name in enumerate(table.columns)}

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        try:
            return list(self._connection.execute(query, list(values)).fetchall())
        except self._error as error:
            raise self._failure(error) from None

    def _failure(self, error: Exception) -> InputError:
        said = " ".join(str(error).split())[:300]
        return self.refused(f"this DuckDB database cannot be read ({said})")
