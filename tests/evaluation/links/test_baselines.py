"""Baselines of link prediction against plain Python."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from tests.evaluation.links import graphs

from logicoder.evaluation.links.baselines import CAUTION, all_rules, frequency, most_similar_rule
from logicoder.evaluation.links.knowledge_graph import KnowledgeGraph


def plain_bodies(graph: KnowledgeGraph) -> dict[str, set[tuple[int, int]]]:
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
    graph = graphs.random_graph(seed)
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


def test_of_equally_similar_rules_the_first_counts():
    some = graphs.random_graph(0)
    # Both relations have the same facts, which are symmetric: each of several bodies derives exactly them.
    facts = np.array([(relation, *pair) for relation in (0, 1) for pair in ((0, 1), (1, 0))], np.int64)
    graph = replace(some, relations=some.relations[:2], facts={**some.facts, "train": facts})
    first, second = graph.relations
    expected = [f"{first}(X,Y) :- {second}(X,Y).", f"{second}(X,Y) :- {first}(X,Y)."]
    assert [str(rule) for rule in most_similar_rule(graph)[1]] == expected
