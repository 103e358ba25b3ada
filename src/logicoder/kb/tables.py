"""Facts in tables: one file per predicate, or triples of head, relation and tail in one file.

A field that is written as an integer is a number, every other field is an atom with its text as it stands:
`42` is a number and `042` an atom, and there is no way to write the atom `'42'`. Tables and triples hold
true facts only. How fields are separated is told in `logicoder.kb.delimited`.
"""

from __future__ import annotations

import csv
from abc import ABC, abstractmethod
from itertools import islice
from typing import TYPE_CHECKING, Literal

import numpy as np

from logicoder.base.errors import InputError, Location
from logicoder.kb.alchemy import field_symbol
from logicoder.kb.bulk import SymbolIds, grouped
from logicoder.kb.delimited import delimiter_of, fields_of_any_length, records, rows
from logicoder.kb.mentions import Mention
from logicoder.logic.parser import place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from logicoder.kb.builder import KnowledgeBaseBuilder
    from logicoder.kb.delimited import Field
    from logicoder.kb.schema import Predicate

Header = bool | Literal["auto"]

# Rows are taken in batches of this size, so that a large file needs little memory on top.
_BATCH = 20_000


class DelimitedReader(ABC):
    """What the readers of tables and of triples share: rows of one width, in batches.

    Args:
        builder: where to add the facts.
        ids: the constants by their texts, shared among the readers of one builder.
        suffix: the ending of the file's name, without `.gz`.
        header: whether to skip the first row.
    """

    triples = False

    def __init__(
        self, builder: KnowledgeBaseBuilder, ids: SymbolIds, suffix: str, header: Header = False
    ) -> None:
        self._builder = builder
        self._ids = ids
        self._suffix = suffix
        self._header = header

    @staticmethod
    def symbol_ids(builder: KnowledgeBaseBuilder) -> SymbolIds:
        """Return the ids that the readers of one builder share."""
        return SymbolIds(builder, field_symbol)

    def load(self, text: str, source: str, world: int) -> None:
        """Add all facts of a text."""
        delimiter = delimiter_of(self._suffix, text, triples=self.triples)
        empty_fields_checked = False
        with fields_of_any_length():
            reader = rows(text, delimiter)
            try:
                batch = list(islice(reader, _BATCH))
                width = self._width(len(batch[0])) if batch else 0
                batch = batch[self._header_rows(batch[0]) :] if batch else []
                while batch:
                    if set(map(len, batch)) != {width}:
                        self._complain(text, delimiter, width, source)
                    if not empty_fields_checked and any("" in row for row in batch):
                        self._complain(text, delimiter, width, source)
                        empty_fields_checked = True
                    self._add(batch, world)
                    batch = list(islice(reader, _BATCH))
            except csv.Error as error:
                self._complain(text, delimiter, None, source)
                raise InputError(str(error), Location(source)) from None

    def mentions(self, text: str, source: str) -> Iterator[Mention]:
        """Iterate over the facts with their places."""
        delimiter = delimiter_of(self._suffix, text, triples=self.triples)
        for number, record in enumerate(records(text, delimiter, source)):
            if number or not self._header_rows([field.text for field in record]):
                yield self._mention(record)

    def _complain(self, text: str, delimiter: str | None, width: int | None, source: str) -> None:
        """Raise the first error of a text with its place, if there is one."""
        for record in records(text, delimiter, source):
            if width is not None and len(record) != width:
                offset = record[width].start if len(record) > width else record[-1].end
                number = f"{len(record)} field{'s' if len(record) != 1 else ''}"
                complaint = f"this row has {number} instead of {width}"
                raise InputError(complaint, place(text, offset, source), self._rule(width))

    def _header_rows(self, first: list[str]) -> int:  # noqa: ARG002  (tables look at the row)
        return int(self._header is True)

    @abstractmethod
    def _width(self, first: int) -> int: ...

    @abstractmethod
    def _rule(self, width: int) -> str: ...

    @abstractmethod
    def _add(self, batch: list[list[str]], world: int) -> None: ...

    @abstractmethod
    def _mention(self, record: list[Field]) -> Mention: ...


class TableReader(DelimitedReader):
    """Reads the table of one predicate.

    The first row is a header if `header` is True, or if `header` is `auto` and the row spells out the
    declared types of the predicate (`person,person`); otherwise it is a fact like the others.
    """

    def __init__(
        self,
        builder: KnowledgeBaseBuilder,
        ids: SymbolIds,
        suffix: str,
        header: Header = "auto",
        *,
        predicate: str,
        declared: Predicate | None = None,
    ) -> None:
        super().__init__(builder, ids, suffix, header)
        self._predicate = predicate
        self._declared = declared

    def _header_rows(self, first: list[str]) -> int:
        if self._header == "auto":
            declared = self._declared.types if self._declared else ()
            return int([text.lower() for text in first] == [kind.lower() for kind in declared])
        return super()._header_rows(first)

    def _width(self, first: int) -> int:
        return self._declared.arity if self._declared else first

    def _rule(self, width: int) -> str:
        if self._declared:
            return f"{self._predicate} is declared as {self._declared}"
        return f"the first row of {self._predicate} has {width} fields; quote fields that hold a delimiter"

    def _add(self, batch: list[list[str]], world: int) -> None:
        columns = [self._ids.column(column, len(batch)) for column in zip(*batch, strict=True)]
        self._builder.add_rows(self._predicate, np.column_stack(columns), world)

    def _mention(self, record: list[Field]) -> Mention:
        symbols = tuple(field_symbol(field.text) for field in record)
        return Mention(self._predicate, symbols, "true", record[0].start)


class TripleReader(DelimitedReader):
    """Reads triples of head, relation and tail; the relation, whatever its text, is the predicate."""

    triples = True

    def _width(self, first: int) -> int:  # noqa: ARG002  (three, whatever the first row has)
        return 3

    def _rule(self, width: int) -> str:  # noqa: ARG002
        return "a triple is head, relation and tail"

    def _add(self, batch: list[list[str]], world: int) -> None:
        heads, relations, tails = zip(*batch, strict=True)
        numbers = {relation: number for number, relation in enumerate(dict.fromkeys(relations))}
        kinds = np.fromiter(map(numbers.__getitem__, relations), np.int64, len(batch))
        pairs = np.column_stack([self._ids.column(heads, len(batch)), self._ids.column(tails, len(batch))])
        for chosen in grouped(kinds):
            self._builder.add_rows(relations[chosen[0]], pairs[chosen], world)

    def _mention(self, record: list[Field]) -> Mention:
        head, relation, tail = (field.text for field in record)
        return Mention(relation, (field_symbol(head), field_symbol(tail)), "true", record[0].start)
