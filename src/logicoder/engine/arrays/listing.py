"""Many sets of tuples below each other, and the arithmetic of runs of rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from logicoder.engine.arrays.relation import Column


@dataclass(frozen=True, eq=False)
class Listing:
    """Several sets of tuples.

    Attributes:
        borders: the tuples of set i are the rows `borders[i]:borders[i+1]`.
        columns: the columns of all tuples.
    """

    borders: np.ndarray
    columns: tuple[Column, ...]

    @classmethod
    def joined(cls, parts: Sequence[Listing], arity: int) -> Listing:
        """Return the sets of several listings in one."""
        if len(parts) == 1:
            return parts[0]
        if not parts:
            return cls(np.zeros(1, np.int64), (np.empty(0, np.int32),) * arity)
        columns = tuple(np.concatenate([part.columns[i] for part in parts]) for i in range(arity))
        return cls(borders(np.concatenate([np.diff(part.borders) for part in parts])), columns)

    def __len__(self) -> int:
        return len(self.borders) - 1

    def sets(self, chosen: np.ndarray) -> list[tuple[Column, ...]]:
        """Return the columns of some of the sets."""
        whole = len(chosen) == len(self)
        return [
            # A copy: a few sets must not hold on to the memory of all.
            tuple(column[low:high] if whole else column[low:high].copy() for column in self.columns)
            for low, high in zip(
                self.borders[chosen].tolist(), self.borders[chosen + 1].tolist(), strict=True
            )
        ]

    def select(self, rows: np.ndarray) -> Listing:
        """Return the sets with only those tuples that a mask keeps."""
        kept = np.zeros(len(rows) + 1, np.int64)
        np.cumsum(rows, out=kept[1:])
        return Listing(kept[self.borders], tuple(column[rows] for column in self.columns))


@dataclass(frozen=True, eq=False)
class Runs:
    """The rows of several views by view and some number; rows of equal view and number are a *run*.

    Attributes:
        order: the rows in that order.
        begin: where each run begins, and where the last one ends.
        number: the number of each run.
        starts: the runs of view v are `starts[v]:starts[v+1]`.
    """

    order: np.ndarray
    begin: np.ndarray
    number: np.ndarray
    starts: np.ndarray

    @classmethod
    def of(cls, starts: np.ndarray, view: np.ndarray, number: np.ndarray, count: int) -> Runs:
        """Return the runs of the rows `starts[v]:starts[v+1]` of views v, given numbers below `count`."""
        combined = view.astype(np.int64) * count + number
        order = np.argsort(combined, kind="stable")
        combined = combined[order]
        begin = np.flatnonzero(np.r_[True, combined[1:] != combined[:-1]][: len(combined)])
        borders = np.r_[begin, len(combined)]
        return cls(order, borders, number[order[begin]], np.searchsorted(begin, starts))

    @property
    def run_counts(self) -> np.ndarray:
        """Number of runs of each view."""
        return np.diff(self.starts)

    def of_view(self, view: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the rows of a view, where its runs begin among them, and their numbers."""
        low, high = int(self.starts[view]), int(self.starts[view + 1])
        first = self.begin[low]
        return self.order[first : self.begin[high]], self.begin[low:high] - first, self.number[low:high]

    def of_views(self, views: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return the rows of some views, where their runs begin among them, the numbers and views of runs."""
        runs, owner = spread(self.starts[views], self.run_counts[views])
        counts = self.begin[runs + 1] - self.begin[runs]
        places, _ = spread(self.begin[runs], counts)
        return self.order[places], np.cumsum(counts) - counts, self.number[runs], owner


def borders(counts: np.ndarray) -> np.ndarray:
    """Return where runs of so many rows begin, and where the last one ends."""
    found = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=found[1:])
    return found


def spread(begin: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers of all rows of some runs, and for each of them the number of its run.

    >>> [part.tolist() for part in spread(np.array([5, 9, 0]), np.array([2, 0, 3]))]
    [[5, 6, 0, 1, 2], [0, 0, 2, 2, 2]]
    """
    run = np.repeat(np.arange(len(counts)), counts)
    offset = begin - (np.cumsum(counts) - counts)
    return np.arange(len(run)) + offset[run], run


def chunks(counts: np.ndarray, most: int) -> Iterator[tuple[int, int]]:
    """Return consecutive runs whose counts add up to at most so many; one count alone may be greater.

    >>> list(chunks(np.array([3, 3, 3, 9, 1]), 6))
    [(0, 2), (2, 3), (3, 4), (4, 5)]
    """
    total = np.cumsum(counts)
    low = 0
    while low < len(counts):
        before = int(total[low - 1]) if low else 0
        high = max(low + 1, int(np.searchsorted(total, before + most, "right")))
        yield low, high
        low = high
