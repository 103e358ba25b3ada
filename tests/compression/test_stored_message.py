"""A plan comes to the same on stored data as in memory: counts, costs and bits of every predicate."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from tests.compression import worlds
from tests.engine.random_programs import REPEATABLE

from logicoder import AutoEncoder, KnowledgeBase
from logicoder.compression.goals import Bits
from logicoder.compression.measured_plan import measured
from logicoder.compression.message import Message
from logicoder.compression.stored_message import StoredMessage
from logicoder.engine.sql.duckdb_session import DuckdbSession
from logicoder.engine.sql.stored_data import StoredData


def agrees(plan, kb):
    message = Message.of(plan, kb)
    choices, _ = measured(message, Bits(message.code))
    with StoredData.of(kb, DuckdbSession()) as data:
        stored = StoredMessage(plan, data, kb.schema)
        assert stored.plain_bits == pytest.approx(message.plain_bits)
        assert stored.bits == pytest.approx(message.bits)
        assert list(stored.choices) == list(choices)
        for name, choice in choices.items():
            own = stored.choices[name]
            assert own.cost == pytest.approx(choice.cost)
            assert own.closure == choice.closure
            assert [(x.derived, x.true) for x in own.layers] == [(x.derived, x.true) for x in choice.layers]


@settings(REPEATABLE, max_examples=8)
@given(worlds.knowledge_bases())
def test_random_data(kb):
    agrees(AutoEncoder(effort=3).fit(kb).plan_, kb)


def test_other_data_than_those_that_were_learned_from():
    facts = worlds.family(4, families=3)
    plan = AutoEncoder(effort=10).fit(worlds.shuffled(facts, 1)).plan_
    assert any(step.layers for step in plan)
    others = worlds.family(5, families=3) | {("odd", "p1"), ("odd", "p2")}
    agrees(plan, worlds.shuffled({row for row in others if row[0] != "grandfather"}, 2))


def test_what_goes_on_along_another_relation():
    tree = [(f"c{i}", f"c{(i - 1) // 2}") for i in range(1, 30)]
    above = dict(tree)
    facts = [("subclass", child, parent) for child, parent in tree]
    for number in range(60):
        kind = f"c{(number * 7) % 30}"
        while kind:
            facts.append(("type", f"x{number}", kind))
            kind = above.get(kind)
    kb = KnowledgeBase.from_facts(facts)
    plan = AutoEncoder().fit(kb).plan_
    assert any(step.recursion for step in plan)
    agrees(plan, kb)
