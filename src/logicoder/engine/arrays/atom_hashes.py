"""Fingerprints of sets of atoms that can be computed without listing the atoms.

The hash of an atom is a product with one pseudo-random factor for each (argument position, entity), modulo
2**64; the fingerprint of a set is the sum of its hashes, twice with different factors. Products and sums
distribute: the fingerprint of all atoms `p(X,Y)` with X in one set and Y in another is a product of two
sums, so that a join without existential variables is fingerprinted by a matrix product (`ProductPairs`).

The difference of two sets of atoms of arity d is a polynomial that is linear in every factor and whose
coefficients are 1 and -1. Over random factors it vanishes modulo 2**k with a probability of at most
C(k+d-1, d-1) / 2**k: given the others, a factor is hit with 2**(j-k) where its coefficient has j trailing
zeros, which by induction happens with about 2**-j. For d = 3 and both sums that is 2**-105.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from logicoder.engine.arrays.fingerprint import mixed
from logicoder.engine.arrays.relation import Column

Factors = NDArray[np.uint64]
"""Two rows: the factors, or the sums of products of factors, of both halves of a fingerprint."""

_SEEDS = np.array([0x243F6A8885A308D3, 0x13198A2E03707344], np.uint64)


class AtomHashes:
    """The factors of entities.

    Args:
        sizes: number of entities of each type.
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        self._sizes = sizes
        self._known: dict[tuple[int, int], Factors] = {}

    def factors(self, position: int, kind: int) -> Factors:
        """Return the factors of all entities of a type as the argument at a position."""
        found = self._known.get((position, kind))
        if found is None:
            entities = np.arange(self._sizes[kind], dtype=np.uint64)
            seeds = mixed(_SEEDS + np.uint64(position))
            found = mixed(mixed(entities[None, :] + seeds[:, None]) ^ seeds[::-1, None])
            self._known[position, kind] = found
        return found


def products(factors: Sequence[Factors], columns: Sequence[Column]) -> Factors:
    """Return for each row the product of the factors of its entities."""
    found = factors[0][:, columns[0]]
    for table, column in zip(factors[1:], columns[1:], strict=True):
        found *= table[:, column]
    return found


def running_sums(values: Factors) -> Factors:
    """Return the sums of the first 0, 1, 2, ... columns.

    Modulo 2**64 their differences are the exact sums of runs of columns, also of empty ones.
    """
    found = np.zeros((2, values.shape[1] + 1), np.uint64)
    np.cumsum(values, axis=1, out=found[:, 1:])
    return found


def sums(values: Factors, borders: np.ndarray) -> Factors:
    """Return the sums of consecutive runs of columns, the i-th from `borders[i]` to `borders[i+1]`."""
    running = running_sums(values)
    return np.asarray(running[:, borders[1:]] - running[:, borders[:-1]])
