"""Comparisons mean the same in every system."""

from __future__ import annotations

import pytest

from logicoder import KnowledgeBase, Program, UsageError
from logicoder.engine.programs import run_program
from logicoder.export import export_program
from logicoder.kb.mapping.data_mapping import DataMapping, ValueType

from .systems import derived_as_spark, derived_by_duckdb, derived_by_sqlite
from .test_systems import check_clingo, check_prolog, check_sparql, check_sql

FACTS = {
    "age": [("anna", 9), ("bob", 10), ("carl", 70), ("dora", 7.5), ("emil", "old")],
    "born": [("anna", "2015-05-01"), ("bob", "2014-12-31")],
    "price": [("x", "[..10)"), ("y", "[10..50)"), ("z", "[50..)")],
}
PROGRAM = Program.parse(
    """
    older(X,Y) :- age(X,A), age(Y,B), A > B.
    child(X) :- age(X,A), A < 10.
    late(X) :- born(X,B), B >= '2015-01-01'.
    dear(X) :- price(X,P), 50 =< P.
    dearer(X,Y) :- price(X,P), price(Y,Q), P >= Q, X \\= Y.
    below(X) :- age(X,A), A =< 9, \\+ late(X).
    """
)


@pytest.fixture(scope="module")
def case():
    kb = KnowledgeBase.from_facts(FACTS, types="one")
    found = list(run_program(PROGRAM, kb))
    assert {str(f) for f in found if f.predicate in ("child", "late", "dear", "below")} == {
        "child(anna)",
        "child(dora)",
        "late(anna)",
        "dear(z)",
        "below(dora)",
    }
    assert sum(f.predicate == "older" for f in found) == 6
    return PROGRAM, kb, found


def test_in_all_systems(case):
    check_clingo(*case)
    check_sql(derived_by_sqlite, "sql:sqlite", *case)
    check_sql(derived_by_duckdb, "sql:duckdb", *case)
    check_sql(derived_as_spark, "sql:spark", *case)
    check_sparql(*case)


def test_in_prolog(swi, case):
    check_prolog(swi, *case)


def test_in_postgresql(postgresql, case):
    check_sql(postgresql.derive, "sql:postgresql", *case)


def test_bins_of_a_mapping_are_listed():
    mapping = DataMapping({}, {"price": ValueType("price", "number", (10, 50))})
    text = export_program(Program.parse("dear(X) :- price(X,P), P >= 50."), "prolog", mapping=mapping).text
    assert "at_least_50('[50..)')." in text
    assert "at_least_50('[10..50)')." not in text
    with pytest.raises(UsageError, match=r"35 lies within the bin \[10\.\.50\), but is not a cut"):
        export_program(Program.parse("dear(X) :- price(X,P), P >= 35."), "prolog", mapping=mapping)


def test_values_must_be_known():
    with pytest.raises(UsageError, match="export it with its data"):
        export_program(PROGRAM, "asp")
    many = KnowledgeBase.from_facts({"age": [(f"p{i}", i) for i in range(1100)]})
    with pytest.raises(UsageError, match=r"compares 1,\d+ values with each other, too many"):
        export_program(Program.parse("o(X) :- age(X,A), age(X,B), A < B."), "asp", facts=many)
