"""Rules p(X,Y) :- a(X,c), b(Y,d): facts that are dense, or rare, between things of two kinds.

What holds between all kinds of X and all kinds of Y is counted at once, by products of sparse matrices.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logicoder.base.effort import Effort
from logicoder.engine.arrays.join import JoinTooLargeError
from logicoder.engine.arrays.rules.counted import Counted, Worth
from logicoder.engine.arrays.rules.rule_tables import Column, RuleTables
from logicoder.engine.arrays.rules.spaces import Space, key_columns
from logicoder.logic.rules import Rule

_MOST_KINDS = 300
"""Kinds of things in each place that are tried: those with most facts."""

_MOST_VALUES = 50
"""A column with more values that many things have tells no kinds of things."""

_ALIKE = 40
"""Rules by the same two predicates that are made for each head."""

_MOST_RULES = 120
"""Rules that are made for each head."""


class _Kinds:
    """Kinds of things of one type.

    Args:
        columns: all columns, also with constants in other ones.
        matrix: has a row for each.
    """

    def __init__(self, columns: Sequence[Column], matrix: Any) -> None:
        told_by = [(c.predicate, c.column, -1 if c.fixed is None else c.fixed[0]) for c in columns]
        values = Counter(told_by)
        few = [number for number, one in enumerate(told_by) if values[one] <= _MOST_VALUES]
        self.columns = [columns[number] for number in few]
        self.matrix = matrix[few]
        self.predicates = np.array([column.predicate for column in self.columns], object)


class Products:
    """Counts such rules for some spaces.

    Args:
        tables: the relations that rules may use.
        spaces: the heads.
        least: for each space, the fewest true atoms with which a rule can pay.
        worth: whether rules can pay.
        effort: what it may cost.
    """

    def __init__(
        self,
        tables: RuleTables,
        spaces: Sequence[Space],
        least: Sequence[int],
        worth: Worth,
        effort: Effort,
    ) -> None:
        self._tables, self._spaces, self._least = tables, spaces, least
        self._worth, self._effort = worth, effort

    def counted(self, kinds: dict[int, tuple[Sequence[Column], Any]]) -> Iterator[Counted]:
        """Iterate over the rules that can pay.

        Args:
            kinds: by type, all columns, also with constants in other ones, and a matrix with a row for each.
        """
        made = {kind: _Kinds(*own) for kind, own in kinds.items()}
        for number, space in enumerate(self._spaces):
            self._effort.check()
            if len(space.types) == 2 and space.packed and space.facts >= self._least[number]:
                first, second = (made.get(kind) for kind in space.types)
                if first is not None and second is not None:
                    yield from self._of(number, space, first, second)

    def _of(self, number: int, space: Space, first: _Kinds, second: _Kinds) -> Iterator[Counted]:
        from scipy.sparse import csr_matrix  # noqa: PLC0415  (slow to import)

        rows, columns = key_columns(space.keys, space.sizes)
        if space.symmetric:
            rows, columns = np.concatenate([rows, columns]), np.concatenate([columns, rows])
        if not self._effort.spend(len(rows) + first.matrix.nnz + second.matrix.nnz):
            return
        ahead = self._kinds(space, first, rows, number)
        behind = self._kinds(space, second, columns, number)
        if not len(ahead) or not len(behind):
            return
        left, right = first.matrix[ahead], second.matrix[behind]
        facts = csr_matrix((np.ones(len(rows)), (rows, columns)), shape=space.sizes)
        work = int(np.bincount(left.indices, minlength=left.shape[1]) @ np.diff(facts.indptr))
        if not self._effort.spend(2 * work + len(ahead) * len(behind)):
            return
        true = (left @ facts @ right.T).toarray()
        derived = self._atoms(space, left, right)
        if space.symmetric:
            # Two kinds and the same two turned round are alike; a kind and itself have each pair twice, as
            # kinds have that have things in common: there, this is more than there is.
            true, derived = (np.triu(x) - np.diag(x.diagonal()) / 2 for x in (true, derived))
            true = np.minimum(true, space.facts)
            derived = np.minimum(derived, space.atoms - space.facts + true)
        paying = self._worth(np.full(true.size, number), derived.ravel(), true.ravel(), 2)
        paying[true.ravel() < self._least[number]] = 0
        times: dict[tuple[str, str], int] = {}
        for place in np.argsort(-paying, kind="stable").tolist():
            if paying[place] <= 0 or sum(times.values()) >= _MOST_RULES:
                return
            a, b = divmod(place, len(behind))
            one, other = first.columns[ahead[a]], second.columns[behind[b]]
            key = one.predicate, other.predicate
            if times.get(key, 0) >= _ALIKE:
                continue
            times[key] = times.get(key, 0) + 1
            literal, fresh = one.literal(0, 2)
            rule = Rule((0, 1), (literal, other.literal(1, fresh)[0]))
            if not space.symmetric:
                yield Counted(number, rule, round(derived[a, b]), round(true[a, b]))
                continue
            try:
                atoms = space.within(self._tables.atoms(space.types, rule, self._effort))
            except JoinTooLargeError:
                continue
            yield Counted(number, rule, len(atoms), int(space.true(atoms).sum()))

    def _kinds(
        self, space: Space, side: _Kinds, values: NDArray[np.integer], number: int
    ) -> NDArray[np.int64]:
        """Return the kinds with most facts among those with enough of them, but not with all."""
        facts = side.matrix @ np.bincount(values, minlength=side.matrix.shape[1]).astype(float)
        foreign = side.predicates != space.predicate
        enough = np.flatnonzero(foreign & (facts >= self._least[number]) & (facts < len(values)))
        best = enough[np.argsort(-facts[enough], kind="stable")[:_MOST_KINDS]]
        return np.sort(best)

    def _atoms(self, space: Space, left: Any, right: Any) -> NDArray[np.float64]:
        """Return how many atoms there are between each two kinds, of one world each."""
        from scipy.sparse import csr_matrix  # noqa: PLC0415  (slow to import)

        database, counts = self._tables.database, []
        for kind, mask, matrix in zip(space.types, space.masks, (left, right), strict=True):
            inside = np.arange(matrix.shape[1]) if mask is None else np.flatnonzero(mask)
            place = inside, database.world_of[kind][inside]
            shape = matrix.shape[1], database.worlds
            counts.append(matrix @ csr_matrix((np.ones(len(inside)), place), shape=shape))
        found = (counts[0] @ counts[1].T).toarray()
        if space.apart:
            both = np.ones(left.shape[1])
            for mask in space.masks:
                both *= 1 if mask is None else mask
            found -= (left.multiply(both).tocsr() @ right.T).toarray()
        return np.asarray(found)
