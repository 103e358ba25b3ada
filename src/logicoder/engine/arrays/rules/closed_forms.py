"""Closures of one relation: how few facts say all of it, and what the closure adds that is false."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from logicoder.engine.arrays.join import JoinTooLargeError
from logicoder.engine.arrays.relation import Keys
from logicoder.engine.arrays.rules.rule_tables import matrix_keys
from logicoder.engine.arrays.rules.spaces import Space

_MOST = 20_000_000
"""Atoms of a closure that may be listed."""

_NONE = np.empty(0, np.int64)


@dataclass(frozen=True)
class Closure:
    """A relation as the closure of a base, within a space.

    Attributes:
        given: number of atoms that the closure of seeds has, without any base.
        base: number of atoms of the base.
        derived: number of atoms of the closure of both.
        false: those that are no facts.
        missing: facts that it does not derive.
    """

    given: int
    base: int
    derived: int
    false: int
    missing: int


@dataclass(frozen=True)
class Form:
    """A kind of closure.

    Attributes:
        close: returns the closure of some atoms of a space.
        base: returns the facts of a space that are to be said beside those that are given.
    """

    close: Callable[[Space, Keys], Keys]
    base: Callable[[Space, Keys], Keys]


def closure_of(space: Space, form: Form, seeds: Keys = _NONE) -> Closure | None:
    """Return what the closure of seeds and a base comes to; None where it is too large to be listed."""
    try:
        given = form.close(space, seeds)
        base = form.base(space, given)
        derived = form.close(space, np.union1d(given, base))
    except JoinTooLargeError:
        return None
    true = int(space.true(derived).sum())
    return Closure(len(given), len(base), len(derived), len(derived) - true, space.facts - true)


# -- equivalence --------------------------------------------------------------------------------------


def _labels(keys: Keys, size: int) -> np.ndarray:
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415  (slow to import)

    return np.asarray(connected_components(_matrix(keys, size), directed=False)[1])


def _equivalence(space: Space, keys: Keys) -> Keys:
    """Return all pairs of members of a class, the smaller one first."""
    size = space.sizes[0]
    if not len(keys):
        return _NONE
    labels = _labels(keys, size)
    order = np.argsort(labels, kind="stable")
    sizes = np.bincount(labels)
    pairs = int((sizes.astype(object) * (sizes.astype(object) - 1) // 2).sum())
    if pairs > _MOST:
        raise JoinTooLargeError(pairs)
    starts = np.cumsum(sizes) - sizes
    found = []
    for width in np.unique(sizes[sizes > 1]).tolist():
        members = order[starts[sizes == width][:, None] + np.arange(width)].astype(np.int64)
        low, high = np.triu_indices(width, 1)
        found.append((members[:, low] * size + members[:, high]).ravel())
    return space.within(np.sort(np.concatenate(found)))


def _equivalence_base(space: Space, given: Keys) -> Keys:
    """Return edges that join what belongs together: from the first of a class to the first of each part.

    All facts join, or only the strong ones, where most of what is related to one side is related to the
    other: then a few wrong facts do not join large classes. What says more with less is taken.
    """
    size = space.sizes[0]
    if not space.facts:
        return _NONE
    low, high = np.divmod(space.keys, size)
    whole = _matrix(np.concatenate([space.keys, high * size + low]), size)
    related = np.asarray(whole.sum(1)).ravel() + 1
    common = np.asarray(whole[low].multiply(whole[high]).sum(1)).ravel() + 2
    strong = 2 * common >= related[low] + related[high] - common
    best, least = _NONE, space.facts
    for keys in (space.keys, space.keys[strong]):
        joined = np.concatenate([given, keys])
        labels = _labels(joined, size)
        parts = np.unique(_labels(given, size), return_index=True)[1] if len(given) else np.arange(size)
        first = np.full(labels.max() + 1, size)
        np.minimum.at(first, labels[parts], parts)
        others = parts[first[labels[parts]] != parts]
        base = np.sort(first[labels[others]] * size + others)
        covered = int((labels[low] == labels[high]).sum())
        sizes = np.bincount(labels).astype(object)
        pairs = int((sizes * (sizes - 1) // 2).sum())
        cost = len(base) + pairs - covered + space.facts - covered
        if cost < least:
            best, least = base, cost
    return best


# -- transitivity -------------------------------------------------------------------------------------


def _transitive(space: Space, keys: Keys) -> Keys:
    """Return the transitive closure of a relation, without its diagonal."""
    if not len(keys):
        return _NONE
    step = _matrix(keys, space.sizes[0])
    reached, fresh = step.copy(), step
    while fresh.nnz:
        fresh = _product(fresh, step)
        fresh.data[:] = 1
        fresh = fresh - fresh.multiply(reached)
        fresh.eliminate_zeros()
        reached = reached + fresh
        if reached.nnz > _MOST:
            raise JoinTooLargeError(reached.nnz)
    return space.within(matrix_keys(reached))


def _transitive_base(space: Space, given: Keys) -> Keys:
    """Return the facts that no two others imply, and of those on a circle as many as are needed."""
    if not space.facts:
        return _NONE
    facts = _matrix(space.keys, space.sizes[0])
    steps = matrix_keys(_product(facts, facts))
    implied = np.isin(space.keys, steps, assume_unique=True)
    if 3 * int(implied.sum()) < len(space.within(steps)):
        return _NONE  # two steps seldom make one: nothing here is transitive
    base = space.keys[~implied & ~np.isin(space.keys, given, assume_unique=True)]
    derived = _transitive(space, np.union1d(base, given))
    missing = np.setdiff1d(space.keys, derived, assume_unique=True)
    return np.union1d(base, missing)


def _product(left: Any, right: Any) -> Any:
    walks = np.bincount(left.indices, minlength=left.shape[1]).astype(np.int64) @ np.diff(right.indptr)
    if walks > 5 * _MOST:
        raise JoinTooLargeError(int(walks))
    return left @ right


def _matrix(keys: Keys, size: int) -> Any:
    from scipy.sparse import csr_matrix  # noqa: PLC0415  (slow to import)

    rows, columns = np.divmod(keys, size)
    return csr_matrix((np.ones(len(keys), np.float32), (rows, columns)), shape=(size, size))


FORMS = {
    "equivalence": Form(_equivalence, _equivalence_base),
    "transitive": Form(_transitive, _transitive_base),
}
"""The closures by name; spaces of equivalence relations are symmetric ones."""
