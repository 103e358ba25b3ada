"""The most probable state of a ground network, component by component."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from logicoder.base.progress import PhaseAdvanced, PhaseStarted, Reporter
from logicoder.base.stopping import StopToken
from logicoder.mln.inference.atom_values import ALONE, AtomValues
from logicoder.mln.inference.enumeration import enumerate_best
from logicoder.mln.inference.ground_network import GroundNetwork
from logicoder.mln.inference.ground_solver import maximise


@dataclass
class BestState:
    """The best state found; see `logicoder.mln.inference.result.MostProbable`."""

    state: np.ndarray
    value: float = 0.0
    bound: float = 0.0
    proved: bool = True
    rounding: float = 0.0


def best_of(
    network: GroundNetwork, *, seed: int, stop: StopToken, progress: Reporter
) -> tuple[AtomValues, BestState]:
    """Return the most probable state, and how it was found."""
    answer = AtomValues(network)
    alone = answer.alone()
    answer.take(ALONE, len(alone), alone, answer.simple.network.bias[alone] > 0)
    best = BestState(np.empty(0, bool))
    large = answer.enumerate(enumerate_best)
    if len(large):
        progress(PhaseStarted("cp-sat", len(large)))
    gap = 0.0
    for number in range(len(large)):
        part = answer.possible(large.select(np.array([number])), seed, stop)
        found = maximise(part.network, seed=seed, stop=stop)
        answer.take("cp-sat", 1, part.atoms, found.state)
        gap += found.bound - found.value
        best.proved &= found.proved
        best.rounding += found.rounding
        progress(PhaseAdvanced("cp-sat", number + 1, len(large)))
    answer.finish()
    best.state = answer.values.astype(bool)
    best.value = _value(network, best.state)
    best.bound = best.value + gap
    return answer, best


def _value(network: GroundNetwork, state: np.ndarray) -> float:
    """Return the log weight of a state, hard clauses aside: those that are violated were given up."""
    clauses = network.clauses
    broken = ~clauses.satisfied(state) & ~clauses.hard
    return float(network.bias[state].sum() - clauses.weights[broken].sum())
