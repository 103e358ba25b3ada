"""The architecture as a graph: what is connected, what is grouped, and where it lies."""

from __future__ import annotations

from itertools import pairwise

import pytest

from logicoder import AutoEncoder, KnowledgeBase, Predicate, Schema
from logicoder.report.clause_evidence import evidence_of
from logicoder.report.layer_graph import graph_of, in_order, readable
from logicoder.report.layer_picture import HEIGHT, ROOM, drawing_of, svg_of
from logicoder.report.level_counts import ArrayCounts


def graph(model, kb):
    (layer,) = evidence_of(ArrayCounts(model.explainer(kb)), model.programs())
    return graph_of(layer)


@pytest.fixture(scope="module")
def small(model, family):
    return graph(model, family)


@pytest.fixture(scope="module")
def large():
    """Sixty latents and sixty decoder clauses over six predicates."""
    kb = KnowledgeBase.from_facts([(f"p{i}", "a", "b") for i in range(6)])
    encoder = [f"l{i}(X,Y) :- p{i % 6}(X,Y)." for i in range(60)]
    decoder = [f"p{i % 6}(X,Y) :- l{i}(X,Y)." for i in range(60)]
    return graph(AutoEncoder.from_programs("\n".join(encoder), "\n".join(decoder)), kb)


def test_edges_are_those_of_the_programs(small):
    pairs = {(edge.source, edge.target): edge.facts for edge in small.edges}
    assert pairs["in mother", "encoder-1-1"] == 2
    assert pairs["encoder-1-1", "latent parent"] == 3
    assert pairs["latent parent", "decoder-1-1"] == 3
    assert pairs["decoder-1-1", "out mother"] == 1
    assert len(pairs) == 5 + 4 + 7 + 5
    assert [len(small.column(number)) for number in range(5)] == [5, 4, 4, 5, 5]


def test_small_programs_are_not_grouped(small):
    assert readable(small) is small


def test_large_programs_are_grouped_without_losing_anything(large):
    found = readable(large, 20)
    assert found.grouped
    assert [len(found.column(number)) for number in range(5)] == [6] * 5
    for number in range(5):
        members = [name for node in found.column(number) for name in node.members]
        assert sorted(members) == sorted(node.key for node in large.column(number))
    assert sum(edge.facts for edge in found.edges) == sum(edge.facts for edge in large.edges)
    assert max(len(readable(large, 4).column(number)) for number in (1, 2, 3)) == 4


def test_the_part_that_leads_to_a_predicate(small, large):
    keys = {node.key for node in small.leading_to(["out father"]).nodes}
    assert keys == {
        *("in man", "in child", "encoder-1-3", "encoder-1-4"),
        *("latent male", "latent young", "decoder-1-2", "out father"),
    }
    assert len(large.leading_to(["out p0"]).column(2)) == 10


def crossings(graph, columns) -> int:
    """Return how many pairs of edges cross between neighbouring columns."""
    place = {node.key: number for column in columns for number, node in enumerate(column)}
    home = {node.key: node.column for node in graph.nodes}
    total = 0
    for left, _ in pairwise(range(len(columns))):
        ends = [(place[e.source], place[e.target]) for e in graph.edges if home[e.source] == left]
        total += sum((a[0] - b[0]) * (a[1] - b[1]) < 0 for i, a in enumerate(ends) for b in ends[i + 1 :])
    return total


def test_the_order_lets_few_edges_cross(large, small):
    for found in (large, small):
        given = [found.column(number) for number in range(5)]
        ordered = in_order(found)
        assert [set(column) for column in ordered] == [set(column) for column in given]
        assert crossings(found, ordered) <= crossings(found, given)
    assert crossings(large, in_order(large)) == 0


