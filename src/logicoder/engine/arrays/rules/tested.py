"""Negation and inequality: which rows of a join pass them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from logicoder.base.sorted_keys import inside
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.join import Bindings, joined_projection
from logicoder.engine.arrays.relation import Column, distinct, joint_keys
from logicoder.logic.rules import UNEQUAL, Literal

BindingsOf = Callable[[Literal], Bindings]


def tested_projection(
    database: Database,
    tables: Sequence[Bindings],
    tests: Sequence[Literal],
    bindings_of: BindingsOf,
    wanted: Sequence[int],
    limit: int | None,
) -> tuple[Column, ...]:
    """Return the distinct values of some variables in those rows of a join that pass tests, sorted.

    Args:
        database: the entities.
        tables: what is joined; it binds all that is tested, but for variables that stand nowhere else.
        tests: negated literals and inequalities.
        bindings_of: gives the facts of a literal, constants looked up.
        wanted: the variables.
        limit: most tuples of a join.

    Raises:
        JoinTooLargeError: where a join has more tuples than the limit.
    """
    types = {variable: kind for table in tables for variable, kind in table.types.items()}
    used = [a for item in tests for a in item.arguments if a in types]
    every = list(dict.fromkeys([*wanted, *used]))
    found = joined_projection(database, tables, every, limit)
    columns: dict[int | str, Column] = dict(zip(every, found, strict=True))
    keep = np.ones(len(found[0]), np.bool_)
    for item in tests:
        if item.predicate == UNEQUAL:
            keep &= columns[item.arguments[0]] != columns[item.arguments[1]]
        else:
            keep &= ~_holds(database, bindings_of(item), columns)
    kept = tuple(columns[variable][keep] for variable in wanted)
    if len(every) == len(wanted):
        return kept
    return distinct(kept, [database.sizes[types[variable]] for variable in wanted])


def _holds(database: Database, facts: Bindings, columns: dict[int | str, Column]) -> np.ndarray:
    """Return for which rows there is a fact."""
    shared = [variable for variable in facts.columns if variable in columns]
    sizes = [database.sizes[facts.types[variable]] for variable in shared]
    left, right = joint_keys([columns[v] for v in shared], [facts.columns[v] for v in shared], sizes)
    return inside(left, right)
