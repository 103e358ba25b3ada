"""Facts in Parquet files, one per predicate, in a folder per interpretation; by pyarrow (extra `parquet`).

A row is a fact, its columns are the arguments. Columns have types, so that the text `42` is an atom and the
number 42 a number; dates, decimals and bytes are constants as `logicoder.logic.symbols.symbol_of` says. A row
with a missing value is no fact, and told.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from logicoder.base.errors import InputError, Location, MissingExtraError, UsageError
from logicoder.base.files import read_bytes, write_bytes, write_text
from logicoder.kb.file_names import file_stem, suffix_of
from logicoder.kb.formats.alchemy.declarations import SCHEMA_FILE, schema_text
from logicoder.kb.formats.arrow_columns import Batches, encoded, let_go
from logicoder.kb.formats.interface import Format
from logicoder.kb.formats.text import refuse_other_data
from logicoder.kb.knowledge_base import TRUTHS
from logicoder.logic.symbols import Text, symbol_of, value_of

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from logicoder.kb.builder import KnowledgeBaseBuilder
    from logicoder.kb.formats.interface import ReadOptions, Source
    from logicoder.kb.knowledge_base import KnowledgeBase

_log = logging.getLogger("logicoder")

_MOST_WAITING = 10_000_000
"""Tables wait for each other, up to so many rows, so that their constants are looked at together."""


class ParquetFormat(Format):
    """Parquet: a file for each predicate, which it is named by."""

    name = "parquet"
    summary = "Parquet: one file per predicate, named by the file; a row is a fact"
    suffixes = (".parquet", ".pq")
    file_holds = "predicate"

    def read(self, sources: Sequence[Source], builder: KnowledgeBaseBuilder, options: ReadOptions) -> None:
        """See `Format.read`."""
        del options
        arrow, parquet = _libraries()
        waiting: list[_Table] = []
        for source in sources:
            place = Location(str(source.path))
            try:
                table = parquet.read_table(io.BytesIO(read_bytes(source.path))).combine_chunks()
            except (arrow.ArrowException, OSError) as error:
                raise InputError(f"this is not a sound Parquet file ({error})", place) from None
            if not table.num_columns:
                raise InputError("this table has no columns", place)
            waiting.append(_Table(source, table, np.empty((table.num_rows, table.num_columns), np.int32)))
            if sum(len(one.ids) for one in waiting) > _MOST_WAITING:
                _add(waiting, builder)
                waiting.clear()
        _add(waiting, builder)
        waiting.clear()
        let_go()

    def refuse(self, kb: KnowledgeBase) -> None:
        """See `Format.refuse`."""
        for name, predicate in kb.schema.items():
            for truth in TRUTHS[1:]:
                if kb.count(name, truth):
                    raise UsageError(
                        f"{name} has {truth} atoms, and Parquet holds true facts only; write Prolog"
                    )
            if kb.count(name) and not predicate.arity:
                raise UsageError(f"{name} has no arguments, and Parquet needs at least one column")

    def write(self, kb: KnowledgeBase, path: Path, remark: str | None = None) -> None:
        """See `Format.write`; always a folder, with a folder in it for each of several interpretations."""
        del remark
        if suffix_of(path) in self.suffixes:
            raise UsageError(f"{path}: Parquet is written into a folder, one file per predicate")
        _, parquet = _libraries()
        several = len(kb.interpretations) > 1
        files: dict[Path, Any] = {}
        for world, interpretation in enumerate(kb.interpretations):
            folder = path / file_stem(interpretation) if several else path
            for name, predicate in kb.schema.items():
                if predicate.arity:
                    files[folder / f"{file_stem(name)}.parquet"] = _table(kb, name, world)
        refuse_other_data(path, [str(file.relative_to(path)) for file in files])
        for file, table in files.items():
            stream = io.BytesIO()
            parquet.write_table(table, stream)
            write_bytes(file, stream.getvalue())
        write_text(path / SCHEMA_FILE, schema_text(kb.schema))


def _libraries() -> tuple[Any, Any]:
    try:
        import pyarrow  # noqa: PLC0415  (an extra)
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError:
        raise MissingExtraError("pyarrow", "parquet", "Parquet") from None
    return pyarrow, parquet


@dataclass(frozen=True, eq=False)
class _Table:
    """A table that was read: its file, what it holds, and the constants of its rows; -1 for none."""

    source: Source
    content: Any
    ids: NDArray[np.int32]

    def column(self, index: int) -> Any:
        column = self.content.column(index)
        return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def _add(tables: Sequence[_Table], builder: KnowledgeBaseBuilder) -> None:
    """Add the facts of some tables; each different value of a type is looked at once."""
    kinds: dict[str, list[tuple[_Table, int]]] = {}
    for table in tables:
        for index, field in enumerate(table.content.schema):
            kinds.setdefault(str(field.type), []).append((table, index))
    for places in kinds.values():
        try:
            _identify(places, builder)
        except (NotImplementedError, ValueError):
            for place in places:  # one by one, to tell which
                _identify_one(*place, builder)
    for table in tables:
        missing = (table.ids < 0).any(axis=1)
        source = table.source
        if missing.any():
            _log.warning("%s: %d rows with missing values are left out", source.path, missing.sum())
        builder.check_arity(source.stem, table.ids.shape[1], Location(str(source.path)))
        builder.add_rows(source.stem, table.ids[~missing], builder.interpretation(source.world))


def _identify(places: Sequence[tuple[_Table, int]], builder: KnowledgeBaseBuilder) -> None:
    """Find the constants of columns of one type."""
    values, codes = encoded([Batches([t.column(index)], [len(t.ids)]) for t, index in places])
    # NaN differs from itself, and is a missing value as well.
    there = [value is not None and value == value for value in values]  # noqa: PLR0124
    symbols = (symbol_of(value) for value, known in zip(values, there, strict=True) if known)
    ids = np.full(len(values) + 1, -1, np.int32)
    ids[:-1][np.array(there, np.bool_)] = [builder.intern(symbol) for symbol in symbols]
    for (table, index), (code,) in zip(places, codes, strict=True):
        table.ids[:, index] = ids[code]


def _identify_one(table: _Table, index: int, builder: KnowledgeBaseBuilder) -> None:
    """Find the constants of a column, or tell what is wrong with it."""
    field = table.content.schema.field(index)
    place, hint = Location(str(table.source.path)), "convert the column to text or numbers"
    try:
        _identify([(table, index)], builder)
    except NotImplementedError:  # as Arrow says of lists and records
        raise InputError(f"column {field.name}: a {field.type} is no constant", place, hint) from None
    except ValueError as error:
        raise InputError(f"column {field.name}: {error}", place, hint) from None


def _table(kb: KnowledgeBase, name: str, world: int) -> Any:
    """Return the facts of a predicate as a table whose columns have types."""
    arrow, _ = _libraries()
    table = kb.table(name)
    rows = table.arguments[table.worlds == world]
    columns = {}
    for index in range(rows.shape[1]):
        used, places = np.unique(rows[:, index], return_inverse=True)
        values = [value_of(kb.symbols[i]) for i in used.tolist()]
        if len({type(value) for value in values}) > 1 or any(isinstance(value, Text) for value in values):
            raise UsageError(
                f"argument {index + 1} of {name} mixes kinds of constants, or holds strings, and a column of "
                "Parquet has one type; write Prolog (.pl) or JSON lines (.jsonl) instead"
            )
        try:
            kinds = {int: arrow.int64(), float: arrow.float64()}
            kind = kinds.get(type(values[0]), arrow.string()) if values else arrow.string()
            columns[f"argument{index + 1}"] = arrow.array(values, kind).take(arrow.array(places))
        except (arrow.ArrowException, OverflowError, UnicodeError) as error:
            raise UsageError(f"argument {index + 1} of {name} does not fit into Parquet: {error}") from None
    return arrow.table(columns)
