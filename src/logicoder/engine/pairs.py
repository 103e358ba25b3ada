"""Pairs of views of two classes: what matrix products and bit vectors have in common."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from logicoder.engine.database import Database
from logicoder.engine.join import matching_rows
from logicoder.engine.products import incidence, key_numbers
from logicoder.engine.relation import Column, distinct, joint_keys
from logicoder.engine.views import ViewClass


class ViewPairs:
    """All pairs of a view of one class and a view of another.

    The two classes meet in the head variables that they have in common and in their shared existentials:
    the *key* of a row is its values for these.

    Args:
        database: the data.
        first: class of the first views; they bind at least one head variable.
        second: class of the second views, with the same shared existentials.
        types: types of the head variables.
        facts: tables of atoms to be recognised, as columns over the head variables.
    """

    def __init__(
        self,
        database: Database,
        first: ViewClass,
        second: ViewClass,
        types: tuple[int, ...],
        facts: Sequence[Sequence[Column]],
    ) -> None:
        self.database = database
        self.first, self.second = first, second
        self.types = types
        self.facts = facts
        self.common = tuple(v for v in first.variables if v in second.variables)
        variables = (*self.common, *range(len(types), len(types) + len(first.shared)))
        self.key_first, self.key_second, self.keys = key_numbers(
            database,
            (*(types[v] for v in self.common), *first.shared),
            [first.columns[v] for v in variables],
            [second.columns[v] for v in variables],
        )

    @cached_property
    def degrees(self) -> tuple[Any, Any]:
        """How many rows of each view have each key: a matrix views by keys, for both classes."""
        return (
            incidence(self.first.view, self.key_first, (len(self.first.views), self.keys)),
            incidence(self.second.view, self.key_second, (len(self.second.views), self.keys)),
        )

    @cached_property
    def largest_groups(self) -> tuple[np.ndarray, np.ndarray]:
        """For each view of both classes the most tuples that agree on the head variables it binds."""
        return self._largest_group(self.first), self._largest_group(self.second)

    def _largest_group(self, views: ViewClass) -> np.ndarray:
        """Return for each view the greatest number of tuples that agree on the head variables it binds."""
        if not views.variables:
            return np.asarray(np.maximum(views.row_counts, 1))
        columns = [views.view, *(views.columns[v] for v in views.variables)]
        sizes = [len(views.views), *(self.database.sizes[self.types[v]] for v in views.variables)]
        keys, _ = joint_keys(columns, [column[:0] for column in columns], sizes)
        _, first, counts = np.unique(keys, return_index=True, return_counts=True)
        largest = np.ones(len(views.views), np.int64)
        np.maximum.at(largest, views.view[first], counts)
        return largest

    def extension(self, first: int, second: int) -> tuple[Column, ...]:
        """Return the distinct head tuples of one pair, as columns over the head variables."""
        left, right = self.first.rows(first), self.second.rows(second)
        lines, partners = matching_rows(self.key_first[left], self.key_second[right], None)
        columns = [
            self.first.columns[v][left][lines]
            if v in self.first.columns
            else self.second.columns[v][right][partners]
            for v in range(len(self.types))
        ]
        return distinct(columns, [self.database.sizes[kind] for kind in self.types])

    def difference(self, first: int, second: int) -> tuple[Column, ...]:
        """Return the head tuples of the first view for which the second does not hold.

        The first view binds all head variables, and the second has no others.
        """
        left, right = self.first.rows(first), self.second.rows(second)
        keep = ~np.isin(self.key_first[left], self.key_second[right])
        return tuple(self.first.columns[v][left][keep] for v in range(len(self.types)))
