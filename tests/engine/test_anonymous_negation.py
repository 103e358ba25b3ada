r"""`\+ p(X,_)`: there is no such atom."""

from __future__ import annotations

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from logicoder.base.errors import InputError
from logicoder.engine import run_program
from logicoder.kb import KnowledgeBase
from logicoder.logic import Atom, Clause, Literal, Program, Variable

from .asp import derived
from .random_programs import REPEATABLE, knowledge_bases, programs


@st.composite
def anonymous(draw, program, kb):
    """Put `_` in place of some arguments of negated literals, except where the predicate is open."""
    number = 0

    def changed(literal):
        nonlocal number
        name = literal.atom.predicate
        if literal.positive or (name in kb.schema and kb.schema[name].open_world):
            return literal
        arguments = []
        for argument in literal.atom.arguments:
            number += 1
            arguments.append(Variable(f"_Anonymous{number}") if draw(st.booleans()) else argument)
        return Literal(Atom(name, tuple(arguments)), positive=False)

    clauses = [
        Clause(clause.head, tuple(tuple(map(changed, body)) for body in clause.alternatives))
        for clause in program
    ]
    return Program(tuple(clauses))


@settings(REPEATABLE, max_examples=100)
@given(st.data())
def test_random_programs(data) -> None:
    kb = data.draw(knowledge_bases())
    program, heads = data.draw(programs(kb))
    program = data.draw(anonymous(program, kb))
    event("anonymous" if r"\+" in str(program) and "_" in str(program) else "none")
    found = {
        (f.interpretation, f.predicate, tuple(map(str, f.arguments))) for f in run_program(program, kb, heads)
    }
    assert found == derived(program, kb)


def test_by_hand() -> None:
    kb = KnowledgeBase.from_facts(
        [("person", "ann"), ("person", "bob"), ("person", "eve"), ("child", "ann", "tim")],
        unknown=[("child", "eve", "sue")],
    )
    assert kb.query(r"person(X), \+ child(X,_)").rows == [("bob",)]
    assert kb.query(r"person(X), \+ child(_,_)").rows == []
    assert kb.query(r"person(X), \+ child(_,X)").rows == [("ann",), ("bob",), ("eve",)]


def test_errors_of_queries_show_the_query() -> None:
    kb = KnowledgeBase.from_facts([("p", "a", "b")])
    with pytest.raises(InputError) as caught:
        kb.query("p(X,Y), q(Y)")
    assert str(caught.value).startswith("in the query p(X,Y), q(Y)\n  there is no predicate q")
    with pytest.raises(InputError, match="Y") as caught:
        kb.query(r"p(X,X), \+ p(X,Y)")
    assert "answer" not in str(caught.value)
