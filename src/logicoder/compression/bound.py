"""A proven bound on bits, and what it is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_TINY = 1e-6


@dataclass(frozen=True)
class Bound:
    """Bits that no message undercuts.

    Attributes:
        bits: the bound.
        scope: `language` where it holds for every message there is, `pruned` where it holds for those that
            use the candidate rules, spaces and closures that were kept.
    """

    bits: float
    scope: str

    @classmethod
    def of(cls, floors: Sequence[float], candidates: float, bits: float) -> Bound:
        """Return the bound of a message.

        Args:
            floors: for each predicate, bits that no way to say it undercuts.
            candidates: bits that no choice among the candidates undercuts.
            bits: the message.
        """
        if bits <= sum(floors) + _TINY:
            return cls(bits, "language")
        return cls(min(bits, max(candidates, sum(floors))), "pruned")
