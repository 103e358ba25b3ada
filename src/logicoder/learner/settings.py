"""The settings of a learner, checked once, with the paper's as a preset."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from numbers import Integral
from typing import Any

from logicoder.base.errors import UsageError
from logicoder.base.memory import MemoryBudget
from logicoder.base.numbers import exact_fraction
from logicoder.candidates.encoder_limits import EncoderLimits
from logicoder.candidates.language import Switches
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
from logicoder.selection import MASKED_GOALS, OBJECTIVES, SOLVERS

_MILLION = 1_000_000

_COUNTS = (
    "max_latent_arity",
    "max_decoders",
    "working_set",
    "max_bodies",
    "max_tuples",
    "max_encoders",
    "max_work",
    "jobs",
)

_JOINED_PER_FACT = 500
"""All joins of two literals together have at most so many tuples for each fact; the smallest come first."""

_JOIN_BYTES = 80
"""What a tuple takes while a join is made."""

_KEPT_BYTES = 10
"""What a tuple of a kept extension takes."""


@dataclass(frozen=True)
class Settings:
    """What the learner considers, demands and spends; see `logicoder.AutoEncoder` for each of them."""

    encoder_length: int = 2
    decoder_length: int = 2
    compression: float | str | Fraction = 0.8
    max_latent_arity: int | None = None
    constants: int = 0
    negation: bool = False
    inequality: bool = False
    recursion: bool = False
    naming_variants: bool = True
    signature_variants: bool = True
    max_corruption: float | str | Fraction | None = None
    dominance: bool = True
    drop_extensions: bool | None = None
    max_decoders: int | None = 20_000
    working_set: int | None = 1_500
    rounds: int = 8
    max_bodies: int | None = 10_000
    max_tuples: int | None = 5_000_000
    max_encoders: int | None = 100_000
    max_work: int | None = 8_000_000
    max_memory: int | str | None = None
    generality: bool = True
    reconstruct_all: bool = True
    bottlenecks: Sequence[Bottleneck | str] = ("total",)
    weights: Mapping[str, Any] | Sequence[str] | str | None = None
    limits: Mapping[str, Mapping[str, Any]] | Sequence[str] | None = None
    require: Program | str | Sequence[Program | str] | None = None
    forbid: Program | str | Sequence[Program | str] | None = None
    objective: str = "lexicographic"
    mask_weight: float | str | Fraction = 1
    solver: str = "auto"
    alpha: float = 0.5
    beta: float = 0.9
    effort: float = 120.0
    time_limit: float | None = None
    seed: int = 0
    jobs: int | None = None

    def checked(self) -> Settings:
        """Return the settings, or say which value is wrong and what it may be."""
        for name in ("encoder_length", "decoder_length"):
            _whole(name, getattr(self, name), 1)
        for name in _COUNTS:
            if getattr(self, name) is not None:
                _whole(name, getattr(self, name), 1)
        MemoryBudget.of(self.max_memory, 0, 0)
        _whole("seed", self.seed, 0)
        _whole("constants", self.constants, 0)
        _whole("rounds", self.rounds, 0)
        if self.seed >= 2**31:
            raise UsageError(f"seed must be below 2147483648, not {self.seed}")
        if exact_fraction("compression", self.compression) <= 0:
            raise UsageError(f"compression must be greater than 0, not {self.compression}")
        if (
            self.max_corruption is not None
            and not 0 <= exact_fraction("max_corruption", self.max_corruption) <= 1
        ):
            raise UsageError(f"max_corruption must be between 0 and 1, or None, not {self.max_corruption}")
        for name in ("alpha", "beta"):
            if not 0 <= getattr(self, name) <= 1:
                raise UsageError(f"{name} is a share between 0 and 1, not {getattr(self, name)}")
        self._check_search()
        if self.objective not in OBJECTIVES:
            raise UsageError(
                f"there is no objective {self.objective!r}; choose from: {', '.join(OBJECTIVES)}"
            )
        if exact_fraction("mask_weight", self.mask_weight) < 0:
            raise UsageError(f"mask_weight must be at least 0, not {self.mask_weight}")
        bottlenecks_of(self.bottlenecks)
        weights_of(self.weights)
        limits_of(self.limits)
        return self

    def _check_search(self) -> None:
        if not self.effort > 0:
            raise UsageError(f"effort must be greater than 0, not {self.effort}")
        if self.time_limit is not None and not self.time_limit > 0:
            raise UsageError(f"time_limit must be greater than 0 seconds, or None, not {self.time_limit}")
        if self.solver not in SOLVERS:
            raise UsageError(f"there is no solver {self.solver!r}; choose from: {', '.join(SOLVERS)}")

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
    def masks(self) -> bool:
        """Whether the masked loss counts: as a goal, or in a bottleneck or limit."""
        return (
            not MASKED_GOALS.isdisjoint(OBJECTIVES[self.objective])
            or any(bottleneck.kind == MASKED for bottleneck in bottlenecks_of(self.bottlenecks))
            or any(limit.kind == MASKED for limit in limits_of(self.limits))
        )

    @property
    def switches(self) -> Switches:
        """What clauses may hold besides plain literals."""
        return Switches(self.constants, self.negation, self.inequality, self.recursion)

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
        if self.require or self.objective == "bits" or "bits" in kinds:
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
        )

    @property
    def gamma(self) -> Fraction:
        """The compression γ as the exact fraction of its decimal text."""
        return exact_fraction("compression", self.compression)

    @property
    def corruption(self) -> Fraction | None:
        """The corruption threshold as an exact fraction."""
        return None if self.max_corruption is None else exact_fraction("max_corruption", self.max_corruption)

    def candidate_settings(self) -> dict[str, Any]:
        """Return the settings that determine the problem, whoever solves it then."""
        solving = {"objective", "solver", "alpha", "beta", "effort", "time_limit", "seed", "jobs"}
        names = [item.name for item in fields(self) if item.name not in solving]
        return {name: plain(getattr(self, name)) for name in names} | {"masks": self.masks}


PRESETS: dict[str, dict[str, Any]] = {
    # "Learning Relational Representations with Auto-encoding Logic Programs" (IJCAI 2019): all three pruning
    # rules, all four families of constraints, the average bottleneck, the reconstruction loss.
    "paper": {
        "encoder_length": 2,
        "decoder_length": 2,
        "compression": 0.5,
        "naming_variants": True,
        "signature_variants": True,
        "max_corruption": 0.5,
        "dominance": False,
        "generality": True,
        "reconstruct_all": True,
        "bottlenecks": ("average",),
        "objective": "loss",
    },
}


def _whole(name: str, value: object, least: int) -> None:
    # Integral: a grid made with numpy has whole numbers of its own kind.
    if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < least:
        raise UsageError(f"{name} must be a whole number of at least {least}, not {value!r}")


def plain(value: Any) -> Any:
    """Return a setting as JSON knows it."""
    if isinstance(value, Fraction | Bottleneck | Program):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return int(value) if isinstance(value, Integral) and not isinstance(value, bool) else value
