"""Classes of tuples that no tensor tells apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import prod
from typing import Protocol

import numpy as np

from logicoder.engine.arrays.relation import pack, unpack
from logicoder.mln.counting.tensors import Tensor, tensor_of

Values = dict[Tensor, np.ndarray]
"""The count of each class in each tensor."""


class TooManyTuplesError(Exception):
    """More tuples would have to be listed than the budget allows."""


class Classes(Protocol):
    """Classes over some positions: of every class the number of its tuples and its counts."""

    positions: tuple[int, ...]
    values: Values
    multiplicity: np.ndarray

    def classify(self, columns: Sequence[np.ndarray]) -> np.ndarray:
        """Return the classes of some tuples."""


class Single:
    """Classes of the constants of one argument."""

    def __init__(self, position: int, tensors: Sequence[Tensor], size: int) -> None:
        self.positions: tuple[int, ...] = (position,)
        columns = [tensor.dense() for tensor in tensors]
        first, self._classes = grouped(np.column_stack([np.zeros(size, np.int64), *columns]))
        self.multiplicity = np.bincount(self._classes, minlength=len(first))
        self.values: Values = {t: column[first] for t, column in zip(tensors, columns, strict=True)}

    def classify(self, columns: Sequence[np.ndarray]) -> np.ndarray:
        """Return the classes of some constants."""
        return np.asarray(self._classes[columns[0]])


class Combinations:
    """Classes of tuples: combinations of classes of parts, and kinds of the tuples that a tensor lists.

    Args:
        positions: the arguments, ascending.
        tensors: for each tensor itself, or what stands for it: the same over more positions.
        shape: the sizes of the domains of all positions.
        budget: how many tuples may be spelt out.

    Raises:
        TooManyTuplesError: if they are more.
    """

    def __init__(
        self, positions: tuple[int, ...], tensors: Mapping[Tensor, Tensor], shape: Sequence[int], budget: int
    ) -> None:
        self.positions = positions
        self._sizes = tuple(shape[i] for i in positions)
        tensors = _separated(dict(tensors), positions, shape, budget)
        alone = len(positions) == 1
        self._parts: list[Classes] = []
        for group in _groups(positions, [] if alone else _proper(tensors, positions)):
            within = {t: s for t, s in tensors.items() if set(s.positions) <= set(group)}
            if len(group) == 1:
                self._parts.append(Single(group[0], list(within), shape[group[0]]))
            else:
                self._parts.append(Combinations(group, within, shape, budget).settled())
        full = {} if alone else {t: s for t, s in tensors.items() if s.positions == positions}
        self._keys = _merged([s.keys for s in full.values()])
        kinds, self._kinds = self._listed(list(full.values()), max(budget // (len(full) + 1), 1))
        self._kind_values = dict(zip(full, kinds[:, 1:].T, strict=True))
        self._kind_counts = np.bincount(self._kinds, minlength=len(kinds))
        self._kind_base = kinds[:, 0]
        self._ordered_base = np.sort(self._kind_base[self._kinds])
        self._combinations = prod(len(part.multiplicity) for part in self._parts)

    def _listed(self, tensors: Sequence[Tensor], step: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the kinds of listed tuples (combination and counts of each), and the kind of each tuple."""
        found, places = [np.zeros((0, len(tensors) + 1), np.int64)], [np.zeros(0, np.int64)]
        for start in range(0, len(self._keys), step):
            keys = self._keys[start : start + step]
            base = self._combination(unpack(keys, self._sizes))
            matrix = np.column_stack([base, *(tensor.at(keys) for tensor in tensors)])
            first, kinds = grouped(matrix)
            places.append(kinds + sum(map(len, found)))
            found.append(matrix[first])
        if len(found) <= 2:
            return found[-1], places[-1]
        every = np.concatenate(found)
        first, kinds = grouped(every)
        return every[first], kinds[np.concatenate(places)]

    def _combination(self, columns: Sequence[np.ndarray]) -> np.ndarray:
        found = np.zeros(len(columns[0]), np.int64)
        for part in self._parts:
            within = [columns[self.positions.index(i)] for i in part.positions]
            found = found * len(part.multiplicity) + part.classify(within)
        return found

    def classify(self, columns: Sequence[np.ndarray]) -> np.ndarray:
        """Return the classes of some tuples."""
        found = self._combination(columns)
        if len(self._keys):
            keys = pack(columns, self._sizes)
            places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
            listed = self._keys[places] == keys
            found[listed] = self._combinations + self._kinds[places[listed]]
        return found

    def settled(self) -> Classes:
        """Return the classes with all of their values at once."""
        parts = list(self.blocks(None))
        self.multiplicity = np.concatenate([multiplicity for _, multiplicity in parts])
        self.values = {t: np.concatenate([values[t] for values, _ in parts]) for t in parts[0][0]}
        return self

    def blocks(self, most: int | None) -> Iterator[tuple[Values, np.ndarray]]:
        """Yield values and multiplicities of the classes, at most so many at once.

        A class may be empty: all of its tuples are listed.
        """
        step = most or max(self._combinations, 1)
        for start in range(0, self._combinations, step):
            stop = min(start + step, self._combinations)
            numbers = np.arange(start, stop)
            values, multiplicity = self._of_combinations(numbers)
            low, high = np.searchsorted(self._ordered_base, [start, stop])
            multiplicity -= np.bincount(self._ordered_base[low:high] - start, minlength=stop - start)
            zero = np.zeros(stop - start, np.int64)
            yield values | dict.fromkeys(self._kind_values, zero), multiplicity
        values, _ = self._of_combinations(self._kind_base)
        yield values | self._kind_values, self._kind_counts

    def _of_combinations(self, numbers: np.ndarray) -> tuple[Values, np.ndarray]:
        values: Values = {}
        multiplicity = np.ones(len(numbers), np.int64)
        for part in reversed(self._parts):
            numbers, places = np.divmod(numbers, max(len(part.multiplicity), 1))
            multiplicity *= part.multiplicity[places]
            values |= {tensor: column[places] for tensor, column in part.values.items()}
        return values, multiplicity


