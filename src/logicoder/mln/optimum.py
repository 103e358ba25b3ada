"""Maximising penalised pseudo-likelihoods: concave functions of the weights, over a few hundred rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from logicoder.base.errors import UsageError
from logicoder.mln.likelihood import PseudoLikelihood
from logicoder.mln.priors import Prior

_MOST_FOR_NEWTON = 500
"""Weights up to which second derivatives are used: beyond, the linear systems cost more than they save."""
_SUFFICIENT = 1e-4
"""The share of the promised gain that a step must bring."""
_SHORTEST = 2.0**-40
_ROUNDING = 1e-14


@dataclass(frozen=True)
class Optimum:
    """An optimum of a penalised likelihood.

    Attributes:
        weights: the weights.
        value: the likelihood less the penalty.
        gradient_norm: the largest partial derivative, zero at an optimum.
        iterations: the steps that were taken.
    """

    weights: np.ndarray
    value: float
    gradient_norm: float
    iterations: int


def fit(
    likelihood: PseudoLikelihood,
    prior: Prior,
    start: Sequence[float] | np.ndarray | None = None,
    *,
    tolerance: float = 1e-6,
    iterations: int = 1000,
) -> Optimum:
    """Return the weights of the largest likelihood less the penalty.

    By Newton's method for up to some hundred weights, which takes a few steps; else, and with an L1 penalty,
    by L-BFGS.

    Raises:
        UsageError: if `start` is not one finite number for each weight.
    """
    width = likelihood.signed.shape[1]
    prior = prior.for_weights(width)
    begin = np.array(prior.mean if start is None else start, float)
    if begin.shape != (width,) or not np.isfinite(begin).all():
        raise UsageError(f"the start must be {width} numbers, one for each soft formula")
    if not width:
        return Optimum(begin, likelihood.value(begin), 0.0, 0)
    if prior.kind != "l1" and width <= _MOST_FOR_NEWTON:
        weights, steps = newton(likelihood, prior, begin, tolerance, iterations)
    else:
        weights, steps = lbfgs(likelihood, prior, begin, tolerance, iterations)
    value, gradient = likelihood.value_and_gradient(weights)
    slope = prior.optimality(weights, gradient)
    return Optimum(weights, value - prior.penalty(weights), float(np.abs(slope).max()), steps)


def newton(
    likelihood: PseudoLikelihood, prior: Prior, start: np.ndarray, tolerance: float, iterations: int
) -> tuple[np.ndarray, int]:
    """Return the optimum and the number of steps, each halved until it brings what it promises."""
    weights, ridge = start, prior.curvature + 1e-12
    for step in range(iterations):
        value, gradient, hessian = likelihood.second_order(weights)
        value -= prior.penalty(weights)
        gradient = gradient - prior.gradient(weights)
        if np.abs(gradient).max() <= tolerance:
            return weights, step
        hessian[np.diag_indices_from(hessian)] += ridge
        direction = np.linalg.solve(hessian, gradient)
        promise, length = _SUFFICIENT * float(gradient @ direction), 1.0
        while length > _SHORTEST:
            trial = weights + length * direction
            # Close to the optimum, gains are smaller than the rounding of the values.
            wanted = value + length * promise - _ROUNDING * (1 + abs(value))
            if likelihood.value(trial) - prior.penalty(trial) >= wanted:
                break
            length /= 2
        else:
            return weights, step
        weights = trial
    return weights, iterations


def lbfgs(
    likelihood: PseudoLikelihood, prior: Prior, start: np.ndarray, tolerance: float, iterations: int
) -> tuple[np.ndarray, int]:
    """Return the optimum and the number of steps.

    Each weight is measured in units of its own curvature, so that clauses with many groundings and clauses
    with few converge together. An L1 penalty is made smooth by splitting weights into parts above and below
    the mean, both bounded by zero: weights at the mean are so exactly.
    """
    from scipy.optimize import minimize  # noqa: PLC0415  (slow to import)

    width, split = len(start), prior.kind == "l1"
    scale = 1 / np.sqrt(likelihood.curvature() + prior.curvature + 1e-12)
    slope = np.full(width, np.inf)

    def weights_of(point: np.ndarray) -> np.ndarray:
        return np.asarray(prior.mean + (point[:width] - point[width:] if split else point) * scale)

    def descent(point: np.ndarray) -> tuple[float, np.ndarray]:
        weights = weights_of(point)
        value, gradient = likelihood.value_and_gradient(weights)
        slope[:] = prior.optimality(weights, gradient)
        if not split:
            return prior.penalty(weights) - value, (prior.gradient(weights) - gradient) * scale
        rent = scale / prior.sigma
        parts = np.concatenate([rent - gradient * scale, rent + gradient * scale])
        return float(rent @ (point[:width] + point[width:])) - value, parts

    away = (start - prior.mean) / scale
    first = np.concatenate([np.maximum(away, 0), np.maximum(-away, 0)]) if split else away
    found = minimize(
        descent,
        first,
        jac=True,
        method="L-BFGS-B",
        bounds=[(0, None)] * len(first) if split else None,
        callback=_stopper(slope, tolerance),
        options={"maxiter": iterations, "maxfun": 20 * iterations, "ftol": 0, "gtol": 0, "maxcor": 30},
    )
    return weights_of(found.x), int(found.nit)


def _stopper(slope: np.ndarray, tolerance: float) -> Callable[[np.ndarray], None]:
    def stop(_: np.ndarray) -> None:
        if np.abs(slope).max() <= tolerance:
            raise StopIteration

    return stop
