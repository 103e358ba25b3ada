r"""Programs as hard formulas: the models are those of the program, by all worlds of two people."""

from itertools import product

import pytest

from logicoder import UsageError
from logicoder.kb.formats.alchemy.declarations import parse_schema
from logicoder.logic import Program, Variable
from logicoder.mln.formulas import Formula
from logicoder.mln.program_formulas import hard_formulas, program_of

from .naive_logic import PEOPLE, SCHEMA, clause_holds, worlds

FULL = parse_schema(SCHEMA + "s(person)\nt(person,person)\n")

DEFINITIONS = [
    "s(X) :- p(X).",
    "s(X) :- p(X), q(X,X).",
    "s(X) :- p(X) ; q(X,X).",
    "s(X) :- q(X,Y).",
    "s(X) :- q(X,Y), \\+ p(Y).",
    "s(X) :- p(X), \\+ q(X,_).",
    "s(X) :- q(X,Y), X \\= Y.",
    "s(X) :- q(X,Y), q(Y,Z), p(Z).",
    "t(X,Y) :- q(Y,X).",
    "t(X,X) :- p(X).",
    "t(X,X) :- p(X). t(Y,X) :- q(X,Y), p(Y).",
    "t('Anna',X) :- q(X,Z). t(X,Y) :- p(X), p(Y).",
    "s('Bob') :- r. s(X) :- p(X).",
    "s(X) :- q(X,Y). s(A1) :- q(B,A1), p(B).",
]


def derived(program, world):
    """Return what a program without recursion derives, trying all values of its variables."""
    return {
        atom for clause in program for body in clause.alternatives for atom in _heads(clause, body, world)
    }


def _heads(clause, body, world):
    known = {v for x in body if x.binds for v in x.atom.variables()} | set(clause.head.variables())
    variables = sorted(known)
    for people in product(PEOPLE, repeat=len(variables)):
        values = dict(zip(variables, people, strict=True))
        if all(_holds(literal, values, world) for literal in body):
            yield _ground(clause.head, values)


def _holds(literal, values, world):
    if literal.inequality:
        return len(set(_ground(literal.atom, values)[1:])) == 2
    free = [v for v in literal.atom.variables() if v not in values]
    found = any(
        _ground(literal.atom, {**values, **dict(zip(free, people, strict=True))}) in world
        for people in product(PEOPLE, repeat=len(free))
    )
    return found == literal.positive


def _ground(atom, values):
    return (atom.predicate, *(values[a] if isinstance(a, Variable) else a.value for a in atom.arguments))


@pytest.mark.parametrize("text", DEFINITIONS)
def test_definitions_have_one_model_for_each_world(text):
    program = Program.parse(text)
    found = hard_formulas(program, definitions=True, schema=FULL)
    assert not found.omitted
    [name] = program.defined()
    arity = program.arities()[name]
    heads = [(name, a) for a in PEOPLE] if arity == 1 else [(name, a, b) for a in PEOPLE for b in PEOPLE]
    for number, world in enumerate(worlds()):
        if number % 5:
            continue
        models = []
        for mask in range(2 ** len(heads)):
            atoms = {head for i, head in enumerate(heads) if mask >> i & 1}
            if all(clause_holds(formula, world | atoms) for formula in found.formulas):
                models.append(atoms)
        assert models == [derived(program, world)], (world, [str(f) for f in found.formulas])


@pytest.mark.parametrize("text", DEFINITIONS)
def test_implications_hold_where_all_derived_atoms_do(text):
    program = Program.parse(text)
    found = hard_formulas(program, schema=FULL)
    assert not found.omitted
    [name] = program.defined()
    everything = {(name, a) for a in PEOPLE} | {(name, a, b) for a in PEOPLE for b in PEOPLE}
    for number, world in enumerate(worlds()):
        if number % 7:
            continue
        consequences = derived(program, world)
        assert all(clause_holds(formula, world | consequences) for formula in found.formulas)
        assert all(clause_holds(formula, world | everything) for formula in found.formulas)
        for atom in consequences:
            assert not all(clause_holds(f, world | (consequences - {atom})) for f in found.formulas)


def test_what_no_clause_can_say_is_named():
    program = Program.parse("s(X) :- q(X,Y). s(X) :- p(X).")
    found = hard_formulas(program, definitions=True)
    assert [str(f) for f in found.formulas] == ["s(x) v !q(x,y).", "s(x) v !p(x)."]
    assert len(found.omitted) == 1
    assert found.omitted[0].startswith("s(X) :- q(X,Y). s(X) :- p(X). only: the type of ")


def test_comparisons_are_refused():
    with pytest.raises(UsageError, match="Markov logic has no comparison Y < 5"):
        hard_formulas(Program.parse("s(X) :- q(X,Y), Y < 5."), definitions=True, schema=FULL)


@pytest.mark.parametrize("text", [text for text in DEFINITIONS if "_" not in text])  # `_` names constants
def test_back_to_a_program_of_the_same_meaning(text):
    program = Program.parse(text)
    formulas = hard_formulas(program).formulas
    back, rest = program_of(formulas, heads=program.defined())
    assert not rest
    assert Program.parse(str(back)) == back
    assert hard_formulas(back).formulas == hard_formulas(Program.parse(str(back))).formulas
    for number, world in enumerate(worlds()):
        if number % 11 == 0:
            assert derived(back, world) == derived(program, world)


def test_formulas_that_are_no_clauses_come_back():
    texts = ["p(x) v q(x,y).", "!p(x) v !q(x,y).", "p(x) v !q(x,y)."]
    formulas = [Formula.parse(text) for text in texts]
    program, rest = program_of([*formulas, Formula.parse("1 p(x)")])
    assert str(program) == "p(X) :- q(X,Y)."
    assert [str(f) for f in rest] == [*texts[:2], "1 p(x)"]
    program, _ = program_of(Formula.parse_all("p(x) v !q(y,z) v x != y v z != Anna."))
    assert str(program) == "p(Y) :- q(Y,'Anna')."
