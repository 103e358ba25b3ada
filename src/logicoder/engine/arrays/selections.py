"""Selections: relations with constants of small types in some places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

import numpy as np

from logicoder.base.sorted_keys import distinct
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.relation import Relation
from logicoder.engine.interface import WORLD
from logicoder.kb.knowledge_base import KnowledgeBase


def selected(database: Database, relation: Relation, constants: Sequence[str | None]) -> Relation:
    """Return the tuples of a relation with constants in some places, without these places."""
    keep = np.ones(len(relation), np.bool_)
    for kind, column, constant in zip(relation.types, relation.columns, constants, strict=True):
        if constant is not None:
            keep &= database.is_constant(kind, column, constant)
    open_places = [i for i, constant in enumerate(constants) if constant is None]
    return Relation(
        tuple(relation.types[i] for i in open_places), tuple(relation.columns[i][keep] for i in open_places)
    )


def with_constants(
    database: Database, relation: Relation, most: int
) -> Iterator[tuple[tuple[str | None, ...], Relation]]:
    """Return the non-empty selections of a relation by constants of small types.

    Args:
        database: the data.
        relation: the relation.
        most: greatest number of constants of a small type.
    """
    small = [place for place, kind in enumerate(relation.types) if _is_small(database, kind, most)]
    present = {place: _constants_in(database, relation, place) for place in small}
    for count in range(1, min(len(small), relation.arity - 1) + 1):
        for places in combinations(small, count):
            for choice in product(*(present[place] for place in places)):
                named = dict(zip(places, choice, strict=True))
                constants = tuple(named.get(place) for place in range(relation.arity))
                part = selected(database, relation, constants)
                if len(part):
                    yield constants, part


def _is_small(database: Database, kind: int, most: int) -> bool:
    """Whether a type has at most so many constants, over all interpretations."""
    return kind != database.types[WORLD] and len(distinct(database.symbol_of[kind])) <= most


def database_with_constants(kb: KnowledgeBase, most: int) -> Database:
    """Return the database of some data in which constants of small types exist in every world.

    A head such as `likes(X,red)` holds its constant wherever it is derived, also in a world whose facts do
    not mention it.
    """
    plain = Database(kb)
    if not most:
        return plain
    return Database(
        kb,
        [
            (name, plain.symbols[symbol])
            for name, kind in plain.types.items()
            if _is_small(plain, kind, most)
            for symbol in distinct(plain.symbol_of[kind]).tolist()
        ],
    )


def _constants_in(database: Database, relation: Relation, place: int) -> list[str]:
    """Return the constants in one column of a relation, sorted."""
    symbols = distinct(database.symbol_of[relation.types[place]][relation.columns[place]])
    return sorted(database.symbols[i] for i in symbols.tolist())
