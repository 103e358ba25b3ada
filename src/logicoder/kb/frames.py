"""Knowledge bases from and to data frames; no library of them is needed until it is used."""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from logicoder.base.errors import InputError, MissingExtraError, UsageError, require, shown
from logicoder.kb.argument_types import AUTO
from logicoder.kb.builder import KnowledgeBaseBuilder
from logicoder.kb.formats.incomplete_rows import tell_incomplete
from logicoder.kb.mapping.application import whole
from logicoder.kb.mapping.frame_source import eager_frame, frame_source, key_column, labels_of
from logicoder.kb.mapping.table_reader import AUTO as MAPPING_AUTO
from logicoder.kb.mapping.table_reader import read_tables
from logicoder.logic.symbols import Text, Value, symbol_of

if TYPE_CHECKING:
    from pathlib import Path

    from logicoder.kb.knowledge_base import KnowledgeBase
    from logicoder.kb.mapping.data_mapping import DataMapping
    from logicoder.kb.schema import Schema

LIBRARIES = ("pandas", "polars")
INTERPRETATION = "interpretation"

_MOST_PLACES = 3
"""Frames with more columns are tables of entities, as Parquet files are."""
_ARGUMENT = re.compile(rf"argument\d+\Z|{INTERPRETATION}\Z")
"""What `to_frames` calls columns."""

_log = logging.getLogger("logicoder")


def from_frames(
    frames: Mapping[str, Any],
    interpretation_column: str | None = None,
    schema: Schema | None = None,
    types: str = AUTO,
    mapping: DataMapping | str | Path | Literal[False] | None = None,
) -> KnowledgeBase:
    """Build a knowledge base from one data frame per predicate: a row is a fact, its columns the arguments.

    With a mapping, frames are tables instead, whose columns are keys and attributes: see
    `KnowledgeBase.from_sql`. So they are, with a warning, if all have more than three columns, or the first
    column of one is its key: `id`, or `car_id` in a frame of cars. Frames of pandas and polars will do, and
    any other that narwhals knows.

    Rows with missing values are no facts, which a warning tells. Text becomes an atom, a number a number, and
    truth values the atoms `true` and `false`; dates, bytes and the like are atoms of their texts (see
    `logicoder.logic.symbols.symbol_of`).

    Args:
        frames: data frames by the name of their predicate.
        interpretation_column: the column that names the interpretation of each row; it must be in every
            frame, and is no argument. Without it all rows belong to one interpretation named `data`.
        schema: declared predicates; without it types are given as `types` says.
        types: for undeclared predicates, `auto` (types where there is strong evidence for them), `one`
            type for all, or `infer`: see `logicoder.kb.argument_types`.
        mapping: how tables become predicates, the file that says so, or `auto` to propose it. False reads
            rows as facts, whatever columns are called.

    Raises:
        InputError: for a value that is not a constant, with frame, row and column.
        UsageError: for something that is no DataFrame.
    """
    if hasattr(frames, "columns"):
        raise UsageError("a frame needs a name: write from_frames({'cars': frame})")
    require("frames", frames, Mapping)
    if mapping is None and schema is None and interpretation_column is None:
        mapping = _mapping_of_things(frames)
    if mapping is not None and mapping is not False:
        return read_tables(frame_source(frames), mapping)[0]
    builder = KnowledgeBaseBuilder(schema, types)
    rows_read = 0
    for name, frame in frames.items():
        columns = _columns(name, frame)
        worlds = ["data"] * _height(frame)
        if interpretation_column is not None:
            labels = [label for label, _, _ in columns]
            if interpretation_column not in labels:
                raise UsageError(
                    f"the frame {name} has no column {shown(interpretation_column)}: it has {labels}"
                )
            worlds = [
                str(value) for value in _complete(name, columns.pop(labels.index(interpretation_column)))
            ]
        left_out = {row for _, _, missing in columns for row, it in enumerate(missing) if it}
        tell_incomplete(f"frame {name}", len(left_out))
        there = [row for row in range(len(worlds)) if row not in left_out]
        worlds = [worlds[row] for row in there]
        ids = [[builder.intern(_symbol(name, c, row, c[1][row])) for row in there] for c in columns]
        rows = np.array(ids, np.int32).reshape(len(columns), len(worlds)).T
        numbers = np.array([builder.interpretation(world) for world in worlds], np.int32)
        if not len(rows):
            builder.add_rows(name, rows, 0)
        for world in np.unique(numbers).tolist():
            builder.add_rows(name, rows[numbers == world], world)
        rows_read += len(rows)
    if not rows_read:
        raise InputError("these frames contain no facts: " + (", ".join(frames) or "there is none"))
    return builder.build()


