"""Comparisons are written as people write them, and read back as the same predicate."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from logicoder import KnowledgeBase, Predicate, Program, Schema
from logicoder.base.errors import InputError
from logicoder.logic import Atom, Clause, Literal, Variable

X = Variable("X")


@given(
    st.text(max_size=4), st.sampled_from((">=", "=<", "<", ">", "=", "")), st.text(max_size=6) | st.floats()
)
@example("price", ">=", "1e999")
@example("price", "<", "9" * 5000)
@example("price", "<", "-5")
@example("p", "<", "'a'")
@example("p", "<", "[10..50)")
def test_any_name_is_read_back(kind, operator, point):
    atom = Atom(f"{kind} {operator} {point}", (X,))
    clause = Clause(Atom("h", (X,)), ((Literal(atom), Literal(atom, positive=False)),))
    assert Clause.parse(str(clause)) == clause


def test_as_people_write():
    text = "h(X) :- p(X,Y), price(Y) >= 50, \\+ placed(X) < '2024-05-01', t(X,Y) =< -2.5."
    program = Program.parse(text)
    assert str(program) == text
    assert set(program.arities()) == {"h", "p", "price >= 50", "placed < 2024-05-01", "t =< -2.5"}
    assert Program.parse(text.replace("price(Y) >= 50", "'price >= 50'(Y)")) == program


@pytest.mark.parametrize("text", ["h(X) :- price(X) >= Y.", "h(X) :- price(X) >= ."])
def test_what_is_no_comparison_with_a_point_is_refused(text):
    with pytest.raises(InputError):
        Program.parse(text)


def test_in_queries():
    schema = Schema.of(
        Predicate("costs", ("item", "price")), Predicate("price >= 50", ("price",), background=True)
    )
    facts = [("costs", "pen", "low"), ("costs", "car", "high"), ("price >= 50", "high")]
    kb = KnowledgeBase.from_facts(facts, schema=schema)
    assert kb.query("costs(X,Y), price(Y) >= 50").rows == [("car", "high")]
    assert kb.query("costs(X,Y), \\+ price(Y) >= 50").rows == [("pen", "low")]
