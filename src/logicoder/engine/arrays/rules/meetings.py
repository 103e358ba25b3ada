"""Rules about things of which two columns hold the same: p(X,c) :- a(X,Z), b(X,Z), or p(X) likewise.

A column may be one of another thing, to which a first one leads: the category of the product that was sold
and that of the shop that sold it, `a(X,U), c(U,Z), b(X,V), d(V,Z)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from logicoder.base.effort import Effort
from logicoder.engine.arrays.rules.counted import Counted, Worth
from logicoder.engine.arrays.rules.rule_tables import RuleTables, View, sparse_rows
from logicoder.engine.arrays.rules.spaces import Space, key_columns
from logicoder.logic.rules import Literal, Rule, renumbered

_FAN = 2
"""Values that a thing may have on the average."""

_MOST_PATHS = 200
"""Columns of things of one type, and of what these lead to, that are compared."""

_MOST_PAIRS = 1_000
"""Pairs of columns that are compared for each type, those of fewest literals first."""

_MOST_CONSTANTS = 50
"""Constants of a head that are tried, those with most facts."""

_PAIR_TUPLES = 3_000
"""What it takes to compare two columns that hold nothing, in tuples."""

Path = tuple[View, ...]


class _Meeting(NamedTuple):
    """Two paths from a thing that may lead to the same, and the things of which that is so."""

    paths: tuple[Path, Path]
    values: NDArray[np.integer]

    @property
    def predicates(self) -> set[str]:
        return {view.predicate for path in self.paths for view in path}

    @property
    def body(self) -> tuple[Literal, ...]:
        """The literals about a thing 0."""
        body: list[Literal] = []
        fresh = 2  # 1 is where the paths meet
        for path in self.paths:
            at = 0
            for view in path[:-1]:
                then = fresh
                made, fresh = view.literal(at, then, fresh + 1)
                body.append(made)
                at = then
            made, fresh = path[-1].literal(at, 1, fresh)
            body.append(made)
        return tuple(body)


def meeting_rules(
    tables: RuleTables, spaces: Sequence[Space], least: Sequence[int], worth: Worth, effort: Effort
) -> Iterator[Counted]:
    """Iterate over the rules that can pay."""
    if tables.database.worlds > 1:
        return
    found: dict[int, tuple[list[_Meeting], Any]] = {}
    for number, space in enumerate(spaces):
        if len(space.types) > 2 or not space.packed or space.symmetric or space.facts < least[number]:
            continue
        for place, kind in enumerate(space.types):
            if kind not in found:
                made = list(_meetings(tables, kind, effort))
                size = tables.database.sizes[kind]
                found[kind] = made, sparse_rows([one.values for one in made], size)
            meetings, matrix = found[kind]
            if meetings:
                yield from _of(tables, number, space, place, meetings, matrix, least[number], worth, effort)


def _of(
    tables: RuleTables,
    number: int,
    space: Space,
    place: int,
    meetings: Sequence[_Meeting],
    matrix: Any,
    least: int,
    worth: Worth,
    effort: Effort,
) -> Iterator[Counted]:
    """Iterate over rules of one head for a variable in some place and constants elsewhere."""
    columns = key_columns(space.keys, space.sizes)
    heads: list[tuple[tuple[int | str, ...], NDArray[np.integer]]] = [((0,), columns[place])]
    if len(columns) == 2:
        other = columns[1 - place]
        counts = np.bincount(other, minlength=space.sizes[1 - place])
        often = np.argsort(-counts, kind="stable")[:_MOST_CONSTANTS]
        database = tables.database
        names = database.symbol_of[space.types[1 - place]]
        heads = []
        for value in often[counts[often] >= least].tolist():
            constant = database.symbols[names[value]]
            head: tuple[int | str, ...] = (0, constant) if place == 0 else (constant, 0)
            heads.append((head, columns[place][other == value]))
    if not heads or not effort.spend(len(heads) * matrix.nnz):
        return
    mask = space.masks[place]
    derived = matrix @ (np.ones(matrix.shape[1]) if mask is None else mask.astype(float))
    foreign = np.array([space.predicate not in one.predicates for one in meetings])
    literals = np.array([sum(map(len, one.paths)) for one in meetings])
    for head, values in heads:
        true = matrix @ np.bincount(values, minlength=matrix.shape[1]).astype(float)
        for count in np.unique(literals).tolist():
            some = np.flatnonzero(foreign & (literals == count) & (true >= least))
            paying = worth(np.full(len(some), number), derived[some], true[some], count) > 0
            for i in some[paying].tolist():
                rule = Rule(head, renumbered(meetings[i].body, 1))
                yield Counted(number, rule, round(derived[i]), round(true[i]))


def _meetings(tables: RuleTables, kind: int, effort: Effort) -> Iterator[_Meeting]:
    """Iterate over pairs of paths from things of some type that lead to the same sometimes, not always."""
    narrow = [view for view in tables.views if view.matrix.nnz and view.matrix.nnz <= _FAN * _rows(view)]
    first = [view for view in narrow if view.types[0] == kind != view.types[1]][:_MOST_PATHS]
    steps: dict[int, list[View]] = {}
    for step in narrow:
        if step.types[1] != kind:
            steps.setdefault(step.types[0], []).append(step)
    paths: list[tuple[Path, Any]] = [((view,), view.matrix) for view in first]
    for view in first:
        for step in steps.get(view.types[1], ())[:_MOST_PATHS]:
            if len(paths) >= _MOST_PATHS or step.predicate == view.predicate:
                continue
            if effort.spend(int(view.column_sizes.astype(np.int64) @ step.row_sizes) + _PAIR_TUPLES):
                paths.append(((view, step), view.matrix @ step.matrix))
    pairs = [
        pair
        for pair in combinations(paths, 2)
        if pair[0][0][-1].types[1] == pair[1][0][-1].types[1] and pair[0][0][0] is not pair[1][0][0]
    ]
    pairs.sort(key=lambda pair: sum(len(path) for path, _ in pair))
    for (one, left), (other, right) in pairs[:_MOST_PAIRS]:
        if not effort.spend(left.nnz + right.nnz + _PAIR_TUPLES):
            return
        same = np.flatnonzero(np.diff(left.multiply(right).tocsr().indptr))
        both = np.diff(left.indptr).astype(bool) & np.diff(right.indptr).astype(bool)
        if 0 < len(same) < np.count_nonzero(both):
            yield _Meeting((one, other), same)


def _rows(view: View) -> int:
    return int(np.count_nonzero(view.row_sizes))
