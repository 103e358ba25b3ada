"""Cuts part values as quantiles and widths do, at round points; intervals are written as people do."""

from datetime import datetime, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from logicoder.base.errors import UsageError
from logicoder.kb.mapping.bins import bin_number, cuts_of, labels

NUMBERS = st.lists(st.integers(-(10**6), 10**6) | st.floats(-1e6, 1e6), min_size=1)


@given(NUMBERS, st.integers(1, 8))
def test_no_bin_is_empty_and_cuts_rise(values, number):
    cuts = cuts_of(values, number=number)
    assert list(cuts) == sorted(set(cuts))
    assert {bin_number(value, cuts) for value in values} == set(range(len(cuts) + 1))
    assert len(cuts) < number or number == 1


@given(NUMBERS, st.integers(1, 8))
def test_round_cuts_part_values_as_quantiles_do(values, number):
    ordered = sorted(values)
    exact = sorted({ordered[len(ordered) * step // number] for step in range(1, number)} - {ordered[0]})
    assume(len(exact) == number - 1)
    cuts = cuts_of(values, number=number)
    assert [bin_number(value, cuts) for value in ordered] == [bin_number(value, exact) for value in ordered]


@given(st.lists(st.integers(1, 50)), st.integers(2, 8))
def test_a_frequent_value_does_not_swallow_the_others(others, number):
    """Fees that are mostly 0 are 0 or something, however seldom they are something."""
    cuts = cuts_of([0] * (number * len(others) + 1) + others, number=number)
    assert len(cuts) == min(number - 1, len(set(others)))
    assert cuts == () or 0 < cuts[0] <= min(others)


def test_widths():
    assert cuts_of(range(101), "widths", 4) == (25, 50, 75)
    assert cuts_of([0, 100], "widths", 4) == (25, 50, 75)
    assert cuts_of([0, 99.7], "widths", 3) == (33, 66)
    assert cuts_of([5, 5, 5], "widths", 4) == ()


def test_dates_are_cut_at_months_and_years_where_that_makes_no_difference():
    start = datetime(2023, 11, 20)
    sparse = [start + timedelta(days=40 * step) for step in range(8)]
    assert cuts_of(sparse, number=2) == (datetime(2024, 4, 1),)
    assert labels(cuts_of(sparse, number=4)) == [
        "[..2024-01-01)",
        "[2024-01-01..2024-04-01)",
        "[2024-04-01..2024-07-01)",
        "[2024-07-01..)",
    ]
    minutes = [datetime(2024, 1, 1, 10, minute) for minute in range(4)]
    assert labels(cuts_of(minutes, number=2)) == ["[..2024-01-01 10:02:00)", "[2024-01-01 10:02:00..)"]


def test_no_values_and_another_way():
    assert cuts_of([]) == ()
    with pytest.raises(UsageError, match="quantiles or widths"):
        cuts_of([1], "luck")
