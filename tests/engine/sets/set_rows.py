"""Rows, and joins of them by their definition."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from itertools import product

Entity = tuple[int, str]
"""The number of an interpretation and a constant; an interpretation itself has no constant."""
Row = tuple[Entity, ...]
Rows = frozenset[Row]
Binding = dict[int, Entity]


def mark(rows: Iterable[Row]) -> tuple[int, int]:
    """Return a fingerprint of some rows."""
    digest = hashlib.sha256(repr(sorted(rows)).encode()).digest()
    return int.from_bytes(digest[:8]), int.from_bytes(digest[8:16])


def bind(binding: Binding, arguments: Sequence[int], row: Row) -> Binding | None:
    """Return a binding with the values of a row as well; None where they contradict each other."""
    found = dict(binding)
    for argument, value in zip(arguments, row, strict=True):
        if found.setdefault(argument, value) != value:
            return None
    return found


def joined(bindings: Iterable[Binding], arguments: Sequence[int], rows: Iterable[Row]) -> list[Binding]:
    """Return every binding with every row that agrees with it."""
    found = (bind(binding, arguments, row) for binding in bindings for row in rows)
    return [binding for binding in found if binding is not None]


def projected(bindings: Iterable[Binding], variables: Sequence[int]) -> Rows:
    """Return the values of some variables."""
    return frozenset(tuple(binding[v] for v in variables) for binding in bindings)


def columns(rows: Iterable[Row], places: Sequence[int]) -> Rows:
    """Return some columns of rows."""
    return frozenset(tuple(row[i] for i in places) for row in rows)


def closed(base: Rows, step: Rows, *, left: bool = False) -> Rows:
    """Return the least relation with the base that the step leads back into, from its left or its right."""
    found: Rows = frozenset()
    fresh = base
    while fresh:
        found |= fresh
        if left:
            fresh = frozenset((x, z) for x, y in fresh for other, z in step if other == y) - found
        else:
            fresh = frozenset((x, z) for x, y in step for other, z in fresh if other == y) - found
    return found


def reduced(larger: Callable[[int, int], bool], nodes: int) -> list[tuple[int, int]]:
    """Return the pairs of an order that do not follow from others."""
    pairs = [(a, b) for a, b in product(range(nodes), repeat=2) if larger(a, b)]
    known = set(pairs)
    return [(a, b) for a, b in pairs if not any((a, c) in known and (c, b) in known for c in range(nodes))]
