"""CP-SAT on ground networks: states that satisfy the hard clauses, and the most probable ones."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from logicoder.base.stopping import StopToken
from logicoder.mln.inference.ground import Clauses, GroundNetwork

SCALE_BITS = 40
"""Weights become integers such that their sum stays below 2^SCALE_BITS."""


@dataclass(frozen=True, eq=False)
class Best:
    """The best state found.

    Attributes:
        state: truth values of the atoms.
        value: its log weight, as `GroundNetwork.log_weight`; the weights as given, not rounded.
        bound: no state has a higher one; proven, rounding of the weights included.
        proved: whether CP-SAT proved the state optimal for the rounded weights.
        rounding: by how much rounding can change the log weight of a state.
    """

    state: np.ndarray
    value: float
    bound: float
    proved: bool
    rounding: float


def satisfy(network: GroundNetwork, *, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return a state that satisfies the hard clauses, and those clauses that had to be given up.

    Where not all can be satisfied, as few as possible are given up.
    """
    hard = np.flatnonzero(network.clauses.hard)
    clauses = network.clauses.select(hard)
    model, atoms = _model(network.atoms)
    for literals in _lists(clauses, atoms):
        model.add_bool_or(literals)
    solver = _solver(seed)
    status = solver.solve(model)
    dropped = np.empty(0, np.int64)
    if solver.status_name(status) == "INFEASIBLE":
        model, atoms = _model(network.atoms)
        slack = [model.new_bool_var("") for _ in hard]
        for literals, given_up in zip(_lists(clauses, atoms), slack, strict=True):
            model.add_bool_or([*literals, given_up])
        model.minimize(sum(slack))
        solver = _solver(seed)
        solver.solve(model)
        dropped = hard[[solver.boolean_value(given_up) for given_up in slack]]
    return np.array([solver.boolean_value(atom) for atom in atoms], bool), dropped


def maximise(network: GroundNetwork, *, seed: int, stop: StopToken) -> Best:
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
    if status not in ("OPTIMAL", "FEASIBLE"):
        state = satisfy(network, seed=seed)[0]
        return Best(state, network.log_weight(state), highest, False, rounding)
    state = np.array([solver.boolean_value(atom) for atom in atoms], bool)
    value = network.log_weight(state)
    bound = max(value, min(highest, solver.best_objective_bound / scale + rounding))
    return Best(state, value, bound, status == "OPTIMAL", rounding)


def _model(atoms: int) -> tuple[Any, list[Any]]:
    from ortools.sat.python import cp_model  # noqa: PLC0415  (takes half a second to import)

    model = cp_model.CpModel()
    return model, [model.new_bool_var("") for _ in range(atoms)]


def _lists(clauses: Clauses, atoms: list[Any]) -> list[list[Any]]:
    starts, literals = clauses.starts.tolist(), clauses.literals.tolist()
    both = [literal for atom in atoms for literal in (atom, ~atom)]
    return [[both[literal] for literal in literals[start:end]] for start, end in pairwise(starts)]


def _solver(seed: int) -> Any:
    from ortools.sat.python import cp_model  # noqa: PLC0415  (takes half a second to import)

    solver = cp_model.CpSolver()
    # One worker gives the same answer every time, whatever the machine.
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = seed % 2**31
    solver.parameters.catch_sigint_signal = False
    return solver


def _interruptible(solver: Any, model: Any, stop: StopToken) -> str:
    """Solve beside this thread, which stays free to receive Ctrl-C and to watch the clock."""
    if stop.remaining is not None:
        solver.parameters.max_time_in_seconds = max(stop.remaining, 1e-3)
    status: list[Any] = []
    finished = threading.Event()

    def work() -> None:
        try:
            status.append(solver.solve(model))
        finally:
            finished.set()

    thread = threading.Thread(target=work, name="logicoder-map", daemon=True)
    thread.start()
    with stop.listening(solver.stop_search):
        while not finished.is_set():
            try:
                finished.wait(0.1)
            except KeyboardInterrupt:
                stop.stop("interrupted")
            if stop.stopped:
                solver.stop_search()
    thread.join()
    return str(solver.status_name(status[0]))
