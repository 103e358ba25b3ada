"""Conditions on the arguments of a ground atom, and the formulas of Markov logic that they make.

A feature is a conjunction of conditions: that a *definition* holds of some of the arguments, that two of them
are equal, or that one is a certain constant. For a predicate p it is the formula `p(x,y) v !d(x)`, in which d
is a derived predicate: a ground atom changes the number of satisfied groundings by one where the
feature holds, and by nothing elsewhere. Definitions do not mention p, so they are evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from logicoder.engine.arrays.ground_atoms import Booleans, GroundAtoms
from logicoder.engine.arrays.relation import Relation
from logicoder.engine.programs import run_program
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.kb.schema import Predicate, Schema
from logicoder.logic.terms import Atom, Clause, Constant, Literal, Program, Term, Variable
from logicoder.mln.formulas import Formula


@dataclass(frozen=True)
class Holds:
    """A definition holds of some arguments.

    Attributes:
        definition: a clause whose head is a derived predicate.
        places: which argument of the atom stands in each place of the head.
    """

    definition: Clause
    places: tuple[int, ...]


@dataclass(frozen=True)
class Equal:
    """Two arguments are the same."""

    first: int
    second: int


@dataclass(frozen=True)
class Named:
    """An argument is a certain constant."""

    place: int
    symbol: str


Condition = Holds | Equal | Named
Feature = tuple[Condition, ...]


def definitions_of(features: Iterable[Feature]) -> Program:
    """Return the definitions that some features need, each once."""
    found = (c.definition for feature in features for c in feature if isinstance(c, Holds))
    return Program(tuple(dict.fromkeys(found)))


def derived_schema(features: Iterable[Feature], kinds: Sequence[str]) -> Schema:
    """Return the derived predicates of some features, given the types of the arguments of the atom.

    Bodies do not tell the type of a constant in a head, but the places do.
    """
    conditions = (c for feature in features for c in feature if isinstance(c, Holds))
    names = {c.definition.head.predicate: tuple(kinds[place] for place in c.places) for c in conditions}
    return Schema({name: Predicate(name, types) for name, types in names.items()})


def formula_of(feature: Feature, predicate: str, arity: int, weight: float) -> Formula:
    """Return the formula of a feature.

    >>> tall = Holds(Clause.parse("tall_one(X) :- tall(X)."), (1,))
    >>> print(formula_of((tall, Named(0, "ann")), "likes", 2, 1.5))
    1.5 likes("ann",b) v !tall_one(b)
    """
    terms: list[Term] = [Variable(chr(ord("A") + i)) for i in range(arity)]
    for condition in feature:
        if isinstance(condition, Equal):
            terms[condition.second] = terms[condition.first]
    for condition in feature:
        if isinstance(condition, Named):
            replaced = terms[condition.place]
            terms = [Constant(condition.symbol) if term == replaced else term for term in terms]
    literals = [Literal(Atom(predicate, tuple(terms)))]
    for condition in feature:
        if isinstance(condition, Holds):
            head = Atom(condition.definition.head.predicate, tuple(terms[i] for i in condition.places))
            literals.append(Literal(head, positive=False))
    return Formula(tuple(literals), weight)


class Columns:
    """Evaluates features on all ground atoms of a predicate.

    Args:
        atoms: the ground atoms.
    """

    def __init__(self, atoms: GroundAtoms) -> None:
        self.atoms = atoms
        self._relations: dict[str, Relation] = {}

    def know(self, name: str, relation: Relation) -> None:
        """Take note of what a derived predicate holds of, over the entities of the atoms."""
        self._relations[name] = relation

    def knows(self, name: str) -> bool:
        """Whether it is known what a derived predicate holds of."""
        return name in self._relations

    def derive(self, features: Sequence[Feature], source: KnowledgeBase) -> None:
        """Run the definitions of some features."""
        program = definitions_of(features)
        if len(program):
            found = run_program(program, source, derived_schema(features, self.atoms.kinds))
            for name in program.defined():
                self._relations[name] = self.atoms.relation(found, name)

    def of(self, feature: Feature) -> Booleans:
        """Return for each atom whether a feature holds."""
        found = np.ones(len(self.atoms), np.bool_)
        for condition in feature:
            found &= self._holds(condition)
        return found

    def _holds(self, condition: Condition) -> Booleans:
        atoms = self.atoms
        if isinstance(condition, Equal):
            return np.asarray(atoms.columns[condition.first] == atoms.columns[condition.second])
        if isinstance(condition, Named):
            kind = atoms.types[condition.place]
            return atoms.database.is_constant(kind, atoms.columns[condition.place], condition.symbol)
        relation = self._relations[condition.definition.head.predicate]
        return atoms.holds(relation, condition.places)

    def packed(self, features: Sequence[Feature]) -> NDArray[np.uint8]:
        """Return the features of each atom as bits."""
        found = np.zeros((len(self.atoms), (len(features) + 7) // 8), np.uint8)
        for number, feature in enumerate(features):
            found[:, number // 8] |= self.of(feature).astype(np.uint8) << (7 - number % 8)
        return found


@dataclass(frozen=True, eq=False)
class FeatureRows:
    """The distinct rows of features: atoms that look alike are one.

    Attributes:
        features: a row of zeros and ones for each.
        which: the row of each atom.
    """

    features: np.ndarray
    which: NDArray[np.int64]


def distinct_rows(packed: NDArray[np.uint8], width: int) -> FeatureRows:
    """Return the distinct ones of packed rows of features."""
    if not packed.shape[1]:
        return FeatureRows(np.zeros((1, 0), np.bool_), np.zeros(len(packed), np.int64))
    bits = np.ascontiguousarray(packed)
    keys = bits.view(np.dtype((np.void, bits.shape[1]))).ravel()
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    return FeatureRows(np.unpackbits(bits[first], axis=1, count=width).astype(np.bool_), which)


def placements(given: Sequence[int | str], wanted: Sequence[int | str]) -> Iterator[tuple[int, ...]]:
    """Yield the ways to put different arguments of given types into all places of wanted types.

    >>> list(placements(("a", "b", "a"), ("a", "b")))
    [(0, 1), (2, 1)]
    """

    def go_on(chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(chosen) == len(wanted):
            yield chosen
            return
        for place, kind in enumerate(given):
            if place not in chosen and kind == wanted[len(chosen)]:
                yield from go_on((*chosen, place))

    return go_on(())


def atom_numbers(atoms: GroundAtoms, shape: Sequence[int]) -> NDArray[np.int64]:
    """Return the numbers that `World.numbers` gives the atoms of a single interpretation."""
    found = np.zeros(len(atoms), np.int64)
    for kind, column, size in zip(atoms.types, atoms.columns, shape, strict=True):
        symbols = [atoms.database.symbols[i] for i in atoms.database.symbol_of[kind].tolist()]
        rank = np.empty(len(symbols), np.int64)
        rank[np.array(sorted(range(len(symbols)), key=symbols.__getitem__), np.int64)] = np.arange(
            len(symbols)
        )
        found = found * size + rank[column]
    return found
