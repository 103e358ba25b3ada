"""The probability of an atom given all others: what samplers draw from, and what they average.

Averaging these probabilities instead of the drawn truth values gives the same mean with less noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from logicoder.mln.inference.components import neighbours_of
from logicoder.mln.inference.ground_network import Clauses, GroundNetwork

if TYPE_CHECKING:
    from scipy.sparse import csr_array

HARD = 1e6
"""What a hard clause counts at least in a sum of weights: enough to leave no probability in doubles."""


def sigmoid(values: np.ndarray) -> np.ndarray:
    """Return 1 / (1 + exp(-x)), without overflow.

    >>> sigmoid(np.array([-1e6, 0.0, 1e6])).tolist()
    [0.0, 0.5, 1.0]
    """
    tail = np.exp(-np.abs(values))
    return np.asarray(np.where(values >= 0, 1.0, tail) / (1.0 + tail))


def hard_weight(network: GroundNetwork) -> float:
    """Return what a hard clause counts in a sum of weights: more than all soft ones together.

    Groundings of evidence add up, so that the bias of an atom may be in the millions.
    """
    weights = network.clauses.weights
    return HARD + 2 * float(
        np.abs(network.bias).max(initial=0.0) + np.abs(weights[np.isfinite(weights)]).sum()
    )


def false_literals(states: np.ndarray) -> np.ndarray:
    """Return which literals are false: states of shape (atoms, chains) give (2 × atoms, chains)."""
    found = np.empty((2 * len(states), states.shape[1]), bool)
    found[0::2] = ~states
    found[1::2] = states
    return found


class Conditionals:
    """Log odds of each atom given all the others, for groups of atoms.

    Drawing a whole group at once is right if no two of its atoms share a clause. Where atoms are entangled,
    most clauses are soft and of two literals. Whatever their signs, these say: so much for an atom, and so
    much for it and another together. So all of them are a bias and one symmetric matrix, whose product with
    the states of all chains is far quicker than looking at clauses.

    Args:
        network: the ground network.
        groups: the atoms of each group.
    """

    def __init__(self, network: GroundNetwork, groups: Sequence[np.ndarray]) -> None:
        from scipy.sparse import csr_array  # noqa: PLC0415  (slow to import)

        self.groups = list(groups)
        clauses = network.clauses
        paired = (clauses.lengths == 2) & ~clauses.hard
        bias, couplings = _couplings(network, clauses.select(paired))
        self._bias = [bias[group][:, None] for group in groups]
        self._couplings = [None if couplings is None else couplings[group] for group in groups]
        self._terms: list[list[tuple[np.ndarray, csr_array]]] = [[] for _ in groups]
        clauses = clauses.select(~paired)
        place, group_of = np.zeros(network.atoms, np.int64), np.full(network.atoms, -1)
        for number, group in enumerate(groups):
            place[group] = np.arange(len(group))
            group_of[group] = number
        hard = hard_weight(network)
        for length in np.unique(clauses.lengths).tolist():
            atoms, others, weights = _occurrences(clauses, length, hard)
            order = np.argsort(group_of[atoms], kind="stable")
            ends = np.searchsorted(group_of[atoms][order], np.arange(len(groups) + 1))
            for number in range(len(groups)):
                chosen = order[ends[number] : ends[number + 1]]
                if not len(chosen):
                    continue
                rows = place[atoms[chosen]]
                chosen = chosen[np.argsort(rows, kind="stable")]
                starts = np.searchsorted(np.sort(rows), np.arange(len(self.groups[number]) + 1))
                matrix = csr_array(
                    (weights[chosen], np.arange(len(chosen)), starts),
                    shape=(len(self.groups[number]), len(chosen)),
                )
                self._terms[number].append((np.ascontiguousarray(others[chosen].T), matrix))

    def log_odds(self, group: int, false: np.ndarray, true: np.ndarray) -> np.ndarray:
        """Return the log odds of the atoms of a group.

        Args:
            group: its number.
            false: which literals are false, shape (…, chains).
            true: 1 for each atom that is true, else 0, as floats of shape (atoms, chains).
        """
        found = self._bias[group]
        if self._couplings[group] is not None:
            found = found + self._couplings[group] @ true
        for others, matrix in self._terms[group]:
            alone = false[others[0]]
            for other in others[1:]:
                alone &= false[other]
            found = found + matrix @ alone
        shape = (len(self.groups[group]), false.shape[1])
        return found if found.shape == shape else np.broadcast_to(found, shape)


_LONG = 8
"""Literals of a clause beyond which its pairs of atoms are not listed."""


def _couplings(network: GroundNetwork, pairs: Clauses) -> tuple[np.ndarray, csr_array | None]:
    """Return what soft clauses of two literals say for each atom, its bias included, and for pairs of them.

    A literal is false where c + s x is 1: x is the truth of its atom, c and s are 0 and 1 for negative
    literals, 1 and -1 for positive ones. A clause loses its weight where the product of its two is 1.
    """
    from scipy.sparse import coo_array  # noqa: PLC0415  (slow to import)

    bias = network.bias.copy()
    if not len(pairs):
        return bias, None
    atoms = pairs.atoms.reshape(-1, 2).T
    negated = (pairs.literals & 1).reshape(-1, 2).T
    constant, slope = 1.0 - negated, 2.0 * negated - 1.0
    for mine, other in ((0, 1), (1, 0)):
        said = -pairs.weights * constant[other] * slope[mine]
        bias += np.bincount(atoms[mine], said, minlength=network.atoms)
    both = -pairs.weights * slope[0] * slope[1]
    shape = (network.atoms, network.atoms)
    upper = coo_array((both, tuple(atoms.astype(np.int32))), shape=shape).tocsr()
    return bias, upper + upper.T.tocsr()


def _occurrences(clauses: Clauses, length: int, hard: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return for each literal of the clauses of a length its atom, the other literals, and what it adds.

    Where all the other literals are false, the weight speaks for a positive and against a negative literal.
    """
    part = clauses.select(clauses.lengths == length)
    literals = part.literals.reshape(-1, length)
    weights = np.where(part.hard, hard, part.weights)
    others = [np.delete(literals, column, axis=1) for column in range(length)]
    mine = literals.T.ravel()
    signed = np.tile(weights, length) * np.where(mine & 1, -1.0, 1.0)
    return mine >> 1, np.concatenate(others), signed


