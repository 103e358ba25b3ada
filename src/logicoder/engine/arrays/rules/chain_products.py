"""What chains derive, by products of sparse matrices; other literals may be about X or Y of the head."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from logicoder.base.effort import Effort
from logicoder.engine.arrays.join import JoinTooLargeError
from logicoder.engine.arrays.relation import Keys
from logicoder.engine.arrays.rules.spaces import Mask
from logicoder.logic.rules import Literal, Rule

Holds = Callable[[Literal, int], Mask]
"""For which entities in one of its places a literal holds, whatever the others are."""

MatrixOf = Callable[[str, int, int], Any]
"""Two columns of a predicate as a matrix; None where there is none."""


def chain_atoms(rule: Rule, matrix_of: MatrixOf, holds: Holds, effort: Effort | None) -> Keys | None:
    """Return the atoms of a chain of any length with literals about its ends; None for other rules.

    Raises:
        JoinTooLargeError: where there is no work left for it.
    """
    if rule.head != (0, 1):
        return None
    times = Counter(argument for item in rule.body for argument in item.arguments)
    shared = {a for a, count in times.items() if isinstance(a, int) and (count > 1 or a in rule.head)}
    masks: dict[int, list[Mask]] = {0: [], 1: []}
    matrices: list[Any] = []
    at = 0
    for item in rule.body:
        meeting = [argument for argument in item.arguments if argument in shared]
        if len(meeting) == 1 and meeting[0] in rule.head:
            end = int(meeting[0])
            masks[end].append(holds(item, item.arguments.index(end)))
            continue
        if len(meeting) != 2 or at not in meeting or any(isinstance(a, str) for a in item.arguments):
            return None
        after = int(meeting[1 - meeting.index(at)])
        matrix = matrix_of(item.predicate, item.arguments.index(at), item.arguments.index(after))
        if matrix is None or (after == at):
            return None
        matrices.append(matrix)
        at = after
    if not matrices or at != 1 or len(shared) != len(matrices) + 1:
        return None
    matrices[0] = _restricted(matrices[0], masks[0], ())
    matrices[-1] = _restricted(matrices[-1], (), masks[1])
    return matrix_keys(_product(matrices, effort))


def _product(matrices: list[Any], effort: Effort | None) -> Any:
    while len(matrices) > 1:
        sizes = [walks(a, b) for a, b in pairwise(matrices)]
        best = int(np.argmin(sizes))
        if effort is not None and not effort.spend(sizes[best]):
            raise JoinTooLargeError(sizes[best])
        matrices[best : best + 2] = [matrices[best] @ matrices[best + 1]]
    return matrices[0]


def _restricted(matrix: Any, firsts: Sequence[Mask], seconds: Sequence[Mask]) -> Any:
    """Return the entries of a matrix within some rows and some columns."""
    from scipy.sparse import csr_matrix  # noqa: PLC0415  (slow to import)

    if not firsts and not seconds:
        return matrix
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    keep = np.logical_and.reduce([*(m[rows] for m in firsts), *(m[matrix.indices] for m in seconds)])
    ends = np.concatenate([[0], np.cumsum(np.bincount(rows[keep], minlength=matrix.shape[0]))])
    return csr_matrix((matrix.data[keep], matrix.indices[keep], ends), shape=matrix.shape)


def walks(left: Any, right: Any) -> int:
    """Return how many walks lead through two matrices."""
    ends = np.bincount(left.indices, minlength=left.shape[1]).astype(np.int64)
    return int(ends @ np.diff(right.indptr))


def matrix_keys(matrix: Any) -> Keys:
    """Return the places of a sparse matrix that hold something, as sorted numbers."""
    matrix.sort_indices()
    rows = np.repeat(np.arange(matrix.shape[0], dtype=np.int64), np.diff(matrix.indptr))
    return np.asarray(rows * matrix.shape[1] + matrix.indices)
