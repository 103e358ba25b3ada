"""Coverage classes of rules: atoms that the same rules derive, how many there are and how many are true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

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
    keys, numbers = _by_atom(derived, prod(max(1, size) for size in space.sizes))
    nothing = np.empty(0, np.int64)
    begins = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]])) if len(keys) else nothing
    # A random number of 128 bits for each rule: atoms with equal sums have equal rules.
    random = np.random.default_rng(0).integers(-(2**63), 2**63 - 1, (2, len(derived)), dtype=np.int64)
    high, low = (np.bitwise_xor.reduceat(row[numbers], begins) if len(keys) else nothing for row in random)
    by_hash = np.argsort(high)
    high, low = high[by_hash], low[by_hash]
    new = np.ones(len(begins), np.bool_)
    new[1:] = (high[1:] != high[:-1]) | (low[1:] != low[:-1])
    which = np.empty(len(begins), np.int64)
    which[by_hash] = np.cumsum(new) - 1
    first = by_hash[new]
    lengths = np.diff(np.append(begins, len(keys)))[first]
    ends = np.concatenate([[0], np.cumsum(lengths)])
    places = np.repeat(begins[first] - ends[:-1], lengths) + np.arange(int(ends[-1]))
    true = space.true(keys[begins])
    return Classes(
        len(derived),
        ends,
        numbers[places],
        np.bincount(which, minlength=len(first)).astype(float),
        np.bincount(which[true], minlength=len(first)).astype(float),
    )


def _by_atom(derived: Sequence[Keys], everything: int) -> tuple[Keys, NDArray[np.int32]]:
    """Return all atoms, sorted, and the number of the rule of each."""
    rules = len(derived)
    if everything * rules < 2**62:
        # An atom and its rule as one number: sorting these is quicker than finding an order.
        both = np.concatenate([keys * rules + rule for rule, keys in enumerate(derived)])
        both.sort()
        keys, numbers = np.divmod(both, rules)
        return keys, numbers.astype(np.int32)
    keys = np.concatenate(derived)
    owners = np.repeat(np.arange(rules, dtype=np.int32), [len(own) for own in derived])
    order = np.argsort(keys, kind="stable")
    return keys[order], owners[order]
