"""Products of sparse matrices are the same whichever way they are computed."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from logicoder.engine.arrays import products
from logicoder.engine.arrays.products import cross_counts, incidence


@pytest.mark.parametrize("chunk", [1, 30, 1 << 22])
@pytest.mark.parametrize("single", [0.0, 2.0**24])
@pytest.mark.parametrize("few", [0, 1 << 23])
@pytest.mark.parametrize("share", [0.01, 0.5])
def test_every_way_counts_the_same(monkeypatch, chunk, single, few, share) -> None:
    monkeypatch.setattr(products, "_DENSE_CHUNK", chunk)
    monkeypatch.setattr(products, "_EXACT_SINGLE", single)
    monkeypatch.setattr(products, "_FEW_MEETINGS", few)
    rng = np.random.default_rng(3)
    left, right = (rng.integers(1, 1000, (rows, 40)) * (rng.random((rows, 40)) < share) for rows in (7, 12))
    found = cross_counts(csr_matrix(left.astype(float)), csr_matrix(right.astype(float)))
    assert found.dtype == np.int64
    assert (found == left @ right.T).all()


def test_large_numbers_are_exact(monkeypatch) -> None:
    """Single precision has no 2^24 + 1."""
    monkeypatch.setattr(products, "_FEW_MEETINGS", 0)
    matrix = csr_matrix(np.array([[4096.0, 4096.0], [4096.0, 1.0]]))
    assert cross_counts(matrix, matrix).tolist() == [[2**25, 2**24 + 2**12], [2**24 + 2**12, 2**24 + 1]]


def test_incidences_are_counted() -> None:
    found = incidence(np.array([0, 1, 1]), np.array([2, 0, 0]), (2, 3))
    assert found.toarray().tolist() == [[0, 0, 1], [2, 0, 0]]
