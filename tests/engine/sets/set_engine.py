"""Every operation of the interface over sets of tuples."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import ClassVar

from logicoder.engine.clauses import (
    Conjunction,
    Definition,
    Disjunction,
    Head,
    IndexLiteral,
    Join,
    Template,
)
from logicoder.engine.handles import Counted, Coverage, Decoder, Derived, Extension, Missed, Order, Refused
from logicoder.engine.interface import Advanced, Engine, Growth
from logicoder.engine.questions import Choice, DecoderQuestion, DecoderStatistics, Signature
from logicoder.kb import KnowledgeBase, Schema
from logicoder.logic import Program

from .set_candidates import Candidates, derived
from .set_choice import chosen
from .set_data import SetData
from .set_growth import SetGrowth
from .set_handles import (
    Candidate,
    SetCounted,
    SetCoverage,
    SetDecoder,
    SetExtension,
    SetMissed,
    atoms_of,
    rows_of,
)
from .set_programs import run
from .set_promises import SetPromises
from .set_rows import Binding, Row, Rows, closed, joined, mark, projected, reduced


class SetEngine(Engine):
    """Relations as sets of tuples."""

    name: ClassVar[str] = "sets"

    def __init__(self, kb: KnowledgeBase, *, constants: int = 0, jobs: int = 1) -> None:
        del jobs
        self.data = SetData(kb, constants)

    # -- the data -------------------------------------------------------------------------------------

    def facts(self, predicate: str) -> SetExtension:
        rows = self.data.facts(predicate)
        return SetExtension(self.data.types[predicate], len(rows), mark(rows), rows)

    def selections(self, predicate: str, most: int) -> list[tuple[str | None, ...]]:
        return self.data.selections(predicate, most)

    def domain_sizes(self) -> Sequence[int]:
        return [len(values) for values in self.data.domains.values()]

    def possible_atoms(self, types: Sequence[int]) -> int:
        return self.data.possible_atoms(types)

    def constants(self) -> int:
        return len({symbol for kind, values in self.data.domains.items() if kind for _, symbol in values})

    # -- definitions ----------------------------------------------------------------------------------

    def _opened(self, template: Template, truth: str = "true") -> Rows:
        """Return the open arguments of the rows that a template is about."""
        assert template.predicate is not None
        rows = (
            self.data.rows[template.predicate, truth]
            if isinstance(template.predicate, str)
            else rows_of(template.predicate)
        )
        if not any(template.constants):
            return rows
        return frozenset(
            tuple(value for value, name in zip(row, template.constants, strict=True) if name is None)
            for row in rows
            if all(name in (None, value[1]) for value, name in zip(row, template.constants, strict=True))
        )

    def _bindings(self, vocabulary: Sequence[Template], literal: IndexLiteral) -> list[Binding]:
        return joined([{}], literal[1], self._opened(vocabulary[literal[0]]))

    def _tested(self, template: Template, arguments: Sequence[int], bindings: list[Binding]) -> list[Binding]:
        if template.predicate is None:
            return [b for b in bindings if b[arguments[0]] != b[arguments[1]]]
        rows = [(b, tuple(b[a] for a in arguments)) for b in bindings]
        if not isinstance(template.predicate, str):
            return [b for b, row in rows if row not in self._opened(template)]
        if self.data.kb.schema[template.predicate].open_world:
            return [b for b, row in rows if row in self._opened(template, "false")]
        known = self._opened(template) | self._opened(template, "unknown")
        return [b for b, row in rows if row not in known]

    def sizes(self, vocabulary: Sequence[Template], joins: Sequence[Join]) -> list[int]:
        found = []
        for join in joins:
            sides = [self._bindings(vocabulary, literal) for literal in (join.first, join.second)]
            values = [[tuple(b[v] for v in join.shared) for b in side] for side in sides]
            if join.distinct:
                values = [list(set(side)) for side in values]
            found.append(sum(values[1].count(value) for value in values[0]))
        return found

    def evaluate(
        self, vocabulary: Sequence[Template], definitions: Iterable[Definition], limit: int | None
    ) -> Iterator[Sequence[Derived | None] | Refused]:
        del limit
        for definition in list(definitions):  # all questions before the first answer: an engine may do that
            if isinstance(definition, Conjunction):
                bindings: list[Binding] = [{}]
                for symbol, arguments in definition.body:
                    template = vocabulary[symbol]
                    if template.negated or template.predicate is None:
                        bindings = self._tested(template, arguments, bindings)
                    else:
                        bindings = joined(bindings, arguments, self._opened(template))
                yield [
                    _derived([definition.types[v] for v in head], projected(bindings, head))
                    for head in definition.heads
                ]
            elif isinstance(definition, Disjunction):
                size = range(len(definition.types))
                parts = [projected(self._bindings(vocabulary, x), size) for x in definition.literals]
                yield [_derived(definition.types, frozenset().union(*parts))]
            else:
                base = projected(self._bindings(vocabulary, definition.base), (0, 1))
                step = projected(self._bindings(vocabulary, definition.step), (0, 2))
                yield [_derived((definition.kind, definition.kind), closed(base, step))]

    def inclusions(self, extensions: Sequence[Extension], kinds: Sequence[object]) -> Order:
        marks: dict[object, int] = {}
        rows: list[tuple[object, Rows]] = []
        nodes = []
        for extension, kind in zip(extensions, kinds, strict=True):
            assert isinstance(extension, SetExtension)
            key = (extension.types, kind, extension.size, extension.fingerprint)
            if key not in marks:
                rows.append(((extension.types, kind), extension.rows))
            nodes.append(marks.setdefault(key, len(marks)))

        def larger(a: int, b: int) -> bool:
            if rows[a][0] != rows[b][0] or len(rows[a][1]) <= len(rows[b][1]):
                return False
            types = rows[a][0][0]  # type: ignore[index]
            return any(
                all(tuple(row[i] for i in order) in rows[a][1] for row in rows[b][1])
                for order in permutations(range(len(types)))
                if all(types[i] == kind for i, kind in zip(order, types, strict=True))
            )

        return nodes, reduced(larger, len(rows))

    # -- decoder candidates ---------------------------------------------------------------------------

    def fact_counts(self, heads: Sequence[Head]) -> list[int]:
        return [len(self.data.form(head, self.data.facts(head.predicate))) for head in heads]

    def _counted(
        self,
        question: DecoderQuestion,
        advanced: Advanced,
        candidates: Callable[[Candidates], Iterator[Candidate]],
    ) -> Iterator[SetCounted]:
        for done, head in enumerate(question.heads):
            advanced(done, len(question.heads))
            yield SetCounted(head, list(candidates(Candidates(self.data, question, head))))

    def count(self, question: DecoderQuestion, advanced: Advanced) -> Iterator[SetCounted]:
        return self._counted(question, advanced, Candidates.conjunctions)

    def count_recursive(self, question: DecoderQuestion, advanced: Advanced) -> Iterator[SetCounted]:
        return self._counted(question, advanced, Candidates.recursions)

    def count_disjunctive(self, question: DecoderQuestion, advanced: Advanced) -> Iterator[SetCounted]:
        return self._counted(question, advanced, Candidates.alternatives)

    def grow(self, question: DecoderQuestion, *, drop_clean: bool) -> Iterator[Growth]:
        for head in question.heads:
            yield SetGrowth(Candidates(self.data, question, head), drop_clean=drop_clean)

    def choose(
        self,
        counted: Sequence[Counted],
        choice: Choice,
        statistics: DecoderStatistics,
        seen: set[Signature],
    ) -> list[Decoder]:
        own = [batch for batch in counted if isinstance(batch, SetCounted)]
        places = {name: place for place, name in enumerate(self.data.kb.learnable)}
        return chosen(own, choice, statistics, seen, places)

    def dominance(self, decoders: Sequence[Decoder]) -> Callable[[int, int], bool]:
        parts = [self.data.split(d.predicate, atoms_of(d)) for d in decoders]
        return lambda a, b: parts[a][0] >= parts[b][0] and parts[a][1] <= parts[b][1]

    def missed(self, program: Collection[Decoder]) -> SetMissed:
        rows = {
            name: self.data.facts(name).difference(*(atoms_of(d) for d in program if d.predicate == name))
            for name in self.data.kb.learnable
        }
        return SetMissed({name: len(own) for name, own in rows.items()}, rows)

    # -- large data -----------------------------------------------------------------------------------

    def _promises(self, predicates: Sequence[str], missed: Missed | None) -> SetPromises:
        assert missed is None or isinstance(missed, SetMissed)
        return SetPromises(self.data, {name: self.data.wanted(name, missed) for name in predicates})

    def promises(
        self, extensions: Mapping[int, Extension], predicates: Sequence[str], missed: Missed | None = None
    ) -> dict[int, float]:
        found = self._promises(predicates, missed)
        return {number: found.score(extension) for number, extension in extensions.items()}

    def promising(
        self,
        extensions: Mapping[int, Extension],
        predicates: Sequence[str],
        missed: Missed | None,
        own: Mapping[str, Collection[int]],
        *,
        links: int,
        together: int,
    ) -> Callable[[str], list[list[int]]]:
        del together
        found = self._promises(predicates, missed)
        return lambda name: found.rankings(name, extensions, own.get(name, ()), chains=links > 0)

    def complete(
        self, decoder: Decoder, latents: Mapping[int, Extension], limit: int | None
    ) -> Decoder | None:
        del limit
        head, body = decoder.head, decoder.body
        atoms = self.data.atoms(head, derived(latents, len(head.types), body))
        true, false = map(len, self.data.split(head.predicate, atoms))
        return SetDecoder(head, body, true, false, atoms)

    # -- problems -------------------------------------------------------------------------------------

    def coverage(
        self, predicate: str, decoders: Sequence[Decoder], former: Coverage | None = None
    ) -> SetCoverage:
        del former
        covering: dict[Row, list[int]] = {}
        known: dict[Row, bool] = {}
        for number, decoder in enumerate(decoders):
            parts = self.data.split(predicate, atoms_of(decoder))
            for atoms, truth in zip(parts, (True, False), strict=True):
                for atom in atoms:
                    covering.setdefault(atom, []).append(number)
                    known[atom] = truth
        weights: dict[tuple[bool, tuple[int, ...]], int] = {}
        for atom, cover in covering.items():
            key = (known[atom], tuple(cover))
            weights[key] = weights.get(key, 0) + 1
        classes = [(truth, weight, cover) for (truth, cover), weight in sorted(weights.items())]
        covered = [
            frozenset(i for i, (_, _, cover) in enumerate(classes) if number in cover)
            for number in range(len(decoders))
        ]
        return SetCoverage(
            classes, len(self.data.facts(predicate)) - sum(known.values()), len(known), covered
        )

    def generality(self, coverage: Coverage, kinds: Sequence[object]) -> Order:
        assert isinstance(coverage, SetCoverage)
        keys = list(zip(kinds, coverage.covered, strict=True))
        every = list(dict.fromkeys(keys))

        def larger(a: int, b: int) -> bool:
            return every[a][0] == every[b][0] and every[a][1] > every[b][1]

        return [every.index(key) for key in keys], reduced(larger, len(every))

    # -- programs -------------------------------------------------------------------------------------

    @classmethod
    def run(cls, program: Program, kb: KnowledgeBase, outputs: Schema | None = None) -> KnowledgeBase:
        return run(program, kb, outputs)

    def materialise(self, extension: Extension) -> list[tuple[str, ...]]:
        names = self.data.kb.interpretations
        return sorted(
            (names[row[0][0]], *(symbol for _, symbol in row if symbol)) for row in rows_of(extension)
        )


def _derived(types: Sequence[int], rows: Rows) -> Derived | None:
    """Return what was derived, its arguments in the order that all equal ones have."""
    if not rows:
        return None
    best = min(
        (mark(turned), order, turned)
        for order in permutations(range(len(types)))
        if [types[i] for i in order] == sorted(types)
        for turned in [frozenset(tuple(row[i] for i in order) for row in rows)]
    )
    kinds = tuple(types[i] for i in best[1])
    return Derived(best[1], SetExtension(kinds, len(rows), best[0], best[2]))
