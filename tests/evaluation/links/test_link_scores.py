"""Nothing leaks into the scores of links."""

from __future__ import annotations

import numpy as np
import pytest
from tests.evaluation.links import graphs

from logicoder import AutoEncoder, KnowledgeBase
from logicoder.evaluation.configuration import Cell
from logicoder.evaluation.links.knowledge_graph import KnowledgeGraph, read_graph
from logicoder.evaluation.links.link_configuration import APART, LinkConfiguration
from logicoder.evaluation.links.link_prediction import language_of, scores_of
from logicoder.logic.terms import Program
from logicoder.mln.direct.design import learn_direct
from logicoder.mln.predicate_questions import Question, without

CELLS = [Cell(name, learner) for learner in (None, APART) for name in ("plain", "latent", "hybrid")]
ENCODER = """
    together(X,Y) :- publication(T,X), publication(T,Y).
    teaches(X,Y) :- taughtby(X,Y).
    assists(X,Y) :- ta(C,X), taughtby(C,Y).
    either(X,Y) :- advisedby(X,Y) ; paidby(X,Y).
"""
DECODER = """
    advisedby(X,Y) :- together(X,Y).
    paidby(X,Y) :- assists(X,Y).
    advisedby(X,Y) :- either(X,Y).
    taughtby(X,Y) :- teaches(X,Y).
"""


@pytest.fixture(scope="module")
def split():
    return graphs.parts(graphs.triples())


@pytest.fixture(scope="module")
def graph(split, tmp_path_factory):
    return read_graph(graphs.write(tmp_path_factory.mktemp("links") / "graph", split))


def models(graph: KnowledgeGraph, cell: Cell):
    auto = AutoEncoder.from_programs(ENCODER, DECODER, schema=graph.train.schema)
    encoder, decoder = (Program(), Program()) if cell.representation == "plain" else auto.programs()[0]
    vocabulary, settings = language_of(graph.train, cell, LinkConfiguration(), encoder, decoder)
    [found] = learn_direct(graph.train, encoder, vocabulary, [1.0], settings)
    return found


@pytest.fixture(scope="module", params=CELLS, ids=lambda cell: cell.variant)
def learned(request, graph):
    return request.param, models(graph, request.param)


def test_scores_do_not_depend_on_valid_and_test(learned, graph, split, tmp_path):
    cell, model = learned
    swapped = {"train": split["train"], "valid": split["test"][:3], "test": split["valid"]}
    other = read_graph(graphs.write(tmp_path, swapped))
    assert not np.array_equal(other.every, graph.every)
    np.testing.assert_array_equal(scores_of(other, models(other, cell)), scores_of(graph, model))


def test_networks_do_not_look_at_their_relation(learned, graph):
    cell, model = learned
    domains = graph.train.constants()
    changed = 0
    for relation in graph.relations:
        whole = model.log_odds(Question(relation, graph.train, domains))
        bare = model.log_odds(Question(relation, without(graph.train, relation), domains))
        changed += not np.array_equal(whole, bare)
    assert changed == 0 if cell.learner is None else changed > 0


def test_a_fact_does_not_change_its_own_score(learned, graph):
    _, model = learned
    domains = graph.train.constants()
    for number, relation in enumerate(graph.relations):
        asked = Question(relation, graph.train, domains)
        scores = model.log_odds(asked).reshape(graph.shape[1:])
        for head, tail in np.argwhere(graph.known[number])[:4]:
            fact = (relation, graph.entities[head], graph.entities[tail])
            left = [(f.predicate, *map(str, f.arguments)) for f in graph.train]
            left = [f for f in left if f != fact]
            kb = KnowledgeBase.from_facts(left, schema=graph.train.schema)
            found = model.log_odds(Question(relation, kb, domains)).reshape(graph.shape[1:])
            assert found[head, tail] == scores[head, tail]


def test_scores_are_the_weights_of_what_holds(graph):
    model = models(graph, Cell("plain"))
    scores = scores_of(graph, model)
    facts = {(f.predicate, *map(str, f.arguments)) for f in graph.train}
    number = graph.relations.index("advisedby")
    network = model.networks["advisedby"]
    for head, tail in [*np.argwhere(graph.known[number])[:5].tolist(), [0, 0], [1, 2]]:
        expected = network.bias
        pair = (graph.entities[head], graph.entities[tail])
        for feature, weight in zip(network.features, network.weights, strict=True):
            expected += weight * all(plain_condition(c, pair, facts) for c in feature)
        assert scores[number, head, tail] == pytest.approx(expected)


def plain_condition(condition, pair, facts) -> bool:
    """Whether a condition of one literal holds, by looking through the facts."""
    if not hasattr(condition, "definition"):
        return pair[0] == pair[1]
    clause = condition.definition
    given = dict(zip(clause.head.arguments, (pair[place] for place in condition.places), strict=True))
    [literal] = clause.literals()
    return any(
        name == literal.atom.predicate
        and all(given.get(v, value) == value for v, value in zip(literal.atom.arguments, values, strict=True))
        and (len(set(literal.atom.arguments)) == 2 or values[0] == values[1])
        for name, *values in facts
    )
