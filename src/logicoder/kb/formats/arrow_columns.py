"""Columns of large tables by pyarrow, where it is installed: a constant is looked at once."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

Codes = NDArray[np.int32]
Positions = NDArray[np.int64]

LARGE = 1 << 20
"""Files with fewer bytes are read as quickly without it."""
BLOCK = 1 << 24
"""So many bytes of a file are read at a time."""
MOST_WAITING = 1 << 28
"""Columns are given codes together up to so many bytes: more of them find more repeated constants."""
_UNUSUAL = (b'"', b"\r", b"\0", b"\n\n")
"""What rows need care for: quotation marks, other line ends, blank lines."""
_MARK = b"\xef\xbb\xbf"
"""What some programs begin a file with."""
_NEVER = np.iinfo(np.int64).max


class UnusualTextError(ValueError):
    """A text that only the careful reader can judge."""


def has_pyarrow() -> bool:
    """Whether pyarrow is there; it is imported then, which takes a while."""
    try:
        import pyarrow  # noqa: F401, PLC0415  (an extra)
    except ImportError:
        return False
    return True


def text_columns(block: bytes, delimiter: str, width: int) -> list[Any]:
    """Return the columns of plain rows of as many fields, none of them empty.

    Raises:
        UnusualTextError: for any other text.
    """
    import pyarrow  # noqa: PLC0415  (an extra, and slow to import)
    from pyarrow import compute, csv  # noqa: PLC0415

    if block.startswith((b"\n", _MARK)) or any(sign in block for sign in _UNUSUAL):
        raise UnusualTextError
    names = [f"f{i}" for i in range(width)]
    try:
        table = csv.read_csv(
            pyarrow.BufferReader(block),
            read_options=csv.ReadOptions(column_names=names, block_size=len(block) + 1),
            parse_options=csv.ParseOptions(delimiter=delimiter, quote_char=False),
            convert_options=csv.ConvertOptions(
                column_types=dict.fromkeys(names, pyarrow.string()), strings_can_be_null=False
            ),
        )
        columns = [column.combine_chunks() for column in table.columns]
        if any(compute.min(compute.binary_length(column)).as_py() == 0 for column in columns):
            raise UnusualTextError
    except (pyarrow.ArrowException, UnicodeError, MemoryError):
        raise UnusualTextError from None
    return columns


def without_mark(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Iterate over the blocks of a file without the mark that it may begin with."""
    for number, block in enumerate(blocks):
        yield block.removeprefix(_MARK) if number == 0 else block


def is_large(path: Path, least: int) -> bool:
    """Whether a regular file has so many bytes, unpacked; of packed ones that is a guess."""
    return path.is_file() and path.stat().st_size >= least // (10 if path.suffix == ".gz" else 1)


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
class _Group:
    """Columns that were given codes together: their distinct values, and where each of them comes first."""

    values: Any
    first: Positions
    codes: list[Codes]


