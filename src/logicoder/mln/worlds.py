"""Worlds: the interpretations of a knowledge base over the constants that exist in each of them.

Markov logic counts groundings, so the constants of a type matter even where no fact mentions them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import prod

import numpy as np

from logicoder.base.errors import UsageError
from logicoder.kb.knowledge_base import TRUTHS, KnowledgeBase, Truth
from logicoder.kb.schema import Schema


@dataclass(frozen=True, eq=False)
class World:
    """One interpretation: the constants of each type, and the true atoms of each predicate.

    Attributes:
        name: the name of the interpretation.
        schema: the predicates.
        domains: the symbols of each type, sorted; a constant is its position among them.
        relations: the true atoms of each predicate, a row of constants each, distinct and sorted.
        negatives: in the same way the atoms that are explicitly false.
        unknown: in the same way the atoms that are explicitly unknown.
    """

    name: str
    schema: Schema
    domains: Mapping[str, tuple[str, ...]]
    relations: Mapping[str, np.ndarray]
    negatives: Mapping[str, np.ndarray] = field(default_factory=dict)
    unknown: Mapping[str, np.ndarray] = field(default_factory=dict)

    def shape(self, predicate: str) -> tuple[int, ...]:
        """Return how many constants each argument of a predicate ranges over."""
        return tuple(len(self.domains[kind]) for kind in self.schema[predicate].types)

    def groundings(self, predicate: str) -> int:
        """Return the number of ground atoms of a predicate."""
        return prod(self.shape(predicate))

    def numbers(self, predicate: str, truth: Truth = "true") -> np.ndarray:
        """Return the true atoms as sorted numbers: constants read as digits, the last argument the lowest.

        Args:
            predicate: the predicate.
            truth: `false` or `unknown` for the atoms that are explicitly so instead.
        """
        atoms = {"true": self.relations, "false": self.negatives, "unknown": self.unknown}[truth]
        relation, shape = atoms.get(predicate), self.shape(predicate)
        if relation is None or not shape:
            return np.zeros(0 if relation is None else len(relation), np.int64)
        return np.asarray(np.ravel_multi_index(tuple(relation.T.astype(np.int64)), shape), np.int64)


def worlds_of(kb: KnowledgeBase, domains: Mapping[str, Sequence[str]] | None = None) -> list[World]:
    """Return one world per interpretation.

    The constants of a type are those that occur in the interpretation (in true, false or unknown atoms),
    those that the schema declares, and those given.

    >>> kb = KnowledgeBase.from_facts([("friends", "anna", "bob"), ("smokes", "anna")])
    >>> [world] = worlds_of(kb)
    >>> world.groundings("friends"), world.numbers("friends").tolist()
    (4, [1])
    """
    for kind in domains or {}:
        if kind not in kb.schema.types():
            raise UsageError(f"there is no type {kind}; choose from: {', '.join(kb.schema.types())}")
    return [_world(part, domains or {}) for part in kb.split()]


def _world(kb: KnowledgeBase, further: Mapping[str, Sequence[str]]) -> World:
    known: dict[str, set[str]] = {
        kind: {*kb.schema.domains.get(kind, ()), *further.get(kind, ())} for kind in kb.schema.types()
    }
    for name, predicate in kb.schema.items():
        for truth in TRUTHS:
            arguments = kb.table(name, truth).arguments
            for column, kind in enumerate(predicate.types):
                known[kind].update(kb.symbols[i] for i in np.unique(arguments[:, column]).tolist())
    domains = {kind: tuple(sorted(symbols)) for kind, symbols in known.items()}
    places: dict[str, np.ndarray] = {}
    ids = {symbol: i for i, symbol in enumerate(kb.symbols)}
    for kind, symbols in domains.items():
        places[kind] = np.full(len(kb.symbols), -1, np.int32)
        for place, symbol in enumerate(symbols):
            if symbol in ids:
                places[kind][ids[symbol]] = place
    relations, negatives, unknown = (_relations(kb, places, truth) for truth in TRUTHS)
    return World(kb.interpretations[0], kb.schema, domains, relations, negatives, unknown)


def _relations(kb: KnowledgeBase, places: Mapping[str, np.ndarray], truth: Truth) -> dict[str, np.ndarray]:
    """Return the atoms of each predicate that have a truth value, constants as places in their domains."""
    found = {}
    for name, predicate in kb.schema.items():
        arguments = kb.table(name, truth).arguments
        rows = np.empty(arguments.shape, np.int32)
        for column, kind in enumerate(predicate.types):
            rows[:, column] = places[kind][arguments[:, column]]
        found[name] = np.unique(rows, axis=0) if rows.size else rows[: min(1, len(rows))]
    return found