def _merged(keys: Sequence[np.ndarray]) -> np.ndarray:
    """Return the distinct keys of some sorted arrays, sorted; runs that are in order are merged quickly."""
    found = np.sort(np.concatenate([np.zeros(0, np.int64), *keys]), kind="stable")
    new = np.ones(len(found), np.bool_)
    np.not_equal(found[1:], found[:-1], out=new[1:])
    return found[new]


def _proper(tensors: Mapping[Tensor, Tensor], positions: tuple[int, ...]) -> list[Tensor]:
    return [tensor for tensor in tensors.values() if tensor.positions != positions]


def _groups(positions: tuple[int, ...], tensors: Sequence[Tensor]) -> list[tuple[int, ...]]:
    """Return the positions in groups that no tensor spans."""
    groups = [{i} for i in positions]
    for tensor in tensors:
        touched = [group for group in groups if not group.isdisjoint(tensor.positions)]
        groups = [group for group in groups if group.isdisjoint(tensor.positions)]
        groups.append(set().union(*touched))
    return sorted(tuple(sorted(group)) for group in groups)


def _separated(
    tensors: dict[Tensor, Tensor], positions: tuple[int, ...], shape: Sequence[int], budget: int
) -> dict[Tensor, Tensor]:
    """Spell tensors out over all positions until the others fall into groups; those of least cost first."""
    while len(positions) > 1 and len(_groups(positions, _proper(tensors, positions))) == 1:
        spanning = {t: s for t, s in tensors.items() if 1 < len(s.positions) < len(positions)}
        costs = {t: _rows_over(s, positions, shape) for t, s in spanning.items()}
        chosen = min(costs, key=costs.__getitem__)
        if costs[chosen] > budget:
            raise TooManyTuplesError
        tensors[chosen] = _over(tensors[chosen], positions, shape)
    return tensors


def _rows_over(tensor: Tensor, positions: tuple[int, ...], shape: Sequence[int]) -> int:
    return len(tensor.counts) * prod(shape[i] for i in positions if i not in tensor.positions)


def _over(tensor: Tensor, positions: tuple[int, ...], shape: Sequence[int]) -> Tensor:
    """Return a tensor over more positions, the same for all constants there."""
    rows = np.arange(len(tensor.counts))
    columns = dict(zip(tensor.positions, tensor.columns, strict=True))
    for i in positions:
        if i not in columns:
            repeats = len(rows)
            rows = np.tile(rows, shape[i])
            columns = {k: np.tile(column, shape[i]) for k, column in columns.items()}
            columns[i] = np.repeat(np.arange(shape[i], dtype=np.int32), repeats)
    sizes = tuple(shape[i] for i in positions)
    return tensor_of(positions, tuple(columns[i] for i in positions), tensor.counts[rows], sizes)


def grouped(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the first of each kind of row, and the kind of each row; kinds are sorted by their values."""
    if not matrix.shape[1]:
        return np.arange(min(len(matrix), 1)), np.zeros(len(matrix), np.int64)
    keys = matrix @ _multipliers(matrix.shape[1])
    _, first, places = np.unique(keys, return_index=True, return_inverse=True)
    if not np.array_equal(matrix[first][places], matrix):  # Two kinds of rows with the same key.
        _, first, places = np.unique(matrix, axis=0, return_index=True, return_inverse=True)
        return first, places.reshape(-1)
    order = np.lexsort(matrix[first].T[::-1])
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return first[order], rank[places]


@lru_cache(maxsize=256)
def _multipliers(width: int) -> np.ndarray:
    return np.random.default_rng(0).integers(1, 2**62, width, np.int64) * 2 + 1
