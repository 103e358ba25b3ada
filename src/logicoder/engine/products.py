"""Counting over all pairs of views at once: products of sparse matrices, dense where that is quicker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from logicoder.engine.database import Database
from logicoder.engine.join import matching_rows
from logicoder.engine.relation import Column, joint_keys
from logicoder.engine.views import ViewClass

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix
else:
    csr_matrix = Any

_DENSE_CHUNK = 1 << 22
"""Greatest number of cells of a dense block."""


def key_numbers(
    database: Database, types: Sequence[int], first: Sequence[Column], second: Sequence[Column]
) -> tuple[np.ndarray, np.ndarray, int]:
    """Number the distinct tuples of two tables together; returns both numberings and how many there are."""
    left, right = joint_keys(first, second, [database.sizes[kind] for kind in types])
    present, numbers = np.unique(np.concatenate([left, right]), return_inverse=True)
    return numbers[: len(left)], numbers[len(left) :], len(present)


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
    # Measured: a dense multiply-add is some fifty times cheaper than a sparse one.
    if dense > 50.0 * meetings:
        return np.asarray((left @ right.T).toarray()).astype(np.int64)
    width = max(1, _DENSE_CHUNK // max(left.shape[0], right.shape[0], 1))
    total = np.zeros((left.shape[0], right.shape[0]))
    left, right = left.tocsc(), right.tocsc()
    for start in range(0, columns, width):
        part = slice(start, start + width)
        total += left[:, part].toarray() @ right[:, part].toarray().T
    return total.astype(np.int64)


def support(
    database: Database, views: ViewClass, types: Sequence[int], facts: Sequence[Column]
) -> csr_matrix:
    """Return which facts each view covers on the head variables it binds: a matrix views by facts.

    Args:
        database: the data.
        views: a class of views; shared existentials are ignored (an upper bound on what is covered).
        types: types of the head variables.
        facts: columns of the facts, one per head variable.
    """
    count = len(facts[0]) if facts else 0
    if not views.variables:
        everything = np.arange(len(views.views) * count)
        return incidence(everything // max(count, 1), everything % max(count, 1), (len(views.views), count))
    kinds = [types[v] for v in views.variables]
    sizes = [database.sizes[kind] for kind in kinds]
    left, right = joint_keys(
        [views.columns[v] for v in views.variables], [facts[v] for v in views.variables], sizes
    )
    lines, fact = matching_rows(left, right, None)
    matrix = incidence(views.view[lines], fact, (len(views.views), count))
    if views.shared:
        matrix.sum_duplicates()
        matrix.data[:] = 1.0
    return matrix
