"""A second learner, independent of the package, that starts from the raw facts.

The oracle writes down every clause over a frame of variables, evaluates it by the definition of truth (a
relation is the set of assignments that satisfy it, a conjunction is an intersection, a head a projection),
applies the rules of a setting, and lets clingo choose. It shares no code with the package.

Clauses are told apart by what they derive, not by how they are written: naming variants are one latent, since
of two encoders with equal facts at most one may be selected anyway, and signature variants are one decoder.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from itertools import chain, combinations, combinations_with_replacement, permutations, product
from operator import or_
from typing import TYPE_CHECKING

import clingo

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from fractions import Fraction

    from logicoder import KnowledgeBase

Types = tuple[str, ...]
Row = tuple[str, ...]
"""Interpretation and constants."""


@dataclass(frozen=True)
class Relation:
    """A predicate: the types of its arguments, its rows, and the body literals that it takes to define it."""

    types: Types
    rows: frozenset[Row]
    literals: int = 1

    def normal(self) -> tuple[Types, tuple[Row, ...]]:
        """Return what relations have in common that are equal up to an exchange of columns."""
        orders = permutations(range(len(self.types)))
        return min(
            (
                tuple(self.types[i] for i in order),
                tuple(sorted((w, *(row[i] for i in order)) for w, *row in self.rows)),
            )
            for order in orders
        )

    def includes(self, other: Relation) -> bool:
        """Whether some exchange of columns makes the other's rows a subset of these."""
        return any(
            tuple(other.types[i] for i in order) == self.types
            and {(w, *(row[i] for i in order)) for w, *row in other.rows} <= self.rows
            for order in permutations(range(len(other.types)))
        )


class Frame:
    """Typed variables and all their assignments within the interpretations; sets of these are integers."""

    def __init__(self, types: Types, constants: Mapping[str, Sequence[str]], worlds: Sequence[str]) -> None:
        self.types = types
        self.assignments = list(product(worlds, *(constants[kind] for kind in types)))

    def literals(self, relation: Relation, repeats: bool) -> Iterator[tuple[frozenset[int], int]]:
        """Return the variables of each literal over the frame, and the assignments that satisfy it."""
        for arguments in product(range(len(self.types)), repeat=len(relation.types)):
            if not repeats and len(set(arguments)) < len(arguments):
                continue
            if tuple(self.types[v] for v in arguments) == relation.types:
                satisfied = 0
                for bit, (world, *values) in enumerate(self.assignments):
                    if (world, *(values[v] for v in arguments)) in relation.rows:
                        satisfied |= 1 << bit
                yield frozenset(arguments), satisfied

    def projected(self, satisfied: int, head: Sequence[int]) -> frozenset[Row]:
        return frozenset(
            (world, *(values[v] for v in head))
            for bit, (world, *values) in enumerate(self.assignments)
            if satisfied >> bit & 1
        )


def frames(kinds: Sequence[str], most: int, head: Types = ()) -> Iterator[Types]:
    """Return the types of some head variables and of any others, up to `most` in all."""
    for count in range(max(most - len(head), 0) + 1):
        for others in combinations_with_replacement(sorted(kinds), count):
            yield (*head, *others)


