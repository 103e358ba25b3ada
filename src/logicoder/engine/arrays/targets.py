"""Targets: heads of decoders with the atoms that count for and against."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from logicoder.base.sorted_keys import inside
from logicoder.engine.arrays.array_handles import atoms_of
from logicoder.engine.arrays.atom_hashes import Factors, products, sums
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.listing import Listing
from logicoder.engine.arrays.relation import Column, Relation, joint_keys
from logicoder.engine.clauses import Head
from logicoder.engine.handles import Decoder, Missed
from logicoder.engine.questions import LITTLE


@dataclass(frozen=True, eq=False)
class Target:
    """A head, and the atoms of its form.

    Attributes:
        head: the head.
        place: place of its predicate among those to be reconstructed.
        facts: true atoms that have the form of the head, as columns over the head variables.
        other: unknown atoms of a closed predicate, or the explicit negatives of an open one.
        open_world: whether only explicit negatives are false.
        diagonal: where the two head variables are to differ, the pairs of equal values; None otherwise.
        wanted: which facts a present program misses; None where all are wanted alike.
    """

    head: Head
    place: int
    facts: tuple[Column, ...]
    other: tuple[Column, ...]
    open_world: bool
    diagonal: tuple[Column, ...] | None = None
    wanted: np.ndarray | None = None

    @classmethod
    def of(cls, database: Database, place: int, head: Head, missed: ArrayMissed | None = None) -> Target:
        """Return the target of a head; where something is missed, only that is wanted."""
        name = head.predicate
        open_world = database.kb.schema[name].open_world
        diagonal = None
        if head.unequal:
            everything = np.arange(database.sizes[head.types[0]], dtype=np.int32)
            diagonal = (everything, everything)
        found = cls(
            head,
            place,
            _columns(database, head, database.relation(name)),
            _columns(database, head, database.relation(name, "false" if open_world else "unknown")),
            open_world,
            diagonal,
        )
        if missed is None:
            return found
        return replace(found, wanted=missed.mask(database, name, found.atoms(database, found.facts)))

    @property
    def types(self) -> tuple[int, ...]:
        """Types of the head variables."""
        return self.head.types

    @property
    def weights(self) -> np.ndarray:
        """How much each fact is worth: those that come back already are worth little."""
        if self.wanted is None:
            return np.ones(len(self.facts[0]))
        return np.where(self.wanted, 1.0, LITTLE)

    def worth(self, true: np.ndarray, known: Sequence[np.ndarray]) -> np.ndarray:
        """Return the worth of the facts that candidates rebuild; see `counts` for the arguments."""
        if self.wanted is None:
            return true.astype(np.float64)
        return np.asarray(known[-1] + LITTLE * (true - known[-1]))

    def missed_values(self, most: int) -> np.ndarray:
        """Return values of the first variable in facts that a program misses: a sample needs some."""
        if self.wanted is None:
            return np.empty(0, np.int32)
        values = self.facts[0][self.wanted]
        return np.asarray(values[:: max(1, len(values) // most)])

    @property
    def tables(self) -> list[tuple[Column, ...]]:
        """The tables of atoms over the head variables that must be recognised among derived ones."""
        found = [self.facts, self.other]
        if self.diagonal is not None:
            found.append(self.diagonal)
        if self.wanted is not None:
            found.append(tuple(column[self.wanted] for column in self.facts))
        return found

    def counts(self, sizes: np.ndarray, known: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Return how many true and how many false atoms there are among `sizes` derived ones.

        Args:
            sizes: number of derived head tuples.
            known: for each of `tables`, how many of its atoms are among them.
        """
        true, other = known[0], known[1]
        if self.open_world:
            return true, other
        equal = known[2] if self.head.unequal else 0
        return true, sizes - true - other - equal

    def atoms(self, database: Database, columns: Sequence[Column]) -> tuple[Column, ...]:
        """Return head tuples as atoms: columns in the order of the predicate's arguments."""
        if self.head.unequal:
            different = columns[0] != columns[1]
            columns = [column[different] for column in columns]
        return self._filled(database, columns)

    def listed(self, database: Database, heads: Listing) -> Listing:
        """Return sets of head tuples as sets of atoms; see `atoms`."""
        if self.head.unequal:
            heads = heads.select(heads.columns[0] != heads.columns[1])
        return Listing(heads.borders, self._filled(database, heads.columns))

    def _filled(self, database: Database, columns: Sequence[Column]) -> tuple[Column, ...]:
        head = self.head
        worlds = database.world_of[head.types[0]][columns[0]] if head.constants else columns[0]
        return tuple(
            columns[argument] if argument >= 0 else self._constant(database, argument, worlds)
            for argument in head.arguments
        )

    def _constant(self, database: Database, argument: int, worlds: Column) -> Column:
        kind, symbol = self.head.constants[-1 - argument]
        return database.entity_of_constant(kind, symbol, worlds)

    def factors(self, database: Database) -> list[Factors]:
        """Return the factors of each head variable in the hashes of atoms (see `AtomHashes`).

        A variable has the factors of all positions that it fills. Constants are entities of the world of the
        tuple, which every entity of a head variable tells.
        """
        head = self.head
        found = [np.ones((2, database.sizes[kind]), np.uint64) for kind in head.types]
        for position, argument in enumerate(head.arguments):
            if argument >= 0:
                found[argument] *= database.hashes.factors(position, head.types[argument])
            else:
                constants = self._constant(database, argument, database.world_of[head.types[0]])
                kind = head.constants[-1 - argument][0]
                found[0] *= database.hashes.factors(position, kind)[:, constants]
        return found

    def fingerprints(self, database: Database, atoms: Listing) -> Factors:
        """Return the fingerprints of sets of atoms."""
        head = self.head
        kinds = [head.types[a] if a >= 0 else head.constants[-1 - a][0] for a in head.arguments]
        factors = [database.hashes.factors(position, kind) for position, kind in enumerate(kinds)]
        return sums(products(factors, atoms.columns), atoms.borders)


