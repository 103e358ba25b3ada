"""One run of learning: what all its selections share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING

from logicoder.base.clock import Clock
from logicoder.base.errors import InfeasibleError, SearchError
from logicoder.base.progress import Event, Improved, Reporter
from logicoder.base.stopping import StopToken
from logicoder.candidates.candidate_counts import CandidateCounts
from logicoder.learner.settings import Settings
from logicoder.problem.model import Problem
from logicoder.selection import Solution, Solver, solver_named
from logicoder.selection.interface import forget
from logicoder.selection.search import Keeper

if TYPE_CHECKING:
    from logicoder.learner.checkpoint import Checkpoint


@dataclass
class Run:
    """One run of learning.

    Attributes:
        settings: what to demand and spend.
        clock: times the phases.
        stop: ends the run early.
        checkpoint: keeps problems and selections.
        history: every improvement, in order.
        spent: effort of all selections so far.
    """

    settings: Settings
    clock: Clock
    stop: StopToken
    checkpoint: Checkpoint | None = None
    history: list[Improved] = field(default_factory=list)
    spent: float = 0.0

    def solve(
        self,
        problem: Problem,
        candidates: CandidateCounts,
        effort: float,
        start: Sequence[int] | None = None,
        *,
        resumed: bool = False,
        explain: bool = True,
    ) -> Solution:
        """Select from a problem within an effort; a checkpoint keeps both."""
        solver = replace(solver_of(self.settings), effort=effort)
        report = self._listener()
        with self.clock.phase("solve"):
            keep: Keeper = forget
            if self.checkpoint is not None:
                self.checkpoint.save_problem(problem, candidates, start)
                keep = self.checkpoint.save_selection
            try:
                solution = solver.solve(
                    problem,
                    seed=self.settings.seed,
                    stop=self.stop,
                    report=report,
                    start=start,
                    resumed=resumed,
                    keep=keep,
                    explain=explain,
                )
            except InfeasibleError as error:
                raise InfeasibleError(f"{error}{_left_out(candidates['pruned'])}") from None
            keep(solution)
        self.spent += solution.effort
        return solution

    def guide(self, problem: Problem, effort: float) -> Sequence[int] | None:
        """Return a program that need not rebuild every predicate: it shows where candidates are wanting."""
        solver = replace(solver_of(self.settings), effort=effort)
        try:
            relaxed = replace(problem, requirements=())
            found = solver.solve(relaxed, seed=self.settings.seed, stop=self.stop, explain=False)
        except (InfeasibleError, SearchError):
            return None
        return found.decoders

    def _listener(self) -> Reporter:
        started = self.history[-1].seconds if self.history else 0.0
        began = perf_counter()

        def listen(event: Event) -> None:
            if isinstance(event, Improved):
                event = replace(event, seconds=started + perf_counter() - began)
                self.history.append(event)
            self.clock.report(event)

        return listen


_LIMITS = {
    "limit": "`max_decoders`, `max_bodies`",
    "unevaluated": "`max_encoders`",
    "too_large": "`max_tuples`",
    "memory": "`max_memory`",
    "corruption": "`max_corruption`",
}
"""Rules that take candidates away which may be wanted, and the settings that they follow."""


def _left_out(pruned: Mapping[str, int]) -> str:
    """Say which candidates were not looked at, in a line of its own; nothing if there are none."""
    found = [(pruned[rule], settings) for rule, settings in _LIMITS.items() if pruned.get(rule)]
    if not found:
        return ""
    told = ", ".join(f"{number:,} by {settings}" for number, settings in found)
    return f"\n  Candidates were left out ({told}): with larger values there may be other programs."


def solver_of(settings: Settings) -> Solver:
    """Return the solver that the settings ask for."""
    return solver_named(
        settings.solver,
        alpha=settings.alpha,
        beta=settings.beta,
        effort=settings.effort,
        objective=settings.goal,
    )
