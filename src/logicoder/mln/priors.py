"""Priors of weights: what is subtracted from the log-likelihood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from logicoder.base.errors import UsageError, shown
from logicoder.mln.weight_parameters import WEIGHTS

PriorName = Literal["gaussian", "l1", "none"]
PRIORS: tuple[PriorName, ...] = ("gaussian", "l1", "none")

Numbers = float | Sequence[float] | np.ndarray
"""One number for all weights, or one for each."""


@dataclass(frozen=True, eq=False)
class Prior:
    """A prior of independent weights.

    Attributes:
        kind: `gaussian` for (w - mean)² / (2 sigma²), `l1` for |w - mean| / sigma, or `none`.
        sigma: the standard deviation of the Gaussian, or the scale of the Laplace distribution.
        mean: where the penalty is zero.

    >>> Prior("gaussian", sigma=2.0).penalty(np.array([2.0, 4.0]))
    2.5
    >>> Prior("l1", sigma=[2.0, 8.0]).penalty(np.array([2.0, -4.0]))
    1.5
    """

    kind: PriorName = "gaussian"
    sigma: Numbers = WEIGHTS.sigma
    mean: Numbers = 0.0

    def __post_init__(self) -> None:
        if self.kind not in PRIORS:
            raise UsageError(f"there is no prior {shown(self.kind)}; choose from: {', '.join(PRIORS)}")
        if not all(0 < sigma < float("inf") for sigma in np.atleast_1d(self.sigma)):
            raise UsageError(
                f"sigma must be a positive number, or one for each formula, not {shown(self.sigma)}"
            )
        if not np.isfinite(self.mean).all():
            raise UsageError(f"the mean must be a number, or one for each formula, not {shown(self.mean)}")

    def for_weights(self, width: int) -> Prior:
        """Return the prior with `sigma` and `mean` of each weight.

        Raises:
            UsageError: if there are other numbers of them.
        """
        found = {}
        for name, given in (("sigma", self.sigma), ("mean", self.mean)):
            numbers = np.asarray(given, float)
            if numbers.shape not in ((), (width,)):
                raise UsageError(f"{name} has {numbers.size} numbers for {width} soft formulas")
            found[name] = np.broadcast_to(numbers, (width,))
        return Prior(self.kind, **found)

    def penalty(self, weights: np.ndarray) -> float:
        """Return what is subtracted for some weights."""
        away = (weights - self.mean) / self.sigma
        if self.kind == "gaussian":
            return float(away @ away) / 2
        return float(np.abs(away).sum()) if self.kind == "l1" else 0.0

    def gradient(self, weights: np.ndarray) -> np.ndarray:
        """Return the gradient of the penalty; that of `l1` is zero where it has none."""
        away = (weights - self.mean) / self.sigma
        if self.kind == "gaussian":
            return np.asarray(away / self.sigma)
        return np.sign(away) / self.sigma if self.kind == "l1" else np.zeros_like(away)

    @property
    def curvature(self) -> np.ndarray:
        """The second derivative of the penalty."""
        return np.asarray(self.sigma, float) ** -2.0 * (self.kind == "gaussian")

    def optimality(self, weights: np.ndarray, gradient: np.ndarray) -> np.ndarray:
        """Return the steepest ascent of a likelihood less the penalty: zero at an optimum.

        Args:
            weights: where.
            gradient: that of the likelihood.
        """
        ascent = np.asarray(gradient - self.gradient(weights))
        if self.kind == "l1":
            beyond = np.maximum(np.abs(gradient) - 1 / np.asarray(self.sigma, float), 0)
            ascent = np.where(weights == self.mean, np.sign(gradient) * beyond, ascent)
        return ascent
