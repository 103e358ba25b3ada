"""Decoder candidates of three literals and more, grown literal by literal, best first.

A body is joined with all literals that could follow it at once: the views of all latents over its variables
are stacked into a few tables, and one join with such a table gives what every extension of the body derives.
Only the most promising bodies are extended further, and where that leaves some out it is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nlargest

import numpy as np

from logicoder.candidates.batches import Acceptance, DecoderBody, DecoderStatistics, ListedBatch
from logicoder.candidates.bodies import IndexBody, IndexLiteral, canonical
from logicoder.candidates.language import Switches
from logicoder.candidates.targets import Focus, Target, targets_of
from logicoder.engine.database import Database
from logicoder.engine.join import Bindings, JoinTooLargeError, bindings_of, join, joined_projection
from logicoder.engine.relation import Column, Relation
from logicoder.engine.stacks import Attachments, Lookup
from logicoder.engine.views import View, argument_patterns


@dataclass(frozen=True, eq=False)
class _Body:
    """A partial body.

    Attributes:
        literals: its literals over latents; head variables are numbered first, then existentials.
        types: types of its variables, head variables first.
        rows: the values of all its variables.
        false: how many false atoms it derives; None where it does not bind all head variables.
    """

    literals: IndexBody
    types: tuple[int, ...]
    rows: Bindings
    false: int | None


@dataclass(frozen=True, eq=False)
class _Extension:
    """A body with one more literal, counted but not yet joined.

    Attributes:
        body: the body.
        literal: the literal.
        worth: weights of the facts that it rebuilds, or could rebuild once it binds all head variables.
        true: number of those facts.
        false: number of false atoms; None where it does not bind all head variables.
    """

    body: _Body
    literal: IndexLiteral
    worth: float
    true: int
    false: int | None

    @property
    def literals(self) -> IndexBody:
        return (*self.body.literals, self.literal)

    @property
    def rank(self) -> tuple[float, float, IndexBody]:
        """Most worth first, false atoms held against it; ties are broken by the text."""
        return (self.worth - (self.false or 0), -len(self.body.types), self.literals)


@dataclass(frozen=True)
class DeepEnumeration:
    """Evaluates decoder candidates of at least three literals.

    Attributes:
        latents: the latents to combine, by number.
        length: greatest number of literals.
        max_bodies: most bodies of one length to extend for each head, and most candidates of one length to
            keep; the others are counted.
        max_tuples: a body or an extension whose join has more tuples is left out, and counted.
        drop_extensions: leave out extensions of a body that derives nothing false.
        focus: what of each head is wanted; everything unless given.
    """

    database: Database
    predicates: Sequence[str]
    latents: Mapping[int, Relation]
    length: int
    acceptance: Acceptance
    statistics: DecoderStatistics
    max_bodies: int | None
    max_tuples: int | None
    drop_extensions: bool
    switches: Switches = field(default_factory=Switches)
    focus: Focus | None = None

    def run(self, advanced: Callable[[int, int], None]) -> Iterator[ListedBatch]:
        """Yield the accepted candidates; `advanced` is told how many heads are done, of how many."""
        switches = Switches(self.switches.constants)
        groups = targets_of(self.database, self.predicates, switches, self.focus)
        done, total = 0, sum(map(len, groups.values()))
        for types, targets in groups.items():
            attachments = Attachments(self.database, self.latents, types)
            for target in targets:
                yield from self._grown(target, attachments, lambda: advanced(done, total))  # noqa: B023
                done += 1
        advanced(total, total)

    def _grown(
        self, target: Target, attachments: Attachments, alive: Callable[[], None]
    ) -> Iterator[ListedBatch]:
        lookup = Lookup(self.database, target.types, target.facts, target.weights)
        other = Lookup(self.database, target.types, target.other, np.ones(len(target.other[0])))
        frontier = self._first_bodies(target, lookup, other)
        for length in range(2, self.length + 1):
            level: list[_Extension] = []
            for body in frontier:
                alive()
                for extension in self._extensions(target, body, attachments, lookup, other):
                    if length >= 3 and extension.false is not None and not self._counted(extension):
                        continue
                    level.append(extension)
            # Bodies that leave a head variable free have places of their own: they promise much.
            complete = [e for e in level if e.false is not None]
            best = self._first_of_each(complete, target)
            best += self._first_of_each([e for e in level if e.false is None], target)
            if length >= 3:
                chosen = [e for e in best if self._acceptable(e) and not self._redundant(e, target)]
                listed = [item for e in chosen if (item := self._listed(target, e)) is not None]
                if listed:
                    yield ListedBatch.of(self.database, target, listed)
            if length < self.length:
                frontier = list(self._joined(best))

    # -- bodies ---------------------------------------------------------------------------------------

    def _first_bodies(self, target: Target, lookup: Lookup, other: Lookup) -> list[_Body]:
        """Return the single literals that bind a head variable, those that most facts agree with first."""
        size = len(target.types)
        found: list[tuple[float, _Body]] = []
        for number, latent in self.latents.items():
            for arguments, fresh in argument_patterns(latent.types, target.types):
                bound = sorted({a for a in arguments if a < size})
                rows = bindings_of(latent, arguments)
                if bound and rows.rows:
                    values = rows.project(bound, self.database.sizes)
                    group = np.zeros(len(values[0]), np.int64)
                    true, worth = lookup.sums(bound, values, group, 1)
                    if true[0]:
                        false: int | None = None
                        if len(bound) == size:
                            unknown, _ = other.sums(bound, values, group, 1)
                            false = int(target.counts(np.array([len(group)]), [true, unknown])[1][0])
                        body = _Body(((number, arguments),), (*target.types, *fresh), rows, false)
                        found.append((float(worth[0]), body))
        found.sort(key=lambda item: (-item[0], item[1].literals))
        most = len(found) if self.max_bodies is None else self.max_bodies
        self.statistics.limit += max(0, len(found) - most)
        return [body for _, body in found[:most]]

    def _extensions(
        self, target: Target, body: _Body, attachments: Attachments, lookup: Lookup, other: Lookup
    ) -> Iterator[_Extension]:
        """Yield the bodies with one more literal that cover a fact."""
        size = len(target.types)
        clean = self.drop_extensions and body.false == 0
        for attached in attachments.of(body.types):
            if clean:
                self.statistics.extensions += len(attached.views)
                continue
            try:
                found = attached.joined(body.rows, size, self.max_tuples)
            except JoinTooLargeError:
                self.statistics.limit += len(attached.views)
                continue
            if found is None:
                continue
            view, heads, bound = found
            count = len(attached.views)
            true, worth = lookup.sums(bound, heads, view, count)
            sizes = np.bincount(view, minlength=count)
            false: np.ndarray | None = None
            if len(bound) == size:
                unknown, _ = other.sums(bound, heads, view, count)
                _, false = target.counts(sizes, [true, unknown])
            for index in np.flatnonzero(true).tolist():
                literal = attached.views[index]
                if literal not in body.literals:
                    wrong = None if false is None else int(false[index])
                    yield _Extension(body, literal, float(worth[index]), int(true[index]), wrong)

    def _joined(self, best: Sequence[_Extension]) -> Iterator[_Body]:
        """Join the extensions that are extended further."""
        for extension in best:
            number, arguments = extension.literal
            types = dict(zip(arguments, self.latents[number].types, strict=True))
            known = extension.body.types
            fresh = [types[v] for v in sorted(types) if v >= len(known)]
            try:
                literal = bindings_of(self.latents[number], arguments)
                rows = join(self.database, extension.body.rows, literal, self.max_tuples)
            except JoinTooLargeError:
                self.statistics.limit += 1
                continue
            yield _Body(extension.literals, (*known, *fresh), rows, extension.false)

    # -- choices --------------------------------------------------------------------------------------

    def _acceptable(self, extension: _Extension) -> bool:
        if extension.false is None:
            return False
        return bool(self.acceptance.mask(np.array(extension.true), np.array(extension.false)))

    def _counted(self, extension: _Extension) -> bool:
        """Count a complete candidate; returns whether it is accepted or may be extended."""
        kept = self._acceptable(extension)
        self.statistics.count(np.array([extension.true]), np.array([kept]))
        return kept or len(extension.literals) < self.length

    def _redundant(self, extension: _Extension, target: Target) -> bool:
        """Whether a shorter body says the same; on the way to longer ones such a body is still of use."""
        redundant = _repeats(extension.literals, len(target.types))
        self.statistics.repeated += redundant
        return redundant

    def _first_of_each(self, level: list[_Extension], target: Target) -> list[_Extension]:
        """Return the best extensions, each body once whatever the order in which it was grown."""
        seen: set[IndexBody] = set()
        ordered = (
            sorted(level, key=lambda e: e.rank, reverse=True)
            if self.max_bodies is None
            else nlargest(3 * self.max_bodies, level, key=lambda e: e.rank)
        )
        self.statistics.limit += len(level) - len(ordered)
        best: list[_Extension] = []
        size = len(target.types)
        for extension in ordered:
            form = canonical([(-1, tuple(range(size))), *extension.literals])[0]
            if form in seen:
                self.statistics.repeated += extension.false is not None and len(extension.literals) >= 3
                continue
            if self.max_bodies is not None and len(best) >= self.max_bodies:
                self.statistics.limit += 1
                continue
            seen.add(form)
            best.append(extension)
        return best

    def _listed(
        self, target: Target, extension: _Extension
    ) -> tuple[DecoderBody, tuple[Column, ...], int, int, float] | None:
        tables = [bindings_of(self.latents[number], arguments) for number, arguments in extension.literals]
        size = len(target.types)
        try:
            columns = joined_projection(self.database, tables, range(size), self.max_tuples)
        except JoinTooLargeError:
            self.statistics.limit += 1
            return None
        views = tuple(View(number, arguments) for number, arguments in extension.literals)
        existentials = len({a for view in views for a in view.arguments} - set(range(size)))
        atoms = target.atoms(self.database, columns)
        assert extension.false is not None  # noqa: S101  (listed candidates bind all head variables)
        return DecoderBody(views, existentials), atoms, extension.true, extension.false, extension.worth


def _repeats(literals: IndexBody, head: int) -> bool:
    """Whether two literals differ only in existentials of their own: then a shorter body says the same."""
    users: dict[int, int] = {}
    for _, arguments in literals:
        for variable in set(arguments):
            users[variable] = users.get(variable, 0) + 1
    forms = set()
    for latent, arguments in literals:
        names: dict[int, int] = {}
        own = tuple(
            (a,) if users[a] > 1 or a < head else (-1, names.setdefault(a, len(names))) for a in arguments
        )
        forms.add((latent, own))
    return len(forms) < len(literals)
