"""Writing knowledge bases, so that reading gives the same one again.

Prolog keeps everything. The `.db` format refuses strings and fractions, which it lacks. Tables and triples
have true facts only and write constants without quotation marks: an atom such as `'42'` comes back as a
number, strings and fractions as atoms. A folder also gets the schema, as `schema.mln`; from a single file
types are inferred again.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from logicoder.base.errors import UsageError
from logicoder.base.files import atomic_writer, write_text
from logicoder.kb.alchemy import alchemy_name, constant_text
from logicoder.kb.declarations import schema_text
from logicoder.kb.delimited import record_text
from logicoder.kb.knowledge_base import TRUTHS
from logicoder.kb.sources import FORMATS, SCHEMA_FILE, SUFFIXES, TABLES_OR_TRIPLES, file_stem, suffix_of
from logicoder.logic.symbols import atom_text, plain_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from logicoder.kb.knowledge_base import KnowledgeBase, Truth
    from logicoder.kb.sources import Format


__all__ = ["prolog_lines", "schema_text", "write_knowledge_base"]


def write_knowledge_base(
    kb: KnowledgeBase,
    path: str | Path,
    format: Format | None = None,  # noqa: A002  (the word a user thinks of)
    *,
    remark: str | None = None,
) -> None:
    """Write a knowledge base; each file is written whole or not at all.

    Args:
        kb: what to write.
        path: a file (`.pl`, `.db`, or for triples `.tsv`, `.txt` or `.csv`, each also with `.gz`) for the
            only interpretation, which is called after the file when it is read; or a folder, which gets a
            file per interpretation, named by it. Tables always make a folder: one file per predicate, in a
            folder for each interpretation if there are several.
        format: `prolog`, `alchemy`, `tables` or `triples`; told by the endings `.pl` and `.db`.
        remark: the first line of each Prolog file, as a comment.

    Raises:
        UsageError: if the format cannot hold the data, or the folder holds other data.
        OutputError: if a file cannot be written.
    """
    path = Path(path)
    kind = format or _format_of(path)
    if kind not in FORMATS:
        raise UsageError(f"format must be one of {', '.join(FORMATS)}, not {kind!r}")
    _refuse_what_does_not_fit(kb, kind)
    texts = _constants(kb, kind)
    if kind == "tables":
        _write_tables(kb, path, texts)
    elif suffix_of(path) in SUFFIXES[kind]:
        if len(kb.interpretations) != 1:
            raise UsageError(
                f"{path}: {len(kb.interpretations)} interpretations need a folder; "
                f"name one, and the format {kind!r}"
            )
        _write_lines(path, _lines(kb, 0, kind, path, texts), remark)
    else:
        schema = schema_text(kb.schema)
        ending = {"prolog": ".pl", "alchemy": ".db", "triples": ".tsv"}[kind]
        files = [path / f"{file_stem(name)}{ending}" for name in kb.interpretations]
        _refuse_other_data(path, files)
        for world, file in enumerate(files):
            _write_lines(file, _lines(kb, world, kind, file, texts), remark)
        write_text(path / SCHEMA_FILE, schema)


def _format_of(path: Path) -> Format:
    suffix = suffix_of(path)
    if suffix in SUFFIXES["tables"]:
        raise UsageError(f"{path}: {TABLES_OR_TRIPLES}")
    for kind in FORMATS:
        if suffix in SUFFIXES[kind]:
            return kind
    raise UsageError(f"{path}: name the format to write: {', '.join(FORMATS)}")


def _refuse_what_does_not_fit(kb: KnowledgeBase, kind: Format) -> None:
    if kind == "prolog":
        return
    if kind == "alchemy":
        spellings: dict[str, str] = {}
        for name in kb.schema:
            other = spellings.setdefault(name.lower(), name)
            if other != name or not alchemy_name(name):
                why = f"it differs from {other} in case only" if other != name else "it is no plain word"
                raise UsageError(f"the predicate {name!r} cannot be written in the .db format: {why}")
        return
    for name, predicate in kb.schema.items():
        for truth in TRUTHS[1:]:
            if kb.count(name, truth):
                raise UsageError(
                    f"{name} has {truth} atoms, and {kind} hold true facts only; write Prolog (.pl) instead"
                )
        if kb.count(name) and (predicate.arity != 2 if kind == "triples" else predicate.arity == 0):
            wanted = "two" if kind == "triples" else "at least one"
            raise UsageError(f"{name} has {predicate.arity} arguments, and {kind} need {wanted}")


def _refuse_other_data(folder: Path, files: Iterable[Path]) -> None:
    """Refuse a folder with data that is not overwritten: what is read from it would be a mixture."""
    known = set(files)
    suffixes = {suffix for several in SUFFIXES.values() for suffix in several}
    for file in sorted((*folder.glob("*"), *folder.glob("*/*"))):
        if file.is_file() and suffix_of(file) in suffixes and file not in known:
            raise UsageError(f"{folder}: this folder holds other data ({file.name}); name an empty one")


def _lines(kb: KnowledgeBase, world: int, kind: Format, path: Path, texts: dict[int, str]) -> Iterator[str]:
    if kind == "prolog":
        return prolog_lines(kb, world)
    if kind == "alchemy":
        return _alchemy_lines(kb, world, texts)
    return _triple_lines(kb, world, "," if suffix_of(path) == ".csv" else "\t", texts)


def prolog_lines(kb: KnowledgeBase, world: int) -> Iterator[str]:
    """Iterate over the lines of a Prolog file of one interpretation, given by its number."""
    texts = kb.symbols
    frames: dict[Truth, tuple[str, str]] = {
        "true": ("", ""),
        "false": ("\\+ ", ""),
        "unknown": ("unknown(", ")"),
    }
    for name, truth, rows in _blocks(kb, world):
        before, after = frames[truth]
        if not rows.shape[1]:
            yield (
                f"{before}({atom_text(name)}){after}.\n"
                if truth == "unknown"
                else f"{before}{atom_text(name)}.\n"
            )
            continue
        before, after = f"{before}{atom_text(name)}(", f"){after}.\n"
        for row in rows.tolist():
            yield before + ",".join([texts[i] for i in row]) + after


def _alchemy_lines(kb: KnowledgeBase, world: int, texts: dict[int, str]) -> Iterator[str]:
    signs: dict[Truth, str] = {"true": "", "false": "!", "unknown": "?"}
    for name, truth, rows in _blocks(kb, world):
        if not rows.shape[1]:
            yield f"{signs[truth]}{name}\n"
            continue
        for row in rows.tolist():
            yield f"{signs[truth]}{name}({','.join([texts[i] for i in row])})\n"


def _triple_lines(kb: KnowledgeBase, world: int, delimiter: str, texts: dict[int, str]) -> Iterator[str]:
    if delimiter == "," and any("\t" in text for text in (*texts.values(), *kb.predicates)):
        raise UsageError("triples with tabs in their texts cannot be written as .csv; write .tsv instead")
    for name, _, rows in _blocks(kb, world):
        for head, tail in rows.tolist():
            yield record_text([texts[head], name, texts[tail]], delimiter)


def _write_tables(kb: KnowledgeBase, folder: Path, texts: dict[int, str]) -> None:
    if suffix_of(folder) in SUFFIXES["tables"]:
        raise UsageError(f"{folder}: tables are written into a folder, one file per predicate")
    schema = schema_text(kb.schema)
    names = [name for name, predicate in kb.schema.items() if predicate.arity]
    several = len(kb.interpretations) > 1
    folders = [folder / file_stem(name) for name in kb.interpretations] if several else [folder]
    # Predicates without facts get empty files: an interpretation without any fact is still there then.
    files = {(w, name): folders[w] / f"{file_stem(name)}.csv" for w in range(len(folders)) for name in names}
    _refuse_other_data(folder, files.values())
    for (world, name), file in files.items():
        _write_lines(file, _table_lines(kb, world, name, texts))
    write_text(folder / SCHEMA_FILE, schema)


def _table_lines(kb: KnowledgeBase, world: int, name: str, texts: dict[int, str]) -> Iterator[str]:
    table = kb.table(name)
    types = kb.schema[name].types
    for number, row in enumerate(table.arguments[table.worlds == world].tolist()):
        fields = [texts[i] for i in row]
        if number == 0 and [f.lower() for f in fields] == [kind.lower() for kind in types]:
            # The reader would take this fact for a header, so it gets one.
            yield record_text(types, ",")
        yield record_text(fields, ",")


def _blocks(kb: KnowledgeBase, world: int) -> Iterator[tuple[str, Truth, np.ndarray]]:
    """Iterate over the atoms of an interpretation, in the order of the schema."""
    for name in kb.schema:
        for truth in TRUTHS:
            table = kb.table(name, truth)
            rows = table.arguments[table.worlds == world]
            if len(rows):
                yield name, truth, rows


def _constants(kb: KnowledgeBase, kind: Format) -> dict[int, str]:
    """Return the constants that occur in atoms as the format writes them, refusing those it cannot hold."""
    used = [np.unique(kb.table(name, truth).arguments) for name in kb.schema for truth in TRUTHS]
    symbols = {i: kb.symbols[i] for i in np.unique(np.concatenate(used)).tolist()} if used else {}
    if kind == "prolog":
        return symbols
    if kind == "alchemy":
        return {i: constant_text(symbol) for i, symbol in symbols.items()}
    texts = {i: plain_text(symbol) for i, symbol in symbols.items()}
    first: dict[str, str] = {}
    for i, text in texts.items():
        other = first.setdefault(text, symbols[i])
        if other != symbols[i]:
            raise UsageError(
                f"the constants {other} and {symbols[i]} look the same in {kind}; write Prolog (.pl) instead"
            )
        if "\0" in text:
            raise UsageError(
                f"the constant {symbols[i]} does not fit into {kind}; write Prolog (.pl) instead"
            )
    return texts


def _write_lines(path: Path, lines: Iterable[str], remark: str | None = None) -> None:
    with atomic_writer(path) as stream:
        if remark is not None:
            stream.write(f"% {remark}\n")
        stream.writelines(lines)
