"""The most probable state of a ground network, component by component."""

from __future__ import annotations

import numpy as np

from logicoder.base.progress import PhaseAdvanced, PhaseStarted, Reporter
from logicoder.base.stopping import StopToken
from logicoder.mln.inference.atom_values import ALONE, AtomValues
from logicoder.mln.inference.component_states import enumerate_best
from logicoder.mln.inference.ground_network import GroundNetwork
from logicoder.mln.inference.ground_solver import BestState, maximise


def best_of(
    network: GroundNetwork, *, seed: int, stop: StopToken, progress: Reporter
) -> tuple[AtomValues, BestState]:
    """Return the most probable state, and how it was found."""
    answer = AtomValues(network)
    alone = answer.alone()
    answer.take(ALONE, len(alone), alone, answer.simple.network.bias[alone] > 0)
    large = answer.enumerate(enumerate_best)
    if len(large):
        progress(PhaseStarted("cp-sat", len(large)))
    gap, rounding, proved = 0.0, 0.0, True
    for number in range(len(large)):
        part = answer.possible(large.select(np.array([number])), seed, stop)
        found = maximise(part.network, seed=seed, stop=stop)
        answer.take("cp-sat", 1, part.atoms, found.state)
        gap += found.bound - found.value
        proved &= found.proved
        rounding += found.rounding
        progress(PhaseAdvanced("cp-sat", number + 1, len(large)))
    answer.finish()
    state = answer.values.astype(bool)
    value = _value(network, state)
    return answer, BestState(state, value, value + gap, proved, rounding)


def _value(network: GroundNetwork, state: np.ndarray) -> float:
    """Return the log weight of a state, hard clauses aside: those that are violated were given up."""
    clauses = network.clauses
    broken = ~clauses.satisfied(state) & ~clauses.hard
    return float(network.bias[state].sum() - clauses.weights[broken].sum())
