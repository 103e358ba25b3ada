"""Components of low treewidth: exact probabilities by eliminating one atom after the other, and back.

The order takes the atom with the fewest neighbours first. Eliminating an atom sums it out of a table over the
atom and its neighbours; on the way back, each table becomes the distribution of its atoms.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import pairwise

import numpy as np

from logicoder.mln.inference.components import neighbours_of
from logicoder.mln.inference.ground_network import GroundNetwork


@dataclass(frozen=True)
class EliminationPlan:
    """An elimination order.

    Attributes:
        cliques: for each step the atom that is eliminated and then its neighbours, in the order in which they
            are eliminated later.
        cells: the number of entries of all tables together.
    """

    cliques: tuple[tuple[int, ...], ...]
    cells: int


def _least_neighbours(network: GroundNetwork) -> int:
    """Return how many neighbours each atom has at least, without listing them.

    Two atoms share at most eight clauses of two literals: four of different signs, each soft and hard.
    """
    clauses = network.clauses
    paired = clauses.atoms[clauses.lengths[clauses.owners] == 2] if len(clauses) else clauses.atoms
    least = np.bincount(paired, minlength=network.atoms).min()
    return -(-int(least) // 8)


def plan(network: GroundNetwork, most_cells: int) -> EliminationPlan | None:
    """Return an elimination order, or None where its tables would have too many entries."""
    widest = most_cells.bit_length()
    if network.clauses.lengths.max(initial=0) > widest:
        return None
    if _least_neighbours(network) >= widest:
        return None
    starts, linked = neighbours_of(network.atoms, network.clauses)
    if np.diff(starts).min() >= widest:
        return None
    neighbours = [set(linked[start:end].tolist()) for start, end in pairwise(starts.tolist())]
    queue = [(len(found), atom) for atom, found in enumerate(neighbours)]
    heapify(queue)
    order = [-1] * network.atoms
    cliques: list[tuple[int, set[int]]] = []
    cells = 0
    while queue:
        degree, atom = heappop(queue)
        if order[atom] >= 0 or degree != len(neighbours[atom]):
            continue
        if degree >= widest:
            return None
        cells += 2 << degree
        if cells > most_cells:
            return None
        order[atom] = len(cliques)
        around = neighbours[atom]
        cliques.append((atom, around))
        for other in around:
            found = neighbours[other]
            found |= around
            found.discard(other)
            found.discard(atom)
            heappush(queue, (len(found), other))
    return EliminationPlan(
        tuple((atom, *sorted(around, key=order.__getitem__)) for atom, around in cliques),
        cells,
    )


def eliminate(network: GroundNetwork, chosen: EliminationPlan) -> np.ndarray:
    """Return the exact probability of each atom. Some state must be possible."""
    cliques = chosen.cliques
    step_of = {clique[0]: step for step, clique in enumerate(cliques)}
    scores = [np.zeros((2,) * len(clique)) for clique in cliques]
    for step, clique in enumerate(cliques):
        scores[step][1] += network.bias[clique[0]]
    clauses = network.clauses
    starts, literals = clauses.starts.tolist(), clauses.literals.tolist()
    for (start, end), weight in zip(pairwise(starts), clauses.weights.tolist(), strict=True):
        signs = {literal >> 1: literal & 1 for literal in literals[start:end]}
        step = min(map(step_of.__getitem__, signs))
        place = tuple(signs.get(atom, slice(None)) for atom in cliques[step])
        scores[step][place] -= weight
    messages: list[np.ndarray] = []
    for step, clique in enumerate(cliques):
        message = np.logaddexp(scores[step][0], scores[step][1])
        messages.append(message)
        if len(clique) > 1:
            parent = step_of[clique[1]]
            scores[parent] += message.reshape(_embedding(clique[1:], cliques[parent]))
    found = np.empty(network.atoms)
    beliefs: list[np.ndarray] = [np.empty(0)] * len(cliques)
    for step in range(len(cliques) - 1, -1, -1):
        clique = cliques[step]
        with np.errstate(invalid="ignore"):
            belief = np.exp(scores[step] - messages[step])  # of the atom, given its neighbours
        belief[np.isnan(belief)] = 0.0
        if len(clique) > 1:
            parent = step_of[clique[1]]
            outside = tuple(i for i, atom in enumerate(cliques[parent]) if atom not in clique)
            belief *= beliefs[parent].sum(axis=outside)
        beliefs[step] = belief
        found[clique[0]] = belief[1].sum() / belief.sum()
    return found


def _embedding(atoms: tuple[int, ...], clique: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape that a table over some atoms of a clique takes among the axes of the clique."""
    return tuple(2 if atom in atoms else 1 for atom in clique)
