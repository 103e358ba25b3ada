"""Domains named within others: which places hold all values of a place, and what that saves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from math import log2

import numpy as np

from logicoder.base.effort import Effort
from logicoder.compression.code import set_bits
from logicoder.engine.arrays.rules.rule_tables import Column, RuleTables, sparse_rows
from logicoder.engine.arrays.rules.spaces import Space

Taken = tuple[tuple[int, str, int], ...]
"""Where domains are taken from: place, predicate and its place."""


_MOST = 32
"""Places of others, the smallest first, that are remembered for each place."""

_TUPLES = 2_000_000
"""Common values that are counted at once."""


@dataclass(frozen=True)
class Domains:
    """Cheaper names for domains: within the values of a place of another predicate that hold all of them.

    Attributes:
        within: by predicate, place, and whether both places have one domain: predicates and places, and what
            taking the domain from there saves, most first.
    """

    within: Mapping[tuple[str, int, bool], Sequence[tuple[str, int, float]]]

    def saved(self, space: Space, known: Set[str]) -> tuple[float, Taken]:
        """Return the bits saved, and where each domain is taken from."""
        total, chosen = 0.0, []
        for place in space.places:
            for predicate, column, saved in self.within.get((space.predicate, place, space.symmetric), ()):
                if predicate in known:
                    total += saved
                    chosen.append((place, predicate, column))
                    break
        return total, tuple(chosen)

    def mentions(self, space: Space) -> Iterable[str]:
        """Return all predicates from which domains could be taken."""
        for place in space.places:
            for predicate, _, _ in self.within.get((space.predicate, place, space.symmetric), ()):
                yield predicate


def domains_of(tables: RuleTables, spaces: Sequence[Space], effort: Effort) -> Domains:
    """Return which places hold all values of which others, and what that saves."""
    within: dict[tuple[str, int, bool], list[tuple[str, int, float]]] = {}
    by_type: dict[int, list[Column]] = {}
    for column in tables.columns:
        by_type.setdefault(column.kind, []).append(column)
    name = log2(max(1, sum(predicate.arity for predicate in tables.database.kb.schema.values())))
    for kind, own in sorted(by_type.items()):
        asked = [
            (space, place, np.flatnonzero(mask))
            for space in spaces
            for place, mask in enumerate(space.masks)
            if mask is not None and place in space.places and space.types[place] == kind
        ]
        if not asked:
            continue
        size = tables.database.sizes[kind]
        # Sorted by size, the first places that hold all values are the cheapest names.
        own.sort(key=lambda column: (len(column.values), column.predicate, column.column))
        sizes = np.array([len(column.values) for column in own])
        holders = sparse_rows([column.values for column in own], size).T.tocsr()
        times = np.diff(holders.indptr)
        work = np.array([int(times[values].sum()) for _, _, values in asked])
        # Many places at once, as long as what they have in common is not too much.
        for part in np.split(np.arange(len(asked)), _breaks(work)):
            some = [asked[i] for i in part.tolist()]
            if not effort.spend(min(int(work[part].sum()), effort.largest)):
                continue
            common = (sparse_rows([values for _, _, values in some], size) @ holders).tocsr()
            common.sort_indices()
            for number, (space, place, values) in enumerate(some):
                row = slice(common.indptr[number], common.indptr[number + 1])
                whole = common.indices[row][common.data[row] >= len(values) - 0.5]
                others = [i for i in whole.tolist() if own[i].predicate != space.predicate][:_MOST]
                saved = set_bits(size, len(values)) - set_bits(sizes[others], len(values)) - name
                within[space.predicate, place, space.symmetric] = [
                    (own[i].predicate, own[i].column, bits)
                    for i, bits in zip(others, saved.tolist(), strict=True)
                    if bits > 0
                ]
    return Domains(within)


def _breaks(work: np.ndarray) -> np.ndarray:
    """Return where to begin anew so that parts of a list have little work, single ones aside."""
    return np.flatnonzero(np.diff(np.cumsum(work) // _TUPLES)) + 1
