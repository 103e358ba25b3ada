"""Explanations, suggestions and insights of stored data are those of data in memory."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from tests.compression import worlds
from tests.engine.random_programs import REPEATABLE

from logicoder import AutoEncoder, KnowledgeBase, Program, StackedAutoEncoder
from logicoder.autoencoder import stored_listing, stored_suggestions
from logicoder.autoencoder.layer import Layer
from logicoder.autoencoder.message_suggestions import suggest_by_message
from logicoder.autoencoder.stored_explainer import StoredExplainer
from logicoder.base.errors import InputError
from logicoder.datasets import family
from logicoder.engine.sql.duckdb_session import DuckdbSession
from logicoder.engine.sql.stored_data import StoredData

PARENTS = (("mother", "padme"), ("father", "vader"))


@pytest.fixture(scope="module")
def model():
    return AutoEncoder(effort=5).fit(family()).set_params(max_sample=100)


@pytest.fixture(scope="module")
def noisy(model):
    """The family, some facts of it lost and some wrong, under the types that were learned."""
    rng = random.Random(3)  # noqa: S311
    rows = [(fact.predicate, *fact.arguments) for fact in family() if rng.random() < 0.93]
    rows += [("father", "anton", "x1"), ("wife", "x1", "x2"), ("wife", "x3", "x2")]
    return KnowledgeBase.from_facts(rows, schema=model.schema_)


@pytest.fixture(scope="module")
def stored(noisy):
    with StoredData.of(noisy, DuckdbSession()) as data:
        yield data


def rows_of(found):
    return {replace(row, interpretation="") for row in found}


def sentences(found):
    return [(row.kind, row.text, round(row.bits, 6), row.clauses) for row in found]


def test_every_fact_is_explained_as_in_memory(model, noisy, stored):
    here, there = model.explainer(noisy), model.explainer(stored)
    assert isinstance(there, StoredExplainer)
    for fact in [*list(noisy)[::9], "daughter(erika,anton)", "married(anton,bella)"]:
        (own,), (other,) = there.explain(fact).answers, here.explain(fact).answers
        assert (own.truth, own.verdict, own.node.total) == (other.truth, other.verdict, other.node.total)
        # Of several that come equally near, either may be shown.
        assert shape(own) == shape(other)
        if own.rebuilt and own.node.total == 1 == len(own.node.ways[0].steps):
            assert str(there.explain(fact)) == str(here.explain(fact))


def shape(answer):
    return [(str(way.clause), [step.holds for step in way.steps]) for way in answer.node.ways]


def test_atoms_with_variables_are_matched_in_the_system(model, noisy, stored):
    here, there = model.explain(noisy, "ancestor(X,Y)"), model.explain(stored, "ancestor(X,Y)")
    assert there.total == here.total > len(there.answers) == 5


@pytest.mark.parametrize(
    ("atom", "told"),
    [
        ("fater(anton,X)", "did you mean father"),
        ("father(antn,X)", "did you mean anton"),
        ("father(X)", "has 2 arguments"),
        ("female(anton,X)", "has 1 argument"),
        ("wife(anton,X)", "no atom matches"),
    ],
)
def test_wrong_questions_are_told_as_in_memory(model, noisy, stored, atom, told):
    messages = []
    for data in (noisy, stored):
        with pytest.raises(InputError, match=told) as caught:
            model.explain(data, atom)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]


def by_the_plan(model, kb, weak):
    """Return suggestions in memory by the clauses of the program alone, as those of stored data are."""
    return suggest_by_message(model.plan_, kb.with_schema(model.schema_), weak=weak, further=False)


@pytest.mark.parametrize("weak", [False, True])
def test_suggestions_by_the_clauses_of_the_program_are_those_of_memory(model, noisy, stored, weak):
    here = by_the_plan(model, noisy, weak)
    there = stored_suggestions.suggest_in_place(model.plan_, stored, model.schema_, weak=weak)
    assert {row.kind for row in here} == {"add", "change", "check"} or not weak
    assert rows_of(there) == rows_of(here)
    assert there.more == 0


def test_only_some_suggestions_are_brought_and_all_are_counted(model, noisy, stored, monkeypatch):
    monkeypatch.setattr(stored_listing, "MOST", 2)
    few = stored_suggestions.suggest_in_place(model.plan_, stored, model.schema_, weak=True)
    every = by_the_plan(model, noisy, weak=True)
    assert rows_of(few) < rows_of(every)
    assert len(few) + few.more >= len(every)  # an atom that is doubted twice is counted twice
    assert few.top(1).more == few.more + len(few) - 1


def test_insights_are_those_of_memory(model, noisy, stored):
    here, there = model.insights(noisy), model.insights(stored)
    assert sentences(there) == sentences(here)
    assert (there.bits, there.plain_bits) == pytest.approx((here.bits, here.plain_bits))
    facts = {str(fact) for fact in noisy}
    for row, other in zip(there, here, strict=True):
        assert [len(atoms) for atoms in row.exceptions.values()] == list(map(len, other.exceptions.values()))
        assert set(row.underived) <= facts
        assert not set(row.false) & facts


@settings(REPEATABLE, max_examples=4)
@given(worlds.knowledge_bases())
def test_random_data(kb):
    model = AutoEncoder(effort=3).fit(kb)
    with StoredData.of(kb, DuckdbSession()) as data:
        for weak in (False, True):
            assert rows_of(
                stored_suggestions.suggest_in_place(model.plan_, data, model.schema_, weak=weak)
            ) == rows_of(by_the_plan(model, kb, weak))
        expected = sentences(model.insights(kb))
        model.max_sample = 0
        assert sentences(model.insights(data)) == expected


def test_programs_of_any_origin_are_explained_and_asked_for_errors(monkeypatch):
    facts = [("p", f"a{i}") for i in range(120)] + [("q", f"a{i}") for i in range(118)] + [("q", "b")]
    kb = KnowledgeBase.from_facts(facts)
    programs = AutoEncoder.from_programs("l(X) :- p(X).", "p(X) :- l(X).  q(X) :- l(X).", max_sample=100)
    with StoredData.of(kb, DuckdbSession()) as data:
        data.schema = None
        assert str(programs.explain(data, "q(a119)")) == str(programs.explain(kb, "q(a119)"))
        found = programs.suggest(data)
        assert rows_of(found) == rows_of(programs.suggest(kb))
        assert {row.kind for row in found} == {"add", "check"}
        monkeypatch.setattr(stored_listing, "MOST", 1)
        assert (len(programs.suggest(data)), programs.suggest(data).more) == (2, 1)


@pytest.mark.parametrize("worlds_told", [1, 2])
def test_errors_by_several_clauses_and_layers_are_those_of_memory(worlds_told):
    parts = []
    for world in range(worlds_told):
        facts = [(kind, f"{who}{i}", f"c{i}") for kind, who in PARENTS for i in range(8) if i % 5 != world]
        facts += [("parent", f"padme{i}", f"c{i}") for i in range(7)]
        facts += [("woman", f"padme{i}") for i in range(3, 9)]
        facts += [("rich", f"vader{i}") for i in range(2, 7)]
        parts.append(KnowledgeBase.from_facts(facts, interpretation=f"w{world}"))
    kb = KnowledgeBase.union(parts) if worlds_told > 1 else parts[0]
    below = AutoEncoder.from_programs(
        "l(X,Y) :- mother(X,Y) ; father(X,Y). w(X) :- woman(X) ; rich(X). m(X,Y) :- mother(X,Y).",
        "mother(X,Y) :- l(X,Y), w(X). parent(X,Y) :- m(X,Y). parent(X,Y) :- l(X,Y). woman(X) :- m(X,Y)."
        "father(X,Y) :- l(X,Y), w(X).",
    )
    above = AutoEncoder.from_programs(
        "v(Y,X) :- l(X,Y). u(X) :- w(X). m2(X,Y) :- m(X,Y).",
        "l(X,Y) :- v(Y,X). w(X) :- u(X). m(X,Y) :- m2(X,Y).",
    )
    for model in (below, StackedAutoEncoder.from_layers([below, above])):
        model.max_sample = 0
        with StoredData.of(kb, DuckdbSession()) as data:
            found = model.suggest(data)
        here = model.suggest(kb)
        assert rows_of(found) == rows_of(here)
        assert any(row.kind == "check" and row.evidence for row in here)
        assert any(row.kind == "add" and row.clauses > 1 for row in here)


def test_layers_are_explained_through_each_other():
    parents = [(kind, who, child) for kind, who in PARENTS for child in ("luke", "leia")]
    kb = KnowledgeBase.from_facts([*parents, ("woman", "padme")])
    programs = [
        ("p(X,Y) :- mother(X,Y) ; father(X,Y). w(X) :- woman(X).", "mother(X,Y) :- p(X,Y), w(X)."),
        ("q(Y,X) :- p(X,Y). v(X) :- w(X).", "p(X,Y) :- q(Y,X). w(X) :- v(X)."),
    ]
    layers = [Layer(Program.parse(up), Program.parse(down)) for up, down in programs]
    here = layers[0].explained(kb, layers[1:])
    with StoredData.of(kb, DuckdbSession()) as data:
        there = StoredExplainer(layers, data)
        for fact in [*kb, "mother(vader,luke)", "q(leia,vader)"]:
            assert str(there.explain(fact)) == str(here.explain(fact))