def _columns(database: Database, head: Head, relation: Relation) -> tuple[Column, ...]:
    """Return the atoms of a relation that have the form of a head, as columns over its variables."""
    keep = np.ones(len(relation), np.bool_)
    places: dict[int, int] = {}
    for position, argument in enumerate(head.arguments):
        column = relation.columns[position]
        if argument < 0:
            keep &= database.is_constant(relation.types[position], column, head.constants[-1 - argument][1])
        elif places.setdefault(argument, position) != position:
            keep &= relation.columns[places[argument]] == column
    if head.unequal:
        keep &= relation.columns[places[0]] != relation.columns[places[1]]
    return tuple(relation.columns[places[v]][keep] for v in range(len(head.types)))


@dataclass(frozen=True, eq=False)
class ArrayMissed(Missed):
    """What a program misses, with the atoms that its decoders derive, by predicate."""

    derived: Mapping[str, Sequence[tuple[Column, ...]]]

    @classmethod
    def of(cls, database: Database, program: Collection[Decoder]) -> ArrayMissed:
        """Return what some decoders miss."""
        parts: dict[str, list[tuple[Column, ...]]] = {}
        for decoder in program:
            parts.setdefault(decoder.predicate, []).append(atoms_of(decoder))
        counts: dict[str, int] = {}
        found = cls(counts, parts)
        for name in database.kb.learnable:
            facts = database.relation(name).columns
            counts[name] = int(np.count_nonzero(found.mask(database, name, facts)))
        return found

    def mask(self, database: Database, predicate: str, atoms: Sequence[Column]) -> np.ndarray:
        """Return which atoms of a predicate the program does not derive."""
        parts = self.derived.get(predicate, [])
        if not parts:
            return np.ones(len(atoms[0]), np.bool_)
        derived = [np.concatenate(columns) for columns in zip(*parts, strict=True)]
        types = database.relation(predicate).types
        left, right = joint_keys(atoms, derived, [database.sizes[kind] for kind in types])
        return ~inside(left, right)

    def facts_of(self, database: Database, predicate: str) -> Relation:
        """Return the facts of a predicate that are missed; all of them where none is."""
        facts = database.relation(predicate)
        missing = self.mask(database, predicate, facts.columns)
        return facts.select(missing) if missing.any() else facts
