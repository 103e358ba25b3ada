"""RC2: MaxSAT by unsatisfiable cores, which finds no solution before the best one."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar

from logicoder.base.errors import MissingExtraError
from logicoder.base.stopping import run_beside
from logicoder.selection.interface import BackendSolver
from logicoder.selection.outcome import Outcome

if TYPE_CHECKING:
    from logicoder.base.stopping import StopToken
    from logicoder.selection.formulation import Formulation
    from logicoder.selection.outcome import Improved


@dataclass(frozen=True)
class Rc2Solver(BackendSolver):
    """Maximum satisfiability."""

    name: ClassVar[str] = "rc2"

    def minimise(
        self, formulation: Formulation, *, seed: int, stop: StopToken, improved: Improved
    ) -> Outcome:
        """See `BackendSolver.minimise`; RC2 takes no seed and has nothing to tell before its end."""
        del seed, improved
        started = perf_counter()
        try:
            from pysat.examples.rc2 import RC2Stratified  # noqa: PLC0415  (an extra)

            formula = _weighted(formulation)
        except ImportError:
            raise MissingExtraError("python-sat", "rc2", "the solver rc2") from None
        constant = formulation.objective.over_variables()[1] + _negative(formulation)
        with RC2Stratified(formula, solver="g4", adapt=True, exhaust=True, minz=True) as solver:
            values = run_beside(lambda: solver.compute(expect_interrupt=True), stop, solver.interrupt)
            bound = max(0, solver.cost + constant)
        seconds = perf_counter() - started
        if values is None:
            status = "unknown" if stop.stopped else "infeasible"
            return Outcome(status, None, bound if stop.stopped else 0, seconds)
        true = set(values)
        found = [variable + 1 in true for variable in range(formulation.variables)]
        value = formulation.objective.value(found)
        return Outcome("optimal", formulation.selected(found), value, seconds, value)


def _negative(formulation: Formulation) -> int:
    """Return the sum of the negative coefficients of the objective, which become costs of the opposite."""
    return sum(c for c in formulation.objective.over_variables()[0].values() if c < 0)


def _weighted(formulation: Formulation) -> Any:
    """Return the weighted formula: what must hold, and what it costs if something does not."""
    from pysat.card import CardEnc, EncType  # noqa: PLC0415  (an extra)
    from pysat.formula import WCNF  # noqa: PLC0415
    from pysat.pb import EncType as Sums  # noqa: PLC0415
    from pysat.pb import PBEnc  # noqa: PLC0415

    def several(literals: list[int]) -> list[int]:
        # Variables are numbered from 1 on there, and a minus negates.
        return [literal + 1 if literal >= 0 else literal for literal in literals]

    formula = WCNF()
    formula.extend([several(clause) for clause in formulation.clauses()])
    top = formulation.variables
    for group in formulation.at_most_one():
        encoded = CardEnc.atmost(several(group), 1, top_id=top, encoding=EncType.ladder)
        formula.extend(encoded.clauses)
        top = max(top, encoded.nv)
    for total, bound in formulation.sums():
        if sum(total.coefficients) <= bound:
            continue
        if bound < 0:
            formula.extend([[top + 1], [-top - 1]])
            top += 1
            continue
        common = gcd(*total.coefficients)
        encoded = PBEnc.leq(
            several(list(total.literals)),
            [c // common for c in total.coefficients],
            bound // common,
            top_id=top,
            encoding=Sums.adder,
        )
        formula.extend(encoded.clauses)
        top = max(top, encoded.nv)
    for variable, coefficient in formulation.objective.over_variables()[0].items():
        if coefficient:
            formula.append([-variable - 1 if coefficient > 0 else variable + 1], weight=abs(coefficient))
    if not formula.soft:
        formula.append([top + 1], weight=1)  # it wants something to be paid for
    return formula
