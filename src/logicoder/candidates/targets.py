"""Targets: what decoder clauses are to rebuild, head by head, with the atoms that count for and against."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from logicoder.engine.database import Database
from logicoder.engine.relation import Column


@dataclass(frozen=True, eq=False)
class Target:
    """A head such as `p(X,Y)` or `p(X,X)`, over head variables whose types ascend.

    Attributes:
        predicate: index of the input predicate.
        arguments: for each argument of the predicate its head variable.
        types: types of the head variables.
        facts: true atoms that have the form of the head, as columns over the head variables.
        other: unknown atoms of a closed predicate, or the explicit negatives of an open one.
        open_world: whether only explicit negatives are false.
    """

    predicate: int
    arguments: tuple[int, ...]
    types: tuple[int, ...]
    facts: tuple[Column, ...]
    other: tuple[Column, ...]
    open_world: bool

    def false_counts(self, sizes: np.ndarray, true: np.ndarray, other: np.ndarray) -> np.ndarray:
        """Return how many false atoms there are among `sizes` derived ones."""
        return other if self.open_world else sizes - true - other


def targets_of(database: Database, predicates: Sequence[str]) -> dict[tuple[int, ...], list[Target]]:
    """Return all heads that some fact has the form of, grouped by the types of their variables."""
    found: dict[tuple[int, ...], list[Target]] = {}
    for index, name in enumerate(predicates):
        facts = database.relation(name)
        open_world = database.kb.schema[name].open_world
        other = database.relation(name, "false" if open_world else "unknown")
        for pattern in equalities(facts.types):
            target = _target(index, pattern, facts.types, facts.columns, other.columns, open_world)
            if len(target.facts[0]):
                found.setdefault(target.types, []).append(target)
    return dict(sorted(found.items()))


def equalities(types: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Return the ways in which arguments of equal type may be the same variable, as numbers by argument.

    >>> list(equalities([0, 0]))
    [(0, 1), (0, 0)]
    """

    def grow(prefix: tuple[int, ...], kinds: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(prefix) == len(types):
            yield prefix
            return
        kind = types[len(prefix)]
        yield from grow((*prefix, len(kinds)), (*kinds, kind))
        for variable, other in enumerate(kinds):
            if other == kind:
                yield from grow((*prefix, variable), kinds)

    yield from grow((), ())


def _target(
    index: int,
    pattern: tuple[int, ...],
    types: tuple[int, ...],
    facts: tuple[Column, ...],
    other: tuple[Column, ...],
    open_world: bool,
) -> Target:
    first = {variable: position for position, variable in reversed(list(enumerate(pattern)))}
    ordered = sorted(first, key=lambda v: (types[first[v]], v))
    rename = {variable: number for number, variable in enumerate(ordered)}
    return Target(
        index,
        tuple(rename[v] for v in pattern),
        tuple(types[first[v]] for v in ordered),
        _restricted(pattern, first, ordered, facts),
        _restricted(pattern, first, ordered, other),
        open_world,
    )


def _restricted(
    pattern: tuple[int, ...], first: dict[int, int], ordered: Sequence[int], columns: tuple[Column, ...]
) -> tuple[Column, ...]:
    keep = np.ones(len(columns[0]), np.bool_)
    for position, variable in enumerate(pattern):
        if first[variable] != position:
            keep &= columns[first[variable]] == columns[position]
    return tuple(columns[first[v]][keep] for v in ordered)
