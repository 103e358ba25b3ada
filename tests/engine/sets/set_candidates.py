"""Decoder candidates, body by body: conjunctions of at most two literals, alternatives, and recursions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations, product
from typing import Any

from logicoder.engine.clauses import DecoderBody, Head, View
from logicoder.engine.handles import Extension
from logicoder.engine.questions import DecoderQuestion, stands_for
from logicoder.engine.shapes import argument_patterns, class_pairs, label_turns, labelled_patterns

from .set_data import SetData
from .set_handles import Candidate, SetMissed, rows_of
from .set_rows import Binding, Rows, closed, joined, projected


class Candidates:
    """The candidates of one head."""

    def __init__(self, data: SetData, question: DecoderQuestion, head: Head) -> None:
        self.data, self.question, self.head = data, question, head
        self.variables = len(head.types)
        assert question.missed is None or isinstance(question.missed, SetMissed)
        self.missed = question.missed

    def candidate(self, body: DecoderBody, atoms: Rows, *, idle: bool = False) -> Candidate | None:
        """Count a body; None where it is not accepted."""
        true, false = self.data.split(self.head.predicate, atoms)
        kept = bool(self.question.acceptance.mask(len(true), len(false)))
        self.question.statistics.count(1, bool(true), kept)
        worth = self.data.worth(self.head.predicate, true, self.missed)
        return Candidate(body, atoms, len(true), len(false), idle, worth) if kept else None

    # -- conjunctions ---------------------------------------------------------------------------------

    def conjunctions(self) -> Iterator[Candidate]:
        """Yield the accepted bodies of one literal and two."""
        head, statistics = self.head, self.question.statistics
        alone: dict[View, tuple[int, int]] = {}
        equal = {(v, v) for v in self.data.domains[head.types[0]]}
        for body in self._bodies():
            rows = derived(self.question.latents, self.variables, body)
            atoms = self.data.atoms(head, rows)
            true, false = map(len, self.data.split(head.predicate, atoms))
            if len(body.views) == 1:
                alone[body.views[0]] = true, false
            if body.literals > self.question.length:
                continue
            parts = body.views if body.views[-1].positive else body.views[:1]
            idle = len(body.views) > 1 and any(
                own[1] == false and bool(stands_for(*own, true, false))
                for view in parts
                if (own := alone.get(self._alone(view))) is not None
            )
            found = self.candidate(body, atoms, idle=idle)
            if found is not None and head.unequal and not rows & equal:
                statistics.repeated += 1
            elif found is not None:
                yield found

    def _alone(self, view: View) -> View:
        names: dict[int, int] = {}
        first = self.variables
        own = (a if a < first else names.setdefault(a, first + len(names)) for a in view.arguments)
        return View(view.latent, tuple(own))

    def _bodies(self) -> Iterator[DecoderBody]:
        variables, unequal = self.variables, self.head.unequal
        classes = self._views()
        for view in classes.get((tuple(range(variables)), ()), ()):
            yield DecoderBody((view,), unequal=unequal)
        for one, other in class_pairs(classes, variables) if self.question.length >= 2 else ():
            turns = list(label_turns(one[1], variables))
            places = [{view: i for i, view in enumerate(classes[key])} for key in (one, other)]
            for (a, first), (b, second) in product(enumerate(classes[one]), enumerate(classes[other])):
                if _is_first(a, b, (first, second), places, turns, same=one == other):
                    yield DecoderBody((first, second), len(one[1]), unequal)
            if self.question.negation and not one[1] and len(one[0]) == variables:
                for first, second in product(classes[one], classes[other]):
                    if first != second and all(a < variables for a in second.arguments):
                        yield DecoderBody((first, replace(second, positive=False)), 0, unequal)

    def _views(self) -> dict[Any, list[View]]:
        classes: dict[Any, list[View]] = {}
        latents, repeats = self.question.latents, self.question.repeats
        for types in dict.fromkeys(extension.types for extension in latents.values()):
            for key, arguments in labelled_patterns(types, self.head.types, repeats=repeats):
                members = classes.setdefault(key, [])
                for number, extension in latents.items():
                    if extension.types == types and joined([{}], arguments, rows_of(extension)):
                        members.append(View(number, arguments))
        return classes

    # -- alternatives ---------------------------------------------------------------------------------

    def alternatives(self) -> Iterator[Candidate]:
        """Yield the accepted bodies whose literals are alternatives."""
        views = self._views().get((tuple(range(self.variables)), ()), ())
        name, most = self.head.predicate, 1 if self.head.unequal else self.question.length
        derive = {
            view: self.data.atoms(
                self.head, derived(self.question.latents, self.variables, DecoderBody((view,)))
            )
            for view in views
        }
        for size in range(2, most + 1):
            for chosen in combinations(views, size):
                atoms = frozenset().union(*(derive[view] for view in chosen))
                true, false = map(len, self.data.split(name, atoms))
                parts = [tuple(map(len, self.data.split(name, derive[view]))) for view in chosen]
                idle = any(own[0] == true and bool(stands_for(*own, true, false)) for own in parts)
                found = self.candidate(DecoderBody(chosen, alternatives=True), atoms, idle=idle)
                if found is not None:
                    yield found

    # -- recursions -----------------------------------------------------------------------------------

    def recursions(self) -> Iterator[Candidate]:
        """Yield the accepted pairs of a base and a step, those with the most useful first step first."""
        links = list(self._links())
        found = []
        for (base, (_, pairs)), (step, (_, steps)) in product(enumerate(links), repeat=2):
            for left in (False, True):
                useful = self._useful(pairs, steps, left=left)
                if useful or (step == base and not left):
                    found.append((-useful, base, step, left))
        # The two sides of a transitive closure are one definition.
        found = sorted(item for item in found if item[1] != item[2] or not item[3])
        kept = found[: self.question.most_bodies]
        self.question.statistics.limit += len(links) * (2 * len(links) - 1) - len(kept)
        for _, base, step, left in kept:
            rows = closed(links[base][1], links[step][1], left=left)
            body = DecoderBody((links[base][0],), step=links[step][0], left=left)
            candidate = self.candidate(body, self.data.atoms(self.head, rows))
            if candidate is not None:
                yield candidate

    def _links(self) -> Iterator[tuple[View, Rows]]:
        for number, extension in self.question.latents.items():
            patterns = argument_patterns(extension.types, self.head.types, repeats=self.question.repeats)
            for arguments, _ in patterns:
                if {0, 1} <= set(arguments):
                    rows = projected(joined([{}], arguments, rows_of(extension)), (0, 1))
                    if rows:
                        yield View(number, arguments), rows

    def _useful(self, base: Rows, step: Rows, *, left: bool) -> int:
        """Return how many pairs of a step lead from the base to facts that it has not."""
        facts = self.data.form(self.head, self.data.facts(self.head.predicate))
        if not base & facts:
            return 0
        missing = facts - base
        if left:
            return sum(any((x, y) in base for x, other in missing if other == z) for y, z in step)
        return sum(any((y, z) in base for other, z in missing if other == x) for x, y in step)


def derived(latents: Mapping[int, Extension], variables: int, body: DecoderBody) -> Rows:
    """Return the values of head variables for which a conjunction holds."""
    bound = variables + body.shared
    bindings: list[Binding] = [{}]
    for number, view in enumerate(body.views):
        rows = rows_of(latents[view.latent])
        arguments = [a if a < bound else a + 100 * (number + 1) for a in view.arguments]
        if view.positive:
            bindings = joined(bindings, arguments, rows)
        else:
            bindings = [b for b in bindings if tuple(b[a] for a in arguments) not in rows]
    return projected(bindings, range(variables))


def _is_first(a: int, b: int, views: tuple[View, View], places: list, turns: list, *, same: bool) -> bool:
    """Whether a pair of views is the first of those that differ in the names of shared variables only."""
    if same and a >= b:
        return False
    for turn in turns:
        turned = [View(v.latent, tuple(turn.get(x, x) for x in v.arguments)) for v in views]
        c, d = (place[view] for place, view in zip(places, turned, strict=True))
        if (min(c, d), max(c, d)) < (a, b) if same else (c, d) < (a, b):
            return False
    return True
