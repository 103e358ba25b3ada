"""Bodies grown literal by literal.

A body is joined with all literals that could follow it at once: the views of all latents over its variables
are stacked into a few tables, and one join with such a table gives what every extension of the body derives.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from logicoder.engine.arrays.batches import ListedBatch
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.join import Bindings, JoinTooLargeError, bindings_of, join, joined_projection
from logicoder.engine.arrays.relation import Relation
from logicoder.engine.arrays.stacks import Attachments, Lookup
from logicoder.engine.arrays.targets import Target
from logicoder.engine.clauses import DecoderBody, IndexBody, View
from logicoder.engine.handles import Grown
from logicoder.engine.questions import DecoderQuestion
from logicoder.engine.shapes import argument_patterns


@dataclass(frozen=True, eq=False)
class _Body:
    """A body with the values of all its variables, head variables first."""

    types: tuple[int, ...]
    rows: Bindings


@dataclass(frozen=True, eq=False)
class _Grown(Grown):
    """A body with the one that it extends by its last literal, or itself where it has one literal only."""

    before: _Body


class ArrayGrowth:
    """Grows the bodies of one head.

    Args:
        database: the data.
        target: the head.
        latents: the latents to combine, by number.
        attachments: the literals that may follow.
        question: the limit of joins; what is left out is counted there.
        drop_clean: leave out extensions of a body that derives nothing false.
    """

    def __init__(
        self,
        database: Database,
        target: Target,
        latents: Mapping[int, Relation],
        attachments: Attachments,
        question: DecoderQuestion,
        *,
        drop_clean: bool,
    ) -> None:
        self.database, self.target, self.latents = database, target, latents
        self.attachments = attachments
        self.limit, self.statistics = question.most_joined, question.statistics
        self.drop_clean, self.repeats = drop_clean, question.repeats
        self.lookup = Lookup(database, target.types, target.facts, target.weights)
        self.other = Lookup(database, target.types, target.other, np.ones(len(target.other[0])))

    def first(self) -> list[Grown]:
        """Return the bodies of one literal that cover a fact."""
        found: list[Grown] = []
        size = len(self.target.types)
        for number, latent in self.latents.items():
            for arguments, fresh in argument_patterns(latent.types, self.target.types, repeats=self.repeats):
                bound = sorted({a for a in arguments if a < size})
                rows = bindings_of(latent, arguments)
                if bound and rows.rows:
                    values = rows.project(bound, self.database.sizes)
                    group = np.zeros(len(values[0]), np.int64)
                    true, worth = self.lookup.sums(bound, values, group, 1)
                    if true[0]:
                        false: int | None = None
                        if len(bound) == size:
                            unknown, _ = self.other.sums(bound, values, group, 1)
                            false = int(self.target.counts(np.array([len(group)]), [true, unknown])[1][0])
                        body = _Body((*self.target.types, *fresh), rows)
                        literals: IndexBody = ((number, arguments),)
                        found.append(_Grown(literals, float(worth[0]), int(true[0]), false, 0, body))
        return found

    def extensions(self, body: Grown) -> Iterator[Grown]:
        """Yield the bodies with one more literal that cover a fact."""
        assert isinstance(body, _Grown)  # noqa: S101  (this engine made it)
        joined = self._joined(body)
        if joined is None:
            return
        size = len(self.target.types)
        clean = self.drop_clean and body.false == 0
        for attached in self.attachments.of(joined.types):
            if clean:
                self.statistics.extensions += len(attached.views)
                continue
            try:
                found = attached.joined(joined.rows, size, self.limit)
            except JoinTooLargeError:
                self.statistics.limit += len(attached.views)
                continue
            if found is None:
                continue
            view, heads, bound = found
            count = len(attached.views)
            true, worth = self.lookup.sums(bound, heads, view, count)
            sizes = np.bincount(view, minlength=count)
            false: np.ndarray | None = None
            if len(bound) == size:
                unknown, _ = self.other.sums(bound, heads, view, count)
                _, false = self.target.counts(sizes, [true, unknown])
            for index in np.flatnonzero(true).tolist():
                literal = attached.views[index]
                if literal not in body.literals:
                    wrong = None if false is None else int(false[index])
                    literals = (*body.literals, literal)
                    yield _Grown(
                        literals, float(worth[index]), int(true[index]), wrong, len(joined.types), joined
                    )

    def _joined(self, body: _Grown) -> _Body | None:
        """Join a body with its last literal; None where that is too large."""
        before = body.before
        if len(body.literals) == 1:
            return before
        number, arguments = body.literals[-1]
        types = dict(zip(arguments, self.latents[number].types, strict=True))
        fresh = [types[v] for v in sorted(types) if v >= len(before.types)]
        try:
            rows = join(self.database, before.rows, bindings_of(self.latents[number], arguments), self.limit)
        except JoinTooLargeError:
            self.statistics.limit += 1
            return None
        return _Body((*before.types, *fresh), rows)

    def listed(self, bodies: Sequence[Grown]) -> ListedBatch | None:
        """Return bodies that bind all head variables as candidates; None where all are too large."""
        found = []
        size = len(self.target.types)
        for body in bodies:
            tables = [bindings_of(self.latents[number], arguments) for number, arguments in body.literals]
            try:
                columns = joined_projection(self.database, tables, range(size), self.limit)
            except JoinTooLargeError:
                self.statistics.limit += 1
                continue
            views = tuple(View(number, arguments) for number, arguments in body.literals)
            existentials = len({a for view in views for a in view.arguments} - set(range(size)))
            atoms = self.target.atoms(self.database, columns)
            assert body.false is not None  # noqa: S101  (listed candidates bind all head variables)
            found.append((DecoderBody(views, existentials), atoms, body.true, body.false, body.worth))
        return ListedBatch.of(self.database, self.target, found) if found else None
