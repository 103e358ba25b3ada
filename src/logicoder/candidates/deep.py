"""Decoder candidates of three literals and more, grown literal by literal on the facts they could rebuild.

A body is followed only on the facts of its head: each row of its table is one fact with values for the
existential variables. Where no fact is left, neither the body nor any extension of it can be of use. Only
bodies that bind all head variables are evaluated in full.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from logicoder.candidates.batches import Acceptance, DecoderStatistics, ListedBatch
from logicoder.candidates.bodies import IndexBody, IndexLiteral, canonical
from logicoder.candidates.targets import Target, targets_of
from logicoder.engine.database import Database
from logicoder.engine.join import Bindings, JoinTooLargeError, bindings_of, join, joined_projection
from logicoder.engine.relation import Column, Relation, joint_keys
from logicoder.engine.views import View

_FACT = "fact"
"""The column of a body's table that says which fact a row is about."""


@dataclass(frozen=True, eq=False)
class _Body:
    """A partial body.

    Attributes:
        literals: its literals over latents.
        types: types of its variables, head variables first.
        rows: its rows on the facts of the head.
        true: number of facts that it could still rebuild.
        false: false atoms that it derives, where that was counted.
    """

    literals: IndexBody
    types: tuple[int, ...]
    rows: Bindings
    true: int
    false: int | None = None


@dataclass(frozen=True)
class DeepEnumeration:
    """Evaluates decoder candidates of at least three literals.

    Attributes:
        length: greatest number of literals.
        max_bodies: most bodies of one length to look at for each head; extensions of the bodies that can
            rebuild the most facts come first, and the bodies that are not extended are counted.
        max_tuples: a body whose join has more tuples is left out.
        drop_extensions: do not extend a body that derives nothing false.
    """

    database: Database
    predicates: Sequence[str]
    latents: Sequence[Relation]
    length: int
    acceptance: Acceptance
    statistics: DecoderStatistics
    max_bodies: int | None
    max_tuples: int | None
    drop_extensions: bool

    def run(self, advanced: Callable[[int, int], None]) -> Iterator[ListedBatch]:
        """Yield the accepted candidates; `advanced` is told how many heads are done, of how many."""
        targets = [
            target for group in targets_of(self.database, self.predicates).values() for target in group
        ]
        for done, target in enumerate(targets):
            advanced(done, len(targets))
            yield from self._grown(target, lambda: advanced(done, len(targets)))  # noqa: B023
        advanced(len(targets), len(targets))

    def _grown(self, target: Target, alive: Callable[[], None]) -> Iterator[ListedBatch]:
        head = range(len(target.types))
        count = len(target.facts[0])
        facts = Bindings(
            {_FACT: -1, **{v: target.types[v] for v in head}},
            {_FACT: np.arange(count, dtype=np.int32), **{v: target.facts[v] for v in head}},
            count,
        )
        frontier = [_Body((), target.types, facts, count)]
        for length in range(1, self.length + 1):
            level: list[_Body] = []
            found: dict[int, list[tuple[tuple[View, ...], tuple[Column, ...], int, int]]] = {}
            for body in self._extended(target, frontier):
                alive()
                if self._binds_head(body, target) and (length >= 3 or self.drop_extensions):
                    atoms, false = self._atoms(body, target)
                    if atoms is None:
                        continue
                    body = _Body(body.literals, body.types, body.rows, body.true, false)  # noqa: PLW2901
                    if length >= 3 and self._accepted(body.true, false):
                        views = tuple(View(latent, arguments) for latent, arguments in body.literals)
                        shared = len(body.types) - len(target.types)
                        found.setdefault(shared, []).append((views, atoms, body.true, false))
                level.append(body)
            for shared, items in found.items():
                yield ListedBatch.of(target, shared, items)
            frontier = self._kept(level)

    def _kept(self, level: list[_Body]) -> list[_Body]:
        """Return the bodies to extend, those that can rebuild the most facts first."""
        if self.drop_extensions:
            self.statistics.extensions += sum(body.false == 0 for body in level)
            level = [body for body in level if body.false != 0]
        return sorted(level, key=lambda body: -body.true)

    def _extended(self, target: Target, frontier: list[_Body]) -> Iterator[_Body]:
        """Yield the bodies with one more literal that still cover a fact, each once."""
        seen: set[IndexBody] = set()
        head = (-1, tuple(range(len(target.types))))
        for done, body in enumerate(frontier):
            if self.max_bodies is not None and len(seen) >= self.max_bodies:
                self.statistics.limit += len(frontier) - done
                return
            for literal in self._literals(body, len(target.types)):
                form, _ = canonical((head, *body.literals, literal))
                if literal in body.literals or form in seen:
                    continue
                seen.add(form)
                grown = self._joined(body, literal)
                if grown is not None:
                    yield grown

    def _literals(self, body: _Body, head: int) -> Iterator[IndexLiteral]:
        """Return the literals that are connected with a body; the first one binds a head variable."""
        bound = {a for _, arguments in body.literals for a in arguments} or set(range(head))

        def grow(
            kinds: Sequence[int], prefix: tuple[int, ...], types: tuple[int, ...]
        ) -> Iterator[tuple[int, ...]]:
            if len(prefix) == len(kinds):
                if not bound.isdisjoint(prefix):
                    yield prefix
                return
            kind = kinds[len(prefix)]
            for variable, other in enumerate(types):
                if other == kind:
                    yield from grow(kinds, (*prefix, variable), types)
            yield from grow(kinds, (*prefix, len(types)), (*types, kind))

        for index, latent in enumerate(self.latents):
            for arguments in grow(latent.types, (), body.types):
                yield index, arguments

    def _joined(self, body: _Body, literal: IndexLiteral) -> _Body | None:
        latent, arguments = literal
        try:
            rows = join(
                self.database, body.rows, bindings_of(self.latents[latent], arguments), self.max_tuples
            )
        except JoinTooLargeError:
            self.statistics.limit += 1
            return None
        if not rows.rows:
            return None
        kinds = dict(zip(arguments, self.latents[latent].types, strict=True))
        types = (*body.types, *(kinds[v] for v in sorted(kinds) if v >= len(body.types)))
        true = int(np.count_nonzero(np.bincount(rows.columns[_FACT])))
        return _Body((*body.literals, literal), types, rows, true)

    @staticmethod
    def _binds_head(body: _Body, target: Target) -> bool:
        bound = {a for _, arguments in body.literals for a in arguments}
        return bound.issuperset(range(len(target.types)))

    def _atoms(self, body: _Body, target: Target) -> tuple[tuple[Column, ...] | None, int]:
        """Return the atoms of a complete body, argument by argument, and how many of them are false."""
        tables = [bindings_of(self.latents[latent], arguments) for latent, arguments in body.literals]
        head = range(len(target.types))
        try:
            columns = joined_projection(self.database, tables, head, self.max_tuples)
        except JoinTooLargeError:
            self.statistics.limit += 1
            return None, 0
        other = 0
        if len(target.other[0]):
            sizes = [self.database.sizes[kind] for kind in target.types]
            left, right = joint_keys(columns, target.other, sizes)
            other = int(np.count_nonzero(np.isin(left, right)))
        counts = (np.array(len(columns[0])), np.array(body.true), np.array(other))
        return tuple(columns[v] for v in target.arguments), int(target.false_counts(*counts))

    def _accepted(self, true: int, false: int) -> bool:
        kept = self.acceptance.mask(np.array([true]), np.array([false]))
        self.statistics.count(np.array([true]), kept)
        return bool(kept[0])
