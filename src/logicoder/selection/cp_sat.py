"""CP-SAT: stopped at any time, telling what it finds, and giving the same answer every time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from logicoder.base.stopping import TIME_LIMIT, run_beside
from logicoder.selection.formulation import (
    AnyOf,
    AtMost,
    AtMostOne,
    Equals,
    ExactlyOne,
    Formulation,
    Implies,
    Sum,
)
from logicoder.selection.outcome import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ortools.sat.python.cp_model import CpModel

    from logicoder.base.stopping import StopToken
    from logicoder.selection.outcome import Improved

INTERLEAVED_WORKERS = 8
"""Fixed, whatever the machine: interleaved search gives the same result for the same number of workers."""


def run(
    formulation: Formulation,
    *,
    seed: int,
    effort: float,
    stop: StopToken,
    interleaved: bool = False,
    improved: Improved | None = None,
    first: bool = False,
) -> Outcome:
    """Minimise the objective of a formulation within a deterministic effort.

    Args:
        formulation: what to solve.
        seed: seed of the search.
        effort: limit in CP-SAT's deterministic seconds.
        stop: stops the search early.
        interleaved: many strategies in turn (better bounds) instead of a single one (quicker start).
        improved: told the decoders and the bound of every improvement.
        first: end with the first solution.
    """
    from ortools.sat.python import cp_model  # noqa: PLC0415  (takes half a second to import)

    model, variables = translated(formulation)
    solver = cp_model.CpSolver()
    parameters = solver.parameters
    parameters.random_seed = seed
    parameters.max_deterministic_time = effort
    parameters.catch_sigint_signal = False
    parameters.num_workers = INTERLEAVED_WORKERS if interleaved else 1
    parameters.interleave_search = interleaved
    parameters.stop_after_first_solution = first
    if formulation.order:
        parameters.search_branching = cp_model.FIXED_SEARCH
    remaining = stop.remaining
    if remaining is not None:
        parameters.max_time_in_seconds = max(remaining, 1e-3)
    failures: list[BaseException] = []

    def selected(value: Any) -> tuple[int, ...]:
        return tuple(index for index, v in formulation.decoders.items() if value(variables[v]))

    class Listener(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            if improved is None or failures:
                return
            try:
                improved(selected(self.boolean_value), _ceiling(self.best_objective_bound))
            except BaseException as error:
                failures.append(error)
                self.stop_search()

    ended = run_beside(lambda: solver.solve(model, Listener()), stop, solver.stop_search)
    if failures:
        raise failures[0]
    # It may end before its time; what has ended neither by itself nor by its effort has ended by that.
    spent = solver.response_proto.deterministic_time
    early = ended in (cp_model.FEASIBLE, cp_model.UNKNOWN) and not first and spent < effort / 2
    if remaining is not None and (early or solver.wall_time >= remaining):
        stop.stop(TIME_LIMIT)
    status = {
        cp_model.OPTIMAL: "optimal",
        cp_model.FEASIBLE: "feasible",
        cp_model.INFEASIBLE: "infeasible",
    }.get(ended, "unknown")
    chosen = value = None
    if status in ("optimal", "feasible"):
        chosen = selected(solver.boolean_value)
        value = round(solver.objective_value)
    bound = _ceiling(solver.best_objective_bound) if status != "infeasible" else 0
    return Outcome(status, chosen, max(bound, 0), spent, value)


def translated(formulation: Formulation) -> tuple[CpModel, list[Any]]:
    """Return CP-SAT's model of a formulation, and its variables."""
    from ortools.sat.python import cp_model  # noqa: PLC0415  (takes half a second to import)

    model = cp_model.CpModel()
    variables = [model.new_bool_var("") for _ in range(formulation.variables)]

    # Literals as indices: ~i counts from the end.
    literal = [*variables, *(~variable for variable in reversed(variables))]

    def several(numbers: Iterable[int]) -> list[Any]:
        return [literal[number] for number in numbers]

    def total(given: Sum) -> Any:
        return cp_model.LinearExpr.weighted_sum(several(given.literals), given.coefficients) + given.constant

    for number in formulation.fixed:
        model.add(literal[number] == 1)
    for item in formulation.constraints:
        match item:
            case AnyOf(literals):
                model.add_bool_or(several(literals))
            case Implies(premise, conclusions):
                model.add_bool_and(several(conclusions)).only_enforce_if(literal[premise])
            case AtMostOne(literals):
                model.add_at_most_one(several(literals))
            case ExactlyOne(literals):
                model.add_exactly_one(several(literals))
            case Equals(target, literals):
                model.add_max_equality(literal[target], several(literals))
            case AtMost(sum_, bound):
                model.add(total(sum_) <= bound)
    if formulation.hint:
        model.proto.solution_hint.vars.extend([variables[v].index for v in formulation.hint])
        model.proto.solution_hint.values.extend([int(value) for value in formulation.hint.values()])
    if formulation.order:
        model.add_decision_strategy(
            several(formulation.order), cp_model.CHOOSE_FIRST, cp_model.SELECT_MIN_VALUE
        )
    model.minimize(total(formulation.objective))
    return model, variables


def _ceiling(value: float) -> int:
    """Losses are integers: a bound of 3.2 proves 4; what is an integer up to rounding stays it."""
    return -int(-(value - 1e-6) // 1)
