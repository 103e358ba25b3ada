"""Triples and graphs as Python objects."""

import pytest

from logicoder import InputError, KnowledgeBase, UsageError

networkx = pytest.importorskip("networkx")


def content(kb):
    return {(fact.predicate, *fact.arguments) for fact in kb}


def test_triples(tmp_path):
    kb = KnowledgeBase.from_triples([("anna", "knows", "bob"), ["bob", "age", 31]])
    assert content(kb) == {("knows", "anna", "bob"), ("age", "bob", 31)}
    kb.save(tmp_path / "t.tsv", "triples")
    assert content(KnowledgeBase.from_triples(tmp_path / "t.tsv")) == content(kb)


def test_triples_of_frames_and_arrays(caplog):
    numpy, pandas, polars = (pytest.importorskip(name) for name in ("numpy", "pandas", "polars"))
    rows = {"s": ["anna", "bob", None], "p": ["knows", "likes", "likes"], "o": ["bob", "anna", "bob"]}
    expected = {("knows", "anna", "bob"), ("likes", "bob", "anna")}
    for library in (pandas, polars):
        assert content(KnowledgeBase.from_triples(library.DataFrame(rows))) == expected
        assert "1 row with missing values is left out" in caplog.text
        caplog.clear()
    array = numpy.array([["anna", "knows", "bob"], ["bob", "likes", "anna"]])
    assert content(KnowledgeBase.from_triples(array)) == expected
    with pytest.raises(InputError, match="this frame has 2 columns"):
        KnowledgeBase.from_triples(pandas.DataFrame({"a": ["x"], "b": ["y"]}))


@pytest.mark.parametrize("bad", ["abc", ("a", "b"), 7])
def test_what_is_no_triple_is_counted(bad):
    with pytest.raises(InputError, match="triple number 2 is"):
        KnowledgeBase.from_triples([("a", "p", "b"), bad])


def test_a_directed_graph_with_attributes():
    graph = networkx.DiGraph()
    graph.add_node("a", colour="red", old=True, new=False, size=None, weight=float("nan"))
    graph.add_edge("a", "b", weight=3)
    graph.add_node("c")
    kb = KnowledgeBase.from_graph(graph)
    assert content(kb) == {
        ("node", "a"), ("node", "b"), ("node", "c"),
        ("colour", "a", "red"), ("old", "a"),
        ("edge", "a", "b"), ("edge_weight", "a", "b", 3),
    }  # fmt: skip
    assert str(kb.schema["colour"]) == "colour(node,colour)"


def test_an_undirected_graph_has_both_directions():
    graph = networkx.Graph([(1, 2), (3, 3)])
    assert content(KnowledgeBase.from_graph(graph, node=None)) == {
        ("edge", 1, 2),
        ("edge", 2, 1),
        ("edge", 3, 3),
    }


def test_parallel_edges_are_told_apart():
    graph = networkx.MultiDiGraph()
    graph.add_edge("a", "b", key="knows")
    graph.add_edge("a", "b", key="likes", since=2020)
    assert content(KnowledgeBase.from_graph(graph, node=None)) == {
        ("knows", "a", "b"), ("likes", "a", "b"), ("likes_since", "a", "b", 2020)
    }  # fmt: skip
    graph = networkx.MultiGraph()
    graph.add_edge("a", "b", kind="road")
    graph.add_edge("a", "b", kind="rail")
    assert {f[0] for f in content(KnowledgeBase.from_graph(graph, node=None, relation="kind"))} == {
        "road",
        "rail",
    }


def test_what_a_graph_cannot_be():
    with pytest.raises(UsageError, match="a list is not a graph"):
        KnowledgeBase.from_graph([])
    graph = networkx.Graph()
    graph.add_node("a", tags=["x"])
    with pytest.raises(InputError, match="node 'a': the attribute tags is a list"):
        KnowledgeBase.from_graph(graph)
    graph = networkx.Graph()
    graph.add_node("a", edge="x")
    assert ("node_edge", "a", "x") in content(KnowledgeBase.from_graph(graph))
