"""Cuts of numbers and dates chosen by description length: where other columns change with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import log2

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int64]
_Counts = tuple[tuple[str, ...], Codes]
"""Columns with as many different values, and how often each occurs: by column, place and value."""
_MOST_TOGETHER = 1 << 22
"""So many counts are looked at together, so that many rows need little memory."""


@dataclass(frozen=True, eq=False)
class Column:
    """A column of numbers, and what the same rows say in other columns.

    Attributes:
        points: the numbers.
        targets: in each other column the number of each row's value, by its name.
    """

    points: NDArray[np.float64]
    targets: dict[str, Codes]


@dataclass(frozen=True)
class Cut:
    """A place to cut.

    Attributes:
        below: the largest point below it.
        top: the least point above it.
        saved: bits by which other columns become shorter.
        helped: those columns.
    """

    below: float
    top: float
    saved: float
    helped: tuple[str, ...]


def informative_cuts(columns: Sequence[Column], most: int) -> list[Cut]:
    """Return the cuts of some columns of one type that make other columns shorter to say, the best first.

    The values of another column are said bin by bin, each with a code that knows how often each value occurs
    in the bin: log2 of the ways to arrange them, and of the counts that there could be. A cut pays for a
    column if both parts are shorter by more than the bits that name the cut and the column.

    >>> ages = np.arange(100.0)
    >>> [cut] = informative_cuts([Column(ages, {"pension": (ages >= 65).astype(int)})], 8)
    >>> cut.below, cut.top, cut.helped
    (64.0, 65.0, ('pension',))

    Args:
        columns: the columns.
        most: how many bins at the most.
    """
    values = np.unique(np.concatenate([column.points for column in columns] or [np.empty(0)]))
    if len(values) < 2 or most < 2:
        return []
    counts = list(_counts(columns, values))
    # The more columns there are, the more of them seem to change somewhere: which one does is told as well.
    named = 1 + log2(len(values) - 1) + log2(max(1, sum(len(names) for names, _ in counts)))
    found: list[Cut] = []
    whole = (0, len(values))
    offers = {whole: _best(counts, whole, named)}
    while len(found) < most - 1:
        segment = max(offers, key=lambda one: (offers[one][0], -one[0]))
        saved, place, helped = offers.pop(segment)
        if saved <= 0:
            break
        found.append(Cut(float(values[place - 1]), float(values[place]), saved, helped))
        for part in ((segment[0], place), (place, segment[1])):
            offers[part] = _best(counts, part, named)
    return found


def _counts(columns: Sequence[Column], values: NDArray[np.float64]) -> Iterator[_Counts]:
    """Yield what is counted of other columns, those with as many different values together."""
    waiting: dict[int, list[tuple[str, Codes]]] = {}
    most = max(1, _MOST_TOGETHER // len(values))
    for column in columns:
        places = np.searchsorted(values, column.points)
        for name, codes in column.targets.items():
            found = _counted(places, codes, len(values))
            alike = waiting.setdefault(found.shape[1], [])
            alike.append((name, found))
            if len(alike) * found.shape[1] >= most:
                yield _together(waiting.pop(found.shape[1]))
    yield from map(_together, waiting.values())


def _together(alike: Sequence[tuple[str, Codes]]) -> _Counts:
    return tuple(name for name, _ in alike), np.stack([found for _, found in alike])


def _counted(places: Codes, codes: Codes, number: int) -> Codes:
    """Return how often each code occurs before each of some places, and before their end: a row for each."""
    width = int(codes.max(initial=0)) + 1
    counts = np.bincount(places * width + codes, minlength=number * width).reshape(number, width)
    return np.vstack([np.zeros((1, width), np.int64), np.cumsum(counts, axis=0)])


@cache
def _factorials(size: int) -> NDArray[np.float64]:
    """Return log2 of the factorials of 0, 1 and so on."""
    return np.concatenate([[0.0], np.cumsum(np.log2(np.arange(1, size, dtype=np.float64)))])


def _bits(counts: Codes) -> NDArray[np.float64]:
    """Return the bits of values that occur so often: one sum for each row, the last axis."""
    total, kinds = counts.sum(axis=-1), counts.shape[-1]
    factorials = _factorials(1 << int(total.max(initial=0) + kinds).bit_length())
    arranged = -factorials[counts].sum(axis=-1)  # and the factorial of the total, which cancels out
    return np.asarray(arranged + factorials[total + kinds - 1] - factorials[kinds - 1])


def _best(
    counts: Sequence[_Counts], segment: tuple[int, int], named: float
) -> tuple[float, int, tuple[str, ...]]:
    """Return what the best cut within a segment saves, where it is, and which columns it helps."""
    first, last = segment
    if last - first < 2:
        return 0.0, first, ()
    gains = []
    for _, before in counts:
        start, end = before[:, first : first + 1], before[:, last : last + 1]
        inner = before[:, first + 1 : last]
        saved = _bits(end - start) - _bits(inner - start) - _bits(end - inner)
        gains.append(np.maximum(saved - named, 0.0))
    if not gains:
        return 0.0, first, ()
    gain = np.concatenate(gains)
    total = gain.sum(axis=0)
    place = int(total.argmax())
    names = [name for several, _ in counts for name in several]
    helped = tuple(name for name, helps in zip(names, gain[:, place] > 0, strict=True) if helps)
    return float(total[place]), first + 1 + place, helped
