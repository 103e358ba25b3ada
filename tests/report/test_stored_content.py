"""A page about stored data that are not read as a whole has the numbers of a page about all of them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from tests.compression import worlds
from tests.engine.random_programs import REPEATABLE
from tests.wanted import wanted_module

from logicoder import AutoEncoder, KnowledgeBase, StackedAutoEncoder
from logicoder.datasets import family
from logicoder.engine.sql.duckdb_session import DuckdbSession
from logicoder.engine.sql.stored_data import StoredData
from logicoder.report.content import Content
from logicoder.report.page import report_html


def numbers(content):
    return (
        content.totals,
        content.on_training_data,
        [
            (
                [(x.key, x.derived, x.true, x.false) for x in (*layer.encoder, *layer.decoder)],
                *(layer.inputs, layer.latents, layer.rebuilt, layer.kept, layer.given),
            )
            for layer in content.layers
        ],
    )


def same_numbers(model, kb):
    """Compare the numbers of all facts with those that a system counts, a few facts being shown."""
    facts = [fact for number, fact in enumerate(kb) if number % 3 == 0]
    rows = [(fact.predicate, *fact.arguments) for fact in facts]
    part = KnowledgeBase.from_facts(rows, schema=model.schema_ or kb.schema)
    with StoredData.of(kb, DuckdbSession()) as data:
        stored = Content.of(model, part, whole=data)
    whole = Content.of(model, kb)
    assert numbers(stored) == numbers(whole)
    assert [item.examples for item in stored.layers[0].decoder] == [
        item.examples for item in Content.of(model, part).layers[0].decoder
    ]


@pytest.fixture(scope="module", autouse=True)
def _duckdb():
    wanted_module("duckdb")


@settings(REPEATABLE, max_examples=8)
@given(worlds.knowledge_bases())
def test_random_data(kb):
    same_numbers(AutoEncoder(effort=3).fit(kb), kb)


def test_learned_programs_on_other_data():
    model = AutoEncoder(effort=5).fit(family())
    rows = [(fact.predicate, *fact.arguments) for number, fact in enumerate(family()) if number % 7]
    kb = KnowledgeBase.from_facts([*rows, ("father", "anton", "x1")], schema=model.schema_)
    same_numbers(model, kb)


PEOPLE = [(kind, f"{kind}{i}", f"c{i}") for kind in ("mother", "father") for i in range(8) if i % 5]
PEOPLE += [("parent", f"mother{i}", f"c{i}") for i in range(7)]
PEOPLE += [("woman", f"mother{i}") for i in range(3, 9)]


@pytest.mark.parametrize("several", [False, True])
def test_layers_negation_recursion_and_background(several):
    kb = KnowledgeBase.from_facts(PEOPLE)
    if several:
        kb = KnowledgeBase.union(
            [
                KnowledgeBase.from_facts(PEOPLE[start:], interpretation=name)
                for start, name in ((0, "one"), (5, "two"))
            ]
        )
    below = AutoEncoder.from_programs(
        r"l(X,Y) :- mother(X,Y) ; father(X,Y). w(X) :- woman(X), \+ mother(X,_). e(X) :- elder(X).",
        "mother(X,Y) :- l(X,Y). mother(X,Y) :- l(X,Y), w(X). parent(X,Y) :- l(X,Y). parent(X,Z) :- "
        "parent(X,Y), l(Y,Z). woman(X) :- w(X). stranger(X) :- w(X).",
        background="elder(X) :- parent(X,_).",
    )
    above = AutoEncoder.from_programs(
        "v(Y,X) :- l(X,Y). u(X) :- w(X).", "l(X,Y) :- v(Y,X). w(X) :- u(X). w(X) :- v(_,X)."
    )
    for model in (below, StackedAutoEncoder.from_layers([below, above])):
        same_numbers(model, kb)


def test_a_page_says_what_is_of_all_facts_and_what_is_a_sample():
    pairs = [(f"e{i}", f"e{(7 * i + 3) % 120}") for i in range(120)]
    liked = [(y, x) for x, y in pairs]
    model = AutoEncoder().fit(KnowledgeBase.from_facts({"likes": pairs, "liked": liked}))
    facts = {"likes": pairs, "liked": [*liked[2:], ("e1", "e5")]}
    kb = KnowledgeBase.from_facts(facts, schema=model.schema_)
    whole = report_html(model, kb)
    model.set_params(max_sample=50)
    with StoredData.of(kb, DuckdbSession()) as data:
        part = report_html(model, data)
    for name in ("predicates", "errors", "findings"):
        assert len(plain(section(part, name))) > 10
        assert plain(section(part, name)) == plain(section(whole, name)), name
    assert lead(part) == lead(whole)
    assert "All numbers are those of all 239 facts, as DuckDB counts them." in part
    # What the fact browser may lack is not linked to it.
    assert "#fact=" in section(whole, "errors")
    assert "#fact=" not in section(part, "errors") + section(part, "findings")


def lead(page):
    return page.partition('class="lead">')[2].partition("</p>")[0]


def section(page, key):
    return page.partition(f'<section id="{key}"')[2].partition("</section>")[0]


def plain(markup):
    """Return the words of a section, without its tags."""
    return re.sub(r"<[^>]*>", " ", markup).split()