class Oracle:
    """Candidates, constraints and optimum of a tiny knowledge base.

    Args:
        kb: the data.
        encoder_length: greatest number of literals of an encoder.
        decoder_length: greatest number of literals of a decoder.
        pruned: leave out decoders of which half or more is false.
        idle: keep decoders that rebuild nothing, where their latents can make room under the mean.
        disjunctive: decoders may be disjunctions of single literals.
        repeats: a variable may occur more than once in a literal, and in the head of a decoder.
        widest: greatest number of arguments of a latent; that of the data unless given.
    """

    def __init__(
        self,
        kb: KnowledgeBase,
        encoder_length: int,
        decoder_length: int,
        *,
        pruned: bool = True,
        idle: bool = False,
        disjunctive: bool = False,
        repeats: bool = True,
        widest: int | None = None,
    ) -> None:
        self.worlds = kb.interpretations
        self.constants = kb.constants()
        self.inputs = {
            name: Relation(
                kb.schema[name].types,
                frozenset((f.interpretation, *map(str, f.arguments)) for f in kb.facts(name)),
            )
            for name in kb.schema
            if kb.count(name)
        }
        self.targets = {n: r for n, r in self.inputs.items() if not kb.schema[n].background}
        self.pruned = pruned
        self.idle = idle
        self.disjunctive = disjunctive
        self.repeats = repeats
        self.largest = max(len(relation.types) for relation in self.inputs.values())
        self.widest = widest or self.largest
        self.latents = self._latents(encoder_length)
        self.decoders = self._decoders(decoder_length)

    # -- candidates -----------------------------------------------------------------------------------

    def _latents(self, length: int) -> list[Relation]:
        found: dict[object, Relation] = {}

        def add(relation: Relation) -> None:
            if relation.rows:
                known = found.setdefault(relation.normal(), relation)
                if relation.literals < known.literals:
                    found[relation.normal()] = relation

        relations = list(self.inputs.values())
        for types in frames(list(self.constants), length * self.largest - (length - 1)):
            frame = Frame(types, self.constants, self.worlds)
            literals = [
                literal for relation in relations for literal in frame.literals(relation, self.repeats)
            ]
            for size in range(1, length + 1):
                for body in combinations(literals, size):
                    if connected([used for used, _ in body]):
                        satisfied = reduce(lambda a, b: a & b, (bits for _, bits in body))
                        for head in heads(frozenset().union(*(used for used, _ in body)), self.widest):
                            rows = frame.projected(satisfied, head)
                            add(Relation(tuple(types[v] for v in head), rows, size))
        if length > 1:
            for relation in self._disjunctions(length):
                add(relation)
        return list(found.values())

    def _disjunctions(self, length: int) -> Iterator[Relation]:
        """Return disjunctions of single literals that each bind all head variables."""
        for size in range(1, self.widest + 1):
            for head in combinations_with_replacement(sorted(self.constants), size):
                parts = {rows for _, rows in self._whole(head, list(self.inputs.values()))}
                for count in range(2, length + 1):
                    for chosen in combinations(parts, count):
                        yield Relation(head, reduce(or_, chosen), count)

    def _whole(self, head: Types, relations: Sequence[Relation]) -> set[tuple[int, frozenset[Row]]]:
        """Return what single literals derive that bind all head variables, with their relation's number."""
        found = set()
        for types in frames(list(self.constants), self.largest, head):
            frame = Frame(types, self.constants, self.worlds)
            for number, relation in enumerate(relations):
                for used, satisfied in frame.literals(relation, self.repeats):
                    if used >= set(range(len(head))) and satisfied:
                        found.add((number, frame.projected(satisfied, range(len(head)))))
        return found

    def _decoders(self, length: int) -> list[tuple[str, frozenset[int], frozenset[Row], int]]:
        """Return head predicate, latents, derived atoms and least length of the decoders."""
        found: dict[tuple[str, frozenset[int], frozenset[Row]], int] = {}
        widest = max((len(latent.types) for latent in self.latents), default=0)
        for name, target in self.targets.items():
            for pattern, head in equalities(target.types):
                if not self.repeats and len(head) < len(pattern):
                    continue
                if self.disjunctive:
                    for latents, rows, size in self._unions(head, length):
                        atoms = frozenset((w, *(row[v] for v in pattern)) for w, *row in rows)
                        if self._considered(atoms, target):
                            key = (name, latents, atoms)
                            found[key] = min(found.get(key, size), size)
                for types in frames(list(self.constants), length * widest - (length - 1), head):
                    for latents, satisfied, frame, size in self._bodies(types, length):
                        atoms = frame.projected(satisfied, pattern)
                        if self._considered(atoms, target):
                            key = (name, latents, atoms)
                            found[key] = min(found.get(key, size), size)
        return [(*key, size) for key, size in found.items()]

    def _unions(self, head: Types, length: int) -> Iterator[tuple[frozenset[int], frozenset[Row], int]]:
        parts = self._whole(head, self.latents)
        for size in range(2, length + 1):
            for chosen in combinations(parts, size):
                yield frozenset(n for n, _ in chosen), reduce(or_, (rows for _, rows in chosen)), size

    def _considered(self, atoms: frozenset[Row], target: Relation) -> bool:
        if self.pruned:
            return more_true_than_false(atoms, target)
        return self.idle or not target.rows.isdisjoint(atoms)

    def _bodies(self, types: Types, length: int) -> Iterator[tuple[frozenset[int], int, Frame, int]]:
        frame = Frame(types, self.constants, self.worlds)
        literals = [
            (number, used, satisfied)
            for number, latent in enumerate(self.latents)
            for used, satisfied in frame.literals(latent, self.repeats)
            if satisfied
        ]
        everything = frozenset(range(len(types)))
        seen: set[tuple[frozenset[int], int]] = set()
        for size in range(1, length + 1):
            for body in combinations(literals, size):
                variables = [used for _, used, _ in body]
                # A variable of the frame that nobody uses belongs to a smaller frame.
                if frozenset().union(*variables) == everything and connected(variables):
                    satisfied = reduce(lambda a, b: a & b, (bits for _, _, bits in body))
                    latents = frozenset(number for number, _, _ in body)
                    if satisfied and (latents, satisfied) not in seen:
                        seen.add((latents, satisfied))
                        yield latents, satisfied, frame, size

    # -- choice ---------------------------------------------------------------------------------------

    def optimum(
        self,
        compression: Fraction,
        *,
        reconstruct_all: bool,
        bottleneck: str = "average",
        generality: bool = True,
    ) -> tuple[int, int] | None:
        """Return the least loss and the least size at this loss; None where nothing is allowed."""
        control = clingo.Control(["--warn=none"])
        rules = [self.RULES]
        rules += [self.RECONSTRUCT_ALL] if reconstruct_all else []
        rules += [self.GENERALITY] if generality else []
        control.add("base", [], "\n".join([*self._facts(compression, bottleneck), *rules]))
        control.ground([("base", [])])
        best: list[list[int]] = []
        control.solve(on_model=lambda model: best.append(list(model.cost)))
        if not best:
            return None
        loss, size = best[-1]
        return loss, size

    RULES = """
    { decoder(D) : decoder_of(D,_) }.
    latent(L) :- decoder(D), uses(D,L).
    :- #sum { C,L : latent(L), coefficient(L,C) } > M, most(M).
    result(R) :- decoder(D), decoder_of(D,R).
    derived(A) :- result(R), derives(R,A).
    wrong(A) :- fact(A), not derived(A).
    wrong(A) :- derived(A), not fact(A).
    #minimize { 1@2,A : wrong(A) }.
    #minimize { S@1,latent,L : latent(L), latent_size(L,S) ; S@1,decoder,D : decoder(D), decoder_size(D,S) }.
    """

    GENERALITY = """
    :- latent(A), latent(B), general(A,B).
    :- result(R), #count { D : decoder(D), decoder_of(D,R) } > 1.
    :- result(A), result(B), more(A,B).
    """

    RECONSTRUCT_ALL = """
    rebuilt(P) :- result(R), of(R,P).
    :- reparable(P), not rebuilt(P).
    """

    def _facts(self, compression: Fraction, bottleneck: str) -> Iterator[str]:
        facts = sum(len(relation.rows) for relation in self.targets.values())
        a, b = compression.numerator, compression.denominator
        yield f"most({0 if bottleneck == 'average' else a * facts})."
        for number, latent in enumerate(self.latents):
            if bottleneck == "average":  # w <= γF/P, as integers
                coefficient = len(latent.rows) * b * len(self.targets) - a * facts
            else:  # Σ w <= γF
                coefficient = len(latent.rows) * b
            yield f"coefficient({number},{coefficient})."
            yield f"latent_size({number},{len(latent.rows) + latent.literals})."
        for one, other in permutations(range(len(self.latents)), 2):
            if self.latents[one].includes(self.latents[other]):
                yield f"general({one},{other})."
        yield from self._results()

    def _results(self) -> Iterator[str]:
        """Write down what decoders derive, those of equal atoms together, and compare it with the facts."""
        atoms: dict[tuple[str, Row], int] = {}
        for name, relation in self.targets.items():
            for row in sorted(relation.rows):
                yield f"fact({atoms.setdefault((name, row), len(atoms))})."
        results: dict[tuple[str, frozenset[Row]], int] = {}
        for number, (name, latents, derived, size) in enumerate(self.decoders):
            if (name, derived) not in results:
                result = results[name, derived] = len(results)
                if more_true_than_false(derived, self.targets[name]):
                    yield f'of({result},"{name}"). reparable("{name}").'
                for row in sorted(derived):
                    yield f"derives({result},{atoms.setdefault((name, row), len(atoms))})."
            yield f"decoder_of({number},{results[name, derived]}). decoder_size({number},{size})."
            for latent in latents:
                yield f"uses({number},{latent})."
        for (name, one), first in results.items():
            for (same, other), second in results.items():
                if name == same and one > other:
                    yield f"more({first},{second})."


def more_true_than_false(atoms: frozenset[Row], target: Relation) -> bool:
    return 2 * len(atoms & target.rows) > len(atoms)


def connected(parts: Sequence[frozenset[int]]) -> bool:
    reached, rest = parts[0], list(parts[1:])
    while near := [part for part in rest if part & reached]:
        reached = reached.union(*near)
        rest = [part for part in rest if not part & reached]
    return not rest


def heads(variables: frozenset[int], largest: int) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(sorted(variables), n) for n in range(1, largest + 1))


def equalities(types: Types) -> Iterator[tuple[tuple[int, ...], Types]]:
    """Return the ways to write variables into a head, equal ones included: their numbers and their types."""
    for pattern in product(range(len(types)), repeat=len(types)):
        first = list(dict.fromkeys(pattern))
        if first == sorted(first) == list(range(len(first))):
            kinds = [{types[i] for i, v in enumerate(pattern) if v == number} for number in first]
            if all(len(kind) == 1 for kind in kinds):
                yield pattern, tuple(kind.pop() for kind in kinds)
