"""What a system that speaks SQL must do: run queries that can be stopped, and keep tables for a while."""

from __future__ import annotations

import logging
import secrets
import threading
import time
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Self, TypeVar

from logicoder.base.address import masked
from logicoder.base.effort import StoppedError
from logicoder.base.errors import LogicoderError, SearchError, UsageError, harmless
from logicoder.base.progress import PhaseAdvanced, Reporter, silent
from logicoder.base.sql_text import literal, quoted
from logicoder.base.stopping import TIME_LIMIT, StopToken, run_beside
from logicoder.kb.mapping.source_queries import Dialect

T = TypeVar("T")

_log = logging.getLogger("logicoder")

_BATCH = 50_000
_LONGEST = 500
"""As many characters of a system's message are shown."""
_PATIENCE = 20.0
"""So many seconds a query that was cancelled has to end, before its connection is left as it is."""


class QueryError(LogicoderError):
    """A query failed: the text says what it was for, and what the system says."""

    @property
    def lacks_memory(self) -> bool:
        """Whether the system had too little memory for it."""
        return type(self.__cause__).__name__ == "OutOfMemoryException"  # as DuckDB calls it


class Session(Dialect):
    """A connection to a system, and the tables that a run made in it.

    All made tables have names that no other run has. They are gone when the session is closed, whatever
    happened before.

    Attributes:
        name: of the system, for people.
        row_order: the columns that put the rows of its tables in order; empty where there are none.
        stop: ends whatever query is running.
        report: told of steps that take long.
    """

    name: ClassVar[str]
    number: ClassVar[str] = "DOUBLE"
    row_order: ClassVar[str] = ""

    def __init__(self, stop: StopToken | None = None) -> None:
        self.stop = stop or StopToken()
        self.report: Reporter = silent
        self._prefix = f"logicoder_{secrets.token_hex(6)}"
        self._number = 0
        self._made: dict[str, None] = {}
        self._busy = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- how far it is ------------------------------------------------------------------------------------

    def steps(self, phase: str, names: Iterable[str]) -> Iterator[str]:
        """Iterate over the names of steps of a phase, and tell of each when it begins."""
        every = list(names)
        for number, name in enumerate(every):
            self.report(PhaseAdvanced(phase, number, len(every), what=name))
            _log.info("%s: %s (%d of %d)", phase, name, number + 1, len(every))
            yield name

    @contextmanager
    def in_time(self, unfinished: str) -> Iterator[None]:
        """Do something without which there is no result.

        Args:
            unfinished: what was not done if there was no time, in words that follow "before".

        Raises:
            SearchError: where a time limit stops it.
        """
        try:
            yield
        except StoppedError:
            if self.stop.reason != TIME_LIMIT:
                raise
            raise SearchError(
                f"the time limit ran out before {unfinished}; allow more time with `time_limit`"
            ) from None

    # -- the language -------------------------------------------------------------------------------------

    def quoted(self, name: str) -> str:
        """Return a name of a table or a column, as queries write it."""
        return quoted(name)

    def literal(self, text: str) -> str:
        """Return a text, as queries write it."""
        return literal(text)

    def as_text(self, expression: str) -> str:
        """Return an expression as text that is compared by its code points."""
        return f"CAST({expression} AS {self.text})"

    def row_number(self, *, view: bool) -> str:
        """Return the number of a row of a table, from 1 on, in the order of its rows if they have one.

        Args:
            view: whether it is a view, whose rows have none.
        """
        order = "" if view else self.row_order
        return f"row_number() OVER ({order and f'ORDER BY {order}'})"

    # -- asking -------------------------------------------------------------------------------------------

    def execute(self, query: str, purpose: str) -> None:
        """Run a statement.

        Args:
            query: the statement.
            purpose: what it is for, in words that follow "while".

        Raises:
            QueryError: where the system refuses it.
            StoppedError: where somebody said stop; the query is cancelled.
        """
        self._guarded(lambda: self._execute(query), purpose)

    def rows(self, query: str, purpose: str) -> list[tuple[Any, ...]]:
        """Return all rows of a query; errors as by `execute`."""
        return self._guarded(lambda: self._rows(query), purpose)

    def row(self, query: str, purpose: str) -> tuple[Any, ...]:
        """Return the only row of a query."""
        (found,) = self.rows(query, purpose)
        return found

    def value(self, query: str, purpose: str) -> int:
        """Return the only value of a query, a number."""
        return int(self.row(query, purpose)[0] or 0)

    def batches(self, query: str, purpose: str) -> Iterator[list[tuple[Any, ...]]]:
        """Iterate over the rows of a query, some at a time, so that they never have to fit into memory."""
        found = self._guarded(lambda: self._batches(query, _BATCH), purpose)
        while batch := self._guarded(lambda: next(found, None), purpose):
            yield batch

    # -- tables for a while -------------------------------------------------------------------------------

    def table(self, query: str, purpose: str) -> str:
        """Return the name, quoted, of a new table with the rows of a query."""
        name = self._new_name()
        self._guarded(lambda: self._create(name, query), purpose)
        return self.quoted(name)

    def filled(self, columns: Sequence[str], rows: Iterable[Sequence[str]], purpose: str) -> str:
        """Return the name, quoted, of a new table of texts with given rows."""
        name = self._new_name()
        self._guarded(lambda: self._fill(name, columns, rows), purpose)
        return self.quoted(name)

    def drop(self, *tables: str) -> None:
        """Drop tables of this session, given by their quoted names."""
        for table in tables:
            for name in [name for name in self._made if self.quoted(name) == table]:
                del self._made[name]
                self._guarded(lambda name=name: self._drop(name), "dropping what is no longer needed")  # type: ignore[misc]

    def clear(self) -> None:
        """Drop all tables of this session."""
        self.drop(*map(self.quoted, list(self._made)))

    def _new_name(self) -> str:
        self._number += 1
        name = f"{self._prefix}_{self._number}"
        self._made[name] = None
        return name

    # -- files and frames in place ----------------------------------------------------------------------

    def scanned(self, path: str, kind: str, delimiter: str, *, header: bool) -> tuple[str, list[str]]:
        """Return what a file is called in queries, and its columns.

        Args:
            path: the file.
            kind: `parquet` or `csv`.
            delimiter: between the fields of a row.
            header: whether the first row names the columns.
        """
        del kind, delimiter, header
        raise UsageError(f"{self.name} cannot read files: {path}")

    # -- tables that stay ---------------------------------------------------------------------------------

    def opened_for_writing(self, where: str) -> str:
        """Return what stands before the names of tables that stay, in a database that was asked for.

        Args:
            where: a file, or an address.

        Raises:
            UsageError: for an engine that does not write there.
        """
        raise UsageError(f"{masked(where)}: {self.name} writes folders of files: name a folder with --output")

    def tables_in(self, prefix: str) -> list[str]:
        """Return the names of the tables and views of such a database."""
        del prefix
        return []

    # -- what systems do ----------------------------------------------------------------------------------

    @abstractmethod
    def _execute(self, query: str) -> None: ...

    @abstractmethod
    def _rows(self, query: str) -> list[tuple[Any, ...]]: ...

    @abstractmethod
    def _batches(self, query: str, size: int) -> Iterator[list[tuple[Any, ...]]]: ...

    @abstractmethod
    def _create(self, name: str, query: str) -> None: ...

    @abstractmethod
    def _fill(self, name: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None: ...

    @abstractmethod
    def _drop(self, name: str) -> None: ...

    @abstractmethod
    def cancel(self) -> None:
        """Cancel the query that is running, if there is one; called from another thread."""

    @abstractmethod
    def close(self) -> None:
        """Drop what was made, and let go of the system."""

    @abstractmethod
    def write(self, query: str, columns: Sequence[str], folder: str, name: str) -> None:
        """Write the rows of a query into a folder of files that `name` is the stem of."""

    def _message(self, error: Exception) -> str:
        """Return what a system says of an error, in one line without passwords."""
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        return masked(harmless(" ".join(lines)))[:_LONGEST] or type(error).__name__

    def _ended(self) -> bool:
        """Cancel what is running, and return whether it has ended in time."""
        end = time.monotonic() + _PATIENCE
        while not self._busy.acquire(timeout=0.1):
            if time.monotonic() > end:
                return False
            self.cancel()
        self._busy.release()
        return True

    def _guarded(self, work: Callable[[], T], purpose: str) -> T:
        if self.stop.stopped:
            raise StoppedError

        def alone() -> T:
            with self._busy:
                return work()

        try:
            return run_beside(alone, self.stop, self.cancel)
        except (QueryError, StoppedError, KeyboardInterrupt):
            raise
        except Exception as error:  # drivers have errors of their own
            if self.stop.stopped:
                raise StoppedError from None
            raise QueryError(f"{self.name} failed while {purpose}: {self._message(error)}") from error
