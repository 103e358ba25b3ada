"""Exports derive in the systems that they are for what logicoder derives, fact by fact."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.random_programs import REPEATABLE, knowledge_bases, programs

from logicoder import KnowledgeBase, Program, UsageError
from logicoder.engine.programs import run_program
from logicoder.export import EXPORTERS, export_program
from logicoder.export.script import Script
from logicoder.logic import Atom, Clause, Constant, Literal, Variable
from logicoder.logic.plain_constants import plain_constant
from logicoder.logic.symbols import Text, symbol_of

from .systems import (
    derived_as_spark,
    derived_by_clingo,
    derived_by_duckdb,
    derived_by_oxigraph,
    derived_by_sqlite,
)


def defined_by(program):
    return {name: program.arities()[name] for name in program.defined()}


def check_prolog(swi, program, kb, expected):
    export = export_program(program, "prolog", facts=kb)
    found = swi.derive(export, defined_by(program))
    assert found == {(f.predicate, tuple(t.symbol for t in terms(f))) for f in expected}, export.text


def check_clingo(program, kb, expected):
    export = export_program(program, "asp", facts=kb)
    constant = EXPORTERS["asp"]().constant
    atoms = {
        f"{export.names[f.predicate]}({','.join(constant(t.symbol) for t in terms(f))})"
        if f.arguments
        else export.names[f.predicate]
        for f in expected
    }
    assert derived_by_clingo(export.text) == atoms, export.text


def check_sql(derive, to, program, kb, expected):
    export = export_program(program, to, facts=kb)
    found = derive(export, defined_by(program))
    assert found == {(f.predicate, tuple(plain_constant(t.symbol) for t in terms(f))) for f in expected}, (
        export.text
    )


def check_sparql(program, kb, expected):
    export = export_program(program, "sparql", facts=kb)
    constant = EXPORTERS["sparql"]().constant
    found = derived_by_oxigraph(export, defined_by(program))
    assert found == {(f.predicate, tuple(constant(t.symbol) for t in terms(f))) for f in expected}, (
        export.text
    )


def terms(fact):
    return tuple(Constant(symbol_of(value)) for value in fact.arguments)


@st.composite
def cases(draw):
    kb = draw(knowledge_bases(negatives=False)).split()[0]
    program, outputs = draw(programs(kb))
    return program, kb, list(run_program(program, kb, outputs))


@settings(REPEATABLE, max_examples=60)
@given(case=cases())
def test_random_programs_in_clingo(case):
    check_clingo(*case)


@settings(REPEATABLE, max_examples=60)
@given(case=cases())
def test_random_programs_in_sqlite(case):
    check_sql(derived_by_sqlite, "sql:sqlite", *case)


@settings(REPEATABLE, max_examples=30)
@given(case=cases())
def test_random_programs_in_duckdb(case):
    check_sql(derived_by_duckdb, "sql:duckdb", *case)


@settings(REPEATABLE, max_examples=30)
@given(case=cases())
def test_random_programs_in_postgresql(postgresql, case):
    check_sql(postgresql.derive, "sql:postgresql", *case)


@settings(REPEATABLE, max_examples=30)
@given(case=cases())
def test_random_programs_as_spark(case):
    script = Script.of(case[0])
    if any(map(script.is_recursive, script.components)):
        with pytest.raises(UsageError, match="no recursive views"):
            export_program(case[0], "sql:spark")
    else:
        check_sql(derived_as_spark, "sql:spark", *case)


@settings(REPEATABLE, max_examples=10)
@given(case=cases())
def test_random_programs_in_swi_prolog(swi, case):
    check_prolog(swi, *case)


@settings(REPEATABLE, max_examples=60)
@given(case=cases())
def test_random_programs_in_oxigraph(case):
    if set(case[0].arities().values()) <= {1, 2}:
        check_sparql(*case)


CHAIN = KnowledgeBase.from_facts({"edge": [(i, i + 1) for i in range(12)], "start": [0]})
RECURSIVE = Program.parse(r"""
    linear(X,Y) :- edge(X,Y).      linear(X,Z) :- edge(X,Y), linear(Y,Z).
    double(X,Y) :- edge(X,Y).      double(X,Z) :- double(X,Y), double(Y,Z).
    even(X) :- start(X).           even(Y) :- odd(X), edge(X,Y).        odd(Y) :- even(X), edge(X,Y).
    loop(X) :- loop(X).
    far(X,Y) :- linear(X,Y), \+ edge(X,Y), X \= 3.
    last(X) :- edge(_,X), \+ edge(X,_).
    lonely(X) :- start(X), \+ edge(_,X), \+ loop(X).
