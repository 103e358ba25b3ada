"""A proven bound on the goal, and what it is about."""

from __future__ import annotations

from typing import NamedTuple

_TINY = 1e-6


class Bound(NamedTuple):
    """What no message undercuts.

    Attributes:
        value: the bound, in bits where they are the goal.
        scope: `language` where it holds for every message there is, `pruned` where it holds for those that
            use the candidate rules, spaces and closures that were kept, and of latent predicates those of
            the message alone.
        optimal: whether it is reached, and holds for every message.
    """

    value: float
    scope: str
    optimal: bool


def proven(floor: float, candidates: float, cost: float) -> Bound:
    """Return the bound of a message.

    Args:
        floor: what no message undercuts.
        candidates: what no choice among the candidates undercuts, where that is known.
        cost: the message.
    """
    optimal = cost <= floor + _TINY
    if optimal or candidates <= floor:
        return Bound(min(cost, floor), "language", optimal)
    return Bound(min(cost, candidates), "pruned", optimal)
