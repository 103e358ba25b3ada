"""What comparisons say of numbers, dates and bins: a bin compares where all of its values do."""

from __future__ import annotations

import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.random_programs import REPEATABLE

from logicoder import InputError, Program
from logicoder.logic import Clause
from logicoder.logic.canonical import canonical_clause
from logicoder.logic.ordered_values import compares, lies_within, ordered_value
from logicoder.logic.symbols import symbol_of

OPERATORS = {"<": operator.lt, "=<": operator.le, ">": operator.gt, ">=": operator.ge}
GRID = [n / 2 for n in range(-2, 20)]
"""Values of bins: halves, so that a bin has one between its last whole number and its end."""

ends = st.tuples(st.integers(0, 8) | st.none(), st.integers(0, 8) | st.none()).filter(
    lambda e: e != (None, None) and (None in e or e[0] < e[1])
)
values = st.integers(0, 8) | ends


def symbol(value):
    if isinstance(value, int):
        return str(value)
    low, high = ("" if end is None else end for end in value)
    return f"'[{low}..{high})'"


def members(value):
    if isinstance(value, int):
        return [value]
    low, high = value
    return [x for x in GRID if (low is None or x >= low) and (high is None or x < high)]


@REPEATABLE
@given(left=values, right=values, sign=st.sampled_from(sorted(OPERATORS)))
def test_all_values_compare(left, right, sign):
    expected = all(OPERATORS[sign](a, b) for a in members(left) for b in members(right))
    if left == right and sign in ("=<", ">="):
        expected = True
    assert compares(sign, symbol(left), symbol(right)) == expected


@REPEATABLE
@given(point=st.integers(0, 8), value=ends)
def test_within(point, value):
    sides = {x < point for x in members(value)}
    assert lies_within(str(point), symbol(value)) == (len(sides) == 2)


def test_dates_and_other_values():
    days = ["2023-12-31", "2024-01-01", "2024-01-01T00:00:01", "2024-01-01 12:00"]
    for i, left in enumerate(days):
        for j, right in enumerate(days):
            assert compares("<", symbol_of(left), symbol_of(right)) == (i < j)
    assert compares("=<", "'2024-01-01'", "'2024-01-01 00:00'")
    assert compares("<", "'[..2024-01-01)'", "'2024-01-01'")
    assert compares("<", "99999999999999999", "100000000000000000")
    for other in ("anna", "'2024'", '"7"', "'[a..b)'", "'[..)'", "'[1..2024-01-01)'", "'7'"):
        assert ordered_value(other) is None
    assert not any(compares(sign, "7", "'2024-01-01'") for sign in OPERATORS)


def test_read_and_written():
    text = "p(X) :- a(X,Y), b(X,Z), Y < Z, Y >= 5, Z =< -1.5, 3 > Y, Y =< '2024-05-01'."
    assert str(Program.parse(text)) == text
    assert Program.parse("p(X) :- a(X,Y), Y @>= 5.") == Program.parse("p(X) :- a(X,Y), Y >= 5.")
    turned = ["p(X) :- a(X,Y), b(X,Z), Y < Z.", "p(X) :- a(X,Y), b(X,Z), Z > Y."]
    assert len({canonical_clause(Clause.parse(one), {}) for one in turned}) == 1
    other = canonical_clause(Clause.parse("p(X) :- a(X,Y), b(X,Z), Z < Y."), {})
    assert other != canonical_clause(Clause.parse(turned[0]), {})


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("p(X) :- a(X), X < anna.", "anna cannot be compared"),
        ("p(X) :- a(X), \\+ X < 5.", "a comparison cannot be negated"),
        ("p(X) :- a(X), X.", "expected a predicate, found 'X'"),
        ("p(X) :- a(X), 5.", "expected a predicate, found '5'"),
    ],
)
def test_what_is_refused(text, complaint):
    with pytest.raises(InputError, match=complaint.replace("\\", "\\\\")):
        Program.parse(text)
