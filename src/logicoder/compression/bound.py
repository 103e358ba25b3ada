"""A proven bound on the goal, and what it is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_TINY = 1e-6


@dataclass(frozen=True)
class Bound:
    """What no message undercuts.

    Attributes:
        value: the bound, in bits where they are the goal.
        scope: `language` where it holds for every message there is, `pruned` where it holds for those that
            use the candidate rules, spaces and closures that were kept.
    """

    value: float
    scope: str

    @classmethod
    def of(cls, floors: Sequence[float], candidates: float, cost: float) -> Bound:
        """Return the bound of a message.

        Args:
            floors: for each predicate, what no way to say it undercuts.
            candidates: what no choice among the candidates undercuts.
            cost: the message.
        """
        if cost <= sum(floors) + _TINY:
            return cls(cost, "language")
        return cls(min(cost, max(candidates, sum(floors))), "pruned")