def test_boxes_lie_in_the_picture_and_apart(large, small):
    for found in (large, small):
        drawing = drawing_of(found)
        boxes = sorted(drawing.boxes.values(), key=lambda box: (box.x, box.y))
        assert all(box.x >= 0 and box.x + box.width <= drawing.width for box in boxes)
        assert all(box.y >= 0 and box.y + HEIGHT <= drawing.height for box in boxes)
        for one, other in pairwise(boxes):
            assert one.x + one.width < other.x or one.y + HEIGHT < other.y
        assert max(drawing.stroke(edge.facts) for edge in found.edges) == pytest.approx(13)


def test_a_graph_without_nodes_or_with_odd_names_is_drawn():
    kb = KnowledgeBase.from_facts([("<b>", "a")])
    model = AutoEncoder.from_programs("l(X) :- '<b>'(X).", "'<b>'(X) :- l(X).")
    svg = str(svg_of(graph(model, kb), "<title>", {"in <b>": "row"}))
    assert "&lt;title&gt;" in svg
    assert "<b>" not in svg
    assert 'href="#row"' in svg
    lost = AutoEncoder.from_programs("l(X) :- '<b>'(X).", "")
    assert "'&lt;b&gt;'" in str(svg_of(graph(lost, kb), "nothing comes back", {}))


def test_names_are_whole_where_there_is_room_and_cut_where_there_is_none():
    def drawn(name):
        model = AutoEncoder.from_programs(f"latent(X) :- {name}(X).", f"{name}(X) :- latent(X).")
        return drawing_of(graph(model, KnowledgeBase.from_facts([(name, "a")])))

    alone = drawn("a_name_of_letters_enough")
    assert {box.label for box in alone.boxes.values() if box.node.column in (0, 4)} >= {
        "a_name_of_letters_enough"
    }
    assert alone.width <= ROOM
    name = "latent_with_a_name_of_thirty_one"
    body = "p(X,Y), q(Y,Z), r(Z,U), s(U,V), t(V,W), p(W,Q)"
    kb = KnowledgeBase.from_facts({n: [("a", "b")] for n in "pqrst"})
    steps = f"p(X,Y) :- {name}(X,Z), {name}(Z,Y)."
    model = AutoEncoder.from_programs(f"{name}(X,Y) :- {body}.", steps)
    labels = {box.label for box in drawing_of(graph(model, kb)).boxes.values()}
    assert name in labels  # clauses are cut before names
    assert any(label.endswith("…") for label in labels)
    long = drawn("a_name_that_is_so_long_that_no_page_can_hold_five_columns_of_it_whole")
    assert any("…" in box.label for box in long.boxes.values())
    assert long.width <= ROOM


def test_columns_without_anything_leave_their_room_to_others():
    facts = [("doctor_specialty", f"d{i}", f"s{i % 7}") for i in range(40)]
    facts += [("stay_doctor", f"a{i}", f"d{i * 7 % 40}") for i in range(300)]
    facts += [("stay_department", f"a{i}", f"s{i * 7 % 40 % 7}") for i in range(300)]
    kb = KnowledgeBase.from_facts(facts)
    drawing = drawing_of(graph(AutoEncoder().fit(kb), kb))
    labels = {box.label for box in drawing.boxes.values()}
    assert "stay_doctor(X,Z), doctor_specialty(Z,Y)" in labels
    assert [name for _, name in drawing.columns] == [
        "facts", "latent predicates", "decoder clauses", "facts again"
    ]  # fmt: skip
    assert drawing.width <= ROOM


def test_background_is_drawn_where_a_clause_reads_it():
    kb = KnowledgeBase.from_facts([("p", "a"), ("q", "a"), ("b", "a"), ("c", "a")])
    background = Schema.of(*(Predicate(n, ("t",), background=n in "bc") for n in ("p", "q", "b", "c")))
    model = AutoEncoder.from_programs("l(X) :- p(X), b(X).", "p(X) :- l(X). q(X) :- l(X).", schema=background)
    found = graph(model, kb.with_schema(background))
    assert [node.label for node in found.column(0)] == ["p", "q", "b"]
    assert [node.label for node in found.column(4)] == ["p", "q"]
    assert ("in b", "encoder-1-1") in {(edge.source, edge.target) for edge in found.edges}
