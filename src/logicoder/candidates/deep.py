"""Decoder candidates of three literals and more, grown literal by literal on the facts they could rebuild.

A body is followed only on the facts of its head: each row of its table is one fact with values for the
existential variables. Where no fact is left, neither the body nor any extension of it can be of use. Only
bodies that bind all head variables are evaluated in full.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from logicoder.candidates.batches import Acceptance, DecoderBody, DecoderStatistics, ListedBatch
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
        head: number of head variables.
        literals: its literals over latents.
        types: types of its variables, head variables first.
        rows: its rows on the facts of the head.
        true: number of facts that it could still rebuild.
    """

    head: int
    literals: IndexBody
    types: tuple[int, ...]
    rows: Bindings
    true: int


@dataclass(frozen=True)
class DeepEnumeration:
    """Evaluates decoder candidates of at least three literals.

    Attributes:
        length: greatest number of literals.
        max_bodies: most bodies of one length to look at for each head; extensions of the bodies that can
            rebuild the most facts come first, and the bodies that are not extended are counted.
        max_tuples: a body whose join has more tuples is left out.
        drop_extensions: leave out a body of which a part derives nothing false.
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
        frontier = [_Body(len(head), (), target.types, facts, count)]
        clean: set[IndexBody] = set()
        for length in range(1, self.length + 1):
            level: list[_Body] = []
            found: list[tuple[DecoderBody, tuple[Column, ...], int, int]] = []
            for body in self._extended(frontier, clean):
                alive()
                if self._binds_head(body) and (length >= 3 or self.drop_extensions):
                    atoms, false = self._atoms(body, target)
                    if atoms is None:
                        continue
                    if false == 0:
                        clean.add(_form(body))
                    if length >= 3 and not _repeats(body) and self._accepted(body.true, false):
                        views = tuple(View(latent, arguments) for latent, arguments in body.literals)
                        shared = len(body.types) - len(target.types)
                        found.append((DecoderBody(views, shared), atoms, body.true, false))
                level.append(body)
            if found:
                yield ListedBatch.of(target, found)
            # Extensions of the bodies that can rebuild the most facts come first.
            frontier = sorted(level, key=lambda body: -body.true)

    def _extended(self, frontier: list[_Body], clean: set[IndexBody]) -> Iterator[_Body]:
        """Yield the bodies with one more literal that still cover a fact, each once.

        Where extensions are dropped, a body with a part in `clean`, which derives nothing false, is left out,
        and so are all that contain it.
        """
        seen: set[IndexBody] = set()
        for done, body in enumerate(frontier):
            if self.max_bodies is not None and len(seen) >= self.max_bodies:
                self.statistics.limit += len(frontier) - done
                return
            for literal in self._literals(body):
                candidate = replace(body, literals=(*body.literals, literal))
                form = _form(candidate)
                if literal in body.literals or form in seen:
                    continue
                seen.add(form)
                if self.drop_extensions and any(_form(part) in clean for part in _parts(candidate)):
                    self.statistics.extensions += 1
                    clean.add(form)
                    continue
                grown = self._joined(body, literal)
                if grown is not None:
                    yield grown

    def _literals(self, body: _Body) -> Iterator[IndexLiteral]:
        """Return the literals that are connected with a body; the first one binds a head variable."""
        bound = {a for _, arguments in body.literals for a in arguments} or set(range(body.head))

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
            literal_rows = bindings_of(self.latents[latent], arguments)
            rows = join(self.database, body.rows, literal_rows, self.max_tuples)
        except JoinTooLargeError:
            self.statistics.limit += 1
            return None
        if not rows.rows:
            return None
        kinds = dict(zip(arguments, self.latents[latent].types, strict=True))
        types = (*body.types, *(kinds[v] for v in sorted(kinds) if v >= len(body.types)))
        true = int(np.count_nonzero(np.bincount(rows.columns[_FACT])))
        return replace(body, literals=(*body.literals, literal), types=types, rows=rows, true=true)

    @staticmethod
    def _binds_head(body: _Body) -> bool:
        bound = {a for _, arguments in body.literals for a in arguments}
        return bound.issuperset(range(body.head))

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
        _, false = target.counts(np.array(len(columns[0])), [np.array(body.true), np.array(other)])
        return target.atoms(self.database, columns), int(false)

    def _accepted(self, true: int, false: int) -> bool:
        kept = self.acceptance.mask(np.array([true]), np.array([false]))
        self.statistics.count(np.array([true]), kept)
        return bool(kept[0])


def _form(body: _Body) -> IndexBody:
    """Return the canonical form of a body under its head."""
    return canonical([(-1, tuple(range(body.head))), *body.literals])[0]


def _parts(body: _Body) -> Iterator[_Body]:
    """Return the bodies with one literal less."""
    for position in range(len(body.literals)):
        yield replace(body, literals=body.literals[:position] + body.literals[position + 1 :])


def _repeats(body: _Body) -> bool:
    """Whether two literals differ only in existentials of their own: then a shorter body says the same."""
    users: dict[int, int] = {}
    for _, arguments in body.literals:
        for variable in set(arguments):
            users[variable] = users.get(variable, 0) + 1
    forms = set()
    for latent, arguments in body.literals:
        names: dict[int, int] = {}
        own = tuple(
            (a,) if users[a] > 1 or a < body.head else (-1, names.setdefault(a, len(names)))
            for a in arguments
        )
        forms.add((latent, own))
    return len(forms) < len(body.literals)
