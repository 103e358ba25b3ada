"""Orders against all places that a predicate could have; choices that are remembered against new ones."""

from __future__ import annotations

import random
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compression.worlds import knowledge_bases, pairs
from logicoder import KnowledgeBase
from logicoder.base.effort import Effort
from logicoder.compression.best_ways import Options
from logicoder.compression.domains import domains_of
from logicoder.compression.goals import Bits
from logicoder.compression.learned_plan import Compressor
from logicoder.compression.message_search import Search
from logicoder.compression.order import Order
from tiny_data import REPEATABLE

TIMES = settings(REPEATABLE, max_examples=40)
NAMES = tuple("abcdef")


class Costs:
    """Bits of predicates: each set of some others that is known saves something."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)  # noqa: S311
        self.mentions = {
            name: frozenset(rng.sample([n for n in NAMES if n != name], rng.randrange(4))) for name in NAMES
        }
        self.savings = {
            name: [
                (frozenset(rng.sample(sorted(own), rng.randint(1, len(own)))), rng.randrange(50))
                for _ in "123"
            ]
            for name, own in self.mentions.items()
            if own
        }

    def __call__(self, name: str, known: frozenset[str]) -> float:
        return 100.0 - max((s for needs, s in self.savings.get(name, ()) if needs <= known), default=0)

    def total(self, names: list[str]) -> float:
        return sum(self(name, frozenset(names[:place])) for place, name in enumerate(names))

    def order(self, start: tuple[str, ...] = ()) -> Order:
        return Order(NAMES, self, self.mentions, frozenset(), start)


@settings(TIMES, max_examples=200)
@given(st.integers(0, 10**6))
def test_a_pass_ends_where_no_single_move_helps(seed: int) -> None:
    costs = Costs(seed)
    order = costs.order()
    while order.improve(lambda: False):
        assert order.bits == pytest.approx(costs.total(order.names))
    assert sorted(order.names) == sorted(NAMES)
    for name in NAMES:
        rest = [other for other in order.names if other != name]
        for place in range(len(NAMES)):
            assert costs.total([*rest[:place], name, *rest[place:]]) >= order.bits - 1e-6


@TIMES
@given(st.integers(0, 10**6))
def test_shaken_orders_are_no_worse_and_near_the_best(seed: int) -> None:
    costs = Costs(seed)
    order = costs.order()
    rng = np.random.default_rng(0)
    before = order.bits
    for _ in range(20):
        order.shake(rng, 3, lambda: False)
        assert order.bits == pytest.approx(costs.total(order.names))
        assert order.bits <= before
        before = order.bits
    best = min(costs.total(list(names)) for names in permutations(NAMES))
    assert order.relaxed - 1e-6 <= best <= order.bits + 1e-6
    assert order.bits <= 1.05 * best


def test_a_good_order_to_begin_with_is_taken() -> None:
    costs = Costs(5)
    best = min(permutations(NAMES), key=lambda names: costs.total(list(names)))
    assert costs.order(best).bits == pytest.approx(costs.total(list(best)))


@TIMES
@given(knowledge_bases())
def test_no_order_undercuts_the_bound(kb: KnowledgeBase) -> None:
    compressor = Compressor(kb)
    search = Search(compressor.tables, compressor._heads(), compressor.code, Bits, frozenset(), Effort())
    for phase in search.phases():
        list(search.messages(phase))
    options, names = search._options, compressor.names
    shortest = min(
        sum(options.cost(name, frozenset(order[:place])) for place, name in enumerate(order))
        for order in permutations(names)
    )
    assert 0 < options.least(names, frozenset()) <= shortest + 1e-6


def test_of_two_that_follow_from_each_other_one_is_to_be_said() -> None:
    owns = pairs("owns", 60, 200, random.Random(1))  # noqa: S311
    found = Compressor(KnowledgeBase.from_facts(sorted(owns | {("held", y, x) for _, x, y in owns}))).run()
    assert found.bound_scope == "pruned"
    assert 0.95 * found.bits <= found.bound <= found.bits


@TIMES
@given(knowledge_bases(), st.randoms(use_true_random=False))
def test_what_is_remembered_is_what_would_be_chosen(kb: KnowledgeBase, rng: random.Random) -> None:
    compressor = Compressor(kb)
    heads = compressor._heads()
    search = Search(compressor.tables, heads, compressor.code, Bits, frozenset(), Effort())
    for phase in search.phases():
        list(search.messages(phase))
    ways = search._ways.ways(compressor.names)
    domains = domains_of(compressor.tables, heads.tried, Effort())
    options = Options(domains, Bits(compressor.code), Effort())
    options.update(ways)
    for _ in range(30):
        name = rng.choice(compressor.names)
        known = frozenset(rng.sample(compressor.names, rng.randint(0, len(compressor.names)))) - {name}
        fresh = Options(domains, Bits(compressor.code), Effort())
        fresh.update(ways)
        assert options.cost(name, known) == pytest.approx(fresh.cost(name, known))
