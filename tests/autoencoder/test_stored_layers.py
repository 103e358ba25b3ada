"""Several layers over data that stay where they are: learned, encoded and decoded as in memory."""

from __future__ import annotations

import pytest
from tests.engine.sql.systems import SYSTEMS, session_of

from logicoder import AutoEncoder, KnowledgeBase, StackedAutoEncoder
from logicoder.autoencoder.stored_files import read_encoding, write_encoding
from logicoder.autoencoder.stored_layers import StoredLayers
from logicoder.engine.sql.duckdb_session import DuckdbSession
from logicoder.engine.sql.sample import read
from logicoder.engine.sql.stored_data import StoredData


def people(couples, worlds=1):
    """Return couples with a child each; of every fifth one the mother is not known."""
    parts = []
    for world in range(worlds):
        facts = []
        for number in couples:
            father, mother, child = (f"{who}{number}" for who in "fmc")
            facts += [("father", father, child), ("parent", father, child), ("male", father)]
            if (number + world) % 5:
                facts += [("mother", mother, child), ("parent", mother, child)]
        parts.append(KnowledgeBase.from_facts(facts, interpretation=f"w{world}"))
    return KnowledgeBase.union(parts) if worlds > 1 else parts[0]


@pytest.fixture(scope="module")
def layers():
    """Two layers of which the upper one loses a predicate, and has an auxiliary one in its decoder."""
    below = AutoEncoder.from_programs(
        "p(X,Y) :- father(X,Y) ; mother(X,Y).  m(X) :- male(X).  f(X,Y) :- mother(X,Y).",
        "father(X,Y) :- p(X,Y), m(X).  mother(X,Y) :- f(X,Y).  parent(X,Y) :- p(X,Y).  male(X) :- m(X).",
    )
    above = AutoEncoder.from_programs(
        "q(Y,X) :- p(X,Y).  n(X) :- m(X).",
        "p(X,Y) :- q(Y,X).  m(X) :- n(X).  other(X,Y) :- q(Y,X).  f(X,Y) :- other(X,Y), p(X,Y).",
    )
    return StackedAutoEncoder.from_layers([below, above])


def texts(data, relations):
    back = StoredData(data.session, relations, "back", None, data.interpretations, types="one")
    return {(fact.interpretation if data.several else "", str(fact)) for fact in read(back)}


def told(kb, data):
    return {(fact.interpretation if data.several else "", str(fact)) for fact in kb}


@pytest.mark.parametrize("worlds", [1, 3])
def test_programs_run_through_all_layers(layers, worlds, tmp_path):
    kb = people(range(9), worlds)
    with StoredData.of(kb, DuckdbSession()) as data:
        stack = StoredLayers(layers.stack(), data)
        top = stack.encoded()
        assert texts(data, top) == told(layers.transform(kb), data)
        back = layers.inverse_transform(layers.transform(kb))
        assert texts(data, stack.decoded(top, None)) == told(back, data)
        wrong = stack.exceptions(top)
        outcome = layers.reconstruct(kb)
        assert {s.predicate: s for s in stack.scores(top, wrong)} == {
            s.predicate: s for s in outcome.predicates
        }
        assert stack.masked(layers.origins(), layers.decoder_, top) == sum(
            score.missing for score in layers.masked(kb)
        )
        exceptions = layers.encode_losslessly(kb).exceptions.counts()
        counted = [sum(map(stack.count, part.values())) for part in (wrong.missing, wrong.false)]
        assert counted == [exceptions["missing"], exceptions["false"]]
        write_encoding(layers.stack(), data.having(top, None), wrong, tmp_path)
        assert texts(data, stack.decoded(top, wrong)) == told(kb, data)
    with DuckdbSession() as session:
        top, exceptions, names = read_encoding(layers.stack(), tmp_path, session)
        frame = StoredData(session, {}, "latent", kb.schema, names, plain=True)
        assert texts(frame, StoredLayers(layers.stack(), frame).decoded(top, exceptions)) == told(kb, frame)


@pytest.mark.parametrize("most", [100, 10_000])
def test_layers_are_learned_where_the_data_are(most):
    kb = people(range(60))
    model = StackedAutoEncoder(2, compression="0.9", effort=1, max_sample=most)
    with StoredData.of(kb, DuckdbSession()) as data:
        model.fit(data)
    outcome = model.reconstruct(kb)
    assert (model.facts_, model.loss_, model.latent_facts_) == (len(kb), outcome.loss, outcome.latent_facts)
    assert model.scores_ == outcome.predicates
    assert model.masked_ == sum(score.missing for score in model.masked(kb))
    assert model.statistics_["engine"]["name"] == "DuckDB"
    if most > len(kb):
        here = StackedAutoEncoder(2, compression="0.9", effort=1).fit(kb)
        assert [str(p) for pair in model.programs() for p in pair] == [
            str(p) for pair in here.programs() for p in pair
        ]
        assert model.statistics_["engine"]["facts_in_memory"] == len(kb)
    else:
        assert model.statistics_["engine"]["facts_in_memory"] < len(kb)


@pytest.mark.parametrize(
    "system", [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in SYSTEMS[1:]]
)
def test_servers_run_layers(system, request, layers):
    kb = people(range(6))
    with session_of(system, request) as session:
        data = StoredData.of(kb, session)
        stack = StoredLayers(layers.stack(), data)
        top = stack.encoded()
        assert texts(data, stack.decoded(top, stack.exceptions(top))) == told(kb, data)
