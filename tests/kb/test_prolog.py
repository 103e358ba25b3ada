"""Facts in Prolog syntax."""

from __future__ import annotations

import pytest

from logicoder.kb.reader import read_knowledge_base
from logicoder.logic.symbols import Text

from .helpers import put, refused


def facts(kb, truth="true"):
    return [(fact.predicate, *fact.arguments) for fact in kb.facts(truth=truth)]


def test_every_kind_of_constant(tmp_path):
    path = put(
        tmp_path,
        "family.pl",
        """% who is whose father
father(vader, luke). father('Vader','Leia''s twin').   /* two on
a line */ age(luke,-19). height(luke, 1.72).
says(luke, "no!"). mass(star, 2e30).
rainy.
between(
    a,
    b
).
'odd name'('it\\'s', 'tab\\there', '\\x41\\').
""",
    )
    assert sorted(facts(read_knowledge_base(path)), key=str) == sorted(
        [
            ("father", "vader", "luke"),
            ("father", "Vader", "Leia's twin"),
            ("age", "luke", -19),
            ("height", "luke", 1.72),
            ("says", "luke", Text("no!")),
            ("mass", "star", 2e30),
            ("rainy",),
            ("between", "a", "b"),
            ("odd name", "it's", "tab\there", "A"),
        ],
        key=str,
    )


def test_false_and_unknown_atoms(tmp_path):
    path = put(
        tmp_path,
        "a.pl",
        "p(a).\n\\+ p(b).\n\\+p(c). \\+ rainy.\n"
        "unknown(p(d)). unknown((cold)).\nunknown( 'P q'(\"e\") ).\nunknown(p).",
    )
    kb = read_knowledge_base(path)
    assert facts(kb) == [("p", "a"), ("unknown", "p")]
    assert facts(kb, "false") == [("p", "b"), ("p", "c"), ("rainy",)]
    assert facts(kb, "unknown") == [("p", "d"), ("cold",), ("P q", Text("e"))]


def test_the_same_fact_twice_counts_once(tmp_path):
    assert len(read_knowledge_base(put(tmp_path, "a.pl", "p(a). p('a'). p(a).\np( a ) .\n"))) == 1


def test_directives_about_storage_are_skipped(tmp_path):
    text = ":- dynamic p/1.\n:- discontiguous(p/1).\n:- multifile p/1, q/2.\np(a)."
    assert facts(read_knowledge_base(put(tmp_path, "a.pl", text))) == [("p", "a")]


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("p(a).\n  p(b, X).", 2, 8, ["a fact cannot contain the variable X", "'X'"]),
        ("p(a).\np(_).", 2, 3, ["variable _"]),
        ("p(a).\nq(X) :- p(X).", 2, 6, ["rule", "--background"]),
        ("p(a).\n\\+ q(a) :- p(a).", 2, 9, ["rule"]),
        (":- use_module(library(lists)).\np(a).", 1, 1, ["directive"]),
        ("p(a)\nq(b).", 1, 1, ["'.'", "found 'q' on line 2"]),
        ("p(a).\n q(b\nr(c).", 2, 2, ["')'", "found 'r' on line 3"]),
        ("p(a).\nq(b\n", 2, 1, ["')'", "end of text"]),
        ("p(a).\nq(b)", 2, 5, ["'.'", "end of text"]),
        ("p(a).\nq(f(b)).", 2, 3, ["compound"]),
        ("p(a).\n not(p(b)).", 2, 2, ["\\+ p(a)"]),
        ("p(a).\nq(b.\n", 2, 4, ["')'"]),
        ("p(a).\n q('b).\n", 2, 4, ["not closed"]),
        ("p(a). /* never\nclosed", 1, 7, ["not closed"]),
        ("p(a).\nP(b).", 2, 1, ["expected a predicate", "lower-case"]),
        ("p(a).\np('x\\qy').", 2, 5, ["\\q"]),
        ("p(a).\np(1e999).", 2, 3, ["too large"]),
        ("p(a).\np(b, " + "9" * 5000 + ").", 2, 6, ["too large"]),
        ("p(a).\np(b) & q.", 2, 6, ["'&'"]),
    ],
)
def test_what_is_no_fact_is_refused_at_its_place(tmp_path, text, line, column, words):
    path = put(tmp_path, "bad.pl", text)
    with refused(path, line, column, *words):
        read_knowledge_base(path)


def test_bad_text_after_many_good_facts_is_found(tmp_path):
    """The quick way takes whole pieces of a file: what comes after them still has its own place."""
    text = "".join(f"edge(n{i},n{i + 1}).\n" for i in range(120_000))
    path = put(tmp_path, "large.pl", text + "edge('\\q',b).\n")
    with refused(path, 120_001, 7, "\\q"):
        read_knowledge_base(path)


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"edge(n{i},n{i + 1}). " for i in range(400_000)),
        "p('" + "long " * 2_000_000 + "').",
        "p('" + "it''s " * 1_700_000 + "').",
        "p(a).% " + "comment " * 1_300_000,
        "p(" + ",".join(["a"] * 1_000) + ").",
    ],
    ids=["many facts", "long constant", "many quotes", "long comment", "many arguments"],
)
def test_one_line_of_ten_megabytes(tmp_path, text):
    assert len(read_knowledge_base(put(tmp_path, "a.pl", text))) in (1, 400_000)
