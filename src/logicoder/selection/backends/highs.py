"""HiGHS: branch and cut over linear rows, in the version that SciPy brings along.

The package `highspy` cannot be loaded into one process with OR-Tools: both bring a HiGHS of their own, with
the same names inside.
"""

from __future__ import annotations

import math
import subprocess
import sys
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from logicoder.base.errors import SearchError
from logicoder.base.stopping import TIME_LIMIT, run_beside
from logicoder.selection.backends import highs_process
from logicoder.selection.backends.highs_process import packed, unpacked
from logicoder.selection.interface import BackendSolver
from logicoder.selection.outcome import Outcome

if TYPE_CHECKING:
    from logicoder.base.stopping import StopToken
    from logicoder.selection.formulation import Formulation
    from logicoder.selection.outcome import Improved

_OPTIMAL, _INFEASIBLE = 0, 2
_GRACE = 5.0
"""Seconds after its limit within which HiGHS tells the best solution that it has."""


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
        found = _run(_arrays(formulation, stop.remaining), stop)
        seconds = perf_counter() - started
        if found is None:
            return Outcome("unknown", None, 0, seconds)
        status = int(found["status"])
        lowest = float(found["bound"]) + formulation.objective.over_variables()[1]
        # Its numbers are fractions: what they err must not make a bound that is not proved.
        bound = max(0, math.ceil(lowest - 1e-6 * max(1.0, abs(lowest)))) if math.isfinite(lowest) else 0
        if not found["values"].size:
            return Outcome("infeasible" if status == _INFEASIBLE else "unknown", None, bound, seconds)
        values = [value > 0.5 for value in found["values"].tolist()]
        value = formulation.objective.value(values)
        if status == _OPTIMAL:
            return Outcome("optimal", formulation.selected(values), value, seconds, value)
        return Outcome("feasible", formulation.selected(values), min(bound, value), seconds, value)


def _arrays(formulation: Formulation, seconds: float | None) -> dict[str, np.ndarray]:
    rows = list(formulation.rows())
    cost = np.zeros(formulation.variables)
    for variable, coefficient in formulation.objective.over_variables()[0].items():
        cost[variable] = coefficient
    return {
        "cost": cost,
        "coefficients": np.array([c for row, _, _ in rows for c in row.values()], float),
        "variables": np.array([v for row, _, _ in rows for v in row], np.int64),
        "starts": np.cumsum([0, *(len(row) for row, _, _ in rows)]),
        "lower": np.array([low for _, low, _ in rows], float),
        "upper": np.array([high for _, _, high in rows], float),
        "seconds": np.array(math.inf if seconds is None else max(seconds, 1e-3)),
    }


def _run(arrays: dict[str, np.ndarray], stop: StopToken) -> dict[str, np.ndarray] | None:
    """Run HiGHS in a process of its own; None if it was ended from outside."""
    deadline = perf_counter() + float(arrays["seconds"]) + _GRACE
    command = [sys.executable, "-P", highs_process.__file__]
    with subprocess.Popen(  # noqa: S603
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as process:

        def end() -> None:
            if stop.reason != TIME_LIMIT or perf_counter() > deadline:
                process.kill()

        output, errors = run_beside(lambda: process.communicate(packed(arrays)), stop, end)
    if process.returncode == 0:
        return unpacked(output)
    if stop.stopped:
        return None
    raise SearchError(f"HiGHS failed: {errors.decode(errors='replace').strip()[-500:]}")
