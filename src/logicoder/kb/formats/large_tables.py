"""Large files of plain rows, read by columns and in blocks: the same facts in the same order as by rows."""

from __future__ import annotations

from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING

import numpy as np

from logicoder.base.files import line_blocks
from logicoder.kb.formats.arrow_columns import (
    BLOCK,
    MOST_WAITING,
    SharedDictionary,
    UnusualTextError,
    has_pyarrow,
    is_large,
    let_go,
    text_columns,
    without_mark,
)
from logicoder.kb.formats.headers import SAMPLE
from logicoder.kb.formats.records import fields_of_any_length, rows
from logicoder.logic.symbols import symbol_of_field

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from logicoder.kb.builder import KnowledgeBaseBuilder
    from logicoder.kb.formats.arrow_columns import Positions
    from logicoder.kb.formats.delimited import DelimitedReader
    from logicoder.kb.table import Ids

    AddRows = Callable[[Sequence[Ids], int], None]

_MOST_GROWTH = 3
"""Columns take no more memory than so many times their text: four bytes more for each field."""


class LargeTables:
    """Takes in large files one after the other, and adds their facts when all of them are known.

    Args:
        builder: where to add the facts.
        least: files with fewer bytes are not taken.
        batch: so many rows are read together by who reads row by row, in each column by column.
    """

    def __init__(self, builder: KnowledgeBaseBuilder, least: int, batch: int) -> None:
        self._builder = builder
        self._least = least
        self._batch = batch
        self._begin()

    def _begin(self) -> None:
        self._shared = SharedDictionary()
        self._blocks: list[tuple[AddRows, int, int]] = []
        self._next = 0

    def take(self, reader: DelimitedReader, path: Path, world: int) -> bool:
        """Take in a file, and return whether it is a large one of plain rows; no other is taken."""
        if not is_large(path, self._least) or not has_pyarrow():
            return False
        if self._shared.bytes > MOST_WAITING:
            self.add()
        # If not all of this file may fit, what waits is given codes without it: that could not be undone.
        self._shared.make_room(MOST_WAITING if path.suffix == ".gz" else _MOST_GROWTH * path.stat().st_size)
        mark, known = self._shared.mark(), len(self._blocks)
        try:
            self._next += self._columns(reader, path, world)
        except UnusualTextError:
            self._shared.back_to(mark)
            del self._blocks[known:]
            return False
        return True

    def _columns(self, reader: DelimitedReader, path: Path, world: int) -> int:
        """Take in the columns of a file, and return how many places it has."""
        row, used = 0, 0
        blocks = without_mark(line_blocks(path, BLOCK))
        first = list(_start(blocks))
        if not first:
            raise UnusualTextError
        delimiter, width, header = _shape(reader, b"".join(first), path)
        for block in chain(first, blocks):
            skipped = 0 if row else header
            columns = [column.slice(skipped) for column in text_columns(block, delimiter, width)]
            constants = reader.constants(columns)
            used, row = len(constants), row + skipped
            for index, column in enumerate(constants):
                self._shared.add(column, partial(self._places, self._next, row, len(column), index, used))
            self._blocks.append((reader.adder(columns), world, used))
            row += len(columns[0])
        return (row // self._batch + 1) * self._batch * used

    def _places(self, start: int, row: int, rows: int, column: int, columns: int) -> Positions:
        """Number the places of a column in the order in which row by row they would be looked at."""
        batches, within = np.divmod(np.arange(row, row + rows), self._batch)
        return start + (batches * columns + column) * self._batch + within

    def add(self) -> None:
        """Add the facts of all files that were taken."""
        if not self._blocks:
            return
        values, columns = self._shared.joined()
        ids = np.append(self._builder.intern_all(list(map(symbol_of_field, values))), np.int32(-1))
        del values
        blocks = self._blocks
        self._begin()
        for add_rows, world, used in blocks:
            add_rows([column(ids) for column in islice(columns, used)], world)
        let_go()


def _start(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Iterate over as many of the first blocks as hold the rows by which a header is told."""
    lines = 0
    for block in blocks:
        yield block
        lines += block.count(b"\n")
        if lines >= SAMPLE:
            break


def _shape(reader: DelimitedReader, block: bytes, path: Path) -> tuple[str, int, int]:
    """Return the delimiter, the number of columns and that of header rows, as the first rows tell them."""
    try:
        text = block.decode()
    except UnicodeDecodeError:
        raise UnusualTextError from None
    delimiter = reader.delimiter(text)
    if delimiter is None or '"' in text or text.startswith(("\n", "\r")):
        raise UnusualTextError
    width = text[: text.find("\n") + 1 or None].count(delimiter) + 1
    if width != reader.width(width):
        raise UnusualTextError
    with fields_of_any_length():
        first = list(islice(rows(text, delimiter), SAMPLE))
    return delimiter, width, reader.header_rows(first, str(path))
