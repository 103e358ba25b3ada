"""Facts in Parquet files, one per predicate, in a folder per interpretation; by pyarrow (extra `parquet`).

A row is a fact, its columns are the arguments. Columns have types, so that the text `42` is an atom and the
number 42 a number; dates, decimals and bytes are constants as `logicoder.logic.symbols.symbol_of` says. A row
with a missing value is no fact, and told.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from logicoder.base.errors import InputError, Location, MissingExtraError, UsageError
from logicoder.base.files import read_bytes, write_bytes, write_text
from logicoder.base.input_record import current_record
from logicoder.kb.file_names import file_stem, suffix_of
from logicoder.kb.formats.alchemy.declarations import SCHEMA_FILE, schema_text
from logicoder.kb.formats.arrow_columns import MOST_WAITING, SharedDictionary, let_go
from logicoder.kb.formats.incomplete_rows import tell_incomplete
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


_BATCH = 1 << 20
"""So many rows are read together."""
_HINT = "convert the column to text or numbers"


class ParquetFormat(Format):
    """Parquet: a file for each predicate, which it is named by."""

    name = "parquet"
    summary = "Parquet: one file per predicate, named by the file; a row is a fact"
    suffixes = (".parquet", ".pq")
    file_holds = "predicate"

    def read(self, sources: Sequence[Source], builder: KnowledgeBaseBuilder, options: ReadOptions) -> None:
        """See `Format.read`."""
        del options
        tables = _Tables(builder)
        for source in sources:
            tables.take(source)
        tables.add()

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


class _Kind(SharedDictionary):
    """All columns of one type: the different values of a type are looked at once."""

    def __init__(self) -> None:
        super().__init__()
        self.next = 0

    def columns(self, builder: KnowledgeBaseBuilder) -> Iterator[NDArray[np.int32]]:
        """Iterate over the constants of each column; -1 for none."""
        values, columns = self.joined()
        symbols = _symbols(values)
        there = np.array([symbol is not None for symbol in symbols], np.bool_)
        ids = np.full(len(values) + 1, -1, np.int32)
        ids[:-1][there] = builder.intern_all([symbol for symbol in symbols if symbol is not None])
        return (column(ids) for column in columns)


class _Tables:
    """Tables that wait for each other, so that their constants are looked at together.

    Args:
        builder: where to add the facts.
    """

    def __init__(self, builder: KnowledgeBaseBuilder) -> None:
        self._builder = builder
        self._begin()

    def _begin(self) -> None:
        self._kinds: dict[str, _Kind] = {}
        self._batches: list[tuple[Source, list[str]]] = []

    def take(self, source: Source) -> None:
        """Read a table, in batches."""
        if sum(kind.bytes for kind in self._kinds.values()) > MOST_WAITING:
            self.add()
        arrow, parquet = _libraries()
        place = Location(str(source.path))
        try:
            file = parquet.ParquetFile(_content(source.path))
            kinds = [_plain_type(field.type) for field in file.schema_arrow]
            if not kinds:
                raise InputError("this table has no columns", place)
            self._builder.check_arity(source.stem, len(kinds), place)
            height, start = file.metadata.num_rows, 0
            for batch in file.iter_batches(_BATCH):
                self._add_batch(source, batch, kinds, start, height)
                start += batch.num_rows
        except NotImplementedError as error:  # as Arrow says of lists and records
            raise self._located(error, source) from None
        except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
            raise InputError(f"this is not a valid Parquet file ({error})", place) from None
        for kind in kinds:
            self._kind(kind).next += height
        if not height:
            self._builder.add_rows(source.stem, np.empty((0, len(kinds)), np.int32), 0)

    def _kind(self, name: str) -> _Kind:
        return self._kinds.setdefault(name, _Kind())

    def _add_batch(self, source: Source, batch: Any, kinds: list[str], start: int, height: int) -> None:
        """Take in a batch of rows; of each kind, places are numbered column by column."""
        before: Counter[str] = Counter()
        for kind, column in zip(kinds, batch.columns, strict=True):
            first = self._kind(kind).next + before[kind] * height + start
            before[kind] += 1
            plain = column.dictionary_decode() if kind != str(column.type) else column
            self._kind(kind).add(plain, partial(np.arange, first, first + len(column)))
        self._batches.append((source, kinds))

    def add(self) -> None:
        """Add the facts of all tables that were read."""
        try:
            columns = {name: kind.columns(self._builder) for name, kind in self._kinds.items()}
        except (NotImplementedError, ValueError) as error:
            raise self._located(error) from None
        left_out: Counter[Path] = Counter()
        for source, kinds in self._batches:
            rows = np.column_stack([next(columns[kind]) for kind in kinds])
            missing = (rows < 0).any(axis=1)
            left_out[source.path] += int(missing.sum())
            world = self._builder.interpretation(source.world)
            self._builder.add_rows(source.stem, rows[~missing] if missing.any() else rows, world)
        for path, number in left_out.items():
            tell_incomplete(path, number)
        self._begin()
        let_go()

    def _located(self, error: Exception, *last: Source) -> InputError:
        """Return an error about values with the column that holds them, found by going through all again."""
        arrow, parquet = _libraries()
        for source in dict.fromkeys((*(source for source, _ in self._batches), *last)):
            where = Location(str(source.path))
            try:
                fields = list(parquet.read_schema(_content(source.path)))
            except (arrow.ArrowException, OSError, UnicodeDecodeError) as found:
                return InputError(f"this Parquet file cannot be read ({found})", where)
            for field in fields:
                complaint = None
                if arrow.types.is_nested(field.type):
                    complaint = f"a {field.type} is not a constant"
                else:
                    try:
                        column = parquet.read_table(_content(source.path), columns=[field.name]).column(0)
                        _symbols(column.unique().to_pylist())
                    except (arrow.ArrowException, NotImplementedError, ValueError) as found:
                        complaint = str(found)
                if complaint:
                    return InputError(f"column {field.name}: {complaint}", where, _HINT)
        return InputError(str(error))


def _symbols(values: Sequence[Any]) -> list[str | None]:
    """Return the constants of values; None for missing ones and for NaN, which differs from itself."""
    return [None if value is None or value != value else symbol_of(value) for value in values]  # noqa: PLR0124


def _plain_type(kind: Any) -> str:
    """Return the type of the values of a column, whether it has a dictionary or not."""
    arrow, _ = _libraries()
    return str(kind.value_type if arrow.types.is_dictionary(kind) else kind)


def _content(path: Path) -> Any:
    """Return a file to be read piece by piece where that is possible, and what is in it elsewhere."""
    if not path.is_file() or path.suffix == ".gz":
        return io.BytesIO(read_bytes(path))
    record = current_record()
    if record is not None:
        record.note_file(path)
    return str(path)


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
