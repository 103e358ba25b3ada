"""Data that Spark holds: frames, tables of its catalog, and files that only its executors reach."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from logicoder.base.address import is_address
from logicoder.base.errors import InputError, UsageError, location_of
from logicoder.engine.sql.spark_session import SparkSession
from logicoder.engine.sql.stored_data import StoredData
from logicoder.engine.sql.stored_relations import Part, stored_relation, stored_triples

if TYPE_CHECKING:
    from logicoder.engine.sql.stored_sources import Opening

_TABLE = re.compile(r"(\w+\.){0,2}\w+")
_FILE_SYSTEMS = ("abfs", "abfss", "dbfs", "file", "gs", "hdfs", "s3", "s3a", "viewfs", "wasbs")
"""Of addresses that are files, and no databases."""


def stored_frames(frames: Mapping[str, Any] | Any, folder: str | Path | None = None) -> StoredData:
    """Return frames of Spark as data that stay there; see `KnowledgeBase.from_spark`."""
    given = dict(frames) if isinstance(frames, Mapping) else {"": frames}
    if not given:
        raise UsageError("name at least one frame")
    for name, frame in given.items():
        if not isinstance(frame, str) and not hasattr(frame, "createOrReplaceTempView"):
            raise UsageError(
                f"{name or 'this'} is a {type(frame).__name__}, not a Spark data frame or the name of a table"
            )
    running = next((frame.sparkSession for frame in given.values() if not isinstance(frame, str)), None)
    return _held(SparkSession(running, folder=folder), given)


def is_held_by_spark(paths: Sequence[str | Path]) -> bool:
    """Whether all names are those of tables, or of files elsewhere, and none is one of this machine.

    >>> is_held_by_spark(["sales.likes", "s3a://shop/born"]), is_held_by_spark(["facts/*.parquet"])
    (True, False)
    """
    return all(
        _is_file(path) or (_TABLE.fullmatch(str(path)) is not None and not Path(path).exists())
        for path in paths
    )


def _is_file(path: str | Path) -> bool:
    return is_address(path) and str(path).partition("://")[0].lower() in _FILE_SYSTEMS


def stored_by_spark(paths: Sequence[str | Path], opening: Opening) -> StoredData:
    """Return tables and files, each as the predicate that the last part of its name names.

    Raises:
        InputError: for a table that the catalog does not have.
        UsageError: for two of the same name.
    """
    given: dict[str, str] = {}
    for path in map(str, paths):
        name = Path(path).stem if _is_file(path) else path.rpartition(".")[2]
        if name in given:
            raise UsageError(f"{given[name]} and {path} would both become the predicate {name}")
        given[name] = path
    session = opening.session()
    assert isinstance(session, SparkSession)  # noqa: S101  (the engine is Spark)
    return _held(session, given)


def _held(session: SparkSession, given: Mapping[str, Any]) -> StoredData:
    """Return frames, and what names of tables and files stand for."""
    try:
        frames = {name: _frame(session, own) if isinstance(own, str) else own for name, own in given.items()}
        parts = {name: [_part(session, name, own)] for name, own in frames.items()}
        if "" in parts:
            return StoredData(session, stored_triples(session, parts[""]), "the frame")
        relations = {name: stored_relation(session, name, own) for name, own in parts.items()}
        return StoredData(session, relations, ", ".join(map(str, given)))
    except BaseException:
        session.close()
        raise


def _part(session: SparkSession, name: str, frame: Any) -> Part:
    names = {column.lower() for column in frame.columns}
    if len(names) < len(frame.columns):  # which Spark could not tell apart
        frame = frame.toDF(*(f"a{place}" for place in range(1, len(frame.columns) + 1)))
    return session.viewed(session.plain(frame, name)), list(frame.columns), None


def _frame(session: SparkSession, name: str) -> Any:
    frame = session.frame_of(name, file=_is_file(name))
    if frame is None:
        raise InputError(
            "there is no such file, nor a table of this name in Spark's catalog", location_of(Path(name))
        )
    return frame
