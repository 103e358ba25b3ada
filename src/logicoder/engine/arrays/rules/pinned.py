"""Rules of one literal that names a constant beside the variables of the head: p(X,Y) :- r(X,Y,c)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, permutations

import numpy as np

from logicoder.base.effort import Effort
from logicoder.engine.arrays.relation import Relation
from logicoder.engine.arrays.rules.counted import Counted, Worth
from logicoder.engine.arrays.rules.rule_tables import RuleTables
from logicoder.engine.arrays.rules.spaces import Space, row_keys
from logicoder.logic.rules import Rule, literal

_MOST_PLACES = 4
"""Heads with more places have no such rules."""

_MOST_ORDERS = 24
"""Ways to put the places of a head into the columns of a predicate."""

_MOST_VALUES = 8
"""Constants of a column that are tried for each head."""


def pinned_rules(
    tables: RuleTables, spaces: Sequence[Space], least: Sequence[int], worth: Worth, effort: Effort
) -> Iterator[Counted]:
    """Iterate over the rules that can pay, for all constants of a column at once."""
    wide = [name for name in tables.names if tables.relation(name).arity > 2]
    for number, space in enumerate(spaces if wide else ()):
        places = len(space.types)
        if not 2 <= places <= _MOST_PLACES or not space.packed or space.facts < least[number]:
            continue
        for name in wide:
            relation = tables.relation(name)
            if name == space.predicate or relation.arity <= places:
                continue
            orders = (
                order
                for order in permutations(range(relation.arity), places)
                if tuple(relation.types[column] for column in order) == space.types
            )
            for order in islice(orders, _MOST_ORDERS):
                if not effort.spend(len(relation) * (relation.arity - places + 1)):
                    return
                for column, symbol, derived, true in _counted(tables, space, relation, order):
                    paying = np.flatnonzero(
                        (true >= least[number])
                        & (
                            worth(np.full(len(true), number), derived.astype(float), true.astype(float), 1)
                            > 0
                        )
                    )
                    best = paying[np.lexsort((symbol[paying], -true[paying] / derived[paying]))]
                    for i in best[:_MOST_VALUES].tolist():
                        given = {c: p for p, c in enumerate(order)} | {
                            column: tables.database.symbols[symbol[i]]
                        }
                        body = literal(name, relation.arity, given, places)[0]
                        rule = Rule(tuple(range(places)), (body,))
                        yield Counted(number, rule, int(derived[i]), int(true[i]))


def _counted(
    tables: RuleTables, space: Space, relation: Relation, order: Sequence[int]
) -> Iterator[tuple[int, np.ndarray, np.ndarray, np.ndarray]]:
    """Iterate over other columns, their constants, and for each the atoms it derives and facts among them."""
    values = [relation.columns[column].astype(np.int64) for column in order]
    inside = space.inside(values)
    if space.symmetric:
        values = [np.minimum(*values), np.maximum(*values)]
    keys = row_keys([column[inside] for column in values], space.sizes)
    holds = space.true(keys)
    for column in range(relation.arity):
        if column in order or not len(keys):
            continue
        symbols = tables.database.symbol_of[relation.types[column]][relation.columns[column][inside]]
        ranked = np.lexsort((keys, symbols))
        ordered, atoms = symbols[ranked], keys[ranked]
        new = np.append(True, (ordered[1:] != ordered[:-1]) | (atoms[1:] != atoms[:-1]))
        begins = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
        derived = np.add.reduceat(new.astype(np.int64), begins)
        true = np.add.reduceat((new & holds[ranked]).astype(np.int64), begins)
        yield column, ordered[begins], derived, true
