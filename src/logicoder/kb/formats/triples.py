"""Facts as triples: head, relation and tail of each in a row; a file is an interpretation."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from logicoder.base.errors import UsageError
from logicoder.kb.file_names import name_of_stem, stem_of, suffix_of
from logicoder.kb.formats.arrow_columns import distinct_values
from logicoder.kb.formats.delimited import DelimitedFormat, DelimitedReader
from logicoder.kb.formats.grammar import Mention
from logicoder.kb.formats.headers import TRIPLE_HEADER, header_in, start_of
from logicoder.kb.formats.records import record_text
from logicoder.kb.formats.text import blocks
from logicoder.kb.formats.tokens import SymbolIds, grouped
from logicoder.logic.symbols import symbol_of_field

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from logicoder.kb.builder import KnowledgeBaseBuilder
    from logicoder.kb.formats.interface import ReadOptions, Source
    from logicoder.kb.formats.large_tables import AddRows
    from logicoder.kb.formats.records import Field
    from logicoder.kb.knowledge_base import KnowledgeBase
    from logicoder.kb.schema import Predicate
    from logicoder.kb.table import Ids


class TripleFormat(DelimitedFormat):
    """Triples, as knowledge graphs are published."""

    name = "triples"
    summary = "one fact per row: head, relation, tail"
    suffixes = (".tsv", ".csv", ".txt")
    arguments = "two"

    def holds(self, predicate: Predicate) -> bool:
        """See `DelimitedFormat.holds`."""
        return predicate.arity == 2

    def readers(
        self, builder: KnowledgeBaseBuilder, options: ReadOptions
    ) -> Callable[[Source], TripleReader]:
        """See `TextFormat.readers`."""
        ids = SymbolIds(builder, symbol_of_field)
        return lambda source: TripleReader(builder, ids, source.suffix, options.header)

    def lines(self, kb: KnowledgeBase) -> Callable[[int, Path], Iterator[str]]:
        """See `TextFormat.lines`."""
        texts = self.texts(kb)

        def lines(world: int, path: Path) -> Iterator[str]:
            delimiter = "," if suffix_of(path) == ".csv" else "\t"
            if delimiter == "," and any("\t" in text for text in (*texts.values(), *kb.predicates)):
                raise UsageError(
                    "triples with tabs in their texts cannot be written as .csv; write .tsv instead"
                )
            triples = (
                (texts[head], name, texts[tail])
                for name, _, rows in blocks(kb, world)
                for head, tail in rows.tolist()
            )
            first = start_of(triples)
            # What the reader would take for a header gets one.
            header = [TRIPLE_HEADER] if header_in(first, name_of_stem(stem_of(path))) else []
            yield from (record_text(fields, delimiter) for fields in chain(header, first, triples))

        return lines


class TripleReader(DelimitedReader):
    """Reads triples of head, relation and tail; the relation, whatever its text, is the predicate."""

    triples = True

    def width(self, first: int) -> int:  # noqa: ARG002  (three, whatever the first row has)
        """See `DelimitedReader.width`."""
        return 3

    def _rule(self, width: int) -> str:  # noqa: ARG002
        return "a triple is head, relation and tail"

    def _add(self, batch: Sequence[Sequence[str]], world: int) -> None:
        heads, relations, tails = zip(*batch, strict=True)
        numbers = {relation: number for number, relation in enumerate(dict.fromkeys(relations))}
        kinds = np.fromiter(map(numbers.__getitem__, relations), np.int64, len(batch))
        pairs = np.column_stack([self.ids.column(heads, len(batch)), self.ids.column(tails, len(batch))])
        for chosen in grouped(kinds):
            self._builder.add_rows(relations[chosen[0]], pairs[chosen], world)

    def constants(self, columns: Sequence[Any]) -> Sequence[Any]:
        """See `DelimitedReader.constants`: heads and tails."""
        return columns[::2]

    def adder(self, columns: Sequence[Any]) -> AddRows:
        """See `DelimitedReader.adder`."""
        names, kinds = distinct_values(columns[1])
        del columns

        def add(ids: Sequence[Ids], world: int) -> None:
            pairs = np.column_stack(ids)
            for chosen in grouped(kinds):
                self._builder.add_rows(names[kinds[chosen[0]]], pairs[chosen], world)

        return add

    def _mention(self, record: list[Field]) -> Mention:
        head, relation, tail = (field.text for field in record)
        return Mention(relation, (symbol_of_field(head), symbol_of_field(tail)), "true", record[0].start)
