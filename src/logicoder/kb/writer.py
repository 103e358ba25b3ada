"""Writing knowledge bases, so that reading gives the same one again.

Prolog keeps everything. The `.db` format refuses strings and fractions, which it lacks. Tables and triples
have true facts only and write constants without quotation marks: an atom such as `'42'` comes back as a
number, strings and fractions as atoms. A folder also gets the schema, as `schema.mln`; from a single file
types are inferred again.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from logicoder.base.errors import UsageError
from logicoder.kb.formats import FORMATS, format_named, formats_of, the_only

if TYPE_CHECKING:
    from logicoder.kb.formats.interface import Format
    from logicoder.kb.knowledge_base import KnowledgeBase


def write_knowledge_base(
    kb: KnowledgeBase,
    path: str | Path,
    format: str | None = None,  # noqa: A002  (the word a user thinks of)
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
        format: `prolog`, `alchemy`, `tables`, `triples` or that of another package; told by the endings
            `.pl` and `.db`.
        remark: the first line of each file, as a comment, where the format has comments.

    Raises:
        UsageError: if the format cannot hold the data, or the folder holds other data.
        OutputError: if a file cannot be written.
    """
    path = Path(path)
    kind = _format_of(path) if format is None else format_named(format)
    kind.refuse(kb)
    kind.write(kb, path, remark)


def _format_of(path: Path) -> Format:
    found = formats_of(path)
    if not found:
        raise UsageError(f"{path}: choose the format to write: {', '.join(FORMATS.names)}")
    return the_only(found, path)
