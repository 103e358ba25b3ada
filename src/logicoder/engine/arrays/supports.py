"""Supports: which known atoms literals agree with on the head variables that they bind.

A shared existential does not matter here: `l(X,Z)` agrees with an atom on X whatever else a body says of Z.
So all classes of views with the same head variables have the supports of their *base*, the class without
shared existentials, and the known atoms that two views both agree with are counted once for all pairs of
classes over the same head variables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.join import matching_rows
from logicoder.engine.arrays.products import cross_counts, incidence
from logicoder.engine.arrays.relation import Column, joint_keys
from logicoder.engine.arrays.views import ViewClass
from logicoder.engine.clauses import View
from logicoder.engine.shapes import ClassKey

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix
else:
    csr_matrix = Any

_KEPT = 1 << 22
"""Greatest number of pairs of views of two bases whose counts are kept for all classes."""


class Supports:
    """The supports of all classes of views for head variables of some types.

    Args:
        database: the data.
        classes: the classes; with each its base.
        types: types of the head variables.
        tables: tables of known atoms, as columns over the head variables.
    """

    def __init__(
        self,
        database: Database,
        classes: Mapping[ClassKey, ViewClass],
        types: Sequence[int],
        tables: Sequence[Sequence[Column]],
    ) -> None:
        self._database = database
        self._classes = classes
        self._types = types
        self._tables = tables
        self._places: dict[int, np.ndarray] = {}
        self._matrices: dict[tuple[tuple[int, ...], int], csr_matrix] = {}
        self._common: dict[tuple[tuple[int, ...], tuple[int, ...], int], np.ndarray] = {}

    def places(self, views: ViewClass) -> np.ndarray:
        """Return the place of each view in its base; some head variable is bound."""
        found = self._places.get(id(views))
        if found is None:
            base = self._classes[views.variables, ()]
            place = {view: number for number, view in enumerate(base.views)}
            found = np.array([place[self._alone(view)] for view in views.views])
            self._places[id(views)] = found
        return found

    def _alone(self, view: View) -> View:
        """Number existentials by first occurrence; alone, shared ones are like all others."""
        names: dict[int, int] = {}
        first = len(self._types)
        return View(
            view.latent,
            tuple(a if a < first else names.setdefault(a, first + len(names)) for a in view.arguments),
        )

    def totals(self, views: ViewClass, table: int) -> np.ndarray:
        """Return how many atoms of a table each view of a class agrees with."""
        count = len(self._tables[table][0])
        if not views.variables:
            return np.full(len(views.views), count)
        matrix = self._matrix(views.variables, table)
        return np.asarray(np.diff(matrix.indptr)[self.places(views)], np.int64)

    def counts(self, first: ViewClass, second: ViewClass, block: slice, table: int) -> np.ndarray:
        """Return how many atoms of a table both views of a pair agree with: a block of first views by second.

        The first views bind head variables. The result may be a read-only view.
        """
        shape = len(range(*block.indices(len(first.views)))), len(second.views)
        if not len(self._tables[table][0]):
            return np.broadcast_to(np.int64(0), shape)
        if not second.variables:
            return np.broadcast_to(self.totals(first, table)[block, None], shape)
        rows, columns = self.places(first)[block], self.places(second)
        bound, other = first.variables, second.variables
        left, right = self._matrix(bound, table), self._matrix(other, table)
        if left.shape[0] * right.shape[0] > _KEPT:
            return cross_counts(left[rows], right[columns])
        common = self._common.get((bound, other, table))
        if common is None:
            common = self._common[bound, other, table] = cross_counts(left, right)
        return np.asarray(common[rows[:, None], columns])

    def _matrix(self, bound: tuple[int, ...], table: int) -> csr_matrix:
        """Return which atoms of a table the views of a base agree with: views by atoms."""
        found = self._matrices.get((bound, table))
        if found is None:
            base = self._classes[bound, ()]
            sizes = [self._database.sizes[self._types[v]] for v in bound]
            left, right = joint_keys(
                [base.columns[v] for v in bound], [self._tables[table][v] for v in bound], sizes
            )
            atom, line = matching_rows(right, left, None)
            found = incidence(base.view[line], atom, (len(base.views), len(right)))
            self._matrices[bound, table] = found
        return found
