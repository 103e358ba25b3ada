"""Unit propagation: what the hard clauses decide at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from logicoder.mln.inference.ground import Clauses, ClauseStore, GroundNetwork


@dataclass(frozen=True, eq=False)
class Propagated:
    """A ground network after unit propagation.

    Attributes:
        values: 1 and 0 for atoms that are decided, -1 for the others.
        network: what is left, over the same atoms; decided atoms occur in no clause.
        conflicts: hard clauses of the original network that had to be dropped, since others, of formulas that
            come first, decide their atoms otherwise.
    """

    values: np.ndarray
    network: GroundNetwork
    conflicts: np.ndarray


def propagate(network: GroundNetwork) -> Propagated:
    """Decide the atoms of hard clauses with one literal, and go on with what that leaves of the others."""
    values = np.full(network.atoms, -1, np.int8)
    clauses = network.clauses
    if not ((clauses.lengths == 1) & clauses.hard).any():
        return Propagated(values, network, np.empty(0, np.int64))
    bias = network.bias.copy()
    origins = np.arange(len(clauses))
    conflicts: list[np.ndarray] = []
    while True:
        unit = (clauses.lengths == 1) & clauses.hard
        if not unit.any():
            break
        conflicts.append(origins[_decide(values, clauses, np.flatnonzero(unit))])
        clauses, origins = clauses.select(~unit), origins[~unit]
        clauses, origins, lost = _reduce(values, clauses, origins, bias)
        conflicts.append(lost)
    bias[values >= 0] = 0.0
    return Propagated(values, GroundNetwork(bias, _merged(clauses, network.atoms)), np.concatenate(conflicts))


def _decide(values: np.ndarray, clauses: Clauses, units: np.ndarray) -> np.ndarray:
    """Set the atoms of unit clauses; return those clauses that say the opposite of an earlier formula."""
    units = units[np.argsort(clauses.formulas[units], kind="stable")]
    literals = clauses.literals[clauses.starts[units]]
    atoms, wanted = literals >> 1, 1 - (literals & 1)
    distinct, first = np.unique(atoms, return_index=True)
    values[distinct] = wanted[first]
    return np.asarray(units[values[atoms] != wanted])


def _reduce(
    values: np.ndarray, clauses: Clauses, origins: np.ndarray, bias: np.ndarray
) -> tuple[Clauses, np.ndarray, np.ndarray]:
    """Drop satisfied clauses and false literals; soft clauses of one literal become biases.

    Returns:
        The clauses left, where they come from, and where hard ones come from that lost all literals.
    """
    known = values[clauses.atoms]
    true = known == 1 - (clauses.literals & 1)
    owners = clauses.owners
    satisfied = np.zeros(len(clauses), bool)
    satisfied[owners[true]] = True
    stays = (known < 0) & ~satisfied[owners]
    lengths = np.bincount(owners[stays], minlength=len(clauses))
    left = Clauses(
        np.concatenate([[0], np.cumsum(lengths)]), clauses.literals[stays], clauses.weights, clauses.formulas
    )
    hard = left.hard
    single = (lengths == 1) & ~hard
    literals = left.literals[left.starts[:-1][single]]
    np.add.at(bias, literals >> 1, np.where(literals & 1, -1.0, 1.0) * left.weights[single])
    chosen = (lengths > 1) | ((lengths == 1) & hard)
    return left.select(chosen), origins[chosen], origins[(lengths == 0) & hard & ~satisfied]


def _merged(clauses: Clauses, atoms: int) -> Clauses:
    """Merge clauses that have become equal."""
    store = ClauseStore(atoms)
    store.add_clauses(clauses)
    return store.network().clauses
