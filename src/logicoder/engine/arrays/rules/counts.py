"""Candidate rules with what they derive: shape by shape over all predicates at once, as far as they can pay.

Every shape counts true atoms first and goes on only with what has enough of them: a rule must pay for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import log2

import numpy as np

from logicoder.engine.arrays.relation import Keys, distinct_keys
from logicoder.engine.arrays.rules.counted import Counted, Effort, Worth
from logicoder.engine.arrays.rules.dense_chains import DenseChains
from logicoder.engine.arrays.rules.rule_tables import (
    Column,
    RuleTables,
    View,
    chain_of,
    join_size,
    matrix_keys,
)
from logicoder.engine.arrays.rules.spaces import Space, in_sorted, key_columns
from logicoder.engine.arrays.rules.walks import Walks
from logicoder.logic.rules import Rule

_DENSE = 1 << 17
"""Up to so many pairs of entities, chains are multiplied as dense matrices."""

_MANY_PAIRS = 2_000
"""Chains of two views, beyond which the most promising ones come first and others not at all."""

_MOST_CHAINS = 200
"""Chains that are looked at for each head where there are many."""

_SAMPLE = 200
"""Facts of a head by which walks are counted where there are many."""


class _Members:
    """Which of several sets of keys hold a key: all of them in one sorted array."""

    def __init__(self, sets: Sequence[Keys]) -> None:
        owners = np.repeat(np.arange(len(sets)), [len(keys) for keys in sets])
        keys = np.concatenate(sets) if sets else np.empty(0, np.int64)
        order = np.argsort(keys, kind="stable")
        self._keys, self._owners, self._number = keys[order], owners[order], len(sets)

    def counts(self, keys: Keys) -> np.ndarray:
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
        found: the rules so far.
    """

    tables: RuleTables
    spaces: Sequence[Space]
    least: Sequence[int]
    worth: Worth
    effort: Effort
    found: list[Counted] = field(default_factory=list)

    @cached_property
    def walks(self) -> Walks:
        """The views as a graph."""
        return Walks(self.tables)

    def run(self) -> list[Counted]:
        """Count all rules of one literal and of two that form a chain."""
        groups: dict[tuple[int, ...], list[int]] = {}
        for number, space in enumerate(self.spaces):
            if space.packed and space.facts:
                groups.setdefault(space.types, []).append(number)
        for types, numbers in groups.items():
            group = _Group(self, types, numbers)
            if self.effort.stopped():
                break
            if len(types) == 1:
                group.unary()
            elif len(types) == 2:
                group.binary()
        return self.found


