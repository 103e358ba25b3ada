"""What a solver returns: a choice of clauses with its loss, a proven bound, and how far apart they are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from logicoder.base.numbers import number_of
from logicoder.problem.evaluate import (
    bits_of,
    encoders_of,
    masked_of,
    mistakes_of,
    size_of,
    weighted_loss_of,
)
from logicoder.problem.model import Problem

OBJECTIVES: dict[str, tuple[str, ...]] = {
    "loss": ("loss",),
    "lexicographic": ("loss", "size"),
    "bits": ("bits",),
    "masked": ("both", "size"),
    "loss-then-masked": ("loss", "masked", "size"),
}
"""The goals of each objective, one after the other."""

MASKED_GOALS = frozenset({"masked", "both"})
"""The goals that look at the masked loss."""


def in_units(problem: Problem, goal: str, value: int) -> int | float:
    """Return a value of a goal as people know it: weights as they were given, bits instead of millibits."""
    units = {
        "loss": problem.weight_unit,
        "masked": problem.weight_unit,
        "both": problem.weight_unit * problem.mask[1],
        "bits": 1000,
    }
    return number_of(Fraction(value, units.get(goal, 1)))


@dataclass(frozen=True)
class Solution:
    """A selection of decoders, hence of encoders.

    Attributes:
        decoders: positions of the selected decoders.
        encoders: positions of the encoders that define their latents.
        missing: facts that are not rebuilt.
        false: atoms that are rebuilt but are not facts.
        weighted: the weighted loss, in weight units of the problem.
        masked: facts that are missing when their predicate is masked; 0 if masking does not count.
        weighted_masked: the same with the weights of the predicates, in weight units of the problem.
        both: weighted loss and masked loss together, with the weight of the latter.
        size: latent facts plus body literals of all selected clauses.
        bits: description length, in millibits.
        goal: what was minimised first: `loss` (the weighted one), `both` or `bits`.
        bound: proven lower bound on that of any selection from this problem.
        size_bound: proven lower bound on the size of any selection with this loss; 0 if none was sought.
        method: the solver that found it.
        effort: deterministic effort spent, in the solver's own seconds.
        stopped: why the search ended before everything was proved: `interrupted`, `time limit` or `effort`.
    """

    decoders: tuple[int, ...]
    encoders: tuple[int, ...]
    missing: int
    false: int
    weighted: int
    masked: int
    weighted_masked: int
    both: int
    size: int
    bits: int
    goal: str
    bound: int
    size_bound: int
    method: str
    effort: float = 0.0
    stopped: str | None = None

    @classmethod
    def of(
        cls,
        problem: Problem,
        decoders: Iterable[int],
        bound: int,
        method: str,
        *,
        goal: str = "loss",
        size_bound: int = 0,
        effort: float = 0.0,
        stopped: str | None = None,
    ) -> Solution:
        """Return the solution of a choice of decoders, with its loss counted from the problem."""
        chosen = tuple(sorted(set(decoders)))
        mistakes = mistakes_of(problem, chosen)
        weighted = weighted_loss_of(problem, mistakes)
        masked = masked_of(problem, chosen)
        weighted_masked = sum(t.weight * n for t, n in zip(problem.targets, masked, strict=True))
        numerator, denominator = problem.mask
        both = denominator * weighted + numerator * weighted_masked
        size = size_of(problem, chosen)
        bits = bits_of(problem, chosen, mistakes)
        first = {"loss": weighted, "both": both, "bits": bits}[goal]
        return cls(
            chosen,
            encoders_of(problem, chosen),
            sum(mistakes[0]),
            sum(mistakes[1]),
            weighted,
            sum(masked),
            weighted_masked,
            both,
            size,
            bits,
            goal,
            min(bound, first),
            min(size_bound, size),
            method,
            effort,
            stopped,
        )

    @property
    def loss(self) -> int:
        """Missing and false atoms together."""
        return self.missing + self.false

    @property
    def objective(self) -> int:
        """What was minimised first."""
        return self.value(self.goal)

    def value(self, goal: str) -> int:
        """Return the value of a goal."""
        return {
            "loss": self.weighted,
            "masked": self.weighted_masked,
            "both": self.both,
            "size": self.size,
            "bits": self.bits,
        }[goal]

    @property
    def gap(self) -> float:
        """(objective - bound) / max(1, objective): zero means proved optimal."""
        return (self.objective - self.bound) / max(1, self.objective)

    @property
    def status(self) -> str:
        """`optimal` where the bound is reached, otherwise `feasible`."""
        return "optimal" if self.objective == self.bound else "feasible"
