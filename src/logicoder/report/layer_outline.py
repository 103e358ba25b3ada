"""The architecture in lines, for narrow screens: each predicate, what it comes from, and by which clauses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from logicoder.report.layer_graph import Graph, Node
from logicoder.report.markup import Markup, element

_PARTS = ((2, "Latent predicates"), (4, "Facts again"))
"""The columns that something leads to, and what they are called here."""


def outline_of(graph: Graph, links: Mapping[str, str]) -> Markup:
    """Return what the picture of a graph shows, as lists.

    Args:
        graph: the graph.
        links: where on a page the members of nodes are told of.
    """
    nodes = {node.key: node for node in graph.nodes}
    parts: list[Markup] = []
    for column, heading in _PARTS:
        items = [_item(graph, nodes, node, links) for node in graph.column(column)]
        if items:
            parts += [element("h4", heading), element("ul", items)]
    return element("div", parts, class_="outline")


def _item(graph: Graph, nodes: Mapping[str, Node], node: Node, links: Mapping[str, str]) -> Markup:
    """Return a predicate with what leads to it: clauses with what they read, or the facts themselves."""
    sources = [nodes[edge.source] for edge in graph.edges if edge.target == node.key]
    told = [element("li", _named(source, links)) for source in sources if source.column % 2]
    kept = [source for source in sources if not source.column % 2]
    if kept:
        told.append(element("li", "kept: ", list(_separated(kept, links))))
    return element("li", _named(node, links), element("ul", told or [element("li", "nothing")]))


def _separated(nodes: list[Node], links: Mapping[str, str]) -> Iterator[object]:
    for number, node in enumerate(nodes):
        yield from (", ", _named(node, links)) if number else (_named(node, links),)


def _named(node: Node, links: Mapping[str, str]) -> Markup:
    href = next((links[member] for member in node.members if member in links), None)
    text = element("code", node.label)
    named = element("a", text, href=f"#{href}") if href else text
    return element("span", named, " ", element("span", f"{node.facts:,}", class_="number"))
