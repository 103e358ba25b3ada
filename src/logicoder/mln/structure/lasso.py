"""Which of many candidates matter together? Those whose weights an L1 penalty does not hold at zero.

By a Newton step alone a clause gains more than it costs if its slope is above √(2 × curvature × cost). So
that is what a unit of its weight is charged here: the clauses that would be worth adding to the network alone
compete with each other.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from logicoder.mln.formulas import Literals
from logicoder.mln.optimum import fit as fit_weights
from logicoder.mln.priors import Prior
from logicoder.mln.structure.objective import Fit, GrowingObjective, likelihood_of

_LARGEST = 20_000_000
"""Numbers in the matrix of rows and clauses; the candidates that gain least are left out beyond it."""
_FREE = 1e4
"""Scale of the penalty of weights that are not to be held at zero."""
_TOLERANCE, _STEPS = 1e-4, 300
"""The weights are fitted once more without the penalty: it is enough to see which of them are zero."""

Scored = tuple[float, Literals]


def together(
    objective: GrowingObjective, fit: Fit, candidates: Sequence[Scored], length_penalty: float
) -> list[Scored]:
    """Return the candidates that keep a weight beside each other and the network, in their order."""
    known, rows, taken = len(fit.clauses), fit.rows, list[Scored]()
    for candidate in candidates:
        grown = objective.split(rows, known + len(taken), candidate[1])
        lines = sum(len(part.truth) for part in grown.values())
        if lines * (known + len(taken) + 1) > _LARGEST:
            break
        rows = grown
        taken.append(candidate)
    likelihood = likelihood_of(rows.values(), known + len(taken))
    start = np.append(fit.weights, np.zeros(len(taken)))
    _, _, curve = likelihood.second_order(start)
    curve[np.diag_indices_from(curve)] += objective.prior.curvature
    mixed = curve[known:, :known]
    shared = np.einsum("ij,ji->i", mixed, np.linalg.solve(curve[:known, :known], mixed.T))
    spread = np.maximum(np.diag(curve)[known:] - shared, 1e-12)
    costs = length_penalty * np.array([len(clause) for _, clause in taken])
    sigma = np.append(np.full(known, _FREE), 1.0 / np.maximum(np.sqrt(2.0 * spread * costs), 1.0 / _FREE))
    found = fit_weights(likelihood, Prior("l1", sigma), start, tolerance=_TOLERANCE, iterations=_STEPS)
    return [item for item, weight in zip(taken, found.weights[known:], strict=True) if weight != 0.0]
