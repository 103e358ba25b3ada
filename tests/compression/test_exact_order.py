"""Orders against all orders there are."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from logicoder.compression.exact_order import best_order, improved_order, total


def costs(seed: int, names: str) -> dict[tuple[str, frozenset[str]], float]:
    rng = random.Random(seed)  # noqa: S311
    return {
        (name, frozenset(other for i, other in enumerate(names) if known >> i & 1)): rng.uniform(0, 100)
        for name in names
        for known in range(1 << len(names))
    }


@pytest.mark.parametrize("seed", range(20))
def test_the_best_order_is_the_best(seed: int) -> None:
    names = "abcde"[: 1 + seed % 5]
    cost = costs(seed, names)
    least = min(total(order, frozenset(), lambda *k: cost[k]) for order in permutations(names))
    bits, order = best_order(names, frozenset(), lambda *k: cost[k])
    assert bits == pytest.approx(least)
    assert bits == pytest.approx(total(order, frozenset(), lambda *k: cost[k]))


@pytest.mark.parametrize("size", [4, 12])
def test_orders_never_get_worse(size: int) -> None:
    names = "abcdefghijkl"[:size]
    cost = costs(size, names)
    bits, order = improved_order(names, lambda *k: cost[k], lambda: False)
    assert bits == pytest.approx(total(order, frozenset(), lambda *k: cost[k]))
    assert sorted(order) == list(names)
    assert bits < total(names, frozenset(), lambda *k: cost[k])
    assert improved_order(names, lambda *k: cost[k], lambda: True)[1] == list(names)


def test_no_predicates_have_an_order() -> None:
    assert improved_order([], lambda *_: 0.0, lambda: False) == (0.0, [])
