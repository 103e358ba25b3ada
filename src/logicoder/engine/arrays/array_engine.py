"""The engine of arrays: every operation of the interface, where it is documented, handed to the kernels."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import ClassVar

import numpy as np

from logicoder.base.sorted_keys import distinct, inside
from logicoder.engine.arrays.array_handles import ArrayDecoder, ArrayExtension, relation_of, relations_of
from logicoder.engine.arrays.atom_inclusions import Dominance
from logicoder.engine.arrays.atom_sample import Sample, derived_atoms
from logicoder.engine.arrays.batches import Batch, ListedBatch, UnionBatch
from logicoder.engine.arrays.counted_joins import join_sizes
from logicoder.engine.arrays.coverage import ArrayCoverage, coverage_classes
from logicoder.engine.arrays.decoder_pairs import PairEnumeration
from logicoder.engine.arrays.disjunctions import DisjunctiveEnumeration
from logicoder.engine.arrays.evaluated_definitions import Evaluation, Vocabulary
from logicoder.engine.arrays.fixpoint import run_program
from logicoder.engine.arrays.growth import ArrayGrowth
from logicoder.engine.arrays.inclusions import class_inclusions, extension_inclusions
from logicoder.engine.arrays.join import JoinTooLargeError
from logicoder.engine.arrays.promises import Promises
from logicoder.engine.arrays.promising import Promising
from logicoder.engine.arrays.ranking import chosen_decoders
from logicoder.engine.arrays.recursions import RecursiveEnumeration
from logicoder.engine.arrays.relation import Relation, joint_keys
from logicoder.engine.arrays.selections import database_with_constants, with_constants
from logicoder.engine.arrays.stacks import Attachments
from logicoder.engine.arrays.targets import ArrayMissed, Target
from logicoder.engine.clauses import Definition, Head, Join, Template
from logicoder.engine.handles import Counted, Coverage, Decoder, Derived, Extension, Missed, Order, Refused
from logicoder.engine.interface import WORLD, Advanced, Engine, Growth
from logicoder.engine.questions import Choice, DecoderQuestion, DecoderStatistics, Sampling, Signature
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.kb.schema import Schema
from logicoder.logic.terms import Program

_JOINED = 2_000
"""Joins over existentials may have so many tuples however few facts are looked at."""


class ArrayEngine(Engine):
    """Relations as columns of numbers in memory."""

    name: ClassVar[str] = "arrays"

    def __init__(self, kb: KnowledgeBase, *, constants: int = 0, jobs: int = 1) -> None:
        self.database = database_with_constants(kb, constants)
        self._jobs = jobs
        self._places = {name: place for place, name in enumerate(kb.learnable)}
        self._facts: dict[str, ArrayExtension] = {}
        self._atoms: dict[tuple[int, ...], int] = {}
        self._wholes: dict[Head, Target] = {}

    # -- the data -------------------------------------------------------------------------------------

    def facts(self, predicate: str) -> Extension:
        if predicate not in self._facts:
            self._facts[predicate] = ArrayExtension.of(self.database.relation(predicate))
        return self._facts[predicate]

    def selections(self, predicate: str, most: int) -> list[tuple[str | None, ...]]:
        relation = self.database.relation(predicate)
        return [constants for constants, _ in with_constants(self.database, relation, most)]

    def domain_sizes(self) -> Sequence[int]:
        return self.database.sizes

    def possible_atoms(self, types: Sequence[int]) -> int:
        key = tuple(sorted(types))
        if key not in self._atoms:
            # Python's numbers: products of many domains leave 64 bits.
            counts = [self.database.occurring(kind) for kind in key]
            self._atoms[key] = sum(prod(sizes) for sizes in zip(*counts, strict=True))
        return self._atoms[key]

    def constants(self) -> int:
        world = self.database.types[WORLD]
        used = [symbols for kind, symbols in enumerate(self.database.symbol_of) if kind != world]
        return len(distinct(np.concatenate(used))) if used else 0

    # -- definitions ----------------------------------------------------------------------------------

    def sizes(self, vocabulary: Sequence[Template], joins: Sequence[Join]) -> list[int]:
        return join_sizes(self.database, Vocabulary(self.database, vocabulary), joins)

    def evaluate(
        self, vocabulary: Sequence[Template], definitions: Iterable[Definition], limit: int | None
    ) -> Iterator[Sequence[Derived | None] | Refused]:
        found = Evaluation(self.database, Vocabulary(self.database, vocabulary), limit, self._jobs)
        return found.run(definitions)

    def inclusions(self, extensions: Sequence[Extension], kinds: Sequence[object]) -> Order:
        return extension_inclusions(self.database, extensions, kinds)

    # -- decoder candidates ---------------------------------------------------------------------------

    def _target(self, head: Head, missed: Missed | None = None) -> Target:
        assert missed is None or isinstance(missed, ArrayMissed)  # noqa: S101  (this engine made it)
        return Target.of(self.database, self._places[head.predicate], head, missed)

    def fact_counts(self, heads: Sequence[Head]) -> list[int]:
        return [len(self._target(head).facts[0]) for head in heads]

    def count(self, question: DecoderQuestion, advanced: Advanced) -> Iterator[Counted]:
        by_types: dict[tuple[int, ...], list[Target]] = {}
        for head in question.heads:
            by_types.setdefault(head.types, []).append(self._target(head, question.missed))
        latents = relations_of(question.latents)
        if question.sampling is None:
            yield from self._pairs(question, by_types, latents, jobs=self._jobs).run(advanced)
            return
        for types, targets in by_types.items():
            yield from self._sampled(question, question.sampling, types, targets, latents)

    def _sampled(
        self,
        question: DecoderQuestion,
        sampling: Sampling,
        types: tuple[int, ...],
        targets: Sequence[Target],
        latents: Mapping[int, Relation],
    ) -> Iterator[Batch]:
        """Count the candidates of heads with variables of the same types as far as a sample tells."""
        sample = None
        if sampling.every > 1:
            missed = (target.missed_values(sampling.facts) for target in targets)
            sample = Sample.of(self.database, types[0], sampling.every, sampling.seed, missed)
            latents = sample.near(self.database, latents)
            targets = [sample.target(target) for target in targets]
        facts = sum(len(target.facts[0]) for target in targets)
        if facts:
            present = {number: relation for number, relation in latents.items() if len(relation)}
            pairs = self._pairs(question, {types: targets}, present, jobs=1)
            # Far more tuples than facts would be mostly false.
            pairs.sample, pairs.most_meetings = sample, sampling.joined_per_fact * facts + _JOINED
            pairs.together = sampling.together
            yield from pairs.run(lambda done, total: None)  # noqa: ARG005

    def _pairs(
        self,
        question: DecoderQuestion,
        targets: Mapping[tuple[int, ...], Sequence[Target]],
        latents: Mapping[int, Relation],
        *,
        jobs: int,
    ) -> PairEnumeration:
        return PairEnumeration(
            self.database,
            targets,
            latents,
            question.length,
            question.acceptance,
            question.statistics,
            question.negation,
            jobs,
            repeats=question.repeats,
        )

    def count_recursive(self, question: DecoderQuestion, advanced: Advanced) -> Iterator[Counted]:
        return RecursiveEnumeration(
            self.database,
            [self._target(head) for head in question.heads],
            relations_of(question.latents),
            question.acceptance,
            question.statistics,
            question.most_bodies,
            question.most_joined,
            question.repeats,
        ).run(advanced)

    def count_disjunctive(self, question: DecoderQuestion, advanced: Advanced) -> Iterator[Counted]:
        targets = [self._target(head, question.missed) for head in question.heads if not head.unequal]
        return DisjunctiveEnumeration(self.database, targets, question).run(advanced)

    def grow(self, question: DecoderQuestion, *, drop_clean: bool) -> Iterator[Growth]:
        latents = relations_of(question.latents)
        attachments: dict[tuple[int, ...], Attachments] = {}
        for head in question.heads:
            if head.types not in attachments:
                own = Attachments(self.database, latents, head.types, repeats=question.repeats)
                attachments = {head.types: own}
            target = self._target(head, question.missed)
            yield ArrayGrowth(
                self.database, target, latents, attachments[head.types], question, drop_clean=drop_clean
            )

    def choose(
        self,
        counted: Sequence[Counted],
        choice: Choice,
        statistics: DecoderStatistics,
        seen: set[Signature],
    ) -> list[Decoder]:
        batches = [batch for batch in counted if isinstance(batch, Batch | ListedBatch | UnionBatch)]
        return list(chosen_decoders(batches, choice, statistics, seen))

    def dominance(self, decoders: Sequence[Decoder]) -> Callable[[int, int], bool]:
        return Dominance(self.database, decoders)

    def missed(self, program: Collection[Decoder]) -> Missed:
        return ArrayMissed.of(self.database, program)

    # -- large data -----------------------------------------------------------------------------------

    def _wanted(self, predicates: Sequence[str], missed: Missed | None) -> dict[str, Relation]:
        if missed is None:
            return {name: self.database.relation(name) for name in predicates}
        assert isinstance(missed, ArrayMissed)  # noqa: S101  (this engine made it)
        return {name: missed.facts_of(self.database, name) for name in predicates}

    def promises(
        self, extensions: Mapping[int, Extension], predicates: Sequence[str], missed: Missed | None = None
    ) -> dict[int, float]:
        facts = list(self._wanted(predicates, missed).values())
        return Promises(self.database, facts).scores(relations_of(extensions))

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
        facts = self._wanted(predicates, missed)
        return Promising(self.database, facts, relations_of(extensions), own, links=links, together=together)

    def complete(
        self, decoder: Decoder, latents: Mapping[int, Extension], limit: int | None
    ) -> Decoder | None:
        if decoder.head not in self._wholes:
            self._wholes[decoder.head] = self._target(decoder.head)
        target = self._wholes[decoder.head]
        try:
            atoms = derived_atoms(self.database, target, decoder.body, relations_of(latents), limit)
        except JoinTooLargeError:
            return None
        name = decoder.predicate
        facts = self.database.relation(name)
        other = self.database.relation(name, "false" if target.open_world else "unknown")
        sizes = [self.database.sizes[kind] for kind in facts.types]
        found = []
        for table in (facts, other):
            left, right = joint_keys(atoms, table.columns, sizes)
            found.append(int(np.count_nonzero(inside(right, left))) if len(table) else 0)
        true, listed = found
        false = listed if target.open_world else len(atoms[0]) - true - listed
        return ArrayDecoder(decoder.head, decoder.body, true, false, atoms)

    # -- problems -------------------------------------------------------------------------------------

    def coverage(
        self, predicate: str, decoders: Sequence[Decoder], former: Coverage | None = None
    ) -> Coverage:
        assert former is None or isinstance(former, ArrayCoverage)  # noqa: S101  (this engine made it)
        return coverage_classes(self.database, predicate, decoders, former)

    def generality(self, coverage: Coverage, kinds: Sequence[object]) -> Order:
        assert isinstance(coverage, ArrayCoverage)  # noqa: S101  (this engine made it)
        return class_inclusions(coverage, kinds)

    # -- programs -------------------------------------------------------------------------------------

    @classmethod
    def run(cls, program: Program, kb: KnowledgeBase, outputs: Schema | None = None) -> KnowledgeBase:
        return run_program(program, kb, outputs)

    def materialise(self, extension: Extension) -> list[tuple[str, ...]]:
        relation = relation_of(extension)
        table = self.database.decode(relation, 0 if relation.types == (0,) else relation.arity)
        names = self.database.kb.interpretations
        return [
            (names[world], *(self.database.symbols[symbol] for symbol in row))
            for world, row in zip(table.worlds.tolist(), table.arguments.tolist(), strict=True)
        ]