class _Group:
    """The spaces over the same types."""

    def __init__(self, counts: RuleCounts, types: tuple[int, ...], numbers: Sequence[int]) -> None:
        self._counts, self._tables, self._effort = counts, counts.tables, counts.effort
        self._types = types
        self._sizes = tuple(self._tables.database.sizes[kind] for kind in types)
        self._plain = [n for n in numbers if not counts.spaces[n].symmetric]
        self._paired = [n for n in numbers if counts.spaces[n].symmetric]
        self._members = _Members([counts.spaces[n].keys for n in self._plain])
        self._pairs = _Members([counts.spaces[n].keys for n in self._paired])

    # -- judging one rule -------------------------------------------------------------------------------

    def judge(self, keys: Keys, rule: Callable[..., Rule], *parts: View | Column) -> None:
        """Count the rule made of some views and columns for all spaces whose predicate these are not of."""
        without = {part.predicate for part in parts}
        spaces, least = self._counts.spaces, self._counts.least
        if not len(keys):
            return
        made: Rule | None = None
        for members, numbers in ((self._members, self._plain), (self._pairs, self._paired)):
            if not numbers:
                continue
            own = keys if members is self._members else self._unordered(keys)
            for number, true in zip(numbers, members.counts(own).tolist(), strict=True):
                if true >= least[number] and spaces[number].predicate not in without:
                    derived = len(spaces[number].within(keys))
                    made = made or rule(*parts)
                    self._counts.found.append(Counted(number, made, derived, true))

    def _unordered(self, keys: Keys) -> Keys:
        first, second = key_columns(keys, self._sizes)
        off = first != second
        low, high = np.minimum(first, second)[off], np.maximum(first, second)[off]
        return distinct_keys(low * self._sizes[1] + high, self._sizes[0] * self._sizes[1])

    # -- unary heads ------------------------------------------------------------------------------------

    def unary(self) -> None:
        """p(X) :- a(X) and p(X) :- a(X,Z), b(Z), columns being projected as needed."""
        (kind,) = self._types
        columns = self._tables.columns
        for column in columns:
            if column.kind == kind:
                self.judge(column.values, _holds, column)
        for view in self._tables.views:
            if view.types[0] != kind:
                continue
            turned = view.matrix.T.tocsr()
            for column in columns:
                if column.kind != view.types[1] or not self._effort.spend(len(column.values)):
                    continue
                keys = np.unique(turned[column.values].indices).astype(np.int64)
                self.judge(keys, _through, view, column)

    # -- binary heads -----------------------------------------------------------------------------------

    def binary(self) -> None:
        """p(X,Y) :- a(X,Y) and p(X,Y) :- a(X,Z), b(Z,Y), columns being projected and turned as needed."""
        for view in self._tables.views:
            if view.types == self._types and self._effort.spend(len(view.keys)):
                self.judge(view.keys, _chain, view)
        firsts = [view for view in self._tables.views if view.types[0] == self._types[0]]
        seconds = [view for view in self._tables.views if view.types[1] == self._types[1]]
        if self._sizes[0] * self._sizes[1] <= _DENSE:
            counts = self._counts
            dense = DenseChains(self._tables, counts.spaces, self._plain, self._paired, counts.least)
            counts.found += dense.counted(firsts, seconds, counts.worth, self._effort)
            return
        pairs = [(a, b) for a in range(len(firsts)) for b in range(len(seconds))]
        pairs = [(a, b) for a, b in pairs if firsts[a].types[1] == seconds[b].types[0]]
        if len(pairs) > _MANY_PAIRS:
            pairs = self._promising(firsts, seconds)
            sized = [(join_size(firsts[a], seconds[b]), a, b) for a, b in pairs]
        else:
            sized = sorted((join_size(firsts[a], seconds[b]), a, b) for a, b in pairs)
        for size, a, b in sized:
            if size and self._effort.spend(size):
                left, right = firsts[a], seconds[b]
                self.judge(matrix_keys(left.matrix @ right.matrix), _chain, left, right)

    def _promising(self, firsts: Sequence[View], seconds: Sequence[View]) -> list[tuple[int, int]]:
        """Return chains by which facts of heads are reached, by samples, the most promising first."""
        walks = self._counts.walks
        left = {id(view): n for n, view in enumerate(firsts)}
        right = {id(view): n for n, view in enumerate(seconds)}
        best: dict[tuple[int, int], float] = {}
        sizes: dict[tuple[int, int], int] = {}
        for number in (*self._plain, *self._paired):
            space = self._counts.spaces[number]
            if not space.facts or self._effort.stopped():
                continue
            reached, sampled = walks.chains(space, 2, _SAMPLE)
            scale = space.facts / sampled
            likely = [
                (count * scale, chain)
                for chain, count in reached.items()
                if count * scale >= self._counts.least[number]
                and all(walks.views[view].predicate != space.predicate for view in chain)
            ]
            for true, chain in sorted(likely, key=lambda entry: (-entry[0], entry[1]))[:_MOST_CHAINS]:
                views = [walks.views[view] for view in chain]
                pair = left[id(views[0])], right[id(views[1])]
                if pair not in sizes:
                    sizes[pair] = join_size(*views)
                worth = true * log2(1 + space.atoms / space.facts * true / max(true, sizes[pair]))
                if sizes[pair] <= self._effort.largest and worth > best.get(pair, 0):
                    best[pair] = worth
        return sorted(best, key=lambda pair: (-best[pair], pair))


def _chain(*views: View) -> Rule:
    return chain_of(views)


def _holds(column: Column) -> Rule:
    return Rule((0,), (column.literal(0, 1)[0],))


def _through(view: View, column: Column) -> Rule:
    first, fresh = view.literal(0, 1, 2)
    second, _ = column.literal(1, fresh)
    return Rule((0,), (first, second))
