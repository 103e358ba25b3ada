"""Reading knowledge bases from files, folders and patterns."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from logicoder.base.errors import InputError, location_of
from logicoder.base.files import read_text
from logicoder.kb.alchemy import Spelling, alchemy_grammar
from logicoder.kb.builder import ContradictionError, KnowledgeBaseBuilder
from logicoder.kb.declarations import read_schema
from logicoder.kb.mentions import FactReader
from logicoder.kb.prolog import prolog_grammar
from logicoder.kb.schema import Schema
from logicoder.kb.sources import find_schemas, find_sources
from logicoder.kb.tables import TableReader, TripleReader
from logicoder.logic.parser import place

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from logicoder.kb.knowledge_base import KnowledgeBase, Truth
    from logicoder.kb.mentions import Mention, Reader
    from logicoder.kb.sources import Format, Interpretations, Source
    from logicoder.kb.tables import Header

__all__ = ["read_knowledge_base", "read_schema"]

_log = logging.getLogger("logicoder")


def read_knowledge_base(
    *paths: str | Path,
    schema: Schema | str | Path | None = None,
    format: Format | None = None,  # noqa: A002  (the word a user thinks of)
    interpretations: Interpretations = "auto",
    types: str = "one",
    header: Header = "auto",
    strangers: bool = False,
    empty: bool = False,
) -> KnowledgeBase:
    """Read facts from files, folders and patterns such as `fold*.db`; each may be packed as `.gz`.

    Args:
        paths: what to read. Of a folder all data files are read: `.pl`, `.db`, or `.csv`, `.tsv` and `.txt`;
            folders within it only if they hold tables, one interpretation each.
        schema: declared predicates, or the `.mln` file that declares them (see
            `logicoder.kb.declarations`). Without it, the one `.mln` file of a given folder or a `schema.mln`
            beside a given file is used; without that, types are given as `types` says.
        format: `prolog` (see `logicoder.kb.prolog`), `alchemy` (`logicoder.kb.alchemy`), `tables` or
            `triples` (`logicoder.kb.tables`). The endings `.pl` and `.db` tell it; others need it.
        interpretations: `file` (one per file, named by it), `folder` (one per folder, named by it), `one` (a
            single one named `data`) or `auto`: `folder` for tables and `file` for everything else.
        types: for undeclared predicates, `one` type for all, or `infer`: arguments that share a constant
            share a type.
        header: whether the first row of a table or of triples is a header: True, False, or `auto`, which
            sees one only in a row that spells out the declared types of the table's predicate.
        strangers: take predicates that the schema does not declare, too; they are typed as `types` says.
        empty: take files without any fact, too.

    Returns:
        The knowledge base. A fact that is mentioned twice counts once.

    Raises:
        InputError: for data that cannot be read as they stand, with file, line and column.
        UsageError: for an option that is wrong or missing.
    """
    sources = find_sources(paths, format, interpretations)
    declared, where = _schema(paths, schema)
    builder = KnowledgeBaseBuilder(declared, types, strangers=strangers)
    return _Reading(builder, declared, where, header, strangers=strangers, empty=empty).knowledge_base(
        sources
    )


def _schema(paths: Sequence[str | Path], given: Schema | str | Path | None) -> tuple[Schema, Path | None]:
    """Return the schema that was given, or lies with the data, and its path."""
    if isinstance(given, Schema):
        return given, None
    found = find_schemas(paths) if given is None else [Path(given)]
    if not found:
        return Schema(), None
    schemas = [read_schema(path) for path in found]
    for path, other in zip(found, schemas, strict=True):
        if other != schemas[0]:
            raise InputError(
                f"this schema differs from {found[0]}, and both lie with the data",
                location_of(path),
                "name the one to use with --schema",
            )
    return schemas[0], found[0]


class _Reading:
    """One knowledge base in the making."""

    def __init__(
        self,
        builder: KnowledgeBaseBuilder,
        declared: Schema,
        where: Path | None,
        header: Header,
        *,
        strangers: bool,
        empty: bool,
    ) -> None:
        self._builder = builder
        self._declared = declared
        self._where = where
        self._header = header
        self._strangers = strangers
        self._empty = empty
        self._prolog = FactReader(self._builder, prolog_grammar())
        self._alchemy = FactReader(self._builder, alchemy_grammar(Spelling(declared)))
        self._ids = TableReader.symbol_ids(self._builder)

    def knowledge_base(self, sources: Sequence[Source]) -> KnowledgeBase:
        """Read everything."""
        try:
            for source in sources:
                world = self._builder.interpretation(source.world)
                self._reader(source).load(read_text(source.path), str(source.path), world)
            self._check_mentioned(sources)
            return self._builder.build()
        except InputError as error:
            if error.location is not None:
                raise
            # The quick way keeps no places: go through the data once more, slowly, to find the one at fault.
            raise self._located(error, sources) from None

    def _reader(self, source: Source) -> Reader:
        if source.format == "prolog":
            return self._prolog
        if source.format == "alchemy":
            return self._alchemy
        if source.format == "triples":
            return TripleReader(self._builder, self._ids, source.suffix, self._header)
        return TableReader(
            self._builder,
            self._ids,
            source.suffix,
            self._header,
            predicate=source.stem,
            declared=self._declared.get(source.stem),
        )

    def _check_mentioned(self, sources: Sequence[Source]) -> None:
        mentioned = self._builder.mentioned()
        if not mentioned and not self._empty:
            which = "this file" if len(sources) == 1 else f"these {len(sources)} files"
            raise InputError(f"no facts in {which}", location_of(sources[0].path))
        tables = {source.stem for source in sources if source.format == "tables"}
        for name in sorted(tables - mentioned - set(self._declared)):
            _log.warning("the table %s is empty and not declared: it is left out", name)

    def _located(self, error: InputError, sources: Sequence[Source]) -> InputError:
        """Return the error with the place of the first atom that is at fault."""
        checker = KnowledgeBaseBuilder(self._declared, strangers=self._strangers)
        contradiction = error if isinstance(error, ContradictionError) else None
        seen: set[str] = set()
        first_truth: Truth | None = None
        for path, text, mention, world in self._mentions(sources):
            name, symbols = mention.predicate, mention.symbols
            complaint: InputError | None = None
            # The place of a first mention is kept, for errors at later ones; it takes time, so only of it.
            where = place(text, mention.offset, str(path)) if name not in seen else None
            seen.add(name)
            try:
                checker.check_arity(name, len(symbols), where)
                checker.check_domains(name, symbols)
            except InputError as found:
                complaint = found
            if contradiction and (name, symbols) == contradiction.atom and world == contradiction.world:
                first_truth = first_truth or mention.truth
                complaint = complaint or (contradiction if mention.truth != first_truth else None)
            if complaint:
                hint = complaint.hint
                if hint and self._where and "schema" in hint:
                    hint += f" (schema: {self._where})"
                return InputError(complaint.message, place(text, mention.offset, str(path)), hint)
        return error

    def _mentions(self, sources: Sequence[Source]) -> Iterator[tuple[Path, str, Mention, str]]:
        """Iterate over all atoms in the order of reading."""
        for source in sources:
            text = read_text(source.path)
            for mention in self._reader(source).mentions(text, str(source.path)):
                yield source.path, text, mention, source.world
