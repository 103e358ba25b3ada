"""CP-SAT on ground networks: states that satisfy the hard clauses, and the most probable ones."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from logicoder.base.stopping import StopToken, run_beside
from logicoder.mln.inference.ground_network import Clauses, GroundNetwork

SCALE_BITS = 40
"""Weights become integers such that their sum stays below 2^SCALE_BITS."""

EFFORT = 30.0
"""How long to look for a state that satisfies the hard clauses, and then for one that violates few of them.
In the solver's own units, about a second each: the answer is the same whatever the machine."""

_SOLVED = ("OPTIMAL", "FEASIBLE")


@dataclass(frozen=True, eq=False)
class BestState:
    """The best state found.

    Attributes:
        state: truth values of the atoms.
        value: its log weight, as `GroundNetwork.log_weight`; the weights as given, not rounded.
        bound: no state has a higher one; proven, rounding of the weights included.
        proved: whether the state is proved optimal: by CP-SAT for the rounded weights, or by the bound.
        rounding: by how much rounding can change the log weight of a state.
    """

    state: np.ndarray
    value: float
    bound: float
    proved: bool
    rounding: float


def satisfy(
    network: GroundNetwork, *, seed: int = 0, stop: StopToken | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return a state that satisfies the hard clauses, and those clauses that had to be given up.

    Where not all can be satisfied, as few as possible are given up; as few as were found, where that takes
    too long or somebody says stop.

    Raises:
        KeyboardInterrupt: without `stop`.
    """
    waiting = stop or StopToken()
    hard = np.flatnonzero(network.clauses.hard)
    clauses = network.clauses.select(hard)
    model, atoms = _model(network.atoms)
    for literals in _lists(clauses, atoms):
        model.add_bool_or(literals)
    solver = _solver(seed, EFFORT)
    status = _interruptible(solver, model, waiting)
    if status not in _SOLVED:
        model, atoms = _model(network.atoms)
        slack = [model.new_bool_var("") for _ in hard]
        for literals, given_up in zip(_lists(clauses, atoms), slack, strict=True):
            model.add_bool_or([*literals, given_up])
        model.minimize(sum(slack))
        solver = _solver(seed, EFFORT)
        solver.parameters.linearization_level = 2
        status = _interruptible(solver, model, waiting)
    if stop is None and waiting.stopped:
        raise KeyboardInterrupt
    found = [status in _SOLVED and solver.boolean_value(atom) for atom in atoms]
    state = np.array(found, bool)
    return state, hard[~clauses.satisfied(state)]


def maximise(network: GroundNetwork, *, seed: int, stop: StopToken) -> BestState:
    """Return the most probable state that is found before somebody says stop.

    The hard clauses must be satisfiable.
    """
    clauses = network.clauses
    soft = clauses.select(~clauses.hard)
    magnitude = float(np.abs(network.bias).sum() + np.abs(soft.weights).sum())
    scale = 2.0 ** (SCALE_BITS - max(0, int(np.ceil(np.log2(max(magnitude, 1.0))))))
    model, atoms = _model(network.atoms)
    for literals in _lists(clauses.select(clauses.hard), atoms):
        model.add_bool_or(literals)
    terms: list[Any] = []
    factors: list[int] = []
    gains = np.rint(network.bias * scale).astype(np.int64)
    for atom in np.flatnonzero(gains).tolist():
        terms.append(atoms[atom])
        factors.append(int(gains[atom]))
    losses = np.rint(soft.weights * scale).astype(np.int64)
    for literals, loss in zip(_lists(soft, atoms), losses.tolist(), strict=True):
        # `broken` costs the weight; the objective pulls it one way, the clause holds it the other way.
        broken = model.new_bool_var("")
        if loss > 0:
            model.add_bool_or([*literals, broken])
        else:
            for literal in literals:
                model.add_implication(literal, ~broken)
        terms.append(broken)
        factors.append(-loss)
    from ortools.sat.python import cp_model  # noqa: PLC0415  (takes half a second to import)

    model.maximize(cp_model.LinearExpr.weighted_sum(terms, factors) if terms else 0)
    solver = _solver(seed)
    # The linear relaxation is often tight, as where atoms attract each other: seconds instead of hours.
    solver.parameters.linearization_level = 2
    status = _interruptible(solver, model, stop)
    rounding = (int((gains != 0).sum()) + len(soft)) / (2 * scale)
    highest = float(network.bias[network.bias > 0].sum() - soft.weights[soft.weights < 0].sum())
    if status not in _SOLVED:
        state = satisfy(network, seed=seed)[0]
        value = network.log_weight(state)
        return BestState(state, value, highest, value >= highest, rounding)
    state = np.array([solver.boolean_value(atom) for atom in atoms], bool)
    value = network.log_weight(state)
    bound = max(value, min(highest, solver.best_objective_bound / scale + rounding))
    return BestState(state, value, bound, status == "OPTIMAL" or value >= bound, rounding)


def _model(atoms: int) -> tuple[Any, list[Any]]:
    from ortools.sat.python import cp_model  # noqa: PLC0415  (takes half a second to import)

    model = cp_model.CpModel()
    return model, [model.new_bool_var("") for _ in range(atoms)]


def _lists(clauses: Clauses, atoms: list[Any]) -> list[list[Any]]:
    starts, literals = clauses.starts.tolist(), clauses.literals.tolist()
    both = [literal for atom in atoms for literal in (atom, ~atom)]
    return [[both[literal] for literal in literals[start:end]] for start, end in pairwise(starts)]


def _solver(seed: int, effort: float = float("inf")) -> Any:
    from ortools.sat.python import cp_model  # noqa: PLC0415  (takes half a second to import)

    solver = cp_model.CpSolver()
    # One worker gives the same answer every time, whatever the machine.
    solver.parameters.num_workers = 1
    solver.parameters.max_deterministic_time = effort
    solver.parameters.random_seed = seed % 2**31
    solver.parameters.catch_sigint_signal = False
    return solver


def _interruptible(solver: Any, model: Any, stop: StopToken) -> str:
    if stop.remaining is not None:
        solver.parameters.max_time_in_seconds = max(stop.remaining, 1e-3)
    status = run_beside(lambda: solver.solve(model), stop, solver.stop_search)
    return str(solver.status_name(status))
