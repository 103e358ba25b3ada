"""The solvers: exact, large neighbourhood search, and the combination of both, behind one interface.

All are bounded by deterministic effort, so that a seed gives the same program on every run that the
clock does not cut short.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import ClassVar

from logicoder.base.errors import UsageError
from logicoder.base.progress import Reporter, silent
from logicoder.base.stopping import StopToken
from logicoder.problem.bottlenecks import MaxLatents
from logicoder.problem.masking import MASKED, with_masking
from logicoder.problem.model import Problem
from logicoder.selection.neighbourhoods import Neighbourhood, lns_stage
from logicoder.selection.search import Keeper, Search, exact_stage, first_selection
from logicoder.selection.solution import MASKED_GOALS, OBJECTIVES, Solution

_LARGE = 10_000
"""Beyond so many decoders a short exact run ends before it has found anything."""


def forget(solution: Solution) -> None:
    """Keep nothing."""


def _describable(problem: Problem) -> Problem:
    """Return the problem with at most as many latent predicates as the code for clauses has names for."""
    limit = tuple(MaxLatents(problem.latent_cap).constraints(problem))
    return replace(
        problem, constraints=(*problem.constraints, *(c for c in limit if c not in problem.constraints))
    )


@dataclass(frozen=True)
class Solver(ABC):
    """Chooses clauses from a problem.

    Attributes:
        effort: limit in deterministic seconds, for each goal of the objective.
        objective: `loss`; `lexicographic`: the loss, then latent facts plus body literals; `bits`: the
            description length; `masked`: loss and masked loss together, then latent facts plus body
            literals; `loss-then-masked`: one after the other. Both losses are weighted where the predicates
            of the problem have weights.
    """

    name: ClassVar[str]
    effort: float = 120.0
    objective: str = "loss"

    def solve(
        self,
        problem: Problem,
        *,
        seed: int = 0,
        stop: StopToken | None = None,
        report: Reporter = silent,
        start: Collection[int] | None = None,
        keep: Keeper = forget,
        explain: bool = True,
    ) -> Solution:
        """Return the best selection found.

        Args:
            problem: what to choose from.
            seed: seed of the search.
            stop: ends the search early; the best selection so far is returned.
            report: told of every improvement.
            start: decoders of a known selection to improve on.
            keep: given every better selection as soon as it is found.
            explain: where no selection is allowed, find out why, which takes a while.

        Raises:
            InfeasibleError: when no selection satisfies the constraints; it says why.
        """
        if self.objective not in OBJECTIVES:
            raise UsageError(
                f"there is no objective {self.objective!r}; choose from: {', '.join(OBJECTIVES)}"
            )
        goals = OBJECTIVES[self.objective]
        if goals[0] == "bits":
            problem = _describable(problem)
        if not MASKED_GOALS.isdisjoint(goals) and MASKED not in problem.families:
            problem = with_masking(problem)
        search = Search(problem, self.name, stop or StopToken(), report, keep, goals, explain=explain)
        if start is not None:
            search.offer(start)
        for goal in goals:
            search.goal = goal
            if goal != goals[0] and search.best is None:
                break
            if not search.finished:
                try:
                    self.improve(search, seed)
                except KeyboardInterrupt:
                    # Between two runs of the solver, while a model is being built.
                    search.stop.stop("interrupted")
        return search.result()

    @abstractmethod
    def improve(self, search: Search, seed: int) -> None:
        """Work towards the present goal of a search."""


@dataclass(frozen=True)
class ExactSolver(Solver):
    """CP-SAT over the whole problem.

    Attributes:
        interleaved: many strategies in turn, which proves better bounds, or a single one.
    """

    name: ClassVar[str] = "exact"
    interleaved: bool = True

    def improve(self, search: Search, seed: int) -> None:
        """See `Solver.improve`."""
        exact_stage(search, seed, self.effort, interleaved=self.interleaved)


@dataclass(frozen=True)
class LnsSolver(Solver):
    """Large neighbourhood search with the paper's neighbourhood.

    Each round keeps a random share α of the selected decoders, forbids a random share β of the unselected
    encoders (hence their decoders), and solves what is left exactly.
    """

    name: ClassVar[str] = "lns"
    neighbourhood: Neighbourhood = field(default_factory=Neighbourhood)

    def improve(self, search: Search, seed: int) -> None:
        """See `Solver.improve`."""
        lns_stage(search, seed, self.effort, self.neighbourhood)


@dataclass(frozen=True)
class AutoSolver(Solver):
    """A first program, a short exact run, guided large neighbourhood search, then exact search to the end.

    Small problems end in the first exact run; large ones get their program from the neighbourhood search and
    their bound from the last stage.

    Attributes:
        first: effort of the first exact run.
    """

    name: ClassVar[str] = "auto"
    neighbourhood: Neighbourhood = field(default_factory=Neighbourhood)
    first: float = 5.0

    def improve(self, search: Search, seed: int) -> None:
        """See `Solver.improve`."""
        limit = search.effort + self.effort
        if search.best is None:
            first_selection(search, seed, self.effort)
        small = len(search.problem.decoders) <= _LARGE
        if small and not search.finished and search.effort < limit:
            exact_stage(search, seed, min(limit - search.effort, self.first), interleaved=False)
        if not search.finished and search.effort < limit:
            guided = replace(self.neighbourhood, guided=True)
            lns_stage(search, seed, limit - search.effort, guided)
        if not search.finished and search.effort < limit:
            exact_stage(search, seed, limit - search.effort, interleaved=True)


SOLVERS = ("auto", "exact", "lns")


def solver_named(name: str, *, alpha: float, beta: float, effort: float, objective: str = "loss") -> Solver:
    """Return a solver by its name: `auto`, `exact` or `lns`."""
    neighbourhood = Neighbourhood(alpha, beta)
    if name == "exact":
        return ExactSolver(effort, objective)
    if name == "lns":
        return LnsSolver(effort, objective, neighbourhood)
    if name == "auto":
        return AutoSolver(effort, objective, neighbourhood)
    raise UsageError(f"there is no solver {name!r}; choose from: {', '.join(SOLVERS)}")
