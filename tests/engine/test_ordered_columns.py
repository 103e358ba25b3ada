"""Comparisons in programs, against the comparison of single values."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logicoder import InputError, KnowledgeBase, Program
from logicoder.engine.programs import run_program
from logicoder.logic.ordered_values import compares
from logicoder.logic.symbols import symbol_of

from .random_programs import REPEATABLE

VALUES = [0, 3, 7, 7.0, 2.5, -1, 10**30, "[..3)", "[3..7)", "[7..)", "anna", "2024-01-01", "2024-01-01 12:00"]
VALUES += ["[2024-01-01..2024-02-01)", "[..2024-01-01)"]
SIGNS = st.sampled_from(["<", "=<", ">", ">="])


@settings(REPEATABLE, max_examples=60)
@given(
    left=st.lists(st.sampled_from(VALUES), min_size=1, max_size=6),
    right=st.lists(st.sampled_from(VALUES), min_size=1, max_size=6),
    sign=SIGNS,
)
def test_two_variables(left, right, sign):
    kb = KnowledgeBase.from_facts({"p": left, "q": right}, types="infer")
    found = {f.arguments for f in run_program(Program.parse(f"r(X,Y) :- p(X), q(Y), X {sign} Y."), kb)}
    expected = {(a, b) for a in left for b in right if compares(sign, symbol_of(a), symbol_of(b))}
    assert set(map(str, found)) == set(map(str, expected))


@settings(REPEATABLE, max_examples=60)
@given(values=st.lists(st.sampled_from(VALUES), min_size=1, max_size=6), sign=SIGNS)
def test_a_point(values, sign):
    kb = KnowledgeBase.from_facts({"p": values})
    for text, turned in ((f"X {sign} 3", False), (f"3 {sign} X", True)):
        found = {f.arguments[0] for f in run_program(Program.parse(f"r(X) :- p(X), {text}."), kb)}
        pairs = {value: ("3", symbol_of(value)) if turned else (symbol_of(value), "3") for value in values}
        assert set(map(str, found)) == {str(v) for v, pair in pairs.items() if compares(sign, *pair)}


def test_a_point_within_a_bin_is_refused():
    kb = KnowledgeBase.from_facts({"price": [("a", "[..10)"), ("b", "[10..50)")]})
    with pytest.raises(InputError, match=r"35 lies within the bin \[10\.\.50\)"):
        kb.query("price(X,P), P >= 35")
    assert kb.query("price(X,P), P >= 10").rows == [("b", "[10..50)")]
    assert kb.query("price(X,P), price(Y,Q), P < Q").rows == [("a", "[..10)", "b", "[10..50)")]
    assert kb.query("price(X,P), 3 < 5").rows[0] == ("a", "[..10)")
    with pytest.raises(InputError, match="the variable Y is not bound"):
        kb.query("price(_,X), X < Y")
