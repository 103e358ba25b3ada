"""Schemas in the notation of .mln files."""

from __future__ import annotations

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logicoder.base.errors import UsageError
from logicoder.kb import Predicate, Schema
from logicoder.kb.formats.alchemy.declarations import parse_schema, read_schema, schema_text
from logicoder.kb.reader import read_knowledge_base

from .helpers import put, refused

MIXTURE = """// of all kinds
AdvisedBy(person, person!)   // a capital, and Alchemy's mark for unique values
taughtBy(+course, -person, -quarter)
background neighbours(person, person)
open background likes(person,/* who */person)
'Odd name'('my type', year)
rainy
person = {Anna, "Bob B.", 7}
year = {1, ..., 4,
        9}
"""


def test_every_kind_of_declaration():
    schema = parse_schema(MIXTURE)
    assert dict(schema) == {
        "advisedBy": Predicate("advisedBy", ("person", "person")),
        "taughtBy": Predicate("taughtBy", ("course", "person", "quarter"), ("+", "-", "-")),
        "neighbours": Predicate("neighbours", ("person", "person"), background=True),
        "likes": Predicate("likes", ("person", "person"), background=True, open_world=True),
        "Odd name": Predicate("Odd name", ("my type", "year")),
        "rainy": Predicate("rainy", ()),
    }
    assert schema.domains == {"person": ("'Anna'", "'Bob B.'", "7"), "year": ("1", "2", "3", "4", "9")}
    assert parse_schema(schema_text(schema)) == schema


def test_formulas_and_other_statements_give_one_warning(caplog):
    text = (
        'smokes(person)\n#include "other.mln"\nperson motherOf(person)\n1.5 smokes(x) => smokes(y)\n'
        "smokes(x) v !smokes(y)\nsmokes(x).\n-0.3 smokes(Anna)\nEXIST x smokes(x)\n"
    )
    with caplog.at_level(logging.WARNING, logger="logicoder"):
        schema = parse_schema(text, "a.mln")
    assert list(schema) == ["smokes"]
    assert [record.getMessage() for record in caplog.records] == [
        "a.mln: 7 lines are not declarations and were left out"
    ]


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("p(a)\n  p(b)\n", 2, 3, ["p is declared differently", "1:1"]),
        ("p(a)\nq(a)\nP(a,a)\n", 3, 1, ["p is declared differently", "1:1"]),
        ("p(a)\nbackground p(a)\n", 2, 1, ["declared differently"]),
        ("p(a)\na = {x}\na = {y}\n", 3, 1, ["another domain", "2:1"]),
        ("p(a)\n b = {x}\n", 2, 2, ["no predicate has an argument of the type b", "the types are: a"]),
        ("p(a)\nq(a,\n", 2, 1, ["not a declaration: q(a,"]),
        ("p(a)\nq(a b)\n", 2, 1, ["not a declaration"]),
        ("p(+a,b)\n", 1, 1, ["modes"]),
        ("p(a)\na = {..., 3}\n", 2, 6, ["before"]),
        ("p(a)\na = {3, ...}\n", 2, 12, ["after"]),
        ("p(a)\na = {3, ..., 1}\n", 2, 14, ["empty or too large"]),
        ("p(a)\na = {x,, y}\n", 2, 8, ["commas"]),
        ("/* p(a)\n", 1, 1, ["not closed"]),
        ("// nothing\n", None, None, ["no predicate is declared"]),
    ],
)
def test_contradictions_and_mistakes_are_refused_at_their_places(tmp_path, text, line, column, words):
    path = put(tmp_path, "schema.mln", text)
    with refused(path, line, column, *words):
        read_schema(path)


def test_the_same_declaration_twice_is_fine():
    assert parse_schema("p(a)\nP( a )\na={x}\na = {x}") == parse_schema("p(a)\na={x}")


def test_constants_outside_a_declared_domain_are_refused(tmp_path):
    put(tmp_path, "schema.mln", "p(colour,colour)\ncolour = {red, green}\n")
    path = put(tmp_path, "a.db", "p(red,green)\n p(red,blue)\n")
    with refused(path, 2, 2, "blue", "domain", "colour", "schema.mln"):
        read_knowledge_base(path)


def test_a_schema_with_a_fraction_in_a_domain_cannot_be_written():
    with pytest.raises(UsageError, match=r"2\.5"):
        schema_text(Schema({"p": Predicate("p", ("t",))}, {"t": ("2.5",)}))


names = st.text(min_size=1, max_size=6)


@st.composite
def schemas(draw):
    predicates = {}
    for name in draw(st.lists(names, min_size=1, max_size=4, unique=True)):
        types = tuple(draw(st.lists(names, max_size=3)))
        modes = draw(st.none() | st.tuples(*(st.sampled_from("+-") for _ in types))) if types else None
        predicates[name] = Predicate(name, types, modes, draw(st.booleans()), draw(st.booleans()))
    return Schema(predicates)


@given(schemas())
def test_schemas_survive_writing_and_reading(schema):
    assert parse_schema(schema_text(schema)) == schema


def test_the_text_of_a_schema_tells_what_is_background_and_open():
    text = "background near(person,person)\nopen likes(person,person)\nmale(person)"
    assert str(parse_schema(text)) == text
