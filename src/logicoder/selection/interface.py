"""What a solver is: it chooses clauses from a problem, and says what it has proved.

There are two ways to write one. A `Solver` implements `improve`: it works on a `Search`, which holds the best
selection and the bounds so far, and may do whatever it likes with it, such as neighbourhood search. A
`BackendSolver` implements `minimise`: it is given the whole problem as plain data (`Formulation`) and returns
an `Outcome`; everything else (goals one after the other, starting points, checks, errors) is done for it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import ClassVar

from logicoder.base.errors import SearchError, UsageError
from logicoder.base.progress import Reporter, silent
from logicoder.base.stopping import PartToken, StopToken
from logicoder.problem.bottlenecks import MaxLatents
from logicoder.problem.evaluate import violations
from logicoder.problem.masking import MASKED, with_masking
from logicoder.problem.model import Problem
from logicoder.selection.formulation import Formulation
from logicoder.selection.outcome import Improved, Outcome
from logicoder.selection.search import Keeper, Search, take
from logicoder.selection.solution import MASKED_GOALS, OBJECTIVES, Solution


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
        resumed: bool = False,
        keep: Keeper = forget,
        explain: bool = True,
    ) -> Solution:
        """Return the best selection found.

        Args:
            problem: what to choose from.
            seed: seed of the search.
            stop: ends the search early; the best selection so far is returned.
            report: called with every improvement.
            start: decoders of a known selection to improve on.
            resumed: whether `start` comes from the same search, which was cut off. This search ignores it
                until the end, and returns what that search would have found, unless `start` is better.
            keep: called with every better selection as soon as it is found.
            explain: if no selection is allowed, find out why, which takes a while.

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
            if resumed:
                search.fall_back(start)
            else:
                search.offer(start)
                search.begins = False
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
class BackendSolver(Solver):
    """Solves the whole problem with one run of another program.

    Such programs measure no deterministic effort: the limit is one of the clock, and what it cuts short may
    differ from run to run.
    """

    def improve(self, search: Search, seed: int) -> None:
        """See `Solver.improve`."""
        part = PartToken(search.stop)
        part.allow(self.effort)
        outcome = self.minimise(search.model(), seed=seed, stop=part, improved=search.seen)
        if part.reason == "interrupted":
            search.stop.stop("interrupted")
        if outcome.decoders is not None and (broken := violations(search.problem, outcome.decoders)):
            # Others calculate with fractions, or are being developed.
            raise SearchError(f"{self.name} returned an invalid selection: {broken[0].text}")
        take(search, outcome, seed)

    @abstractmethod
    def minimise(
        self, formulation: Formulation, *, seed: int, stop: StopToken, improved: Improved
    ) -> Outcome:
        """Return the best solution of a formulation.

        Args:
            formulation: what to solve; all of its numbers are whole.
            seed: seed of the search, where there is any choice.
            stop: says when to stop; `logicoder.base.stopping.run_beside` runs what blocks until it is done.
            improved: may be told of every better solution as soon as it is found.

        Returns:
            The status `optimal` only with proof; `feasible` with a solution, `infeasible` with the proof that
            there is none, otherwise `unknown`. The bound must be proved; 0 always is.
        """
