"""The settings of a learner, checked once, with the paper's as a preset."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from fractions import Fraction
from numbers import Integral
from typing import Any

from logicoder.base.errors import UsageError
from logicoder.candidates.language import Switches
from logicoder.selection import OBJECTIVES, SOLVERS


@dataclass(frozen=True)
class Settings:
    """What the learner considers, demands and spends; see `logicoder.AutoEncoder` for each of them."""

    encoder_length: int = 2
    decoder_length: int = 2
    compression: float | str | Fraction = 0.5
    max_latent_arity: int | None = None
    constants: int = 0
    negation: bool = False
    inequality: bool = False
    recursion: bool = False
    naming_variants: bool = True
    signature_variants: bool = True
    max_corruption: float | str | Fraction | None = 0.5
    drop_extensions: bool | None = None
    max_decoders: int | None = 20_000
    max_bodies: int | None = 10_000
    max_tuples: int | None = 5_000_000
    generality: bool = True
    reconstruct_all: bool = True
    objective: str = "lexicographic"
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
        for name in ("max_latent_arity", "max_decoders", "max_bodies", "max_tuples", "jobs"):
            if getattr(self, name) is not None:
                _whole(name, getattr(self, name), 1)
        _whole("seed", self.seed, 0)
        _whole("constants", self.constants, 0)
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
        if not self.effort > 0:
            raise UsageError(f"effort must be greater than 0, not {self.effort}")
        if self.time_limit is not None and not self.time_limit > 0:
            raise UsageError(f"time_limit must be greater than 0 seconds, or None, not {self.time_limit}")
        if self.solver not in SOLVERS:
            raise UsageError(f"there is no solver {self.solver!r}; choose from: {', '.join(SOLVERS)}")
        if self.objective not in OBJECTIVES:
            raise UsageError(
                f"there is no objective {self.objective!r}; choose from: {', '.join(OBJECTIVES)}"
            )
        return self

    @property
    def switches(self) -> Switches:
        """What clauses may hold besides plain literals."""
        return Switches(self.constants, self.negation, self.inequality, self.recursion)

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
        return {name: plain(value) for name, value in asdict(self).items() if name not in solving}


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
        "generality": True,
        "reconstruct_all": True,
        "objective": "loss",
    },
}


def exact_fraction(name: str, value: float | str | Fraction) -> Fraction:
    """Return the exact fraction of a number's decimal text: 0.3 is three tenths.

    >>> exact_fraction("compression", 0.3)
    Fraction(3, 10)
    """
    try:
        return value if isinstance(value, Fraction) else Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        raise UsageError(f"{name} must be a number such as 0.5, not {value!r}") from None


def _whole(name: str, value: object, least: int) -> None:
    # Integral: a grid made with numpy has whole numbers of its own kind.
    if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < least:
        raise UsageError(f"{name} must be a whole number of at least {least}, not {value!r}")


def plain(value: Any) -> Any:
    """Return a setting as JSON knows it."""
    if isinstance(value, Fraction):
        return str(value)
    return int(value) if isinstance(value, Integral) and not isinstance(value, bool) else value
