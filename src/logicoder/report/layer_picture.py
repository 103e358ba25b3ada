"""The architecture as a picture: where nodes and edges lie, and the SVG of it for a page."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from logicoder.base.palette import INK, INPUT, LATENT, LINE, QUIET, tinted
from logicoder.report.layer_graph import COLUMNS, Graph, Node, in_order
from logicoder.report.markup import Markup, element

LETTER = 7.1
"""Width of a letter of the labels."""

HEIGHT, GAP, TOP, EDGE_WIDTH = 24.0, 8.0, 30.0, 13.0
NARROW, APART = 40.0, 84.0
"""What lies between columns, at least and at most."""

LONGEST = (20, 30, 24, 34, 20)
"""Letters that a label of each column has at most, where there is no room for more."""

LEAST = range(22, 13, -1)
"""Letters that clauses have at least: as many as leave room for the whole names of predicates."""

ROOM = 1150.0
"""The width of a picture that a page shows as it is; wider ones are scaled down."""

_STYLE = f"""
text {{ font: 11.5px "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: {INK}; }}
.column {{ font: 600 12px "DejaVu Sans", Helvetica, Arial, sans-serif; fill: {QUIET}; }}
.number {{ font: 11px "DejaVu Sans", Helvetica, Arial, sans-serif; fill: {QUIET}; }}
.edge {{ fill: none; stroke: {LINE}; opacity: .7; }}
.node rect {{ fill: white; stroke: {QUIET}; }}
.input rect, .output rect {{ fill: {tinted(INPUT)}; stroke: {INPUT}; }}
.latent rect {{ fill: {tinted(LATENT)}; stroke: {LATENT}; }}
"""


@dataclass(frozen=True)
class Box:
    """Where a node lies, and as much of its label as there is room for."""

    node: Node
    x: float
    y: float
    width: float
    label: str


@dataclass(frozen=True)
class Drawing:
    """Boxes by the keys of their nodes, the places of the columns, and the size of it all."""

    graph: Graph
    boxes: Mapping[str, Box]
    columns: tuple[tuple[float, str], ...]
    width: float
    height: float

    def stroke(self, facts: int) -> float:
        """Return the width of an edge: it grows with the square root of the facts, so that few are seen."""
        most = max((edge.facts for edge in self.graph.edges), default=1)
        return 1.0 + (EDGE_WIDTH - 1.0) * math.sqrt(facts / max(1, most))


def drawing_of(graph: Graph) -> Drawing:
    """Lay a graph out, each column in its middle."""
    columns = in_order(graph)
    tallest = max(map(len, columns), default=1) * (HEIGHT + GAP) - GAP
    boxes: dict[str, Box] = {}
    heads = []
    x = 1.0
    letters = _letters(columns)
    widths = [_width(number, own) for number, own in enumerate(letters)]
    apart = min(APART, max(NARROW, (ROOM - 2 - sum(widths)) / max(1, sum(map(bool, columns)) - 1)))
    for number, (column, width) in enumerate(zip(columns, widths, strict=True)):
        if not column:  # where all is kept as it is, there are no clauses of an encoder
            continue
        y = TOP + (tallest - (len(column) * (HEIGHT + GAP) - GAP)) / 2
        for node in column:
            boxes[node.key] = Box(node, x, y, width, shortened(node.label, letters[number]))
            y += HEIGHT + GAP
        heads.append((x, COLUMNS[number]))
        x += width + apart
    return Drawing(graph, boxes, tuple(heads), max(x - apart + 1, HEIGHT), TOP + max(tallest, HEIGHT) + 8)


def _letters(columns: Sequence[Sequence[Node]]) -> list[int]:
    """Return how many letters labels of each column may have: all, as far as there is room."""
    wanted = [max((len(node.label) for node in column), default=0) for column in columns]
    between = NARROW * max(0, sum(map(bool, columns)) - 1)
    letters = [min(own, most) for own, most in zip(wanted, LONGEST, strict=True)]
    for least in LEAST:
        whole = [min(own, least) if number % 2 else own for number, own in enumerate(wanted)]
        if sum(_width(i, own) for i, own in enumerate(whole)) + between <= ROOM - 2:
            letters = whole
            break
    room = ROOM - 2 - sum(_width(i, own) for i, own in enumerate(letters)) - between
    # The names that lack least come first, so that as many as possible are whole.
    for number in sorted(range(len(columns)), key=lambda i: (wanted[i] - letters[i], i)):
        before = _width(number, letters[number])
        while letters[number] < wanted[number] and _width(number, letters[number] + 1) - before <= room:
            letters[number] += 1
        room -= _width(number, letters[number]) - before
    return letters


def _width(column: int, letters: int) -> float:
    """Return the width of a column whose labels have so many letters, and of the numbers beside them."""
    return max(len(COLUMNS[column]), letters + 6) * LETTER + 12 if letters else 0.0


def curve(start: Box, end: Box) -> tuple[tuple[float, float], ...]:
    """Return the four points of the curve between two boxes."""
    left, right = start.x + start.width, end.x
    if right < left:  # a latent that another latent's clause reads: the edge runs back
        left, right = start.x, end.x + end.width
    middle = (left + right) / 2
    first, last = start.y + HEIGHT / 2, end.y + HEIGHT / 2
    return (left, first), (middle, first), (middle, last), (right, last)


def shortened(text: str, most: int) -> str:
    """Return a text, or its start if it is long.

    >>> shortened("father_or_mother", 10)
    'father_or…'
    """
    return text if len(text) <= most else text[: most - 1] + "…"


def svg_of(graph: Graph, name: str, links: Mapping[str, str] | None = None) -> Markup:
    """Return the picture of a graph.

    Args:
        graph: the graph.
        name: what the picture shows, in words.
        links: where on a page the members of nodes are told of: each node is a link that a keyboard can
            reach, and colours are those of the page. Without them the picture stands alone, in its own.
    """
    drawing = drawing_of(graph)
    width, height = round(drawing.width), round(drawing.height)
    places = {key: str(number) for number, key in enumerate(drawing.boxes)}
    edges = [
        element(
            "path",
            d=_path(curve(drawing.boxes[edge.source], drawing.boxes[edge.target])),
            class_="edge",
            stroke_width=drawing.stroke(edge.facts),
            data_from=places[edge.source] if links else None,
            data_to=places[edge.target] if links else None,
        )
        for edge in sorted(graph.edges, key=lambda e: -e.facts)
    ]
    own = [element("style", Markup(_STYLE)), element("rect", width=width, height=height, fill="white")]
    return element(
        "svg",
        [] if links else own,
        [element("text", text, x=x, y=14, class_="column") for x, text in drawing.columns],
        element("g", edges, class_="edges", aria_hidden="true"),
        [_box(box, places[key], links or {}) for key, box in drawing.boxes.items()],
        xmlns="http://www.w3.org/2000/svg",
        class_="architecture",
        role="group",
        aria_label=name,
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
    )


def _path(points: tuple[tuple[float, float], ...]) -> str:
    start, *others = (f"{x:.1f} {y:.1f}" for x, y in points)
    return f"M{start}C{' '.join(others)}"


def _box(box: Box, place: str, links: Mapping[str, str]) -> Markup:
    node = box.node
    href = next((links[member] for member in node.members if member in links), None)
    return element(
        "a" if links else "g",
        element("title", node.title),
        element("rect", x=box.x, y=box.y, width=box.width, height=HEIGHT, rx=5),
        element("text", box.label, x=box.x + 8, y=box.y + 16, class_="label"),
        element(
            "text",
            f"{node.facts:,}",
            x=box.x + box.width - 8,
            y=box.y + 16,
            class_="number",
            text_anchor="end",
        ),
        href=f"#{href}" if href else None,
        class_=f"node {node.kind}",
        data_node=place if links else None,
        data_column=node.column if links else None,
    )
