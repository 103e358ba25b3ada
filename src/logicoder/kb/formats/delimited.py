"""What tables and triples share: rows of one width, true facts only, constants without quotation marks.

A field that is written as an integer is a number, every other field is an atom with its text as it stands:
`42` is a number and `042` an atom, and there is no way to write the atom `'42'`. How fields are separated is
told in `logicoder.kb.formats.records`.
"""

from __future__ import annotations

import csv
from abc import ABC, abstractmethod
from contextlib import closing, suppress
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, ClassVar

from logicoder.base.errors import InputError, Location, UsageError
from logicoder.base.files import line_blocks, read_text
from logicoder.kb.formats.arrow_columns import LARGE, without_mark
from logicoder.kb.formats.headers import SAMPLE, start_of
from logicoder.kb.formats.headers import header_rows as rows_of_header
from logicoder.kb.formats.incomplete_rows import tell_incomplete
from logicoder.kb.formats.large_tables import LargeTables
from logicoder.kb.formats.records import delimiter_of, fields_of_any_length, records, rows
from logicoder.kb.formats.text import TextFormat, used_symbols
from logicoder.kb.knowledge_base import TRUTHS
from logicoder.logic.parser import place
from logicoder.logic.symbols import plain_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from logicoder.kb.builder import KnowledgeBaseBuilder
    from logicoder.kb.formats.grammar import Mention
    from logicoder.kb.formats.interface import Header, ReadOptions, Source
    from logicoder.kb.formats.large_tables import AddRows
    from logicoder.kb.formats.records import Field
    from logicoder.kb.formats.tokens import SymbolIds
    from logicoder.kb.knowledge_base import KnowledgeBase
    from logicoder.kb.schema import Predicate

# Rows are taken in batches of this size, so that a large file needs little memory on top.
_BATCH = 20_000
_START = 1 << 16
"""So many bytes are read at a time to see what a file looks like."""


def first_rows(source: Source) -> tuple[str | None, list[Sequence[str]]]:
    """Return the delimiter of a file, None for white space, and the rows by which a header is told."""
    lines: list[bytes] = []
    with closing(line_blocks(source.path, _START)) as blocks:
        for block in without_mark(blocks):
            lines += block.splitlines(keepends=True)
            if len(lines) >= SAMPLE:
                break
    text = b"".join(lines).decode(errors="replace")
    delimiter = delimiter_of(source.suffix, text, triples=source.format.name == "triples")
    with fields_of_any_length(), suppress(csv.Error):
        return delimiter, start_of(rows(text, delimiter))
    return delimiter, []


class DelimitedFormat(TextFormat):
    """A format whose lines are rows of fields.

    Attributes:
        arguments: how many arguments a predicate needs, in words.
    """

    arguments: ClassVar[str]

    def recognise(self, path: Path) -> bool:
        """No file tells: rows of three fields are facts of a predicate as well as triples."""
        del path
        return False

    @abstractmethod
    def readers(
        self, builder: KnowledgeBaseBuilder, options: ReadOptions
    ) -> Callable[[Source], DelimitedReader]:
        """See `TextFormat.readers`."""

    def read(self, sources: Sequence[Source], builder: KnowledgeBaseBuilder, options: ReadOptions) -> None:
        """See `Format.read`; large files of plain rows are read by columns, to the same facts."""
        readers = self.readers(builder, options)
        large = LargeTables(builder, LARGE, _BATCH)
        for source in sources:
            world = builder.interpretation(source.world)
            reader = readers(source)
            if not large.take(reader, source.path, world):
                large.add()
                reader.load(read_text(source.path), str(source.path), world)
        large.add()

    def refuse(self, kb: KnowledgeBase) -> None:
        """See `Format.refuse`."""
        for name, predicate in kb.schema.items():
            for truth in TRUTHS[1:]:
                if kb.count(name, truth):
                    raise UsageError(
                        f"{name} has {truth} atoms, and {self.name} hold true facts only; "
                        "write Prolog (.pl) instead"
                    )
            if kb.count(name) and not self.holds(predicate):
                raise UsageError(
                    f"{name} has {predicate.arity} arguments, and {self.name} need {self.arguments}"
                )

    @abstractmethod
    def holds(self, predicate: Predicate) -> bool:
        """Whether the format can hold facts of a predicate."""

    def texts(self, kb: KnowledgeBase) -> dict[int, str]:
        """Return the constants that occur in atoms as fields, refusing those that the format cannot hold."""
        symbols = used_symbols(kb)
        texts = {i: plain_text(symbol) for i, symbol in symbols.items()}
        first: dict[str, str] = {}
        for i, text in texts.items():
            other = first.setdefault(text, symbols[i])
            if other != symbols[i]:
                raise UsageError(
                    f"the constants {other} and {symbols[i]} look the same in {self.name}; "
                    "write Prolog (.pl) instead"
                )
            if "\0" in text:
                raise UsageError(
                    f"the constant {symbols[i]} does not fit into {self.name}; write Prolog (.pl) instead"
                )
        return texts


