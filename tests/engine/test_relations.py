"""Columns, keys and row numbers against plain Python sets and loops."""

from __future__ import annotations

from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logicoder.engine.arrays.join import JoinTooLargeError, matching_rows
from logicoder.engine.arrays.relation import distinct, distinct_keys, joint_keys, pack, packable, unpack

from .random_programs import REPEATABLE

LARGEST = 2**31 - 1

# Three columns over such domains do not fit into 62 bits, four over the small ones do.
sizes = st.lists(st.sampled_from((1, 2, 3, 70_000, 2**30, LARGEST)), min_size=1, max_size=4)


@st.composite
def tables(draw, sizes: list[int], most_rows: int = 12) -> list[tuple[int, ...]]:
    """Rows over domains; few values, so that rows repeat, and powers of two, which make keys collide."""
    values = (0, 1, 2**16, 2**17, 2**29, 2**30)
    row = st.tuples(*(st.sampled_from([*(v for v in values if v < s - 1), s - 1]) for s in sizes))
    return draw(st.lists(row, max_size=most_rows))


def columns_of(rows: list[tuple[int, ...]], width: int) -> list[np.ndarray]:
    table = np.array(rows, np.int32).reshape(len(rows), width)
    return [np.ascontiguousarray(table[:, i]) for i in range(width)]


def rows_of(columns: tuple[np.ndarray, ...]) -> list[tuple[int, ...]]:
    return list(zip(*(column.tolist() for column in columns), strict=True))


@settings(REPEATABLE, max_examples=500)
@given(st.data())
def test_distinct_rows_are_the_sorted_set_of_rows(data) -> None:
    domain = data.draw(sizes)
    rows = data.draw(tables(domain))
    found = distinct(columns_of(rows, len(domain)), domain)
    assert rows_of(found) == sorted(set(rows))
    assert all(column.dtype == np.int32 for column in found)


@settings(REPEATABLE, max_examples=500)
@given(st.data())
def test_joint_keys_are_equal_exactly_where_rows_are_equal(data) -> None:
    domain = data.draw(sizes)
    left, right = data.draw(tables(domain)), data.draw(tables(domain))
    first, second = joint_keys(columns_of(left, len(domain)), columns_of(right, len(domain)), domain)
    keys = [*first.tolist(), *second.tolist()]
    rows = left + right
    assert len(keys) == len(rows)
    assert [[a == b for b in keys] for a in keys] == [[a == b for b in rows] for a in rows]


@pytest.mark.parametrize("domain", [[LARGEST, LARGEST, 2], [2**30, 2**30, 4, 2], [2**16] * 4])
def test_these_domains_do_not_fit_into_one_key(domain) -> None:
    assert not packable(domain)
    rows = [tuple(s - 1 for s in domain), tuple(0 for _ in domain), tuple(s - 1 for s in domain)]
    assert rows_of(distinct(columns_of(rows, len(domain)), domain)) == sorted(set(rows))


@settings(REPEATABLE, max_examples=300)
@given(st.data())
def test_packing_loses_nothing(data) -> None:
    domain = data.draw(sizes.filter(packable))
    rows = data.draw(tables(domain))
    keys = pack(columns_of(rows, len(domain)), domain)
    assert rows_of(unpack(keys, domain)) == rows
    assert all(0 <= key < prod(domain) for key in keys.tolist())


@settings(REPEATABLE, max_examples=200)
@given(st.lists(st.integers(0, 5000), max_size=30), st.sampled_from((5001, 10_000, 10**9)))
def test_distinct_keys_by_bitmap_and_by_sorting(keys, space) -> None:
    assert distinct_keys(np.array(keys, np.int64), space).tolist() == sorted(set(keys))


@settings(REPEATABLE, max_examples=300)
@given(st.lists(st.integers(0, 4), max_size=10), st.lists(st.integers(0, 4), max_size=10), st.integers(0, 30))
def test_matching_rows_are_the_pairs_of_equal_keys(left, right, limit) -> None:
    expected = [(i, j) for i, a in enumerate(left) for j, b in enumerate(right) if a == b]
    arrays = np.array(left, np.int64), np.array(right, np.int64)
    first, second = matching_rows(*arrays, None)
    assert first.tolist() == sorted(first.tolist())
    assert sorted(zip(first.tolist(), second.tolist(), strict=True)) == expected
    if len(expected) > limit:
        with pytest.raises(JoinTooLargeError) as caught:
            matching_rows(*arrays, limit)
        assert caught.value.tuples == len(expected)
    else:
        assert len(matching_rows(*arrays, limit)[0]) == len(expected)
