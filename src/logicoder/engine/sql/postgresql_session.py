"""PostgreSQL: data that live in a server stay there; only temporary tables are made."""

from __future__ import annotations

import contextlib
import csv
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar

from logicoder.base.address import HIDDEN, masked
from logicoder.base.errors import InputError, Location, MissingExtraError, UsageError
from logicoder.base.stopping import StopToken
from logicoder.engine.sql.session import Session
from logicoder.kb.formats.records import fields_of_any_length


class PostgresqlSession(Session):
    """A connection to a server. A reader's rights and the right to make temporary tables suffice.

    Args:
        address: such as `postgresql://anna@host/shop`; the password is in no message.
        max_memory: what one query may take before it goes to disk, in bytes; None for the server's setting.
        stop: ends whatever query is running.
    """

    name: ClassVar[str] = "PostgreSQL"
    text: ClassVar[str] = "TEXT"
    number: ClassVar[str] = "DOUBLE PRECISION"
    row_order: ClassVar[str] = "tableoid, ctid"

    def __init__(self, address: str, *, max_memory: int | None = None, stop: StopToken | None = None) -> None:
        super().__init__(stop)
        try:
            import psycopg  # noqa: PLC0415  (an extra)
        except ImportError:
            raise MissingExtraError("psycopg", "postgresql", "the engine postgresql") from None
        self._address = address
        scheme, _, rest = address.partition("://")
        plain = f"{scheme.partition('+')[0]}://{rest}"
        self._password: str | None = None
        try:
            self._password = psycopg.conninfo.conninfo_to_dict(plain).get("password")  # type: ignore[assignment]
            self._connection = psycopg.connect(plain, autocommit=True)
            self._connection.execute(
                "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL REPEATABLE READ"
            )
            if max_memory is not None:
                self._connection.execute(f"SET work_mem = '{max(1, max_memory // 4 // 1024)}kB'")
        except psycopg.Error as error:
            raise InputError(
                f"the database cannot be reached ({self._message(error)})", Location(masked(address))
            ) from None

    def as_text(self, expression: str) -> str:
        """See `Session.as_text`."""
        return f'(CAST({expression} AS TEXT) COLLATE "C")'

    def _message(self, error: Exception) -> str:
        said = super()._message(error)
        return said.replace(self._password, HIDDEN) if self._password else said

    def _execute(self, query: str) -> None:
        self._connection.execute(query.encode())

    def _rows(self, query: str) -> list[tuple[Any, ...]]:
        return self._connection.execute(query.encode()).fetchall()

    def _batches(self, query: str, size: int) -> Iterator[list[tuple[Any, ...]]]:
        def read() -> Iterator[list[tuple[Any, ...]]]:
            # A cursor of the server: otherwise all rows would come at once.
            with self._connection.transaction(), self._connection.cursor(self._new_cursor()) as cursor:
                cursor.execute(query.encode())
                while rows := cursor.fetchmany(size):
                    yield rows

        return read()

    def _new_cursor(self) -> str:
        self._number += 1
        return f"{self._prefix}_cursor_{self._number}"

    def _create(self, name: str, query: str) -> None:
        self._connection.execute(f"CREATE TEMPORARY TABLE {self.quoted(name)} AS {query}".encode())
        # Without statistics, the server joins temporary tables row by row.
        self._connection.execute(f"ANALYZE {self.quoted(name)}".encode())

    def _fill(self, name: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        listed = ", ".join(f'{self.quoted(column)} TEXT COLLATE "C"' for column in columns)
        self._connection.execute(f"CREATE TEMPORARY TABLE {self.quoted(name)} ({listed})".encode())
        with (
            self._connection.cursor() as cursor,
            cursor.copy(f"COPY {self.quoted(name)} FROM STDIN".encode()) as copy,
        ):
            for row in rows:
                copy.write_row(row)
        self._connection.execute(f"ANALYZE {self.quoted(name)}".encode())

    def _drop(self, name: str) -> None:
        self._connection.execute(f"DROP TABLE IF EXISTS {self.quoted(name)}".encode())

    def scanned(self, path: str, kind: str, delimiter: str, *, header: bool) -> tuple[str, list[str]]:
        """See `Session.scanned`: a CSV file is copied into a temporary table, row by row."""
        if kind != "csv":
            raise UsageError(f"{path}: PostgreSQL cannot read Parquet files; choose --engine duckdb")
        with (
            fields_of_any_length(),
            Path(path).open(newline="", encoding="utf-8", errors="replace") as stream,
        ):
            rows = csv.reader(stream, delimiter=delimiter)
            first = next(rows, [])
            columns = first if header else [f"c{place}" for place in range(1, len(first) + 1)]
            return self.filled(columns, rows if header else chain([first], rows), f"reading {path}"), columns

    def opened_for_writing(self, where: str) -> str:
        """See `Session.opened_for_writing`: only into the database of this session."""
        if where != self._address:
            raise UsageError(
                f"PostgreSQL writes into the database that it reads, not {masked(where)}: pass the same "
                f"URL, or a folder"
            )
        return ""

    def tables_in(self, prefix: str) -> list[str]:
        """See `Session.tables_in`."""
        del prefix
        query = "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()"
        return [str(row[0]) for row in self.rows(query, "listing tables")]

    def cancel(self) -> None:
        """See `Session.cancel`."""
        self._connection.cancel_safe()

    def close(self) -> None:
        """See `Session.close`: temporary tables end with their connection, somewhat later than this."""
        if self._ended():
            with contextlib.suppress(Exception):  # a connection that has died has nothing left to drop
                self._connection.execute("DISCARD TEMPORARY")
        self._connection.close()

    def write(self, query: str, columns: Sequence[str], folder: str, name: str) -> None:
        """See `Session.write`: one CSV file with a header, row by row from the server."""
        with (Path(folder) / f"{name}.csv").open("w", newline="", encoding="utf-8") as stream:
            # A field without quotation marks that is empty is no value to those who read it.
            writer = csv.writer(stream, lineterminator="\n", quoting=csv.QUOTE_ALL)
            writer.writerow(columns)
            for rows in self.batches(query, f"writing {name}"):
                writer.writerows(rows)
