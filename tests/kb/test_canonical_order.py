"""The order of data rests on the facts alone."""

from __future__ import annotations

import random

import pytest

from logicoder import KnowledgeBase
from logicoder.kb import canonical_order
from logicoder.kb.canonical_order import in_canonical_order


def texts(kb: KnowledgeBase) -> tuple[list[str], list[str]]:
    return list(kb.symbols), [str(fact) for fact in kb]


@pytest.mark.parametrize("seed", range(5))
def test_tables_are_coloured_alike_alone_and_together(seed, monkeypatch):
    drawn = random.Random(seed)  # noqa: S311
    facts = [(f"p{n % 3}_{n % 5}", *drawn.choices("abcdefgh", k=n % 3)) for n in range(60)]
    kb = KnowledgeBase.from_facts(facts)
    together = texts(in_canonical_order(kb))
    for most in (0, 3):
        monkeypatch.setattr(canonical_order, "_SMALL", most)
        assert texts(in_canonical_order(kb)) == together
    drawn.shuffle(facts)
    assert texts(in_canonical_order(KnowledgeBase.from_facts(facts))) == together
