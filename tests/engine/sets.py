"""An engine of plain Python sets, written against the interface alone: slow, small, and easy to believe.

It knows bodies of at most two literals and everything that small data need; growing longer bodies, recursion
and the operations of large data are left out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations, product
from math import prod
from typing import Any, ClassVar

from logicoder.engine.clauses import (
    Conjunction,
    DecoderBody,
    Definition,
    Disjunction,
    Head,
    IndexLiteral,
    Join,
    Template,
    View,
)
from logicoder.engine.handles import Coverage, Decoder, Derived, Extension, Missed, Order, Refused
from logicoder.engine.interface import Advanced, Engine, Growth, type_numbers
from logicoder.engine.questions import Choice, DecoderQuestion, DecoderStatistics, Signature, stands_for
from logicoder.engine.shapes import class_pairs, label_turns, labelled_patterns
from logicoder.kb import KnowledgeBase, Schema
from logicoder.logic import Program

Row = tuple[tuple[int, str], ...]
"""Arguments as entities: the number of the interpretation and a constant."""
Binding = dict[int, tuple[int, str]]


@dataclass(frozen=True, eq=False)
class SetExtension(Extension):
    rows: frozenset[Row]


@dataclass(frozen=True, eq=False)
class SetDecoder(Decoder):
    atoms: frozenset[Row]


@dataclass(frozen=True, eq=False)
class SetCoverage(Coverage):
    covered: list[frozenset[int]]


@dataclass(frozen=True, eq=False)
class SetMissed(Missed):
    rows: Mapping[str, frozenset[Row]]


@dataclass(frozen=True, eq=False)
class SetCounted:
    head: Head
    bodies: list[tuple[DecoderBody, frozenset[Row], int, int, bool]]

    def __len__(self) -> int:
        return len(self.bodies)


def mark(rows: Iterable[Row]) -> tuple[int, int]:
    digest = hashlib.sha256(repr(sorted(rows)).encode()).digest()
    return int.from_bytes(digest[:8]), int.from_bytes(digest[8:16])


def bind(binding: Binding, arguments: Sequence[int], row: Row) -> Binding | None:
    found = dict(binding)
    for argument, value in zip(arguments, row, strict=True):
        if found.setdefault(argument, value) != value:
            return None
    return found


def joined(bindings: Iterable[Binding], arguments: Sequence[int], rows: Iterable[Row]) -> list[Binding]:
    found = (bind(binding, arguments, row) for binding in bindings for row in rows)
    return [binding for binding in found if binding is not None]


def projected(bindings: Iterable[Binding], variables: Sequence[int]) -> frozenset[Row]:
    return frozenset(tuple(binding[v] for v in variables) for binding in bindings)


def reduced(larger: Callable[[int, int], bool], nodes: int) -> list[tuple[int, int]]:
    pairs = [(a, b) for a, b in product(range(nodes), repeat=2) if larger(a, b)]
    known = set(pairs)
    return [(a, b) for a, b in pairs if not any((a, c) in known and (c, b) in known for c in range(nodes))]


class SetEngine(Engine):
    """Relations as sets of tuples."""

    name: ClassVar[str] = "sets"

    def __init__(self, kb: KnowledgeBase, *, constants: int = 0, jobs: int = 1) -> None:
        del jobs
        assert not constants
        self.kb = kb
        self.types = type_numbers(kb.schema)
        self.rows: dict[tuple[str, str], frozenset[Row]] = {}
        for name, truth in product(kb.schema, ("true", "false", "unknown")):
            self.rows[name, truth] = frozenset(
                tuple((kb.interpretations.index(fact.interpretation), str(a)) for a in fact.arguments)
                for fact in kb.facts(name, truth)
            )
        self.domains: dict[int, set[tuple[int, str]]] = {number: set() for number in self.types.values()}
        for (name, _), rows in self.rows.items():
            for row in rows:
                for kind, value in zip(kb.schema[name].types, row, strict=True):
                    self.domains[self.types[kind]].add(value)

    # -- the data -------------------------------------------------------------------------------------

    def facts(self, predicate: str) -> SetExtension:
        types = tuple(self.types[kind] for kind in self.kb.schema[predicate].types)
        rows = self.rows[predicate, "true"]
        return SetExtension(types, len(rows), mark(rows), rows)

    def selections(self, predicate: str, most: int) -> list[tuple[str | None, ...]]:
        raise NotImplementedError

    def domain_sizes(self) -> Sequence[int]:
        return [max(1, len(values)) for values in self.domains.values()]

    def possible_atoms(self, types: Sequence[int]) -> int:
        worlds = range(len(self.kb.interpretations))
        return sum(prod(sum(w == world for w, _ in self.domains[kind]) for kind in types) for world in worlds)

    def constants(self) -> int:
        return len({symbol for values in self.domains.values() for _, symbol in values})

    # -- definitions ----------------------------------------------------------------------------------

    def _bindings(self, vocabulary: Sequence[Template], literal: IndexLiteral) -> list[Binding]:
        predicate = vocabulary[literal[0]].predicate
        assert isinstance(predicate, str)
        return joined([{}], literal[1], self.rows[predicate, "true"])

    def _tested(self, template: Template, arguments: Sequence[int], bindings: list[Binding]) -> list[Binding]:
        if template.predicate is None:
            return [b for b in bindings if b[arguments[0]] != b[arguments[1]]]
        name = template.predicate
        assert isinstance(name, str)
        unknown = self.rows[name, "unknown"] | self.rows[name, "true"]
        rows = ((b, tuple(b[a] for a in arguments)) for b in bindings)
        if self.kb.schema[name].open_world:
            return [b for b, row in rows if row in self.rows[name, "false"]]
        return [b for b, row in rows if row not in unknown]

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
                        assert isinstance(template.predicate, str)
                        bindings = joined(bindings, arguments, self.rows[template.predicate, "true"])
                yield [
                    self._derived([definition.types[v] for v in head], projected(bindings, head))
                    for head in definition.heads
                ]
            else:
                assert isinstance(definition, Disjunction)
                size = range(len(definition.types))
                parts = [projected(self._bindings(vocabulary, x), size) for x in definition.literals]
                yield [self._derived(definition.types, frozenset().union(*parts))]

    def _derived(self, types: Sequence[int], rows: frozenset[Row]) -> Derived | None:
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

    def inclusions(self, extensions: Sequence[Extension], kinds: Sequence[object]) -> Order:
        marks: dict[object, int] = {}
        rows: list[tuple[object, frozenset[Row]]] = []
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

    def _atoms(self, head: Head, rows: Iterable[Row]) -> frozenset[Row]:
        return frozenset(
            tuple(row[a] for a in head.arguments) for row in rows if not head.unequal or row[0] != row[1]
        )

    def _form(self, head: Head, truth: str) -> frozenset[Row]:
        bindings = joined([{}], head.arguments, self.rows[head.predicate, truth])
        return frozenset(
            tuple(b[a] for a in head.arguments) for b in bindings if not head.unequal or b[0] != b[1]
        )

    def fact_counts(self, heads: Sequence[Head]) -> list[int]:
        return [len(self._form(head, "true")) for head in heads]

    def _split(self, predicate: str, atoms: frozenset[Row]) -> tuple[frozenset[Row], frozenset[Row]]:
        true = atoms & self.rows[predicate, "true"]
        if self.kb.schema[predicate].open_world:
            return true, atoms & self.rows[predicate, "false"]
        return true, atoms - true - self.rows[predicate, "unknown"]

    def count(self, question: DecoderQuestion, advanced: Advanced) -> Iterator[SetCounted]:
        assert question.sampling is None
        for done, head in enumerate(question.heads):
            advanced(done, len(question.heads))
            found = []
            alone: dict[View, tuple[int, int]] = {}
            equal = {(v, v) for v in self.domains[head.types[0]]}
            for body in self._bodies(question, head):
                rows = self._rows(question, head, body)
                atoms = self._atoms(head, rows)
                true, false = self._split(head.predicate, atoms)
                if len(body.views) == 1:
                    alone[body.views[0]] = len(true), len(false)
                if body.literals > question.length:
                    continue
                kept = bool(question.acceptance.mask(len(true), len(false)))
                question.statistics.count(1, bool(true), kept)
                if kept and head.unequal and not rows & equal:
                    question.statistics.repeated += 1
                elif kept:
                    parts = body.views if body.views[-1].positive else body.views[:1]
                    idle = len(body.views) > 1 and any(
                        own[1] == len(false) and bool(stands_for(*own, len(true), len(false)))
                        for view in parts
                        if (own := alone.get(self._alone(view, len(head.types)))) is not None
                    )
                    found.append((body, atoms, len(true), len(false), idle))
            yield SetCounted(head, found)

    @staticmethod
    def _alone(view: View, variables: int) -> View:
        names: dict[int, int] = {}
        return View(
            view.latent,
            tuple(
                a if a < variables else names.setdefault(a, variables + len(names)) for a in view.arguments
            ),
        )

    def _rows(self, question: DecoderQuestion, head: Head, body: DecoderBody) -> frozenset[Row]:
        bound = len(head.types) + body.shared
        bindings: list[Binding] = [{}]
        for number, view in enumerate(body.views):
            extension = question.latents[view.latent]
            assert isinstance(extension, SetExtension)
            arguments = [a if a < bound else a + 100 * (number + 1) for a in view.arguments]
            if view.positive:
                bindings = joined(bindings, arguments, extension.rows)
            else:
                bindings = [b for b in bindings if tuple(b[a] for a in arguments) not in extension.rows]
        return projected(bindings, range(len(head.types)))

    def _bodies(self, question: DecoderQuestion, head: Head) -> Iterator[DecoderBody]:
        variables = len(head.types)
        classes = self._views(question, head)
        full = (tuple(range(variables)), ())
        for view in classes.get(full, ()):
            yield DecoderBody((view,), unequal=head.unequal)
        for one, other in class_pairs(classes, variables) if question.length >= 2 else ():
            turns = list(label_turns(one[1], variables))
            places = [{view: i for i, view in enumerate(classes[key])} for key in (one, other)]
            for (a, first), (b, second) in product(enumerate(classes[one]), enumerate(classes[other])):
                if self._is_first(a, b, (first, second), places, turns, same=one == other):
                    yield DecoderBody((first, second), len(one[1]), head.unequal)
            if question.negation and not one[1] and len(one[0]) == variables:
                for first, second in product(classes[one], classes[other]):
                    if first != second and all(a < variables for a in second.arguments):
                        yield DecoderBody((first, replace(second, positive=False)), 0, head.unequal)

    @staticmethod
    def _views(question: DecoderQuestion, head: Head) -> dict[Any, list[View]]:
        classes: dict[Any, list[View]] = {}
        for types in dict.fromkeys(extension.types for extension in question.latents.values()):
            for key, arguments in labelled_patterns(types, head.types, repeats=question.repeats):
                members = classes.setdefault(key, [])
                for number, extension in question.latents.items():
                    assert isinstance(extension, SetExtension)
                    if extension.types == types and joined([{}], arguments, extension.rows):
                        members.append(View(number, arguments))
        return classes

    @staticmethod
    def _is_first(a: int, b: int, views: tuple[View, View], places: list, turns: list, *, same: bool) -> bool:
        if same and a >= b:
            return False
        for turn in turns:
            turned = [View(v.latent, tuple(turn.get(x, x) for x in v.arguments)) for v in views]
            c, d = (place[view] for place, view in zip(places, turned, strict=True))
            if (min(c, d), max(c, d)) < (a, b) if same else (c, d) < (a, b):
                return False
        return True

    def count_recursive(self, question: DecoderQuestion, advanced: Advanced) -> Iterator[SetCounted]:
        raise NotImplementedError

    def count_disjunctive(self, question: DecoderQuestion, advanced: Advanced) -> Iterator[SetCounted]:
        for done, head in enumerate(question.heads):
            advanced(done, len(question.heads))
            variables = len(head.types)
            views = self._views(question, head).get((tuple(range(variables)), ()), ())
            rows = {view: self._rows(question, head, DecoderBody((view,))) for view in views}
            found = []
            for size in range(2, 1 if head.unequal else question.length + 1):
                for chosen in combinations(views, size):
                    atoms = self._atoms(head, frozenset().union(*(rows[view] for view in chosen)))
                    true, false = map(len, self._split(head.predicate, atoms))
                    kept = bool(question.acceptance.mask(true, false))
                    question.statistics.count(1, bool(true), kept)
                    if kept:
                        parts = [self._split(head.predicate, self._atoms(head, rows[v])) for v in chosen]
                        idle = any(
                            len(own[0]) == true and bool(stands_for(*map(len, own), true, false))
                            for own in parts
                        )
                        body = DecoderBody(chosen, alternatives=True)
                        found.append((body, atoms, true, false, idle))
            yield SetCounted(head, found)

    def grow(self, question: DecoderQuestion, *, drop_clean: bool) -> Iterator[Growth]:
        raise NotImplementedError

    def choose(
        self, counted: Sequence[Any], choice: Choice, statistics: DecoderStatistics, seen: set[Signature]
    ) -> list[Decoder]:
        rows = [(batch.head, *body) for batch in counted for body in batch.bodies]
        if choice.drop_extensions:
            kept = [row for row in rows if not row[5] or set(row[1].latents) & set(choice.needed)]
            statistics.extensions += len(rows) - len(kept)
            rows = kept
        places = {name: place for place, name in enumerate(self.kb.learnable)}
        rows.sort(key=lambda row: (places[row[0].predicate], row[1].literals))
        assert choice.most is None or len(rows) <= choice.most, "too many candidates for sets"
        found: list[Decoder] = []
        for head, body, atoms, true, false, _ in rows:
            signature = (head.predicate, body.latents, False, true, false, mark(atoms))
            if choice.merge_signature_variants and signature in seen:
                statistics.signature_variants += 1
                continue
            seen.add(signature)
            found.append(SetDecoder(head, body, true, false, atoms))
        return found

    def dominance(self, decoders: Sequence[Decoder]) -> Callable[[int, int], bool]:
        parts = [self._split(d.predicate, d.atoms) for d in decoders if isinstance(d, SetDecoder)]
        return lambda a, b: parts[a][0] >= parts[b][0] and parts[a][1] <= parts[b][1]

    def missed(self, program: Collection[Decoder]) -> SetMissed:
        raise NotImplementedError

    # -- large data -----------------------------------------------------------------------------------

    def promises(
        self, extensions: Mapping[int, Extension], predicates: Sequence[str], missed: Missed | None = None
    ) -> dict[int, float]:
        raise NotImplementedError

    def promising(
        self,
        extensions: Mapping[int, Extension],
        predicates: Sequence[str],
        missed: Missed | None,
        own: Mapping[str, Collection[int]],
        *,
        chains: bool,
    ) -> Callable[[str], list[list[int]]]:
        raise NotImplementedError

    def complete(
        self, decoder: Decoder, latents: Mapping[int, Extension], limit: int | None
    ) -> Decoder | None:
        raise NotImplementedError

    # -- problems -------------------------------------------------------------------------------------

    def coverage(
        self, predicate: str, decoders: Sequence[Decoder], former: Coverage | None = None
    ) -> SetCoverage:
        del former
        covering: dict[Row, list[int]] = {}
        known: dict[Row, bool] = {}
        for number, decoder in enumerate(decoders):
            assert isinstance(decoder, SetDecoder)
            for atoms, truth in zip(self._split(predicate, decoder.atoms), (True, False), strict=True):
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
            classes, len(self.rows[predicate, "true"]) - sum(known.values()), len(known), covered
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
        raise NotImplementedError

    @classmethod
    def difference(cls, data: KnowledgeBase, other: KnowledgeBase) -> Any:
        raise NotImplementedError

    @classmethod
    def instances(cls, program: Program, kb: KnowledgeBase) -> Any:
        raise NotImplementedError

    def materialise(self, extension: Extension) -> list[tuple[str, ...]]:
        assert isinstance(extension, SetExtension)
        names = self.kb.interpretations
        return sorted((names[row[0][0]], *(symbol for _, symbol in row)) for row in extension.rows)
