"""Folders of other learners: Popper, Aleph and BoostSRL, recognised by the names of their files.

Positive examples are facts and negative ones atoms that are explicitly false. What the folder declares of
predicates, their types and whether arguments are bound, becomes the schema; predicates without a
declaration are taken as well. A folder is one interpretation.

Written are the same: what has false atoms is an example, everything else background.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, ClassVar

from logicoder.base.errors import InputError, UsageError
from logicoder.base.files import read_text
from logicoder.kb.file_names import file_stem
from logicoder.kb.formats.grammar import Mention
from logicoder.kb.formats.interface import Format, LocatedAtom
from logicoder.kb.formats.leniency import Skipped, clauses, moved
from logicoder.kb.formats.prolog import prolog_grammar
from logicoder.kb.formats.text import write_folder
from logicoder.kb.schema import Predicate, Schema
from logicoder.logic.parser import place
from logicoder.logic.symbols import atom_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from logicoder.kb.builder import KnowledgeBaseBuilder
    from logicoder.kb.formats.interface import ReadOptions, Source
    from logicoder.kb.knowledge_base import KnowledgeBase, Truth

_MODES = {"+": "+", "-": "-", "#": "-", "in": "+", "out": "-"}
_WORD = r"[a-z]\w*|'[^']*'"


class ProjectFormat(Format):
    """A folder whose files have different parts.

    Attributes:
        files: what the names of files look like, by their part: `facts`, `positive`, `negative`, `examples`
            (both) and `bias`.
        needed: the parts that a folder is recognised by.
    """

    suffixes = ()
    file_holds = "part"
    files: ClassVar[dict[str, str]]
    needed: ClassVar[tuple[str, ...]]

    def folder_files(self, folder: Path) -> list[Path]:
        """See `Format.folder_files`."""
        found = [file for file in sorted(folder.iterdir()) if file.is_file() and self._part(file)]
        parts = {self._part(file) for file in found}
        return found if parts.issuperset(self.needed) else []

    def refuse(self, kb: KnowledgeBase) -> None:
        """See `Format.refuse`."""
        if len(kb.interpretations) > 1:
            raise UsageError(
                f"a folder of {self.name} is one interpretation, and there are {len(kb.interpretations)}"
            )
        for name in kb.schema:
            if kb.count(name, "unknown"):
                raise UsageError(f"{name} has unknown atoms, which {self.name} does not have; write Prolog")

    def write(self, kb: KnowledgeBase, path: Path, remark: str | None = None) -> None:
        """See `Format.write`; always a folder."""
        del remark
        if path.suffix and not path.is_dir():
            raise UsageError(f"{path}: {self.name} is written into a folder")
        write_folder(path, {path / name: lines for name, lines in self.content(kb).items()}, kb.schema)

    @abstractmethod
    def content(self, kb: KnowledgeBase) -> dict[str, Iterator[str]]:
        """Return the lines of each file."""

    def _part(self, path: Path) -> str | None:
        return next((part for part, name in self.files.items() if re.fullmatch(name, path.name)), None)

    def declared(self, sources: Sequence[Source]) -> Schema:
        """See `Format.declared`."""
        found: dict[str, Predicate] = {}
        for source in sources:
            for predicate in self.declarations(read_text(source.path), self._part(source.path) or ""):
                found.setdefault(predicate.name, predicate)
        return Schema(found)

    @abstractmethod
    def declarations(self, text: str, part: str) -> Iterator[Predicate]:
        """Iterate over the predicates that a file declares."""

    def read(self, sources: Sequence[Source], builder: KnowledgeBaseBuilder, options: ReadOptions) -> None:
        """See `Format.read`."""
        skipped = Skipped()
        for atom in self._atoms(sources, skipped if options.lenient else None):
            world = builder.interpretation(atom.world)
            builder.add(atom.predicate, atom.symbols, world, atom.truth)
        skipped.tell()

    def located(self, sources: Sequence[Source], options: ReadOptions) -> Iterator[LocatedAtom]:
        """See `Format.located`."""
        return self._atoms(sources, Skipped() if options.lenient else None)

    def _atoms(self, sources: Sequence[Source], skipped: Skipped | None) -> Iterator[LocatedAtom]:
        for source in sources:
            part, text = self._part(source.path), read_text(source.path)
            if part in (None, "bias"):
                continue
            for found in self._mentions(text, str(source.path), part or "", skipped):
                where = partial(place, text, found.offset, str(source.path))
                yield LocatedAtom(found.predicate, found.symbols, found.truth, source.world, where)

    def _mentions(self, text: str, source: str, part: str, skipped: Skipped | None) -> Iterator[Mention]:
        grammar = prolog_grammar(skipped)
        for start, end in clauses(text):
            piece, truth = self.fact(text[start:end], part)
            try:
                for mention in grammar.mentions(piece, source) if piece else ():
                    found = mention.truth if truth == "true" else truth
                    yield mention._replace(offset=start + mention.offset, truth=found)
            except InputError as error:
                raise _hinted(moved(error, text, start, source)) from None

    def fact(self, clause: str, part: str) -> tuple[str, Truth]:
        """Return the fact of a clause, as text of the same length, and its truth; no text for a directive."""
        if clause.startswith(":-"):
            return "", "true"
        return clause, "false" if part == "negative" else "true"


def _facts(
    kb: KnowledgeBase, *, examples: bool, truth: Truth = "true", shape: str = "{}.\n"
) -> Iterator[str]:
    """Iterate over facts, each a line: those of predicates with false atoms, the examples, or of others."""
    for name in kb.schema:
        if bool(kb.count(name, "false")) == examples:
            for fact in kb.facts(name, truth):
                yield shape.format(fact)


def _modes(kb: KnowledgeBase, shape: str, heads: bool | None = None) -> Iterator[str]:
    """Iterate over mode declarations; where none is known, an atom is found by its first argument."""
    for name, predicate in kb.schema.items():
        if heads is not None and bool(kb.count(name, "false")) != heads:
            continue
        modes = predicate.modes or tuple("+-"[place > 0] for place in range(predicate.arity))
        arguments = ",".join(mode + kind for mode, kind in zip(modes, predicate.types, strict=True))
        yield shape.format(f"{atom_text(name)}({arguments})" if arguments else atom_text(name))


def _indicator(kb: KnowledgeBase, name: str) -> str:
    return f"{atom_text(name)}/{kb.schema[name].arity}"


def _hinted(error: InputError) -> InputError:
    hint = "put rules into a separate file and pass it with --background; --lenient skips everything else"
    return InputError(error.message, error.location, hint)


class PopperFormat(ProjectFormat):
    """Popper: `bk.pl`, `exs.pl` with `pos(...)` and `neg(...)`, and `bias.pl` with types and directions."""

    name = "popper"
    summary = "a folder of Popper: bk.pl, exs.pl, bias.pl"
    files: ClassVar = {"facts": r"bk\.pl", "examples": r"exs\.pl", "bias": r"bias\.pl"}
    needed = ("facts", "examples")

    def content(self, kb: KnowledgeBase) -> dict[str, Iterator[str]]:
        """See `ProjectFormat.content`."""
        examples = chain(
            _facts(kb, examples=True, shape="pos({}).\n"),
            _facts(kb, examples=True, truth="false", shape="neg({}).\n"),
        )
        return {"bk.pl": _facts(kb, examples=False), "exs.pl": examples, "bias.pl": self._bias(kb)}

    def _bias(self, kb: KnowledgeBase) -> Iterator[str]:
        words = {"+": "in", "-": "out"}
        for name, predicate in kb.schema.items():
            kind = "head_pred" if kb.count(name, "false") else "body_pred"
            yield f"{kind}({atom_text(name)},{predicate.arity}).\n"
            if predicate.arity:
                yield f"type({atom_text(name)},({','.join(predicate.types)},)).\n"
            if predicate.modes:
                directions = ",".join(words[mode] for mode in predicate.modes)
                yield f"direction({atom_text(name)},({directions},)).\n"

    def fact(self, clause: str, part: str) -> tuple[str, Truth]:
        """See `ProjectFormat.fact`."""
        found = (
            re.fullmatch(r"(pos|neg)(\s*\()(.*)\)(\s*\.)", clause, re.DOTALL) if part == "examples" else None
        )
        if found is None:
            return super().fact(clause, part)
        blank = " " * (len(found[1]) + len(found[2]))
        return f"{blank}{found[3]} {found[4]}", "true" if found[1] == "pos" else "false"

    def declarations(self, text: str, part: str) -> Iterator[Predicate]:
        """See `ProjectFormat.declarations`."""
        if part != "bias":
            return
        said: dict[tuple[str, str], list[str]] = {}
        for start, end in clauses(text):
            found = re.fullmatch(
                rf"(type|direction)\(\s*({_WORD})\s*,\s*\(?([^()]*)\)?\s*\)\s*\.", text[start:end], re.DOTALL
            )
            if found:
                words = [word.strip().strip("'") for word in found[3].split(",") if word.strip()]
                said[found[1], found[2].strip("'")] = words
        for (what, name), types in said.items():
            if what == "type":
                modes = tuple(_MODES.get(mode, "-") for mode in said.get(("direction", name), ()))
                yield Predicate(name, tuple(types), modes if len(modes) == len(types) else None)


class AlephFormat(ProjectFormat):
    """Aleph: background and modes in `.b`, positive examples in `.f`, negative ones in `.n`."""

    name = "aleph"
    summary = "a folder of Aleph: files that end in .b, .f and .n"
    files: ClassVar = {"facts": r".+\.b", "positive": r".+\.f", "negative": r".+\.n"}
    needed = ("facts", "positive")

    def content(self, kb: KnowledgeBase) -> dict[str, Iterator[str]]:
        """See `ProjectFormat.content`."""
        stem = file_stem(kb.interpretations[0])
        heads = [name for name in kb.schema if kb.count(name, "false")]
        used = (
            f":- determination({_indicator(kb, head)}, {_indicator(kb, name)}).\n"
            for head in heads
            for name in kb.schema
            if name not in heads
        )
        modes = _modes(kb, ":- modeh(*, {}).\n", heads=True), _modes(kb, ":- modeb(*, {}).\n", heads=False)
        return {
            f"{stem}.b": chain(*modes, used, _facts(kb, examples=False)),
            f"{stem}.f": _facts(kb, examples=True),
            f"{stem}.n": _facts(kb, examples=True, truth="false"),
        }

    def declarations(self, text: str, part: str) -> Iterator[Predicate]:
        """See `ProjectFormat.declarations`."""
        if part == "facts":
            for start, end in clauses(text):
                mode = re.match(r":-\s*mode[hb]?\s*\([^,]*,(.*)\)\s*\.\Z", text[start:end], re.DOTALL)
                yield from _mode(mode[1]) if mode else ()


class BoostSrlFormat(ProjectFormat):
    """BoostSRL: `facts.txt`, `pos.txt`, `neg.txt`, and modes in `bk.txt`; names may start with `train_`."""

    name = "boostsrl"
    summary = "a folder of BoostSRL: facts.txt, pos.txt, neg.txt, bk.txt"
    files: ClassVar = {
        "facts": r"(?:.+_)?facts\.txt",
        "positive": r"(?:.+_)?pos\.txt",
        "negative": r"(?:.+_)?neg\.txt",
        "bias": r"(?:.+_)?(?:bk|background)\.txt",
    }
    needed = ("facts", "positive")

    def content(self, kb: KnowledgeBase) -> dict[str, Iterator[str]]:
        """See `ProjectFormat.content`."""
        return {
            "facts.txt": _facts(kb, examples=False),
            "pos.txt": _facts(kb, examples=True),
            "neg.txt": _facts(kb, examples=True, truth="false"),
            "bk.txt": chain(["usePrologVariables: true.\n"], _modes(kb, "mode: {}.\n")),
        }

    def declarations(self, text: str, part: str) -> Iterator[Predicate]:
        """See `ProjectFormat.declarations`."""
        if part == "bias":
            for mode in re.finditer(r"^\s*mode:\s*(.*?)\.?\s*$", text, re.MULTILINE):
                yield from _mode(mode[1])


def _mode(text: str) -> Iterator[Predicate]:
    """Read a mode declaration such as `father(+person,-person)`."""
    found = re.fullmatch(rf"\s*({_WORD})\s*(?:\(([^()]*)\))?\s*", text)
    if found is None:
        return
    arguments = [argument.strip() for argument in (found[2] or "").split(",") if argument.strip()]
    matches = [re.fullmatch(r"([+\-#`@&]?)\s*(\w+)", argument) for argument in arguments]
    if all(matches):
        pairs = [(match[1], match[2]) for match in matches if match]
        modes = tuple(_MODES.get(mark, "-") for mark, _ in pairs)
        yield Predicate(found[1].strip("'"), tuple(kind for _, kind in pairs), modes)
