r"""Exceptions of a lossless encoding, and the file `exceptions.pl` that keeps them.

% logicoder exceptions, version 2
% {
%   "interpretations": ["earth", "mars"], "schema": {...}, ...
% }
% interpretation earth
missing(earth,mother(padme,luke)).
false(earth,father(vader,han)).
% interpretation mars
negative(mars,man(leia)).
unknown(mars,woman(rey)).
%% end
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from logicoder.autoencoder.model_file import (
    VERSION,
    StoredSchema,
    header_lines,
    read_header,
    read_lines,
    version_of,
)
from logicoder.base.errors import InputError, Location, location_of
from logicoder.base.files import atomic_writer, read_text, settle
from logicoder.base.saved_json import Count
from logicoder.kb.builder import KnowledgeBaseBuilder
from logicoder.kb.knowledge_base import TRUTHS, Fact, KnowledgeBase, Truth
from logicoder.kb.schema import Schema
from logicoder.logic.parser import Parser, place
from logicoder.logic.symbols import atom_text, symbol_of
from logicoder.logic.terms import Constant

END = "%% end"
_KINDS: dict[str, Truth | None] = {
    "missing": "true",
    "false": None,
    "negative": "false",
    "unknown": "unknown",
}
"""What a line says, and the truth that the atom has in the data; None for atoms that it does not list."""


@dataclass(frozen=True, eq=False)
class Exceptions:
    """What a decoder gets wrong, and what it cannot know.

    Attributes:
        listed: the schema and interpretations of the data; as facts those that are missing, and all atoms
            that the data lists as false or unknown.
        false: atoms that the decoder derives and the data does not list.
        latent_schema: predicates and types of the latent facts.
        model_hash: SHA-256 sum of the programs.
        latent_hash: SHA-256 sum of the latent facts.
        source: the file that this was read from, if it was.
        stepwise: whether predicates are corrected one after the other; in files of version 1 what all
            decoders derive at once is corrected in the end.
    """

    listed: KnowledgeBase
    false: KnowledgeBase
    latent_schema: Schema
    model_hash: str
    latent_hash: str
    source: Path | None = None
    stepwise: bool = True

    def __len__(self) -> int:
        """Number of missing and false atoms: the loss, background and unknown predicates included."""
        return len(self.listed) + len(self.false)

    def lines(self) -> Iterator[tuple[str, Fact]]:
        """Iterate over all exceptions, each with its kind, by interpretation."""
        for listed, false in zip(self.listed.split(), self.false.split(), strict=True):
            for kind, truth in _KINDS.items():
                facts = false.facts() if truth is None else listed.facts(truth=truth)
                for fact in facts:
                    yield kind, fact

    def counts(self) -> dict[str, int]:
        """Return the number of exceptions of each kind."""
        return {
            kind: self.false.count() if truth is None else self.listed.count(truth=truth)
            for kind, truth in _KINDS.items()
        }

    def told(self) -> dict[str, int]:
        """Return these numbers with facts of the background, which no decoder has to make, apart."""
        found = self.counts()
        given = sum(self.listed.count(name) for name, own in self.listed.schema.items() if own.background)
        return {**found, "missing": found["missing"] - given, **({"background": given} if given else {})}

    def save(self, path: str | Path) -> None:
        """Write the exceptions as readable text."""
        header = ExceptionsHeader(
            tuple(self.listed.interpretations),
            StoredSchema.of(self.listed.schema),
            StoredSchema.of(self.latent_schema),
            self.model_hash,
            self.latent_hash,
            self.counts(),
        )
        with atomic_writer(Path(path)) as stream:
            stream.write(f"% logicoder exceptions, version {VERSION}\n")
            stream.writelines(f"{line}\n" for line in header_lines(header))
            world = None
            for kind, fact in self.lines():
                if fact.interpretation != world:
                    world = fact.interpretation
                    stream.write(f"% interpretation {atom_text(world)}\n")
                stream.write(f"{kind}({symbol_of(fact.interpretation)},{fact}).\n")
            stream.write(f"{END}\n")


class _Line(NamedTuple):
    """One exception of a file; `offset` is where it starts."""

    kind: str
    world: str
    predicate: str
    symbols: tuple[str, ...]
    offset: int


class ExceptionsHeader(Struct):
    """What the file says before its lines."""

    interpretations: tuple[str, ...]
    schema: StoredSchema
    latent_schema: StoredSchema
    model: str
    latent: str
    counts: dict[str, Count]


def read_exceptions(path: str | Path) -> Exceptions:
    """Read exceptions; a damaged or newer file is refused with the place of the trouble."""
    path = Path(path)
    settle(path.parent)
    lines = read_lines(path, "exceptions", "these {} have", "these are no {} of a lossless encoding")
    if lines[-1].strip() != END:
        raise InputError(
            f"this file is damaged: the line '{END}' is missing at its end", location_of(path, len(lines), 1)
        )
    header = read_header(path, lines, 1, ExceptionsHeader, "the header of these exceptions")
    return replace(_exceptions(path, "\n".join(lines), header), stepwise=version_of(lines) > 1)


def _exceptions(path: Path, text: str, header: ExceptionsHeader) -> Exceptions:
    schema, latent = header.schema.schema(), header.latent_schema.schema()
    names = list(header.interpretations)
    # Without the domains: what a decoder derives, and even data, may have constants outside of them.
    open_schema = Schema(schema.predicates)
    builders = {kind: KnowledgeBaseBuilder(open_schema) for kind in ("listed", "false")}
    worlds = {name: number for number, name in enumerate(names)}
    for builder in builders.values():
        for name in names:
            builder.interpretation(name)
    seen: dict[tuple[str, str, tuple[str, ...]], _Line] = {}
    counts = dict.fromkeys(_KINDS, 0)
    for line in _lines(text, str(path)):
        declared = schema.get(line.predicate)
        before = seen.setdefault((line.world, line.predicate, line.symbols), line)
        complaint = None
        if line.world not in worlds:
            complaint = f"the header knows no interpretation {line.world}"
        elif declared is None or declared.arity != len(line.symbols):
            complaint = f"the header knows no predicate {line.predicate} with {len(line.symbols)} arguments"
        elif before is not line:
            complaint = f"this atom is an exception already, at {place(text, before.offset, str(path))}"
        if complaint:
            raise InputError(complaint, place(text, line.offset, str(path)))
        counts[line.kind] += 1
        truth = _KINDS[line.kind]
        builder = builders["false" if truth is None else "listed"]
        builder.add(line.predicate, line.symbols, worlds[line.world], truth or "true")
    for kind, number in counts.items():
        if header.counts.get(kind) != number:
            raise InputError(
                f"the header announces {header.counts.get(kind)} {kind} atoms, but there are {number}",
                location_of(path, 1, 1),
                "the file is damaged",
            )
    built = {kind: _exactly(builder.build(), schema, names) for kind, builder in builders.items()}
    return Exceptions(built["listed"], built["false"], latent, header.model, header.latent, path)


def _exactly(kb: KnowledgeBase, schema: Schema, names: list[str]) -> KnowledgeBase:
    """Return the knowledge base with this schema and these interpretations, also if there are none."""
    tables = {truth: {name: kb.table(name, truth) for name in kb.schema} for truth in TRUTHS}
    return KnowledgeBase(schema, kb.symbols, names, tables)


def _lines(text: str, source: str) -> Iterator[_Line]:
    """Iterate over the exceptions of a text."""
    parser = Parser(text, source)
    while not parser.at_end:
        offset = parser.offset
        kind = next((word for word in _KINDS if parser.accept(word)), None)
        if kind is None:
            raise parser.error("expected an exception", hint=f"write {'(...). '.join(_KINDS)}(...).")
        parser.expect("(", f"after {kind}")
        world = parser.term()
        if not isinstance(world, Constant) or not isinstance(world.value, str):
            raise InputError(f"{world} is not the name of an interpretation", place(text, offset, source))
        parser.expect(",", "after the interpretation")
        atom = parser.atom()
        if not atom.is_ground:
            raise InputError(f"the atom {atom} contains a variable", place(text, offset, source))
        parser.expect(")", "after the atom")
        parser.expect(".", "at the end of the exception")
        yield _Line(kind, world.value, atom.predicate, tuple(map(str, atom.arguments)), offset)


def place_of(exceptions: Exceptions, kind: str, fact: Fact) -> Location | None:
    """Return where a file of exceptions lists an atom."""
    if exceptions.source is None:
        return None
    text = read_text(exceptions.source)
    wanted = (kind, fact.interpretation, fact.predicate, tuple(map(symbol_of, fact.arguments)))
    for line in _lines(text, str(exceptions.source)):
        if tuple(line)[:4] == wanted:
            return place(text, line.offset, str(exceptions.source))
    return location_of(exceptions.source)
