"""What is printed can be read back, whatever the names and constants."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logicoder.base.errors import InputError
from logicoder.logic import Atom, Clause, Constant, Literal, Program, Variable
from logicoder.logic.symbols import (
    MOST_DIGITS,
    Text,
    atom_text,
    plain_text,
    quote,
    symbol_of,
    symbol_of_field,
    unescape,
    value_of,
)

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
VALUES = st.one_of(
    TEXTS, st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.builds(Text, TEXTS)
)
NAMES = TEXTS.filter(bool)


@st.composite
def programs(draw) -> Program:
    variables = st.builds(Variable, st.sampled_from(["X", "Y", "_Z"]))
    terms = st.one_of(variables, st.builds(Constant.of, VALUES))
    atoms = st.builds(Atom, NAMES, st.tuples(terms, terms))
    literals = st.one_of(
        st.builds(Literal, atoms, st.booleans()), st.builds(Literal.unequal, variables, terms)
    )
    bodies = st.lists(literals, min_size=1, max_size=3).map(tuple)
    alternatives = st.lists(bodies, min_size=1, max_size=2).map(tuple)
    return Program(tuple(draw(st.lists(st.builds(Clause, atoms, alternatives), max_size=3))))


@settings(deadline=None, max_examples=150)
@given(programs())
def test_programs_come_back(program) -> None:
    assert Program.parse(str(program)) == program


@given(VALUES)
def test_values_come_back(value) -> None:
    found = value_of(symbol_of(value))
    assert found == value
    assert type(found) is type(value)


@given(TEXTS, st.sampled_from("'\""))
def test_quoted_text_comes_back(text, mark) -> None:
    quoted = quote(text, mark)
    assert quoted.isprintable()
    assert unescape(quoted[1:-1]) == text
    assert plain_text(quote(text)) == text


@given(TEXTS, TEXTS)
def test_different_texts_are_different_symbols(one, two) -> None:
    assert (symbol_of_field(one) == symbol_of_field(two)) == (one == two)
    assert (atom_text(one) == atom_text(two)) == (one == two)


@pytest.mark.parametrize(
    ("text", "symbol"),
    [
        ("42", "42"),
        ("-7", "-7"),
        ("042", "'042'"),
        ("-0", "'-0'"),
        ("1.5", "'1.5'"),
        ("9" * MOST_DIGITS, "9" * MOST_DIGITS),
        ("9" * (MOST_DIGITS + 1), "'" + "9" * (MOST_DIGITS + 1) + "'"),
    ],
)
def test_fields_that_are_numbers(text, symbol) -> None:
    assert symbol_of_field(text) == symbol


@pytest.mark.parametrize("text", ["p(X) :- .", "p(X", "p(X) q(X).", ":- p(X).", "p('a).", "p(X) :- q(X)"])
def test_what_is_no_program_is_refused_with_its_place(text) -> None:
    with pytest.raises(InputError) as caught:
        Program.parse(text, "source.pl")
    assert str(caught.value.location).startswith("source.pl:1:")
