"""Types for data that declares none: one for all, or one for each group of arguments that share constants."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from logicoder.base.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from logicoder.kb.table import Ids


def undeclared_types(predicates: Mapping[str, Sequence[Ids]], how: str) -> dict[str, tuple[str, ...]]:
    """Give types to the arguments of undeclared predicates.

    With `one`, every argument has the type `thing`. With `infer`, arguments that share a constant
    share a type; types are numbered in the order of the arguments.

    Args:
        predicates: the distinct constants of each argument of each predicate.
        how: `infer` or `one`.
    """
    if how not in ("infer", "one"):
        raise UsageError(f"types must be 'infer' or 'one', not {how!r}")
    if how == "one":
        return {name: ("thing",) * len(columns) for name, columns in predicates.items()}
    places = [(name, index) for name, columns in predicates.items() for index in range(len(columns))]
    groups = _connected([predicates[name][index] for name, index in places])
    names: dict[int, str] = {}
    for group in groups:
        names.setdefault(group, f"type{len(names) + 1}")
    kinds = {place: names[group] for place, group in zip(places, groups, strict=True)}
    return {
        name: tuple(kinds[name, index] for index in range(len(columns)))
        for name, columns in predicates.items()
    }


def _connected(columns: Sequence[Ids]) -> list[int]:
    """Return a group per column; columns that share a constant, directly or not, are in one group."""
    parent = list(range(len(columns)))

    def find(column: int) -> int:
        while parent[column] != column:
            parent[column] = parent[parent[column]]
            column = parent[column]
        return column

    # The first column that holds a constant stands for it; a column then joins the few such owners.
    owner = np.full(1 + max((int(ids.max(initial=-1)) for ids in columns), default=-1), -1, np.int32)
    for column, ids in enumerate(columns):
        for other in np.unique(owner[ids]).tolist():
            if other >= 0:
                parent[find(column)] = find(other)
        owner[ids[owner[ids] < 0]] = column
    return [find(column) for column in range(len(columns))]
