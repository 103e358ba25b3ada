"""Sets of keys: NumPy's own functions for sets are the oracle."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logicoder.base.sorted_keys import distinct, in_sorted, inside, union

KEYS = st.lists(st.integers(-5, 5) | st.integers(-(2**62), 2**62), max_size=30).map(
    lambda found: np.array(found, np.int64)
)


@given(KEYS, KEYS)
def test_sets_are_those_of_numpy(first, second):
    assert distinct(first).tolist() == np.unique(first).tolist()
    assert union(first, second).tolist() == np.union1d(first, second).tolist()
    assert inside(first, second).tolist() == np.isin(first, second).tolist()
    assert in_sorted(first, np.sort(second)).tolist() == np.isin(first, second).tolist()


@pytest.mark.parametrize("width", [9, 40])
def test_rows_of_bytes(width):
    rows = np.random.default_rng(0).integers(0, 3, (50, width)).astype(np.int32)
    keys = np.ascontiguousarray(rows).view(np.dtype((np.void, 4 * width))).ravel()
    assert distinct(keys).tolist() == np.unique(keys).tolist()
    assert inside(keys, keys[:20]).tolist() == np.isin(keys, keys[:20]).tolist()
