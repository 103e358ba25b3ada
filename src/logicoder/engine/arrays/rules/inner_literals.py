"""Rules with one more literal anywhere, found from facts: what holds around true atoms and not false ones.

A sample of the atoms of a rule is joined with its body, so that all its variables have values. Then every
literal about two variables, about one that is not of the head, and every pair of literals that leads
away from a variable or holds for the same two is looked up in these rows. What tells true from false atoms
best is evaluated in full.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from itertools import chain, combinations, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logicoder.base.effort import Effort
from logicoder.base.sorted_keys import in_sorted
from logicoder.engine.arrays.join import Bindings, JoinTooLargeError, join
from logicoder.engine.arrays.relation import Keys
from logicoder.engine.arrays.rules.counted import Counted, Worth
from logicoder.engine.arrays.rules.rule_tables import Column, RuleTables, View, sparse_rows
from logicoder.engine.arrays.rules.spaces import Space, key_columns
from logicoder.logic.rules import Literal, Rule

_SAMPLE = 150
"""True atoms and false ones that are looked at."""

_ROWS = 100_000
"""Rows of the sample with all variables."""

_TRIED = 5
"""Literals that are evaluated for each rule."""

_MOST_LOOKS = 500_000
"""Rows times literals that are looked up for each rule."""

_BODY = 200
"""What it takes to look up a literal in no rows at all, in tuples."""

_ATOM = "atom"
"""Stands for the number of an atom among the variables of the sample."""

Body = tuple[Literal, ...]
Masks = NDArray[np.bool_]
Shares = tuple[Body, float, float]
"""A body, and the shares of true and of false atoms that it keeps."""

Turned = tuple[int, View, Literal]
"""1 or -1 for two variables as they are or turned round, a view, and its literal about them."""

Look = tuple[int, Callable[[], list[Shares]]]
"""How many literals are looked up, and how."""


class InnerLiterals:
    """Makes longer rules for some spaces.

    Args:
        tables: the relations that rules may use.
        spaces: the heads.
        least: for each space, the fewest true atoms with which a rule can pay.
        worth: whether rules can pay.
        effort: what it may cost.
    """

    def __init__(
        self,
        tables: RuleTables,
        spaces: Sequence[Space],
        least: Sequence[int],
        worth: Worth,
        effort: Effort,
    ) -> None:
        self._tables, self._spaces, self._least = tables, spaces, least
        self._worth, self._effort = worth, effort
        self._done: set[tuple[int, Rule]] = set()

    def counted(self, best: Sequence[Counted]) -> Iterator[Counted]:
        """Iterate over the longer ones of some rules."""
        for item in best:
            self._effort.check()
            space = self._spaces[item.space]
            key = item.space, item.rule
            apt = item.true < item.derived and not space.symmetric and not item.rule.constants
            if apt and key not in self._done:
                self._done.add(key)
                yield from self._longer(item, space)

    def _longer(self, item: Counted, space: Space) -> Iterator[Counted]:
        try:
            atoms = space.within(self._tables.atoms(space.types, item.rule, self._effort))
            true = space.true(atoms)
            sample = _Sample(self._tables, space, item.rule, atoms, true)
        except JoinTooLargeError:
            return
        for body in self._best(item, list(self._looked_up(sample, item.rule, space.predicate))):
            rule = Rule(item.rule.head, body)
            try:
                longer = space.within(self._tables.atoms(space.types, rule, self._effort))
            except JoinTooLargeError:
                continue
            yield Counted(item.space, rule, len(longer), int(space.true(longer).sum()))

    def _best(self, item: Counted, looked: Sequence[Shares]) -> list[Body]:
        """Return the bodies that would be worth most, were all atoms as the sample is."""
        right, wrong = (np.array([shares[i] for shares in looked], float) for i in (1, 2))
        true = np.append(right * item.true, item.true)
        derived = true + np.append(wrong, 1.0) * (item.derived - item.true)
        literals = np.array([*(len(body) for body, _, _ in looked), len(item.rule.body)])
        worth = np.empty(len(true))
        for number in np.unique(literals).tolist():
            own = np.flatnonzero(literals == number)
            worth[own] = self._worth(np.full(len(own), item.space), derived[own], true[own], number)
        better = np.flatnonzero((worth > worth[-1]) & (true >= self._least[item.space]))
        best = better[np.argsort(-worth[better], kind="stable")][:_TRIED]
        return [looked[i][0] for i in best.tolist()]

    # -- literals that are looked up ------------------------------------------------------------------------

    def _looked_up(self, sample: _Sample, rule: Rule, without: str) -> Iterator[Shares]:
        """Iterate over longer bodies and the shares of true and of false atoms that they keep."""
        fresh = 1 + max(sample.variables)
        looks = _MOST_LOOKS
        for looked, found in chain(
            self._pairs(sample, rule, fresh),
            self._single(sample, rule, fresh),
            self._steps(sample, rule, fresh),
            self._twice(sample, rule, fresh),
        ):
            looks -= sample.rows * looked
            if looks <= 0 or not self._effort.spend((sample.rows + _BODY) * looked):
                return
            yield from (
                shares
                for shares in found()
                if all(item.predicate != without for item in shares[0][len(rule.body) :])
            )

    def _pairs(self, sample: _Sample, rule: Rule, fresh: int) -> Iterator[Look]:
        """Literals about two variables."""
        for first, second in permutations(sample.variables, 2):
            for view in self._tables.views:
                literal, _ = view.literal(first, second, fresh)
                if view.types == (sample.types[first], sample.types[second]) and literal not in rule.body:
                    yield 1, partial(sample.pair, (*rule.body, literal), first, second, view)

    def _twice(self, sample: _Sample, rule: Rule, fresh: int) -> Iterator[Look]:
        """Two literals about the same two variables, where there is one literal so far."""
        for first, second in combinations(sample.variables, 2) if len(rule.body) == 1 else ():
            own = [
                (turn, view, view.literal((first, second)[turn < 0], (second, first)[turn < 0], fresh)[0])
                for turn in (1, -1)
                for view in self._tables.views
                if view.types == (sample.types[first], sample.types[second])[::turn]
            ]
            own = [(turn, view, literal) for turn, view, literal in own if literal not in rule.body]
            for place, one in enumerate(own):
                others = own[place + 1 :]
                if others:
                    yield len(others), partial(sample.both, rule.body, (first, second), one, others)

    def _single(self, sample: _Sample, rule: Rule, fresh: int) -> Iterator[Look]:
        """Literals about one variable that is not of the head."""
        for variable in sample.variables:
            own, matrix = self._columns.get(sample.types[variable], ((), None))
            if variable not in rule.head and own:
                bodies = [(*rule.body, column.literal(variable, fresh)[0]) for column in own]
                yield len(own), partial(sample.columns, bodies, variable, matrix)

    def _steps(self, sample: _Sample, rule: Rule, fresh: int) -> Iterator[Look]:
        """Two literals that lead away from a variable, where there is one literal so far."""
        for variable in sample.variables if len(rule.body) == 1 else ():
            for view in self._tables.views:
                own, matrix = self._columns.get(view.types[1], ((), None))
                if view.types[0] == sample.types[variable] and own:
                    step, following = view.literal(variable, fresh, fresh + 1)
                    bodies = [(*rule.body, step, column.literal(fresh, following)[0]) for column in own]
                    yield len(own), partial(sample.columns, bodies, variable, matrix, view.matrix)

    @cached_property
    def _columns(self) -> dict[int, tuple[list[Column], Any]]:
        """By type, all columns and a matrix that tells for each entity in which it occurs."""
        by_type: dict[int, list[Column]] = {}
        for column in self._tables.columns:
            by_type.setdefault(column.kind, []).append(column)
        sizes = self._tables.database.sizes
        return {
            kind: (own, sparse_rows([column.values for column in own], sizes[kind]).T.tocsr())
            for kind, own in by_type.items()
        }


class _Sample:
    """Some atoms of a rule, true ones first, with values for all its variables."""

    def __init__(
        self, tables: RuleTables, space: Space, rule: Rule, atoms: Keys, true: NDArray[np.bool_]
    ) -> None:
        right, wrong = _some(atoms[true]), _some(atoms[~true])
        self._right, self._wrong = len(right), len(wrong)
        keys = np.concatenate([right, wrong])
        columns: dict[Any, Any] = dict(zip(rule.head, key_columns(keys, space.sizes), strict=True))
        types: dict[Any, int] = dict(zip(rule.head, space.types, strict=True))
        current = Bindings(types | {_ATOM: 0}, columns | {_ATOM: np.arange(len(keys))}, len(keys))
        left = [tables.bindings(item) for item in rule.body]
        while left:
            following = next((t for t in left if not current.columns.keys().isdisjoint(t.columns)), left[0])
            left = [table for table in left if table is not following]
            current = join(tables.database, current, following, _ROWS)
        self.types = current.types
        self.variables = [v for v in current.columns if v != _ATOM]
        order = np.argsort(current.columns[_ATOM], kind="stable")
        self._values = {v: current.columns[v][order].astype(np.int64) for v in self.variables}
        self._atom = current.columns[_ATOM][order]
        self.rows = len(order)
        self._looked: dict[Literal, Masks] = {}
        self._begins = np.flatnonzero(np.concatenate([[True], self._atom[1:] != self._atom[:-1]]))

    def pair(self, body: Body, first: int, second: int, view: View) -> list[Shares]:
        """Return the shares that a body keeps whose last literal is about two variables."""
        keys = self._values[first] * view.matrix.shape[1] + self._values[second]
        return [(body, *self.kept(in_sorted(keys, view.keys)[:, None])[0])]

    def both(
        self, body: Body, variables: tuple[int, int], one: Turned, others: Sequence[Turned]
    ) -> list[Shares]:
        """Return the shares that a body keeps with one literal and each of others about two variables."""
        masks = np.column_stack([self._held(variables, *item) for item in others])
        kept = self.kept(masks & self._held(variables, *one)[:, None])
        return [((*body, one[2], other[2]), *shares) for other, shares in zip(others, kept, strict=True)]

    def _held(self, variables: tuple[int, int], turn: int, view: View, literal: Literal) -> Masks:
        """Return in which rows a literal holds; they are looked up once."""
        if literal not in self._looked:
            first, second = variables[::turn]
            keys = self._values[first] * view.matrix.shape[1] + self._values[second]
            self._looked[literal] = in_sorted(keys, view.keys)
        return self._looked[literal]

    def columns(self, bodies: Sequence[Body], variable: int, matrix: Any, step: Any = None) -> list[Shares]:
        """Return the shares for all columns of a matrix that hold a variable, or what a step leads to."""
        values, places = np.unique(self._values[variable], return_inverse=True)
        held = matrix[values] if step is None else step[values] @ matrix
        kept = self.kept(held.toarray()[places] > 0)
        return [(body, *shares) for body, shares in zip(bodies, kept, strict=True)]

    def kept(self, masks: Masks) -> list[tuple[float, float]]:
        """Return the shares of true and of false atoms with a row that passes, for each column of masks."""
        passed = np.logical_or.reduceat(masks, self._begins, axis=0)
        is_right = self._atom[self._begins] < self._right
        right, wrong = passed[is_right].sum(0), passed[~is_right].sum(0)
        shares = right / max(1, self._right), wrong / max(1, self._wrong)
        return list(zip(*(share.tolist() for share in shares), strict=True))


def _some(atoms: Keys) -> Keys:
    return atoms[:: max(1, len(atoms) // _SAMPLE)][: 2 * _SAMPLE]
