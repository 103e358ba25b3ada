"""Rule files of others: what is read, and what is told with its line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.random_programs import REPEATABLE

from logicoder.autoencoder.proposed_clauses import proposals_in, proposals_of
from logicoder.base.errors import InputError, UsageError

AMIE = """Assuming 12 threads
Rule\tHead Coverage\tStd Confidence\tPCA Confidence\tPositive Examples\tBody size
?g  <influences>  ?b  ?g  <influences>  ?a   => ?a  <influences>  ?b\t0.1\t0.2\t0.3\t10\t50
?a  <isMarriedTo>  ?b   => ?b  <isMarriedTo>  ?a\t0.9\t0.9\t0.9\t100\t110
?a  <livesIn>  <New_York>   => ?a  <bornIn>  <New_York>\t0.1\t0.1\t0.1\t3\t9
?a  <livesIn>   => ?a  <bornIn>  ?b\t0.1
Mining done in 3 s
"""
ANYBURL = """66\t64\t0.9697\tderivationally_related(X,Y) <= derivationally_related(Y,X)
20\t10\t0.5\thypernym(X,Y) <= synset_domain(X,A), hypernym(A,Y)
8\t4\t0.5\t/film/genre(X,/m/02kdv5l) <= /film/country(X,/m/09c7w0)
8\t4\t0.5\tno rule at all
"""


def clauses(text, form="auto"):
    return [(row.line, str(row.clause) if row.clause else None) for row in proposals_of(text, form)]


def test_amie():
    assert clauses(AMIE) == clauses(AMIE, "amie")
    assert clauses(AMIE) == [
        (1, None),
        (3, "influences(A,B) :- influences(G,B), influences(G,A)."),
        (4, "isMarriedTo(B,A) :- isMarriedTo(A,B)."),
        (5, "bornIn(A,'New_York') :- livesIn(A,'New_York')."),
        (6, None),
        (7, None),
    ]
    assert proposals_of(AMIE)[-2].problem.startswith("expected triples")
    assert proposals_of(AMIE)[-1].problem == "this is no clause"


def test_anyburl():
    assert clauses(ANYBURL) == [
        (1, "derivationally_related(X,Y) :- derivationally_related(Y,X)."),
        (2, "hypernym(X,Y) :- synset_domain(X,A), hypernym(A,Y)."),
        (3, "'/film/genre'(X,'/m/02kdv5l') :- '/film/country'(X,'/m/09c7w0')."),
        (4, None),
    ]


def test_what_anyburl_says_of_an_entity_and_itself():
    text = "9\t3\t0.3\tlikes(X,me_myself_i) <= knows(me_myself_i,X), trusts(X,A)"
    assert clauses(text) == [(1, "likes(X,X) :- knows(X,X), trusts(X,A).")]


def test_a_clause_in_bold():
    assert clauses("**likes(X,Y) ← knows(Y,X)**") == [(1, "likes(X,Y) :- knows(Y,X).")]


@pytest.mark.parametrize("text", ["shelf(X,Y) :- sort(X,Z, at(Z,Y).", "Shelf(X) :- sort(X,Y)."])
def test_a_bad_clause_is_shown_whole_and_no_part_of_a_word_begins_one(text):
    (row,) = proposals_of(f"see {text}" if text[0].isupper() else text)
    assert row.clause is None
    assert row.text.endswith(text)
    assert row.problem


def test_answers_of_language_models():
    text = """```prolog
% a comment
p(X,Y) :-
    q(X,Z),
    r(Z,Y).   s(X) :- p(X,X).
```
I hope that (this) helps: it's fine?

s(X) :- q(X,_), \\+ r(X,X).
t(X :- q(X,X).
u(X) :- q(X,f(X)).
v(X) :- q(X,X)"""
    assert clauses(text) == [
        (3, "p(X,Y) :- q(X,Z), r(Z,Y)."),
        (5, "s(X) :- p(X,X)."),
        (7, None),
        (9, "s(X) :- q(X,_), \\+ r(X,X)."),
        (10, None),
        (11, None),
        (12, "v(X) :- q(X,X)."),
    ]
    assert "compound" in proposals_of(text)[-2].problem
    assert proposals_of("") == []


CLAUSE = "p(X,Y) :- q(X,Z), r(Z,Y)."
READ = [
    CLAUSE,
    f"1. {CLAUSE}",
    f"(2) {CLAUSE}",
    f"a) {CLAUSE[:-1]}",
    f"- {CLAUSE}",
    f"* **Rule 3:** `{CLAUSE[:-1]}`, since it's so (nearly).",
    f"Rule 4: {CLAUSE}  That holds for all.",
    f"> So `q` is enough: ``{CLAUSE}``",
    f"| {CLAUSE} | 0.9 |",
    "2. `p(X, Y) ← q(X, Z) ∧ r(Z, Y)` holds for many.",
    "- A q whose r is Y: q(X,Z) ∧ r(Z,Y) → p(X,Y)",
    "q(X,Z), r(Z,Y) ⇒ p(X,Y).",
    f"  {CLAUSE}  % 12 of 13",
    "p(X,Y) :-\n    q(X,Z),\n    r(Z,Y).",
    "?x  <q>  ?z  ?z  <r>  ?y   => ?x  <p>  ?y\t0.1\t0.6",
    "- ?x  <q>  ?z  ?z  <r>  ?y   => ?x  <p>  ?y",
    "12\t20\t0.6\tp(X,Y) <= q(X,Z), r(Z,Y)",
]
TOLD = [
    "Here are some rules, as you asked:",
    "# Rules",
    "p(X,Y) :- q(X,Y",
    "t(X :- q(X,X).",
    "It's (probably) right.",
    "?x  <q>  => ?x  <p>  ?y",
    "1. Nothing here",
    "nothing(X) <= here",
    "q(X) → ",
    "input → output",
]
NEITHER = ["", "   ", "% p(X) :- q(X).", "```prolog", "```", "Rule\tHead Coverage\tStd Confidence"]


@REPEATABLE
@given(st.lists(st.sampled_from([*READ, *TOLD, *NEITHER]), max_size=8))
def test_every_line_is_read_or_told(lines):
    expected, number = [], 1
    for line in lines:
        if line not in NEITHER:
            expected.append((number, line in READ))
        number += line.count("\n") + 1
    rows = proposals_of("\n".join(lines))
    assert [(row.line, row.clause is not None) for row in rows] == expected
    assert {str(row.clause) for row in rows if row.clause} <= {CLAUSE}
    assert all(row.text for row in rows)
    assert all(row.problem for row in rows if not row.clause)


def test_several_clauses_on_a_line():
    text = "First a(X) :- b(X). Then a(X) :- c(X, and a(X) :- d(X)."
    assert clauses(text) == [(1, "a(X) :- b(X)."), (1, None), (1, "a(X) :- d(X).")]


@pytest.mark.parametrize(
    "text", ["'", "p(X) :- q('", ":- p(X).", "\x00", "p(X) :- /* q(X).", "...", "p(\n" * 50]
)
def test_whatever_it_is_has_a_line(text):
    rows = proposals_of(text)
    assert all(row.problem and row.line >= 1 for row in rows)


def test_wrong_uses(tmp_path):
    with pytest.raises(UsageError, match="no format 'owl'"):
        proposals_of("p(X) :- q(X).", "owl")
    with pytest.raises(InputError):
        proposals_in(tmp_path / "none.pl")