class SharedDictionary:
    """Columns of one type, one after the other, as places in a list of their distinct values.

    As many columns as fit into some memory are given codes together, by one dictionary; the dictionaries are
    made one at the end, when values are put in the order of their first occurrence.
    """

    def __init__(self) -> None:
        self._groups: list[_Group] = []
        self._waiting: list[tuple[Any, Callable[[], Positions]]] = []
        self._waiting_bytes = 0

    @property
    def bytes(self) -> int:
        """How much memory the distinct values take that were found so far."""
        return sum(group.values.nbytes for group in self._groups)

    def add(self, column: Any, positions: Callable[[], Positions]) -> None:
        """Take in a column.

        Args:
            column: as pyarrow has it, in one piece.
            positions: returns where each value stands among those of all columns.

        Raises:
            NotImplementedError: for a column of lists, records and the like.
        """
        self.make_room(column.nbytes)
        self._waiting.append((column, positions))
        self._waiting_bytes += column.nbytes

    def make_room(self, size: int) -> None:
        """Make sure that so many bytes can wait, or nothing waits."""
        if self._waiting_bytes + size > MOST_WAITING:
            self.encode()

    def encode(self) -> None:
        """Give codes to the columns that wait for it."""
        import pyarrow  # noqa: PLC0415  (an extra)

        if not self._waiting:
            return
        columns = [column for column, _ in self._waiting if len(column)]  # empty ones would be dropped
        # All chunks have one dictionary, that of the last.
        chunks = pyarrow.chunked_array(columns).dictionary_encode().chunks if columns else []
        values = chunks[-1].dictionary if chunks else self._waiting[0][0]
        del columns
        pieces = iter(chunks)
        first = np.full(len(values) + 1, _NEVER)
        codes = []
        for column, positions in self._waiting:
            found = np.empty(0, np.int32)
            if len(column):
                found = _codes(next(pieces).indices, len(values))
                places = positions()
                earliest = np.full(len(first), _NEVER)
                earliest[found[::-1]] = places[::-1]  # of several, the last one is kept
                np.minimum(first, earliest, out=first)
            codes.append(found)
        self._groups.append(_Group(values, first[:-1], codes))
        self._waiting.clear()
        self._waiting_bytes = 0

    def mark(self) -> tuple[int, int]:
        """Return what `back_to` needs to forget all that was added since."""
        return len(self._groups), len(self._waiting)

    def back_to(self, mark: tuple[int, int]) -> None:
        """Forget what was added since; nothing may have waited then if columns were given codes since."""
        groups, waiting = mark
        del self._groups[groups:], self._waiting[waiting:]
        self._waiting_bytes = sum(column.nbytes for column, _ in self._waiting)

    def joined(self) -> tuple[list[Any], Iterator[Callable[[Codes], Codes]]]:
        """Return all values that occur, and for each column what turns numbers of values into its own.

        It is given an array of numbers, one for each value and one more for what is missing. No column
        is kept, so each can be asked once.
        """
        import pyarrow  # noqa: PLC0415  (an extra)

        self.encode()
        parts = [group.values for group in self._groups if len(group.values)]
        chunks = pyarrow.chunked_array(parts).dictionary_encode().chunks if parts else []
        distinct = chunks[-1].dictionary if chunks else pyarrow.array([])
        pieces = iter(chunks)
        first = np.full(len(distinct), _NEVER)
        maps = []
        for group in self._groups:
            places = _codes(next(pieces).indices) if len(group.values) else np.empty(0, np.int32)
            first[places] = np.minimum(first[places], group.first)
            maps.append(places)
        order = np.argsort(first)
        rank = np.empty(len(order), np.int32)
        rank[order] = np.arange(len(order), dtype=np.int32)
        groups = [
            (np.append(rank[m], np.int32(len(rank))), g.codes)
            for m, g in zip(maps, self._groups, strict=True)
        ]
        self._groups = []
        taken = pyarrow.Array.from_buffers(pyarrow.int64(), len(order), [None, pyarrow.py_buffer(order)])
        return distinct.take(taken).to_pylist(), _columns(groups)


def _codes(indices: Any, missing: int = -1) -> Codes:
    """Return the numbers that a column has for its values, and one for what is missing.

    They are taken from its bytes, as other ways make pyarrow import pandas, which takes half a second.
    """
    if not len(indices):
        return np.empty(0, np.int32)
    there, numbers = indices.buffers()
    part = slice(indices.offset, indices.offset + len(indices))
    codes = np.frombuffer(numbers, np.int32)[part]
    if not indices.null_count:
        return codes
    return np.where(
        np.unpackbits(np.frombuffer(there, np.uint8), bitorder="little")[part], codes, np.int32(missing)
    )


def _columns(groups: list[tuple[Codes, list[Codes]]]) -> Iterator[Callable[[Codes], Codes]]:
    groups.reverse()
    while groups:
        places, columns = groups.pop()
        columns.reverse()
        while columns:
            codes = columns.pop()
            yield lambda numbers, places=places, codes=codes: numbers[places][codes]  # type: ignore[misc]


def distinct_values(column: Any) -> tuple[list[Any], Codes]:
    """Return the distinct values of one column, in the order of their first occurrence, and its codes."""
    coded = column.dictionary_encode()
    return coded.dictionary.to_pylist(), _codes(coded.indices)


def let_go() -> None:
    """Give back the memory that pyarrow, if it was used, keeps in reserve."""
    library = sys.modules.get("pyarrow")
    if library is not None:
        library.default_memory_pool().release_unused()
