"""Reading knowledge graphs."""

from __future__ import annotations

import pytest
from tests.evaluation.links import graphs

from logicoder.base.errors import InputError, UsageError
from logicoder.evaluation.links import knowledge_graph
from logicoder.evaluation.links.knowledge_graph import read_graph


@pytest.fixture(scope="module")
def split():
    return graphs.parts(graphs.triples())


@pytest.fixture(scope="module")
def graph(split, tmp_path_factory):
    return read_graph(graphs.write(tmp_path_factory.mktemp("links") / "graph", split))


def test_facts_are_numbered(graph, split):
    for part, facts in split.items():
        found = {
            (graph.entities[h], graph.relations[r], graph.entities[t])
            for r, h, t in graph.facts[part].tolist()
        }
        assert found == set(facts)
    assert graph.every.sum() == sum(map(len, split.values()))


def test_too_large_a_graph_is_refused(split, tmp_path, monkeypatch):
    monkeypatch.setattr(knowledge_graph, "MOST_ATOMS", 100)
    with pytest.raises(UsageError, match="every atom gets a score"):
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
