"""Columns about the same things: how far what stands in one tells what stands in the other.

`city(X,A)` and `country(X,B)` have rows X in common. Which pairs (A,B) occur there is a table of its own;
where it is small, `country(X,B) :- city(X,A), of(A,B)` says more than it takes. How small it is, and how much
such a rule derives, is counted for all pairs of columns before anything is made. Where no column tells
enough, two may do so together: `distance(X,C) :- from(X,A), to(X,B), between(A,B,C)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

import numpy as np

from logicoder.base.effort import Effort
from logicoder.base.sorted_keys import distinct, in_sorted
from logicoder.engine.arrays.relation import Relation, pack, packable
from logicoder.engine.arrays.rules.rule_tables import RuleTables, View, sparse_rows

_FAN = 2.0
"""Values that a row may have on the average."""

_FEWEST = 8
"""Rows that two columns must have in common."""

_MOST_PAIRS = 4_000
"""Pairs of columns that are looked at, those with most rows in common first."""

_PAIR_TUPLES = 3_000
"""What it takes to look at a pair of columns that holds nothing, in tuples."""


_MOST_COLUMNS = 12
"""Tables with more columns are not searched for two columns that tell a third one together."""

_TOGETHER = 6
"""Columns of which two are tried together, for each head: those that tell most alone."""


@dataclass(frozen=True, eq=False)
class SharedRows:
    """Columns about the same rows, and what a rule by their table derives for the last one.

    Attributes:
        told: the views that tell, from rows to values: one, or two together.
        head: the view of the head, from rows to values.
        support: rows in which values must occur together to be in the table: one, or two.
        facts: number of rows of the table.
        values: number of values in each column of it.
        derived: atoms that the rule derives, at most.
        true: facts among them, about.
    """

    told: tuple[View, ...]
    head: View
    support: int
    facts: int
    values: tuple[int, ...]
    derived: int
    true: int


def shared_rows(tables: RuleTables, heads: Sequence[str], effort: Effort) -> Iterator[SharedRows]:
    """Iterate over columns that have rows in common, for heads of two places."""
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
        alone: dict[int, list[SharedRows]] = {}
        for place in order.tolist():
            head, told = about[common.row[place]], views[common.col[place]]
            if head.predicate != told.predicate and _values(told) <= common.data[place]:
                for found in _counted(told, head, effort):
                    alone.setdefault(int(common.row[place]), []).append(found)
                    yield found
        for number, singles in sorted(alone.items()):
            if not any(
                _alike(view, about[number]) for view in views if view.predicate != about[number].predicate
            ):
                yield from _together(singles, effort)


def _alike(told: View, head: View) -> bool:
    """Whether two views mostly have the same pairs."""
    return told.types == head.types and 2 * int(in_sorted(head.keys, told.keys).sum()) > len(head.keys)


def _rows(view: View) -> int:
    return int(np.count_nonzero(view.row_sizes))


def _values(view: View) -> int:
    return int(np.count_nonzero(view.column_sizes))


def _counted(told: View, head: View, effort: Effort) -> Iterator[SharedRows]:
    work = int(told.row_sizes.astype(np.int64) @ head.row_sizes.astype(np.int64))
    if not effort.spend(work + _PAIR_TUPLES):
        return
    if _alike(told, head):
        return  # that takes no table
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
        yield SharedRows((told,), head, support, pairs, values, derived, true)


def _together(alone: Sequence[SharedRows], effort: Effort) -> Iterator[SharedRows]:
    """Iterate over tables by which two columns tell a third one, if no column does so alone.

    Args:
        alone: what single columns tell of one head.
        effort: what it may cost.
    """
    alone = [one for one in alone if one.support == 1 and one.told[0].row_sizes.max() == 1]
    alone = sorted(alone, key=lambda one: one.derived / max(1, one.true))[:_TOGETHER]
    if not alone or alone[0].derived == alone[0].true:
        return
    columns = [_single_values(one.told[0]) for one in alone]
    head = alone[0].head
    rows, values = np.divmod(head.keys, head.matrix.shape[1])
    for first, second in combinations(range(len(alone)), 2):
        told = alone[first].told + alone[second].told
        if told[0].predicate == told[1].predicate or not effort.spend(6 * len(rows) + _PAIR_TUPLES):
            continue
        size = told[1].matrix.shape[1]
        both = np.where(
            (columns[first] < 0) | (columns[second] < 0), -1, columns[first] * size + columns[second]
        )
        own = both[rows]
        inside = own >= 0
        pairs, number = np.unique(own[inside], return_inverse=True)
        if 2 * len(pairs) > len(number) or len(number) < _FEWEST:
            continue
        facts, counts = np.unique(number * head.matrix.shape[1] + values[inside], return_counts=True)
        every, times = np.unique(both[both >= 0], return_counts=True)
        uses = times[np.searchsorted(every, pairs)]
        for support in (1, 2):
            kept = facts[counts >= support]
            if not len(kept) or (support == 2 and len(kept) == len(facts)):
                break
            fan = np.bincount(kept // head.matrix.shape[1], minlength=len(pairs))
            used = pairs[fan > 0]
            sides = used // size, used % size, kept % head.matrix.shape[1]
            yield SharedRows(
                told,
                head,
                support,
                len(kept),
                tuple(len(distinct(side)) for side in sides),
                int(fan @ uses),
                int(counts[counts >= support].sum()),
            )


def _single_values(view: View) -> Any:
    """Return the value of each row, -1 where there is none; no row has two."""
    found = np.full(view.matrix.shape[0], -1, np.int64)
    rows, values = np.divmod(view.keys, view.matrix.shape[1])
    found[rows] = values
    return found


@dataclass(frozen=True, eq=False)
class Dependency:
    """A column of a table that others tell.

    Attributes:
        sources: the columns that tell: one, or two together.
        target: the other one.
        facts: number of different rows in these columns.
        values: number of values of each.
        fan: for each row, the values of the target that its values of the sources occur with.
    """

    sources: tuple[int, ...]
    target: int
    facts: int
    values: tuple[int, ...]
    fan: Any


def dependencies(
    relation: Relation, values: Sequence[int], sizes: Sequence[int], effort: Effort
) -> Iterator[Dependency]:
    """Iterate over columns of a table that tell much about another one: single ones, and two together.

    Args:
        relation: the table.
        values: number of values of each column.
        sizes: number of entities of each column.
        effort: what it may cost.
    """
    columns = range(relation.arity)
    alone = np.full(relation.arity, np.inf)
    for source, target in permutations(columns, 2):
        found = _dependency(relation, (source,), target, values, sizes, effort)
        if found is not None:
            alone[target] = min(alone[target], found.fan.mean())
            yield found
    for target in columns if relation.arity <= _MOST_COLUMNS else ():
        together = [
            found
            for sources in combinations([column for column in columns if column != target], 2)
            if (found := _dependency(relation, sources, target, values, sizes, effort)) is not None
        ]
        best = min(together, key=lambda one: (one.fan.mean(), one.facts), default=None)
        if best is not None and 2 * best.fan.mean() < alone[target]:
            yield best


def _dependency(
    relation: Relation,
    sources: tuple[int, ...],
    target: int,
    values: Sequence[int],
    sizes: Sequence[int],
    effort: Effort,
) -> Dependency | None:
    """Return what some columns tell of another one; None where it is little, or most rows differ in them."""
    rows, own = len(relation), [*sources, target]
    if values[target] < 2 or max(values[source] for source in sources) * 2 > rows:
        return None
    if len(sources) > 1 and not packable([sizes[column] for column in own]):
        return None
    if not effort.spend(3 * rows):
        return None
    key = pack([relation.columns[c] for c in sources], [sizes[c] for c in sources])
    told = distinct(key * sizes[target] + relation.columns[target])
    if 2 * len(told) > rows:
        return None
    every, counts = np.unique(told // sizes[target], return_counts=True)
    fan = counts[np.searchsorted(every, key)]
    if 2 * fan.mean() >= values[target]:
        return None
    return Dependency(sources, target, len(told), tuple(values[column] for column in own), fan)
