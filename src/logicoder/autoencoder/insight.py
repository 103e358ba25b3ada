"""One thing that a model found, in a sentence with counts, and all of them in order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

FINDINGS = ("redundant", "nearly", "partly", "closed", "among", "shorthand", "determined")
"""The kinds of sentences about what follows from what."""


@dataclass(frozen=True)
class Insight:
    """One sentence.

    Attributes:
        kind: `redundant`, `nearly`, `partly`, `closed`, `shorthand`, `among` (clauses narrow it down),
            `determined` (by another column), `function`, `key`, `constant`, `within` or `kept`.
        predicate: what it is about.
        text: the sentence.
        bits: what this saves; 0 where it saves nothing by itself.
        holds: how often it holds.
        total: of how many.
        clauses: the clauses behind it.
        underived: some facts that the clauses do not derive.
        false: some atoms that the clauses derive but that are no facts.
    """

    kind: str
    predicate: str
    text: str
    bits: float = 0.0
    holds: int = 0
    total: int = 0
    clauses: tuple[str, ...] = ()
    underived: tuple[str, ...] = ()
    false: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.text

    @property
    def exceptions(self) -> dict[str, tuple[str, ...]]:
        """Some atoms where it does not hold, by what is the matter with them."""
        return {"not derived": self.underived, "derived, but not a fact": self.false}


@dataclass(frozen=True)
class Insights:
    """Sentences, those that save most first.

    Attributes:
        rows: the sentences.
        bits: of the message.
        plain_bits: of the plain facts.
    """

    rows: tuple[Insight, ...]
    bits: float
    plain_bits: float

    @property
    def findings(self) -> tuple[Insight, ...]:
        """The sentences about what follows from what, those that save most first."""
        return self.of(*FINDINGS)

    def of(self, *kinds: str) -> tuple[Insight, ...]:
        """Return the sentences of some kinds."""
        return tuple(row for row in self.rows if row.kind in kinds)

    def as_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "bits": round(self.bits, 3),
            "plain_bits": round(self.plain_bits, 3),
            "insights": [asdict(row) for row in self.rows],
        }

    def __iter__(self) -> Iterator[Insight]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __str__(self) -> str:
        return "\n".join(map(str, self.rows))
