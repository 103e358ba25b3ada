"""Relations that go on along another one: `type(X,Z) :- type(X,Y), subclass(Y,Z)`, from few facts to many."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from logicoder.base.effort import Effort
from logicoder.base.sorted_keys import in_sorted, union
from logicoder.engine.arrays.relation import Keys
from logicoder.engine.arrays.rules.chain_products import matrix_keys
from logicoder.engine.arrays.rules.closed_forms import (
    Form,
    Weighed,
    product_blocks,
    reached_from,
    stacked,
)
from logicoder.engine.arrays.rules.rule_tables import RuleTables
from logicoder.engine.arrays.rules.spaces import Space
from logicoder.logic.rules import Literal, Rule, literal

_SAMPLE = 2_000
"""Facts from which is seen whether a relation goes on along another one."""

_MOST_PAIRS = 3_000
"""Pairs of a head and a relation that are looked at."""

_PAIR_TUPLES = 10_000
"""What it takes to look at such a pair, in tuples."""


@dataclass(frozen=True)
class Along:
    """A relation along which another one goes on.

    Attributes:
        predicate: its name.
        columns: the columns from which and to which it leads.
        place: the place of the head that goes on: the second, or the first, which goes back along it.
    """

    predicate: str
    columns: tuple[int, int]
    place: int

    def rule(self, head: str, arity: int) -> Rule:
        """Return p(X,Y) :- p(X,Z), q(Z,Y), or p(X,Y) :- q(X,Z), p(Z,Y)."""
        first, second = self.columns
        given = {first: 2, second: 1} if self.place else {first: 0, second: 2}
        step, _ = literal(self.predicate, arity, given, 3)
        own = Literal(head, (0, 2) if self.place else (2, 1))
        return Rule((0, 1), (own, step) if self.place else (step, own))


def along_of(rule: Rule, head: str) -> Along:
    """Return the relation of a recursive rule.

    Raises:
        ValueError: where the rule is of another kind.
    """
    place = int(rule.body[0].predicate == head)
    step = rule.body[place if len(rule.body) > 1 else 0]
    first, second = (2, 1) if place else (0, 2)
    if step.predicate != head and {first, second} <= set(step.arguments):
        columns = step.arguments.index(first), step.arguments.index(second)
        along = Along(step.predicate, columns, place)
        if along.rule(head, len(step.arguments)) == rule:
            return along
    raise ValueError(f"{rule} is not a rule that extends a relation along another one")


def recursive_form(along: Along, tables: RuleTables) -> Form:
    """Return the closure of a relation that goes on along another one."""
    return form_along(_steps(along, tables), along.place)


def form_along(step: Any, place: int) -> Form:
    """Return the closure of a relation one place of which goes on by the steps of a matrix."""

    def close(space: Space, keys: Keys, effort: Effort | None = None) -> Keys:
        return _closed(space, keys, step, place, effort)

    def bases(space: Space, given: Keys, effort: Effort | None = None) -> Weighed:
        def base(_: int) -> Keys:
            facts = _matrix(space, space.keys, place)
            blocks = product_blocks(facts, step, effort)
            implied = stacked([block.multiply(facts[rows]) for rows, block in blocks])
            bare = np.setdiff1d(space.keys, _keys(space, implied, place), assume_unique=True)
            bare = np.setdiff1d(bare, given, assume_unique=True)
            derived = close(space, union(bare, given), effort)
            return union(bare, np.setdiff1d(space.keys, derived, assume_unique=True))

        return Weighed((0,), base)

    return Form(close, bases)


def promising(tables: RuleTables, spaces: list[Space], effort: Effort) -> Iterator[tuple[int, Along]]:
    """Iterate over spaces that seem to go on along a relation: most steps from some facts are facts."""
    left = _MOST_PAIRS
    for number in sorted(range(len(spaces)), key=lambda n: (-spaces[n].facts, spaces[n].predicate)):
        space = spaces[number]
        some = space.keys[:: max(1, space.facts // _SAMPLE)]
        ends = np.divmod(some, space.sizes[1])
        for view in tables.views:
            if view.predicate == space.predicate or view.types[0] != view.types[1]:
                continue
            for place in (1, 0):
                if view.types[0] != space.types[place] or left <= 0:
                    continue
                if not effort.spend(_PAIR_TUPLES + len(some)):
                    return
                left -= 1
                if _goes_on(space, ends, view.matrix if place else view.matrix.T.tocsr(), place):
                    yield number, Along(view.predicate, view.columns, place)


def _goes_on(space: Space, ends: tuple[Keys, Keys], step: Any, place: int) -> bool:
    """Whether most steps from some facts lead to facts, and enough of them."""
    at = ends[place]
    times = np.diff(step.indptr)[at]
    if not 0 < times.sum() <= 100 * len(at):
        return False
    reached = step[at].tocoo()
    kept = ends[1 - place][reached.row]
    keys = kept * space.sizes[1] + reached.col if place else reached.col * space.sizes[1] + kept
    keys = keys[at[reached.row] != reached.col]
    right = int(in_sorted(np.asarray(keys, np.int64), space.keys).sum())
    return 10 * right >= len(at) and 2 * right >= len(keys)


def _steps(along: Along, tables: RuleTables) -> Any:
    from scipy.sparse import csr_matrix  # noqa: PLC0415  (slow to import)

    relation = tables.relation(along.predicate)
    first, second = (relation.columns[column] for column in along.columns)
    if not along.place:
        first, second = second, first
    moves = first != second  # a step that goes nowhere derives what is there already
    size = tables.database.sizes[relation.types[along.columns[0]]]
    ones = np.ones(int(moves.sum()), np.float32)
    step = csr_matrix((ones, (first[moves], second[moves])), shape=(size, size))
    step.data[:] = 1
    return step


def _matrix(space: Space, keys: Keys, place: int) -> Any:
    """Return atoms as a matrix whose columns are the place that goes on."""
    from scipy.sparse import csr_matrix  # noqa: PLC0415  (slow to import)

    ends = np.divmod(keys, space.sizes[1])
    shape = (space.sizes[1 - place], space.sizes[place])
    return csr_matrix((np.ones(len(keys), np.float32), (ends[1 - place], ends[place])), shape=shape)


def _keys(space: Space, matrix: Any, place: int) -> Keys:
    """Return the atoms of such a matrix that lie within a space."""
    keys = matrix_keys(matrix)
    if not place:
        second, first = np.divmod(keys, space.sizes[0])
        keys = np.sort(first * space.sizes[1] + second)
    return space.within(keys)


def _closed(space: Space, keys: Keys, step: Any, place: int, effort: Effort | None) -> Keys:
    if not len(keys):
        return keys
    reached = reached_from(_matrix(space, keys, place), step, effort)
    return _keys(space, reached, place)
