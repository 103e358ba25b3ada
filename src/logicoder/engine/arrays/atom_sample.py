"""Samples of atoms: what candidates derive, looked at for some values of the first head variable only.

For a body such as `l1(X,Z), l2(Z,Y)` the atoms with X in a sample are derived from the tuples of `l1` with X
in the sample and from those tuples of `l2` that they meet. So a sample of one atom in a hundred costs little
more than a hundredth, the counts on it are exact, and all candidates of a head are judged by the same atoms.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.fingerprint import mixed
from logicoder.engine.arrays.join import Bindings, bindings_of, joined_projection, semijoin
from logicoder.engine.arrays.relation import Column, Relation
from logicoder.engine.arrays.targets import Target
from logicoder.engine.arrays.views import ViewClass
from logicoder.engine.clauses import DecoderBody, View
from logicoder.engine.shapes import ClassKey


@dataclass(frozen=True, eq=False)
class Sample:
    """One in so many values of a type, that of the first head variable.

    Attributes:
        every: one value in so many is in the sample.
        kind: the type.
        inside: which values are in the sample.
    """

    every: int
    kind: int
    inside: np.ndarray

    @classmethod
    def of(
        cls, database: Database, kind: int, every: int, seed: int, also: Iterable[np.ndarray] = ()
    ) -> Sample:
        """Draw a sample of a type, with some values in any case; the same seed gives the same."""
        numbers = np.arange(database.sizes[kind], dtype=np.uint64) + np.uint64(seed + 1)
        inside = mixed(numbers) % np.uint64(every) == 0
        for values in also:
            inside[values] = True
        return cls(every, kind, inside)

    def target(self, target: Target) -> Target:
        """Return a target with the facts of the sample only."""
        keep = self.inside

        def within(columns: tuple[Column, ...]) -> tuple[Column, ...]:
            return tuple(column[keep[columns[0]]] for column in columns)

        wanted = None if target.wanted is None else target.wanted[keep[target.facts[0]]]
        return replace(
            target,
            facts=within(target.facts),
            other=within(target.other),
            diagonal=None if target.diagonal is None else within(target.diagonal),
            wanted=wanted,
        )

    def near(self, database: Database, latents: Mapping[int, Relation]) -> dict[int, Relation]:
        """Return the tuples of latents that hold a value of the sample, or one that such a tuple holds."""
        seeds = [np.zeros(size, np.bool_) for size in database.sizes]
        seeds[self.kind] = self.inside
        reached = [values.copy() for values in seeds]
        for relation in latents.values():
            touched = self._touching(relation, seeds)
            for kind, column in zip(relation.types, relation.columns, strict=True):
                reached[kind][column[touched]] = True
        return {n: relation.select(self._touching(relation, reached)) for n, relation in latents.items()}

    @staticmethod
    def _touching(relation: Relation, values: Sequence[np.ndarray]) -> np.ndarray:
        found = np.zeros(len(relation), np.bool_)
        for kind, column in zip(relation.types, relation.columns, strict=True):
            found |= values[kind][column]
        return found

    def views(self, classes: dict[ClassKey, ViewClass]) -> dict[ClassKey, ViewClass]:
        """Return views whose first head variable, where they bind it, is in the sample."""
        found = {}
        for key, views in classes.items():
            restricted = self._restricted(views) if 0 in views.variables else views
            if restricted.views:
                found[key] = restricted
        return found

    def _restricted(self, views: ViewClass) -> ViewClass:
        keep = self.inside[views.columns[0]]
        present, numbers = np.unique(views.view[keep], return_inverse=True)
        return ViewClass(
            views.variables,
            views.shared,
            [views.views[i] for i in present.tolist()],
            numbers.astype(np.int32),
            {variable: column[keep] for variable, column in views.columns.items()},
            np.searchsorted(numbers, np.arange(len(present) + 1)),
        )


def derived_atoms(
    database: Database,
    target: Target,
    body: DecoderBody,
    latents: Mapping[int, Relation],
    limit: int | None = None,
) -> tuple[Column, ...]:
    """Return all atoms that a decoder derives, whatever sample it was found on.

    Raises:
        JoinTooLargeError: where its join has more than `limit` tuples.
    """
    size = len(target.types)
    bound = size + body.shared
    tables = [_table(database, latents[view.latent], view, bound) for view in body.views if view.positive]
    columns = joined_projection(database, tables, range(size), limit)
    for view in body.views:
        if not view.positive:
            rows = Bindings(dict(enumerate(target.types)), dict(enumerate(columns)), len(columns[0]))
            denied = semijoin(database, rows, _table(database, latents[view.latent], view, bound))
            columns = tuple(column[~denied] for column in columns)
    return target.atoms(database, columns)


def _table(database: Database, relation: Relation, view: View, bound: int) -> Bindings:
    """Return the values of the variables of a literal that other literals or the head have, too."""
    found = bindings_of(relation, view.arguments)
    needed = sorted({a for a in view.arguments if a < bound})
    if len(needed) < len(found.columns):
        columns = found.project(needed, database.sizes)
        types = {v: found.types[v] for v in needed}
        found = Bindings(types, dict(zip(needed, columns, strict=True)), len(columns[0]))
    return found