class DelimitedReader(ABC):
    """What the readers of tables and of triples share: rows of one width, in batches.

    Args:
        builder: where to add the facts.
        ids: the constants by their texts, shared among the readers of one builder.
        suffix: the ending of the file's name, without `.gz`.
        header: whether to skip the first row; `auto` if it looks like a header.
    """

    triples = False

    def __init__(
        self, builder: KnowledgeBaseBuilder, ids: SymbolIds, suffix: str, header: Header = False
    ) -> None:
        self._builder = builder
        self.ids = ids
        self._suffix = suffix
        self._header = header

    def delimiter(self, text: str) -> str | None:
        """Return what separates the fields of a text; None is white space."""
        return delimiter_of(self._suffix, text, triples=self.triples)

    def load(self, text: str, source: str, world: int) -> None:
        """Add all facts of a text."""
        delimiter = self.delimiter(text)
        incomplete: set[int] | None = None
        number = 0
        with fields_of_any_length():
            reader: Iterator[Sequence[str]] = rows(text, delimiter)
            try:
                first = start_of(reader)
                reader = chain(first, reader)
                width = self.width(len(first[0])) if first else 0
                number = self.header_rows(first, source)
                batch = list(islice(reader, _BATCH))[number:]
                while batch:
                    if set(map(len, batch)) != {width}:
                        self._complain(text, delimiter, width, source)
                    if incomplete is None and any("" in row for row in batch):
                        self._complain(text, delimiter, width, source)
                        incomplete = self._incomplete(text, delimiter, source, number)
                    complete = [row for i, row in enumerate(batch, number) if i not in (incomplete or ())]
                    if complete:
                        self._add(complete, world)
                    number += len(batch)
                    batch = list(islice(reader, _BATCH))
            except csv.Error as error:
                self._complain(text, delimiter, None, source)
                raise InputError(str(error), Location(source)) from None

    def mentions(self, text: str, source: str) -> Iterator[Mention]:
        """Iterate over the facts with their places."""
        delimiter = self.delimiter(text)
        first = start_of([field.text for field in record] for record in records(text, delimiter, source))
        header = self.header_rows(first, None)
        for record in islice(records(text, delimiter, source), header, None):
            if not any(field.is_missing for field in record):
                yield self._mention(record)

    def _incomplete(self, text: str, delimiter: str | None, source: str, start: int) -> set[int]:
        """Return the numbers of the rows in which a field is missing, and tell how many there are."""
        missing: dict[int, Field] = {}
        for number, record in enumerate(records(text, delimiter, source)):
            for field in record:
                if field.is_missing and number >= start:
                    missing.setdefault(number, field)
        for field in islice(missing.values(), 1):
            where = place(text, field.start, source)
            tell_incomplete(where, len(missing), 'write the empty constant as ""')
        return set(missing)

    def _complain(self, text: str, delimiter: str | None, width: int | None, source: str) -> None:
        """Raise the first error of a text with its place, if there is one."""
        for record in records(text, delimiter, source):
            if width is not None and len(record) != width:
                offset = record[width].start if len(record) > width else record[-1].end
                number = f"{len(record)} field{'s' if len(record) != 1 else ''}"
                complaint = f"this row has {number} instead of {width}"
                raise InputError(complaint, place(text, offset, source), self._rule(width))

    def header_rows(self, first: Sequence[Sequence[str]], source: str | None) -> int:
        """Return how many of the first rows are no facts; with a source, guesses are told."""
        if self._header == "auto":
            return rows_of_header(first, source or "", self.types, told=source is not None)
        return int(self._header)

    @property
    def types(self) -> Sequence[str]:
        """The declared types of columns, if there are any."""
        return ()

    @abstractmethod
    def width(self, first: int) -> int:
        """Return how many fields all rows need, where the first has so many."""

    @abstractmethod
    def _rule(self, width: int) -> str: ...

    @abstractmethod
    def _add(self, batch: Sequence[Sequence[str]], world: int) -> None: ...

    def constants(self, columns: Sequence[Any]) -> Sequence[Any]:
        """Return those of some columns that hold constants."""
        return columns

    @abstractmethod
    def adder(self, columns: Sequence[Any]) -> AddRows:
        """Return what adds the facts of some columns, given the ids of their constants, to a world."""

    @abstractmethod
    def _mention(self, record: list[Field]) -> Mention: ...
