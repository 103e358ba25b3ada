"""Every system reads back the same data, and answers questions about a model as arrays do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from logicoder import AutoEncoder, KnowledgeBase
from logicoder.autoencoder.message_suggestions import suggest_by_message
from logicoder.autoencoder.stored_suggestions import suggest_in_place
from logicoder.datasets import university
from logicoder.engine.sql.relations import Relation
from logicoder.engine.sql.sample import read
from logicoder.engine.sql.session import QueryError
from logicoder.engine.sql.space_counts import Look, SpaceCounts
from logicoder.engine.sql.stored_data import StoredData
from logicoder.kb.canonical_order import in_canonical_order
from logicoder.logic.rules import Literal, Rule

from .systems import SYSTEMS, session_of

BENCHMARKS = ("uwcse", "imdb", "webkb", "cora_er", "umls", "university")


def benchmark(name, datasets):
    if name == "university":
        return university(facts=600, seed=1).kb
    if name == "umls":
        return KnowledgeBase.from_path(datasets / name, format="triples", interpretations="one")
    files = sorted((datasets / name).glob("*.db")) or [datasets / name]
    return KnowledgeBase.from_path(*files)


def same(one, other):
    """Whether two knowledge bases are the same to the last number, and so all that is learned from them."""
    assert one.schema == other.schema
    assert (one.symbols, one.interpretations) == (other.symbols, other.interpretations)
    for name in one.schema:
        ours, theirs = one.table(name), other.table(name)
        assert np.array_equal(ours.arguments, theirs.arguments)
        assert np.array_equal(ours.worlds, theirs.worlds)


@pytest.mark.parametrize(
    "system", [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in SYSTEMS[:2]]
)
@pytest.mark.parametrize("name", BENCHMARKS)
def test_benchmarks_come_out_as_arrays_have_them(name, system, datasets, request):
    """So every engine learns the same program from them."""
    kb = benchmark(name, datasets)
    with StoredData.of(kb, session_of(system, request)) as data:
        same(in_canonical_order(read(data)), in_canonical_order(kb))


def test_the_same_program_from_every_system(session, datasets):
    kb = benchmark("imdb", datasets)
    if session.system == "spark":
        kb = kb.restricted(["workedunder", "director", "actor"])
    here = AutoEncoder(effort=2).fit(kb)
    there = AutoEncoder(effort=2).fit(StoredData.of(kb, session))
    for name in ("decoder_", "encoder_", "kept_", "bits_", "loss_", "objective_", "clauses_"):
        assert getattr(there, name) == getattr(here, name), name
    session.clear()


def test_questions_are_answered_as_by_arrays(session):
    number = 60
    pairs = [(f"e{i}", f"e{(7 * i + 3) % number}") for i in range(number)]
    liked = [(y, x) for x, y in pairs]
    model = AutoEncoder().fit(KnowledgeBase.from_facts({"likes": pairs, "liked": liked}))
    facts = {"likes": pairs, "liked": [*liked[2:], ("e1", "e5")]}
    kb = KnowledgeBase.from_facts(facts, schema=model.schema_)
    here = suggest_by_message(model.plan_, kb, weak=True, further=False)
    insights = [row.text for row in model.insights(kb)]
    explained = [str(model.explain(kb, atom)) for atom in ("likes(e1,e10)", "liked(e1,e5)")]
    data = StoredData.of(kb, session)
    model.set_params(max_sample=100)
    there = suggest_in_place(model.plan_, data, model.schema_, weak=True)
    assert len(here) > 1
    assert [replace(row, interpretation="") for row in there] == [
        replace(row, interpretation="") for row in here
    ]
    if session.system != "spark":  # where a query takes a second; derivations have a test of their own
        assert [row.text for row in model.insights(data)] == insights
        explainer = model.explainer(data)
        assert [str(explainer.explain(atom)) for atom in ("likes(e1,e10)", "liked(e1,e5)")] == explained
    session.clear()


def test_a_query_that_fails_tells_the_shapes_of_its_clauses(session):
    kb = KnowledgeBase.from_facts({"p": [("a", "b")], "q": [("b", "a")]}, types="one")
    data = StoredData.of(kb, session)
    rules = [
        Rule((0, 1), (Literal("q", (1, 0)),)),
        Rule((0, 1), (Literal("q", (0, 2)), Literal("p", (2, 1)))),
    ]
    broken = {**data.relations, "q": Relation(session.quoted("nowhere"), 2)}
    told = (
        r"failed while counting clauses for p "
        r"\(p\(X,Y\) :- q1\(X,Z\), q2\(Z,Y\); p\(X,Y\) :- q1\(Y,X\)\)"
    )
    with pytest.raises(QueryError, match=told):
        SpaceCounts(data, kb.schema).classes(Look("p"), rules, broken)
    session.clear()
