"""Predicates that have exactly one fact for each value of a place: what is left to say is what else it holds.

Nobody has to say that a predicate is like that. Every value of a told domain has a fact; once the number of
facts is known, and it is that of the values, each of them has one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from logicoder.base.sorted_keys import distinct
from logicoder.compression.code import log2_choose
from logicoder.engine.arrays.relation import Keys
from logicoder.engine.arrays.rules.spaces import (
    Space,
    function_options,
    function_place,
    key_columns,
    row_keys,
)

_TIE = 1e-6
"""Lengths that differ by less are the same for sender and receiver, wherever they compute them."""


@dataclass(frozen=True, eq=False)
class Functional:
    """A predicate of which some facts are known, and how many are left.

    Attributes:
        space: its possible atoms; of its facts none is used.
        found: the facts that rules derive.
    """

    space: Space
    found: Keys

    def options(self, left: int) -> int:
        """Return how many facts there could be of each value that has one, if so many facts are left."""
        if self.space.apart:
            return 0
        return function_options(self.space.values, self.space.places, len(self.found) + left)

    def pays(self, left: int, total: int) -> bool:
        """Whether that is shorter than which of all atoms are facts."""
        options = self.options(left)
        return options > 0 and left * np.log2(options) <= float(log2_choose(total, left)) + _TIE

    def numbers(self, keys: Keys) -> list[int]:
        """Return for each fact, in the order of the values, which of the options it is."""
        place = self._place(len(keys))
        columns = key_columns(keys, self.space.sizes)
        order = np.argsort(columns[place], kind="stable")
        found = np.zeros(len(keys), np.int64)
        for other, column in enumerate(columns):
            if other != place:
                members = self._members(other)
                found = found * len(members) + np.searchsorted(members, column)
        return [int(number) for number in found[order]]

    def keys(self, numbers: list[int]) -> Keys:
        """Return the facts, given which of the options each is."""
        place, sizes = self._place(len(numbers)), self.space.sizes
        known = distinct(key_columns(self.found, sizes)[place])
        columns = {place: np.setdiff1d(self._members(place), known, assume_unique=True)}
        left = np.array(numbers, np.int64)
        for other in reversed(range(len(sizes))):
            if other != place:
                members = self._members(other)
                left, at = np.divmod(left, len(members))
                columns[other] = members[at]
        return np.sort(row_keys([columns[number] for number in range(len(sizes))], sizes))

    def _place(self, left: int) -> int:
        found = function_place(self.space.values, self.space.places, len(self.found) + left)
        if found is None:
            raise ValueError(f"{self.space.predicate} has no place each value of which has one fact")
        return found[0]

    def _members(self, place: int) -> Keys:
        mask = self.space.masks[place]
        return np.arange(self.space.sizes[place]) if mask is None else np.flatnonzero(mask)
