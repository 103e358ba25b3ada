"""How much work putting data into order may be."""

from __future__ import annotations

import pytest

from logicoder import KnowledgeBase
from logicoder.kb import canonical_order


def test_many_predicates_count_as_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twins in each of many predicates: to tell one pair apart, all facts are coloured again."""
    times = 0
    once = canonical_order._Coloured._once

    def counted(self: canonical_order._Coloured) -> None:
        nonlocal times
        times += 1
        once(self)

    monkeypatch.setattr(canonical_order._Coloured, "_once", counted)
    monkeypatch.setattr(canonical_order, "_WORK", 100_000)
    kb = KnowledgeBase.from_facts([(f"p{i}", f"a{i}_{j}") for i in range(100) for j in range(2)])
    assert canonical_order.in_canonical_order(kb) == kb
    assert 2 <= times <= 6
