"""Exact sizes of many joins of two tables before any of them is made: one sparse product for all of them.

The number of tuples of a natural join is the sum, over the values of the common variables, of the products
of how often each side has the value. With one row of such counts for each table, all pairs of tables are one
product of a sparse matrix with its transpose, and a join that is empty or too large is never begun.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.definitions import Vocabulary
from logicoder.engine.arrays.join import Bindings
from logicoder.engine.arrays.products import incidence
from logicoder.engine.arrays.relation import joint_keys
from logicoder.engine.clauses import IndexLiteral, Join

_CELLS = 1 << 22
"""Greatest number of pairs of tables whose sizes are looked at together."""


@dataclass
class JoinSizes:
    """Collects joins and tells how many tuples each would have.

    Attributes:
        database: the data.
    """

    database: Database
    _rows: dict[tuple[int, ...], dict[Hashable, int]] = field(default_factory=dict)
    _columns: dict[tuple[int, ...], list[tuple[np.ndarray, ...]]] = field(default_factory=dict)
    _wanted: list[tuple[tuple[int, ...], int, int]] = field(default_factory=list)

    def ask(
        self, left: tuple[Hashable, Bindings], right: tuple[Hashable, Bindings], shared: Sequence[Any]
    ) -> None:
        """Ask for the join of two tables over some common variables; each table comes with a name.

        Tables of equal names are the same one, and are counted once for each choice of variables.
        """
        types = tuple(left[1].types[v] for v in shared)
        first = self._row(types, left, shared)
        self._wanted.append((types, first, self._row(types, right, shared)))

    def _row(self, types: tuple[int, ...], table: tuple[Hashable, Bindings], shared: Sequence[Any]) -> int:
        name, bindings = table
        rows = self._rows.setdefault(types, {})
        key = (name, tuple(shared))
        if key not in rows:
            rows[key] = len(rows)
            self._columns.setdefault(types, []).append(tuple(bindings.columns[v] for v in shared))
        return rows[key]

    def answers(self) -> np.ndarray:
        """Return the numbers of tuples of all joins, in the order in which they were asked for."""
        sizes = np.zeros(len(self._wanted), np.int64)
        by_types: dict[tuple[int, ...], list[int]] = {}
        for number, (types, _, _) in enumerate(self._wanted):
            by_types.setdefault(types, []).append(number)
        for types, numbers in by_types.items():
            first, second = (np.array([self._wanted[n][side] for n in numbers]) for side in (1, 2))
            sizes[numbers] = self._products(types, first, second)
        return sizes

    def _products(self, types: tuple[int, ...], first: np.ndarray, second: np.ndarray) -> np.ndarray:
        tables = self._columns[types]
        columns = [np.concatenate([table[i] for table in tables]) for i in range(len(types))]
        owner = np.repeat(np.arange(len(tables)), [len(table[0]) for table in tables])
        keys, _ = joint_keys(
            columns, [column[:0] for column in columns], [self.database.sizes[kind] for kind in types]
        )
        present, numbers = np.unique(keys, return_inverse=True)
        counts = incidence(owner, numbers, (len(tables), len(present)))
        counts.sum_duplicates()
        sizes = np.zeros(len(first), np.int64)
        step = max(1, _CELLS // len(tables))
        turned = counts.T.tocsr()
        for low in range(0, len(tables), step):
            inside = np.flatnonzero((first >= low) & (first < low + step))
            if len(inside):
                block = np.asarray((counts[low : low + step] @ turned).toarray())
                sizes[inside] = block[first[inside] - low, second[inside]].astype(np.int64)
        return sizes


def join_sizes(database: Database, vocabulary: Vocabulary, joins: Sequence[Join]) -> list[int]:
    """Return the sizes of joins of literals."""
    found = JoinSizes(database)
    known: dict[Hashable, Bindings] = {}

    def table(literal: IndexLiteral, shared: tuple[int, ...] | None) -> tuple[Hashable, Bindings]:
        name = (literal, shared)
        if name not in known:
            bindings = vocabulary.bindings(literal)
            if shared is not None:
                columns = bindings.project(shared, database.sizes)
                types = {v: bindings.types[v] for v in shared}
                bindings = Bindings(types, dict(zip(shared, columns, strict=True)), len(columns[0]))
            known[name] = bindings
        return name, known[name]

    for join in joins:
        shared = join.shared if join.distinct else None
        found.ask(table(join.first, shared), table(join.second, shared), join.shared)
    return [int(size) for size in found.answers()]
