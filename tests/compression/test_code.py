from math import comb, log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logicoder.compression.code import ClauseCode, log2_choose, set_bits
from logicoder.logic.rules import Literal, Rule
from tiny_data import REPEATABLE


@REPEATABLE
@given(st.integers(0, 10**12), st.integers(0, 400), st.booleans())
def test_binomials_are_those_of_exact_arithmetic(total: int, few: int, many: bool) -> None:
    few = min(few, total)
    chosen = total - few if many else few
    assert float(log2_choose(total, chosen)) == pytest.approx(log2(comb(total, few)), abs=1e-4, rel=1e-9)


def test_binomials_of_huge_sets() -> None:
    assert float(log2_choose(10**24, 10)) == pytest.approx(10 * log2(10**24) - log2(3628800), rel=1e-9)


def test_a_set_tells_its_size_and_its_elements() -> None:
    assert float(set_bits(10, 3)) == pytest.approx(log2(11) + log2(120))


CODE = ClauseCode(8, {("p", 0): 16, ("p", 1): 16, ("q", 0): 16, ("q", 1): 4})


def test_a_copy_costs_flags_one_symbol_and_two_arguments() -> None:
    # 2 flags, 1 for one literal, log2 8 for the symbol; each argument is X, Y or new.
    assert CODE.bits("p", Rule((0, 1), (Literal("q", (0, 1)),))) == pytest.approx(2 + 1 + 3 + 2 * log2(3))


def test_a_chain_may_name_what_it_has_met() -> None:
    rule = Rule((0, 1), (Literal("q", (0, 2)), Literal("q", (2, 1))))
    # The second literal chooses among X, Y, Z and a new variable.
    assert CODE.bits("p", rule) == pytest.approx(2 + 3 + 3 + 2 * log2(3) + 3 + 2 * 2)


def test_constants_cost_their_type_and_a_choice_everywhere() -> None:
    rule = Rule((0, "c"), (Literal("q", (0, "d")),))
    # Each head argument tells whether it is one; the body chooses among X, new and constant.
    assert CODE.bits("p", rule) == pytest.approx(2 + 1 + 2 + 4 + 3 + 2 * log2(3) + 2)
