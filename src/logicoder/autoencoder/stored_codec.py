"""Programs run on data that stay where they are: what represents them and what comes back stay there, too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from logicoder.autoencoder.predicate_scores import Totals
from logicoder.autoencoder.reconstruction import CountedReconstruction
from logicoder.autoencoder.stored_files import write_encoding
from logicoder.autoencoder.stored_layer import StoredExceptions
from logicoder.autoencoder.stored_layers import StoredLayers
from logicoder.kb.schema import Predicate, Schema

if TYPE_CHECKING:
    from logicoder.autoencoder.layer import Layer
    from logicoder.engine.sql.stored_data import StoredData


def encoded_in_place(layers: Sequence[Layer], data: StoredData) -> StoredData:
    """Return the facts of the topmost latent predicates, in the system that holds the data."""
    return StoredLayers(layers, data).latent()


def decoded_in_place(
    layers: Sequence[Layer], latent: StoredData, exceptions: StoredExceptions | None = None
) -> StoredData:
    """Return the facts that latent facts represent, in the system that holds these.

    Args:
        layers: the programs.
        latent: the facts of the topmost latent predicates.
        exceptions: those of a lossless encoding; None for what the decoders derive.
    """
    schema = layers[0].schema
    frame = latent.having({}, schema or _told(layers[0], latent, exceptions))
    back = StoredLayers(layers, frame).decoded(latent.relations, exceptions)
    return latent.having(back, schema if schema is not None and set(back) <= set(schema) else None)


def _told(layer: Layer, latent: StoredData, exceptions: StoredExceptions | None) -> Schema | None:
    """Return the predicates of data that a program without declarations encoded, as their encoding tells."""
    if exceptions is None:
        return None
    kept = {name: latent.relations[name] for name in layer.kept if name in latent.relations}
    every = {**kept, **exceptions.missing}
    return Schema.of(*(Predicate(name, ("thing",) * own.arity) for name, own in every.items()))


class StoredReconstruction(CountedReconstruction):
    """Stored facts beside their reconstruction.

    Attributes:
        latent: the latent representation.

    Args:
        layers: the programs.
        data: the facts.
    """

    def __init__(self, layers: Sequence[Layer], data: StoredData) -> None:
        self._stack = StoredLayers(layers, data)
        self.latent = self._stack.latent()
        found = self._stack.exceptions(self.latent.relations)
        self._wrong = self._stack.compared(self.latent.relations, found)
        self._data = data

    @cached_property
    def totals(self) -> Totals:
        """What came back, in numbers."""
        return Totals(tuple(self._stack.counted(self._wrong)), len(self.latent))

    @property
    def missing(self) -> StoredData:
        """The facts that did not come back."""
        return self._data.having(self._stack.learned(self._wrong.missing), self._data.schema)

    @property
    def false(self) -> StoredData:
        """The atoms that came back but are not facts."""
        return self._data.having(self._stack.learned(self._wrong.false), self._data.schema)

    def first(self, part: StoredData, most: int) -> list[str]:
        """Return some facts as texts, with the interpretation if there are several."""
        return self._stack.first(part.relations, most)


@dataclass(frozen=True)
class StoredEncoding:
    """Latent facts and the exceptions that belong to them, in the system that holds the data.

    Attributes:
        latent: the latent facts.
        exceptions: what the decoder gets wrong.
        layers: the programs that encoded them.
    """

    latent: StoredData
    exceptions: StoredExceptions
    layers: tuple[Layer, ...] = field(repr=False)

    @classmethod
    def of(cls, layers: Sequence[Layer], data: StoredData) -> StoredEncoding:
        """Return the encoding of data."""
        stack = StoredLayers(layers, data)
        latent = stack.latent()
        return cls(latent, stack.exceptions(latent.relations), tuple(layers))

    def save(self, folder: str | Path) -> None:
        """Write files that the system writes itself, and that `logicoder decode` reads, into a folder."""
        write_encoding(self.layers, self.latent, self.exceptions, Path(folder))
