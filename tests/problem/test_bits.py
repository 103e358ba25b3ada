"""The numbers of the description length against exact arithmetic."""

from __future__ import annotations

from fractions import Fraction
from math import comb, log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logicoder.problem.bits import log2_choose, millibits, number_bits, surplus_bits, table_bits


@given(st.integers(0, 3000), st.data())
def test_binomial_coefficients(total, data) -> None:
    chosen = data.draw(st.integers(0, total))
    assert log2_choose(total, chosen) == pytest.approx(log2(comb(total, chosen)), rel=1e-9, abs=1e-9)
    assert table_bits(total, chosen) == pytest.approx(log2((total + 1) * comb(total, chosen)), rel=1e-9)


@pytest.mark.parametrize("total", [10**9, 10**15, 10**25])
def test_huge_tables_do_not_lose_their_digits(total) -> None:
    # n (n-1) ... (n-k+1) / k!, term by term
    for chosen in (1500, 4000):
        exact = sum(log2(Fraction(total - i, i + 1)) for i in range(chosen))
        assert log2_choose(total, chosen) == pytest.approx(exact, rel=1e-9)


def test_the_code_of_numbers_can_be_decoded() -> None:
    # Kraft: the lengths are those of a prefix code, and no length is wasted.
    total = sum(Fraction(1, 2 ** number_bits(n)) for n in range(2**12 - 1))
    assert 1 - Fraction(1, 2**12) == total
    assert [number_bits(n) for n in range(4)] == [1, 3, 3, 5]


@given(st.floats(0, 1e9))
def test_millibits_are_rounded_up(bits) -> None:
    assert 1000 * bits - 1e-5 <= millibits(bits) < 1000 * bits + 1


def test_more_latents_than_the_code_provides_for() -> None:
    assert surplus_bits(16, 16, 100) == 0
    assert surplus_bits(17, 16, 3) == pytest.approx(number_bits(17) + 3 * log2(18 / 17))
