"""HiGHS: branch and cut over linear rows, in the version that SciPy brings along.

The package `highspy` cannot be loaded into one process with OR-Tools: both bring a HiGHS of their own, with
the same names inside.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from logicoder.base.stopping import abandon_beside
from logicoder.selection.interface import BackendSolver
from logicoder.selection.outcome import Outcome

if TYPE_CHECKING:
    from logicoder.base.stopping import StopToken
    from logicoder.selection.formulation import Formulation
    from logicoder.selection.outcome import Improved

_TIME_LIMIT, _INFEASIBLE = 1, 2


@dataclass(frozen=True)
class HighsSolver(BackendSolver):
    """Mixed-integer programming."""

    name: ClassVar[str] = "highs"

    def minimise(
        self, formulation: Formulation, *, seed: int, stop: StopToken, improved: Improved
    ) -> Outcome:
        """See `BackendSolver.minimise`; SciPy's HiGHS takes no seed and tells nothing before its end."""
        del seed, improved
        started = perf_counter()
        found = abandon_beside(lambda: _solved(formulation, stop.remaining), stop)
        seconds = perf_counter() - started
        if found is None:
            return Outcome("unknown", None, 0, seconds)
        bound = 0
        if found.mip_dual_bound is not None and math.isfinite(found.mip_dual_bound):
            lowest = found.mip_dual_bound + formulation.objective.over_variables()[1]
            bound = max(0, math.ceil(lowest - 1e-6 * max(1.0, abs(lowest))))
        if found.x is None:
            return Outcome("infeasible" if found.status == _INFEASIBLE else "unknown", None, bound, seconds)
        values = [value > 0.5 for value in found.x]
        value = formulation.objective.value(values)
        if found.status == 0:
            return Outcome("optimal", formulation.selected(values), value, seconds, value)
        return Outcome("feasible", formulation.selected(values), min(bound, value), seconds, value)


def _solved(formulation: Formulation, seconds: float | None) -> Any:
    """Return what SciPy returns."""
    from scipy.optimize import Bounds, LinearConstraint, milp  # noqa: PLC0415  (takes half a second to import)
    from scipy.sparse import csr_array  # noqa: PLC0415

    rows = list(formulation.rows())
    matrix = csr_array(
        (
            np.array([c for row, _, _ in rows for c in row.values()], float),
            np.array([v for row, _, _ in rows for v in row], np.int64),
            np.cumsum([0, *(len(row) for row, _, _ in rows)]),
        ),
        shape=(len(rows), formulation.variables),
    )
    cost = np.zeros(formulation.variables)
    for variable, coefficient in formulation.objective.over_variables()[0].items():
        cost[variable] = coefficient
    return milp(
        cost,
        integrality=np.ones(formulation.variables),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(matrix, [low for _, low, _ in rows], [high for _, _, high in rows]),
        options={"mip_rel_gap": 0.0, **({} if seconds is None else {"time_limit": max(seconds, 1e-3)})},
    )
