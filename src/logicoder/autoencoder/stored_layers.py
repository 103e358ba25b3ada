"""Layers on top of each other over data that stay where they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from logicoder.autoencoder.masked_scores import masked_programs
from logicoder.autoencoder.stored_layer import Relations, StoredExceptions, StoredLayer, prepared

if TYPE_CHECKING:
    from logicoder.autoencoder.layer import Layer
    from logicoder.engine.sql.relations import Relation
    from logicoder.engine.sql.stored_data import StoredData
    from logicoder.logic.terms import Program


def latent_data(layer: Layer, data: StoredData, facts: Mapping[str, Relation]) -> StoredData:
    """Return what represents data as data of its own, which the next layer reads.

    Args:
        layer: the layer.
        data: what it encodes.
        facts: what it made of them.
    """
    schema = layer.schema or prepared(layer, data).known_schema
    found = data.of_schema(layer.latent_schema(schema), facts)
    found.mapping = None
    return found


class StoredLayers(StoredLayer):
    """The programs of all layers of a model; what represents the data are facts of the topmost one.

    Args:
        layers: the layers, the one that reads the data first.
        data: what they are run on.
    """

    def __init__(self, layers: Sequence[Layer], data: StoredData) -> None:
        super().__init__(layers[0], data)
        self._layers = layers

    def encoded(self) -> Relations:
        """Return the facts of the topmost layer."""
        return dict(self.latent().relations)

    def latent(self) -> StoredData:
        """Return the facts of the topmost layer as data of their own, in the same system."""
        first, *above = self._layers
        data = latent_data(first, self._data, super().encoded())
        for layer in above:
            data = latent_data(layer, data, StoredLayer(layer, data).encoded())
        return data

    def exceptions(self, represented: Mapping[str, Relation]) -> StoredExceptions:
        """See `StoredLayer`: what the first layer gets wrong, given what those above bring back."""
        return super().exceptions(self._lowered(represented))

    def decoded(self, represented: Mapping[str, Relation], exceptions: StoredExceptions | None) -> Relations:
        """See `StoredLayer`."""
        return super().decoded(self._lowered(represented), exceptions)

    def _lowered(self, represented: Mapping[str, Relation]) -> Mapping[str, Relation]:
        """Return what the layers above the first bring back of its representation."""
        for below, layer in reversed(list(pairwise(self._layers))):
            back = StoredLayer(layer, self._data).decoded(represented, None)
            # A decoder may have auxiliary predicates; only the latent ones concern the layer below.
            represented = {name: own for name, own in back.items() if name in below.represented}
        return represented

    def masked(self, origins: Program, decoder: Program, represented: Mapping[str, Relation]) -> int:
        """Return how many facts are missing if their predicate is masked; see `masked_scores`.

        Args:
            origins: what the representation depends on.
            decoder: rebuilds the data from it: the decoders of all layers as one program.
            represented: the facts of the topmost layer.
        """
        total = 0
        for name, own in masked_programs(origins, decoder, self._learned()):
            derived = self._data.runs.run(own, represented).get(name)
            missing = self._data.missing_from(self._facts(name), derived)
            query = f"SELECT count(*) FROM ({missing}) AS s"
            total += self._session.value(query, f"counting what is missing of {name} if it is masked")
        return total
