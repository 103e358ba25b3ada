"""MC-SAT (Poon and Domingos 2006): sampling where hard clauses keep states apart.

Each step keeps every satisfied clause of weight w with probability 1 - e^-w (a violated one of negative
weight: its negation), and draws the next state uniformly from those that satisfy all that is kept. Since the
present state is one of them, unit propagation only ever fixes atoms at their present values. What is left
falls into small components, whose solutions are enumerated and drawn exactly uniformly; SampleSAT is needed
for large ones only.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np

from logicoder.base.progress import Reporter
from logicoder.base.stopping import StopToken
from logicoder.mln.inference.chain_estimates import Batches, Estimate
from logicoder.mln.inference.component_states import bits, tables
from logicoder.mln.inference.components import Parts, components_of
from logicoder.mln.inference.conditionals import Conditionals, false_literals, sigmoid
from logicoder.mln.inference.ground_network import Clauses, GroundNetwork, any_of, side_by_side
from logicoder.mln.inference.ground_solver import satisfy
from logicoder.mln.inference.samplesat import Walker
from logicoder.mln.inference.schedule import Schedule, run
from logicoder.mln.inference.summed_heads import collapse

PHASE = "mc-sat"

SMALL = 10
"""Components of a step with at most so many atoms are enumerated."""

FLIPS = 50
"""How many flips SampleSAT has per atom, and at least a hundred times as many in all."""


class McSat:
    """A network, and the steps of a chain through its states.

    Attributes:
        failures: how often SampleSAT found no state; the chain then moved by single flips from where it was.
    """

    def __init__(self, network: GroundNetwork, seed: int) -> None:
        self._network = network
        self._numbers = np.random.Generator(np.random.PCG64(seed))
        self._python = Random(seed)  # noqa: S311  (no secrets here)
        clauses = network.clauses
        self._negated = (clauses.literals & 1).astype(bool)
        self._owners = clauses.owners
        self._keep = -np.expm1(-np.abs(clauses.weights))
        self._negative = clauses.weights < 0
        self._keep_bias = -np.expm1(-np.abs(network.bias))
        self.failures = 0

    def start(self, state: np.ndarray) -> np.ndarray:
        """Return a random state that satisfies the hard clauses, given any that does."""
        hard = self._network.clauses.select(self._network.clauses.hard)
        return self._draw(hard, np.zeros(len(state), bool), state)

    def step(self, state: np.ndarray) -> np.ndarray:
        """Return the state that follows another one."""
        network, numbers = self._network, self._numbers
        clauses = network.clauses
        true = state[clauses.atoms] != self._negated
        satisfied = any_of(true, clauses.starts)
        kept = (numbers.random(len(clauses)) < self._keep) & (satisfied != self._negative)
        fixed = (numbers.random(network.atoms) < self._keep_bias) & (state == (network.bias > 0))
        fixed[clauses.atoms[(kept & self._negative)[self._owners]]] = True
        return self._draw(clauses.select(kept & ~self._negative), fixed, state)

    def _draw(self, clauses: Clauses, fixed: np.ndarray, state: np.ndarray) -> np.ndarray:
        """Return a random state that satisfies clauses and agrees with another one in the fixed atoms."""
        left = _propagated(clauses, fixed, state)
        found = np.where(fixed, state, self._numbers.random(len(state)) < 0.5)
        parts = components_of(GroundNetwork(np.zeros(len(state)), left))
        sizes = parts.sizes
        for size in np.unique(sizes[sizes <= SMALL]).tolist():
            part = parts.select(sizes == size)
            found[part.atoms] = self._uniform(part, size)
        for number in np.flatnonzero(sizes > SMALL).tolist():
            part = parts.select(np.array([number]))
            found[part.atoms] = self._walk(part, state[part.atoms])
        return found

    def _uniform(self, parts: Parts, size: int) -> np.ndarray:
        """Return a uniformly random solution of each component."""
        chosen = np.empty(len(parts), np.int64)
        for which, scores in tables(parts):
            counts = np.cumsum(scores == 0, axis=1)
            rank = np.floor(self._numbers.random(len(counts)) * counts[:, -1])
            chosen[which] = (counts > rank[:, None]).argmax(axis=1)
        return np.asarray(bits(size).T[chosen].astype(bool).ravel())

    def _walk(self, part: Parts, state: np.ndarray) -> np.ndarray:
        walker = Walker(part.network.clauses, part.network.atoms)
        found = walker.sample(self._python, FLIPS * (100 + len(state)))
        if found is None:
            self.failures += 1
            return walker.shuffled(state, self._python)
        return found


def _propagated(clauses: Clauses, fixed: np.ndarray, state: np.ndarray) -> Clauses:
    """Fix the atoms that follow from the fixed ones (in place), and return what is left of the clauses."""
    while True:
        held = fixed[clauses.atoms]
        true = state[clauses.atoms] != (clauses.literals & 1).astype(bool)
        done = any_of(held & true, clauses.starts)
        stays = ~held & ~done[clauses.owners]
        lengths = np.bincount(clauses.owners[stays], minlength=len(clauses))[~done]
        clauses = Clauses(
            np.concatenate([[0], np.cumsum(lengths)]),
            clauses.literals[stays],
            clauses.weights[~done],
            clauses.formulas[~done],
        )
        unit = lengths == 1
        if not unit.any():
            # All that is kept must hold: the tables of a step know hard clauses only.
            return Clauses(clauses.starts, clauses.literals, np.full(len(clauses), np.inf), clauses.formulas)
        fixed[clauses.literals[clauses.starts[:-1][unit]] >> 1] = True
        clauses = clauses.select(~unit)


def mcsat(network: GroundNetwork, schedule: Schedule, *, stop: StopToken, progress: Reporter) -> Estimate:
    """Estimate the probabilities of all atoms; heads of hard clauses are collapsed first.

    The hard clauses must be satisfiable.
    """
    left, heads, _ = collapse(network)
    chains = schedule.chains
    # All chains make their steps at once: as copies of the network that know nothing of each other.
    sampler = McSat(side_by_side([left] * chains), schedule.seed)
    possible, _ = satisfy(left)
    states = sampler.start(np.tile(possible, chains))
    conditionals = Conditionals(left, [np.arange(network.atoms)])

    def advance() -> np.ndarray:
        states[:] = sampler.step(states)
        true = states.reshape(chains, -1).T
        false = false_literals(true)
        found = sigmoid(conditionals.log_odds(0, false, true.astype(float)))
        found[heads.atoms] = heads.probabilities(false)
        return found

    batches = Batches(network.atoms, chains)
    estimate = run(advance, batches, schedule, PHASE, stop=stop, progress=progress)
    return replace(estimate, failures=sampler.failures)
