"""The number of stored facts, recounted from what is said; and what each goal is for."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings

from compression.worlds import comes_back, knowledge_bases, pairs
from logicoder import KnowledgeBase
from logicoder.compression.codec import say
from logicoder.compression.goals import GOALS
from logicoder.compression.learned_plan import Compressor
from tiny_data import REPEATABLE

TIMES = settings(REPEATABLE, max_examples=40)


def recounted(compressor: Compressor, kb: KnowledgeBase) -> tuple[int, int]:
    """Stored facts by the result and by the message."""
    found = compressor.run()
    relations = {name: compressor.database.relation(name) for name in kb.predicates}
    total = 0
    for part in say(found.plan, compressor.database, relations):
        size = len(part.chosen)
        if part.role == "diagonal":
            total += min(size, 1 + part.total - size)
        elif part.role.startswith("layer"):
            total += part.total - size
        elif part.role != "turned":
            total += size
    forms = {"symmetric": 1, "transitive": 2, "equivalence": 3}
    for step in found.plan:
        total += sum(len(rule.body) for layer in step.layers for rule in layer) + forms.get(step.form, 0)
    total += sum(len(rule.body) for latent in found.latents for rule in latent.rules)
    return found.stored, total


@TIMES
@given(knowledge_bases())
@pytest.mark.parametrize("goal", GOALS)
def test_stored_facts_are_those_of_the_message(goal: str, kb: KnowledgeBase) -> None:
    stored, total = recounted(Compressor(kb, goal=goal), kb)
    assert stored == total


@TIMES
@given(knowledge_bases())
def test_few_stored_facts_come_back_too(kb: KnowledgeBase) -> None:
    compressor = Compressor(kb, goal="stored")
    found = compressor.run()
    assert comes_back(compressor, found)
    assert found.stored <= kb.size
    assert found.bound <= found.stored + 1e-6


def test_a_rule_that_is_seldom_right_saves_bits_but_no_facts() -> None:
    rng = random.Random(3)  # noqa: S311
    a = pairs("a", 60, 400, rng)
    b = {("b", x, y) for _, x, y in a if rng.random() < 0.25} | pairs("b", 60, 300, rng)
    kb = KnowledgeBase.from_facts(sorted(a | b))
    bits, stored = (Compressor(kb, goal=goal).run() for goal in GOALS)
    said = [{str(c) for step in found.plan for c in step.clauses()} for found in (bits, stored)]
    assert said[0] & {"b(X,Y) :- a(X,Y).", "a(X,Y) :- b(X,Y)."}
    assert not said[1] & {"b(X,Y) :- a(X,Y).", "a(X,Y) :- b(X,Y)."}
    assert stored.stored <= kb.size < bits.stored
    assert bits.bits < stored.bits
