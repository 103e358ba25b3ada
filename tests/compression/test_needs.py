"""What choices need: who depends on whom, and an order that meets all needs."""

from __future__ import annotations

import random
from dataclasses import replace

from compression.body_shapes import planted
from compression.worlds import comes_back
from logicoder import KnowledgeBase
from logicoder.compression.learned_plan import Compressor
from logicoder.compression.needs import in_order_of_needs, independent
from logicoder.compression.plan import Definition
from logicoder.compression.ways import Choice
from logicoder.logic.rules import Literal, Rule


def choices_of(needs: dict[str, str]) -> dict[str, Choice]:
    kb = KnowledgeBase.from_facts([("a", "x")])
    (choice,) = Compressor(kb).run().choices.values()
    return {name: replace(choice, needs=frozenset(own)) for name, own in needs.items()}


def test_needs_go_through_shorthands() -> None:
    both = Definition("ab", tuple(Rule((0,), (Literal(name, (0,)),)) for name in "ab"))
    choices = choices_of({"d": "c", "c": "", "a": "", "b": "d"})
    choices["e"] = replace(choices["a"], needs=frozenset({"ab"}))
    assert independent("c", choices, [both]) == {"a"}
    assert independent("a", choices, [both]) == {"b", "c", "d"}
    assert list(in_order_of_needs(choices, [both])) == ["c", "d", "a", "b", "e"]
    assert independent("a", choices, [replace(both, stored=True)]) == {"b", "c", "d", "e"}


def test_orders_of_random_needs() -> None:
    rng = random.Random(0)  # noqa: S311
    for _ in range(20):
        order = rng.sample("abcdefgh", 8)
        needs = {name: "".join(rng.sample(order[:place], min(place, 2))) for place, name in enumerate(order)}
        shuffled = {name: needs[name] for name in sorted(needs)}
        found = list(in_order_of_needs(choices_of(shuffled), ()))
        assert sorted(found) == sorted(order)
        assert all(found.index(other) < found.index(name) for name in needs for other in needs[name])


def test_a_rule_may_use_what_stood_behind_its_head_for_a_rule_that_is_gone() -> None:
    facts, derived = planted((("X", "Y"), ("X", "Y"), ("X", "Z")), "XY", 0)
    compressor = Compressor(KnowledgeBase.from_facts(sorted(facts | derived)))
    found = compressor.run()
    (layer,) = found.choices["p"].layers
    assert layer.derived == layer.true == len(derived)
    assert comes_back(compressor, found)
