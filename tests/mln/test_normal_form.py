"""Clauses against all worlds: a formula holds exactly where all its clauses do."""

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from logicoder.base.errors import InputError
from logicoder.kb.formats.alchemy.declarations import parse_schema
from logicoder.mln import Formula, MarkovLogicNetwork

from .naive_logic import SCHEMA, always_holds, clause_holds, free, nodes, satisfied, text_of, worlds


def clauses_of(node):
    """Read a formula as a hard one; those that say nothing, or of an untyped variable, are no example."""
    try:
        return Formula.parse_all(text_of(node) + ".", parse_schema(SCHEMA))
    except InputError as error:
        text = str(error)
        assert "cannot be satisfied" in text or "always true" in text or "type of" in text, text
        if "cannot be satisfied" in text:
            assert not any(always_holds(node, world) for world in worlds())
        if "always true" in text:
            assert all(always_holds(node, world) for world in worlds())
        assume(False)


@settings(max_examples=150, deadline=None)
@given(nodes(quantifiers=False))
def test_clauses_of_formulas_without_quantifiers(node):
    clauses = clauses_of(node)
    for world in worlds():
        assert always_holds(node, world) == all(clause_holds(clause, world) for clause in clauses)


@settings(max_examples=150, deadline=None)
@given(nodes(depth=3))
@example(("EXIST", "z", ("FORALL", "x", ("q", "z", "x"))))
@example(("FORALL", "x", ("EXIST", "z", ("FORALL", "x", ("v", ("q", "z", "x"), ("p", "x"))))))
@example(("v", ("p", "x"), ("FORALL", "x", ("q", "x", "x"))))
def test_quantifiers_are_eliminated_over_a_declared_domain(node):
    clauses = clauses_of(node)
    for world in worlds():
        assert always_holds(node, world) == all(clause_holds(clause, world) for clause in clauses)


@settings(max_examples=100, deadline=None)
@given(nodes(variables=("x",), depth=2, quantifiers=False), st.sampled_from([1.5, -2.0, 3.0]))
def test_weights_are_divided_over_the_clauses(node, weight):
    hard = clauses_of(node)
    soft = Formula.parse_all(f"{weight} {text_of(node)}", parse_schema(SCHEMA))
    assert [f.literals for f in soft] == [f.literals for f in hard]
    assert sum(f.weight for f in soft) == pytest.approx(weight)
    assert len({f.weight for f in soft}) == 1


def test_a_formula_that_is_one_clause_counts_its_own_groundings():
    formula = Formula.parse("2 p(x) ^ q(x,y) => p(y)", parse_schema(SCHEMA))
    node = ("=>", ("^", ("p", "x"), ("q", "x", "y")), ("p", "y"))
    assert free(node) == {"x", "y"}
    for world in worlds():
        assert clause_holds(formula, world) == always_holds(node, world)
        assert 0 <= satisfied(formula, world) <= 4


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        # In the antecedent an existential variable is universal: no constants are needed.
        ("(EXIST y q(x,y)) => p(x)", ["!q(x,y) v p(x)"]),
        ("!(EXIST y q(x,y))", ["!q(x,y)"]),
        ("FORALL x,y q(x,y)", ["q(x,y)"]),
        ("(FORALL y p(y)) v (FORALL y q(y,y))", ["p(y) v q(y1,y1)"]),
        ("p(y) v (FORALL y q(y,y))", ["p(y) v q(y1,y1)"]),
        # A variable that must equal a term is that term.
        ("EXIST y (y = Anna ^ q(x,y))", ["q(x,Anna)"]),
        ("EXIST y (q(x,y) ^ y = x)", ["q(x,x)"]),
        # What does not mention the variable is not in its scope.
        ("EXIST y (p(x) ^ r)", ["p(x)", "r"]),
        ("p(x) <=> r", ["!p(x) v r", "p(x) v !r"]),
        ("!(p(x) <=> r)", ["!p(x) v !r", "p(x) v r"]),
        ("p(x) ^ r => q(x,x) v q(x,y)", ["!p(x) v !r v q(x,x) v q(x,y)"]),
        ("(p(x) ^ r) v (p(x) ^ r)", ["p(x)", "p(x) v r", "r"]),
        ("p(x) v (p(x) ^ Anna = Bob)", ["p(x)"]),
        ("x != y ^ p(x) ^ p(y) => q(x,y)", ["x = y v !p(x) v !p(y) v q(x,y)"]),
    ],
)
def test_clauses_need_no_constants(text, clauses):
    schema = parse_schema("p(person)\nq(person,person)\nr\n")
    found = Formula.parse_all(f"{text}.", schema)
    assert sorted(str(f) for f in found) == sorted(f"{clause}." for clause in clauses)


def test_existential_formulas_become_disjunctions_over_the_given_constants():
    schema = parse_schema("p(person)\nq(person,person)\n")
    text = "2 p(x) => EXIST y q(x,y)"
    with pytest.raises(InputError, match=r"<text>:1:1: the constants of the type person.*are unknown"):
        Formula.parse_all(text, schema)
    [formula] = Formula.parse_all(text, schema, {"person": ("anna", "'Bob'")})
    assert str(formula) == '2 !p(x) v q(x,"anna") v q(x,Bob)'


def test_normal_forms_that_would_explode_are_refused():
    text = " v ".join(f"(p(x{i}) ^ q(x{i},x{i}))" for i in range(20))
    with pytest.raises(InputError, match="more than 10,000 clauses"):
        MarkovLogicNetwork.parse(f"p(a)\nq(a,a)\n1 {text}\n")


def test_a_chain_of_equivalences_is_refused_at_once():
    """Each `<=>` doubles what stands on its sides: of 20 terms a million clauses would come."""
    with pytest.raises(InputError, match="more than 100,000 literals"):
        Formula.parse_all("2 " + " <=> ".join(f"p{number}(x)" for number in range(20)))