""")

HOSTILE_NAMES = (
    "select", "Order By", "it's", 'quo"te', "größe", "日本", "true", "not", "atom", "=",
    "length", "is", "a\nb", "P", "p", ";", "--", "*/", "sqlite_x", "pg_x", "x" * 100, "x" * 101,
    "$x", "[]", "P_", "append", "member", "write", "call", "state", "so_far", "recursion_1",
    "#show", "\\", "{}", "t1",
)  # fmt: skip
HOSTILE_VALUES = (
    "", " ", "it's", 'a"b', "\\", "\\n", "a\nb", "a\tb", "007", "7", 7, "1.5", 1.5, Text("7"),
    Text("it's"), '"7"', "'7'", "日本", "🙂", -3, 10**20, "100000000000000000000", 1e16, 1e-7,
    -0.5, "NULL", "not", "X", "_", "%", "a\0b", "--", "';DROP TABLE p;--", "$$", "{}", "[]",
    "2024-05-01", True, 2**31, -(2**31), 2147483647, "\x07", "\u2028",
)  # fmt: skip
X, Y = Variable("X"), Variable("Größe")


def hostile():
    """Each name is read, negated and defined, and each value is in data and in clauses."""
    kb = KnowledgeBase.from_facts(
        {name: [(value,) for value in HOSTILE_VALUES[i:]] for i, name in enumerate(HOSTILE_NAMES)}
        | {"pair": [(a, b) for a in HOSTILE_VALUES for b in HOSTILE_VALUES[:3]]}
    )
    clauses = []
    for number, name in enumerate(HOSTILE_NAMES):
        other = HOSTILE_NAMES[number - 1]
        value = Constant.of(HOSTILE_VALUES[number])
        body = (
            Literal(Atom("pair", (X, Y))),
            Literal(Atom(name, (X,))),
            Literal(Atom(other, (Y,)), positive=False),
            Literal.unequal(X, value),
        )
        clauses.append(Clause(Atom(f"{name}!", (X, value)), (body, (Literal(Atom(name, (X,))),))))
        clauses.append(Clause(Atom(f"{name}?", (X,)), ((Literal(Atom("pair", (X, value))),),)))
    return Program(tuple(clauses)), kb


def case_of(program, kb):
    return program, kb, list(run_program(program, kb))


# The names of what exports themselves define.
SO_FAR = KnowledgeBase.from_facts({"so_far": [(i, i + 1) for i in range(5)]})
AS_FAR = Program.parse("path(X,Y) :- so_far(X,Y).  path(X,Z) :- so_far(X,Y), path(Y,Z).")
CASES = {"recursive": (RECURSIVE, CHAIN), "hostile": hostile(), "names of its own": (AS_FAR, SO_FAR)}


@pytest.mark.parametrize("name", CASES)
def test_clingo_sqlite_and_duckdb(name):
    case = case_of(*CASES[name])
    assert case[2]
    check_clingo(*case)
    check_sql(derived_by_sqlite, "sql:sqlite", *case)
    check_sql(derived_by_duckdb, "sql:duckdb", *case)


def test_hostile_names_and_values_as_spark():
    check_sql(derived_as_spark, "sql:spark", *case_of(*CASES["hostile"]))


@pytest.mark.parametrize("name", CASES)
def test_prolog(swi, name):
    check_prolog(swi, *case_of(*CASES[name]))


@pytest.mark.parametrize("name", CASES)
def test_postgresql(postgresql, name):
    check_sql(postgresql.derive, "sql:postgresql", *case_of(*CASES[name]))


@pytest.mark.parametrize("name", CASES)
def test_sparql(name):
    check_sparql(*case_of(*CASES[name]))
