"""What formats of text share: files are read whole, and written line by line, alone or into a folder."""

from __future__ import annotations

from abc import abstractmethod
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Protocol

import numpy as np

from logicoder.base.errors import UsageError
from logicoder.base.files import atomic_writer, is_special, read_text, write_text
from logicoder.base.sorted_keys import distinct
from logicoder.kb.file_names import file_stem, suffix_of
from logicoder.kb.formats import all_formats, suffixes_of
from logicoder.kb.formats.alchemy.declarations import SCHEMA_FILE, schema_text
from logicoder.kb.formats.interface import Format, LocatedAtom
from logicoder.kb.knowledge_base import TRUTHS
from logicoder.logic.parser import place

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from logicoder.kb.builder import KnowledgeBaseBuilder
    from logicoder.kb.formats.grammar import Mention
    from logicoder.kb.formats.interface import ReadOptions, Source
    from logicoder.kb.knowledge_base import KnowledgeBase, Truth
    from logicoder.kb.schema import Schema


class Reader(Protocol):
    """A reader of texts."""

    def load(self, text: str, source: str, world: int) -> None:
        """Add all atoms of a text to the builder of this reader, quickly and without their places."""

    def mentions(self, text: str, source: str) -> Iterator[Mention]:
        """Iterate over the same atoms with their places."""


class TextFormat(Format):
    """A format of text files.

    Attributes:
        comment: what a line of comment starts with; None where there are no comments.
    """

    comment: ClassVar[str | None] = None

    @abstractmethod
    def readers(self, builder: KnowledgeBaseBuilder, options: ReadOptions) -> Callable[[Source], Reader]:
        """Return what gives the reader of each file; readers of one builder may share what they know."""

    @abstractmethod
    def lines(self, kb: KnowledgeBase) -> Callable[[int, Path], Iterator[str]]:
        """Return what gives the lines of an interpretation, by its number, for a file.

        Raises:
            UsageError: if there are constants that the format cannot hold.
        """

    def read(self, sources: Sequence[Source], builder: KnowledgeBaseBuilder, options: ReadOptions) -> None:
        """See `Format.read`."""
        reader = self.readers(builder, options)
        for source in sources:
            world = builder.interpretation(source.world)
            reader(source).load(read_text(source.path), str(source.path), world)

    def located(self, sources: Sequence[Source], options: ReadOptions) -> Iterator[LocatedAtom]:
        """See `Format.located`."""
        from logicoder.kb.builder import KnowledgeBaseBuilder  # noqa: PLC0415  (builders know all of this room)

        reader = self.readers(KnowledgeBaseBuilder(options.schema), options)
        for source in sources:
            text = read_text(source.path)
            for name, symbols, truth, offset in reader(source).mentions(text, str(source.path)):
                where = partial(place, text, offset, str(source.path))
                yield LocatedAtom(name, symbols, truth, source.world, where)

    def write(self, kb: KnowledgeBase, path: Path, remark: str | None = None) -> None:
        """See `Format.write`."""
        first = [] if remark is None or self.comment is None else [f"{self.comment} {remark}\n"]
        write_interpretations(self, kb, path, self.lines(kb), first)


def write_interpretations(
    kind: Format,
    kb: KnowledgeBase,
    path: Path,
    lines: Callable[[int, Path], Iterator[str]],
    first: Sequence[str] = (),
) -> None:
    """Write the only interpretation to a file, or each to a file of a folder.

    Args:
        kind: the format.
        kb: what to write.
        path: the file or folder; a device or pipe is a file by any name.
        lines: gives the lines of an interpretation, by its number, for a file.
        first: lines that each file starts with.
    """
    if suffix_of(path) not in kind.suffixes and not is_special(path):
        files = [path / f"{file_stem(name)}{kind.suffixes[0]}" for name in kb.interpretations]
        write_folder(path, {file: lines(world, file) for world, file in enumerate(files)}, kb.schema, first)
    elif len(kb.interpretations) != 1:
        raise UsageError(
            f"{path}: {len(kb.interpretations)} interpretations need a folder; "
            f"name one, and the format {kind.name!r}"
        )
    else:
        _write_lines(path, first, lines(0, path))


def write_folder(
    folder: Path, files: Mapping[Path, Iterator[str]], schema: Schema, first: Iterable[str] = ()
) -> None:
    """Write the files of a folder and its schema.

    Raises:
        UsageError: if the folder holds other data: what is read from it would be a mixture.
    """
    declared = schema_text(schema)
    refuse_other_data(folder, [str(file.relative_to(folder)) for file in files])
    for file, lines in files.items():
        _write_lines(file, first, lines)
    write_text(folder / SCHEMA_FILE, declared)


def refuse_other_data(folder: Path, names: Collection[str]) -> None:
    """Refuse a folder that holds data besides these files: what is read from it would be a mixture."""
    suffixes = suffixes_of(all_formats())
    for file in sorted((*folder.glob("*"), *folder.glob("*/*"))):
        known = str(file.relative_to(folder)) in names
        if file.is_file() and suffix_of(file) in suffixes and not known:
            raise UsageError(f"{folder}: this folder holds other data ({file.name}); name an empty one")


def _write_lines(path: Path, first: Iterable[str], lines: Iterable[str]) -> None:
    with atomic_writer(path) as stream:
        stream.writelines(first)
        stream.writelines(lines)


def blocks(kb: KnowledgeBase, world: int) -> Iterator[tuple[str, Truth, np.ndarray]]:
    """Iterate over the atoms of an interpretation, in the order of the schema."""
    for name in kb.schema:
        for truth in TRUTHS:
            table = kb.table(name, truth)
            rows = table.arguments[table.worlds == world]
            if len(rows):
                yield name, truth, rows


def used_symbols(kb: KnowledgeBase) -> dict[int, str]:
    """Return the constants that occur in atoms, by their numbers."""
    used = [distinct(kb.table(name, truth).arguments) for name in kb.schema for truth in TRUTHS]
    return {i: kb.symbols[i] for i in distinct(np.concatenate(used)).tolist()} if used else {}
