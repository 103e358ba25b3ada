"""Orders that are best: of all predicates where they are few, otherwise of a few that follow each other.

What a predicate takes depends on the set of those before it alone. So the best order of a set ends with some
predicate and begins with the best order of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

Cost = Callable[[str, frozenset[str]], float]
"""The bits of a predicate where some predicates are known."""

_MOST = 10
"""Predicates of which all orders are compared."""

_WINDOW = 5
"""Predicates that follow each other of which all orders are compared where there are more."""

_TINY = 1e-6


def best_order(names: Sequence[str], before: frozenset[str], cost: Cost) -> tuple[float, list[str]]:
    """Return the bits of the best order of some predicates, and this order.

    Args:
        names: the predicates; the work doubles with each.
        before: predicates that are known before.
        cost: bits of a predicate after others.
    """
    best: dict[frozenset[str], tuple[float, list[str]]] = {frozenset(): (0.0, [])}
    for size in range(1, len(names) + 1):
        for some in combinations(names, size):
            every = frozenset(some)
            options = []
            for last in some:
                bits, order = best[every - {last}]
                options.append((bits + cost(last, before | (every - {last})), [*order, last]))
            best[every] = min(options, key=lambda option: option[0])
    return best[frozenset(names)]


def improved_order(names: Sequence[str], cost: Cost, stopped: Callable[[], bool]) -> tuple[float, list[str]]:
    """Return the bits of an order no worse than the given one, and the order: of few predicates the best."""
    width = max(1, len(names) if len(names) <= _MOST else _WINDOW)
    order = list(names)
    begin = 0
    before: frozenset[str] = frozenset()
    while begin + width <= len(order) and not stopped():
        window = order[begin : begin + width]
        bits, better = best_order(sorted(window), before, cost)
        if bits < total(window, before, cost) - _TINY:
            order[begin : begin + width] = better
        before |= {order[begin]}
        begin += 1
    return total(order, frozenset(), cost), order


def total(names: Sequence[str], before: frozenset[str], cost: Cost) -> float:
    """Return the bits of an order."""
    bits = 0.0
    for name in names:
        bits += cost(name, before)
        before |= {name}
    return bits
