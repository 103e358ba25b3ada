"""Views: the literals of decoder bodies, seen from the variables of a decoder's head.

A literal such as `l7(X,Z)` in a decoder body matters only through the head variables it binds and the
existential variables it shares with another literal; its other arguments are projected away. Views
with the same head variables and the same shared existentials form a class, stacked into one table
with the view as an additional column, so that whole classes are evaluated at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from logicoder.engine.arrays.atom_hashes import Factors, products, sums
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.listing import Listing, borders, spread
from logicoder.engine.arrays.relation import Column, Relation, distinct, joint_keys, key_space, numbered
from logicoder.engine.clauses import View
from logicoder.engine.shapes import ClassKey, labelled_patterns


@dataclass(frozen=True, eq=False)
class ViewClass:
    """All views with the same head variables and shared existentials, as one table.

    Attributes:
        variables: head variables bound by each view, ascending.
        shared: types of the shared existentials, ascending; numbered after the head variables.
        views: the views.
        view: for each row its view, ascending.
        columns: for each variable its column.
        starts: rows `starts[v]:starts[v+1]` belong to view v.
    """

    variables: tuple[int, ...]
    shared: tuple[int, ...]
    views: list[View]
    view: Column
    columns: dict[int, Column]
    starts: np.ndarray

    def rows(self, view: int) -> slice:
        """Return the rows of one view."""
        return slice(int(self.starts[view]), int(self.starts[view + 1]))

    @cached_property
    def row_counts(self) -> np.ndarray:
        """Number of tuples of each view."""
        return np.diff(self.starts)

    @cached_property
    def latents(self) -> np.ndarray:
        """The latent of each view."""
        return np.array([view.latent for view in self.views], np.int64)

    @cached_property
    def largest_groups(self) -> np.ndarray:
        """For each view the greatest number of tuples that agree on the head variables it binds."""
        if not self.variables or not len(self.view):
            return np.asarray(np.maximum(self.row_counts, 1))
        columns = [self.view, *(self.columns[v] for v in self.variables)]
        sizes = [int(column.max()) + 1 for column in columns]
        keys, _ = joint_keys(columns, [column[:0] for column in columns], sizes)
        _, numbers = numbered(keys, key_space(sizes))
        return np.asarray(np.maximum.reduceat(np.bincount(numbers)[numbers], self.starts[:-1]))

    def listed(self, views: np.ndarray) -> Listing:
        """Return the tuples of some views that share no existentials."""
        rows, _ = spread(self.starts[views], self.row_counts[views])
        return Listing(borders(self.row_counts[views]), tuple(self.columns[v][rows] for v in self.variables))

    def fingerprints(self, factors: Sequence[Factors]) -> Factors:
        """Return the fingerprints of all views that bind all head variables and share no existentials."""
        columns = [self.columns[v] for v in self.variables]
        return sums(products(factors, columns), self.starts)


class Projections:
    """The distinct values of some arguments of many latents, each choice of arguments computed once.

    Args:
        database: the data.
        latents: the latents, by number.
        repeats: whether a variable may occur more than once in a literal.
    """

    def __init__(self, database: Database, latents: Mapping[int, Relation], *, repeats: bool = True) -> None:
        self._database = database
        self.repeats = repeats
        groups: dict[tuple[int, ...], list[int]] = {}
        for index, latent in latents.items():
            groups.setdefault(latent.types, []).append(index)
        self.members = groups
        """The latents of each sequence of types."""
        self._stacks = {kinds: stack([latents[i] for i in group]) for kinds, group in groups.items()}
        self._known: dict[tuple[object, ...], tuple[list[int], np.ndarray, list[Column]]] = {}

    def rows(
        self, types: tuple[int, ...], arguments: tuple[int, ...], wanted: Sequence[int]
    ) -> tuple[list[int], np.ndarray, list[Column]]:
        """Return the latents with such literals, and rows: the place of the latent, the wanted columns."""
        places = [arguments.index(v) for v in wanted]
        key = (types, tuple(arguments.index(a) for a in arguments), tuple(places))
        found = self._known.get(key)
        if found is None:
            members = self.members[types]
            lines, columns = pattern_rows(
                self._database, self._stacks[types], types, arguments, wanted, len(members)
            )
            counts = np.bincount(lines, minlength=len(members))
            present = np.flatnonzero(counts)
            numbers = np.repeat(np.arange(len(present), dtype=np.int32), counts[present])
            found = self._known[key] = [members[i] for i in present.tolist()], numbers, columns
        return found


def build_views(
    projections: Projections, head: tuple[int, ...], *, complete: bool = False
) -> dict[ClassKey, ViewClass]:
    """Return the classes of all non-empty views of some latents for head variables of the given types.

    Classes whose views cannot be part of a body of two literals are left out, unless they share no
    existentials. With `complete`, only the class that binds all head variables and shares no others.
    """
    patterns: dict[ClassKey, list[tuple[tuple[int, ...], tuple[int, ...]]]] = {}
    for types in projections.members:
        for key, arguments in labelled_patterns(types, head, repeats=projections.repeats):
            if not complete or (len(key[0]) == len(head) and not key[1]):
                patterns.setdefault(key, []).append((types, arguments))
    found = {}
    for key, members in patterns.items():
        if not key[1] or _has_partner(key, patterns, len(head)):
            views = _assemble(key, members, projections, len(head))
            if views is not None:
                found[key] = views
    return found


def _has_partner(key: ClassKey, keys: Iterable[ClassKey], variables: int) -> bool:
    """Whether two views of such classes together can bind all head variables."""
    return any(shared == key[1] and len({*bound, *key[0]}) == variables for bound, shared in keys)


def stack(relations: Sequence[Relation]) -> tuple[Column, list[Column]]:
    """Return relations of the same types below each other, with the relation of each row first."""
    member = np.repeat(np.arange(len(relations), dtype=np.int32), [len(r) for r in relations])
    columns = [np.concatenate([r.columns[i] for r in relations]) for i in range(relations[0].arity)]
    return member, columns


def pattern_rows(
    database: Database,
    stacked: tuple[Column, list[Column]],
    types: tuple[int, ...],
    arguments: tuple[int, ...],
    wanted: Sequence[int],
    members: int,
) -> tuple[Column, list[Column]]:
    """Return the distinct (member, wanted variables...) rows of an argument pattern over a stack."""
    member, columns = stacked
    first = {argument: position for position, argument in reversed(list(enumerate(arguments)))}
    keep: np.ndarray | None = None
    for position, argument in enumerate(arguments):
        if first[argument] != position:
            same = columns[first[argument]] == columns[position]
            keep = same if keep is None else keep & same
    chosen = [member, *(columns[first[v]] for v in wanted)]
    if keep is not None:
        chosen = [column[keep] for column in chosen]
    if len(wanted) < len(set(arguments)):
        chosen = list(distinct(chosen, [members, *(database.sizes[types[first[v]]] for v in wanted)]))
    return chosen[0], chosen[1:]


def _assemble(
    key: ClassKey,
    patterns: Sequence[tuple[tuple[int, ...], tuple[int, ...]]],
    projections: Projections,
    variables: int,
) -> ViewClass | None:
    bound, shared = key
    wanted = (*bound, *range(variables, variables + len(shared)))
    views: list[View] = []
    numbers: list[np.ndarray] = []
    columns: list[list[Column]] = []
    for types, arguments in patterns:
        latents, lines, rows = projections.rows(types, arguments, wanted)
        numbers.append(lines + np.int32(len(views)))
        columns.append(rows)
        views.extend(View(latent, arguments) for latent in latents)
    if not views:
        return None
    view = np.concatenate(numbers)
    return ViewClass(
        bound,
        shared,
        views,
        view,
        {v: np.concatenate([rows[i] for rows in columns]) for i, v in enumerate(wanted)},
        borders(np.bincount(view, minlength=len(views))),
    )
