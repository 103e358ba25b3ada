"""What came back: facts rebuilt, missing and false, overall and per predicate."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from logicoder.engine.arrays.difference import compare
from logicoder.kb.knowledge_base import KnowledgeBase


@dataclass(frozen=True)
class PredicateScore:
    """How one predicate came back."""

    predicate: str
    facts: int
    rebuilt: int
    missing: int
    false: int

    @property
    def loss(self) -> int:
        """Missing and false atoms together."""
        return self.missing + self.false


class Reconstruction:
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
    def predicates(self) -> tuple[PredicateScore, ...]:
        """The score of every predicate to be reconstructed."""
        return tuple(
            PredicateScore(
                name, len(d.rebuilt) + len(d.missing), len(d.rebuilt), len(d.missing), len(d.false)
            )
            for name, d in self._differences.items()
        )

    @property
    def facts(self) -> int:
        """Number of facts to be reconstructed."""
        return sum(score.facts for score in self.predicates)

    @property
    def latent_facts(self) -> int:
        """Number of latent facts."""
        return len(self.latent)

    @property
    def loss(self) -> int:
        """|reconstruction Δ facts|: missing and false atoms together."""
        return sum(score.loss for score in self.predicates)

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

    def as_dict(self) -> dict[str, Any]:
        """Return the counts as plain data."""
        return {
            "facts": self.facts,
            "latent_facts": self.latent_facts,
            "loss": self.loss,
            "missing": len(self.missing),
            "false": len(self.false),
            "predicates": [asdict(score) for score in self.predicates],
        }

    def __repr__(self) -> str:
        return (
            f"<Reconstruction: {self.facts} facts, {self.latent_facts} latent facts, "
            f"{len(self.missing)} missing, {len(self.false)} false>"
        )
