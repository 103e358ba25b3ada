"""What the settings of a learner come to: which constraints, limits and clauses they stand for."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from fractions import Fraction
from numbers import Integral
from time import monotonic
from typing import Any, Self

from logicoder.base.memory import MemoryBudget
from logicoder.base.numbers import exact_fraction
from logicoder.candidates.encoder_limits import EncoderLimits
from logicoder.candidates.language import Switches
from logicoder.learner.parameters import LearnerParameters
from logicoder.logic.terms import Program
from logicoder.problem.bottlenecks import (
    AverageFacts,
    Bottleneck,
    LargestLatent,
    TotalFacts,
    bottlenecks_of,
    with_bottlenecks,
)
from logicoder.problem.limits import limits_of, require_known, with_limits
from logicoder.problem.masking import MASKED, with_masking
from logicoder.problem.model import Problem
from logicoder.problem.weights import weights_of, with_weights
from logicoder.selection import MASKED_GOALS, OBJECTIVES

_COMPRESSION = "0.8"
"""Unless given, where a solver selects the clauses."""

_MILLION = 1_000_000

_JOINED_PER_FACT = 500
"""All joins of two literals together have at most so many tuples for each fact; the smallest come first."""

_JOIN_BYTES = 80
"""What a tuple takes while a join is made."""

_KEPT_BYTES = 10
"""What a tuple of a kept extension takes."""

_BODY_BYTES = 1500
"""What a body takes with all that is known of it."""


class Settings(LearnerParameters):
    """What the learner considers, demands and spends, and what follows; it is not changed in place."""

    def check_predicates(self, learnable: Collection[str]) -> None:
        """Refuse weights and limits of unknown predicates before the long work begins."""
        weights = weights_of(self.weights)
        for name in weights if isinstance(weights, Mapping) else ():
            require_known(name, learnable, f"the weight of {name}")
        for limit in limits_of(self.limits):
            require_known(limit.predicate, learnable, f"the limit {limit}")

    def constrained(self, problem: Problem) -> Problem:
        """Return a problem with the weights, limits and bottlenecks of the settings."""
        if self.masks:
            problem = with_masking(problem, exact_fraction("mask_weight", self.mask_weight))
        problem = with_limits(with_weights(problem, weights_of(self.weights)), limits_of(self.limits))
        return with_bottlenecks(problem, [b.at(self.gamma) for b in bottlenecks_of(self.bottlenecks)])

    @property
    def goal(self) -> str:
        """What is minimised where a solver selects the clauses."""
        return self.objective or "lexicographic"

    @property
    def masks(self) -> bool:
        """Whether the masked loss counts: as a goal, or in a bottleneck or limit."""
        return (
            not MASKED_GOALS.isdisjoint(OBJECTIVES[self.goal])
            or any(bottleneck.kind == MASKED for bottleneck in bottlenecks_of(self.bottlenecks))
            or any(limit.kind == MASKED for limit in limits_of(self.limits))
        )

    @property
    def switches(self) -> Switches:
        """What clauses may hold besides plain literals."""
        return Switches(
            self.constants, self.negation, self.inequality, self.recursion, self.repeated_variables
        )

    @property
    def drops_extensions(self) -> bool | None:
        """Whether a body is left out of which a part derives no more false atoms; None: such come last."""
        return True if self.drop_extensions is None and self.prunes_dominated else self.drop_extensions

    @property
    def prunes_dominated(self) -> bool:
        """Whether dominated decoders are left out.

        Under generality, a decoder that stands for another may exclude a third one, whose latents a
        bottleneck on the mean can need, or which is required: there dominance could lose the optimum. So it
        could where bits count: of two clauses of as many literals one may take fewer.
        """
        kinds = {bottleneck.kind for bottleneck in bottlenecks_of(self.bottlenecks)}
        if self.require or self.goal == "bits" or "bits" in kinds:
            return False
        return self.dominance and not ("average" in kinds and self.generality)

    def average_limit(self, facts: int, predicates: int) -> Fraction | None:
        """Return the mean size of latents that bottlenecks on the mean allow; None where there is none."""
        means = [
            b.at(self.gamma).gamma for b in bottlenecks_of(self.bottlenecks) if isinstance(b, AverageFacts)
        ]
        return min(means) * Fraction(facts, predicates) if means else None

    def join_limit(self, facts: int) -> int | None:
        """Return the most tuples of a join: beyond a million facts it grows as they do."""
        return None if self.max_tuples is None else self.max_tuples * max(_MILLION, facts) // _MILLION

    def largest_latent(self, facts: int) -> int | None:
        """Return the most facts of a latent predicate that any selection can afford; None for no limit."""
        found = []
        for bottleneck in bottlenecks_of(self.bottlenecks):
            if isinstance(bottleneck, TotalFacts):
                found.append(int(bottleneck.at(self.gamma).gamma * facts))
            elif isinstance(bottleneck, LargestLatent):
                found.append(bottleneck.most)
        return min(found, default=None)

    def encoder_limits(self, facts: int, budget: MemoryBudget) -> EncoderLimits:
        """Return the limits on encoder candidates for so many facts and so much memory."""
        limit = self.join_limit(facts)
        return EncoderLimits(
            limit,
            None if limit is None else max(10 * limit, _JOINED_PER_FACT * facts),
            self.max_encoders,
            self.largest_latent(facts),
            budget.part(0.3) // _JOIN_BYTES,
            budget.part(0.35) // _KEPT_BYTES,
            budget.part(0.2) // _BODY_BYTES,
        )

    @property
    def gamma(self) -> Fraction:
        """The compression γ as the exact fraction of its decimal text."""
        given = _COMPRESSION if self.compression is None else self.compression
        return exact_fraction("compression", given)

    @property
    def corruption(self) -> Fraction | None:
        """The corruption threshold as a fraction; of more than nine digits the nearest one that has no more.

        Counts of atoms are multiplied by its denominator, and must stay machine words.
        """
        if self.max_corruption is None:
            return None
        exact = exact_fraction("max_corruption", self.max_corruption)
        return max(exact.limit_denominator(10**9), Fraction(exact > 0, 10**9))

    def left_since(self, began: float) -> Self:
        """Return the same with what is left of the time limit, a tenth at least.

        Args:
            began: when its time began, by `time.monotonic`.
        """
        if self.time_limit is None:
            return self
        return replace(self, time_limit=max(0.1 * self.time_limit, self.time_limit - (monotonic() - began)))

    def candidate_settings(self) -> dict[str, Any]:
        """Return the settings that determine the problem, whoever solves it then."""
        solving = {"objective", "solver", "alpha", "beta", "effort", "time_limit", "seed", "jobs"}
        found = {name: plain(value) for name, value in self.get_params().items() if name not in solving}
        return found | {"masks": self.masks}


def require_program(given: object) -> None:
    """Refuse what is neither a program nor its text."""
    if not isinstance(given, str | Program):
        raise TypeError


def require_programs(given: object) -> None:
    """Refuse what is neither a program nor its text, nor several of them."""
    for part in [given] if isinstance(given, str | Program) else list(given):  # type: ignore[call-overload]
        require_program(part)


def plain(value: Any) -> Any:
    """Return a setting as JSON knows it."""
    if isinstance(value, Fraction | Bottleneck | Program):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return int(value) if isinstance(value, Integral) and not isinstance(value, bool) else value
