"""Domains within others against plain sets."""

from __future__ import annotations

from math import comb, log2

import pytest
from hypothesis import given, settings

from compression.worlds import knowledge_bases
from logicoder import KnowledgeBase
from logicoder.base.effort import Effort
from logicoder.compression import domains
from logicoder.compression.domains import domains_of
from logicoder.compression.learned_plan import Compressor
from tiny_data import REPEATABLE


@settings(REPEATABLE, max_examples=60)
@given(knowledge_bases())
def test_the_smallest_place_that_holds_all_values_is_named(kb: KnowledgeBase) -> None:
    compressor = Compressor(kb)
    tables = compressor.tables
    spaces = compressor._heads().tried
    columns = {
        (name, place): set(column.tolist())
        for name in tables.names
        for place, column in enumerate(tables.relation(name).columns)
    }
    types = {(n, p): t for n in tables.names for p, t in enumerate(tables.relation(n).types)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(domains, "_TUPLES", 5)
        found = domains_of(tables, spaces, Effort())
    for space in spaces:
        known = frozenset(compressor.names) - {space.predicate}
        saved, taken = found.saved(space, known)
        expected = 0.0
        for place in space.places:
            values = columns[space.predicate, place]
            if space.symmetric:
                values = values | columns[space.predicate, 1]
            holders = [
                len(other)
                for key, other in columns.items()
                if key[0] != space.predicate and types[key] == space.types[place] and values <= other
            ]
            whole = log2(space.sizes[place] + 1) + log2(comb(space.sizes[place], len(values)))
            if holders:
                least = min(holders)
                part = log2(least + 1) + log2(comb(least, len(values))) + log2(len(columns))
                expected += max(0.0, whole - part)
        assert saved == pytest.approx(expected, abs=1e-6)
        assert all(columns[space.predicate, place] <= columns[name, at] for place, name, at in taken)