def to_frames(kb: KnowledgeBase, library: str = "pandas") -> dict[str, Any]:
    """Return a DataFrame of the true facts of each predicate that has some.

    The columns are `argument1`, `argument2` and so on, and before them `interpretation` if the knowledge base
    has several. Strings become text like atoms; a column of both text and numbers is all text in polars.

    Raises:
        MissingExtraError: if the library is not installed.
        UsageError: for another library, or a predicate without arguments.
    """
    if library not in LIBRARIES:
        raise UsageError(f"library must be one of {', '.join(LIBRARIES)}, not {shown(library)}")
    try:
        make = import_module(library).DataFrame
    except ImportError:
        raise MissingExtraError(library, library, f"to_frames(library={library!r})") from None
    frames = {}
    for name in kb.predicates:
        if not kb.schema[name].arity:
            raise UsageError(f"{name} has no arguments, and a frame needs at least one column")
        facts = list(kb.facts(name))
        content: dict[str, list[Any]] = {}
        if len(kb.interpretations) > 1:
            content[INTERPRETATION] = [fact.interpretation for fact in facts]
        for index in range(kb.schema[name].arity):
            column = [_plain(fact.arguments[index]) for fact in facts]
            if library == "polars" and len({isinstance(value, str) for value in column}) > 1:
                column = [str(value) for value in column]
            content[f"argument{index + 1}"] = column
        frames[name] = make(content, **({"strict": False} if library == "polars" else {}))
    return frames


_Column = tuple[Any, list[Any], list[bool]]  # label, values, and which of them are missing


def _mapping_of_things(frames: Mapping[str, Any]) -> str | None:
    """Return how to read frames whose rows are things, told by a key, or that all are wide; else None."""
    labels = {name: labels_of(frame) for name, frame in frames.items()}
    wide = all(len(own) > _MOST_PLACES and not all(map(_ARGUMENT.match, own)) for own in labels.values())
    for name, frame in frames.items():
        key = key_column(name, frame)
        if key is not None or wide:
            why = f"it has {len(labels[name])} columns" if key is None else f"the column {key} is its key"
            _log.warning(
                "frame %s: %s, so each row is an entity with attributes; mapping=False reads rows as facts",
                name,
                why,
            )
            return MAPPING_AUTO
    return None


def _columns(name: str, frame: Any) -> list[_Column]:
    library = type(frame).__module__.partition(".")[0]
    if library == "pandas" and hasattr(frame, "columns"):
        series = [frame.iloc[:, index] for index in range(frame.shape[1])]
        columns = [
            (label, s.tolist(), s.isna().tolist()) for label, s in zip(frame.columns, series, strict=True)
        ]
    elif library == "polars" and hasattr(frame, "get_columns"):
        columns = [(s.name, s.to_list(), s.is_null().to_list()) for s in frame.get_columns()]
    else:
        columns = [
            (s.name, s.to_list(), s.is_null().to_list()) for s in eager_frame(name, frame).iter_columns()
        ]
    return [_mended(name, label, values, missing) for label, values, missing in columns]


def _mended(name: str, label: Any, values: list[Any], missing: list[bool]) -> _Column:
    """Return a column with NaN among what is missing, and whole numbers that became floats by that."""
    missing = [it or (isinstance(v, float) and math.isnan(v)) for v, it in zip(values, missing, strict=True)]
    there = [value for value, it in zip(values, missing, strict=True) if not it]
    if any(missing) and there and all(isinstance(v, float) and v.is_integer() for v in there):
        values = whole([None if it else v for v, it in zip(values, missing, strict=True)], f"{name}.{label}")
    return label, values, missing


def _height(frame: Any) -> int:
    return int(frame.shape[0])


def _complete(name: str, column: _Column) -> list[Any]:
    """Return the values of a column, if none is missing."""
    label, values, missing = column
    for row, is_missing in enumerate(missing):
        if is_missing:
            raise _error(name, row, label, "the value is missing", "fill it in or remove the row")
    return values


def _symbol(name: str, column: _Column, row: int, value: Any) -> str:
    try:
        return symbol_of(value)
    except ValueError as error:
        raise _error(
            name, row, column[0], str(error), "convert the column to text or numbers, or remove the row"
        ) from None


def _error(name: str, row: int, label: Any, message: str, hint: str) -> InputError:
    return InputError(f"frame {name}, row {row} (counted from 0), column {label}: {message}", hint=hint)


def _plain(value: Value) -> str | int | float:
    return value.value if isinstance(value, Text) else value
