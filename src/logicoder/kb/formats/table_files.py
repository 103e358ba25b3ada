"""Facts in tables: one file per predicate, one folder per interpretation.

An interpretation of tables may be a folder within the given one. What the fields of a row may be is told in
`logicoder.kb.formats.delimited`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from logicoder.base.errors import UsageError
from logicoder.kb.file_names import file_stem, name_of_stem, stem_of, suffix_of
from logicoder.kb.formats.delimited import DelimitedFormat, DelimitedReader
from logicoder.kb.formats.grammar import Mention
from logicoder.kb.formats.headers import SAMPLE, header_in
from logicoder.kb.formats.records import record_text
from logicoder.kb.formats.text import write_folder
from logicoder.kb.formats.tokens import SymbolIds
from logicoder.logic.symbols import symbol_of_field

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from logicoder.kb.builder import KnowledgeBaseBuilder
    from logicoder.kb.formats.interface import Header, ReadOptions, Source
    from logicoder.kb.formats.large_tables import AddRows
    from logicoder.kb.formats.records import Field
    from logicoder.kb.knowledge_base import KnowledgeBase
    from logicoder.kb.schema import Predicate


class TableFormat(DelimitedFormat):
    """Tables: a file for each predicate, which it is named by."""

    name = "tables"
    summary = "one file per predicate, named by the file; a row is a fact"
    suffixes = (".csv", ".tsv", ".txt")
    file_holds = "predicate"
    arguments = "at least one"

    def holds(self, predicate: Predicate) -> bool:
        """See `DelimitedFormat.holds`."""
        return predicate.arity > 0

    def readers(self, builder: KnowledgeBaseBuilder, options: ReadOptions) -> Callable[[Source], TableReader]:
        """See `TextFormat.readers`."""
        ids = SymbolIds(builder, symbol_of_field)

        def reader(source: Source) -> TableReader:
            return TableReader(
                builder,
                ids,
                source.suffix,
                options.header,
                predicate=source.stem,
                declared=options.schema.get(source.stem),
            )

        return reader

    def write(self, kb: KnowledgeBase, path: Path, remark: str | None = None) -> None:
        """See `Format.write`; always a folder, with a folder in it for each of several interpretations."""
        del remark
        lines = self.lines(kb)
        if suffix_of(path) in self.suffixes:
            raise UsageError(f"{path}: tables are written into a folder, one file per predicate")
        several = len(kb.interpretations) > 1
        folders = [path / file_stem(name) for name in kb.interpretations] if several else [path]
        # Predicates without facts get empty files: an interpretation without any fact is still there then.
        names = [f"{file_stem(name)}.csv" for name, predicate in kb.schema.items() if predicate.arity]
        files = {
            folder / name: lines(world, folder / name)
            for world, folder in enumerate(folders)
            for name in names
        }
        write_folder(path, files, kb.schema)

    def lines(self, kb: KnowledgeBase) -> Callable[[int, Path], Iterator[str]]:
        """See `TextFormat.lines`; the name of the file tells the predicate."""
        texts = self.texts(kb)

        def lines(world: int, path: Path) -> Iterator[str]:
            name = name_of_stem(stem_of(path))
            table, types = kb.table(name), kb.schema[name].types
            rows = table.arguments[table.worlds == world].tolist()
            first = [[texts[i] for i in row] for row in rows[:SAMPLE]]
            if first and (_spelled(first[0]) == _spelled(types) or header_in(first, name)):
                # The reader would take this fact for a header, so it gets one.
                yield record_text(types, ",")
            yield from (record_text([texts[i] for i in row], ",") for row in rows)

        return lines


def _spelled(words: Sequence[str]) -> list[str]:
    return [word.lower() for word in words]


class TableReader(DelimitedReader):
    """Reads the table of one predicate.

    The first row is a header if `header` is True, or if `header` is `auto` and the row spells out the
    declared types of the predicate (`person,person`) or looks like a header for other reasons
    (`logicoder.kb.formats.headers`); otherwise it is a fact like the others.
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

    @property
    def types(self) -> Sequence[str]:
        """See `DelimitedReader.types`."""
        return self._declared.types if self._declared else ()

    def width(self, first: int) -> int:
        """See `DelimitedReader.width`."""
        return self._declared.arity if self._declared else first

    def _rule(self, width: int) -> str:
        if self._declared:
            return f"{self._predicate} is declared as {self._declared}"
        return f"the first row of {self._predicate} has {width} fields; quote fields that hold a delimiter"

    def _add(self, batch: Sequence[Sequence[str]], world: int) -> None:
        columns = [self.ids.column(column, len(batch)) for column in zip(*batch, strict=True)]
        self._builder.add_rows(self._predicate, np.column_stack(columns), world)

    def adder(self, columns: Sequence[Any]) -> AddRows:
        """See `DelimitedReader.adder`."""
        del columns
        return lambda ids, world: self._builder.add_rows(self._predicate, np.column_stack(ids), world)

    def _mention(self, record: list[Field]) -> Mention:
        symbols = tuple(symbol_of_field(field.text) for field in record)
        return Mention(self._predicate, symbols, "true", record[0].start)
