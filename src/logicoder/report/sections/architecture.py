"""The architecture: a picture of each layer, whole and by predicate."""

from __future__ import annotations

from collections.abc import Mapping

from logicoder.logic.symbols import atom_text
from logicoder.report.clause_evidence import LayerEvidence
from logicoder.report.content import Content
from logicoder.report.layer_graph import graph_of, readable
from logicoder.report.layer_outline import outline_of
from logicoder.report.layer_picture import svg_of
from logicoder.report.markup import Markup, element
from logicoder.report.sections.frame import section


def architecture(content: Content) -> Markup:
    """Return the picture of each layer, whole and by predicate."""
    several = len(content.layers) > 1
    parts: list[object] = [
        element(
            "p",
            "Read from left to right: facts, the clauses that read them, the latent predicates these "
            "define, the clauses that read those, and the facts again. Numbers are facts; the more of them, "
            "the wider a line. Point at a node, or move to it with tab and the arrow keys, to light its "
            "path; a click, or enter, leads to its clause or its row.",
            class_="note wide-only",
        ),
        element(
            "p",
            "What leads to each predicate: clauses, or what is kept. Numbers are facts.",
            class_="note narrow-only",
        ),
    ]
    for number_, layer in enumerate(content.layers, start=1):
        if several:
            parts.append(element("h3", f"Layer {number_}"))
        parts.append(_pictures(layer, number_, links_of(content)))
    return section("architecture", "Architecture", parts)


def _pictures(layer: LayerEvidence, place: int, links: Mapping[str, str]) -> Markup:
    graph = graph_of(layer)
    whole = readable(graph)
    names = [node.key.removeprefix("out ") for node in graph.column(4) if node.facts]
    shown = [_picture("", svg_of(whole, "Architecture of the whole program", links), hidden=False)]
    options = [element("option", "the whole program", value="")]
    for index, name in enumerate(sorted(names)):
        part = readable(graph.leading_to([f"out {name}"]))
        text = f"how {atom_text(name)} comes back"
        options.append(element("option", text, value=index))
        shown.append(_picture(str(index), svg_of(part, f"Architecture: {text}", links), hidden=True))
    grouped = None
    if whole.grouped:
        grouped = element(
            "p",
            "The program is large: clauses of the same predicates are drawn as groups. Choose a predicate to "
            "see its own clauses.",
            class_="note wide-only",
        )
    choice = element(
        "div",
        element("label", "Show", element("select", options, id=f"picture-{place}")),
        class_="controls needs-js wide-only",
    )
    outline = element("div", outline_of(graph, links), class_="narrow-only")
    return element("div", choice, grouped, shown, outline, data_pictures=True)


def _picture(value: str, svg: Markup, *, hidden: bool) -> Markup:
    return element("div", svg, class_="picture wide-only", data_picture=value, hidden=hidden)


def links_of(content: Content) -> dict[str, str]:
    """Return where on the page clauses and predicates are told of."""
    found = {
        f"{side} {score.predicate}": f"predicate-{place}"
        for place, score in enumerate(content.totals.predicates)
        for side in ("in", "out")
    }
    for layer in content.layers:
        for item in (*layer.encoder, *layer.decoder):
            found[item.key] = item.key
        for item in layer.encoder:
            for side in ("latent", "in", "out"):
                found.setdefault(f"{side} {item.clause.head.predicate}", item.key)
    return found
