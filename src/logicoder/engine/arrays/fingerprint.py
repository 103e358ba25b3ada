"""128-bit fingerprints of extensions, independent of row order and of the order of like-typed columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, permutations, product

import numpy as np

from logicoder.engine.arrays.relation import Column, Relation
from logicoder.engine.handles import Fingerprint

_SEEDS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F)


def mixed(values: np.ndarray) -> np.ndarray:
    """Return splitmix64 of every value: a bijection that spreads each bit over all others."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(values ^ (values >> np.uint64(31)))


def fingerprint(columns: Sequence[Column]) -> Fingerprint:
    """Return a fingerprint of a set of distinct rows: two 64-bit sums of mixed row values."""
    sums = []
    for seed in _SEEDS:
        state = np.full(len(columns[0]), seed, np.uint64)
        for column in columns:
            state = mixed(state + column.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(seed))
        sums.append(int(state.sum(dtype=np.uint64)))
    return sums[0], sums[1]


def column_orders(types: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Return the column orders in which types ascend; columns of equal type come in every order."""
    ascending = sorted(range(len(types)), key=lambda i: (types[i], i))
    groups = [list(group) for _, group in groupby(ascending, key=lambda i: types[i])]
    for choice in product(*(permutations(group) for group in groups)):
        yield tuple(i for part in choice for i in part)


def normalised(
    types: Sequence[int], columns: Sequence[Column]
) -> tuple[Fingerprint, tuple[int, ...], Relation]:
    """Return the fingerprint of a set of rows in its normal column order, that order, and the relation.

    Two extensions that are equal up to a type-preserving permutation of columns get the same
    fingerprint and the same relation.
    """
    best: tuple[Fingerprint, tuple[int, ...]] | None = None
    for order in column_orders(types):
        found = fingerprint([columns[i] for i in order]), order
        if best is None or found < best:
            best = found
    assert best is not None  # noqa: S101  (there is always at least one order)
    order = best[1]
    return best[0], order, Relation(tuple(types[i] for i in order), tuple(columns[i] for i in order))
