"""DuckDB: larger than memory on one machine; files in place, and a folder for what does not fit."""

from __future__ import annotations

import csv
import glob
import gzip
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

from logicoder.base.address import masked
from logicoder.base.errors import InputError, Location, MissingExtraError, OutputError, UsageError
from logicoder.base.run_folder import RunFolder
from logicoder.base.stopping import StopToken
from logicoder.engine.sql.column_texts import duckdb_text, require_plain
from logicoder.engine.sql.session import Session
from logicoder.kb.formats.records import fields_of_any_length
from logicoder.kb.mapping.duckdb_source import is_duckdb


def _width(path: Path, delimiter: str) -> int:
    """Return the number of fields of the first row of a file; blank lines are none."""
    opener = gzip.open if path.suffix == ".gz" else open
    with fields_of_any_length(), opener(path, "rt", encoding="utf-8", errors="replace", newline="") as stream:
        return len(next(filter(None, csv.reader(stream, delimiter=delimiter)), [""]))


class DuckdbSession(Session):
    """A database of its own in a folder that is removed in the end.

    Args:
        database: a DuckDB file whose tables are read, as `source`; None for none.
        max_memory: what DuckDB may take, in bytes; what does not fit goes to disk. None for its default.
        jobs: number of threads.
        folder: where the temporary folder is made.
        stop: ends whatever query is running.
    """

    name: ClassVar[str] = "DuckDB"
    text: ClassVar[str] = "VARCHAR"
    row_order: ClassVar[str] = "rowid"

    def __init__(
        self,
        database: str | Path | None = None,
        *,
        max_memory: int | None = None,
        jobs: int | None = None,
        folder: str | Path | None = None,
        stop: StopToken | None = None,
    ) -> None:
        super().__init__(stop)
        try:
            import duckdb  # noqa: PLC0415  (an extra)
        except ImportError:
            raise MissingExtraError("duckdb", "duckdb", "the engine duckdb") from None
        self._cursor: duckdb.DuckDBPyConnection | None = None
        self._source = None if database is None else Path(database)
        self._own = RunFolder(folder)
        self._folder = self._own.path
        try:
            settings: dict[str, Any] = {
                "temp_directory": str(self._folder / "spill"),
                # Rows come in any order: keeping that of the files costs memory.
                "preserve_insertion_order": False,
                # Nothing is fetched from anywhere.
                "autoinstall_known_extensions": False,
            }
            if max_memory is not None:
                settings["memory_limit"] = f"{max_memory}B"
            if jobs is not None:
                settings["threads"] = jobs
            try:
                self._connection = duckdb.connect(str(self._folder / "run.duckdb"), config=settings)
            except duckdb.IOException as error:
                said = self._message(error)
                raise OutputError(f"DuckDB cannot use its temporary folder; set TMPDIR ({said})") from None
            if database is not None:
                try:
                    self._connection.execute(f"ATTACH {self.literal(str(database))} AS source (READ_ONLY)")
                    self._connection.execute("SET search_path = 'run,source'")
                except duckdb.Error as error:
                    said = self._message(error)
                    raise InputError(
                        f"this is not a readable DuckDB database ({said})", Location(str(database))
                    ) from None
        except BaseException:
            self._own.remove()
            raise

    def _execute(self, query: str) -> None:
        self._connection.execute(query)

    def _rows(self, query: str) -> list[tuple[Any, ...]]:
        return list(self._connection.execute(query).fetchall())

    def _batches(self, query: str, size: int) -> Iterator[list[tuple[Any, ...]]]:
        self._cursor = cursor = self._connection.cursor()
        cursor.execute(query)
        return iter(lambda: cursor.fetchmany(size), [])

    def _create(self, name: str, query: str) -> None:
        self._connection.execute(f"CREATE TABLE {self.quoted(name)} AS {query}")

    def _fill(self, name: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        listed = ", ".join(f"{self.quoted(column)} {self.text}" for column in columns)
        self._connection.execute(f"CREATE TABLE {self.quoted(name)} ({listed})")
        by_column = list(zip(*rows, strict=True))
        if by_column:
            # One statement with a list for each column: a row at a time takes a thousand times longer.
            values = ", ".join(f"unnest(${number})" for number in range(1, len(columns) + 1))
            self._connection.execute(
                f"INSERT INTO {self.quoted(name)} SELECT {values}", [list(column) for column in by_column]
            )

    def table_in_order(self, query: str, purpose: str) -> str:
        """Return a new table, as `table` does, with its rows in the order of a file."""
        self.execute("SET preserve_insertion_order = true", purpose)
        made = self.table(query, purpose)
        self.execute("SET preserve_insertion_order = false", purpose)
        return made

    def _drop(self, name: str) -> None:
        self._connection.execute(f"DROP TABLE IF EXISTS {self.quoted(name)}")

    def scanned(self, path: str, kind: str, delimiter: str, *, header: bool) -> tuple[str, list[str]]:
        """See `Session.scanned`."""
        if kind == "parquet":
            table = self.read_parquet(path)
        else:
            # Nothing is guessed: fields are texts, whatever they look like.
            number = _width(Path(path), delimiter)
            columns = ", ".join(f"'c{place}': 'VARCHAR'" for place in range(1, number + 1))
            options = f"delim = {self.literal(delimiter)}, header = {str(header).lower()}"
            options += """, quote = '"', escape = '"', auto_detect = false, allow_quoted_nulls = false"""
            table = f"read_csv({self._files(path)}, {options}, columns = {{{columns}}})"
        rows = self.rows(f"DESCRIBE SELECT * FROM {table}", f"opening {path}")
        found = {str(row[0]): str(row[1]) for row in rows}
        texts = []
        for name, column_type in found.items():
            require_plain(column_type, name, path)
            texts.append(f"{duckdb_text(self.quoted(name), column_type)} AS {self.quoted(name)}")
        return f"(SELECT {', '.join(texts)} FROM {table})", list(found)

    def read_parquet(self, path: str, options: str = "") -> str:
        """Return what reads a Parquet file, or all of a folder, as Spark writes them."""
        return f"read_parquet({self._files(path, '/*.parquet' if Path(path).is_dir() else '')}{options})"

    def _files(self, path: str, within: str = "") -> str:
        """Return a path, and a pattern within it, as a literal: no name stands for others, or for columns."""
        own = f"./{path}" if path.startswith("~") else path
        return f"{self.literal(glob.escape(own) + within)}, hive_partitioning = false"

    def opened_for_writing(self, where: str) -> str:
        """See `Session.opened_for_writing`: a DuckDB file, which may be the one that is read."""
        if not is_duckdb(Path(where)):
            raise UsageError(f"{masked(where)}: DuckDB writes folders, and files that end in .duckdb")
        purpose = f"opening {where}"
        if self._source is not None and self._source.resolve() == Path(where).resolve():
            self.execute("SET search_path = 'run'", purpose)
            self.execute("DETACH source", purpose)
            self._source = None
        Path(where).parent.mkdir(parents=True, exist_ok=True)
        self.execute(f"ATTACH {self.literal(where)} AS target", purpose)
        return "target.main."

    def tables_in(self, prefix: str) -> list[str]:
        """See `Session.tables_in`."""
        query = "SELECT table_name FROM information_schema.tables WHERE table_catalog = "
        query += self.literal(prefix.partition(".")[0])
        return [str(row[0]) for row in self.rows(query, "listing tables")]

    def cancel(self) -> None:
        """See `Session.cancel`."""
        self._connection.interrupt()
        if self._cursor is not None:
            self._cursor.interrupt()

    def close(self) -> None:
        """See `Session.close`: everything that was made is in one folder."""
        try:
            if self._ended():  # a connection that is busy cannot be closed
                self._connection.close()
        finally:
            self._own.remove()

    def write(self, query: str, columns: Sequence[str], folder: str, name: str) -> None:
        """See `Session.write`: one Parquet file."""
        del columns
        target = self.literal(str(Path(folder) / f"{name}.parquet"))
        self.execute(f"COPY ({query}) TO {target} (FORMAT parquet)", f"writing {name}")
