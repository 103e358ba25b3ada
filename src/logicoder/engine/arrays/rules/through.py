"""Rules p(X) :- a(X,Z), b(Z) or b(Z,c): for each a, all columns b and all heads at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from logicoder.base.effort import Effort
from logicoder.engine.arrays.rules.counted import Counted, Numbers, Worth
from logicoder.engine.arrays.rules.rule_tables import Column, RuleTables, View, sparse_rows
from logicoder.engine.arrays.rules.spaces import Space
from logicoder.logic.rules import Rule


class Through:
    """Counts such rules for spaces over the same type.

    Args:
        tables: the relations that rules may use.
        spaces: all heads.
        numbers: those over this type.
        least: for each space, the fewest true atoms with which a rule can pay.
        worth: whether rules can pay.
    """

    def __init__(
        self,
        tables: RuleTables,
        spaces: Sequence[Space],
        numbers: Numbers,
        least: Sequence[int],
        worth: Worth,
    ) -> None:
        self._tables, self._numbers, self._worth = tables, numbers, worth
        self._spaces = [spaces[number] for number in numbers]
        self._least = np.array([least[number] for number in numbers])
        self._size = self._spaces[0].sizes[0]
        self._facts = sparse_rows([space.keys for space in self._spaces], self._size)

    def counted(self, known: Iterable[Column], effort: Effort) -> Iterator[Counted]:
        """Iterate over the rules that can pay, the second literal being one about some columns."""
        kind = self._spaces[0].types[0]
        by_type: dict[int, list[Column]] = {}
        for column in known:
            by_type.setdefault(column.kind, []).append(column)
        matrices = {
            other: sparse_rows([column.values for column in own], self._tables.database.sizes[other])
            for other, own in by_type.items()
        }
        for view in self._tables.views:
            if view.types[0] != kind or view.types[1] not in by_type:
                continue
            columns, held = by_type[view.types[1]], matrices[view.types[1]]
            work = np.asarray(held @ view.column_sizes.astype(float))
            for some in np.split(np.arange(len(columns)), _breaks(work, effort.largest)):
                if effort.spend(int(work[some].sum())):
                    yield from self._of(view, [columns[i] for i in some.tolist()], held[some])

    def _of(self, view: View, columns: Sequence[Column], held: np.ndarray) -> Iterator[Counted]:
        reached = (view.matrix @ held.T).tocsr()
        reached.data[:] = 1
        true = (self._facts @ reached).tocoo()
        enough = np.flatnonzero(true.data >= self._least[true.row])
        for row in np.unique(true.row[enough]).tolist():
            space = self._spaces[row]
            own = enough[true.row[enough] == row]
            inside = np.ones(self._size) if space.masks[0] is None else space.masks[0].astype(float)
            derived = np.asarray(reached.T @ inside)
            number = np.full(len(own), self._numbers[row])
            paying = self._worth(number, derived[true.col[own]], true.data[own], 2) > 0
            for i in own[paying].tolist():
                column = columns[true.col[i]]
                if space.predicate not in (view.predicate, column.predicate):
                    rule = _through(view, column)
                    size = round(derived[true.col[i]])
                    yield Counted(int(self._numbers[row]), rule, size, round(true.data[i]))


def _breaks(work: np.ndarray, most: int) -> np.ndarray:
    """Return where to begin anew so that parts of a list have at most so much work, single ones aside."""
    return np.flatnonzero(np.diff(np.cumsum(work) // max(1, most // 2))) + 1


def _through(view: View, column: Column) -> Rule:
    first, fresh = view.literal(0, 1, 2)
    second, _ = column.literal(1, fresh)
    return Rule((0,), (first, second))
