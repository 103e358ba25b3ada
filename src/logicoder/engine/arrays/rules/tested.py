"""Negation and inequality: which rows of a join pass them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.join import Bindings, joined_projection
from logicoder.engine.arrays.relation import Column, distinct, joint_keys
from logicoder.logic.rules import UNEQUAL, Literal, Rule

BindingsOf = Callable[[Literal], Bindings]


def tested_columns(
    database: Database, rule: Rule, bindings_of: BindingsOf, limit: int | None
) -> dict[int | str, Column]:
    """Return the distinct values of a head's variables in a rule with tests, sorted.

    Args:
        database: the entities.
        rule: the rule; whatever is tested, but for variables that stand nowhere else, another literal binds.
        bindings_of: gives the facts of a literal, constants looked up.
        limit: most tuples of a join.

    Raises:
        JoinTooLargeError: where a join has more tuples than the limit.
    """
    tables = [bindings_of(item) for item in rule.body if not item.tests]
    tests = [item for item in rule.body if item.tests]
    types = {variable: kind for table in tables for variable, kind in table.types.items()}
    head = [argument for argument in rule.head if not isinstance(argument, str)]
    used = [a for item in tests for a in item.arguments if a in types]
    wanted = list(dict.fromkeys([*head, *used]))
    found = joined_projection(database, tables, wanted, limit)
    columns: dict[int | str, Column] = dict(zip(wanted, found, strict=True))
    keep = np.ones(len(found[0]), np.bool_)
    for item in tests:
        if item.predicate == UNEQUAL:
            keep &= columns[item.arguments[0]] != columns[item.arguments[1]]
        else:
            keep &= ~_holds(database, bindings_of(item), columns)
    kept: Sequence[Column] = [columns[variable][keep] for variable in head]
    if len(wanted) > len(head):
        kept = distinct(kept, [database.sizes[types[variable]] for variable in head])
    return dict(zip(head, kept, strict=True))


def _holds(database: Database, facts: Bindings, columns: dict[int | str, Column]) -> np.ndarray:
    """Return for which rows there is a fact."""
    shared = [variable for variable in facts.columns if variable in columns]
    sizes = [database.sizes[facts.types[variable]] for variable in shared]
    left, right = joint_keys([columns[v] for v in shared], [facts.columns[v] for v in shared], sizes)
    return np.isin(left, right)
