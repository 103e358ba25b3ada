"""Priors of weights: what is subtracted from the log-likelihood."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from logicoder.base.errors import UsageError

PriorName = Literal["gaussian", "l1", "none"]
PRIORS: tuple[PriorName, ...] = ("gaussian", "l1", "none")


@dataclass(frozen=True)
class Prior:
    """A prior of independent weights.

    Attributes:
        kind: `gaussian` for (w - mean)² / (2 sigma²), `l1` for |w - mean| / sigma, or `none`.
        sigma: the standard deviation of the Gaussian, or the scale of the Laplace distribution.
        mean: where the penalty is zero.

    >>> Prior("gaussian", sigma=2.0).penalty(np.array([2.0, 4.0]))
    2.5
    >>> Prior("l1", sigma=2.0).penalty(np.array([2.0, -4.0]))
    3.0
    """

    kind: PriorName = "gaussian"
    sigma: float = 100.0
    mean: float = 0.0

    def __post_init__(self) -> None:
        if self.kind not in PRIORS:
            raise UsageError(f"there is no prior {self.kind!r}; choose from: {', '.join(PRIORS)}")
        if not 0 < self.sigma < float("inf"):
            raise UsageError(f"sigma must be a positive number, not {self.sigma!r}")
        if not np.isfinite(self.mean):
            raise UsageError(f"the mean of the weights must be a number, not {self.mean!r}")

    def penalty(self, weights: np.ndarray) -> float:
        """Return what is subtracted for some weights."""
        away = weights - self.mean
        if self.kind == "gaussian":
            return float(away @ away) / (2 * self.sigma**2)
        return float(np.abs(away).sum()) / self.sigma if self.kind == "l1" else 0.0

    def gradient(self, weights: np.ndarray) -> np.ndarray:
        """Return the gradient of the penalty; that of `l1` is zero where it has none."""
        away = weights - self.mean
        if self.kind == "gaussian":
            return np.asarray(away / self.sigma**2)
        return np.sign(away) / self.sigma if self.kind == "l1" else np.zeros_like(away)

    @property
    def curvature(self) -> float:
        """The second derivative of the penalty."""
        return 1 / self.sigma**2 if self.kind == "gaussian" else 0.0

    def optimality(self, weights: np.ndarray, gradient: np.ndarray) -> np.ndarray:
        """Return the steepest ascent of a likelihood less the penalty: zero at an optimum.

        Args:
            weights: where.
            gradient: that of the likelihood.
        """
        ascent = np.asarray(gradient - self.gradient(weights))
        if self.kind == "l1":
            still = weights == self.mean
            ascent[still] = np.sign(gradient[still]) * np.maximum(np.abs(gradient[still]) - 1 / self.sigma, 0)
        return ascent
