"""What a format is: how facts are recognised, read and written."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

from logicoder.base.errors import UsageError
from logicoder.kb.file_names import name_of_stem, stem_of, suffix_of
from logicoder.kb.schema import Schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from logicoder.base.errors import Location
    from logicoder.kb.builder import KnowledgeBaseBuilder
    from logicoder.kb.knowledge_base import KnowledgeBase, Truth

Header = bool | Literal["auto"]


@dataclass(frozen=True)
class Source:
    """A file of facts.

    Attributes:
        path: where it is.
        format: how to read it.
        world: the name of its interpretation.
    """

    path: Path
    format: Format
    world: str

    @property
    def suffix(self) -> str:
        """The ending of the name, without `.gz`, in lower case."""
        return suffix_of(self.path)

    @property
    def stem(self) -> str:
        """What the name of the file says: it names a predicate or an interpretation."""
        return name_of_stem(stem_of(self.path))


@dataclass(frozen=True)
class ReadOptions:
    """How to read.

    Attributes:
        schema: the declared predicates.
        header: whether the first row of a table is a header; `auto` leaves that to the format.
        lenient: whether to skip, count and tell what is no fact, in formats that hold other things as well.
    """

    schema: Schema = field(default_factory=Schema)
    header: Header = "auto"
    lenient: bool = False


class LocatedAtom(NamedTuple):
    """A ground atom where a file mentions it.

    Attributes:
        predicate: the name, without quotation marks.
        symbols: the constants, as canonical texts.
        truth: what the file says about the atom.
        world: the name of its interpretation.
        where: returns the place of the mention.
    """

    predicate: str
    symbols: tuple[str, ...]
    truth: Truth
    world: str
    where: Callable[[], Location]


class Format(ABC):
    """A way in which files hold facts. It has no state and is made without arguments.

    A format must have the attributes and `read`; `write` only if it is to be written. What reads text, file
    by file, is made more easily with `logicoder.kb.formats.text.TextFormat`.

    Attributes:
        name: what `format=` and `--format` call it.
        summary: what a file of this format holds, in a few words.
        suffixes: the endings of its files, in lower case, with their dots and without `.gz`; the first one is
            that of files written into a folder.
        file_holds: what a file is unless told otherwise: an interpretation, or one predicate or another part
            of the interpretation that its folder is.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    file_holds: ClassVar[Literal["interpretation", "predicate", "part"]] = "interpretation"

    def recognise(self, path: Path) -> bool:
        """Whether a file is of this format; asked where several formats have the ending of its name."""
        del path
        return True

    def folder_files(self, folder: Path) -> list[Path]:
        """Return the files of a folder that is of this format as a whole; none where it is not."""
        del folder
        return []

    def declared(self, sources: Sequence[Source]) -> Schema:
        """Return what the files themselves declare, used where no schema is given; others may occur, too."""
        del sources
        return Schema()

    @abstractmethod
    def read(self, sources: Sequence[Source], builder: KnowledgeBaseBuilder, options: ReadOptions) -> None:
        """Add all atoms of some files to a builder.

        Errors that know their place are raised with it. Others, such as those of the builder, may be raised
        without: `located` is asked for the place then.

        Raises:
            InputError: for what cannot be read.
        """

    def located(self, sources: Sequence[Source], options: ReadOptions) -> Iterator[LocatedAtom]:
        """Iterate over the atoms of some files with their places; asked only to say where an error is."""
        del sources, options
        return iter(())

    def refuse(self, kb: KnowledgeBase) -> None:
        """Refuse a knowledge base whose predicates the format cannot hold, before anything is written.

        Raises:
            UsageError: with the reason.
        """
        del kb

    def write(self, kb: KnowledgeBase, path: Path, remark: str | None = None) -> None:
        """Write a knowledge base to a file or a folder.

        Args:
            kb: what to write; `refuse` had nothing against it.
            path: where to; if its name ends in none of the `suffixes`, it is a folder.
            remark: a comment for the beginning of each file, where the format has comments.

        Raises:
            UsageError: if the format cannot hold the data, or the folder holds other data.
        """
        del kb, remark
        raise UsageError(f"{path}: the format {self.name} can only be read, not written")
