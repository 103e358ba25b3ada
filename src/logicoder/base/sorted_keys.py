"""Sets of keys as sorted arrays.

NumPy's own functions for sets find distinct values by hashing, which is about ten times slower than sorting
where most of them are distinct, as keys of facts are.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

_Value = TypeVar("_Value", bound=np.generic)
Mask = NDArray[np.bool_]

_TABLE = 8
"""A table of all values between the least and the greatest may be so many times as long as the arrays."""


def distinct(values: NDArray[_Value]) -> NDArray[_Value]:
    """Return the distinct values of an array, sorted.

    >>> distinct(np.array([[3, 1], [3, 2]])).tolist()
    [1, 2, 3]
    """
    ordered = np.sort(values, axis=None)
    if not len(ordered):
        return ordered
    new = np.empty(len(ordered), np.bool_)
    new[0] = True
    new[1:] = ordered[1:] != ordered[:-1]
    return ordered[new]


def union(first: NDArray[_Value], second: NDArray[_Value]) -> NDArray[_Value]:
    """Return the values of two arrays, sorted.

    >>> union(np.array([3, 1]), np.array([2, 3])).tolist()
    [1, 2, 3]
    """
    return distinct(np.concatenate([first, second]))


def inside(values: NDArray[Any], others: NDArray[Any]) -> Mask:
    """Return which values are among others, neither of which need be sorted.

    >>> inside(np.array([5, 1, 9]), np.array([10**12, 5, 2, 1])).tolist()
    [True, True, False]
    """
    if not len(others):
        return np.zeros(len(values), np.bool_)
    if others.dtype.kind != "i":  # rows too wide for a number are bytes
        return np.isin(values, others)
    if int(others.max()) - int(others.min()) <= _TABLE * (len(values) + len(others)):
        return np.isin(values, others, kind="table")
    return in_sorted(values, np.sort(others))


def in_sorted(keys: NDArray[Any], known: NDArray[Any]) -> Mask:
    """Return which keys are among others that are sorted.

    >>> in_sorted(np.array([5, 1, 9]), np.array([1, 2, 5])).tolist()
    [True, True, False]
    """
    if not len(known):
        return np.zeros(len(keys), np.bool_)
    found = np.searchsorted(known, keys)
    found[found == len(known)] = 0
    return np.asarray(known[found] == keys)
