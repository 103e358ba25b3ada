"""What the engine of sets hands out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from logicoder.engine.clauses import DecoderBody, Head
from logicoder.engine.handles import Coverage, Decoder, Extension, Missed

from .set_rows import Rows


@dataclass(frozen=True, eq=False)
class SetExtension(Extension):
    rows: Rows


@dataclass(frozen=True, eq=False)
class SetDecoder(Decoder):
    atoms: Rows


@dataclass(frozen=True, eq=False)
class SetCoverage(Coverage):
    covered: list[frozenset[int]]


@dataclass(frozen=True, eq=False)
class SetMissed(Missed):
    rows: Mapping[str, Rows]


@dataclass(frozen=True)
class Candidate:
    """An accepted body: its atoms, how many are true and false, whether a part says as much, its worth."""

    body: DecoderBody
    atoms: Rows
    true: int
    false: int
    idle: bool
    worth: float


@dataclass(frozen=True, eq=False)
class SetCounted:
    head: Head
    bodies: list[Candidate]

    def __len__(self) -> int:
        return len(self.bodies)


def rows_of(extension: Extension) -> Rows:
    """Return the rows behind a handle of this engine."""
    assert isinstance(extension, SetExtension)
    return extension.rows


def atoms_of(decoder: Decoder) -> Rows:
    """Return what a decoder of this engine derives."""
    assert isinstance(decoder, SetDecoder)
    return decoder.atoms
