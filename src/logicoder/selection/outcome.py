"""What a solver ends with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Improved = Callable[[tuple[int, ...], int], None]
"""Told the decoders of every improvement, and a bound on the objective."""


@dataclass(frozen=True)
class Outcome:
    """What one run of a solver ended with.

    Attributes:
        status: `optimal`, `feasible`, `infeasible` or `unknown`.
        decoders: the selected decoders, or None without a solution.
        bound: proven lower bound on the objective.
        effort: time used: deterministic where the solver has such a measure, else by the clock.
        value: value of the objective, or None without a solution.
    """

    status: str
    decoders: tuple[int, ...] | None
    bound: int
    effort: float
    value: int | None = None
