"""Up to renaming: the order of some literals in which, variables numbered as they come, they read least.

Clauses, bodies and formulas that differ only in names of variables and in the order of their literals have
the same least reading, whatever literals are made of.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import groupby, permutations, product
from typing import Any, TypeVar

Item = TypeVar("Item")
Reading = TypeVar("Reading")

_LISTED = 6
"""The orders of so many items of a kind fit into memory many times."""

Numbers = dict[Any, int]
"""The numbers of variables, in the order of their first occurrence."""


def number_of(name: Hashable, numbers: Numbers) -> int:
    """Return the number of a variable, the next one if it has none yet."""
    return numbers.setdefault(name, len(numbers))


def orders(
    items: Iterable[Item], kind: Callable[[Item], Any] | None = None, most: int | None = None
) -> Iterator[tuple[Item, ...]]:
    """Yield the orders of some items in which their kinds ascend.

    >>> ["".join(order) for order in orders("bAa", str.lower)]
    ['Aab', 'aAb']

    Args:
        items: what to put in order.
        kind: what sorts them first; all are of one kind unless given.
        most: of more items than this only one order is tried: kinds ascend, and others stay as they are.
    """
    ordered = list(items) if kind is None else sorted(items, key=kind)
    if most is not None and len(ordered) > most:
        yield tuple(ordered)
    elif kind is None:
        yield from permutations(ordered)
    else:
        groups = [list(group) for _, group in groupby(ordered, key=kind)]
        if all(len(group) <= _LISTED for group in groups):
            for parts in product(*map(permutations, groups)):
                yield tuple(item for part in parts for item in part)
        else:
            yield from _one_by_one(groups)


def _one_by_one(groups: Sequence[Sequence[Item]]) -> Iterator[tuple[Item, ...]]:
    """Yield the same orders as `product`, which would list all orders of each group first."""
    if not groups:
        yield ()
        return
    for first in permutations(groups[0]):
        for rest in _one_by_one(groups[1:]):
            yield (*first, *rest)


def least_readings(
    tried: Iterable[tuple[Item, ...]], reading: Callable[[tuple[Item, ...], Numbers], Reading]
) -> tuple[Reading, list[tuple[tuple[Item, ...], Numbers]]]:
    """Return the least reading, and the orders that have it with the numbers of their variables.

    >>> def reading(order, numbers):
    ...     return [(name, [number_of(v, numbers) for v in variables]) for name, variables in order]
    >>> least, found = least_readings(orders([("q", "Y"), ("p", "XY"), ("p", "YX")], lambda x: x[0]), reading)
    >>> least
    [('p', [0, 1]), ('p', [1, 0]), ('q', [0])]
    >>> [numbers for _, numbers in found]
    [{'Y': 0, 'X': 1}]

    Args:
        tried: the orders, at least one.
        reading: what to compare; numbers the variables as it goes along.
    """
    best: Any = None
    found: list[tuple[tuple[Item, ...], Numbers]] = []
    for order in tried:
        numbers: Numbers = {}
        read = reading(order, numbers)
        if not found or read < best:
            best, found = read, [(order, numbers)]
        elif read == best:
            found.append((order, numbers))
    return best, found
