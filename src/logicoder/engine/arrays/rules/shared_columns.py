"""Columns about the same things: how far what stands in one tells what stands in the other.

`city(X,A)` and `country(X,B)` have rows X in common. Which pairs (A,B) occur there is a table of its own;
where it is small, `country(X,B) :- city(X,A), of(A,B)` says more than it takes. How small it is, and how much
such a rule derives, is counted for all pairs of columns before anything is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np

from logicoder.base.effort import Effort
from logicoder.base.sorted_keys import distinct, in_sorted
from logicoder.engine.arrays.relation import Relation, pack
from logicoder.engine.arrays.rules.rule_tables import RuleTables, View, sparse_rows

_FAN = 2.0
"""Values that a row may have on the average."""

_FEWEST = 8
"""Rows that two columns must have in common."""

_MOST_PAIRS = 4_000
"""Pairs of columns that are looked at, those with most rows in common first."""

_PAIR_TUPLES = 3_000
"""What it takes to look at a pair of columns that holds nothing, in tuples."""


@dataclass(frozen=True, eq=False)
class SharedRows:
    """Two columns about the same rows, and what a rule by their table derives for the second one.

    Attributes:
        told: the view that tells, from rows to values.
        head: the view of the head, from rows to values.
        support: rows in which a pair of values must occur to be in the table: one, or two.
        pairs: number of pairs in the table.
        values: number of values on each side of it.
        derived: atoms that the rule derives, at most.
        true: facts among them, about.
    """

    told: View
    head: View
    support: int
    pairs: int
    values: tuple[int, int]
    derived: int
    true: int


def shared_rows(tables: RuleTables, heads: Sequence[str], effort: Effort) -> Iterator[SharedRows]:
    """Iterate over pairs of columns that have rows in common, for heads of two places."""
    narrow = [view for view in tables.views if view.matrix.nnz and view.matrix.nnz <= _FAN * _rows(view)]
    wanted = set(heads)
    by_type: dict[int, list[View]] = {}
    for view in narrow:
        by_type.setdefault(view.types[0], []).append(view)
    for kind, views in sorted(by_type.items()):
        about = [view for view in views if view.arity == 2 and view.predicate in wanted]
        size = tables.database.sizes[kind]
        if not about or not effort.spend(sum(view.matrix.nnz for view in views)):
            continue
        rows = sparse_rows([np.flatnonzero(view.row_sizes) for view in views], size)
        own = sparse_rows([np.flatnonzero(view.row_sizes) for view in about], size)
        common = (own @ rows.T).tocoo()
        order = np.lexsort((common.col, common.row, -common.data))
        order = order[common.data[order] >= _FEWEST][:_MOST_PAIRS]
        for place in order.tolist():
            head, told = about[common.row[place]], views[common.col[place]]
            if head.predicate != told.predicate and _values(told) <= common.data[place]:
                yield from _counted(told, head, effort)


def _rows(view: View) -> int:
    return int(np.count_nonzero(view.row_sizes))


def _values(view: View) -> int:
    return int(np.count_nonzero(view.column_sizes))


def _counted(told: View, head: View, effort: Effort) -> Iterator[SharedRows]:
    work = int(told.row_sizes.astype(np.int64) @ head.row_sizes.astype(np.int64))
    if not effort.spend(work + _PAIR_TUPLES):
        return
    if told.types == head.types and 2 * in_sorted(head.keys, told.keys).sum() > len(head.keys):
        return  # mostly the same pairs: that takes no table
    met = (told.matrix.T @ head.matrix).tocsr()
    inside = int(head.row_sizes[told.row_sizes > 0].sum())
    for support in (1, 2):
        kept = met.data > support - 0.5
        pairs = int(kept.sum())
        if not pairs or (support == 2 and pairs == len(kept)):
            return
        places = np.repeat(np.arange(met.shape[0]), np.diff(met.indptr))[kept]
        fan = np.bincount(places, minlength=met.shape[0])
        values = int(np.count_nonzero(fan)), len(distinct(met.indices[kept]))
        derived = int(fan @ told.column_sizes.astype(np.int64))
        true = min(inside, int(met.data[kept].sum()))
        yield SharedRows(told, head, support, pairs, values, derived, true)


@dataclass(frozen=True, eq=False)
class Dependency:
    """A column of a table that another one tells.

    Attributes:
        source: the column that tells.
        target: the other one.
        pairs: number of pairs that occur.
        values: number of values of each.
        fan: for each row, the values of the target that its value of the source occurs with.
    """

    source: int
    target: int
    pairs: int
    values: tuple[int, int]
    fan: Any


def dependencies(
    relation: Relation, values: Sequence[int], sizes: Sequence[int], effort: Effort
) -> Iterator[Dependency]:
    """Iterate over pairs of columns of a table of which the first tells much about the second.

    Args:
        relation: the table.
        values: number of values of each column.
        sizes: number of entities of each column.
        effort: what it may cost.
    """
    rows = len(relation)
    for source, target in permutations(range(relation.arity), 2):
        if 2 * values[source] > rows or values[target] < 2:
            continue
        if not effort.spend(3 * rows):
            return
        columns = [relation.columns[source], relation.columns[target]]
        pairs = distinct(pack(columns, [sizes[source], sizes[target]]))
        if 2 * len(pairs) > rows:
            continue
        fan = np.bincount(pairs // sizes[target], minlength=sizes[source])[columns[0]]
        if 2 * fan.mean() < values[target]:
            yield Dependency(source, target, len(pairs), (values[source], values[target]), fan)
