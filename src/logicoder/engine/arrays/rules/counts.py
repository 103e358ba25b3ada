"""Candidate rules with what they derive: shape by shape over all predicates at once, as far as they can pay.

Every shape counts true atoms first and goes on only with what has enough of them: a rule must pay for itself.
How many tuples a join has is known before any of them is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from logicoder.base.effort import Effort
from logicoder.base.sorted_keys import in_sorted
from logicoder.engine.arrays.relation import Keys, distinct_keys
from logicoder.engine.arrays.rules.chain_products import matrix_keys
from logicoder.engine.arrays.rules.counted import Counted, Numbers, Worth
from logicoder.engine.arrays.rules.dense_chains import DenseChains
from logicoder.engine.arrays.rules.rule_tables import (
    Column,
    RuleTables,
    View,
    chain_of,
    join_size,
)
from logicoder.engine.arrays.rules.spaces import Space, key_columns
from logicoder.engine.arrays.rules.through import Through
from logicoder.engine.arrays.rules.walks import Walks
from logicoder.logic.rules import Rule

_MANY_PAIRS = 2_000
"""Chains of two views, beyond which the most promising ones come first and others not at all."""

_MOST_CHAINS = 200
"""Chains that are looked at for each head where there are many."""

_SAMPLE = 200
"""Facts of a head by which walks are counted where there are many."""

_PAIR_TUPLES = 5_000
"""What it takes to multiply two sparse matrices that hold nothing, in tuples."""


class _Members:
    """Which of several sets of keys hold a key: all of them in one sorted array."""

    def __init__(self, sets: Sequence[Keys]) -> None:
        owners = np.repeat(np.arange(len(sets)), [len(keys) for keys in sets])
        keys = np.concatenate(sets) if sets else np.empty(0, np.int64)
        order = np.argsort(keys, kind="stable")
        self._keys, self._owners, self._number = keys[order], owners[order], len(sets)

    def counts(self, keys: Keys) -> Numbers:
        """Return for each set how many of some distinct keys it holds."""
        if len(keys) > len(self._keys):
            held = self._owners[in_sorted(self._keys, keys)]
            return np.bincount(held, minlength=self._number)
        first = np.searchsorted(self._keys, keys, "left")
        times = np.searchsorted(self._keys, keys, "right") - first
        some = times > 0
        first, times = first[some], times[some]
        steps = np.arange(int(times.sum())) - np.repeat(np.cumsum(times) - times, times)
        return np.bincount(self._owners[np.repeat(first, times) + steps], minlength=self._number)


@dataclass
class RuleCounts:
    """Counts candidate rules for some spaces.

    Attributes:
        tables: the relations that rules may use.
        spaces: the heads.
        least: for each space, the fewest true atoms with which a rule can pay.
        worth: whether rules of some numbers of literals can pay, given spaces, derived and true atoms.
        effort: what it may cost.
    """

    tables: RuleTables
    spaces: Sequence[Space]
    least: Sequence[int]
    worth: Worth
    effort: Effort

    @cached_property
    def walks(self) -> Walks:
        """The views as a graph."""
        return Walks(self.tables, self.effort)

    @cached_property
    def _groups(self) -> list[_Group]:
        """The spaces by their types."""
        groups: dict[tuple[int, ...], list[int]] = {}
        for number, space in enumerate(self.spaces):
            if space.packed and space.facts and len(space.types) <= 2:
                groups.setdefault(space.types, []).append(number)
        return [_Group(self, types, numbers) for types, numbers in groups.items()]

    def single(self) -> Iterator[Counted]:
        """Iterate over rules of one literal."""
        for group in self._groups:
            yield from group.single()

    def chains(self) -> Iterator[Counted]:
        """Iterate over rules of two literals that form a chain."""
        for group in self._groups:
            if len(group.types) == 1:
                through = Through(self.tables, self.spaces, group.plain, self.least, self.worth)
                yield from through.counted(self.tables.columns, self.effort)
            else:
                yield from group.chains()

    def through_constants(self, columns: Sequence[Column]) -> Iterator[Counted]:
        """Iterate over rules p(X) :- a(X,Z), b(Z,c), given columns with constants."""
        for group in self._groups:
            if len(group.types) == 1:
                through = Through(self.tables, self.spaces, group.plain, self.least, self.worth)
                yield from through.counted(columns, self.effort)


class _Group:
    """The spaces over the same types."""

    def __init__(self, counts: RuleCounts, types: tuple[int, ...], numbers: Sequence[int]) -> None:
        self._counts, self._tables, self._effort = counts, counts.tables, counts.effort
        self.types = types
        self._sizes = tuple(self._tables.database.sizes[kind] for kind in types)
        self.plain = np.array([n for n in numbers if not counts.spaces[n].symmetric], np.int64)
        self._paired = np.array([n for n in numbers if counts.spaces[n].symmetric], np.int64)
        self._least = np.array(counts.least, np.int64)

    @cached_property
    def _members(self) -> list[tuple[_Members, Numbers, Callable[[Keys], Keys]]]:
        spaces = self._counts.spaces
        return [
            (_Members([spaces[n].keys for n in numbers]), numbers, seen)
            for numbers, seen in ((self.plain, np.asarray), (self._paired, self._unordered))
            if len(numbers)
        ]

    # -- judging one rule -------------------------------------------------------------------------------

    def judge(self, keys: Keys, rule: Callable[[], Rule]) -> Iterator[Counted]:
        """Count a rule for all spaces whose predicate it does not use."""
        if not len(keys):
            return
        made: Rule | None = None
        for members, numbers, seen in self._members:
            true = members.counts(seen(keys))
            for place in np.flatnonzero(true >= self._least[numbers]).tolist():
                number = int(numbers[place])
                space = self._counts.spaces[number]
                made = made or rule()
                if space.predicate not in made.predicates:
                    yield Counted(number, made, len(space.within(keys)), int(true[place]))

    def _unordered(self, keys: Keys) -> Keys:
        first, second = key_columns(keys, self._sizes)
        off = first != second
        low, high = np.minimum(first, second)[off], np.maximum(first, second)[off]
        return distinct_keys(low * self._sizes[1] + high, self._sizes[0] * self._sizes[1])

    def single(self) -> Iterator[Counted]:
        """p(X) :- a(X), and p(X,Y) :- a(X,Y), columns being projected and turned as needed."""
        if len(self.types) == 1:
            for column in self._tables.columns:
                if column.kind == self.types[0] and self._effort.spend(len(column.values)):
                    yield from self.judge(column.values, partial(_holds, column))
            return
        for view in self._tables.views:
            if view.types == self.types and self._effort.spend(view.matrix.nnz):
                yield from self.judge(view.keys, partial(chain_of, [view]))

    # -- chains -------------------------------------------------------------------------------------------

    def chains(self) -> Iterator[Counted]:
        """p(X,Y) :- a(X,Z), b(Z,Y), columns being projected and turned as needed."""
        firsts = [view for view in self._tables.views if view.types[0] == self.types[0]]
        seconds = [view for view in self._tables.views if view.types[1] == self.types[1]]
        pairs, walks = _all_pairs(firsts, seconds)
        counts = self._counts
        dense = DenseChains.fitting(
            self._tables, counts.spaces, self.plain, self._paired, firsts, seconds, self._effort
        )
        if dense is not None and dense.work < walks + _PAIR_TUPLES * pairs:
            yield from dense.counted(counts.least, counts.worth)
            return
        if pairs > _MANY_PAIRS:
            chosen = self._promising(firsts, seconds)
        else:
            found = [
                (join_size(left, right), a, b)
                for a, left in enumerate(firsts)
                for b, right in enumerate(seconds)
                if left.types[1] == right.types[0]
            ]
            chosen = [(firsts[a], seconds[b]) for size, a, b in sorted(found) if size]
        for left, right in chosen:
            if self._effort.spend(join_size(left, right)):
                keys = matrix_keys(left.matrix @ right.matrix)
                yield from self.judge(keys, partial(chain_of, [left, right]))

    def _promising(self, firsts: Sequence[View], seconds: Sequence[View]) -> list[tuple[View, View]]:
        """Return chains by which facts of heads are reached, by samples, the most promising first."""
        walks = self._counts.walks
        usable = {id(view) for view in firsts}, {id(view) for view in seconds}
        best: dict[tuple[int, ...], float] = {}
        sizes: dict[tuple[int, ...], int] = {}
        for number in (*self.plain, *self._paired):
            space = self._counts.spaces[number]
            self._effort.check()
            for true, chain in walks.likely(space, 2, _SAMPLE, int(self._least[number]), _MOST_CHAINS):
                left, right = (walks.views[view] for view in chain)
                if id(left) not in usable[0] or id(right) not in usable[1]:
                    continue
                if chain not in sizes:
                    sizes[chain] = join_size(left, right)
                density = space.atoms / space.facts * true / max(true, sizes[chain])
                worth = true * np.log2(1 + density)
                if sizes[chain] <= self._effort.largest and worth > best.get(chain, 0):
                    best[chain] = worth
        order = sorted(best, key=lambda chain: (-best[chain], chain))
        return [(walks.views[chain[0]], walks.views[chain[1]]) for chain in order]


def _holds(column: Column) -> Rule:
    return Rule((0,), (column.literal(0, 1)[0],))


def _all_pairs(firsts: Sequence[View], seconds: Sequence[View]) -> tuple[int, int]:
    """Return how many chains of two views there are, and how many walks they have together."""
    pairs = walks = 0
    for kind in {view.types[1] for view in firsts}:
        left = [view for view in firsts if view.types[1] == kind]
        right = [view for view in seconds if view.types[0] == kind]
        if right:
            pairs += len(left) * len(right)
            ends = np.sum([view.column_sizes for view in left], axis=0, dtype=np.int64)
            begins = np.sum([view.row_sizes for view in right], axis=0, dtype=np.int64)
            walks += int(np.dot(ends, begins))
    return pairs, walks
