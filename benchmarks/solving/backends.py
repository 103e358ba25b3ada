"""The same formulation solved by HiGHS (MIP), RC2 (MaxSAT) and clingo (ASP), each with a time limit.

All of them run in one thread, as the library does for an exact solution.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from solving.formulation import Formulation


@dataclass(frozen=True)
class Solved:
    """What a solver ended with.

    Attributes:
        status: `optimal`, `feasible` or `unknown`.
        decoders: the decoders of its best solution, if it has one.
        bound: a lower bound on the cost that it proved; None where it proves none before the end.
    """

    status: str
    decoders: tuple[int, ...] | None
    bound: int | None


def highs(problem: Formulation, seconds: float) -> Solved:
    """Solve by HiGHS: branch and cut."""
    import highspy  # noqa: PLC0415  (only where it is installed)
    from scipy.sparse import csr_matrix  # noqa: PLC0415

    rows: list[tuple[list[int], list[int], float, float]] = []
    infinite = highspy.kHighsInf
    for clause in problem.clauses:
        signs = [1 if literal > 0 else -1 for literal in clause]
        rows.append((signs, [abs(x) for x in clause], 1 - sum(s < 0 for s in signs), infinite))
    rows.extend(([1] * len(group), group, -infinite, 1) for group in problem.at_most_one)
    rows.extend((c, v, -infinite, bound) for c, v, bound in problem.linear)
    starts = np.cumsum([0, *(len(row[0]) for row in rows)])
    matrix = csr_matrix(
        (
            np.concatenate([np.array(row[0], float) for row in rows]),
            np.concatenate([np.array(row[1]) for row in rows]) - 1,
            starts,
        ),
        shape=(len(rows), problem.variables),
    )
    cost, offset = np.zeros(problem.variables), float(problem.constant)
    for weight, literal in problem.costs:
        cost[abs(literal) - 1] += weight if literal > 0 else -weight
        offset += weight if literal < 0 else 0
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = problem.variables, len(rows)
    model.col_cost_, model.offset_ = cost, offset
    model.col_lower_, model.col_upper_ = np.zeros(problem.variables), np.ones(problem.variables)
    model.row_lower_ = np.array([row[2] for row in rows], float)
    model.row_upper_ = np.array([row[3] for row in rows], float)
    model.integrality_ = [highspy.HighsVarType.kInteger] * problem.variables
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = matrix.indptr
    model.a_matrix_.index_ = matrix.indices
    model.a_matrix_.value_ = matrix.data
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    solver.setOptionValue("time_limit", seconds)
    solver.setOptionValue("mip_rel_gap", 0.0)
    solver.passModel(model)
    solver.run()
    info = solver.getInfo()
    values = solver.getSolution().col_value
    found = info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
    optimal = solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
    bound = info.mip_dual_bound
    return Solved(
        "optimal" if optimal else "feasible" if found else "unknown",
        problem.selected([value > 0.5 for value in values]) if found else None,
        int(np.ceil(bound - 1e-6)) if np.isfinite(bound) else None,
    )


def _positive(coefficients: list[int], variables: list[int], bound: int) -> tuple[list[int], list[int], int]:
    """Return a linear constraint over literals with positive coefficients.

    >>> _positive([2, -3], [1, 2], 1)
    ([2, 3], [1, -2], 4)
    """
    literals = [v if c > 0 else -v for c, v in zip(coefficients, variables, strict=True)]
    return [abs(c) for c in coefficients], literals, bound - sum(c for c in coefficients if c < 0)


def rc2(problem: Formulation, seconds: float) -> Solved:
    """Solve by RC2: MaxSAT by unsatisfiable cores, which finds no solution before the best one."""
    from pysat.card import CardEnc, EncType  # noqa: PLC0415  (only where it is installed)
    from pysat.examples.rc2 import RC2Stratified  # noqa: PLC0415
    from pysat.formula import WCNF  # noqa: PLC0415
    from pysat.pb import EncType as Sums  # noqa: PLC0415
    from pysat.pb import PBEnc  # noqa: PLC0415

    started = perf_counter()
    formula = WCNF()
    formula.extend(problem.clauses)
    top = problem.variables
    for group in problem.at_most_one:
        encoded = CardEnc.atmost(group, 1, top_id=top, encoding=EncType.ladder)
        formula.extend(encoded.clauses)
        top = max(top, encoded.nv)
    for constraint in problem.linear:
        weights, literals, bound = _positive(*constraint)
        common = int(np.gcd.reduce(weights))
        encoded = PBEnc.leq(
            literals, [w // common for w in weights], bound // common, top_id=top, encoding=Sums.adder
        )
        formula.extend(encoded.clauses)
        top = max(top, encoded.nv)
    for weight, literal in problem.costs:
        formula.append([-literal], weight=weight)
    with RC2Stratified(formula, solver="g4", adapt=True, exhaust=True, minz=True) as solver:
        timer = threading.Timer(max(0.1, seconds - (perf_counter() - started)), solver.interrupt)
        timer.start()
        try:
            values = solver.compute(expect_interrupt=True)
        finally:
            timer.cancel()
        cost = solver.cost + problem.constant
    if values is None:
        return Solved("unknown", None, cost)
    chosen = set(values)
    return Solved("optimal", problem.selected([v in chosen for v in range(1, problem.variables + 1)]), cost)


def clingo(problem: Formulation, seconds: float) -> Solved:
    """Solve by clingo: branch and bound over ground rules."""
    import clingo as asp  # noqa: PLC0415  (only where it is installed)

    control = asp.Control(["--warn=none"])
    with control.backend() as backend:
        atoms = [backend.add_atom(asp.Function("x", [asp.Number(v)])) for v in range(problem.variables)]

        def literal(number: int) -> int:
            return atoms[number - 1] if number > 0 else -atoms[-number - 1]

        for atom in atoms:
            backend.add_rule([atom], choice=True)
        for clause in problem.clauses:
            backend.add_rule([], [-literal(x) for x in clause])
        for group in problem.at_most_one:
            backend.add_weight_rule([], 2, [(literal(v), 1) for v in group])
        for constraint in problem.linear:
            weights, literals, bound = _positive(*constraint)
            pairs = [(literal(x), w) for x, w in zip(literals, weights, strict=True)]
            backend.add_weight_rule([], bound + 1, pairs)
        backend.add_minimize(0, [(literal(x), weight) for weight, x in problem.costs])
    best: list[tuple[int, ...]] = []
    costs: list[int] = []

    def remember(model: asp.Model) -> None:
        true = {symbol.arguments[0].number for symbol in model.symbols(atoms=True)}
        best[:] = [problem.selected([v in true for v in range(problem.variables)])]
        costs[:] = [model.cost[0] + problem.constant]

    with control.solve(on_model=remember, async_=True) as handle:
        handle.wait(seconds)
        handle.cancel()
        exhausted = handle.get().exhausted
    if not best:
        return Solved("unknown", None, None)
    return Solved("optimal" if exhausted else "feasible", best[0], costs[0] if exhausted else None)


BACKENDS: dict[str, Callable[[Formulation, float], Solved]] = {
    "HiGHS": highs,
    "RC2": rc2,
    "clingo": clingo,
}
