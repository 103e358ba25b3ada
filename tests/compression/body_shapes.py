"""Every connected shape of three literals, and data in which a predicate is defined by one."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations_with_replacement, product

Edge = tuple[str, ...]
Shape = tuple[Edge, ...]

_OTHERS = "ZUVW"
_CLUSTERS, _WIDTH = 10, 6


def shapes(head: str, literals: int = 3) -> list[Shape]:
    """All connected bodies of unary and binary literals that bind a head, up to names of other variables."""
    variables = head + _OTHERS[:literals]
    edges = [(a,) for a in variables] + [(a, b) for i, a in enumerate(variables) for b in variables[i + 1 :]]
    found: dict[tuple[Shape, ...], Shape] = {}
    for body in combinations_with_replacement(edges, literals):
        if _connected(head, body):
            found.setdefault(_canonical(head, body), body)
    return sorted(found.values())


def _connected(head: str, body: Shape) -> bool:
    reached, left = {head[0]}, list(body)
    while any(reached & set(edge) for edge in left):
        edge = next(edge for edge in left if reached & set(edge))
        reached |= set(edge)
        left.remove(edge)
    return not left and set(head) <= reached


def _canonical(head: str, body: Shape) -> tuple[Shape, ...]:
    others = sorted({v for edge in body for v in edge} - set(head))
    names = _OTHERS[: len(others)]
    options = []
    for order in product(names, repeat=len(others)):
        if len(set(order)) == len(others):
            name = dict(zip(others, order, strict=True)) | {v: v for v in head}
            options.append(tuple(sorted(tuple(sorted(name[v] for v in edge)) for edge in body)))
    return (min(options),)


def planted(shape: Shape, head: str, seed: int) -> tuple[set[tuple[str, ...]], set[tuple[str, ...]]]:
    """Random relations `a`, `b`, `c` and others, and the facts of `p` that follow from the first three."""
    rng = random.Random(seed)  # noqa: S311
    number = _CLUSTERS if len(head) == 2 else 4 * _CLUSTERS
    clusters = [[f"e{c}_{i}" for i in range(_WIDTH)] for c in range(number)]

    def relation(name: str, arity: int) -> set[tuple[str, ...]]:
        if arity == 1:
            return {(name, x) for own in clusters for x in own if rng.random() < 0.5}
        pairs = (pair for own in clusters for pair in product(own, own))
        return {(name, *pair) for pair in pairs if rng.random() < 0.3}

    known = [relation(name, len(edge)) for name, edge in zip("abc", shape, strict=True)]
    facts = set().union(*known, relation("other", 2), relation("another", 2), relation("some", 1))
    rows: list[dict[str, str]] = [{}]
    for edge, own in zip(shape, known, strict=True):
        rows = list(_joined(rows, edge, own))
    return facts, {("p", *(row[v] for v in head)) for row in rows}


def _joined(rows: list[dict[str, str]], edge: Edge, facts: set[tuple[str, ...]]) -> Iterator[dict[str, str]]:
    """Look facts up by the variables that rows and edge share: all rows have values of the same variables."""
    shared = [i for i, v in enumerate(edge) if v in rows[0]] if rows else []
    matching = defaultdict(list)
    for _, *values in facts:
        matching[tuple(values[i] for i in shared)].append(values)
    for row in rows:
        for values in matching.get(tuple(row[edge[i]] for i in shared), ()):
            yield row | dict(zip(edge, values, strict=True))
