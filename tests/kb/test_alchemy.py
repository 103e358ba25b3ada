"""Facts in the .db format."""

from __future__ import annotations

import pytest

from logicoder.base.errors import UsageError
from logicoder.kb import KnowledgeBase, Predicate, Schema
from logicoder.kb.reader import read_knowledge_base

from .helpers import put, refused


def facts(kb, truth="true"):
    return [(fact.predicate, *fact.arguments) for fact in kb.facts(truth=truth)]


def test_constants_keep_their_case_and_may_look_odd(tmp_path):
    path = put(
        tmp_path,
        "a.db",
        "// a comment\nLinks(Anna, http://a.org/x-1.html)  // who\n"
        'links("Bob B.", "say \\"hi\\"")\n\n  links( 7 ,007 ).\n'
        "/* p(a)\np(b) */ links(o'brien,2.5)\nrainy\n",
    )
    assert facts(read_knowledge_base(path)) == [
        ("links", "Anna", "http://a.org/x-1.html"),
        ("links", "Bob B.", 'say "hi"'),
        ("links", 7, "007"),
        ("links", "o'brien", "2.5"),
        ("rainy",),
    ]


def test_quoted_and_unquoted_constants_differ_only_in_spelling(tmp_path):
    kb = read_knowledge_base(put(tmp_path, "a.db", 'p(abc)\np("abc")\np(1)\np("1")\n'))
    assert facts(kb) == [("p", "abc"), ("p", 1), ("p", "1")]


def test_false_and_unknown_atoms(tmp_path):
    kb = read_knowledge_base(put(tmp_path, "a.db", "p(a)\n!p(b)\n? p(c)\n!q\n?P(D)\n"))
    assert facts(kb) == [("p", "a")]
    assert facts(kb, "false") == [("p", "b"), ("q",)]
    assert facts(kb, "unknown") == [("p", "c"), ("p", "D")]


def test_the_first_spelling_of_a_predicate_is_used(tmp_path):
    put(tmp_path, "1.db", "AdvisedBy(a,b)\n")
    put(tmp_path, "2.db", "advisedby(a,c)\nADVISEDBY(a,d)\n")
    assert read_knowledge_base(tmp_path).predicates == ("advisedBy",)


def test_the_declared_spelling_wins(tmp_path):
    put(tmp_path, "schema.mln", "AdvisedBy(person,person)\n")
    path = put(tmp_path, "1.db", "advisedby(a,b)\n")
    assert read_knowledge_base(path).predicates == ("advisedBy",)
    given = Schema.of(Predicate("ADVISEDBY", ("person", "person")))
    assert read_knowledge_base(path, schema=given).predicates == ("ADVISEDBY",)


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("p(a)\n  q(b c)\n", 2, 7, ["','", "'c'", "double quotes"]),
        ("p(a)\nq(b) r(c)\n", 2, 6, ["end of the line", "'r'", "one atom per line"]),
        ("p(a)\nq(b,)\n", 2, 5, ["expected a constant"]),
        ("p(a)\nq(b\n", 2, 4, ["end of the line"]),
        ("p(a)\nq(b", 2, 4, ["end of the file"]),
        ("p(a)\nq('b')\n", 2, 3, ["double quotes"]),
        ('p(a)\nq("b)\n', 2, 3, ["not closed"]),
        ('p(a)\nq(a,"b\\qc")\n', 2, 7, ["\\q"]),
        ("p(a)\n# q(b)\n", 2, 1, ["expected a predicate", "'#'"]),
        ("p(a)\n!!q(b)\n", 2, 2, ["expected a predicate"]),
        ("p(a)\n/* q(b)\n", 2, 1, ["not closed"]),
        ("p(a)\nmother(a) = b\n", 2, 11, ["'='"]),
    ],
)
def test_what_is_no_atom_is_refused_at_its_place(tmp_path, text, line, column, words):
    path = put(tmp_path, "bad.db", text)
    with refused(path, line, column, *words):
        read_knowledge_base(path)


def test_one_line_of_ten_megabytes(tmp_path):
    kb = read_knowledge_base(put(tmp_path, "a.db", "p(" + "a" * 10_000_000 + ")\n"))
    assert len(kb) == 1


@pytest.mark.parametrize(
    ("rows", "word"),
    [
        ([("p", 2.5)], "2.5"),
        ([("Father", "a")], "Father"),
        ([("odd name", "a")], "odd name"),
        ([("pQ", "a"), ("pq", "b")], "case"),
    ],
)
def test_what_the_format_cannot_hold_is_refused_when_writing(tmp_path, rows, word):
    with pytest.raises(UsageError, match=word):
        KnowledgeBase.from_facts(rows).save(tmp_path / "a.db")
    assert not list(tmp_path.iterdir())
