"""Random ground networks, and their probabilities by looking at all states."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from logicoder.mln.inference.ground_network import ClauseStore, GroundNetwork
from mln import brute_force


def random_network(
    seed: int, atoms: int, clauses: int, hard: float = 0.3, longest: int = 3, positive: float = 0.5
) -> GroundNetwork:
    """Return a network with clauses of two to `longest` literals, a share of them hard."""
    numbers = np.random.default_rng(seed)
    store = ClauseStore(atoms)
    store.bias[:] = numbers.normal(size=atoms)
    for number in range(clauses):
        length = int(numbers.integers(2, min(longest, atoms) + 1))
        chosen = numbers.choice(atoms, length, replace=False)
        literals = 2 * chosen + (numbers.random(length) > positive)
        weight = np.inf if numbers.random() < hard else numbers.normal()
        store.add(literals[None, :], np.array([weight]), number)
    return store.network()


def all_weights(network: GroundNetwork) -> np.ndarray:
    """Return the weight of every state, in the order of `brute_force.assignments`."""
    scores = np.array([network.log_weight(state) for state in brute_force.assignments(network.atoms)])
    highest = scores.max()
    return np.exp(scores - highest) if np.isfinite(highest) else np.zeros(len(scores))


def exact(network: GroundNetwork) -> np.ndarray | None:
    """Return the probability of each atom, or None where no state is possible."""
    weights = all_weights(network)
    if not weights.any():
        return None
    return weights @ brute_force.assignments(network.atoms) / weights.sum()


def possible_networks(count: int, **options: float) -> Iterator[tuple[GroundNetwork, np.ndarray]]:
    """Iterate over random networks that have a possible state."""
    found = 0
    for seed in range(10 * count):
        network = random_network(seed, 3 + seed % 6, 2 + seed % 9, **options)
        wanted = exact(network)
        if wanted is not None:
            yield network, wanted
            found += 1
            if found == count:
                return
