"""Entangled components with like atoms: states are counted by how many of these are true, not listed.

Formulas such as `friends(x,y) v !friends(x,z)` tie all friends of x together: no order of elimination helps,
and samplers stay in one of two far corners. But where no clause of two and more literals tells atoms apart,
only the number of true ones matters to these clauses: n such atoms have n + 1 kinds of states instead of 2^n.

Two atoms are alike if exchanging them leaves the clauses as they are; biases may differ. For a class of n
like atoms, k of them true, a clause with a positive and b negative literals of the class stands for all such
clauses, of which C(n - k, a) C(k, b) (times the same for other classes) are violated. The exponentials of
the biases of all states with k true atoms add up to the k-th elementary symmetric polynomial.
"""

from __future__ import annotations

from itertools import pairwise
from math import comb, prod

import numpy as np

from logicoder.mln.inference.ground_network import Clauses, GroundNetwork

MOST_KINDS = 16
"""With how many classes of the same colour an atom is compared."""

_CALL = 200  # what a call costs, in entries of an array
_DIGITS = 9  # weights that differ by less are the same: sums of floats depend on their order


def states_of(classes: np.ndarray) -> int:
    """Return how many kinds of states there are."""
    return prod((np.bincount(classes) + 1).tolist())


def effort_of(network: GroundNetwork, classes: np.ndarray) -> int:
    """Return about how many steps the probabilities take, given the classes of like atoms."""
    steps = 0
    for number, size in enumerate(np.bincount(classes).tolist()):
        different = len(np.unique(network.bias[classes == number]))
        steps += (1 + different) * size * (size + _CALL)
    return states_of(classes) + steps


def exchangeable_marginals(network: GroundNetwork, classes: np.ndarray) -> np.ndarray:
    """Return the exact probability of each atom, given the classes of like atoms.

    Some state must be possible.
    """
    sizes = np.bincount(classes)
    counts = np.indices(tuple(sizes + 1)).reshape(len(sizes), -1)
    scores = np.zeros(counts.shape[1])
    members = [np.flatnonzero(classes == number) for number in range(len(sizes))]
    sums = [_symmetric(network.bias[atoms]) for atoms in members]
    for number, found in enumerate(sums):
        scores += found[counts[number]]
    for patterns, weights in _orbits(network.clauses, classes):
        for pattern, weight in zip(patterns.tolist(), weights.tolist(), strict=True):
            broken = np.ones(counts.shape[1])
            for kind in sorted(set(pattern)):
                which = counts[kind >> 1]
                false = which if kind & 1 else sizes[kind >> 1] - which
                ways = [comb(k, pattern.count(kind)) for k in range(sizes[kind >> 1] + 1)]
                broken *= np.array(ways, float)[false]
            scores[broken > 0] -= weight * broken[broken > 0]
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    marginals = np.empty(network.atoms)
    for number, atoms in enumerate(members):
        true = np.bincount(counts[number], weights)
        for bias in np.unique(network.bias[atoms]).tolist():
            same = atoms[network.bias[atoms] == bias]
            others = _symmetric(network.bias[atoms[atoms != same[0]]])
            # Given that k atoms are true: this one, and k - 1 of the others.
            marginals[same] = true[1:] @ np.exp(bias + others - sums[number][1:])
    return marginals


def _symmetric(biases: np.ndarray) -> np.ndarray:
    """Return the logarithm of the sum, over all sets of k atoms, of the exponential of their biases.

    >>> np.exp(_symmetric(np.log([2.0, 3.0, 5.0]))).round(6).tolist()
    [1.0, 10.0, 31.0, 30.0]
    """
    found = np.full(len(biases) + 1, -np.inf)
    found[0] = 0.0
    for bias in biases.tolist():
        found[1:] = np.logaddexp(found[1:], found[:-1] + bias)
    return found


