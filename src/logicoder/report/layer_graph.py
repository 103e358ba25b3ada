"""The architecture of a layer as a graph in five columns: facts, encoder, latents, decoder, facts again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from logicoder.logic.symbols import atom_text
from logicoder.logic.terms import Clause
from logicoder.report.clause_evidence import ClauseEvidence, LayerEvidence

MOST_NODES = 48
"""Columns of more nodes are shown in groups."""

COLUMNS = ("facts", "encoder clauses", "latent predicates", "decoder clauses", "facts again")
KINDS = ("input", "encoder", "latent", "decoder", "output")


@dataclass(frozen=True)
class Node:
    """A predicate, a clause, or a group of them.

    Attributes:
        key: what edges call it.
        column: from 0 to 4.
        label: a short text.
        title: the whole text, for who asks.
        facts: how many facts it stands for.
        members: the keys of clauses and predicates in it.
    """

    key: str
    column: int
    label: str
    title: str
    facts: int
    members: tuple[str, ...]

    @property
    def kind(self) -> str:
        """What it is, for its colour."""
        return KINDS[self.column]


@dataclass(frozen=True)
class Edge:
    """A connection, and the facts that flow along it."""

    source: str
    target: str
    facts: int


@dataclass(frozen=True)
class Graph:
    """Nodes and edges from left to right."""

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    grouped: bool = field(default=False, compare=False)

    def column(self, number: int) -> list[Node]:
        """Return the nodes of one column."""
        return [node for node in self.nodes if node.column == number]

    def leading_to(self, keys: Iterable[str]) -> Graph:
        """Return the part of the graph from which some nodes can be reached, these included."""
        wanted = set(keys)
        for column in range(len(COLUMNS) - 1, 0, -1):
            targets = {node.key for node in self.column(column)} & wanted
            wanted |= {edge.source for edge in self.edges if edge.target in targets}
        return Graph(
            tuple(node for node in self.nodes if node.key in wanted),
            tuple(edge for edge in self.edges if edge.source in wanted and edge.target in wanted),
            self.grouped,
        )


def body_text(clause: Clause) -> str:
    """Return the body of a clause as it is written."""
    return str(clause).partition(" :- ")[2].removesuffix(".") or "true"


def graph_of(layer: LayerEvidence) -> Graph:
    """Return the graph of a layer, every clause and every predicate a node of its own."""
    clauses = (*layer.encoder, *layer.decoder)
    read = {name for item in clauses for name in item.clause.body_predicates()}
    inputs = {name: facts for name, facts in layer.inputs.items() if name in read or name not in layer.given}
    nodes = [_predicate("in", 0, name, facts) for name, facts in inputs.items()]
    nodes += [_clause(1, item, item.derived) for item in layer.encoder]
    nodes += [_predicate("latent", 2, name, facts) for name, facts in layer.latents.items()]
    nodes += [_clause(3, item, item.true) for item in layer.decoder]
    wanted = [name for name, facts in inputs.items() if facts and name not in layer.given]
    outputs = {name: layer.rebuilt.get(name, 0) for name in wanted}
    outputs |= {name: facts for name, facts in layer.rebuilt.items() if name not in outputs}
    nodes += [_predicate("out", 4, name, facts) for name, facts in outputs.items()]
    edges: list[Edge] = []
    for item in layer.encoder:
        head = item.clause.head.predicate
        for name in sorted(item.clause.body_predicates()):
            if name in layer.inputs:
                edges.append(Edge(f"in {name}", item.key, layer.inputs[name]))
            elif name in layer.latents and name != head:
                edges.append(Edge(f"latent {name}", item.key, layer.latents[name]))
        edges.append(Edge(item.key, f"latent {head}", item.derived))
    for item in layer.decoder:
        for name in sorted(item.clause.body_predicates() & set(layer.latents)):
            edges.append(Edge(f"latent {name}", item.key, layer.latents[name]))
        for name in sorted(item.clause.body_predicates() & layer.given - set(layer.latents)):
            edges.append(Edge(f"in {name}", item.key, layer.inputs[name]))
        edges.append(Edge(item.key, f"out {item.clause.head.predicate}", item.true))
    for name, relation in layer.kept.items():
        edges.append(Edge(f"in {relation}", f"latent {name}", layer.latents[name]))
        edges.append(Edge(f"latent {name}", f"out {name}", layer.latents[name]))
    known = {node.key for node in nodes}
    return Graph(tuple(nodes), tuple(e for e in edges if e.source in known and e.target in known))


def _predicate(prefix: str, column: int, name: str, facts: int) -> Node:
    title = f"{atom_text(name)}: {facts:,} {'latent facts' if column == 2 else 'facts'}"
    if column == 4:
        title = f"{atom_text(name)}: {facts:,} facts come back"
    return Node(f"{prefix} {name}", column, atom_text(name), title, facts, (f"{prefix} {name}",))


def _clause(column: int, item: ClauseEvidence, facts: int) -> Node:
    title = f"{item.clause} derives {item.derived:,} facts"
    if item.part == "decoder":
        title += f", {item.false:,} of them false"
    return Node(item.key, column, body_text(item.clause), title, facts, (item.key,))


# -- grouping -----------------------------------------------------------------------------------------


def readable(graph: Graph, most: int = MOST_NODES) -> Graph:
    """Return the graph with groups in the place of what would be too many nodes to read.

    Decoder clauses of one predicate become one node, and so do latents, with their clauses, that are defined
    by the same predicates.
    """
    home: dict[str, str] = {}
    if len(graph.column(3)) > most:
        heads = {edge.source: edge.target for edge in graph.edges if edge.target.startswith("out ")}
        home |= {node.key: f"decoder of {heads.get(node.key)}" for node in graph.column(3)}
    if max(len(graph.column(1)), len(graph.column(2))) > most:
        read: dict[str, set[str]] = {}
        made: dict[str, set[str]] = {}
        for edge in graph.edges:
            read.setdefault(edge.target, set()).add(edge.source.partition(" ")[2])
            made.setdefault(edge.target, set()).add(edge.source)
        for node in graph.column(2):
            clauses = made.get(node.key, set())
            names = sorted(set().union(*(read.get(clause, set()) for clause in clauses)))
            home[node.key] = f"latent of {', '.join(map(atom_text, names))}"
            home |= {clause: f"encoder of {', '.join(map(atom_text, names))}" for clause in clauses}
    if not home:
        return graph
    merged = _merged(graph, home)
    too_many = {
        node.key: f"other {KINDS[node.column]}"
        for column in (1, 2, 3)
        for node in sorted(merged.column(column), key=lambda n: -n.facts)[most - 1 :]
        if len(merged.column(column)) > most
    }
    return _merged(merged, too_many) if too_many else merged


def _merged(graph: Graph, home: Mapping[str, str]) -> Graph:
    groups: dict[str, list[Node]] = {}
    for node in graph.nodes:
        groups.setdefault(home.get(node.key, node.key), []).append(node)
    flows: dict[tuple[str, str], int] = {}
    for edge in graph.edges:
        pair = home.get(edge.source, edge.source), home.get(edge.target, edge.target)
        flows[pair] = flows.get(pair, 0) + edge.facts
    nodes = tuple(_group(key, members) for key, members in groups.items())
    return Graph(nodes, tuple(Edge(*pair, facts) for pair, facts in flows.items()), grouped=True)


def _group(key: str, members: Sequence[Node]) -> Node:
    first = members[0]
    if len(members) == 1:
        return Node(key, first.column, first.label, first.title, first.facts, first.members)
    every = tuple(name for node in members for name in node.members)
    facts = sum(node.facts for node in members)
    what = "latents" if first.column == 2 else "clauses"
    _, _, origin = key.partition(" of ")
    about = origin.removeprefix("out ") if origin else "others"
    label = f"{len(every)} {what}: {about}" if first.column != 3 else f"{len(every)} {what}"
    title = f"{len(every)} {what}{f' of {about}' if origin else ''}: {facts:,} facts"
    return Node(key, first.column, label, title, facts, every)


# -- order --------------------------------------------------------------------------------------------


def in_order(graph: Graph, sweeps: int = 6) -> list[list[Node]]:
    """Return the columns with their nodes in an order that lets few edges cross: each near its neighbours.

    The first and the last column keep each other's order as far as that helps: a predicate is found at about
    the same height on both sides.
    """
    columns = [graph.column(number) for number in range(len(COLUMNS))]
    neighbours: dict[str, list[str]] = {node.key: [] for node in graph.nodes}
    for edge in graph.edges:
        neighbours[edge.source].append(edge.target)
        neighbours[edge.target].append(edge.source)
    for node in graph.column(0):
        twin = f"out {node.key.removeprefix('in ')}"
        if twin in neighbours:
            neighbours[twin].append(node.key)
            neighbours[node.key].append(twin)
    for sweep in range(sweeps):
        for number in range(1, 5) if sweep % 2 == 0 else range(3, -1, -1):
            height = {
                node.key: (place + 0.5) / len(column)
                for column in columns
                for place, node in enumerate(column)
            }
            columns[number].sort(key=lambda node: (_mean(neighbours[node.key], height), height[node.key]))
    return columns


def _mean(keys: Sequence[str], height: Mapping[str, float]) -> float:
    return sum(height[key] for key in keys) / len(keys) if keys else 1.0
