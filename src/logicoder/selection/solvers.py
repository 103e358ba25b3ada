"""The solvers by name: the package's own, and those that other packages offer as entry points.

Those on CP-SAT (`auto`, `exact`, `lns`, `paper`) are bounded by deterministic effort, so that a seed gives
the same program on every run that the clock does not cut short.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import ClassVar

from logicoder.base.plugins import Registry
from logicoder.selection.cp_sat import run
from logicoder.selection.interface import Solver
from logicoder.selection.neighbourhoods import Neighbourhood, lns_stage
from logicoder.selection.search import Search, first_selection, take

_LARGE = 10_000
"""Beyond so many decoders a short exact run ends before it has found anything."""


def exact_stage(search: Search, seed: int, effort: float, *, interleaved: bool) -> None:
    """One exact run of CP-SAT over the whole problem."""
    model = search.model()
    outcome = run(
        model, seed=seed, effort=effort, stop=search.stop, interleaved=interleaved, improved=search.seen
    )
    take(search, outcome, seed)


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
        if search.begins:
            first_selection(search, seed, self.effort)
        small = len(search.problem.decoders) <= _LARGE
        if small and not search.finished and search.effort < limit:
            exact_stage(search, seed, min(limit - search.effort, self.first), interleaved=False)
        if not search.finished and search.effort < limit:
            guided = replace(self.neighbourhood, guided=True)
            lns_stage(search, seed, limit - search.effort, guided)
        if not search.finished and search.effort < limit:
            exact_stage(search, seed, limit - search.effort, interleaved=True)


SOLVERS: Registry[type[Solver]] = Registry(
    "logicoder.solvers",
    "solver",
    {
        "auto": "logicoder.selection.solvers:AutoSolver",
        "exact": "logicoder.selection.solvers:ExactSolver",
        "lns": "logicoder.selection.solvers:LnsSolver",
        "paper": "logicoder.selection.paper_search:PaperSolver",
        "highs": "logicoder.selection.backends.highs:HighsSolver",
        "rc2": "logicoder.selection.backends.rc2:Rc2Solver",
        "clingo": "logicoder.selection.backends.clingo:ClingoSolver",
    },
)


def solver_class(name: str) -> type[Solver]:
    """Return the class of a solver by its name."""
    return SOLVERS[name]


def solver_named(name: str, *, alpha: float, beta: float, effort: float, objective: str = "loss") -> Solver:
    """Return a solver by its name; alpha and beta are for those that search neighbourhoods."""
    kind = solver_class(name)
    if any(item.name == "neighbourhood" for item in fields(kind)):
        return kind(effort, objective, Neighbourhood(alpha, beta))  # type: ignore[call-arg]
    return kind(effort, objective)
