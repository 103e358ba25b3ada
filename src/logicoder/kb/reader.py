"""Reading knowledge bases from files, folders and patterns."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from logicoder.base.errors import InputError, UsageError, location_of
from logicoder.base.input_record import recorded_inputs
from logicoder.kb.argument_types import AUTO
from logicoder.kb.builder import ContradictionError, KnowledgeBaseBuilder
from logicoder.kb.fact_tables import holds_facts, read_fact_tables
from logicoder.kb.formats.alchemy.declarations import read_schema
from logicoder.kb.formats.interface import ReadOptions
from logicoder.kb.mapping.table_reader import are_tables, read_tables, retyped, source_of
from logicoder.kb.schema import Schema
from logicoder.kb.sources import find_schemas, find_sources

if TYPE_CHECKING:
    from collections.abc import Sequence

    from logicoder.kb.formats.interface import Header, Source
    from logicoder.kb.knowledge_base import KnowledgeBase, Truth
    from logicoder.kb.mapping.data_mapping import DataMapping
    from logicoder.kb.sources import Interpretations

_log = logging.getLogger("logicoder")


def read_knowledge_base(
    *paths: str | Path,
    schema: Schema | str | Path | None = None,
    format: str | None = None,  # noqa: A002  (the word a user thinks of)
    interpretations: Interpretations = "auto",
    types: str = AUTO,
    header: Header = "auto",
    strangers: bool = False,
    empty: bool = False,
    lenient: bool = False,
    mapping: DataMapping | str | Path | None = None,
    sample: int | None = None,
) -> KnowledgeBase:
    """Read facts from files, folders and patterns such as `fold*.db`; each may be packed as `.gz`.

    Args:
        paths: what to read: a database (an SQLite file, or an address), or files and folders. Of a folder all
            data files are read: `.pl`, `.db`, or `.csv`, `.tsv` and `.txt`; folders within it only if they
            hold tables, one interpretation each.
        schema: declared predicates, or the `.mln` file that declares them (see
            `logicoder.kb.formats.alchemy.declarations`). Without it, the one `.mln` file of a given folder or
            a `schema.mln` beside a given file is used; without that, types are given as `types` says.
        format: `prolog`, `alchemy`, `tables` or `triples` (see the modules of `logicoder.kb.formats`), or the
            name of one that another package offers. The endings `.pl` and `.db` tell it; others need it.
        interpretations: `file` (one per file, named by it), `folder` (one per folder, named by it), `one` (a
            single one named `data`) or `auto`: `folder` for tables and `file` for everything else.
        types: for undeclared predicates, `auto` (types where there is strong evidence for them), `one`
            type for all, or `infer`: see `logicoder.kb.argument_types`.
        header: whether the first row of a table or of triples is a header: True, False, or `auto`, which
            sees one in a row that spells out the declared types of the table's predicate and, with a warning,
            in names that are unlike all values below them (see `logicoder.kb.formats.headers`).
        strangers: take predicates that the schema does not declare, too; they are typed as `types` says.
        empty: take files without any fact, too.
        lenient: skip directives, rules and compound terms of Prolog files, with a warning that counts them,
            instead of refusing the file.
        mapping: how the tables of a database become predicates, or the file that says so; `auto` and None
            propose it. Everything but `sample` and the types of `schema` is of no concern to databases.
        sample: as many rows of each table of a database are read at the most.

    Returns:
        The knowledge base. A fact that is mentioned twice counts once.

    Raises:
        InputError: for data that cannot be read as they stand, with file, line and column.
        UsageError: for an option that is wrong or missing.
    """
    if format is None and (mapping is not None or are_tables(paths)):
        source = source_of(paths)
        if mapping is None and holds_facts(source):
            kb = read_fact_tables(source)
        else:
            kb, _ = read_tables(source, mapping, None, sample)
        return retyped(kb, schema) if isinstance(schema, Schema) else kb
    if sample is not None:
        raise UsageError("`sample` applies only to databases")
    with recorded_inputs():  # what came through a pipe is at hand if a fault must be looked for
        return _read(
            find_sources(paths, format, interpretations),
            paths,
            schema,
            types,
            header,
            strangers=strangers,
            empty=empty,
            lenient=lenient,
        )


def _read(
    sources: Sequence[Source],
    paths: Sequence[str | Path],
    schema: Schema | str | Path | None,
    types: str,
    header: Header,
    *,
    strangers: bool,
    empty: bool,
    lenient: bool,
) -> KnowledgeBase:
    """Read the facts of some files."""
    declared, where = _schema(paths, schema)
    if schema is None and not declared:
        declared = sources[0].format.declared(sources)
        strangers = strangers or bool(declared)
    builder = KnowledgeBaseBuilder(declared, types, strangers=strangers)
    options = ReadOptions(declared, header, lenient)
    try:
        sources[0].format.read(sources, builder, options)
        mentioned = builder.mentioned()
        if not mentioned and not empty:
            which = "this file" if len(sources) == 1 else f"these {len(sources)} files"
            raise InputError(f"no facts in {which}", location_of(sources[0].path))
        _warn_of_empty_tables(sources, mentioned | set(declared))
        return builder.build()
    except InputError as error:
        if error.location is not None:
            raise
        found = _located(error, sources, options, KnowledgeBaseBuilder(declared, strangers=strangers))
        if found.hint and where and "schema" in found.hint and found.location:
            found = InputError(found.message, found.location, f"{found.hint} (schema: {where})")
        raise found from None


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
                f"this schema differs from {found[0]}, and both are next to the data",
                location_of(path),
                "pass the one to use with --schema",
            )
    return schemas[0], found[0]


def _warn_of_empty_tables(sources: Sequence[Source], known: set[str]) -> None:
    if sources[0].format.file_holds == "predicate":
        for name in sorted({source.stem for source in sources} - known):
            _log.warning("left out the table %s, which is empty and not declared", name)


def _located(
    error: InputError, sources: Sequence[Source], options: ReadOptions, checker: KnowledgeBaseBuilder
) -> InputError:
    """Return the error with the place of the first atom that is at fault, found by going through all again.

    Args:
        error: what is wrong; the quick way of reading keeps no places.
        sources: the files.
        options: how to read them.
        checker: an empty builder, which finds the same faults.
    """
    contradiction = error if isinstance(error, ContradictionError) else None
    seen: set[str] = set()
    first_truth: Truth | None = None
    for name, symbols, truth, world, where in sources[0].format.located(sources, options):
        complaint: InputError | None = None
        # The place of a first mention is kept, for errors at later ones; it takes time, so only of it.
        first = where() if name not in seen else None
        seen.add(name)
        try:
            checker.check_arity(name, len(symbols), first)
            checker.check_domains(name, symbols)
        except InputError as found:
            complaint = found
        if contradiction and (name, symbols) == contradiction.atom and world == contradiction.world:
            first_truth = first_truth or truth
            complaint = complaint or (contradiction if truth != first_truth else None)
        if complaint:
            return InputError(complaint.message, where(), complaint.hint)
    return error
