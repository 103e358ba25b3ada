"""clingo: branch and bound over ground rules of answer set programming."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar

from logicoder.base.errors import MissingExtraError, UsageError
from logicoder.base.stopping import run_beside
from logicoder.selection.interface import BackendSolver
from logicoder.selection.outcome import Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from logicoder.base.stopping import StopToken
    from logicoder.selection.formulation import Formulation, Sum
    from logicoder.selection.outcome import Improved

_LARGEST = 2**31 - 1
"""Its weights have 32 bits."""

_TOO_LARGE = "clingo cannot hold numbers as large as those of this problem; the solver exact can"


@dataclass(frozen=True)
class ClingoSolver(BackendSolver):
    """Answer set programming."""

    name: ClassVar[str] = "clingo"

    def minimise(
        self, formulation: Formulation, *, seed: int, stop: StopToken, improved: Improved
    ) -> Outcome:
        """See `BackendSolver.minimise`."""
        try:
            import clingo  # noqa: PLC0415  (an extra)
        except ImportError:
            raise MissingExtraError("clingo", "clingo", "the solver clingo") from None
        started = perf_counter()
        control = clingo.Control(["--warn=none", f"--seed={seed}"])
        atoms = _write(control, formulation)
        best: list[list[bool]] = []

        def remember(model: Any) -> None:
            best[:] = [[bool(model.is_true(atom)) for atom in atoms]]
            improved(formulation.selected(best[0]), 0)

        ended = run_beside(lambda: control.solve(on_model=remember), stop, control.interrupt)
        seconds = perf_counter() - started
        if not best:
            return Outcome("infeasible" if ended.unsatisfiable else "unknown", None, 0, seconds)
        value = formulation.objective.value(best[0])
        chosen = formulation.selected(best[0])
        if ended.exhausted:
            return Outcome("optimal", chosen, value, seconds, value)
        return Outcome("feasible", chosen, 0, seconds, value)


def _write(control: Any, formulation: Formulation) -> list[int]:
    """Write the rules of a formulation; return the atoms of its variables."""
    with control.backend() as backend:
        atoms = [backend.add_atom() for _ in range(formulation.variables)]

        def literal(number: int) -> int:
            return int(atoms[number] if number >= 0 else -atoms[~number])

        def weighted(total: Sum) -> Sequence[tuple[int, int]]:
            if max(map(abs, total.coefficients), default=0) > _LARGEST:
                raise UsageError(_TOO_LARGE)
            return [(literal(x), c) for x, c in zip(total.literals, total.coefficients, strict=True)]

        for atom in atoms:
            backend.add_rule([atom], choice=True)
        for clause in formulation.clauses():
            backend.add_rule([], [-literal(x) for x in clause])
        for group in formulation.at_most_one():
            backend.add_weight_rule([], 2, [(literal(x), 1) for x in group])
        for total, bound in formulation.sums():
            if bound < 0:
                backend.add_rule([], [])
            elif sum(total.coefficients) > bound:
                if bound >= _LARGEST:
                    raise UsageError("the numbers in this problem are too large for clingo: use exact")
                backend.add_weight_rule([], bound + 1, weighted(total))
        backend.add_minimize(0, weighted(formulation.objective))
    return atoms
