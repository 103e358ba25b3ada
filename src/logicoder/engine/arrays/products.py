"""Counting over all pairs of views at once: products of sparse matrices, dense where that is quicker."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.relation import Column, joint_keys, key_space, numbered

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix
else:
    csr_matrix = Any

_BLOCK = 1 << 22
"""Greatest number of pairs of views looked at together."""

_DENSE_CHUNK = 1 << 22
"""Greatest number of cells of a dense block."""

_FEW_MEETINGS = 1 << 23
"""Pairs of entries that meet up to which a product is always a sparse one."""

_EXACT_SINGLE = 2.0**24
"""Whole numbers up to this one are exact in single precision."""


def key_numbers(
    database: Database, types: Sequence[int], first: Sequence[Column], second: Sequence[Column]
) -> tuple[np.ndarray, np.ndarray, int]:
    """Number the distinct tuples of two tables together; returns both numberings and how many there are."""
    sizes = [database.sizes[kind] for kind in types]
    left, right = joint_keys(first, second, sizes)
    found, numbers = numbered(np.concatenate([left, right]), key_space(sizes))
    return numbers[: len(left)], numbers[len(left) :], len(found)


def incidence(rows: np.ndarray, columns: np.ndarray, shape: tuple[int, int]) -> csr_matrix:
    """Return the sparse matrix that counts how often each (row, column) occurs."""
    from scipy.sparse import csr_matrix as csr  # noqa: PLC0415  (scipy.sparse takes 0.3 s to import)

    return csr((np.ones(len(rows), np.float64), (rows, columns)), shape=shape)


def cross_counts(left: csr_matrix, right: csr_matrix) -> np.ndarray:
    """Return `left @ right.T` as integers.

    Sparse products cost one step per pair of entries that meet; dense ones run at the speed of BLAS.
    """
    columns = left.shape[1]
    per_column = np.bincount(left.indices, minlength=columns).astype(np.float64)
    meetings = float(per_column @ np.bincount(right.indices, minlength=columns))
    dense = float(left.shape[0]) * right.shape[0] * columns
    # Measured: a dense multiply-add is some fifty times cheaper than a sparse one. But BLAS keeps all cores
    # busy waiting for a while after each product, which costs other threads more than a small one saves.
    if dense > 50.0 * meetings or meetings < _FEW_MEETINGS:
        return np.asarray((left @ right.T).toarray()).astype(np.int64)
    if columns * _largest(left) * _largest(right) < _EXACT_SINGLE:
        left, right = left.astype(np.float32), right.astype(np.float32)
    width = max(1, _DENSE_CHUNK // max(left.shape[0], right.shape[0], 1))
    if columns <= width:
        return np.asarray(left.toarray() @ right.toarray().T).astype(np.int64)
    total = np.zeros((left.shape[0], right.shape[0]))
    left, right = left.tocsc(), right.tocsc()
    for start in range(0, columns, width):
        part = slice(start, start + width)
        total += left[:, part].toarray() @ right[:, part].toarray().T
    return total.astype(np.int64)


def _largest(matrix: csr_matrix) -> float:
    return float(matrix.data.max()) if len(matrix.data) else 0.0


def blocks(first: int, second: int) -> Iterator[tuple[int, int]]:
    """Return runs of the first things that make not too many pairs with all of the second."""
    step = max(1, _BLOCK // max(second, 1))
    for low in range(0, first, step):
        yield low, min(low + step, first)
