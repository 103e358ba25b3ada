"""Counts for bodies `v1(A,E), v2(E)` whose second literal only filters the tuples of the first.

Whether a tuple of E passes is one bit for each second view: one word answers for 64 second views at once.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from logicoder.base.sorted_keys import distinct
from logicoder.engine.arrays.listing import Runs, chunks, spread
from logicoder.engine.arrays.pairs import ViewPairs

_PORTION = 1 << 23
"""Cells (groups of tuples by second views) that are counted together."""


def filtering_cost(pairs: ViewPairs, groups: Runs, first: np.ndarray, second: np.ndarray) -> int:
    """Return roughly how many words are looked at to count all pairs of some first and some second views."""
    used_first, used_second = distinct(first), len(distinct(second))
    words = (used_second + 63) // 64
    rows = int(pairs.first.row_counts[used_first].sum())
    return rows * words + int(groups.run_counts[used_first].sum()) * used_second // 8 + pairs.keys * words


def count_filtered(
    pairs: ViewPairs,
    groups: Runs,
    tables: Mapping[int, np.ndarray],
    first: np.ndarray,
    second: np.ndarray,
    count: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the number of head tuples of each pair, and of those in each table.

    Args:
        pairs: the classes; the second one binds no head variable that the first does not.
        groups: the rows of the first class by view and head tuple.
        tables: for some tables which head tuples, by number, are in them.
        first: first view of each pair.
        second: second view of each pair.
        count: number of tables.
    """
    used_first, row = np.unique(first, return_inverse=True)
    used_second, column = np.unique(second, return_inverse=True)
    passing = _passing(pairs, used_second)
    sizes = np.zeros((len(used_first), len(used_second)), np.int64)
    known = np.zeros((count, *sizes.shape), np.int64)
    cells = groups.run_counts[used_first] * len(used_second)
    cells = np.maximum(cells, pairs.first.row_counts[used_first] * passing.shape[1] * 8)
    for low, high in chunks(cells, _PORTION):
        rows, starts, group, view = groups.of_views(used_first[low:high])
        union = np.bitwise_or.reduceat(passing[pairs.key_first[rows]], starts, axis=0)
        bits = np.unpackbits(union.view(np.uint8), axis=1, count=len(used_second), bitorder="little")
        sizes[low:high] = _per_view(bits, view, high - low)
        for number, members in tables.items():
            inside = members[group]
            known[number, low:high] = _per_view(bits[inside], view[inside], high - low)
    return sizes[row, column], known[:, row, column]


def _passing(pairs: ViewPairs, views: np.ndarray) -> np.ndarray:
    """Return for each key which of some second views have it: keys by words."""
    rows, bit = spread(pairs.second.starts[views], pairs.second.row_counts[views])
    words = (len(views) + 63) // 64
    table = np.zeros(pairs.keys * words, np.uint64)
    place = pairs.key_second[rows] * words + (bit >> 6)
    np.bitwise_or.at(table, place, np.uint64(1) << (bit & 63).astype(np.uint64))
    return table.reshape(pairs.keys, words)


def _per_view(bits: np.ndarray, view: np.ndarray, views: int) -> np.ndarray:
    """Return the sums of rows of equal view, which ascends."""
    found = np.zeros((views, bits.shape[1]), np.int64)
    if len(view):
        starts = np.flatnonzero(np.r_[True, view[1:] != view[:-1]])
        found[view[starts]] = np.add.reduceat(bits, starts, axis=0, dtype=np.int32)
    return found
