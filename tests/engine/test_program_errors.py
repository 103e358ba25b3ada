"""Programs that make no sense over the data are refused, with the clause and the reason."""

from __future__ import annotations

import pytest

from logicoder.base.errors import InputError
from logicoder.engine import run_program
from logicoder.engine.signatures import program_schema
from logicoder.kb import KnowledgeBase, Predicate, Schema
from logicoder.logic import Program

INPUTS = Schema.of(
    Predicate("knows", ("person", "person")),
    Predicate("lives", ("person", "place")),
    Predicate("adult", ("person",)),
    Predicate("rainy", ()),
    Predicate("likes", ("person", "person"), open_world=True),
)
KB = KnowledgeBase.from_facts([("knows", "ann", "bob"), ("lives", "ann", "rome")], schema=INPUTS)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("p(X) :- adult(Y).", ["p(X) :- adult(Y).", "head variable X", "not bound"]),
        ("p(X).", ["head variable X"]),
        ("p(X) :- adult(X) ; knows(Y,Y).", ["head variable X"]),
        (r"p(X) :- \+ adult(X).", ["X", "not bound"]),
        (r"p(X) :- adult(X), \+ knows(X,Y).", ["variable Y", "negated knows(X,Y)", "safe"]),
        (r"p(X) :- adult(X), \+ likes(X,_).", ["negated likes(X,_)", "likes is open"]),
        ("p(X) :- knows(X,Y), lives(Z,Y).", ["Y", "person", "place"]),
        ("p(X,X) :- lives(X,Y). q(X) :- p(X,Y), lives(Z,Y).", ["Y", "person", "place"]),
        ("p(X) :- adult(X). p(X) :- lives(Y,X).", ["p(X)", "person", "place"]),
        ("p(X) :- unheard(X).", ["no predicate unheard", "choose from", "lives"]),
        ("p(X) :- adult(X), rain.", ["no predicate rain"]),
        ("p(X) :- knows(X).", ["knows has 2 arguments, not 1"]),
        ("adult(X) :- knows(X,Y).", ["adult is a predicate of the data"]),
    ],
)
def test_refused(text: str, words: list[str]) -> None:
    program = Program.parse(text)
    with pytest.raises(InputError) as caught:
        program_schema(program, INPUTS)
    with pytest.raises(InputError):
        run_program(program, KB)
    for word in words:
        assert word in str(caught.value)


def test_one_predicate_with_two_arities_is_refused() -> None:
    clauses = (*Program.parse("p(X) :- adult(X)."), *Program.parse("p(X,Y) :- knows(X,Y)."))
    with pytest.raises(InputError, match="another number of arguments"):
        program_schema(Program(clauses), INPUTS)


@pytest.mark.parametrize(
    "text",
    [
        r"p(X) :- adult(X), \+ p(X).",
        r"p(X) :- adult(X), \+ q(X). q(X) :- adult(X), p(X).",
        r"p(X) :- q(X). q(X) :- r(X). r(X) :- adult(X), \+ p(X). p(X) :- adult(X).",
    ],
)
def test_negation_through_recursion_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="depends on its own negation"):
        run_program(Program.parse(text), KB)


def test_negation_of_another_stratum_is_not() -> None:
    program = Program.parse(r"p(X) :- knows(X,Y). p(X) :- knows(Y,X), p(Y). q(X) :- lives(X,_), \+ p(X).")
    assert [str(fact) for fact in run_program(program, KB)] == ["p(ann)", "p(bob)"]


def test_declared_heads_must_agree() -> None:
    outputs = Schema.of(Predicate("home", ("place",)), Predicate("near", ("place", "place")))
    declared = program_schema(Program.parse("home(Y) :- lives(X,Y)."), INPUTS, outputs)
    assert declared["home"].types == ("place",)
    with pytest.raises(InputError, match="X is of type person in"):
        program_schema(Program.parse("home(X) :- lives(X,Y)."), INPUTS, outputs)
    with pytest.raises(InputError, match="near has 2 arguments in the data"):
        program_schema(Program.parse("near(X) :- lives(Y,X)."), INPUTS, outputs)


def test_types_flow_through_recursion() -> None:
    program = Program.parse(
        "far(X,Y) :- far(X,Z), knows(Z,Y). far(X,Y) :- near(X,Y). near(X,Y) :- knows(X,Y)."
    )
    schema = program_schema(program, INPUTS)
    assert schema["far"].types == schema["near"].types == ("person", "person")
