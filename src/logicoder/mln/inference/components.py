"""Connected components: parts of a ground network that know nothing of each other."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from logicoder.mln.inference.ground_network import Clauses, GroundNetwork


@dataclass(frozen=True, eq=False)
class Parts:
    """Some components of a ground network, one after the other.

    Attributes:
        atoms: the atoms of the whole network that are meant, component by component.
        network: the network over these, numbered in that order; the clauses component by component, too.
        starts: where the atoms of each component start, and where the last ones end.
        clause_starts: where the clauses of each component start, and where the last ones end.
    """

    atoms: np.ndarray
    network: GroundNetwork
    starts: np.ndarray
    clause_starts: np.ndarray

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def sizes(self) -> np.ndarray:
        """The number of atoms of each component."""
        return np.diff(self.starts)

    def select(self, chosen: np.ndarray) -> Parts:
        """Return some of the components: a mask, or positions."""
        chosen = np.flatnonzero(chosen) if chosen.dtype == bool else chosen
        if np.array_equal(chosen, np.arange(len(self))):
            return self
        atoms, starts = _ranges(self.starts, chosen)
        clauses, clause_starts = _ranges(self.clause_starts, chosen)
        places = np.empty(self.network.atoms, np.int64)
        places[atoms] = np.arange(len(atoms))
        network = GroundNetwork(
            self.network.bias[atoms], self.network.clauses.select(clauses).renumbered(places)
        )
        return Parts(self.atoms[atoms], network, starts, clause_starts)

    def without_clauses(self, dropped: np.ndarray) -> Parts:
        """Return the same components without some of the clauses; components may fall apart, unnoticed."""
        keep = np.ones(len(self.network.clauses), bool)
        keep[dropped] = False
        before = np.concatenate([[0], np.cumsum(keep)])
        network = GroundNetwork(self.network.bias, self.network.clauses.select(keep))
        return Parts(self.atoms, network, self.starts, before[self.clause_starts])


def _ranges(starts: np.ndarray, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the positions in some ranges, and where each range starts among them."""
    lengths = starts[chosen + 1] - starts[chosen]
    ends = np.concatenate([[0], np.cumsum(lengths)])
    return np.arange(ends[-1]) + np.repeat(starts[chosen] - ends[:-1], lengths), ends


def components_of(network: GroundNetwork) -> Parts:
    """Return the components of two atoms and more, the smallest first; atoms in no clause are left out."""
    clauses = network.clauses
    if not len(clauses):
        nothing = np.empty(0, np.int64)
        empty = GroundNetwork(network.bias[:0], clauses)
        return Parts(nothing, empty, np.zeros(1, np.int64), np.zeros(1, np.int64))
    from scipy.sparse import coo_array  # noqa: PLC0415  (slow to import, and not needed without clauses)
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

    linked = clauses.atoms
    first = linked[clauses.starts[:-1]]
    used = np.flatnonzero(np.bincount(linked, minlength=network.atoms))
    places = np.zeros(network.atoms, np.int32)
    places[used] = np.arange(len(used))
    ends = places[np.repeat(first, clauses.lengths)], places[linked]
    links = coo_array((np.ones(len(linked), bool), ends), shape=(len(used),) * 2)
    number, labels = connected_components(links, directed=False)
    if number == 1 and len(used) == network.atoms:  # nothing to sort, and that may be a lot
        return Parts(used, network, np.array([0, network.atoms]), np.array([0, len(clauses)]))
    sizes = np.bincount(labels)
    rank = np.empty(len(sizes), np.int64)
    rank[np.argsort(sizes, kind="stable")] = np.arange(len(sizes))
    labels = rank[labels]
    order = np.argsort(labels, kind="stable")
    of_clause = labels[places[first]]
    clause_order = np.argsort(of_clause, kind="stable")
    places[used[order]] = np.arange(len(used))
    chosen = clauses.select(clause_order).renumbered(places.astype(np.int64))
    bounds = np.arange(len(sizes) + 1)
    return Parts(
        used[order],
        GroundNetwork(network.bias[used[order]], chosen),
        np.searchsorted(labels[order], bounds),
        np.searchsorted(of_clause[clause_order], bounds),
    )


def neighbours_of(atoms: int, clauses: Clauses) -> tuple[np.ndarray, np.ndarray]:
    """Return the atoms that share a clause with each atom, and where those of each start."""
    from scipy.sparse import coo_array  # noqa: PLC0415  (slow to import)

    pairs: list[np.ndarray] = [np.empty((0, 2), np.int32)]
    lengths = clauses.lengths
    for length in np.unique(lengths).tolist():
        group = clauses.select(lengths == length).atoms.reshape(-1, length).astype(np.int32)
        pairs += [group[:, pair] for pair in combinations(range(length), 2)]
    both = np.concatenate(pairs)
    both = both[both[:, 0] != both[:, 1]]
    one_way = coo_array((np.ones(len(both), bool), tuple(both.T)), shape=(atoms, atoms)).tocsr()
    graph = one_way + one_way.T.tocsr()
    return graph.indptr, graph.indices
