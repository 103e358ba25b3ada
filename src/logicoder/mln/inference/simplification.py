"""What hard clauses decide: atoms that can only be true, or false, or equal or opposite to others.

Hard clauses of one literal decide its atom and so, by unit propagation, may others. Hard clauses of two
literals are implications, and literals that imply each other are one: a formula such as
`friends(x,y) => friends(y,x).` halves the number of atoms, and leaves no hard clause to hinder samplers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from logicoder.mln.inference.ground_network import Clauses, ClauseStore, GroundNetwork

GivenUp = tuple[list[int], int]
"""Literals and formula of a hard clause that had to be given up."""


@dataclass(frozen=True, eq=False)
class Simplified:
    """A ground network without what its hard clauses decide.

    Attributes:
        network: what is left, over the same atoms; those that are decided or replaced are in no clause.
        values: 1 and 0 for atoms that are decided, -1 for the others.
        same: for each atom the literal that it is equal to; its own, where it is not replaced.
        given_up: hard clauses that contradict others.
    """

    network: GroundNetwork
    values: np.ndarray
    same: np.ndarray
    given_up: list[GivenUp]

    @property
    def free(self) -> np.ndarray:
        """Which atoms are neither decided nor replaced."""
        return np.asarray((self.values < 0) & (self.same == 2 * np.arange(len(self.same))))


def simplify(network: GroundNetwork) -> Simplified:
    """Propagate units and merge equal atoms until nothing changes."""
    values = np.full(network.atoms, -1, np.int8)
    same = 2 * np.arange(network.atoms)
    given_up: list[GivenUp] = []
    while True:
        found = propagate(network)
        given_up += clauses_at(network, found.conflicts)
        values = np.where(found.values >= 0, found.values, values)
        network = found.network
        merged = _equal_literals(network)
        if merged is None:
            break
        same = merged[same >> 1] ^ (same & 1)
        network = _replaced(network, merged)
    # What is replaced by a decided atom is decided, too.
    decided = values[same >> 1] >= 0
    values = np.where(decided, values[same >> 1] ^ (same & 1), -1).astype(np.int8)
    return Simplified(network, values, same, given_up)


def clauses_at(network: GroundNetwork, places: np.ndarray, atoms: np.ndarray | None = None) -> list[GivenUp]:
    """Return literals and formulas of some clauses; `atoms` are those of the network in a larger one."""
    chosen = network.clauses.select(places)
    numbers = chosen.atoms if atoms is None else atoms[chosen.atoms]
    literals = np.split(2 * numbers + (chosen.literals & 1), chosen.starts[1:-1]) if len(chosen) else []
    return [
        (part.tolist(), formula) for part, formula in zip(literals, chosen.formulas.tolist(), strict=True)
    ]


def _equal_literals(network: GroundNetwork) -> np.ndarray | None:
    """Return for each atom the literal of the lowest atom that it is equal to; None if all are different."""
    clauses = network.clauses
    pairs = clauses.select(clauses.hard & (clauses.lengths == 2)).literals.reshape(-1, 2)
    if len(pairs) < 2:
        return None
    from scipy.sparse import coo_array  # noqa: PLC0415  (slow to import)
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

    used, numbers = np.unique(np.concatenate([pairs, pairs ^ 1]), return_inverse=True)
    one, two = numbers.reshape(2, -1, 2)[0].T
    not_one, not_two = numbers.reshape(2, -1, 2)[1].T
    # A clause a v b says: not a implies b, and not b implies a.
    ends = np.concatenate([not_one, not_two]), np.concatenate([two, one])
    graph = coo_array((np.ones(len(ends[0]), bool), ends), shape=(len(used),) * 2)
    _, labels = connected_components(graph, directed=True, connection="strong")
    lowest = np.full(labels.max() + 1, np.iinfo(np.int64).max)
    np.minimum.at(lowest, labels, used)
    found = 2 * np.arange(network.atoms)
    positive = used & 1 == 0
    # An atom that is equal to its own negation cannot be satisfied; that is found out later.
    possible = labels[positive] != labels[~positive]
    found[used[positive][possible] >> 1] = lowest[labels[positive]][possible]
    return None if (found == 2 * np.arange(network.atoms)).all() else found


def _replaced(network: GroundNetwork, literals: np.ndarray) -> GroundNetwork:
    """Return the network with a literal in the place of each atom."""
    clauses = network.clauses
    store = ClauseStore(network.atoms)
    np.add.at(store.bias, literals >> 1, np.where(literals & 1, -1.0, 1.0) * network.bias)
    new = literals[clauses.atoms] ^ (clauses.literals & 1)
    store.add_clauses(Clauses(clauses.starts, new, clauses.weights, clauses.formulas))
    return store.network()


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
    store = ClauseStore(network.atoms)
    store.bias[:] = bias
    store.add_clauses(clauses)  # some may have become equal
    return Propagated(values, store.network(), np.concatenate(conflicts))


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
