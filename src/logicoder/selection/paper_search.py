"""The search of the paper: large neighbourhoods of fixed shares around the best selection, and nothing else.

Each step keeps a random share α of the selected decoders, forbids a random share β of the unselected encoders
and searches the rest, deciding the clauses that occur in most constraints first (the paper's *max degree*).
What differs is inside a step: CP-SAT learns from conflicts, where the paper's solver goes back to the
variable of the last one. `lns` also widens its neighbourhoods, starts from promising clauses and leaves the
order of decisions to CP-SAT; `auto` looks where facts are missing, too, and proves bounds.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import ClassVar

from logicoder.selection.cp_sat import run
from logicoder.selection.interface import Solver
from logicoder.selection.neighbourhoods import Neighbourhood, random_part
from logicoder.selection.search import Search, take
from logicoder.selection.selection_model import SelectionModel


@dataclass(frozen=True)
class PaperSolver(Solver):
    """Plain large neighbourhood search; it proves no bounds but the one that nothing can go below."""

    name: ClassVar[str] = "paper"
    neighbourhood: Neighbourhood = field(default_factory=Neighbourhood)

    def improve(self, search: Search, seed: int) -> None:
        """See `Solver.improve`."""
        limit = search.effort + self.effort
        if search.best is None:
            model = by_degree(search.model())
            outcome = run(model, seed=seed, effort=self.effort, stop=search.stop, first=True)
            take(search, outcome, seed)
        generator = random.Random(seed)  # noqa: S311  (a search, not a secret)
        fruitless = 0
        while (
            search.best is not None
            and not search.finished
            and search.effort < limit
            and fruitless < self.neighbourhood.patience
        ):
            kept, allowed = random_part(
                search.problem, search.best.decoders, generator, self.neighbourhood, 1.0
            )
            effort = min(self.neighbourhood.round_effort, limit - search.effort)
            model = by_degree(search.model(allowed, kept))
            outcome = run(model, seed=generator.randrange(2**31), effort=effort, stop=search.stop)
            search.effort += outcome.effort
            better = outcome.decoders is not None and search.offer(outcome.decoders)
            fruitless = 0 if better else fruitless + 1


def by_degree(model: SelectionModel) -> SelectionModel:
    """Return a formulation whose clauses are decided in the order of the constraints that they occur in."""
    degrees = model.degrees()
    clauses = (*model.decoders.values(), *model.encoders.values())
    model.order = sorted(clauses, key=lambda variable: (-degrees[variable], variable))
    return model
