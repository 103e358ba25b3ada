"""Exact sizes of many joins of two tables before any of them is made: one sparse product for all of them.

The number of tuples of a natural join is the sum, over the values of the common variables, of the products
of how often each side has the value. With one row of such counts for each table, all pairs of tables are one
product of a sparse matrix with its transpose, and a join that is empty or too large is never begun.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.evaluated_definitions import Vocabulary
from logicoder.engine.arrays.join import Bindings
from logicoder.engine.arrays.products import incidence
from logicoder.engine.arrays.relation import Column, joint_keys
from logicoder.engine.clauses import IndexLiteral, Join

_CELLS = 1 << 22
"""Greatest number of pairs of tables whose sizes are looked at together."""

Tables = dict[object, tuple[Column, ...]]
"""Columns of shared variables, by literal and variables."""


def join_sizes(database: Database, vocabulary: Vocabulary, joins: Sequence[Join]) -> list[int]:
    """Return how many tuples each join has."""
    bindings: dict[IndexLiteral, Bindings] = {}
    tables: dict[tuple[int, ...], Tables] = {}
    wanted: dict[tuple[int, ...], list[tuple[int, object, object]]] = {}
    for number, join in enumerate(joins):
        for literal in (join.first, join.second):
            if literal not in bindings:
                bindings[literal] = vocabulary.bindings(literal)
        types = tuple(bindings[join.first].types[v] for v in join.shared)
        names = [(literal, join.shared, join.distinct) for literal in (join.first, join.second)]
        for name in names:
            if name not in tables.setdefault(types, {}):
                found = bindings[name[0]]
                tables[types][name] = (
                    found.project(join.shared, database.sizes)
                    if join.distinct
                    else tuple(found.columns[v] for v in join.shared)
                )
        wanted.setdefault(types, []).append((number, names[0], names[1]))
    sizes = [0] * len(joins)
    for types, asked in wanted.items():
        place = {name: number for number, name in enumerate(tables[types])}
        first, second = (np.array([place[names[side]] for names in asked]) for side in (1, 2))
        products = _products(database, types, list(tables[types].values()), first, second)
        for (number, _, _), size in zip(asked, products.tolist(), strict=True):
            sizes[number] = size
    return sizes


def _products(
    database: Database,
    types: tuple[int, ...],
    tables: Sequence[tuple[Column, ...]],
    first: np.ndarray,
    second: np.ndarray,
) -> np.ndarray:
    """Return the sizes of the joins of some pairs of tables over all their columns."""
    columns = [np.concatenate([table[i] for table in tables]) for i in range(len(types))]
    owner = np.repeat(np.arange(len(tables)), [len(table[0]) for table in tables])
    keys, _ = joint_keys(
        columns, [column[:0] for column in columns], [database.sizes[kind] for kind in types]
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
