"""SQLite files, by the standard library: opened for reading only, within one transaction."""

from __future__ import annotations

import os
import sqlite3
import string
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from logicoder.base.errors import InputError, location_of
from logicoder.base.input_record import current_record, keep_data
from logicoder.base.sql_text import quoted
from logicoder.kb.mapping.tables import Columns, ForeignKey, SourceTable, TableSource

_FIRST_BYTES = b"SQLite format 3\0"
_RESTORE = "restore it from a copy"
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
"""To SQLite, `A` and `a` are the same name; `É` and `é` are not."""
_HIDDEN = 1
_STEPS = 1_000_000
"""So many instructions of SQLite take some milliseconds."""
_PATIENCE = 2.0
"""Seconds to wait for whoever is writing."""


def is_sqlite(path: Path) -> bool:
    """Whether a file is an SQLite database, by its first bytes; a pipe is none, and can be read only once."""
    try:
        if not os.path.isfile(path):
            return False
        with path.open("rb") as stream:
            return stream.read(len(_FIRST_BYTES)) == _FIRST_BYTES
    except OSError:
        return False


class SqliteSource(TableSource):
    """The tables of an SQLite file."""

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        if not os.path.isfile(path):
            missing = "this is a folder, not a database" if os.path.isdir(path) else "there is no such file"
            raise InputError(missing, location_of(path))
        if not path.stat().st_size:
            raise InputError("this database is empty: it has no tables", location_of(path))
        if not is_sqlite(path):
            raise InputError(
                "this is not an SQLite database",
                location_of(path),
                "a mapping is for databases, and for tables in .csv, .tsv, .parquet and .jsonl files",
            )
        try:
            self._connection = sqlite3.connect(
                f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=_PATIENCE, isolation_level=None
            )
        except sqlite3.Error as error:
            raise self._failure(error) from None
        # A signal is an exception only where Python runs, and a view may take any time.
        self._connection.set_progress_handler(lambda: 0, _STEPS)
        try:
            self._rows("BEGIN")  # so that all tables are of one moment
            self._rows("SELECT count(*) FROM sqlite_master")
        except InputError:
            self.close()
            raise
        record = current_record()
        if record is not None:
            record.note_file(path)
            keep_data([path])

    def close(self) -> None:
        """See `TableSource.close`."""
        self._connection.close()

    def tables(self, names: Sequence[str] | None = None) -> list[SourceTable]:
        """See `TableSource.tables`."""
        kinds = dict(
            self._rows(
                "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') "
                "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid"
            )
        )
        if not all(isinstance(name, str) for name in kinds):
            raise self.refused("the database is damaged (a table has no name)", _RESTORE)
        outlines = [SourceTable(name, {}, view=kind == "view") for name, kind in kinds.items()]
        by_case = {name.translate(_LOWER): name for name in kinds}
        return [self._table(table, by_case) for table in self.chosen(outlines, names)]

    def _table(self, outline: SourceTable, by_case: dict[str, str]) -> SourceTable:
        name = quoted(outline.name)
        # Generated columns are values like any others; those that a virtual table hides are not.
        columns = [row for row in self._rows(f"PRAGMA table_xinfo({name})") if row[6] != _HIDDEN]
        if not columns:
            raise self.refused(f"the table {outline.name} has no columns")
        references: dict[int, tuple[str, list[tuple[str, str | None]]]] = {}
        for number, _, target, column, other, *_ in self._rows(f"PRAGMA foreign_key_list({name})"):
            references.setdefault(number, (target, []))[1].append((column, other))
        (rows,) = self._rows(f"SELECT count(*) FROM {name}")[0]  # noqa: S608  (the name is quoted)
        by_column = {column[1].translate(_LOWER): column[1] for column in columns}
        return SourceTable(
            outline.name,
            {column[1]: column[2] for column in columns},
            tuple(column[1] for column in sorted(columns, key=lambda column: column[5]) if column[5]),
            tuple(
                ForeignKey(
                    tuple(by_column[column.translate(_LOWER)] for column, _ in several),
                    by_case[target.translate(_LOWER)],
                    tuple(other for _, other in several if other is not None),
                )
                for target, several in reversed(references.values())
                if target.translate(_LOWER) in by_case
            ),
            rows,
            outline.view,
        )

    def values(self, table: SourceTable, every: int) -> Columns:
        """See `TableSource.values`."""
        names = ", ".join(map(quoted, table.columns))
        rows = self._rows(f"SELECT {names} FROM {quoted(table.name)}", every)  # noqa: S608  (quoted)
        columns: list[Any] = list(zip(*rows, strict=True)) if rows else [()] * len(table.columns)
        return {name: list(column) for name, column in zip(table.columns, columns, strict=True)}

    def _rows(self, statement: str, every: int = 1) -> list[tuple[Any, ...]]:
        try:
            with closing(self._connection.execute(statement)) as cursor:
                if every == 1:
                    return cursor.fetchall()
                return [row for number, row in enumerate(cursor) if number % every == 0]
        except UnicodeDecodeError as error:  # in names, or in what SQLite says of a damaged file
            raise self.refused(f"the database is damaged ({error})", _RESTORE) from None
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT:
                raise KeyboardInterrupt from None  # what a signal raised is lost in there
            raise self._failure(error) from None

    def _failure(self, error: sqlite3.Error) -> InputError:
        text = str(error)
        if "locked" in text:
            return self.refused(
                "the database is locked: another program is writing to it",
                "try again when it has finished, or read a copy",
            )
        if "malformed" in text or "not a database" in text or "corrupt" in text:
            return self.refused(f"the database is damaged ({text})", _RESTORE)
        return self.refused(f"the database cannot be read ({text})")
