"""Heads of hard clauses, such as those of decoders: atoms that occur only as heads need not be sampled.

If an atom h occurs in hard clauses `h v C1`, `h v C2`, ... and nowhere else but in clauses of its own, it can
be summed out: where every Ci holds, h is free and contributes 1 + e^b (b its bias); else it must be true and
contributes e^b. So the other atoms see a factor that is log(1 + e^-b) higher where all Ci hold, which is
written as soft clauses, and P(h) = 1 - (1 - σ(b)) P(all Ci hold). Without a bias that is
½ (1 + P(some body true)). The same holds with the sign of h turned around.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from logicoder.mln.inference.ground_network import Clauses, ClauseStore, GroundNetwork

MOST_BODIES = 6
"""The factor of a head with more bodies of several literals is not written as clauses, of which it takes
2^bodies."""

MOST_SINGLE = 30
"""Nor is that of a head with more bodies of any length for a sampler: short ones make one clause, which each
of its literals would look at as a whole."""


@dataclass(frozen=True, eq=False)
class Heads:
    """Atoms that were summed out.

    Attributes:
        atoms: their numbers.
        negated: whether each occurs negated.
        gains: by how much the log weight of a state is higher where nothing forces the head; log(1 + e^-b).
        rest: the clauses that must hold for a head to be free, head by head, without the head.
        starts: where the clauses of each head start, and where the last ones end.
    """

    atoms: np.ndarray
    negated: np.ndarray
    gains: np.ndarray
    rest: Clauses
    starts: np.ndarray

    def __len__(self) -> int:
        return len(self.atoms)

    def probabilities(self, false: np.ndarray) -> np.ndarray:
        """Return the probability of each head given which literals of the others are false.

        Both are of shape (…, chains).
        """
        if not len(self):
            return np.empty((0, false.shape[1]))
        broken = np.logical_and.reduceat(false[self.rest.literals], self.rest.starts[:-1], axis=0)
        forced = np.logical_or.reduceat(broken, self.starts[:-1], axis=0)
        wanted = np.where(forced, 1.0, np.exp(-self.gains)[:, None])
        return np.where(self.negated[:, None], 1.0 - wanted, wanted)

    def select(self, chosen: np.ndarray) -> Heads:
        """Return some of the heads: a mask."""
        rest = self.rest.select(np.repeat(chosen, np.diff(self.starts)))
        starts = np.concatenate([[0], np.cumsum(np.diff(self.starts)[chosen])])
        return Heads(self.atoms[chosen], self.negated[chosen], self.gains[chosen], rest, starts)

    def atom_sets(self) -> Clauses:
        """Return for each head all literals of its rest, as if they were one clause."""
        starts = self.rest.starts[self.starts]
        return Clauses(starts, self.rest.literals, np.zeros(len(self)), np.zeros(len(self), np.int64))

    @property
    def longer(self) -> np.ndarray:
        """How many clauses of several literals the rest of each head has."""
        sums = np.concatenate([[0], np.cumsum(self.rest.lengths > 1)])
        return np.asarray(sums[self.starts[1:]] - sums[self.starts[:-1]])


def collapse(network: GroundNetwork, *, many: bool = False) -> tuple[GroundNetwork, Heads, Heads]:
    """Sum out all atoms that are heads only.

    Args:
        network: the ground network.
        many: also sum out heads with many bodies, whose factors are not written as clauses.

    Returns:
        The network over the same atoms, in which the heads occur no more; the heads; and those of them whose
        factors are not in the network.
    """
    clauses = network.clauses
    if not clauses.hard.any():
        none = _heads(GroundNetwork(network.bias, Clauses.empty()), np.zeros(network.atoms, bool))
        return network, none, none
    chosen = _candidates(network)
    heads = _heads(network, chosen)
    heavy = heads.longer > MOST_BODIES
    if many:
        heavy |= np.diff(heads.starts) > MOST_SINGLE
    if not many and heavy.any():
        chosen[heads.atoms[heavy]] = False
        heads = _heads(network, chosen)
        heavy = np.zeros(len(heads), bool)
    if not len(heads):
        return network, heads, heads
    store = ClauseStore(network.atoms)
    store.bias[:] = np.where(chosen, 0.0, network.bias)
    inside = np.zeros(len(clauses), bool)
    inside[clauses.owners[chosen[clauses.atoms]]] = True
    store.add_clauses(clauses.select(~inside))
    _add_factors(store, heads.select(~heavy))
    return store.network(), heads, heads.select(heavy)


def _candidates(network: GroundNetwork) -> np.ndarray:
    """Return which atoms occur in hard clauses only, with one sign, and alone of their kind."""
    clauses = network.clauses
    atoms, owners = clauses.atoms, clauses.owners
    soft = np.zeros(network.atoms, bool)
    soft[atoms[~clauses.hard[owners]]] = True
    signs = np.zeros((network.atoms, 2), bool)
    signs[atoms, clauses.literals & 1] = True
    found = ~soft & (signs.sum(axis=1) == 1)
    # Of two candidates in one clause only the first may go: the other is part of its body.
    marked = found[atoms]
    first = np.full(len(clauses), network.atoms)
    np.minimum.at(first, owners[marked], atoms[marked])
    later = marked & (atoms != first[owners])
    found[atoms[later]] = False
    return np.asarray(found)


def _heads(network: GroundNetwork, chosen: np.ndarray) -> Heads:
    clauses = network.clauses
    heads = np.flatnonzero(chosen)
    is_head = chosen[clauses.atoms]
    of_clause = np.full(len(clauses), -1)
    of_clause[clauses.owners[is_head]] = clauses.atoms[is_head]
    negated = np.zeros(network.atoms, bool)
    negated[clauses.atoms[is_head]] = clauses.literals[is_head] & 1 == 1
    mine = np.flatnonzero(of_clause >= 0)
    mine = mine[np.argsort(of_clause[mine], kind="stable")]
    rest = _without(clauses.select(mine), chosen)
    starts = np.searchsorted(of_clause[mine], np.concatenate([heads, [network.atoms]]))
    bias = np.where(negated[heads], -network.bias[heads], network.bias[heads])
    return Heads(heads, negated[heads], np.logaddexp(0.0, -bias), rest, starts)


def _without(clauses: Clauses, heads: np.ndarray) -> Clauses:
    keep = ~heads[clauses.atoms]
    lengths = np.bincount(clauses.owners[keep], minlength=len(clauses))
    starts = np.concatenate([[0], np.cumsum(lengths)])
    return Clauses(starts, clauses.literals[keep], clauses.weights, clauses.formulas)


def _add_factors(store: ClauseStore, heads: Heads) -> None:
    """Add to the log weight, for each head, its gain where all clauses of its rest hold."""
    counts = np.diff(heads.starts)
    alone = np.flatnonzero(counts == 1)
    single = heads.rest.select(heads.starts[alone])
    for length in np.unique(single.lengths).tolist():
        chosen = single.lengths == length
        store.add(single.select(chosen).literals.reshape(-1, length), heads.gains[alone[chosen]])
    starts, literals = heads.rest.starts.tolist(), heads.rest.literals.tolist()
    for head in np.flatnonzero(counts > 1).tolist():
        bodies = [
            literals[starts[i] : starts[i + 1]] for i in range(heads.starts[head], heads.starts[head + 1])
        ]
        # "All hold" is the sum, over sets J of the longer clauses, of (-1)^|J| [the short ones hold and
        # those of J do not]: conjunctions of literals, each the negation of a clause.
        short = [body[0] ^ 1 for body in bodies if len(body) == 1]
        longer = [body for body in bodies if len(body) > 1]
        for size in range(len(longer) + 1):
            for group in combinations(longer, size):
                clause = [*short, *(literal for body in group for literal in body)]
                if clause:
                    weight = heads.gains[head] * (1.0 if size % 2 else -1.0)
                    store.add(np.array([clause]), np.array([weight]))


@dataclass(frozen=True, eq=False)
class _Term:
    """Where the atoms of one group occur in the clauses of heads, head by head.

    Attributes:
        heads: those that have an atom of the group in their clauses; each has one.
        rows: the place in the group of that atom, for each of these heads.
        starts: where the occurrences of each of these heads start.
        own: the literal of the group's atom, for each occurrence.
        others: the other literals of its clause, shape (most, occurrences); filled up with one that is false.
    """

    heads: np.ndarray
    rows: np.ndarray
    starts: np.ndarray
    own: np.ndarray
    others: np.ndarray


class HeadFactors:
    """Adds to the log odds of atoms what heads say that are free only where all clauses of their rest hold.

    For every head the number of violated clauses is kept up to date, so that a sweep looks at each clause
    once for each of its literals.

    Args:
        heads: the heads with many bodies.
        groups: groups of atoms of which no two occur in the clauses of one head.
        false: which literals are false at the start, shape (2 × atoms + 1, chains); the last is always.
    """

    def __init__(self, heads: Heads, groups: Sequence[np.ndarray], false: np.ndarray) -> None:
        self._gains = heads.gains
        self._terms: list[_Term | None] = [None] * len(groups)
        if not len(heads):
            return
        nothing = len(false) - 1
        clauses = heads.rest
        broken = np.logical_and.reduceat(false[clauses.literals], clauses.starts[:-1], axis=0)
        self._broken = np.add.reduceat(broken, heads.starts[:-1], axis=0, dtype=np.int64)
        self._rest = np.empty(0)
        owners = clauses.owners
        head_of = np.repeat(np.arange(len(heads)), np.diff(heads.starts))[owners]
        padded = np.full((len(clauses), int(clauses.lengths.max())), nothing)
        columns = np.arange(len(owners)) - clauses.starts[owners]
        padded[owners, columns] = clauses.literals
        place, group_of = np.zeros(nothing // 2, np.int64), np.full(nothing // 2, -1)
        for number, group in enumerate(groups):
            place[group] = np.arange(len(group))
            group_of[group] = number
        mine = group_of[clauses.atoms]
        order = np.argsort(mine, kind="stable")
        ends = np.searchsorted(mine[order], np.arange(len(groups) + 1))
        for number in range(len(groups)):
            chosen = order[ends[number] : ends[number + 1]]
            if len(chosen):
                touched, starts = np.unique(head_of[chosen], return_index=True)
                others = padded[owners[chosen]]
                others[np.arange(len(chosen)), columns[chosen]] = nothing
                self._terms[number] = _Term(
                    touched,
                    place[clauses.atoms[chosen[starts]]],
                    starts,
                    clauses.literals[chosen],
                    np.ascontiguousarray(others.T),
                )

    def add(self, group: int, false: np.ndarray, log_odds: np.ndarray) -> np.ndarray:
        """Return the log odds of the atoms of a group with what the heads say, shape (atoms, chains)."""
        term = self._terms[group]
        if term is None:
            return log_odds
        rest = false[term.others[0]]
        for other in term.others[1:]:
            rest &= false[other]
        self._rest = rest
        self._broken[term.heads] -= np.add.reduceat(
            rest & false[term.own], term.starts, axis=0, dtype=np.int64
        )
        negated = (term.own & 1 == 1)[:, None]
        forced_if_true = np.logical_or.reduceat(rest & negated, term.starts, axis=0)
        forced_if_false = np.logical_or.reduceat(rest & ~negated, term.starts, axis=0)
        said = (forced_if_false.astype(float) - forced_if_true) * (self._broken[term.heads] == 0)
        found = np.array(log_odds)
        np.add.at(found, term.rows, said * self._gains[term.heads, None])
        return found

    def drawn(self, group: int, false: np.ndarray) -> None:
        """Take note of the new values of the atoms of a group; to be called after `add`."""
        term = self._terms[group]
        if term is not None:
            now = self._rest & false[term.own]
            self._broken[term.heads] += np.add.reduceat(now, term.starts, axis=0, dtype=np.int64)
