"""The cheapest lossless program of a small knowledge base, by looking at all of them.

Encoders are conjunctions of two literals or disjunctions of two single literals, decoders conjunctions of
two literals; no constants, no negation, no variable twice in a head. A relation is a boolean array with an
axis for each argument, so that a conjunction is an einsum.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, permutations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from ortools.sat.python import cp_model

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from logicoder.kb import KnowledgeBase

Array = NDArray[np.bool_]
Types = tuple[str, ...]
Variables = tuple[int, ...]


@dataclass(frozen=True)
class Relation:
    types: Types
    array: Array
    literals: int = 1

    def __len__(self) -> int:
        return int(self.array.sum())


def relations(kb: KnowledgeBase) -> dict[str, Relation]:
    ids = {kind: {s: i for i, s in enumerate(symbols)} for kind, symbols in kb.constants().items()}
    found = {}
    for name, predicate in kb.schema.items():
        array = np.zeros([len(ids[kind]) for kind in predicate.types], bool)
        for fact in kb.facts(name):
            array[tuple(ids[t][str(a)] for t, a in zip(predicate.types, fact.arguments, strict=True))] = True
        found[name] = Relation(predicate.types, array)
    return found


def conjunctions(*body: Relation) -> Iterator[tuple[list[Variables], Types]]:
    """Name the arguments of one or two literals by typed variables in all connected ways."""
    places = [kind for relation in body for kind in relation.types]
    first = len(body[0].types)

    def name(variables: Variables, types: Types) -> Iterator[tuple[Variables, Types]]:
        if len(variables) == len(places):
            yield variables, types
            return
        kind = places[len(variables)]
        for variable, known in enumerate(types):
            if known == kind:
                yield from name((*variables, variable), types)
        yield from name((*variables, len(types)), (*types, kind))

    for variables, types in name((), ()):
        if len(body) == 1:
            yield [variables], types
        elif set(variables[:first]) & set(variables[first:]):
            yield [variables[:first], variables[first:]], types


def projections(*body: Relation, heads: set[Types] | None = None) -> Iterator[tuple[Types, Array]]:
    """Yield what each clause with this body derives, for heads of one and two arguments in any order."""
    arrays = [relation.array.astype(np.float32) for relation in body]
    for literals, types in conjunctions(*body):
        for head in (h for arity in (1, 2) for h in permutations(range(len(types)), arity)):
            head_types = tuple(types[variable] for variable in head)
            if heads is None or head_types in heads:
                operands = [part for pair in zip(arrays, map(list, literals), strict=True) for part in pair]
                yield head_types, np.einsum(*operands, list(head)) > 0


def latent_candidates(inputs: dict[str, Relation], largest: int) -> list[Relation]:
    """Return the different relations that encoders derive, with as few literals as possible."""
    found: dict[tuple[Types, bytes], Relation] = {}

    def add(types: Types, array: Array, literals: int) -> None:
        orders = permutations(range(len(types)))
        key, order = min(
            ((tuple(types[i] for i in order), array.transpose(order).tobytes()), order) for order in orders
        )
        if 0 < array.sum() <= largest and key not in found:
            found[key] = Relation(key[0], array.transpose(order), literals)

    singles = defaultdict(list)
    for relation in inputs.values():
        for types, array in projections(relation):
            singles[types].append(array)
            add(types, array, 1)
    for types, arrays in singles.items():
        for one, other in combinations(arrays, 2):
            add(types, one | other, 2)
    for body in combinations_with_replacement(inputs.values(), 2):
        for types, array in projections(*body):
            add(types, array, 2)
    return list(found.values())


class Decoder(NamedTuple):
    body: tuple[int, ...]
    head: str
    array: Array


def undominated(decoders: Iterable[Decoder]) -> Iterator[Decoder]:
    """Leave out clauses for which another derives as much from fewer or the same latents and literals."""
    kept: dict[tuple[str, frozenset[int]], list[Decoder]] = defaultdict(list)
    for decoder in sorted(decoders, key=lambda d: (len(d.body), -int(d.array.sum()))):
        used = set(decoder.body)
        rivals = [
            rival
            for size in range(1, len(used) + 1)
            for part in combinations(used, size)
            for rival in kept[decoder.head, frozenset(part)]
        ]
        if not any((decoder.array <= rival.array).all() for rival in rivals):
            kept[decoder.head, frozenset(used)].append(decoder)
            yield decoder


class LosslessPrograms:
    """All programs without loss whose latent predicates have at most `largest` facts together."""

    def __init__(self, kb: KnowledgeBase, largest: int) -> None:
        inputs = relations(kb)
        self.latents = latent_candidates(inputs, largest)
        self._model = cp_model.CpModel()
        self._used = [self._model.new_bool_var(f"latent{i}") for i in range(len(self.latents))]
        cost = [(len(r) + r.literals) * used for r, used in zip(self.latents, self._used, strict=True)]
        covering: dict[str, list[tuple[Array, cp_model.IntVar]]] = defaultdict(list)
        for body, name, array in undominated(self._decoders(inputs, largest)):
            chosen = self._model.new_bool_var(name)
            covering[name].append((array[inputs[name].array], chosen))
            for latent in set(body):
                self._model.add_implication(chosen, self._used[latent])
            cost.append(len(body) * chosen)
        for clauses in covering.values():
            for row in np.unique(np.stack([covered for covered, _ in clauses]), axis=1).T:
                self._model.add_bool_or([clauses[index][1] for index in np.flatnonzero(row)])
        self._model.minimize(sum(cost))

    def _decoders(self, inputs: dict[str, Relation], largest: int) -> Iterator[Decoder]:
        """Yield the decoder clauses that derive nothing false."""
        by_types = defaultdict(list)
        for name, relation in inputs.items():
            by_types[relation.types].append(name)
        numbers = range(len(self.latents))
        for body in [*((n,) for n in numbers), *combinations_with_replacement(numbers, 2)]:
            if sum(len(self.latents[n]) for n in set(body)) > largest:
                continue
            for types, array in projections(*(self.latents[n] for n in body), heads=set(by_types)):
                for name in by_types[types]:
                    if array.any() and not (array & ~inputs[name].array).any():
                        yield Decoder(body, name, array)

    def cheapest(self, without: list[int] | None = None) -> tuple[int, list[int]]:
        """Return the least size of a program and its latents; it must lack one of `without`."""
        if without is not None:
            self._model.add(sum(self._used[latent] for latent in without) < len(without))
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        assert solver.solve(self._model) == cp_model.OPTIMAL
        chosen = [n for n, used in enumerate(self._used) if solver.value(used)]
        return round(solver.objective_value), chosen
