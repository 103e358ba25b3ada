"""The most probable state of a ground network, component by component."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from logicoder.base.progress import PhaseAdvanced, PhaseStarted, Reporter
from logicoder.base.stopping import StopToken
from logicoder.mln.inference.answer import ALONE, Answer
from logicoder.mln.inference.components import Parts
from logicoder.mln.inference.enumeration import enumerate_best
from logicoder.mln.inference.ground import GroundNetwork
from logicoder.mln.inference.marginals import ENUMERATED
from logicoder.mln.inference.solving import maximise


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
) -> tuple[Answer, BestState]:
    """Return the most probable state, and how it was found."""
    answer = Answer(network)
    alone = answer.alone()
    answer.take(ALONE, len(alone), alone, answer.simple.network.bias[alone] > 0)
    parts = answer.parts
    best = BestState(np.empty(0, bool))
    sizes = parts.sizes
    for size in np.unique(sizes[sizes <= ENUMERATED]).tolist():
        _enumerated(parts.select(sizes == size), answer)
    large = np.flatnonzero(sizes > ENUMERATED).tolist()
    if large:
        progress(PhaseStarted("cp-sat", len(large)))
    gap = 0.0
    for done, number in enumerate(large, start=1):
        part = answer.possible(parts.select(np.array([number])), seed, stop)
        found = maximise(part.network, seed=seed, stop=stop)
        answer.take("cp-sat", 1, part.atoms, found.state)
        gap += found.bound - found.value
        best.proved &= found.proved
        best.rounding += found.rounding
        progress(PhaseAdvanced("cp-sat", done, len(large)))
    answer.finish()
    best.state = answer.values.astype(bool)
    best.value = _value(network, best.state)
    best.bound = best.value + gap
    return answer, best


def _enumerated(parts: Parts, answer: Answer) -> None:
    found, impossible = enumerate_best(parts)
    for number in np.flatnonzero(impossible).tolist():
        rescued = answer.possible(parts.select(np.array([number])))
        found[parts.starts[number] : parts.starts[number + 1]] = enumerate_best(rescued)[0]
    answer.take("enumeration", len(parts), parts.atoms, found)


def _value(network: GroundNetwork, state: np.ndarray) -> float:
    """Return the log weight of a state, hard clauses aside: those that are violated were given up."""
    clauses = network.clauses
    broken = ~clauses.satisfied(state) & ~clauses.hard
    return float(network.bias[state].sum() - clauses.weights[broken].sum())
