"""Support, corruption and examples of clauses, counted anew by running each clause alone."""

from __future__ import annotations

import pytest

from logicoder import AutoEncoder, KnowledgeBase, Predicate, Program, Schema, StackedAutoEncoder
from logicoder.engine import run_program
from logicoder.report.clause_evidence import evidence_of
from logicoder.report.level_counts import ArrayCounts


def evidence(model, kb, **options):
    return evidence_of(ArrayCounts(model.explainer(kb), **options), model.programs())


def atoms(kb):
    return {(str(fact), fact.interpretation) for fact in kb}


@pytest.fixture(scope="module")
def worlds():
    first = [("p", "a", "b"), ("p", "b", "b"), ("q", "a"), ("q", "c")]
    second = [("p", "a", "c"), ("q", "a")]
    return KnowledgeBase.union(
        [
            KnowledgeBase.from_facts(facts, interpretation=name)
            for name, facts in (("one", first), ("two", second))
        ]
    )


@pytest.fixture(scope="module")
def program():
    return AutoEncoder.from_programs(
        r"l(X,Y) :- p(X,Y) ; p(Y,X). m(X) :- q(X), p(X,_). n(X) :- q(X), \+ m(X).",
        "p(X,Y) :- l(X,Y). p(X,Y) :- m(X), l(X,Y). q(X) :- m(X). q(X) :- n(X). q(X) :- l(Y,X).",
    )


def test_counts_are_those_of_each_clause_alone(program, worlds):
    (layer,) = evidence(program, worlds)
    latent = program.transform(worlds)
    facts = atoms(worlds)
    assert [item.clause for item in layer.encoder] == list(program.encoder_)
    for item in layer.decoder:
        derived = atoms(run_program(Program((item.clause,)), latent))
        assert item.derived == len(derived), item.clause
        assert item.true == len(derived & facts), item.clause
        assert item.false == len(derived - facts), item.clause
        assert item.corruption == pytest.approx(item.false / (item.true + item.false))
    for item in layer.encoder:
        assert item.derived == latent.count(item.clause.head.predicate)
    assert layer.inputs == {"p": 3, "q": 3}
    assert layer.latents == {name: latent.count(name) for name in ("l", "m", "n")}
    assert layer.rebuilt == {"p": 3, "q": 3}


def test_examples_are_instances(program, worlds):
    (layer,) = evidence(program, worlds, examples=10)
    known = atoms(worlds) | atoms(program.transform(worlds))
    for item in (*layer.encoder, *layer.decoder):
        assert len({example.head + example.interpretation for example in item.examples}) == item.derived
        for example in item.examples:
            positive = [text for text in example.body if not text.startswith("\\+")]
            assert all((text, example.interpretation) in known for text in positive)
            if item.part == "decoder":
                assert example.right == ((example.head, example.interpretation) in atoms(worlds))


def test_a_false_example_is_shown_if_there_is_one(program, worlds):
    (layer,) = evidence(program, worlds)
    wrong = layer.decoder[0]
    assert [example.right for example in wrong.examples] == [True, True, False]


def test_what_nobody_knows_is_neither_right_nor_wrong():
    schema = Schema.of(Predicate("p", ("t",), open_world=True), Predicate("q", ("t",)))
    kb = KnowledgeBase.from_facts(
        ["p(a)", "q(b)", "q(c)", "q(d)"], schema=schema, negatives=["p(b)"], unknown=["q(a)"]
    )
    model = AutoEncoder.from_programs("l(X) :- p(X) ; q(X).", "p(X) :- l(X). q(X) :- l(X).")
    (layer,) = evidence(model, kb, examples=9)
    assert [(item.derived, item.true, item.false) for item in layer.decoder] == [(4, 1, 1), (4, 3, 0)]
    assert {example.head: example.right for example in layer.decoder[0].examples} == {
        "p(a)": True,
        "p(b)": False,
        "p(c)": None,
        "p(d)": None,
    }


def test_inner_layers_are_measured_by_the_layer_below():
    below = AutoEncoder.from_programs("l(X) :- p(X). m(X) :- q(X).", "p(X) :- l(X). q(X) :- m(X).")
    above = AutoEncoder.from_programs("t(X) :- l(X) ; m(X).", "l(X) :- t(X). m(X) :- t(X).")
    kb = KnowledgeBase.from_facts(["p(a)", "p(b)", "q(a)"])
    first, second = evidence(StackedAutoEncoder.from_layers([below, above]), kb)
    assert [(item.true, item.false) for item in second.decoder] == [(2, 0), (1, 1)]
    assert [(item.true, item.false) for item in first.decoder] == [(2, 0), (1, 1)]
    assert second.inputs == {"l": 2, "m": 1}
    assert first.rebuilt == {"p": 2, "q": 1}
