"""Joins: tables of variable bindings, grown literal by literal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from logicoder.base.sorted_keys import inside
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.listing import spread
from logicoder.engine.arrays.relation import Column, Relation, distinct, joint_keys


class JoinTooLargeError(Exception):
    """A join would have more tuples than allowed; `tuples` says how many."""

    def __init__(self, tuples: int) -> None:
        super().__init__(f"a join of {tuples} tuples")
        self.tuples = tuples


@dataclass(frozen=True, eq=False)
class Bindings:
    """Rows of values for some variables; a variable may be any hashable thing (a name, a number)."""

    types: dict[Any, int]
    columns: dict[Any, Column]
    rows: int

    def project(self, variables: Sequence[Any], sizes: Sequence[int]) -> tuple[Column, ...]:
        """Return the distinct values of some variables."""
        return distinct([self.columns[v] for v in variables], [sizes[self.types[v]] for v in variables])

    def select(self, rows: np.ndarray) -> Bindings:
        """Return some of the rows."""
        columns = {v: column[rows] for v, column in self.columns.items()}
        count = int(np.count_nonzero(rows)) if rows.dtype == bool else len(rows)
        return Bindings(self.types, columns, count)


def bindings_of(relation: Relation, variables: Sequence[Any]) -> Bindings:
    """Return the bindings of a literal whose arguments are variables, perhaps repeated."""
    types: dict[Any, int] = {}
    columns: dict[Any, Column] = {}
    keep: np.ndarray | None = None
    for variable, kind, column in zip(variables, relation.types, relation.columns, strict=True):
        if variable in columns:
            same = columns[variable] == column
            keep = same if keep is None else keep & same
        else:
            types[variable] = kind
            columns[variable] = column
    found = Bindings(types, columns, len(relation))
    return found if keep is None else found.select(keep)


def matching_rows(left: np.ndarray, right: np.ndarray, limit: int | None) -> tuple[np.ndarray, np.ndarray]:
    """Return the pairs of row numbers with equal keys, ordered by the left row.

    The number of pairs is known before any of them is made: more than `limit` raises JoinTooLargeError.
    """
    order = np.argsort(right, kind="stable")
    left_rows, places = sorted_matches(left, right[order], limit)
    return left_rows, order[places]


def sorted_matches(left: np.ndarray, ordered: np.ndarray, limit: int | None) -> tuple[np.ndarray, np.ndarray]:
    """Return the pairs of a left row and a place in sorted keys where both are equal; see `matching_rows`."""
    start = np.searchsorted(ordered, left, "left")
    counts = np.searchsorted(ordered, left, "right") - start
    total = int(counts.sum())
    if limit is not None and total > limit:
        raise JoinTooLargeError(total)
    places, left_rows = spread(start, counts)
    return left_rows, places


def join(database: Database, left: Bindings, right: Bindings, limit: int | None = None) -> Bindings:
    """Return the natural join; bindings without a common variable meet within their world only."""
    first, second = _meeting_keys(database, left, right)
    left_rows, right_rows = matching_rows(first, second, limit)
    columns = {v: column[left_rows] for v, column in left.columns.items()}
    columns |= {v: column[right_rows] for v, column in right.columns.items() if v not in left.columns}
    return Bindings(left.types | right.types, columns, len(left_rows))


def joined_projection(
    database: Database, tables: Sequence[Bindings], wanted: Sequence[Any], limit: int | None = None
) -> tuple[Column, ...]:
    """Return the distinct values of some variables in the join of all tables.

    Small tables come first, connected ones before others, and a variable that nobody needs any more is
    projected away at once.
    """
    remaining = sorted(tables, key=lambda table: table.rows)
    current = remaining.pop(0)
    while remaining:
        connected = [t for t in remaining if not current.columns.keys().isdisjoint(t.columns)]
        following = (connected or remaining)[0]
        remaining = [t for t in remaining if t is not following]
        grown = join(database, current, following, limit)
        needed = [v for v in grown.columns if v in wanted or any(v in t.columns for t in remaining)]
        columns = grown.project(needed, database.sizes)
        current = Bindings(
            {v: grown.types[v] for v in needed}, dict(zip(needed, columns, strict=True)), len(columns[0])
        )
    return current.project(wanted, database.sizes)


def semijoin(database: Database, left: Bindings, right: Bindings) -> np.ndarray:
    """Return which rows of `left` have a partner in `right` on their common variables."""
    first, second = _meeting_keys(database, left, right)
    return inside(first, second)


def _meeting_keys(database: Database, left: Bindings, right: Bindings) -> tuple[np.ndarray, np.ndarray]:
    """Return keys of the common variables; without any, of the worlds."""
    shared = [v for v in right.columns if v in left.columns]
    if not shared:
        return _worlds(database, left), _worlds(database, right)
    sizes = [database.sizes[left.types[v]] for v in shared]
    return joint_keys([left.columns[v] for v in shared], [right.columns[v] for v in shared], sizes)


def _worlds(database: Database, bindings: Bindings) -> np.ndarray:
    variable = next(iter(bindings.columns))
    return database.world_of[bindings.types[variable]][bindings.columns[variable]].astype(np.int64)
