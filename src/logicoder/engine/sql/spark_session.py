"""Spark: data beyond one machine; every table that is made is written as Parquet, so that lineage ends."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import signal
import threading
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

from logicoder.base.errors import MissingExtraError, UsageError
from logicoder.base.run_folder import RunFolder
from logicoder.base.sql_text import spark_literal, spark_quoted
from logicoder.base.stopping import StopToken
from logicoder.engine.sql.column_texts import require_plain, spark_text
from logicoder.engine.sql.session import Session

_ALONE = {
    # On this machine alone: nobody else is to reach it, and few tasks do what there is to do.
    "spark.master": "local[*]",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.shuffle.partitions": 2,
    "spark.ui.enabled": "false",
    "spark.sql.catalogImplementation": "in-memory",
}


_QUIET = {"spark.ui.showConsoleProgress": "false"}
"""Set whatever is configured: its shell has bars of its own, which nobody has asked for here."""

_REAPED = {"spark.task.reaper.enabled": "true", "spark.task.reaper.killTimeout": "60s"}
"""A task that only joins does not hear that its query was cancelled: its executor is to end with it."""

_FOLDER = "spark.logicoder.folder"
"""The setting of Spark that names the folder of a run on a cluster."""

_LEAST_DRIVER = 512 << 20
"""Spark does not start with less."""

_ONE_FILE = 5_000_000
"""Rows up to which one task writes one file."""

_LINES = 10_000
"""Lines that are written at a time."""

_PATTERN = re.compile(r"[][*?{}\\]")


def _itself(path: str) -> str:
    r"""Return a path as Spark reads it, whose name stands for no other one.

    >>> print(_itself("d[1]/facts.csv"))
    d\[1\]/facts.csv
    """
    return _PATTERN.sub(r"\\\g<0>", path)


def _settings(max_memory: int | None) -> dict[str, Any]:
    """Return what a Spark that is started here is to be told beside what is configured."""
    from pyspark import SparkConf, SparkContext  # noqa: PLC0415  (an extra)

    given = SparkConf()
    if max_memory is not None:
        given.set("spark.driver.memory", f"{max(_LEAST_DRIVER, max_memory) >> 20}m")
    # Its Java process alone, started with its memory, knows what spark-submit and files of settings say.
    SparkContext._ensure_initialized(conf=given)
    configured = SparkConf()
    alone = (configured.get("spark.master") or "local").startswith("local")
    wanted = _REAPED | (_ALONE if alone else {})
    return _QUIET | {name: value for name, value in wanted.items() if not configured.contains(name)}


@contextlib.contextmanager
def _signals_kept() -> Iterator[None]:
    """Do something and leave Ctrl-C to whoever had it: Spark would take it, and the best program be lost."""
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        if before is not None and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, before)


def _as_line(row: Sequence[str]) -> str:
    r"""Return a row of texts as a line of JSON.

    >>> _as_line(("a", "two\nlines"))
    '{"c0": "a", "c1": "two\\nlines"}\n'
    """
    return json.dumps({f"c{number}": text for number, text in enumerate(row)}) + "\n"


class SparkSession(Session):
    """A session of Spark: the caller's own, or a new one on this machine.

    Args:
        spark: the caller's `pyspark.sql.SparkSession`, which is left running; None for one of the default
            configuration, as `spark-submit` or the environment set it.
        folder: where tables are written, which all executors must reach; None for what the setting
            `spark.logicoder.folder` names, or a temporary folder of this machine if Spark runs there alone.
        max_memory: what the driver of a Spark that is started here may take, in bytes, which is all of it on
            one machine; None for what is configured.
        stop: ends whatever query is running.

    Raises:
        UsageError: on a cluster, if there is no folder: executors would write where nobody else reads.
    """

    name: ClassVar[str] = "Spark"
    text: ClassVar[str] = "STRING"
    weekday: ClassVar[str] = "DAYOFWEEK_ISO"

    def __init__(
        self,
        spark: Any = None,
        *,
        folder: str | Path | None = None,
        max_memory: int | None = None,
        stop: StopToken | None = None,
    ) -> None:
        super().__init__(stop)
        try:
            from pyspark import SparkContext  # noqa: PLC0415  (an extra)
            from pyspark.sql import SparkSession as Native  # noqa: PLC0415
        except ImportError:
            raise MissingExtraError("pyspark", "spark", "the engine spark") from None
        self._own = spark is None and SparkContext._active_spark_context is None
        self._spark: Any = spark or Native.getActiveSession()
        if self._spark is None:
            builder = Native.builder.appName("logicoder")
            for name, value in _settings(max_memory).items() if self._own else ():
                builder = builder.config(name, value)
            with _signals_kept():
                self._spark = builder.getOrCreate()
            self._spark.sparkContext.setLogLevel("ERROR")
        self._views: list[str] = []
        folder = folder or self._spark.sparkContext.getConf().get(_FOLDER)
        if folder is None and not str(self._spark.sparkContext.master).startswith("local"):
            self._ended_here()
            raise UsageError(
                "Spark runs on a cluster: name a folder that all executors reach, such as --conf "
                f"{_FOLDER}=hdfs:///tmp/logicoder, or `folder=` of KnowledgeBase.from_spark"
            )
        self._local = RunFolder() if folder is None else None
        self._folder = f"{folder}/{self._prefix}" if self._local is None else str(self._local.path)

    def quoted(self, name: str) -> str:
        """See `Session.quoted`."""
        return spark_quoted(name)

    def literal(self, text: str) -> str:
        """See `Session.literal`: what follows a backslash is special."""
        return spark_literal(text)

    def _grouped(self) -> None:
        # Groups belong to a thread, and every query has one of its own.
        self._spark.sparkContext.setJobGroup(self._prefix, "logicoder", interruptOnCancel=True)

    def _execute(self, query: str) -> None:
        self._grouped()
        self._spark.sql(query)

    def _rows(self, query: str) -> list[tuple[Any, ...]]:
        self._grouped()
        return [tuple(row) for row in self._spark.sql(query).collect()]

    def _batches(self, query: str, size: int) -> Iterator[list[tuple[Any, ...]]]:
        self._grouped()
        rows = map(tuple, self._spark.sql(query).toLocalIterator())
        return iter(lambda: list(islice(rows, size)), [])

    def _create(self, name: str, query: str) -> None:
        self._grouped()
        self._keep(name, self._spark.sql(query))

    def _keep(self, name: str, frame: Any) -> None:
        path = f"{self._folder}/{name}"
        frame.write.parquet(path)
        self._spark.read.schema(frame.schema).parquet(_itself(path)).createOrReplaceTempView(name)

    def _fill(self, name: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        self._grouped()
        # Frames of Python's rows need a Python on every executor, of the same version as this one.
        path = f"{self._folder}/{name}.json"
        place, system = self._file(path)
        stream, lines = system.create(place), iter(map(_as_line, rows))
        try:
            while block := "".join(islice(lines, _LINES)):
                stream.write(block.encode())
        finally:
            stream.close()
        kinds = ", ".join(f"c{number} STRING" for number in range(len(columns)))
        frame = self._spark.read.schema(kinds).json(_itself(path), mode="FAILFAST")
        self._keep(name, frame.toDF(*columns))
        system.delete(place, False)

    def scanned(self, path: str, kind: str, delimiter: str, *, header: bool) -> tuple[str, list[str]]:
        """See `Session.scanned`."""
        reader, own = self._spark.read, _itself(path)
        if kind == "parquet":
            frame = self._guarded(lambda: reader.parquet(own), f"opening {path}")
        else:
            options = {"sep": delimiter, "header": header, "inferSchema": False, "escape": '"'}
            # Only where it has to be, since one task then reads a whole file.
            options["multiLine"] = self._guarded(lambda: self._breaks_fields(own), f"opening {path}")
            frame = self._guarded(lambda: reader.options(**options).csv(own), f"opening {path}")
        return self.viewed(self.plain(frame, path)), list(frame.columns)

    def _breaks_fields(self, path: str) -> bool:
        """Whether a line of a CSV file may end within a field: it has an odd number of quotation marks."""
        self._grouped()
        marks = "length(value) - length(replace(value, '\"', ''))"
        return bool(self._spark.read.text(path).where(f"({marks}) % 2 = 1").take(1))

    def plain(self, frame: Any, path: str) -> Any:
        """Return a frame of texts; those that queries would make of numbers and times have other digits."""
        for name, kind in frame.dtypes:
            require_plain(kind, name, path)
        return frame.selectExpr(
            *(f"{spark_text(self.quoted(name), kind)} AS {self.quoted(name)}" for name, kind in frame.dtypes)
        )

    def frame_of(self, name: str, *, file: bool) -> Any:
        """Return a table of the catalog, or a file that executors reach, as a frame; None for no table."""
        if file:
            return self._guarded(lambda: self._spark.read.parquet(name), f"opening {name}")
        there = self._guarded(lambda: self._spark.catalog.tableExists(name), f"looking for the table {name}")
        return self._guarded(lambda: self._spark.table(name), f"opening the table {name}") if there else None

    def viewed(self, frame: Any) -> str:
        """Return what a frame is called in queries."""
        self._number += 1
        name = f"{self._prefix}_view_{self._number}"
        frame.createOrReplaceTempView(name)
        self._views.append(name)
        return self.quoted(name)

    def _drop(self, name: str) -> None:
        self._spark.catalog.dropTempView(name)
        place, system = self._file(f"{self._folder}/{name}")
        system.delete(place, True)

    def _file(self, path: str) -> tuple[Any, Any]:
        """Return a path as Spark has it, and the system of files that it is in."""
        place = self._spark._jvm.org.apache.hadoop.fs.Path(path)
        return place, place.getFileSystem(self._spark.sparkContext._jsc.hadoopConfiguration())

    def cancel(self) -> None:
        """See `Session.cancel`."""
        self._spark.sparkContext.cancelJobGroup(self._prefix)

    def close(self) -> None:
        """See `Session.close`; a session of the caller goes on."""
        with contextlib.suppress(Exception):  # a session that has died has nothing left to drop
            for name in list(self._made):
                self._drop(name)
            for name in self._views:
                self._spark.catalog.dropTempView(name)
            place, system = self._file(self._folder)
            system.delete(place, True)
        if self._local is not None:
            self._local.remove()
        self._ended_here()

    def _ended_here(self) -> None:
        """Stop a Spark that this session has started."""
        if self._own:
            with contextlib.suppress(Exception):
                self._spark.stop()

    def write(self, query: str, columns: Sequence[str], folder: str, name: str) -> None:
        """See `Session.write`: a Parquet file, or a folder of them where there are many rows."""
        del columns
        self._guarded(lambda: self._written(query, f"{folder}/{name}.parquet"), f"writing {name}")

    def _written(self, query: str, path: str) -> None:
        self._grouped()
        frame = self._spark.sql(query)
        few = frame.count() <= _ONE_FILE
        (frame.coalesce(1) if few else frame).write.parquet(path)
        parts = list(Path(path).glob("part-*.parquet"))
        if few and len(parts) == 1:
            # A file that everybody reads, and no folder.
            aside = parts[0].rename(f"{path}.part")
            shutil.rmtree(path)
            aside.rename(path)
