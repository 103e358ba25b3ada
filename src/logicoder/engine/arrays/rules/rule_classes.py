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

_SMALL = 1 << 16
"""Up to so many possible atoms, tables of all of them are made."""

_NONE = np.empty(0, np.int64)


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
    everything = prod(max(1, size) for size in space.sizes)
    total = sum(map(len, derived))
    if everything <= max(_SMALL, 2 * total):
        atoms, places = None, derived
    else:
        atoms = np.unique(np.concatenate([*derived, _NONE]))
        places = [np.searchsorted(atoms, keys) for keys in derived]
        everything = len(atoms)
    # A random number of 128 bits for each rule: atoms with equal sums have equal rules.
    random = np.random.default_rng(0).integers(-(2**63), 2**63 - 1, (len(derived), 2), dtype=np.int64)
    sums = np.zeros((everything, 2), np.int64)
    for number, own in zip(random, places, strict=True):
        sums[own] ^= number
    covered = np.flatnonzero(sums.any(axis=1))
    sums = sums[covered]
    order = np.argsort(sums[:, 0])
    ordered = sums[order]
    new = np.ones(len(order), np.bool_)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    which = np.empty(len(order), np.int64)
    which[order] = np.cumsum(new) - 1
    number = int(new.sum())
    keys = covered if atoms is None else atoms[covered]
    first = np.full(everything, -1, np.int32)
    first[covered[order[new]]] = np.arange(number)
    held = [first[own] for own in places]
    classes = [own[own >= 0] for own in held]
    rules = np.repeat(np.arange(len(derived), dtype=np.int32), [len(own) for own in classes])
    of_rule = np.concatenate([*classes, _NONE])
    return Classes(
        len(derived),
        np.concatenate([[0], np.cumsum(np.bincount(of_rule, minlength=number))]).astype(np.int64),
        rules[np.argsort(of_rule, kind="stable")],
        np.bincount(which, minlength=number).astype(float),
        np.bincount(which[space.true(keys)], minlength=number).astype(float),
    )
