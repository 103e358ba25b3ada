"""The handles of this engine: those of the interface, with the arrays behind them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count

from logicoder.engine.arrays.fingerprint import fingerprint
from logicoder.engine.arrays.relation import Column, Relation
from logicoder.engine.handles import Decoder, Extension


@dataclass(frozen=True, eq=False)
class ArrayExtension(Extension):
    """An extension with its relation."""

    relation: Relation

    @classmethod
    def of(cls, relation: Relation) -> ArrayExtension:
        """Return a relation as it stands."""
        return cls(relation.types, len(relation), fingerprint(relation.columns), relation)


@dataclass(frozen=True, eq=False)
class ArrayDecoder(Decoder):
    """A decoder with what it derives.

    Attributes:
        atoms: the atoms, as columns in the order of the predicate's arguments.
        serial: a number of its own, by which it is known when it is gone.
    """

    atoms: tuple[Column, ...]
    serial: int = field(default_factory=count().__next__)


def relation_of(extension: Extension) -> Relation:
    """Return the relation behind a handle of this engine."""
    assert isinstance(extension, ArrayExtension)  # noqa: S101  (this engine made it)
    return extension.relation


def relations_of(extensions: Mapping[int, Extension]) -> dict[int, Relation]:
    """Return the relations behind some handles."""
    return {number: relation_of(extension) for number, extension in extensions.items()}


def own(decoder: Decoder) -> ArrayDecoder:
    """Return a decoder as one of this engine."""
    assert isinstance(decoder, ArrayDecoder)  # noqa: S101  (this engine made it)
    return decoder


def atoms_of(decoder: Decoder) -> tuple[Column, ...]:
    """Return the atoms that a decoder of this engine derives."""
    return own(decoder).atoms
