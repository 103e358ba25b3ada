"""How predicates come back from what represents them: each by itself, and all together."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


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

    @classmethod
    def of(cls, predicate: str, facts: int, missing: int, false: int) -> PredicateScore:
        """Return the score of a predicate, given its missing and false atoms."""
        return cls(predicate, facts, facts - missing, missing, false)


@dataclass(frozen=True)
class Totals:
    """What comes back of all facts.

    Attributes:
        predicates: how each predicate comes back.
        latent_facts: number of latent facts.
    """

    predicates: tuple[PredicateScore, ...]
    latent_facts: int

    @property
    def facts(self) -> int:
        """Number of facts to be reconstructed."""
        return sum(score.facts for score in self.predicates)

    @property
    def missing(self) -> int:
        """Number of facts that do not come back."""
        return sum(score.missing for score in self.predicates)

    @property
    def false(self) -> int:
        """Number of atoms that come back and are no facts."""
        return sum(score.false for score in self.predicates)

    @property
    def loss(self) -> int:
        """|reconstruction Δ facts|: missing and false atoms together."""
        return self.missing + self.false

    def as_dict(self) -> dict[str, Any]:
        """Return the counts as plain data."""
        return {
            "facts": self.facts,
            "latent_facts": self.latent_facts,
            "loss": self.loss,
            "missing": self.missing,
            "false": self.false,
            "predicates": [asdict(score) for score in self.predicates],
        }
