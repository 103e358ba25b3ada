"""Which candidates are chosen? Exact and large neighbourhood search over a problem, behind one interface."""

from logicoder import problem as problem
from logicoder.selection.interface import BackendSolver, Solver
from logicoder.selection.neighbourhoods import Neighbourhood
from logicoder.selection.solution import MASKED_GOALS, OBJECTIVES, Solution, in_units
from logicoder.selection.solvers import SOLVERS, AutoSolver, ExactSolver, LnsSolver, solver_named

__all__ = [
    "MASKED_GOALS",
    "OBJECTIVES",
    "SOLVERS",
    "AutoSolver",
    "BackendSolver",
    "ExactSolver",
    "LnsSolver",
    "Neighbourhood",
    "Solution",
    "Solver",
    "in_units",
    "problem",
    "solver_named",
]
