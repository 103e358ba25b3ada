"""Background knowledge: facts for every interpretation, and rules."""

from __future__ import annotations

import pytest

from logicoder.base.errors import InputError
from logicoder.kb import Fact
from logicoder.kb.background import read_background
from logicoder.kb.reading import read_knowledge_base
from logicoder.logic import Program

from .helpers import put, refused


@pytest.fixture
def data(tmp_path):
    put(tmp_path, "data/a.db", "lives(anna,paris)\n")
    put(tmp_path, "data/b.db", "lives(bob,rome)\n")
    return tmp_path / "data"


def test_facts_and_rules_are_told_apart(tmp_path):
    path = put(
        tmp_path, "b.pl", "near(paris,rome).\nfar(X,Y) :- \\+ near(X,Y), town(X), town(Y).\n\\+ near(a,b)."
    )
    facts, rules = read_background(path)
    assert facts == [Fact("near", ("paris", "rome")), Fact("near", ("a", "b"), truth="false")]
    assert rules == Program.parse("far(X,Y) :- \\+ near(X,Y), town(X), town(Y).")


def test_background_facts_hold_in_every_interpretation(tmp_path, data):
    background = put(tmp_path, "b.pl", "near(paris,rome). size(paris,2).\nfar(X,Y) :- near(Y,X).")
    kb = read_knowledge_base(data, background=background)
    assert kb.count("near") == 2
    assert {fact.interpretation for fact in kb.facts("near")} == {"a", "b"}
    assert kb.schema["near"].background
    assert not kb.schema["lives"].background
    assert kb.learnable == ("lives",)
    assert kb.size == 2


def test_types_are_inferred_over_data_and_background(tmp_path, data):
    background = put(tmp_path, "b.pl", "near(paris,rome). size(paris,2).")
    schema = read_knowledge_base(data, background=[background]).schema
    assert schema["near"].types == (schema["lives"].types[1],) * 2
    assert schema["size"].types[0] == schema["lives"].types[1]
    assert schema["size"].types[1] not in schema["lives"].types


def test_undeclared_background_gets_the_declared_types_it_shares_constants_with(tmp_path, data):
    put(data, "schema.mln", "lives(person,town)\n")
    background = put(tmp_path, "b.db", "Near(paris,lyon)\nsize(lyon,2)\n")
    schema = read_knowledge_base(data, background=background).schema
    assert schema["near"].types == ("town", "type1")
    assert schema["size"].types == ("type1", "type2")
    put(data, "schema.mln", "lives(person,town)\nnear(town,town)\n")
    with refused(background, 2, 1, "size has 2 arguments here but 1"):
        put(data, "schema.mln", "lives(person,town)\nnear(town,town)\nsize(town)\n")
        read_knowledge_base(data, background=background)


def test_a_background_argument_of_two_declared_types_is_ambiguous(tmp_path, data):
    put(data, "schema.mln", "lives(person,town)\n")
    background = put(tmp_path, "b.pl", "thing(anna). thing(paris).")
    with pytest.raises(InputError, match="person and town"):
        read_knowledge_base(data, background=background)


def test_a_background_predicate_with_data_facts_is_refused(tmp_path, data):
    background = put(tmp_path, "b.pl", "lives(carl,oslo).")
    with refused(data / "a.db", 1, 1, "lives is background knowledge"):
        read_knowledge_base(data, background=background)


@pytest.mark.parametrize(
    ("text", "at", "words"),
    [
        ("near(a,b).\nfar(X) :- near(X).", (2, 1), ["near has 1 arguments here but 2"]),
        ("near(a,b).\nnear(a,X).", (2, 8), ["variable X"]),
        ("near(a,b).\n\\+ near(a,b).", (2, 1), ["both true and false"]),
        ("near(a,b).\nfar(X) :- near(X,", (2, 18), ["expected a variable or a constant"]),
    ],
)
def test_mistakes_in_background_are_refused_at_their_places(tmp_path, data, text, at, words):
    path = put(tmp_path, "b.pl", text)
    with refused(path, *at, *words):
        read_knowledge_base(data, background=path)
