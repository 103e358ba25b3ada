"""Weights of the largest penalised log-likelihood, by Newton's method.

A network under construction has a few dozen weights and a few hundred distinct rows: a step costs less than a
millisecond, and a handful of steps from the weights before the last clause reach the optimum.
"""

from __future__ import annotations

import numpy as np

_MOST_STEPS = 200
_TOLERANCE = 1e-10


def maximised(
    matrix: np.ndarray, signs: np.ndarray, shares: np.ndarray, start: np.ndarray, precision: float
) -> tuple[np.ndarray, float]:
    """Return the weights that maximise a penalised log-likelihood, and its value, by Newton's method.

    The objective is strictly concave, so the maximum is one, whatever the start.
    """
    weights = start
    value = _value(matrix, signs, shares, weights, precision)
    for _ in range(_MOST_STEPS):
        odds = matrix @ weights
        probability = sigmoid(-signs * odds)
        gradient = matrix.T @ (shares * signs * probability) - precision * weights
        curvature = (matrix.T * (shares * probability * (1.0 - probability))) @ matrix
        curvature[np.diag_indices_from(curvature)] += precision
        step = np.linalg.solve(curvature, gradient)
        promise = float(gradient @ step)
        if promise < _TOLERANCE:
            break
        size = 1.0
        while True:
            following = weights + size * step
            reached = _value(matrix, signs, shares, following, precision)
            if reached >= value + 1e-4 * size * promise or size < 1e-10:
                break
            size /= 2.0
        if reached <= value:
            break
        weights, value = following, reached
    return weights, value


def _value(
    matrix: np.ndarray, signs: np.ndarray, shares: np.ndarray, weights: np.ndarray, precision: float
) -> float:
    losses = np.logaddexp(0.0, -signs * (matrix @ weights))
    return float(-(shares @ losses) - 0.5 * precision * (weights @ weights))


def sigmoid(values: np.ndarray) -> np.ndarray:
    """Return the probabilities of log-odds, without overflow."""
    return 0.5 * (1.0 + np.tanh(0.5 * values))
