"""Knowledge bases from triples and graphs that are Python objects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from logicoder.base.errors import InputError, UsageError, shown
from logicoder.kb.formats.incomplete_rows import tell_incomplete
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.kb.mapping.frame_source import eager_frame
from logicoder.kb.schema import Predicate, Schema

if TYPE_CHECKING:
    from logicoder.kb.given_facts import Row


def from_triples(triples: str | Path | Iterable[Any], **options: Any) -> KnowledgeBase:
    """Build a knowledge base from triples of subject, predicate and object.

    >>> print(*from_triples([("anna", "knows", "bob"), ("bob", "age", 31)]))
    knows(anna,bob) age(bob,31)

    Args:
        triples: the triples, as a list, an array, or a data frame of three columns; or the file that holds
            them. Triples with missing values are left out, with a warning.
        options: those of `KnowledgeBase.from_facts`, or of `KnowledgeBase.from_path` for a file.

    Raises:
        InputError: for what is no triple, with its number.
    """
    if isinstance(triples, str | Path):
        return KnowledgeBase.from_path(triples, format="triples", **options)
    return KnowledgeBase.from_facts(_facts(_rows(triples)), **options)


def _rows(triples: Iterable[Any]) -> Iterable[Any]:
    """Return triples row by row; a frame is a column of each part."""
    if isinstance(triples, np.ndarray):
        return list(triples.tolist())
    if not hasattr(triples, "columns"):
        return triples
    columns = list(eager_frame("of triples", triples).iter_columns())
    if len(columns) != 3:
        raise InputError(f"this frame has {len(columns)} columns", hint="a triple has three parts")
    lists = [column.to_list() for column in columns]
    missing = np.any([column.is_null().to_list() for column in columns], axis=0)
    tell_incomplete("the frame of triples", int(missing.sum()))
    return (row for row, out in zip(zip(*lists, strict=True), missing.tolist(), strict=True) if not out)


def _facts(triples: Iterable[Any]) -> Iterator[Row]:
    for number, triple in enumerate(triples, start=1):
        if not isinstance(triple, tuple | list) or len(triple) != 3:
            raise InputError(f"triple number {number} is {shown(triple)}", hint="a triple has three parts")
        subject, predicate, thing = triple
        yield predicate, subject, thing


def from_graph(
    graph: Any,
    *,
    node: str | None = "node",
    edge: str = "edge",
    relation: str | None = None,
    interpretation: str = "data",
) -> KnowledgeBase:
    """Build a knowledge base from a graph of NetworkX, or anything with the same methods.

    An edge is a fact of two nodes, in both directions where the graph is not directed. An attribute of
    nodes is a predicate of its name, `colour(node, value)`, and one of edges `edge_weight(node, node,
    value)`; attributes that are True have no value, and those that are None, NaN or False are no facts.
    Parallel edges are one fact each if something tells them apart: their keys, where these are text, or
    an attribute given as `relation`.

    Args:
        graph: the graph, directed or not, with or without parallel edges.
        node: the predicate that lists the nodes; None leaves it out.
        edge: the predicate of edges.
        relation: the attribute of edges that names their predicate instead.
        interpretation: the name of the interpretation.

    Raises:
        InputError: for an attribute that is not a constant.
        UsageError: for something that is no graph.
    """
    methods = ("nodes", "edges", "is_directed", "is_multigraph")
    if not all(hasattr(graph, method) for method in methods):
        raise UsageError(f"a {type(graph).__name__} is not a graph: it needs {', '.join(methods)}")
    facts = _Facts()
    for one, attributes in graph.nodes(data=True):
        if node is not None:
            facts.add(node, (one,), ("node",))
        facts.attributes(f"node {shown(one)}", "", (one,), attributes, {node, edge})
    several = graph.is_multigraph()
    for first, second, *key, attributes in graph.edges(data=True, **({"keys": True} if several else {})):
        name = key[0] if key and isinstance(key[0], str) else edge
        if relation is not None:
            name = attributes.get(relation, name)
            if not isinstance(name, str) or not name:
                raise InputError(
                    f"the edge from {shown(first)} to {shown(second)} is called {shown(name)}",
                    hint="the name of an edge must be text",
                )
        others = {k: v for k, v in attributes.items() if k != relation}
        pairs = (
            [(first, second)] if graph.is_directed() else dict.fromkeys([(first, second), (second, first)])
        )
        for pair in pairs:
            facts.add(name, pair, ("node", "node"))
            facts.attributes(
                f"the edge from {shown(first)} to {shown(second)}", f"{name}_", pair, others, set()
            )
    return KnowledgeBase.from_facts(
        facts.rows, schema=Schema(facts.predicates), interpretation=interpretation
    )


class _Facts:
    """Facts with the types of their predicates."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.predicates: dict[str, Predicate] = {}

    def add(self, name: str, arguments: tuple[Any, ...], types: tuple[str, ...]) -> None:
        known = self.predicates.setdefault(name, Predicate(name, types))
        if known.arity != len(types):
            raise InputError(
                f"{name} is declared as {known} and used with {len(types)} arguments",
                hint="give nodes or edges another name with node= and edge=, or rename the attribute",
            )
        self.rows.append((name, *arguments))

    def attributes(
        self,
        where: str,
        start: str,
        arguments: tuple[Any, ...],
        found: Mapping[Any, Any],
        taken: set[str | None],
    ) -> None:
        """Add what is said about a node or an edge."""
        types = ("node",) * len(arguments)
        for label, value in found.items():
            name = f"node_{label}" if label in taken else f"{start}{label}"
            if value is True:
                self.add(name, arguments, types)
            elif value is not None and value is not False and value == value:  # noqa: PLR0124  (NaN differs)
                if isinstance(value, list | tuple | set | dict):
                    raise InputError(
                        f"{where}: the attribute {label} is a {type(value).__name__}, not a value"
                    )
                self.add(name, (*arguments, value), (*types, str(label)))
