"""Rules for heads of three places and more: literals about some places each, which together bind all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, permutations

import numpy as np

from logicoder.base.effort import Effort
from logicoder.base.sorted_keys import inside
from logicoder.engine.arrays.join import JoinTooLargeError
from logicoder.engine.arrays.relation import joint_keys
from logicoder.engine.arrays.rules.counted import Counted
from logicoder.engine.arrays.rules.rule_tables import RuleTables
from logicoder.engine.arrays.rules.spaces import Space, key_columns
from logicoder.logic.rules import Literal, Rule, literal, renumbered

_MOST_PLACES = 6
"""Heads with more places have no rules."""

_MOST_ORDERS = 24
"""Ways to put the places of a head into the columns of a predicate."""

_MOST_LITERALS = 6
"""Literals about the same places that are combined with others."""

_MOST_BODIES = 60
"""Bodies that are evaluated for each head."""


@dataclass(frozen=True)
class _Part:
    """A literal about some places of a head, and how many facts it holds for."""

    places: frozenset[int]
    literal: Literal
    true: int
    size: int


def wide_rules(
    tables: RuleTables, spaces: Sequence[Space], least: Sequence[int], effort: Effort
) -> Iterator[Counted]:
    """Return rules for heads of three places and more: one literal about all, or two that bind all."""
    for number, space in enumerate(spaces):
        if not 3 <= len(space.types) <= _MOST_PLACES or not space.packed or not space.facts:
            continue
        head = tuple(range(len(space.types)))
        for body in islice(_bodies(tables, space, least[number], effort), _MOST_BODIES):
            rule = Rule(head, renumbered(body, len(head)))
            try:
                atoms = space.within(tables.atoms(space.types, rule, effort))
            except JoinTooLargeError:
                continue
            if not effort.spend(len(atoms)):
                return
            true = int(space.true(atoms).sum())
            if true >= least[number]:
                yield Counted(number, rule, len(atoms), true)


def _bodies(tables: RuleTables, space: Space, least: int, effort: Effort) -> Iterator[tuple[Literal, ...]]:
    """Return bodies that bind all places, those that hold for most facts first."""
    columns = key_columns(space.keys, space.sizes)
    every = frozenset(range(len(space.types)))
    found = [
        part
        for size in range(1, len(every) + 1)
        for places in combinations(sorted(every), size)
        for part in sorted(_parts(tables, space, columns, places, least, effort), key=_worth)[:_MOST_LITERALS]
    ]
    found.sort(key=_worth)
    yield from ((part.literal,) for part in found if part.places == every)
    pairs = [
        (first, second)
        for first, second in combinations(found, 2)
        if first.places | second.places == every and every not in (first.places, second.places)
    ]
    pairs.sort(key=lambda pair: _worth(pair[0])[0] + _worth(pair[1])[0])
    for first, second in pairs:
        fresh = len(every) + len(first.literal.arguments)
        other = tuple(a if isinstance(a, str) or a in every else a + fresh for a in second.literal.arguments)
        yield first.literal, Literal(second.literal.predicate, other)


def _worth(part: _Part) -> tuple[float, int, str]:
    return -part.true, part.size, repr(part.literal)


def _parts(
    tables: RuleTables,
    space: Space,
    columns: Sequence[np.ndarray],
    places: Sequence[int],
    least: int,
    effort: Effort,
) -> Iterator[_Part]:
    """Return the literals about some places that enough facts fulfil."""
    sizes = [space.sizes[place] for place in places]
    own = [columns[place] for place in places]
    for name in tables.names:
        relation = tables.relation(name)
        if name == space.predicate or len(relation.types) < len(places):
            continue
        orders = (
            order
            for order in permutations(range(len(relation.types)), len(places))
            if all(relation.types[c] == space.types[p] for c, p in zip(order, places, strict=True))
        )
        for order in islice(orders, _MOST_ORDERS):
            if not effort.spend(space.facts + len(relation)):
                return
            left, right = joint_keys(own, [relation.columns[column] for column in order], sizes)
            true = int(inside(left, right).sum())
            if true >= least:
                given = dict(zip(order, places, strict=True))
                made, _ = literal(name, len(relation.types), given, len(space.types))
                yield _Part(frozenset(places), made, true, len(relation))
