"""Link prediction: ranks, baselines, and that nothing leaks into the scores."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evaluation import graphs

from logicoder import AutoEncoder, KnowledgeBase
from logicoder.base.errors import InputError, UsageError
from logicoder.engine.programs import run_program
from logicoder.evaluation.configuration import Cell
from logicoder.evaluation.direct_learning import learn_direct
from logicoder.evaluation.links import graph as graph_module
from logicoder.evaluation.links.apart import bodies_apart
from logicoder.evaluation.links.baselines import CAUTION, all_rules, frequency, most_similar_rule
from logicoder.evaluation.links.configuration import APART, LinkConfiguration
from logicoder.evaluation.links.graph import Graph, read_graph
from logicoder.evaluation.links.models import scores_of, settings_of, vocabulary_of
from logicoder.evaluation.links.ranking import by_relation, link_scores, ranks
from logicoder.evaluation.questions import Question, without
from logicoder.logic.terms import Program

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


def random_graph(seed: int, entities: int = 5, relations: int = 3, share: float = 0.3) -> Graph:
    rng = np.random.default_rng(seed)
    names = [f"e{number}" for number in range(entities)]
    facts = [
        (f"r{r}", names[h], names[t])
        for r, h, t in product(range(relations), range(entities), range(entities))
        if rng.random() < share
    ]
    facts += [("r0", names[0], name) for name in names if ("r0", names[0], name) not in facts]
    kb = KnowledgeBase.from_facts(facts)
    numbers = {name: number for number, name in enumerate(names)}
    triples = [(kb.predicates.index(r), numbers[h], numbers[t]) for r, h, t in facts]
    none = np.empty((0, 3), np.int64)
    return Graph(
        kb, tuple(names), kb.predicates, {"train": np.array(triples, np.int64), "valid": none, "test": none}
    )


# -- ranks --------------------------------------------------------------------------------------------


def plain_rank(scores: list[float], place: int, filtered: set[int]) -> float:
    """Return the mean of the ranks that a place can have when ties are put in any order."""
    rivals = [s for other, s in enumerate(scores) if other != place and other not in filtered]
    first = 1 + sum(s > scores[place] for s in rivals)
    last = first + sum(s == scores[place] for s in rivals)
    return (first + last) / 2


@given(st.integers(0, 10_000), st.integers(1, 6), st.integers(1, 3), st.integers(1, 4))
def test_ranks_are_those_of_plain_python(seed, entities, relations, values):
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, values, (relations, entities, entities)).astype(float)
    facts = rng.random(scores.shape) < 0.4
    triples = np.argwhere(facts | (rng.random(scores.shape) < 0.1))
    found = ranks(scores, triples, facts)
    assert found.shape == (len(triples), 2)
    for (r, h, t), (tail, head) in zip(triples.tolist(), found.tolist(), strict=True):
        others = {e for e in range(entities) if facts[r, h, e]}
        assert tail == plain_rank(scores[r, h].tolist(), t, others)
        others = {e for e in range(entities) if facts[r, e, t]}
        assert head == plain_rank(scores[r, :, t].tolist(), h, others)


def test_a_constant_score_is_in_the_middle():
    facts = np.zeros((1, 9, 9), bool)
    assert ranks(np.zeros((1, 9, 9)), np.array([[0, 2, 3]]), facts).tolist() == [[5.0, 5.0]]


def test_scores_by_hand():
    found = np.array([[1.0, 2.0], [4.0, 11.0], [1.0, 1.5]])
    scores = link_scores(found)
    assert scores.mrr == pytest.approx((1 + 1 / 2 + 1 / 4 + 1 / 11 + 1 + 2 / 3) / 6)
    assert scores.hits == pytest.approx((2 / 6, 4 / 6, 5 / 6))
    own = by_relation(found, np.array([[0, 0, 0], [2, 0, 0], [0, 1, 1]]), ["a", "b", "c"])
    assert {name: part.facts for name, part in own.items()} == {"a": 2, "c": 1}
    assert own["c"].mrr == pytest.approx((1 / 4 + 1 / 11) / 2)


# -- baselines ----------------------------------------------------------------------------------------


def plain_bodies(graph: Graph) -> dict[str, set[tuple[int, int]]]:
    """Return what each body derives, pair by pair."""
    size = range(len(graph.entities))
    facts = {
        name: set(map(tuple, np.argwhere(known).tolist()))
        for name, known in zip(graph.relations, graph.known, strict=True)
    }
    pairs = list(product(size, size))
    found = {}
    for s in graph.relations:
        found[f"{s}(X,Y)"] = facts[s]
        found[f"{s}(Y,X)"] = {(x, y) for x, y in pairs if (y, x) in facts[s]}
        found[f"{s}(Y,X), X \\= Y"] = {(x, y) for x, y in found[f"{s}(Y,X)"] if x != y}
        for t, one, two in product(graph.relations, ("XZ", "ZX"), ("ZY", "YZ")):
            text = f"{s}({','.join(one)}), {t}({','.join(two)}), X \\= Z, Y \\= Z"
            found[text] = {
                (x, y)
                for x, y in pairs
                for z in size
                if z not in (x, y)
                and ((x, z) if one == "XZ" else (z, x)) in facts[s]
                and ((z, y) if two == "ZY" else (y, z)) in facts[t]
            }
    return found


@pytest.mark.parametrize("seed", range(4))
def test_baselines_are_those_of_plain_python(seed):
    graph = random_graph(seed)
    bodies = plain_bodies(graph)
    frequent, (similar, rules), confident = frequency(graph), most_similar_rule(graph), all_rules(graph)
    assert [rule.head for rule in rules] == list(graph.relations)
    for number, (name, rule) in enumerate(zip(graph.relations, rules, strict=True)):
        facts = set(map(tuple, np.argwhere(graph.known[number]).tolist()))
        own = (f"{name}(X,Y)", f"{name}(Y,X)")
        usable = {text: derived for text, derived in bodies.items() if text not in own and derived & facts}
        jaccard = {text: len(d & facts) / len(d | facts) for text, d in usable.items()}
        assert rule.similarity == pytest.approx(max(jaccard.values()))
        assert jaccard[rule.body] == pytest.approx(max(jaccard.values()))
        assert str(rule) == f"{name}(X,Y) :- {rule.body}."
        confidence = {text: len(d & facts) / (len(d) + CAUTION) for text, d in usable.items()}
        for h, t in product(range(len(graph.entities)), repeat=2):
            often = sum(a == h for a, _ in facts) + sum(b == t for _, b in facts)
            assert frequent[number, h, t] == often
            assert np.floor(similar[number, h, t]) == ((h, t) in usable[rule.body])
            best = max((confidence[text] for text, d in usable.items() if (h, t) in d), default=0.0)
            assert confident[number, h, t] == pytest.approx(best, abs=2e-6)
        level = similar[number] < 1  # atoms that the rule does not derive: by frequency
        order = np.argsort(similar[number][level], kind="stable")
        assert (np.diff(frequent[number][level][order]) >= 0).all()


# -- nothing leaks ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_bodies_apart_never_look_at_the_atom(seed):
    graph = random_graph(seed, entities=4, relations=2, share=0.5)
    kb = graph.train
    bodies = bodies_apart("r0", ["r1"], "thing")
    program = Program(tuple(body.definition for body in bodies))
    for pair in product(graph.entities, repeat=2):
        others = [(f.predicate, *f.arguments) for f in kb if (f.predicate, *f.arguments) != ("r0", *pair)]
        outcomes = []
        for facts in (others, [*others, ("r0", *pair)]):
            found = run_program(program, KnowledgeBase.from_facts(facts))
            outcomes.append({f.predicate for f in found if tuple(f.arguments) == pair})
        assert outcomes[0] == outcomes[1]


def test_bodies_apart_say_what_they_should():
    kb = KnowledgeBase.from_facts([("r", "a", "b"), ("r", "b", "c"), ("s", "c", "d"), ("r", "d", "d")])
    bodies = bodies_apart("r", ["s"], "thing")
    found = run_program(Program(tuple(body.definition for body in bodies)), kb)
    texts = {body.name: str(body.definition).split(" :- ")[1] for body in bodies}
    held = {(texts[f.predicate], f.arguments) for f in found}
    assert ("r(B,A), A \\= B.", ("b", "a")) in held
    assert ("r(A,Z), r(Z,B), Z \\= A, Z \\= B.", ("a", "c")) in held
    assert ("r(A,Z), s(Z,B), Z \\= A, Z \\= B.", ("b", "d")) in held
    assert not any(pair == ("d", "d") for text, pair in held if "s(" not in text)  # only by itself


def models(graph: Graph, cell: Cell):
    auto = AutoEncoder.from_programs(ENCODER, DECODER, schema=graph.train.schema)
    encoder, decoder = (Program(), Program()) if cell.representation == "plain" else auto.programs()[0]
    chosen = LinkConfiguration()
    vocabulary = vocabulary_of(graph.train, cell, chosen, encoder, decoder)
    [found] = learn_direct(graph.train, encoder, vocabulary, [1.0], settings_of(chosen))
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


# -- files --------------------------------------------------------------------------------------------


def test_facts_are_numbered(graph, split):
    for part, facts in split.items():
        found = {
            (graph.entities[h], graph.relations[r], graph.entities[t])
            for r, h, t in graph.facts[part].tolist()
        }
        assert found == set(facts)
    assert graph.every.sum() == sum(map(len, split.values()))


def test_too_large_a_graph_is_refused(split, tmp_path, monkeypatch):
    monkeypatch.setattr(graph_module, "MOST_ATOMS", 100)
    with pytest.raises(UsageError, match="every one gets a score"):
        read_graph(graphs.write(tmp_path, split))


def test_repeated_facts_are_told(split, tmp_path, caplog):
    read_graph(graphs.write(tmp_path, {**split, "test": split["train"][:2]}))
    assert "2 of 2 facts are training facts, too" in caplog.text
    assert "validation facts" not in caplog.text
    read_graph(graphs.write(tmp_path, {**split, "test": split["valid"][:1]}))
    assert "1 of 1 facts are validation facts, too" in caplog.text


def test_a_missing_part_is_told(split, tmp_path):
    graphs.write(tmp_path, split)
    (tmp_path / "valid.txt").rename(tmp_path / "dev.txt")
    with pytest.raises(InputError, match="there is no file of valid facts"):
        read_graph(tmp_path)
