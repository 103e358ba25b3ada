"""Joining one table with very many literals at once.

The literals that may follow a body are the views of all latents over the variables of the body. Those that
use the same variables are stacked into one table, with the literal as a further column, and sorted once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.join import Bindings, sorted_matches
from logicoder.engine.arrays.relation import Column, Relation, distinct, joint_keys, pack, packable
from logicoder.engine.arrays.views import pattern_rows, stack
from logicoder.engine.shapes import argument_patterns

Literal = tuple[int, tuple[int, ...]]
"""A latent and its arguments: variables of the body, or new ones."""


@dataclass(eq=False)
class Attachment:
    """All literals over the same variables of a body.

    Attributes:
        variables: the variables, ascending.
        types: their types.
        views: the literals; new variables are their own.
        view: for each row its literal.
        columns: for each variable its column.
    """

    database: Database
    variables: tuple[int, ...]
    types: tuple[int, ...]
    views: list[Literal]
    view: np.ndarray
    columns: dict[int, Column]
    _sorted: dict[tuple[int, ...], tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)

    def joined(
        self, rows: Bindings, head: int, limit: int | None
    ) -> tuple[np.ndarray, list[Column], tuple[int, ...]] | None:
        """Join a body with all literals at once.

        Args:
            rows: the body.
            head: number of head variables; they are numbered first.
            limit: the most tuples.

        Returns:
            distinct pairs of a literal and values of the head variables that are bound then: the literals,
            the columns, and those variables; None where no literal shares a variable with the body.
        """
        common = tuple(v for v in self.variables if v in rows.columns)
        if not common:
            return None
        bound = tuple(v for v in range(head) if v in rows.columns or v in self.columns)
        kept = sorted({*common, *(v for v in range(head) if v in rows.columns)})
        left = rows.project(kept, self.database.sizes)
        place = {v: i for i, v in enumerate(kept)}
        left_keys, right_keys, order = self._keys([left[place[v]] for v in common], common)
        lines, places = sorted_matches(left_keys, right_keys, limit)
        partners = order[places]
        columns = [self.view[partners]]
        columns += [left[place[v]][lines] if v in place else self.columns[v][partners] for v in bound]
        sizes = [len(self.views), *(self._size(v, rows) for v in bound)]
        view, *heads = distinct(columns, sizes)
        return view, heads, bound

    def _size(self, variable: int, rows: Bindings) -> int:
        if variable in rows.types:
            return self.database.sizes[rows.types[variable]]
        return self.database.sizes[self.types[self.variables.index(variable)]]

    def _keys(
        self, left: Sequence[Column], common: tuple[int, ...]
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return keys of both sides; those of the stack sorted, with their order."""
        sizes = [self.database.sizes[self.types[self.variables.index(v)]] for v in common]
        right = [self.columns[v] for v in common]
        if packable(sizes):
            if common not in self._sorted:
                keys = pack(right, sizes)
                order = np.argsort(keys, kind="stable")
                self._sorted[common] = keys[order], order
            return pack(left, sizes), *self._sorted[common]
        left_keys, keys = joint_keys(left, right, sizes)
        order = np.argsort(keys, kind="stable")
        return left_keys, keys[order], order


class Attachments:
    """The literals that may follow bodies with the same head variables, by the types of their variables.

    Args:
        database: the data.
        latents: the latents, by number.
        head: types of the head variables.
        repeats: whether a variable may occur more than once in a literal.
    """

    def __init__(
        self,
        database: Database,
        latents: Mapping[int, Relation],
        head: tuple[int, ...],
        *,
        repeats: bool = True,
    ) -> None:
        self._database = database
        self._repeats = repeats
        self._latents = latents
        self._head = head
        self._known: dict[tuple[int, ...], list[Attachment]] = {}

    def of(self, types: tuple[int, ...]) -> list[Attachment]:
        """Return the stacks of literals over variables of these types, at least one of which they use."""
        if types not in self._known:
            self._known[types] = list(self._built(types).values())
        return self._known[types]

    def _built(self, types: tuple[int, ...]) -> dict[tuple[int, ...], Attachment]:
        groups: dict[tuple[int, ...], list[int]] = {}
        for number, latent in self._latents.items():
            groups.setdefault(latent.types, []).append(number)
        parts: dict[tuple[int, ...], list[tuple[list[Literal], np.ndarray, list[Column]]]] = {}
        for kinds, members in groups.items():
            stacked = stack([self._latents[number] for number in members])
            for arguments, _ in argument_patterns(kinds, types, repeats=self._repeats):
                used = tuple(sorted({a for a in arguments if a < len(types)}))
                if used:
                    lines, columns = pattern_rows(
                        self._database, stacked, kinds, arguments, used, len(members)
                    )
                    present, numbers = np.unique(lines, return_inverse=True)
                    views = [(members[i], arguments) for i in present.tolist()]
                    if views:
                        parts.setdefault(used, []).append((views, numbers, columns))
        return {used: self._assembled(used, found, types) for used, found in parts.items()}

    def _assembled(
        self,
        used: tuple[int, ...],
        parts: list[tuple[list[Literal], np.ndarray, list[Column]]],
        types: tuple[int, ...],
    ) -> Attachment:
        views: list[Literal] = []
        numbers = []
        for part, lines, _ in parts:
            numbers.append(lines + len(views))
            views.extend(part)
        columns = {v: np.concatenate([part[2][i] for part in parts]) for i, v in enumerate(used)}
        view = np.concatenate(numbers).astype(np.int32)
        return Attachment(self._database, used, tuple(types[v] for v in used), views, view, columns)


class Lookup:
    """Sums over the atoms of a table that agree with given values of some head variables.

    Args:
        database: the data.
        types: types of the head variables.
        atoms: the atoms, as columns over the head variables.
        weights: a weight for each atom.
    """

    def __init__(
        self, database: Database, types: Sequence[int], atoms: Sequence[Column], weights: np.ndarray
    ) -> None:
        self._sizes = [database.sizes[kind] for kind in types]
        self._atoms = atoms
        self._weights = weights

    def sums(
        self, bound: Sequence[int], values: Sequence[Column], group: np.ndarray, groups: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return for each group of rows how many atoms agree with one of its rows, and their weights.

        Args:
            bound: the head variables that rows have values for.
            values: columns of these variables; the rows of a group are distinct.
            group: the group of each row.
            groups: number of groups.
        """
        sizes = [self._sizes[v] for v in bound]
        keys, table = joint_keys(values, [self._atoms[v] for v in bound], sizes)
        present, inverse = np.unique(table, return_inverse=True)
        if not len(present):
            return np.zeros(groups, np.int64), np.zeros(groups)
        counts = np.bincount(inverse, minlength=len(present))
        weights = np.bincount(inverse, self._weights, minlength=len(present))
        place = np.minimum(np.searchsorted(present, keys), len(present) - 1)
        hit = present[place] == keys
        place, group = place[hit], group[hit]
        return (
            np.bincount(group, counts[place], minlength=groups).astype(np.int64),
            np.bincount(group, weights[place], minlength=groups),
        )
