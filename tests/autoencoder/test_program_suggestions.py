"""Suggestions of programs: scores counted once more by hand."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given, settings

from logicoder import AutoEncoder, InputError, KnowledgeBase, Program, UsageError

from .naive import beside, derived, ground, world_of
from .test_explainer import DECODER, ENCODER, REPEATABLE, SCHEMA, families

ALP = AutoEncoder.from_programs(ENCODER, DECODER, schema=SCHEMA)


def expected(kb):
    """Return the score and clauses of every suggestion, by kind, world and atom."""
    worlds = {name: world_of(kb, name) for name in kb.interpretations}
    encoder, decoder = Program.parse(ENCODER), Program.parse(DECODER)
    found = {}
    for predicate in SCHEMA:
        facts = {(n, atom) for n, w in worlds.items() for atom in w.true if atom[0] == predicate}
        denied = {(n, atom) for n, world in worlds.items() for atom in world.denied}
        everything, scores = set(), {}
        for clause in decoder:
            if clause.head.predicate != predicate:
                continue
            for body in clause.alternatives:
                heads = []
                for name, data in worlds.items():
                    latent = type(data)(derived(encoder, data))
                    readable = beside(latent, derived(decoder, latent))
                    heads += [(name, ground(clause.head, one)) for one in readable.bindings(body)]
                distinct = set(heads)
                everything |= distinct
                share = (len(distinct & facts) + 1) / (len(distinct) + 2)
                for atom in distinct:
                    best, clauses = scores.get(atom, (0, 0))
                    scores[atom] = max(best, share), clauses + 1
        for atom in everything - facts - denied:
            found["add", *atom] = scores[atom]
        missing = facts - everything
        for atom in missing:
            found["check", *atom] = ((len(facts) - len(missing) + 1) / (len(facts) + 2),)
    return found


@settings(REPEATABLE, max_examples=25)
@given(families())
def test_scores(kb):
    found = ALP.suggest(kb)
    rows = {(row.kind, row.interpretation, key(row.atom)): row for row in found}
    wanted = expected(kb)
    assert rows.keys() == wanted.keys()
    assert len(rows) == len(found)
    for name, (score, *support) in wanted.items():
        assert rows[name].score == pytest.approx(score)
        if support:
            assert [rows[name].clauses] == support
    scores = [row.score for row in found]
    assert scores == sorted(scores, reverse=True)


def key(text):
    atom = Program.parse(f"{text}.").clauses[0].head
    return ground(atom)


def test_what_comes_near_is_told():
    kb = KnowledgeBase.from_facts(["p(a)", "p(b)", "q(b)", "p(c)", "q(c)", "r(c)"])
    alp = AutoEncoder.from_programs(
        "both(X) :- q(X), r(X). some(X) :- q(X).", "p(X) :- some(X), both(X). q(X) :- some(X)."
    )
    rows = alp.suggest(kb, predicates=["p"]).of("check")
    assert [row.atom for row in rows] == ["p(a)", "p(b)"]
    assert rows[0].evidence == ""
    assert rows[1].evidence == "p(X) :- some(X), both(X)."
    assert rows[1].score == pytest.approx(2 / 5)


def test_a_lossless_program_suggests_nothing():
    kb = KnowledgeBase.from_facts(["p(a)", "q(a,b)"])
    alp = AutoEncoder.from_programs("l(X) :- p(X). m(X,Y) :- q(X,Y).", "p(X) :- l(X). q(X,Y) :- m(X,Y).")
    assert len(alp.suggest(kb)) == 0
    assert "nothing contradicts this program" in str(alp.suggest(kb))


def test_tables():
    kb = KnowledgeBase.from_facts([("p", "a"), ("p", 'say "hi", b'), ("q", "a"), ("r", "c")])
    alp = AutoEncoder.from_programs("l(X) :- p(X).", "p(X) :- l(X). q(X) :- l(X).")
    found = alp.suggest(kb)
    first, second = csv.DictReader(io.StringIO(found.csv()))
    assert (first["kind"], first["atom"], first["true"], first["derived"]) == (
        "add",
        "q('say \"hi\", b')",
        "1",
        "2",
    )
    assert (second["kind"], second["atom"], second["evidence"]) == ("check", "r(c)", "")
    assert [row["atom"] for row in found.as_dict()["suggestions"]][1:] == ["r(c)"]
    assert len(found.top(1)) == 1


def test_wrong_names():
    kb = KnowledgeBase.from_facts(["p(a)"])
    alp = AutoEncoder.from_programs("l(X) :- p(X).", "p(X) :- l(X).")
    with pytest.raises(InputError, match="q is not a predicate"):
        alp.suggest(kb, predicates=["q"])
    with pytest.raises(UsageError, match="change, add, check"):
        alp.suggest(kb).of("both")