def _orbits(clauses: Clauses, classes: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the kinds of clauses: classes and signs of their literals, and the weight of each."""
    found = []
    kinds = 2 * classes[clauses.atoms] + (clauses.literals & 1)
    for length in np.unique(clauses.lengths).tolist():
        for hard in (False, True):
            chosen = (clauses.lengths == length) & (clauses.hard == hard)
            if chosen.any():
                places = clauses.starts[:-1][chosen][:, None] + np.arange(length)
                patterns = np.sort(kinds[places], axis=1)
                distinct, first = np.unique(patterns, axis=0, return_index=True)
                found.append((distinct, clauses.weights[chosen][first]))
    return found


def like_atoms(network: GroundNetwork, most_states: int) -> np.ndarray | None:
    """Return a class for each atom, or None where there are more kinds of states than wanted."""
    colours = _refined(network, most_states)
    if states_of(colours) > most_states:
        return None
    exchange = _Exchange(network)
    classes = np.full(network.atoms, -1)
    number = 0
    for colour in range(int(colours.max()) + 1):
        kinds: list[int] = []
        for atom in np.flatnonzero(colours == colour).tolist():
            for other in kinds:
                if exchange.leaves_all(atom, other):
                    classes[atom] = classes[other]
                    break
            else:
                classes[atom] = number
                number += 1
                kinds.append(atom)
                if len(kinds) > MOST_KINDS:
                    return None
    return classes if states_of(classes) <= most_states else None


class _Exchange:
    """Asks whether exchanging two atoms changes a network."""

    def __init__(self, network: GroundNetwork) -> None:
        clauses = network.clauses
        literals, starts = clauses.literals.tolist(), clauses.starts.tolist()
        weights = np.round(clauses.weights, _DIGITS).tolist()
        self._weights: dict[tuple[tuple[int, ...], bool], float] = {}
        self._occurrences: list[list[tuple[tuple[int, ...], bool]]] = [[] for _ in range(network.atoms)]
        for (start, end), weight in zip(pairwise(starts), weights, strict=True):
            key = tuple(sorted(literals[start:end])), weight == np.inf
            self._weights[key] = weight
            for literal in key[0]:
                self._occurrences[literal >> 1].append(key)

    def leaves_all(self, one: int, two: int) -> bool:
        """Return whether the clauses stay the same when two atoms change places."""
        for clause, hard in (*self._occurrences[one], *self._occurrences[two]):
            moved = tuple(
                sorted(
                    2 * two + (x & 1) if x >> 1 == one else 2 * one + (x & 1) if x >> 1 == two else x
                    for x in clause
                )
            )
            if self._weights.get((moved, hard)) != self._weights[clause, hard]:
                return False
        return True


def _refined(network: GroundNetwork, most_states: int) -> np.ndarray:
    """Return colours such that like atoms have the same: those in like clauses with atoms of like colours.

    More colours make for more kinds of states, so once these are too many there is no need to go on.
    """
    clauses = network.clauses
    owners, atoms, signs = clauses.owners, clauses.atoms, clauses.literals & 1
    # Like atoms occur in equally many clauses with each sign: often that alone tells too many apart.
    occurrences = np.bincount(clauses.literals, minlength=2 * network.atoms).reshape(-1, 2)
    colours = np.unique(occurrences @ np.array([1, len(clauses) + 1]), return_inverse=True)[1]
    if states_of(colours) > most_states:
        return colours
    base = _mixed(np.unique(np.round(clauses.weights, _DIGITS), return_inverse=True)[1].astype(np.uint64))
    number = 0
    while True:
        colours = np.unique(colours, return_inverse=True)[1]
        now = int(colours.max()) + 1
        if now == number or states_of(colours) > most_states:
            return colours
        number = now
        parts = _mixed((2 * colours[atoms] + signs).astype(np.uint64))
        of_clause = base.copy()
        np.add.at(of_clause, owners, parts)
        around = _mixed(colours.astype(np.uint64))
        np.add.at(around, atoms, _mixed(of_clause[owners] ^ parts))
        colours = around


def _mixed(values: np.ndarray) -> np.ndarray:
    """Return well-mixed 64-bit numbers, the same for the same values (the finaliser of splitmix64)."""
    mixed = values + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)))
