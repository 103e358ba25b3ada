"""Small components: all their states at once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from logicoder.mln.inference.components import Parts

CELLS = 1 << 22
"""How many (clause, state) pairs are looked at at once."""


def tables(parts: Parts) -> Iterator[tuple[slice, np.ndarray]]:
    """Iterate over components of one size: which ones, and the log weight of each state of each.

    In state number s, the i-th atom of the component has the truth value of the i-th lowest bit of s.
    """
    size = int(parts.sizes[0])
    clauses = parts.network.clauses
    states = np.arange(1 << size, dtype=np.int64)
    values = bits(size)
    bias = parts.network.bias.reshape(-1, size)
    local = np.left_shift(1, clauses.atoms % size)
    # A clause is violated in the states that have, at its atoms, the bits of its negative literals.
    masks = np.add.reduceat(local, clauses.starts[:-1]) if len(clauses) else local
    broken = np.where(clauses.literals & 1, local, 0)
    broken = np.add.reduceat(broken, clauses.starts[:-1]) if len(clauses) else broken
    first = 0
    while first < len(parts):
        most = parts.clause_starts[first] + max(1, CELLS >> size)
        last = int(np.searchsorted(parts.clause_starts, most, "right")) - 1
        last = min(max(last, first + 1), first + max(1, CELLS >> size))
        found = bias[first:last] @ values
        start, end = parts.clause_starts[first], parts.clause_starts[last]
        for part in range(start, end, max(1, CELLS >> size)):
            chosen = slice(part, min(part + max(1, CELLS >> size), end))
            violated = (states & masks[chosen, None]) == broken[chosen, None]
            losses = np.where(violated, clauses.weights[chosen, None], 0.0)
            owners = np.searchsorted(parts.clause_starts, np.arange(chosen.start, chosen.stop), "right") - 1
            distinct, firsts = np.unique(owners, return_index=True)
            found[distinct - first] -= np.add.reduceat(losses, firsts, axis=0)
        yield slice(first, last), found
        first = last


def bits(size: int) -> np.ndarray:
    """Return the truth values of the atoms in all states, shape (atoms, states)."""
    return ((np.arange(1 << size) >> np.arange(size)[:, None]) & 1).astype(float)


def enumerate_marginals(parts: Parts) -> tuple[np.ndarray, np.ndarray]:
    """Return the exact probability of each atom, and which components have no possible state.

    All components must have the same size. The probabilities of impossible ones are not numbers.
    """
    size = int(parts.sizes[0])
    values = bits(size).T
    found = np.full((len(parts), size), np.nan)
    for which, scores in tables(parts):
        highest = scores.max(axis=1, keepdims=True)
        possible = np.isfinite(highest[:, 0])
        weights = np.exp(scores[possible] - highest[possible])
        found[which][possible] = (weights @ values) / weights.sum(axis=1, keepdims=True)
    return found.ravel(), np.isnan(found[:, 0])


def enumerate_best(parts: Parts) -> tuple[np.ndarray, np.ndarray]:
    """Return a most probable state of each component, and which components have no possible state.

    All components must have the same size. Of equally probable states the lowest number is taken, so that
    atoms are false rather than true.
    """
    size = int(parts.sizes[0])
    values = bits(size).T.astype(bool)
    best = np.zeros(len(parts), np.int64)
    possible = np.zeros(len(parts), bool)
    for which, scores in tables(parts):
        best[which] = scores.argmax(axis=1)
        possible[which] = np.isfinite(scores.max(axis=1))
    return values[best].ravel(), ~possible
