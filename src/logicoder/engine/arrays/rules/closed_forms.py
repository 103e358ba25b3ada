"""Closures of one relation: how few facts say all of it, and what the closure adds that is false."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from logicoder.base.effort import Effort
from logicoder.base.sorted_keys import distinct, union
from logicoder.engine.arrays.join import JoinTooLargeError
from logicoder.engine.arrays.relation import Keys
from logicoder.engine.arrays.rules.chain_products import matrix_keys
from logicoder.engine.arrays.rules.spaces import Space

MOST_ATOMS = 20_000_000
"""Atoms of a closure that may be listed."""

_ATOM_BYTES = 64
"""What an atom of a closure takes while it is made."""

_AT_ONCE = 2_000_000
"""Tuples that are made at once."""

_SAMPLED = 4_000_000
"""Steps of a relation by which is seen whether it is transitive at all."""

_COMPARED = 200_000_000
"""Entities related to one side or the other, beyond which strong facts are not looked for."""

_SMALL = 4_096
"""Atoms that a relation may have at most for its closure to be made of dense matrices."""

_NONE = np.empty(0, np.int64)


@dataclass(frozen=True)
class Closure:
    """A relation as the closure of a base, within a space.

    Attributes:
        given: number of atoms that the closure of seeds has, without any base.
        base: number of atoms of the base.
        derived: number of atoms of the closure of both.
        false: those that are not facts.
        missing: facts that it does not derive.
    """

    given: int
    base: int
    derived: int
    false: int
    missing: int


class Atoms(Protocol):
    """Makes atoms of a space of others, within some effort."""

    def __call__(self, space: Space, keys: Keys, /, effort: Effort | None = None) -> Keys:
        """Return the atoms; without an effort, whatever it takes."""


@dataclass(frozen=True)
class Weighed:
    """What speaks for the bases that a relation could have.

    Attributes:
        numbers: what the choice depends on, the work first; where a relation falls apart into pieces that
            share no entities, these add up.
        base: returns the base of a choice, 0 being none.
    """

    numbers: tuple[int, ...]
    base: Callable[[int], Keys]


class Weighing(Protocol):
    """Weighs the bases of a relation."""

    def __call__(self, space: Space, given: Keys, /, effort: Effort | None = None) -> Weighed:
        """Return what speaks for each, beside atoms that are given."""


def _only(numbers: tuple[int, ...]) -> int:  # noqa: ARG001
    return 1


@dataclass(frozen=True)
class Form:
    """A kind of closure. What it makes does not depend on the effort; only whether it is made does.

    Attributes:
        close: returns the closure of some atoms of a space.
        weigh: returns which bases come into question beside atoms that are given.
        choose: returns the number of the best one.
        largest: the work up to which the numbers of pieces add up to those of the whole.
    """

    close: Atoms
    weigh: Weighing
    choose: Callable[[tuple[int, ...]], int] = _only
    largest: int = 0

    def base(self, space: Space, given: Keys, effort: Effort | None = None) -> Keys:
        """Return the facts of a space that are to be said beside those that are given."""
        weighed = self.weigh(space, given, effort)
        return weighed.base(self.choose(weighed.numbers))


def closure_of(space: Space, form: Form, seeds: Keys = _NONE, effort: Effort | None = None) -> Closure | None:
    """Return what the closure of seeds and a base comes to; None where that takes too much."""
    try:
        given = form.close(space, seeds, effort)
        base = form.base(space, given, effort)
        derived = form.close(space, union(given, base), effort)
    except JoinTooLargeError:
        return None
    true = int(space.true(derived).sum())
    return Closure(len(given), len(base), len(derived), len(derived) - true, space.facts - true)


def allow(effort: Effort | None, work: int, atoms: int = 0) -> None:
    """Count some work; raise JoinTooLargeError where there is no time for it, or no room for atoms."""
    if effort is None:
        return
    effort.check()
    if work > effort.left or atoms > effort.room(0.2, _ATOM_BYTES):
        raise JoinTooLargeError(max(work, atoms))
    effort.count(work)


def _parts(work: np.ndarray) -> list[np.ndarray]:
    """Return the numbers of a list in parts with little work, single ones aside."""
    return np.split(np.arange(len(work)), np.flatnonzero(np.diff(np.cumsum(work) // _AT_ONCE)) + 1)


# -- equivalence --------------------------------------------------------------------------------------


def _labels(keys: Keys, size: int) -> np.ndarray:
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415  (slow to import)

    return np.asarray(connected_components(_matrix(keys, size), directed=False)[1])


def _equivalence(space: Space, keys: Keys, effort: Effort | None = None) -> Keys:
    """Return all pairs of members of a class, the smaller one first."""
    size = space.sizes[0]
    if not len(keys):
        return _NONE
    labels = _labels(keys, size)
    order = np.argsort(labels, kind="stable")
    sizes = np.bincount(labels)
    pairs = _pairs(sizes)
    if pairs > MOST_ATOMS:
        raise JoinTooLargeError(pairs)
    allow(effort, pairs, pairs)
    starts = np.cumsum(sizes) - sizes
    found = []
    for width in distinct(sizes[sizes > 1]).tolist():
        members = order[starts[sizes == width][:, None] + np.arange(width)].astype(np.int64)
        low, high = np.triu_indices(width, 1)
        found.append((members[:, low] * size + members[:, high]).ravel())
    return space.within(np.sort(np.concatenate(found)))


def _pairs(sizes: np.ndarray) -> int:
    """Return how many pairs classes of some sizes have."""
    exact = sizes.astype(object)
    return int((exact * (exact - 1) // 2).sum())


def _equivalence_bases(space: Space, given: Keys, effort: Effort | None = None) -> Weighed:
    """Weigh edges that join what belongs together: from the first of a class to the first of each part.

    All facts join, or only the strong ones, where most of what is related to one side is related to the
    other: then a few wrong facts do not join large classes. What says more with less is taken.
    """
    size = space.sizes[0]
    bases, costs = [_NONE], [space.facts]
    low, high = np.divmod(space.keys, size) if size else (_NONE, _NONE)
    work, strong = _strong(space, low, high, effort)
    for keys in (space.keys, space.keys[strong]) if size else ():
        allow(effort, space.facts)
        joined = np.concatenate([given, keys])
        labels = _labels(joined, size)
        parts = np.unique(_labels(given, size), return_index=True)[1] if len(given) else np.arange(size)
        first = np.full(labels.max() + 1, size)
        np.minimum.at(first, labels[parts], parts)
        others = parts[first[labels[parts]] != parts]
        bases.append(np.sort(first[labels[others]] * size + others))
        covered = int((labels[low] == labels[high]).sum())
        costs.append(len(bases[-1]) + _pairs(np.bincount(labels)) - covered + space.facts - covered)
    return Weighed((work, *costs), bases.__getitem__)


def _cheapest(numbers: tuple[int, ...]) -> int:
    costs = numbers[1:]
    return costs.index(min(costs))


def _strong(space: Space, low: Keys, high: Keys, effort: Effort | None) -> tuple[int, np.ndarray]:
    """Return the work, and which facts join two entities that are mostly related to the same ones."""
    size = space.sizes[0]
    related = np.bincount(low, minlength=size) + np.bincount(high, minlength=size) + 1
    work = related[low] + related[high]
    strong = np.ones(space.facts, np.bool_)
    if int(work.sum()) > _COMPARED:
        return int(work.sum()), strong
    whole = _matrix(np.concatenate([space.keys, high * size + low]), size)
    for part in _parts(work):
        allow(effort, int(work[part].sum()))
        common = np.asarray(whole[low[part]].multiply(whole[high[part]]).sum(1)).ravel() + 2
        strong[part] = 2 * common >= work[part] - common
    return int(work.sum()), strong


# -- transitivity -------------------------------------------------------------------------------------


def _transitive(space: Space, keys: Keys, effort: Effort | None = None) -> Keys:
    """Return the transitive closure of a relation, without its diagonal."""
    if not len(keys):
        return _NONE
    step = _matrix(keys, space.sizes[0])
    return space.within(matrix_keys(reached_from(step, step, effort)))


def reached_from(start: Any, step: Any, effort: Effort | None) -> Any:
    """Return a relation with all that follows from it along the steps of another one, as matrices."""
    if start.shape[0] * start.shape[1] <= _SMALL:
        return _reached_at_once(start, step, effort)
    reached = fresh = start
    while fresh.nnz:
        allow(effort, reached.nnz, reached.nnz)
        fresh = stacked(
            [block - block.multiply(reached[rows]) for rows, block in product_blocks(fresh, step, effort)]
        )
        fresh.eliminate_zeros()
        reached = reached + fresh
        if reached.nnz > MOST_ATOMS:
            raise JoinTooLargeError(reached.nnz)
    return reached


def _reached_at_once(start: Any, step: Any, effort: Effort | None) -> Any:
    """Return the same of a small relation, without sparse matrices, which take their time however small."""
    from scipy.sparse import csr_matrix  # noqa: PLC0415  (slow to import)

    reached = fresh = start.toarray() > 0
    steps = (step.toarray() > 0).astype(np.float32)
    ends = np.diff(step.indptr)
    while fresh.any():
        number = int(reached.sum())
        allow(effort, number, number)
        allow(effort, int(fresh.sum(0) @ ends))
        fresh = (fresh @ steps > 0) & ~reached
        reached = reached | fresh
    return csr_matrix(reached.astype(np.float32))


def _transitive_bases(space: Space, given: Keys, effort: Effort | None = None) -> Weighed:
    """Weigh the facts that no two others imply, and of those on a circle as many as are needed."""
    size = space.sizes[1]
    facts = _matrix(space.keys, space.sizes[0])
    work = facts @ np.diff(facts.indptr).astype(float)
    some = np.arange(0, space.sizes[0], max(1, int(work.sum()) // _SAMPLED))
    made = right = 0
    for rows, block in product_blocks(facts[some], facts, effort) if work.any() else ():
        steps = matrix_keys(block)
        steps = space.within(some[rows][steps // size] * size + steps % size)
        made += len(steps)
        right += int(space.true(steps).sum())

    def base(number: int) -> Keys:
        if not number:
            return _NONE
        blocks = product_blocks(facts, facts, effort)
        implied = stacked([block.multiply(facts[rows]) for rows, block in blocks])
        bare = np.isin(space.keys, matrix_keys(implied), assume_unique=True, invert=True)
        found = space.keys[bare & ~np.isin(space.keys, given, assume_unique=True)]
        derived = _transitive(space, union(found, given), effort)
        missing = np.setdiff1d(space.keys, derived, assume_unique=True)
        return union(found, missing)

    return Weighed((int(work.sum()), made, right), base)


def _is_transitive(numbers: tuple[int, ...]) -> int:
    """Whether there are two steps at all, and two steps are often one."""
    work, made, right = numbers
    return int(work > 0 and 3 * right >= made)


def product_blocks(left: Any, right: Any, effort: Effort | None) -> Iterator[tuple[np.ndarray, Any]]:
    """Iterate over the product of two relations, some rows after the other."""
    work = left @ np.diff(right.indptr).astype(float)
    if work.sum() > 5 * MOST_ATOMS:
        raise JoinTooLargeError(int(work.sum()))
    for rows in _parts(work):
        allow(effort, int(work[rows].sum()))
        block = (left[rows] @ right).tocsr()
        block.data[:] = 1
        yield rows, block


def stacked(blocks: list[Any]) -> Any:
    """Return blocks of rows as one matrix."""
    from scipy.sparse import vstack  # noqa: PLC0415  (slow to import)

    return vstack(blocks, format="csr")


def _matrix(keys: Keys, size: int) -> Any:
    from scipy.sparse import csr_matrix  # noqa: PLC0415  (slow to import)

    rows, columns = np.divmod(keys, size)
    return csr_matrix((np.ones(len(keys), np.float32), (rows, columns)), shape=(size, size))


FORMS = {
    "equivalence": Form(_equivalence, _equivalence_bases, _cheapest, _COMPARED),
    "transitive": Form(_transitive, _transitive_bases, _is_transitive, 2 * _SAMPLED - 1),
}
"""The closures by name; spaces of equivalence relations are symmetric ones."""
