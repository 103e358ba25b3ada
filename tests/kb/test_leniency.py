"""Prolog as others write it."""

import re

import pytest
from tests.cli.helpers import invoke

from logicoder import InputError, KnowledgeBase

OTHERS = r"""
:- module(family, [father/2]).
:- use_module(library(lists)).   % for member/2.
:- set_prolog_flag(double_quotes, codes).

father(vader, luke).  father(X, 'A. B.') :- strange(X), X = "a.b".
code(0xff, 0b101, 0o17, 0'a, 1_000).
path([a, b|T], 1.5).
age(luke, "19 years").
date(2024-05-01).
p(f(x)). q(a). r(X).
\+ father(luke, vader).
a --> b, c.
0'. = X.
last(0x10).
?- father(X, Y).
'unclosed(a).
after(b).
"""
FACTS = [
    "father(vader,luke)",
    "code(255,5,15,97,1000)",
    'age(luke,"19 years")',
    "q(a)",
    "last(16)",
    "after(b)",
]


@pytest.fixture
def path(tmp_path):
    (tmp_path / "others.pl").write_text(OTHERS)
    return tmp_path / "others.pl"


def test_what_is_no_fact_is_skipped_and_counted(path, caplog):
    caplog.set_level("INFO", logger="logicoder")
    kb = KnowledgeBase.from_path(path, lenient=True)
    assert sorted(map(str, kb)) == sorted(FACTS)
    assert [str(fact) for fact in kb.facts(truth="false")] == ["father(luke,vader)"]
    assert "12 terms that are not facts were skipped:\n" in "\n".join(caplog.messages)
    assert "and 7 more, which -v lists" in "\n".join(caplog.messages)
    lines = [2, 3, 4, 6, 8, 10, 11, 11, 13, 14, 16, 17]
    assert sorted(int(line) for line in re.findall(r"others\.pl:(\d+):", "\n".join(caplog.messages))) == lines
    assert "others.pl:2:1: only the directives" in "\n".join(caplog.messages)


def test_otherwise_it_is_an_error_with_its_place(path):
    with pytest.raises(InputError, match=r"others\.pl:2:1: only the directives"):
        KnowledgeBase.from_path(path)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("p(a).\n  p([b]).", "2:5"),
        ("p(a). p(b) :- q(c).", "1:12"),
        ("p(a).\np(b-c).", "2:4"),
        ("p(f(x)).", "1:3"),
    ],
)
def test_places_of_what_is_no_fact(tmp_path, caplog, text, place):
    (tmp_path / "x.pl").write_text(text)
    with pytest.raises(InputError, match=rf"x\.pl:{place}: "):
        KnowledgeBase.from_path(tmp_path / "x.pl")
    KnowledgeBase.from_path(tmp_path / "x.pl", lenient=True, empty=True)
    assert f"x.pl:{place}: " in "\n".join(caplog.messages)
    assert "1 term that is not a fact was skipped" in "\n".join(caplog.messages)


@pytest.mark.parametrize(
    ("number", "complaint"), [("0'\\q", "unknown escape sequence"), ("0x" + "f" * 5000, "too large")]
)
def test_odd_numbers_have_their_places(tmp_path, number, complaint):
    (tmp_path / "x.pl").write_text(f"p(a).\np({number}).")
    with pytest.raises(InputError, match=rf"x\.pl:2:3: .*{complaint}"):
        KnowledgeBase.from_path(tmp_path / "x.pl")


def test_a_clause_without_an_end_takes_no_time(tmp_path):
    (tmp_path / "x.pl").write_text("p(a).\nq(" + "0'a" * 2000 + "\np(b).\n" + "'" * 2001)
    kb = KnowledgeBase.from_path(tmp_path / "x.pl", lenient=True)
    assert "p(a)" in kb


def test_facts_in_error_are_not_skipped(tmp_path):
    (tmp_path / "x.pl").write_text("p(a). p(a,b). q([]).")
    with pytest.raises(InputError, match=r"x\.pl:1:7: p has 2 arguments here but 1"):
        KnowledgeBase.from_path(tmp_path / "x.pl", lenient=True)


def test_command(path):
    assert "father" in invoke("inspect", path, "--lenient").stdout
    assert "only the directives" in invoke("inspect", path, code=2).stderr
