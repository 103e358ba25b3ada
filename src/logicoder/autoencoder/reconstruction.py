"""What came back: facts rebuilt, missing and false, overall and per predicate."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any

from logicoder.autoencoder.predicate_scores import PredicateScore, Totals
from logicoder.engine.arrays.difference import compare
from logicoder.kb.knowledge_base import KnowledgeBase


class CountedReconstruction(ABC):
    """Data beside their reconstruction: what is counted of them."""

    @property
    @abstractmethod
    def totals(self) -> Totals:
        """What came back, in numbers."""

    @property
    def predicates(self) -> tuple[PredicateScore, ...]:
        """The score of every predicate to be reconstructed."""
        return self.totals.predicates

    @property
    def facts(self) -> int:
        """Number of facts to be reconstructed."""
        return self.totals.facts

    @property
    def latent_facts(self) -> int:
        """Number of latent facts."""
        return self.totals.latent_facts

    @property
    def loss(self) -> int:
        """|reconstruction Δ facts|: missing and false atoms together."""
        return self.totals.loss

    def as_dict(self) -> dict[str, Any]:
        """Return the counts as plain data."""
        return self.totals.as_dict()

    def __repr__(self) -> str:
        told = self.totals
        return (
            f"<{type(self).__name__}: {told.facts} facts, {told.latent_facts} latent facts, "
            f"{told.missing} missing, {told.false} false>"
        )


class Reconstruction(CountedReconstruction):
    """A knowledge base beside its reconstruction.

    Args:
        data: the knowledge base.
        rebuilt: what the decoder derived from its latent representation.
        latent: the latent representation.
    """

    def __init__(self, data: KnowledgeBase, rebuilt: KnowledgeBase, latent: KnowledgeBase) -> None:
        self.data = data
        self.rebuilt = rebuilt
        self.latent = latent
        self._symbols, self._differences = compare(data, rebuilt)

    @cached_property
    def totals(self) -> Totals:
        """What came back, in numbers."""
        scores = (
            PredicateScore.of(name, len(d.rebuilt) + len(d.missing), len(d.missing), len(d.false))
            for name, d in self._differences.items()
        )
        return Totals(tuple(scores), len(self.latent))

    @cached_property
    def missing(self) -> KnowledgeBase:
        """The facts that did not come back."""
        return self._part("missing")

    @cached_property
    def back(self) -> KnowledgeBase:
        """The facts that came back."""
        return self._part("rebuilt")

    @cached_property
    def false(self) -> KnowledgeBase:
        """The atoms that came back but are not facts."""
        return self._part("false")

    def _part(self, which: str) -> KnowledgeBase:
        tables = {name: getattr(difference, which) for name, difference in self._differences.items()}
        schema = self.data.schema.restricted(tables)
        return KnowledgeBase(schema, self._symbols, self.data.interpretations, {"true": tables})
