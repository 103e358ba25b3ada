"""Domains named within others: which places hold all values of a place, and what that saves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log2

import numpy as np

from logicoder.compression.code import set_bits
from logicoder.engine.arrays.rules.rule_tables import Column, RuleTables, sparse_rows
from logicoder.engine.arrays.rules.spaces import Space

Taken = tuple[tuple[int, str, int], ...]
"""Where domains are taken from: place, predicate and its place."""


@dataclass(frozen=True)
class Domains:
    """Cheaper names for domains: within the values of a place of another predicate that hold all of them.

    Attributes:
        within: by predicate, place, and whether both places have one domain: predicates, places and
            numbers of values, smallest first.
        places: number of places that can be named.
    """

    within: Mapping[tuple[str, int, bool], Sequence[tuple[str, int, int]]]
    places: int

    def saved(self, space: Space, known: frozenset[str]) -> tuple[float, Taken]:
        """Return the bits saved, and where each domain is taken from."""
        total, chosen = 0.0, []
        for place, (values, size) in zip(space.places, space.domains, strict=True):
            full = float(set_bits(size, values))
            for predicate, column, other in self.within.get((space.predicate, place, space.symmetric), ()):
                if predicate in known:
                    saved = full - float(set_bits(other, values)) - log2(self.places)
                    if saved > 0:
                        total += saved
                        chosen.append((place, predicate, column))
                    break
        return total, tuple(chosen)

    def mentions(self, space: Space) -> Iterable[str]:
        """Return all predicates from which domains could be taken."""
        for place in space.places:
            for predicate, _, _ in self.within.get((space.predicate, place, space.symmetric), ()):
                yield predicate


def domains_of(tables: RuleTables, spaces: Sequence[Space]) -> Domains:
    """Return which places hold all values of which others."""
    within: dict[tuple[str, int, bool], list[tuple[str, int, int]]] = {}
    for kind in sorted({column.kind for column in tables.columns}):
        own = [column for column in tables.columns if column.kind == kind]
        asked = [
            (space, place, np.flatnonzero(mask))
            for space in spaces
            for place, mask in enumerate(space.masks)
            if mask is not None and place in space.places and space.types[place] == kind
        ]
        size = tables.database.sizes[kind]
        held = sparse_rows([column.values for column in own], size)
        common = (sparse_rows([values for _, _, values in asked], size) @ held.T).tocsr()
        for number, (space, place, values) in enumerate(asked):
            row = slice(common.indptr[number], common.indptr[number + 1])
            whole = common.indices[row][common.data[row] >= len(values) - 0.5]
            others = [own[i] for i in whole.tolist() if own[i].predicate != space.predicate]
            within[space.predicate, place, space.symmetric] = sorted(map(_entry, others), key=_by_size)
    return Domains(within, len(tables.columns))


def _entry(column: Column) -> tuple[str, int, int]:
    return column.predicate, column.column, len(column.values)


def _by_size(entry: tuple[str, int, int]) -> tuple[int, str, int]:
    return entry[2], entry[0], entry[1]
