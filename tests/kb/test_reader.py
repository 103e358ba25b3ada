"""Facts that do not fit together, or do not fit the schema, are refused where they stand."""

from __future__ import annotations

import pytest

from logicoder.base.errors import InputError
from logicoder.kb import KnowledgeBase, Predicate, Schema
from logicoder.kb.reader import read_knowledge_base

from .helpers import put, refused


@pytest.mark.parametrize(
    ("name", "text", "line", "column"),
    [
        ("a.pl", "p(a,b).\np(c,d).  p(e).", 2, 10),
        ("a.db", "p(a,b)\n\n  P(e)\n", 3, 3),
        ("a.pl", "p.\np(a).", 2, 1),
    ],
)
def test_a_predicate_has_one_arity(tmp_path, name, text, line, column):
    path = put(tmp_path, name, text)
    with refused(path, line, column, "p has 1 arguments here but", f"{path}:1:1"):
        read_knowledge_base(path)


def test_the_arity_counts_across_files(tmp_path):
    put(tmp_path, "a.pl", "p(a).")
    path = put(tmp_path, "b.pl", "q(a).\np(a,b).")
    with refused(path, 2, 1, "p has 2 arguments here but 1", "a.pl:1:1"):
        read_knowledge_base(tmp_path)


@pytest.mark.parametrize("name", ["a.pl", "a.db"])
def test_the_declared_arity(tmp_path, name):
    put(tmp_path, "schema.mln", "p(t,t)\n")
    end = "." if name == "a.pl" else ""
    path = put(tmp_path, name, f"p(a,b){end}\n p(a){end}\n")
    with refused(path, 2, 2, "p has 1 arguments here but 2 in its declaration"):
        read_knowledge_base(path)


@pytest.mark.parametrize("name", ["a.pl", "a.db"])
def test_undeclared_predicates(tmp_path, name):
    schema = put(tmp_path, "types.mln", "p(t,t)\n")
    end = "." if name == "a.pl" else ""
    path = put(tmp_path, name, f"p(a,b){end}\n q(a,b){end}\n")
    with refused(path, 2, 2, "q is not declared", "q(type,type)", "types.mln"):
        read_knowledge_base(path, schema=schema)


def test_undeclared_predicates_of_tables_and_triples(tmp_path):
    schema = Schema.of(Predicate("p", ("t", "t")))
    table = put(tmp_path, "q.csv", "a,b\n")
    with refused(table, 1, 1, "q is not declared"):
        read_knowledge_base(table, format="tables", schema=schema)
    triples = put(tmp_path, "all.tsv", "a\tp\tb\na\tq\tb\n")
    with refused(triples, 2, 1, "q is not declared"):
        read_knowledge_base(triples, format="triples", schema=schema)


@pytest.mark.parametrize(
    ("name", "text", "at", "truths"),
    [
        ("a.pl", "p(a).\nq(a).\n\\+ p(a).", (3, 1), "true and false"),
        ("a.pl", "\\+ p(a).\nq(a). p(a).", (2, 7), "true and false"),
        ("a.pl", "p(a).\nunknown(p(a)).", (2, 1), "true and unknown"),
        ("a.db", "p(a)\np(b)\n  !p(a)\n", (3, 3), "true and false"),
        ("a.db", "?p(a)\n!P(a)\n", (2, 1), "false and unknown"),
        ("a.db", "rainy\n!rainy\n", (2, 1), "true and false"),
    ],
)
def test_a_contradiction_is_refused_at_its_second_mention(tmp_path, name, text, at, truths):
    path = put(tmp_path, name, text)
    with refused(path, *at, truths, "interpretation a"):
        read_knowledge_base(path)


def test_contradictions_count_within_an_interpretation(tmp_path):
    put(tmp_path, "a.db", "p(a)\n")
    path = put(tmp_path, "b.db", "q(a)\n!p(a)\n")
    assert len(read_knowledge_base(tmp_path)) == 2
    with refused(path, 2, 1, "p(a) is both true and false", "interpretation data"):
        read_knowledge_base(tmp_path, interpretations="one")


def test_domains_and_contradictions_without_files():
    schema = Schema({"p": Predicate("p", ("t",))}, {"t": ("a", "b")})
    with pytest.raises(InputError, match="c is not in the declared domain of the type t"):
        KnowledgeBase.from_facts([("p", "a"), ("p", "c")], schema=schema)
    with pytest.raises(InputError, match="both true and false"):
        KnowledgeBase.from_facts([("p", "a")], negatives=[("p", "a")])
    with pytest.raises(InputError, match="q is not declared"):
        KnowledgeBase.from_facts([("q", "a")], schema=schema)


def test_types_are_inferred_or_one(tmp_path):
    path = put(
        tmp_path, "a.pl", "father(vader,luke). father(shmi,vader). saber(vader,red). \\+ likes(red,blue)."
    )
    kb = read_knowledge_base(path, types="infer")
    assert {n: p.types for n, p in kb.schema.items()} == {
        "father": ("type1", "type1"),
        "saber": ("type1", "type2"),
        "likes": ("type2", "type3"),
    }
    assert read_knowledge_base(path).schema["saber"].types == ("thing", "thing")
