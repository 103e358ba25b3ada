"""What rules derive from the data's own predicates: views of their columns as sparse matrices, and joins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from typing import Any

import numpy as np

from logicoder.base.effort import Effort
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.join import Bindings, bindings_of, joined_projection
from logicoder.engine.arrays.relation import Column as Column32
from logicoder.engine.arrays.relation import Keys, Relation
from logicoder.engine.arrays.rules.chain_products import chain_atoms, matrix_keys
from logicoder.engine.arrays.rules.spaces import Mask, row_keys
from logicoder.engine.arrays.rules.tested import tested_projection
from logicoder.logic.rules import Literal, Rule, literal

_MOST_VIEWS = 56
"""Predicates with more pairs of columns have no views."""

_VIEW_SHARE = 0.3
"""The part of the memory that views may take."""

_PAIR_BYTES, _ENTITY_BYTES = 56, 16
"""What a view takes for each pair, its key and its edge in a graph; and for each entity of its types."""


@dataclass(frozen=True, eq=False)
class View:
    """Two columns of a predicate as a matrix: which pairs of entities occur in them.

    Attributes:
        predicate: its name.
        columns: the two columns.
        types: their types.
        matrix: sparse, by rows.
        arity: number of arguments of the predicate.
    """

    predicate: str
    columns: tuple[int, int]
    types: tuple[int, int]
    matrix: Any
    arity: int

    def literal(self, first: int | str, second: int | str, fresh: int) -> tuple[Literal, int]:
        """Return the literal with two arguments given, and the next free number of a variable."""
        return literal(self.predicate, self.arity, {self.columns[0]: first, self.columns[1]: second}, fresh)

    @cached_property
    def keys(self) -> Keys:
        """The pairs as numbers, sorted."""
        return matrix_keys(self.matrix)

    @cached_property
    def row_sizes(self) -> np.ndarray:
        """Number of pairs of each first entity."""
        return np.diff(self.matrix.indptr)

    @cached_property
    def column_sizes(self) -> np.ndarray:
        """Number of pairs of each second entity."""
        return np.bincount(self.matrix.indices, minlength=self.matrix.shape[1])


@dataclass(frozen=True, eq=False)
class Column:
    """One column of a predicate, perhaps where another one holds a constant.

    Attributes:
        predicate: its name.
        column: the column.
        kind: its type.
        arity: number of arguments of the predicate.
        values: the entities in it.
        fixed: another column and the constant that it holds.
    """

    predicate: str
    column: int
    kind: int
    arity: int
    values: np.ndarray
    fixed: tuple[int, str] | None = None

    def literal(self, variable: int, fresh: int) -> tuple[Literal, int]:
        """Return the literal about a variable, and the next free number of a variable."""
        given: dict[int, int | str] = {self.column: variable}
        if self.fixed is not None:
            given[self.fixed[0]] = self.fixed[1]
        return literal(self.predicate, self.arity, given, fresh)


class RuleTables:
    """The relations that rules may use.

    Args:
        database: the entities.
        relations: the facts of each predicate.
        effort: the memory for views; those of small relations are left out where they do not fit.
    """

    def __init__(
        self, database: Database, relations: Mapping[str, Relation], effort: Effort | None = None
    ) -> None:
        self.database = database
        self.names = tuple(sorted(relations))
        self._relations = {name: relations[name] for name in self.names}
        self._effort = effort

    def with_relations(self, further: Mapping[str, Relation]) -> RuleTables:
        """Return these relations and further ones."""
        return RuleTables(self.database, {**self._relations, **further}, self._effort)

    def relation(self, name: str) -> Relation:
        """Return the facts of a predicate."""
        return self._relations[name]

    def values(self, name: str, column: int) -> Mask:
        """Return which entities occur in a column."""
        relation = self._relations[name]
        mask = np.zeros(self.database.sizes[relation.types[column]], np.bool_)
        mask[relation.columns[column]] = True
        return mask

    @cached_property
    def views(self) -> list[View]:
        """All pairs of columns."""
        from scipy.sparse import csr_matrix  # noqa: PLC0415  (slow to import)

        found = []
        for name in self._viewed():
            relation = self._relations[name]
            for pair in permutations(range(relation.arity), 2):
                if self._effort is not None:
                    self._effort.check()
                types = (relation.types[pair[0]], relation.types[pair[1]])
                rows, columns = (relation.columns[place] for place in pair)
                shape = tuple(self.database.sizes[kind] for kind in types)
                matrix = csr_matrix((np.ones(len(rows), np.float32), (rows, columns)), shape=shape)
                matrix.data[:] = 1
                found.append(View(name, pair, types, matrix, relation.arity))
        return found

    def _viewed(self) -> list[str]:
        """Return the predicates that have views: those with most facts first as far as there is room."""
        room = self._effort.room(_VIEW_SHARE, 1) if self._effort is not None else None
        chosen = set()
        for name in sorted(self.names, key=lambda name: (-len(self._relations[name]), name)):
            relation = self._relations[name]
            entities = sum(self.database.sizes[kind] for kind in relation.types)
            needed = (relation.arity - 1) * (
                relation.arity * len(relation) * _PAIR_BYTES + 2 * entities * _ENTITY_BYTES
            )
            if relation.arity * (relation.arity - 1) <= _MOST_VIEWS and (room is None or needed <= room):
                chosen.add(name)
                room = None if room is None else room - needed
        return [name for name in self.names if name in chosen]

    @cached_property
    def view_of(self) -> dict[tuple[str, int, int], View]:
        """The views by predicate and columns."""
        return {(view.predicate, *view.columns): view for view in self.views}

    @cached_property
    def columns(self) -> list[Column]:
        """All columns of all predicates."""
        return [
            Column(name, place, kind, len(relation.types), np.flatnonzero(self.values(name, place)))
            for name, relation in self._relations.items()
            for place, kind in enumerate(relation.types)
        ]

    def atoms(self, types: Sequence[int], rule: Rule, effort: Effort | None = None) -> Keys:
        """Return the atoms that a rule derives, as sorted keys over its head types.

        Raises:
            JoinTooLargeError: where a join has more tuples than may be made.
            StoppedError: where somebody said stop.
        """
        if effort is not None:
            effort.check()
        limit = None if effort is None else min(effort.largest, effort.left)
        sizes = [self.database.sizes[kind] for kind in types]
        found = None if rule.tested else chain_atoms(rule, self._matrix, self._holds, effort)
        if found is not None:
            return found
        tables = [self.bindings(item) for item in rule.body if not item.tests]
        variables = [argument for argument in rule.head if not isinstance(argument, str)]
        tests = [item for item in rule.body if item.tests]
        projected = (
            tested_projection(self.database, tables, tests, self.bindings, variables, limit)
            if tests
            else joined_projection(self.database, tables, variables, limit)
        )
        columns: dict[int | str, Column32] = dict(zip(variables, projected, strict=True))
        head = [columns.get(argument) for argument in rule.head]
        if len(variables) < len(rule.head):
            any_type = types[rule.head.index(variables[0])]
            worlds = self.database.world_of[any_type][columns[variables[0]]]
            inside = np.ones(len(worlds), np.bool_)
            for place, (kind, argument) in enumerate(zip(types, rule.head, strict=True)):
                if isinstance(argument, str):
                    # A world that does not know the constant has no such atom.
                    head[place], known = self.database.constant_if_known(kind, argument, worlds)
                    inside &= known
            head = [column[inside] for column in head if column is not None]
        keys = row_keys([column for column in head if column is not None], sizes)
        if effort is not None:
            effort.count(len(keys) + sum(table.rows for table in tables))
        return np.sort(keys) if len(variables) < len(rule.head) or keys.dtype.kind == "V" else keys

    def _matrix(self, predicate: str, first: int, second: int) -> Any:
        view = self.view_of.get((predicate, first, second))
        return None if view is None else view.matrix

    def _holds(self, item: Literal, place: int) -> Mask:
        relation, bound = self._relations[item.predicate], self.bindings(item)
        mask = np.zeros(self.database.sizes[relation.types[place]], np.bool_)
        mask[bound.columns[item.arguments[place]]] = True
        return mask

    def bindings(self, item: Literal) -> Bindings:
        """Return the facts of a literal by its variables, constants looked up."""
        relation = self._relations[item.predicate]
        keep: np.ndarray | None = None
        places = []
        for place, argument in enumerate(item.arguments):
            if isinstance(argument, str):
                same = self.database.is_constant(relation.types[place], relation.columns[place], argument)
                keep = same if keep is None else keep & same
            else:
                places.append(place)
        if keep is not None:
            relation = relation.select(keep)
        part = Relation(
            tuple(relation.types[place] for place in places),
            tuple(relation.columns[place] for place in places),
        )
        return bindings_of(part, [item.arguments[place] for place in places])


def join_size(left: View, right: View) -> int:
    """Return how many walks two views have together."""
    return int(left.column_sizes.astype(np.int64) @ right.row_sizes.astype(np.int64))


def chain_of(views: Sequence[View]) -> Rule:
    """Return the rule that walks through some views from X to Y."""
    between = [0, *range(2, len(views) + 1), 1]
    fresh = len(views) + 1
    body = []
    for view, first, second in zip(views, between[:-1], between[1:], strict=True):
        made, fresh = view.literal(first, second, fresh)
        body.append(made)
    return Rule((0, 1), tuple(body))


def sparse_rows(rows: Sequence[np.ndarray], size: int) -> Any:
    """Return a sparse matrix of ones with a row for each array of distinct places."""
    from scipy.sparse import csr_matrix  # noqa: PLC0415  (slow to import)

    ends = np.cumsum([0, *map(len, rows)])
    places = np.concatenate(rows) if rows else np.empty(0, np.int64)
    return csr_matrix((np.ones(len(places)), places, ends), shape=(len(rows), size))
