"""Whether a rule says more of a value than how common it is.

Where 98 of 100 events are fine, nearly every rule that says so of some of them is right 98 times of 100, and
an event that is not fine is no error. What a rule derives speaks for a change or an addition only if the rule
is clearly less often wrong than the guess of a constant would be.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import log2

import numpy as np
from numpy.typing import NDArray

from logicoder.base.sorted_keys import in_sorted
from logicoder.engine.arrays.relation import Keys
from logicoder.engine.arrays.rules.spaces import key_columns

FUNCTION = 0.9
"""The share of single values from which on a predicate is taken for a function."""

_FEWER = 0.5
"""The share of the exceptions of a constant guess that a rule may have at most."""

_LEAST_BITS = 3.0
"""What a rule must tell beyond the constant guess: with fewer bits the difference may be chance."""

MERE = 0.49
"""The highest score of what rests on how common a value is: no more likely than not."""


Symbols = NDArray[np.int32]


def lifts(right: int, wrong: int, base: float, tried: int = 1) -> bool:
    """Return whether a rule is clearly better than a guess that is right at a base rate.

    Args:
        right: values that the rule gives and that are listed.
        wrong: values that it gives where others are listed.
        base: the share of the value that is guessed.
        tried: of how many rules it is one: the more, the better one of them looks by chance.

    >>> lifts(66, 17, 0.74), lifts(66, 17, 0.3), lifts(3, 0, 0.74)
    (False, True, False)
    """
    number = right + wrong
    if not right or wrong > _FEWER * number * (1 - base):
        return False
    bits = right * log2(right / number / base)
    if wrong:
        bits += wrong * log2(wrong / number / (1 - base))
    return bits >= _LEAST_BITS + log2(tried)


class BaseRates:
    """How common values of a predicate are at the place that its others determine, if they do.

    Args:
        facts: the facts, as sorted keys.
        sizes: number of entities of each place.
        symbols: for each place the symbols of its entities: those of several interpretations share them.
        flag: whether it is a column of a table that is true or false, so that what is not listed is false.
    """

    def __init__(
        self, facts: Keys, sizes: Sequence[int], symbols: Sequence[Symbols], *, flag: bool = False
    ) -> None:
        self._facts, self._sizes, self._symbols, self._flag = facts, tuple(sizes), symbols, flag

    @cached_property
    def functions(self) -> list[tuple[int, Keys, Keys]]:
        """The places that the others determine: for each, the facts by the others, and in order."""
        return list(self._functions())

    def without(self, keys: Keys, place: int) -> Keys:
        """Return numbers of what stands beside one place of atoms."""
        found = np.zeros(len(keys), np.int64)
        for other, column in enumerate(key_columns(keys, self._sizes)):
            if other != place:
                found = found * self._sizes[other] + column
        return found

    def lift(self, atoms: Keys, tried: int = 1) -> bool:
        """Return whether what a rule derives says more than how common its value is.

        Entities without a value count for nothing; where no place is a function, neither do base rates, but
        for columns that are true or false. Of
        several values the most frequent one of all would be the constant guess.
        """
        true = in_sorted(atoms, self._facts)
        if self._flag and len(atoms):
            return lifts(int(true.sum()), int((~true).sum()), len(self._facts) / self._sizes[0], tried)
        if not self.functions or not len(atoms):
            return True
        place, keys, _ = self.functions[0]
        wrong = int(in_sorted(self.without(atoms[~true], place), keys).sum())
        values, counts, groups = self._rates
        own = np.unique(self._values(atoms, place))
        if len(own) == 1:
            counts = counts[values == own[0]]
        return lifts(int(true.sum()), wrong, min(1.0, int(counts.max(initial=0)) / groups), tried)

    @cached_property
    def _rates(self) -> tuple[Symbols, NDArray[np.intp], int]:
        """The values, how many facts have each, and how many entities have any."""
        place, keys, facts = self.functions[0]
        values, counts = np.unique(self._values(facts, place), return_counts=True)
        return values, counts, len(np.unique(keys))

    def _values(self, atoms: Keys, place: int) -> Symbols:
        return self._symbols[place][key_columns(atoms, self._sizes)[place]]

    def _functions(self) -> Iterator[tuple[int, Keys, Keys]]:
        if len(self._sizes) < 2 or not len(self._facts):
            return
        for place in reversed(range(len(self._sizes))):
            keys = self.without(self._facts, place)
            order = np.argsort(keys, kind="stable")
            _, counts = np.unique(keys, return_counts=True)
            if (counts == 1).sum() >= FUNCTION * len(counts):
                yield place, keys[order], self._facts[order]
