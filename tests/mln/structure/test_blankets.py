"""Tests of independence against scipy, and blankets of known graphs."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2, chi2_contingency

from logicoder.mln.structure.blankets import Independence

ROWS = np.array(list(product((False, True), repeat=4)))


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.integers(0, 40), min_size=16, max_size=16).filter(any),
    st.sets(st.integers(2, 3)),
)
def test_chi_square_by_scipy(weights: list[int], given_columns: set[int]) -> None:
    used = np.array(weights) > 0
    statistic, probability = Independence(ROWS[used], np.array(weights)[used]).test(0, given_columns)
    expected, freedom = 0.0, 0
    for values in product((False, True), repeat=len(given_columns)):
        stratum = (ROWS[:, sorted(given_columns)] == values).all(axis=1)
        table = np.array(
            [
                [
                    np.array(weights)[stratum & (ROWS[:, 0] == a) & (ROWS[:, 1] == b)].sum()
                    for b in (False, True)
                ]
                for a in (False, True)
            ]
        )
        if table.sum(axis=0).all() and table.sum(axis=1).all():
            expected += chi2_contingency(table, correction=False).statistic
            freedom += 1
    assert statistic[1] == pytest.approx(expected, abs=1e-9)
    assert probability[1] == pytest.approx(chi2.sf(expected, freedom) if freedom else 1.0)


def ising(columns: int, edges: list[tuple[int, int]]) -> Independence:
    """The exact distribution of a Markov network of pairwise agreements, as counts."""
    cells = np.array(list(product((False, True), repeat=columns)))
    agreement = sum((cells[:, a] == cells[:, b]).astype(float) for a, b in edges)
    odds = np.exp(1.2 * np.asarray(agreement))
    return Independence(cells, np.round(1e6 * odds / odds.sum()), 0.15)


def test_the_blanket_is_the_neighbourhood_in_the_graph() -> None:
    edges = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (4, 5)]
    tests = ising(7, edges)  # column 6 is on its own
    for column in range(7):
        neighbours = sorted({b for a, b in edges if a == column} | {a for a, b in edges if b == column})
        assert tests.blanket(column) == neighbours
        assert tests.neighbours(column) == neighbours
        assert tests.neighbours(column, both=False) == neighbours


def test_sampled_data_of_a_chain() -> None:
    rng = np.random.default_rng(5)
    columns = [rng.random(4000) < 0.5]
    for _ in range(3):
        columns.append(columns[-1] ^ (rng.random(4000) < 0.2))
    tests = Independence(np.array(columns).T, np.ones(4000), 0.001)
    assert [tests.blanket(i) for i in range(4)] == [[1], [0, 2], [1, 3], [2]]


def test_of_two_copies_one_is_enough_and_symmetry_brings_the_other_back() -> None:
    # Columns 1 and 2 are the same: given one of them the other says nothing about the head.
    cells = np.array([[0, 0, 0], [0, 1, 1], [1, 0, 0], [1, 1, 1]], bool)
    tests = Independence(cells, np.array([40, 10, 10, 40]))
    assert tests.blanket(0) == [1]
    assert tests.blanket(2) == [1]
    assert tests.neighbours(0, both=True) == []
    assert tests.neighbours(0, both=False) == [1]


def test_a_column_that_never_changes_depends_on_nothing() -> None:
    cells = np.array([[0, 1], [1, 1]], bool)
    assert Independence(cells, np.array([3, 4])).blanket(0) == []
    assert Independence(cells[:, :1], np.array([3, 4])).blanket(0) == []
