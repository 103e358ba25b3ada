"""Bodies of one head, grown literal by literal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from logicoder.engine.clauses import DecoderBody, IndexBody, IndexLiteral, View
from logicoder.engine.handles import Grown
from logicoder.engine.shapes import argument_patterns

from .set_candidates import Candidates, derived
from .set_handles import Candidate, SetCounted, rows_of
from .set_rows import Binding, joined


class SetGrowth:
    """Grows bodies; with `drop_clean`, not those that derive nothing false."""

    def __init__(self, candidates: Candidates, *, drop_clean: bool) -> None:
        self.of, self.drop_clean = candidates, drop_clean
        self.types = candidates.head.types
        self.latents = candidates.question.latents

    def _literals(self, types: Sequence[int]) -> Iterator[IndexLiteral]:
        """Yield the literals over variables of some types that use one of them and hold for something."""
        for number, extension in self.latents.items():
            patterns = argument_patterns(extension.types, types, repeats=self.of.question.repeats)
            for arguments, _ in patterns:
                used = any(a < len(types) for a in arguments)
                if used and joined([{}], arguments, rows_of(extension)):
                    yield number, arguments

    def _types(self, literals: IndexBody) -> list[int]:
        """Return the types of variables: those of the head, and the existentials of some literals."""
        kinds = dict(enumerate(self.types))
        for number, arguments in literals:
            kinds.update(zip(arguments, self.latents[number].types, strict=True))
        return [kinds[variable] for variable in range(len(kinds))]

    def _bindings(self, literals: IndexBody) -> list[Binding]:
        bindings: list[Binding] = [{}]
        for number, arguments in literals:
            bindings = joined(bindings, arguments, rows_of(self.latents[number]))
        return bindings

    def _grown(self, literals: IndexBody, variables: int) -> Grown | None:
        """Return a body if it covers a fact: one that agrees with it in the head variables that it binds."""
        head, data = self.of.head, self.of.data
        used = {a for _, arguments in literals for a in arguments}
        bound = [v for v in range(len(self.types)) if v in used]
        bindings = self._bindings(literals)
        heads = {tuple(b[v] for v in bound) for b in bindings}
        facts = data.form(head, data.facts(head.predicate))
        covered = [row for row in facts if tuple(row[v] for v in bound) in heads]
        if not covered:
            return None
        worth = data.worth(head.predicate, data.atoms(head, covered), self.of.missed)
        false = None
        if len(bound) == len(self.types):
            false = len(data.split(head.predicate, data.atoms(head, heads))[1])
        return Grown(literals, worth, len(covered), false, variables)

    def first(self) -> list[Grown]:
        """Return the bodies of one literal that cover a fact."""
        found = (self._grown((literal,), 0) for literal in self._literals(self.types))
        return [body for body in found if body is not None]

    def extensions(self, body: Grown) -> Iterator[Grown]:
        """Yield the bodies with one more literal that cover a fact."""
        types = self._types(body.literals)
        known = {a for _, arguments in body.literals for a in arguments}
        for literal in self._literals(types):
            if self.drop_clean and body.false == 0:
                self.of.question.statistics.extensions += 1
            elif known & set(literal[1]) and literal not in body.literals:
                found = self._grown((*body.literals, literal), len(types))
                if found is not None:
                    yield found

    def listed(self, bodies: Sequence[Grown]) -> SetCounted | None:
        """Return bodies that bind all head variables as candidates."""
        size = len(self.types)
        found = []
        for body in bodies:
            views = tuple(View(number, arguments) for number, arguments in body.literals)
            existentials = len({a for view in views for a in view.arguments} - set(range(size)))
            whole = DecoderBody(views, existentials)
            atoms = self.of.data.atoms(self.of.head, derived(self.latents, size, whole))
            assert body.false is not None
            found.append(Candidate(whole, atoms, body.true, body.false, idle=False, worth=body.worth))
        return SetCounted(self.of.head, found) if found else None
