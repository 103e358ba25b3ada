"""The numbers and oddities that `logicoder inspect` shows."""

from __future__ import annotations

import json

from logicoder.kb import KnowledgeBase, Predicate, Schema
from logicoder.kb.overview import overview
from logicoder.kb.reader import read_knowledge_base

from .helpers import put


def test_numbers(tmp_path):
    put(tmp_path, "a.db", "p(a,b)\np(a,c)\n!p(b,b)\n?p(c,c)\nq(a)\n")
    put(tmp_path, "b.db", "p(a,b)\n")
    put(tmp_path, "schema.mln", "p(t,t)\nbackground q(t)\nopen r(u)\n")
    found = overview(read_knowledge_base(tmp_path))
    assert found.facts == 4
    assert [
        (p.name, p.types, p.facts, p.negatives, p.unknown, p.background, p.open_world)
        for p in found.predicates
    ] == [
        ("p", ("t", "t"), 3, 1, 1, False, False),
        ("q", ("t",), 1, 0, 0, True, False),
        ("r", ("u",), 0, 0, 0, False, True),
    ]
    assert found.constants == {"t": 3, "u": 0}
    assert found.interpretations == {"a": 3, "b": 1}
    assert json.loads(json.dumps(found.as_dict()))["predicates"][0]["types"] == ["t", "t"]


def test_oddities(tmp_path):
    put(tmp_path, "a.db", "p(a,red)\np(b,red)\nq(A)\nq(B)\nq(c)\n?r(a)\ns(d)\n")
    put(tmp_path, "b.db", "// nothing\n")
    put(tmp_path, "schema.mln", "p(t,colour)\nq(t)\nr(t)\ns(t)\nu(t)\n")
    assert overview(read_knowledge_base(tmp_path)).oddities == [
        "1 predicate has one fact only: s",
        "2 predicates are declared without facts: r, u",
        "1 type has one constant only: colour",
        "1 interpretation has no facts: b",
        "2 pairs or groups of constants differ in case only: A/a, B/b",
    ]


def test_only_some_examples_are_named():
    kb = KnowledgeBase.from_facts([("p", name) for name in "abcdefgABCDEFG"])
    assert overview(kb).oddities == [
        "7 pairs or groups of constants differ in case only: A/a, B/b, C/c, D/d, E/e, ..."
    ]


def test_nothing_is_odd():
    schema = Schema.of(Predicate("p", ("t",)))
    assert overview(KnowledgeBase.from_facts([("p", "a"), ("p", "b")], schema=schema)).oddities == []
