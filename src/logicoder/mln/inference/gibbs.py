"""Gibbs sampling, a colour class at a time, in several chains at once."""

from __future__ import annotations

import numpy as np

from logicoder.base.progress import Reporter
from logicoder.base.stopping import StopToken
from logicoder.mln.inference.chain_estimates import Batches, Estimate
from logicoder.mln.inference.conditionals import Conditionals, colours, false_literals, sigmoid
from logicoder.mln.inference.ground_network import GroundNetwork
from logicoder.mln.inference.schedule import Schedule, run
from logicoder.mln.inference.summed_heads import HeadFactors, collapse

PHASE = "gibbs"


def can_reach_every_state(network: GroundNetwork) -> np.ndarray:
    """Return which hard clauses do not hinder Gibbs sampling (True for soft ones, too).

    A hard clause with a literal whose atom has the same sign in all hard clauses is harmless: from any
    possible state such literals can be made true one by one; then the other atoms are free.
    """
    clauses = network.clauses
    hard = clauses.hard
    if not hard.any():
        return ~hard
    in_hard = hard[clauses.owners]
    signs = np.zeros((network.atoms, 2), bool)
    signs[clauses.atoms[in_hard], clauses.literals[in_hard] & 1] = True
    pure = in_hard & (signs.sum(axis=1) == 1)[clauses.atoms]
    found = ~hard
    found[clauses.owners[pure]] = True
    return found


def gibbs(network: GroundNetwork, schedule: Schedule, *, stop: StopToken, progress: Reporter) -> Estimate:
    """Estimate the probabilities of all atoms; heads of hard clauses are collapsed first."""
    left, heads, heavy = collapse(network, many=True)
    numbers = np.random.Generator(np.random.PCG64(schedule.seed))
    atoms = np.setdiff1d(np.arange(network.atoms), heads.atoms)
    groups = colours(left, atoms, heavy.atom_sets())
    conditionals = Conditionals(left, groups)
    states = _start(left, schedule.chains, numbers)
    true = states.astype(float)
    false = np.concatenate([false_literals(states), np.ones((1, schedule.chains), bool)])
    factors = HeadFactors(heavy, groups, false)
    batches = Batches(network.atoms, schedule.chains)
    found = np.zeros((network.atoms, schedule.chains))

    def sweep() -> np.ndarray:
        for group, members in enumerate(groups):
            chances = sigmoid(factors.add(group, false, conditionals.log_odds(group, false, true)))
            drawn = numbers.random(chances.shape) < chances
            true[members] = drawn
            false[2 * members] = ~drawn
            false[2 * members + 1] = drawn
            factors.drawn(group, false)
            found[members] = chances
        found[heads.atoms] = heads.probabilities(false)
        return found

    return run(sweep, batches, schedule, PHASE, stop=stop, progress=progress)


def _start(network: GroundNetwork, chains: int, numbers: np.random.Generator) -> np.ndarray:
    """Return states in which the literals that make hard clauses harmless are true, else far from each other.

    The first chain starts where all atoms are false, the second where all are true, the others at random: if
    there are several modes, chains had better begin in different ones, or they agree by mistake.
    """
    states = numbers.random((network.atoms, chains)) < 0.5
    states[:, 0] = False
    states[:, 1:2] = True
    clauses = network.clauses
    in_hard = clauses.hard[clauses.owners]
    literals = clauses.literals[in_hard]
    signs = np.zeros((network.atoms, 2), bool)
    signs[literals >> 1, literals & 1] = True
    pure = signs.sum(axis=1) == 1
    states[pure] = signs[pure, 0][:, None]
    return states
