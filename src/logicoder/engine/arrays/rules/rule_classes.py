"""Coverage classes of rules: atoms that the same rules derive, how many there are and how many are true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from logicoder.engine.arrays.relation import Keys
from logicoder.engine.arrays.rules.spaces import Space


@dataclass(frozen=True, eq=False)
class Classes:
    """Classes of atoms, and which rules derive them: as lists, since most rules derive few of them.

    Attributes:
        number: number of rules.
        ends: for each class, where its rules begin, and where the last one ends.
        rules: the rules of all classes, class by class.
        atoms: number of atoms of each class.
        true: number of facts among them.
    """

    number: int
    ends: NDArray[np.int64]
    rules: NDArray[np.int32]
    atoms: NDArray[np.float64]
    true: NDArray[np.float64]

    @cached_property
    def _of_rule(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        order = np.argsort(self.rules, kind="stable")
        classes = np.repeat(np.arange(len(self.atoms)), np.diff(self.ends))[order]
        return np.concatenate([[0], np.cumsum(np.bincount(self.rules, minlength=self.number))]), classes

    def of_rule(self, rule: int) -> NDArray[np.int64]:
        """Return the classes that a rule derives."""
        ends, classes = self._of_rule
        return classes[ends[rule] : ends[rule + 1]]

    @cached_property
    def totals(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Derived and true atoms of every rule."""
        return self.sums(np.arange(len(self.atoms)))

    def sums(self, classes: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return how many atoms of some classes, and how many facts among them, every rule derives."""
        starts, lengths = self.ends[classes], np.diff(self.ends)[classes]
        steps = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        rules = self.rules[np.repeat(starts, lengths) + steps]
        atoms, true = (
            np.bincount(rules, np.repeat(counts[classes], lengths), self.number).astype(float, copy=False)
            for counts in (self.atoms, self.true)
        )
        return atoms, true


def classes_of_atoms(space: Space, derived: Sequence[Keys]) -> Classes:
    """Return the coverage classes of some sets of atoms of a space."""
    numbers = np.repeat(np.arange(len(derived), dtype=np.int32), [len(keys) for keys in derived])
    keys = np.concatenate(derived)
    order = np.argsort(keys, kind="stable")
    keys, numbers = keys[order], numbers[order]
    begins = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]])) if len(keys) else order
    # A random number of 128 bits for each rule: sets of rules with equal sums are equal.
    random = np.random.default_rng(0).integers(-(2**63), 2**63 - 1, (2, len(derived)), dtype=np.int64)
    high, low = (np.bitwise_xor.reduceat(row[numbers], begins) if len(keys) else keys for row in random)
    by_hash = np.lexsort((low, high))
    new = np.ones(len(begins), np.bool_)
    new[1:] = (np.diff(high[by_hash]) != 0) | (np.diff(low[by_hash]) != 0)
    which = np.empty(len(begins), np.int64)
    which[by_hash] = np.cumsum(new) - 1
    first = by_hash[new]
    lengths = np.diff(np.append(begins, len(keys)))
    ends = np.concatenate([[0], np.cumsum(lengths[first])])
    steps = np.arange(int(ends[-1])) - np.repeat(ends[:-1], lengths[first])
    true = space.true(keys[begins])
    return Classes(
        len(derived),
        ends,
        numbers[np.repeat(begins[first], lengths[first]) + steps],
        np.bincount(which, minlength=len(first)).astype(float),
        np.bincount(which[true], minlength=len(first)).astype(float),
    )
