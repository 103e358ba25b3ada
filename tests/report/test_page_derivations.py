"""The derivations that the page finds are those of the library, for random programs on random data."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import HealthCheck, event, given, settings

from engine.random_programs import REPEATABLE, STRANGER, knowledge_bases, programs
from logicoder import AutoEncoder, InputError, KnowledgeBase, Predicate, Program, Schema, StackedAutoEncoder
from logicoder.autoencoder.explainer import Explainer
from logicoder.report.browser_data import browsable

MOST = 1000
ASK = """([content, questions]) => {
    const explainer = new Explaining.Explainer(content);
    return questions.map(([text, world]) => {
        const atom = explainer.read(text);
        return atom && explainer.explain(atom, world, 1000);
    });
}"""


@pytest.fixture(scope="module")
def engine(browser, page_file):
    """The page of any report: its script explains whatever it is given."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(page_file.as_uri())
    yield page
    context.close()


def answers(page, explainer, questions):
    return page.evaluate(ASK, [browsable(explainer, None), questions])


def questions_of(explainer):
    """Return ground atoms of all predicates in all worlds, and what the library says about each."""
    schemas = [explainer.data.schema, *(level.outputs.schema for level in explainer.levels)]
    predicates = {name: predicate for schema in schemas for name, predicate in schema.items()}
    symbols = explainer.data.constants()
    found = []
    for predicate in predicates.values():
        kinds = [(*symbols.get(kind, ()), STRANGER) for kind in predicate.types]
        for constants in product(*kinds):
            for number, world in enumerate(explainer.data.interpretations):
                text = f"{predicate.name}({','.join(constants)})" if constants else predicate.name
                try:
                    told = explainer.explain(text, interpretation=world, limit=MOST)
                except InputError:  # a constant that nobody knows
                    continue
                found.append(((text, number), told.as_dict()["answers"][0]))
    return found


def ways_of(tree):
    """Return what derives an atom, in any order; of what does not, how near each clause comes."""
    if tree["derived"]:
        return Counter(
            (way["clause"], tuple((step["literal"], step["reason"]) for step in way["literals"]))
            for way in tree["derivations"]
        )
    return Counter(
        (way["clause"], sum(step["holds"] is True for step in way["literals"])) for way in tree["attempts"]
    )


def literals_of(attempts):
    """Return the literals of clauses of which nothing holds: there is nothing to choose for them."""
    lacking = (way for way in attempts if not any(step["holds"] for step in way["literals"]))
    return Counter((way["clause"], tuple(step["literal"] for step in way["literals"])) for way in lacking)


def sound(tree):
    """Whether every derivation in a tree holds, all the way down."""
    return all(
        step["holds"] and (step["because"] is None or sound(step["because"]))
        for way in tree.get("derivations", ())
        for step in way["literals"]
    )


def agree_below(found, expected):
    """Compare trees as far down as they tell the same literals; which of equally near ones is free."""
    assert ways_of(found) == ways_of(expected)
    attempts = found.get("attempts", ()), expected.get("attempts", ())
    assert literals_of(attempts[0]) == literals_of(attempts[1])
    for mine in attempts[0]:
        texts = [step["literal"] for step in mine["literals"]]
        for theirs in expected["attempts"]:
            if mine["clause"] == theirs["clause"] and texts == [
                step["literal"] for step in theirs["literals"]
            ]:
                for one, other in zip(mine["literals"], theirs["literals"], strict=True):
                    assert (one["holds"], one["reason"]) == (other["holds"], other["reason"])
                    below = one["because"], other["because"]
                    assert (below[0] is None) == (below[1] is None)
                    if below[0] and not below[0]["cut"] and not below[1]["cut"]:
                        agree_below(*below)


def agree(page, explainer, most=60):
    asked = questions_of(explainer)[:most]
    told = answers(page, explainer, [question for question, _ in asked])
    for (question, expected), found in zip(asked, told, strict=True):
        assert found is not None, question
        for name in ("atom", "interpretation", "truth", "rebuilt", "verdict"):
            assert found[name] == expected[name], (question, name)
        for name in ("atom", "level", "derived", "total", "cut"):
            assert found["tree"][name] == expected["tree"][name], (question, name)
        agree_below(found["tree"], expected["tree"])
        assert sound(found["tree"]), question
    return asked


