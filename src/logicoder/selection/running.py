"""Running CP-SAT so that it can be stopped, reports what it finds, and gives the same answer every time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from logicoder.base.stopping import StopToken, run_beside
from logicoder.selection.model import SelectionModel

INTERLEAVED_WORKERS = 8
"""Fixed, whatever the machine: interleaved search gives the same result for the same number of workers."""


@dataclass(frozen=True)
class Outcome:
    """What one run of CP-SAT ended with.

    Attributes:
        status: `optimal`, `feasible`, `infeasible` or `unknown`.
        decoders: the selected decoders, or None without a solution.
        bound: proven lower bound on the objective.
        effort: deterministic time used.
        value: value of the objective, or None without a solution.
    """

    status: str
    decoders: tuple[int, ...] | None
    bound: int
    effort: float
    value: int | None = None


def run(
    model: SelectionModel,
    objective: Any,
    *,
    seed: int,
    effort: float,
    stop: StopToken,
    interleaved: bool = False,
    improved: Callable[[tuple[int, ...], int], None] | None = None,
) -> Outcome:
    """Minimise an objective of a model within a deterministic effort.

    Args:
        model: the model.
        objective: what to minimise; an integer expression over the model's variables.
        seed: seed of the search.
        effort: limit in CP-SAT's deterministic seconds.
        stop: stops the search early.
        interleaved: many strategies in turn (better bounds) instead of a single one (quicker start).
        improved: told the decoders and the bound of every improvement.
    """
    from ortools.sat.python import cp_model  # noqa: PLC0415  (takes half a second to import)

    model.cp.minimize(objective)
    solver = cp_model.CpSolver()
    parameters = solver.parameters
    parameters.random_seed = seed
    parameters.max_deterministic_time = effort
    parameters.catch_sigint_signal = False
    parameters.num_workers = INTERLEAVED_WORKERS if interleaved else 1
    parameters.interleave_search = interleaved
    remaining = stop.remaining
    if remaining is not None:
        parameters.max_time_in_seconds = max(remaining, 1e-3)

    failures: list[BaseException] = []

    class Listener(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            if improved is None or failures:
                return
            chosen = tuple(
                index for index, variable in model.decoders.items() if self.boolean_value(variable)
            )
            try:
                improved(chosen, _ceiling(self.best_objective_bound))
            except BaseException as error:
                failures.append(error)
                self.stop_search()

    outcome = run_beside(lambda: solver.solve(model.cp, Listener()), stop, solver.stop_search)
    if failures:
        raise failures[0]
    if remaining is not None and solver.wall_time >= remaining:
        stop.stop("time limit")
    status = {
        cp_model.OPTIMAL: "optimal",
        cp_model.FEASIBLE: "feasible",
        cp_model.INFEASIBLE: "infeasible",
    }.get(outcome, "unknown")
    chosen = value = None
    if status in ("optimal", "feasible"):
        chosen = tuple(index for index, variable in model.decoders.items() if solver.boolean_value(variable))
        value = round(solver.objective_value)
    bound = _ceiling(solver.best_objective_bound) if status != "infeasible" else 0
    return Outcome(status, chosen, max(bound, 0), solver.deterministic_time, value)


def _ceiling(value: float) -> int:
    """Losses are integers: a bound of 3.2 proves 4; what is an integer up to rounding stays it."""
    return -int(-(value - 1e-6) // 1)
