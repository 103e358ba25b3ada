"""Columns of large tables by pyarrow, where it is installed: a constant is looked at once."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int32]

LARGE = 1 << 20
"""Texts with fewer characters are read as quickly without it."""
_UNUSUAL = ('"', "\r", "\0", "\n\n", "\ufeff")
"""What rows need care for: quotation marks, other line ends, blank lines."""


def text_columns(text: str, delimiter: str) -> list[Any] | None:
    """Return the columns of plain rows of fields, all of one width, none empty; None for any other text."""
    if text.startswith("\n") or any(sign in text for sign in _UNUSUAL):
        return None
    try:
        import pyarrow  # noqa: PLC0415  (an extra, and slow to import)
        from pyarrow import compute, csv  # noqa: PLC0415
    except ImportError:
        return None
    names = [f"f{i}" for i in range(text[: text.find("\n") + 1 or None].count(delimiter) + 1)]
    try:
        table = csv.read_csv(
            pyarrow.BufferReader(text.encode()),
            read_options=csv.ReadOptions(column_names=names),
            parse_options=csv.ParseOptions(delimiter=delimiter, quote_char=False),
            convert_options=csv.ConvertOptions(
                column_types=dict.fromkeys(names, pyarrow.string()), strings_can_be_null=False
            ),
        )
        columns = [column.combine_chunks() for column in table.columns]
        return None if any(compute.min(compute.binary_length(c)).as_py() == 0 for c in columns) else columns
    except (pyarrow.ArrowException, UnicodeError, MemoryError):
        return None


def json_columns(text: str) -> tuple[Any, Any, NDArray[np.int64]] | None:
    """Return the predicates, all arguments one after the other, and their numbers, of lines of JSON.

    All arguments must be texts, and all facts true; None for any other text.
    """
    try:
        import pyarrow  # noqa: PLC0415  (an extra, and slow to import)
        from pyarrow import compute, json  # noqa: PLC0415
    except ImportError:
        return None
    fields = [("predicate", pyarrow.string()), ("arguments", pyarrow.list_(pyarrow.string()))]
    options = json.ParseOptions(
        explicit_schema=pyarrow.schema(fields), newlines_in_values=False, unexpected_field_behavior="error"
    )
    try:
        table = json.read_json(pyarrow.BufferReader(text.encode()), parse_options=options).combine_chunks()
        if not table.num_rows:
            return None
        predicates, arguments = (column.combine_chunks() for column in table.columns)
        values = arguments.flatten()
        lengths = np.asarray(arguments.value_lengths().fill_null(0)).astype(np.int64)
    except (pyarrow.ArrowException, UnicodeError, MemoryError):
        return None
    incomplete = predicates.null_count or arguments.null_count or values.null_count
    unnamed = compute.min(compute.binary_length(predicates)).as_py() == 0
    return None if incomplete or unnamed else (predicates, values, lengths)


@dataclass(frozen=True, eq=False)
class Batches:
    """Columns of one table that hold constants.

    Attributes:
        columns: as pyarrow has them, all of one type and one length.
        ends: where each batch of rows ends.
    """

    columns: Sequence[Any]
    ends: Sequence[int]

    def parts(self) -> list[Any]:
        """Return pieces of the columns, batch by batch and in each column by column."""
        starts = [0, *self.ends[:-1]]
        return [
            column.slice(start, end - start)
            for start, end in zip(starts, self.ends, strict=True)
            for column in self.columns
        ]


def encoded(tables: Sequence[Batches]) -> tuple[list[Any], list[list[Codes]]]:
    """Return the distinct values of tables, and for each column of each where its values are among them.

    Values come in the order of their first occurrence, table by table and in each batch by batch and column
    by column: that in which a reader of rows would find them. A missing value is after the last.

    Args:
        tables: whose columns are all of one type.
    """
    import pyarrow  # noqa: PLC0415  (an extra)

    pieces = [table.parts() for table in tables]
    parts = [part for several in pieces for part in several if len(part)]  # empty ones would be dropped
    # All parts have one dictionary, that of the last.
    found = [*pyarrow.chunked_array(parts).dictionary_encode().chunks] if parts else []
    values = found[-1].dictionary.to_pylist() if found else []
    chunks = iter(found)
    codes = []
    for table, several in zip(tables, pieces, strict=True):
        own = [
            np.asarray(next(chunks).indices.fill_null(len(values))) if len(part) else np.empty(0, np.int32)
            for part in several
        ]
        codes.append(
            [np.concatenate(own[place :: len(table.columns)]) for place in range(len(table.columns))]
        )
    return values, codes


def let_go() -> None:
    """Give back the memory that pyarrow, if it was used, keeps in reserve."""
    library = sys.modules.get("pyarrow")
    if library is not None:
        library.default_memory_pool().release_unused()