@settings(REPEATABLE, max_examples=50, suppress_health_check=list(HealthCheck))
@given(knowledge_bases().flatmap(lambda kb: programs(kb).map(lambda found: (kb, *found))))
def test_one_program(engine, drawn):
    kb, program, schema = drawn
    asked = agree(engine, Explainer([program], kb, outputs=[schema]))
    event(f"derived: {min(5, sum(answer['rebuilt'] for _, answer in asked))}")


def test_two_programs(engine, model, family):
    asked = agree(engine, model.explainer(family), 1000)
    verdicts = {answer["verdict"] for _, answer in asked}
    assert verdicts >= {"a latent fact", "not a latent fact", "correctly absent"}


def test_recursion_reads_facts_of_earlier_stages_only(engine):
    kb = KnowledgeBase.from_facts([("edge", "a", "b"), ("edge", "b", "c"), ("edge", "c", "a")])
    program = Program.parse("path(X,Y) :- edge(X,Y). path(X,Z) :- path(X,Y), path(Y,Z).")
    explainer = Explainer([program], kb)
    (found,) = answers(engine, explainer, [("path(a,a)", 0)])
    expected = explainer.explain("path(a,a)", limit=MOST).as_dict()["answers"][0]
    assert ways_of(found["tree"]) == ways_of(expected["tree"])
    assert sound(found["tree"])


def test_layers(engine):
    below = AutoEncoder.from_programs(
        r"l(X,Y) :- p(X,Y) ; q(Y,X). m(X) :- p(X,_), \+ r(X). n :- r(X), r(Y), X \= Y.",
        "p(X,Y) :- l(X,Y), m(X). q(X,Y) :- l(Y,X). r(a) :- n. r(X) :- l(X,X).",
    )
    kb = KnowledgeBase.from_facts(["p(a,b)", "p(b,b)", "q(b,a)", "r(a)", "r(b)", "p(c,a)"])
    above = AutoEncoder.from_programs(
        "t(X,Y) :- l(X,Y). s(X) :- m(X).",
        "l(X,Y) :- t(X,Y), s(X). m(X) :- s(X).",
        schema=below.transform(kb).schema,
    )
    explainer = StackedAutoEncoder.from_layers([below, above]).explainer(kb)
    asked = agree(engine, explainer, 1000)
    assert {answer["verdict"] for _, answer in asked} >= {"reconstructed", "missing", "correctly absent"}


def test_what_would_be_needed_is_told_with_free_variables(engine):
    """No `l` is known for `a`: the page must look for any, also where a clause names a constant."""
    encoder = Program.parse(r"""
        l(b,X) :- p(X), q(X).
        m(X) :- p(X), \+ q(X).
        k(X) :- q(X), \+ e(X,_), \+ p(X).
        h(X,Y) :- e(Y,X).
    """)
    decoder = Program.parse("r(X) :- l(Y,Y), m(X). s(X) :- k(X), l(X,Z). s(X) :- l(b,X). s(X) :- h(X,Y).")
    kb = KnowledgeBase.from_facts(["p(a)", "p(c)", "q(c)", "r(a)", "q(a)", "s(b)", "e(a,c)", "p(d)"])
    latents = Schema.of(Predicate("l", ("thing", "thing")))
    agree(engine, Explainer([encoder, decoder], kb, outputs=[latents, kb.schema.restricted("rs")]), 1000)


def test_comparisons(engine):
    kb = KnowledgeBase.from_facts(
        {
            "age": [("anna", 9), ("bob", 10), ("carl", 70), ("dora", "[..10)"), ("emil", "[10..20)")],
            "born": [("anna", "2015-05-01"), ("bob", "2014-12-31 12:00")],
        },
        types="one",
    )
    program = Program.parse(
        """
        older(X,Y) :- age(X,A), age(Y,B), A > B.
        level(X,Y) :- age(X,A), age(Y,B), A =< B.
        child(X) :- age(X,A), A < 10.
        late(X) :- born(X,B), B >= '2014-12-31 12:00'.
        """
    )
    agree(engine, Explainer([program], kb), 1000)