def colours(network: GroundNetwork, atoms: np.ndarray, further: Clauses) -> list[np.ndarray]:
    """Split atoms into groups of which no two share a clause, those with most neighbours first.

    Args:
        network: the ground network.
        atoms: those to split.
        further: clauses that are not in the network, but count as well.
    """
    long = network.clauses.lengths > _LONG
    starts, neighbours = neighbours_of(network.atoms, network.clauses.select(~long))
    # Pairs of atoms of long clauses would fill the memory: each clause keeps its colours as bits of a number.
    sets = [network.clauses.select(long), further]
    atom_of = np.concatenate([part.atoms for part in sets])
    set_of = np.concatenate([sets[0].owners, sets[1].owners + len(sets[0])])
    sizes = np.concatenate([part.lengths for part in sets])
    order = np.argsort(atom_of, kind="stable")
    set_of, places = set_of[order], np.searchsorted(atom_of[order], np.arange(network.atoms + 1))
    linked = np.diff(starts) + np.bincount(atom_of[order], sizes[set_of] - 1, minlength=network.atoms)
    used = [0] * len(sizes)
    colour = np.full(network.atoms, -1)
    for atom in atoms[np.argsort(-linked[atoms], kind="stable")].tolist():
        taken = 0
        for number in set(colour[neighbours[starts[atom] : starts[atom + 1]]].tolist()) - {-1}:
            taken |= 1 << number
        mine = set_of[places[atom] : places[atom + 1]].tolist()
        for item in mine:
            taken |= used[item]
        free = (~taken & (taken + 1)).bit_length() - 1
        colour[atom] = free
        for item in mine:
            used[item] |= 1 << free
    found = colour[atoms]
    order = np.argsort(found, kind="stable")
    return np.split(atoms[order], np.cumsum(np.bincount(found))[:-1]) if len(found) else []
