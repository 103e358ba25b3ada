"""Which candidates are chosen? Exact and large neighbourhood search over a problem, behind one interface."""

from logicoder import problem as problem
from logicoder.selection.search import OBJECTIVES, Neighbourhood
from logicoder.selection.solution import Solution
from logicoder.selection.solvers import SOLVERS, AutoSolver, ExactSolver, LnsSolver, Solver, solver_named

__all__ = [
    "OBJECTIVES",
    "SOLVERS",
    "AutoSolver",
    "ExactSolver",
    "LnsSolver",
    "Neighbourhood",
    "Solution",
    "Solver",
    "problem",
    "solver_named",
]
