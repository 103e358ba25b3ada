"""Ground atoms that look alike are one row with a multiplicity.

Most atoms of a large predicate have no count of their own: what a clause says about friends(x,y) is often a
sum of something about x and something about y. So the constants of each argument are put into classes of
equal counts, and every combination of classes is one row for all of its atoms; only the atoms listed in a
tensor over all arguments (and the true atoms) are looked at one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from logicoder.mln.counting.classes import Combinations, TooManyTuplesError, grouped
from logicoder.mln.counting.tensors import Tensor, Term
from logicoder.mln.worlds import World


@dataclass(frozen=True, eq=False)
class AtomRows:
    """Distinct rows of truth and differences.

    Attributes:
        truth: whether the atoms of the row are true.
        differences: for each row, the difference of every clause.
        multiplicity: the number of atoms of the row.
    """

    truth: np.ndarray
    differences: np.ndarray
    multiplicity: np.ndarray

    def __len__(self) -> int:
        return len(self.truth)


def rows_of(terms: Sequence[Sequence[Term]], world: World, predicate: str, budget: int) -> AtomRows:
    """Return the rows of one predicate, given the terms of each clause."""
    shape = world.shape(predicate)
    relation = world.relations[predicate]
    if not shape:
        sums = np.array([[sum(coefficient for coefficient, _ in clause) for clause in terms]], np.int64)
        return AtomRows(np.array([len(relation) > 0]), sums, np.ones(1, np.int64))
    ones = np.ones(len(relation), np.int64)
    true = Tensor(tuple(range(len(shape))), tuple(relation.T), ones, shape)
    return _rows(terms, true, shape, budget)


def _rows(terms: Sequence[Sequence[Term]], true: Tensor, shape: tuple[int, ...], budget: int) -> AtomRows:
    tensors = dict.fromkeys(tensor for clause in terms for _, factors in clause for tensor in factors)
    try:
        classes = Combinations(true.positions, {t: t for t in (true, *tensors)}, shape, budget)
    except TooManyTuplesError:
        return joined_rows([_rows(*half, budget) for half in _halves(terms, true, shape)])
    width = max(len(terms), 1) + len(tensors)
    most = max(budget // width, 1)
    found = [AtomRows(np.zeros(0, np.bool_), np.zeros((0, len(terms)), np.int64), np.zeros(0, np.int64))]
    for values, multiplicity in classes.blocks(most):
        block = np.zeros((len(multiplicity), len(terms)), np.int64)
        for column, clause in enumerate(terms):
            for coefficient, factors in clause:
                value = np.array(coefficient, np.int64)
                for tensor in factors:
                    value = value * values[tensor]
                block[:, column] += value
        some = multiplicity > 0
        found.append(AtomRows(values[true][some] > 0, block[some], multiplicity[some]))
        if sum(map(len, found)) > most:
            found = [joined_rows(found)]
    return joined_rows(found)


def _halves(
    terms: Sequence[Sequence[Term]], true: Tensor, shape: tuple[int, ...]
) -> Iterator[tuple[list[list[Term]], Tensor, tuple[int, ...]]]:
    """Yield terms, true atoms and shape for either half of the constants of the largest argument."""
    position = int(np.argmax(shape))
    middle = shape[position] // 2
    for low, high in ((0, middle), (middle, shape[position])):
        known: dict[Tensor, Tensor] = {}

        def part(
            tensor: Tensor, low: int = low, high: int = high, known: dict[Tensor, Tensor] = known
        ) -> Tensor:
            if tensor not in known:
                known[tensor] = tensor.restricted(position, low, high)
            return known[tensor]

        halved = [[(c, tuple(map(part, tensors))) for c, tensors in clause] for clause in terms]
        yield halved, part(true), (*shape[:position], high - low, *shape[position + 1 :])


def joined_rows(parts: Sequence[AtomRows]) -> AtomRows:
    """Return the distinct rows of several, sorted, with the sums of the multiplicities of equal ones."""
    truth = np.concatenate([part.truth for part in parts])
    differences = np.concatenate([part.differences for part in parts])
    multiplicity = np.concatenate([part.multiplicity for part in parts])
    first, places = grouped(np.column_stack([truth.astype(np.int64), differences]))
    sums = np.zeros(len(first), multiplicity.dtype)
    np.add.at(sums, places, multiplicity)
    return AtomRows(truth[first], differences[first], sums)
