"""Targets: what decoder clauses are to rebuild, head by head, with the atoms that count for and against."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from logicoder.candidates.language import Switches, selected, with_constants
from logicoder.engine.atom_hashes import Factors, products, sums
from logicoder.engine.database import Database
from logicoder.engine.listing import Listing
from logicoder.engine.relation import Column, Relation

LITTLE = 0.1
"""The worth of rebuilding a fact that a present program rebuilds already, beside one that it misses."""


@dataclass(frozen=True, eq=False)
class Target:
    r"""A head such as `p(X,Y)`, `p(X,X)` or `p(X,red)`, over head variables whose types ascend.

    Attributes:
        predicate: index of the input predicate.
        arguments: for each argument of the predicate its head variable, or -1, -2, ... for constants.
        types: types of the head variables.
        facts: true atoms that have the form of the head, as columns over the head variables.
        other: unknown atoms of a closed predicate, or the explicit negatives of an open one.
        open_world: whether only explicit negatives are false.
        constants: type and name of the first, second, ... constant among the arguments.
        diagonal: where the two head variables are to differ (`X \= Y` in the body), the pairs of equal
            values; None where they need not.
        wanted: which facts a present program misses; None where all are wanted alike.
    """

    predicate: int
    arguments: tuple[int, ...]
    types: tuple[int, ...]
    facts: tuple[Column, ...]
    other: tuple[Column, ...]
    open_world: bool
    constants: tuple[tuple[int, str], ...] = ()
    diagonal: tuple[Column, ...] | None = None
    wanted: np.ndarray | None = None

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

    @property
    def unequal(self) -> bool:
        """Whether the two head variables are to differ."""
        return self.diagonal is not None

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
        equal = known[2] if self.unequal else 0
        return true, sizes - true - other - equal

    def atoms(self, database: Database, columns: Sequence[Column]) -> tuple[Column, ...]:
        """Return head tuples as atoms: columns in the order of the predicate's arguments."""
        if self.unequal:
            different = columns[0] != columns[1]
            columns = [column[different] for column in columns]
        return self._filled(database, columns)

    def listed(self, database: Database, heads: Listing) -> Listing:
        """Return sets of head tuples as sets of atoms; see `atoms`."""
        if self.unequal:
            heads = heads.select(heads.columns[0] != heads.columns[1])
        return Listing(heads.borders, self._filled(database, heads.columns))

    def _filled(self, database: Database, columns: Sequence[Column]) -> tuple[Column, ...]:
        worlds = database.world_of[self.types[0]][columns[0]] if self.constants else None
        found = []
        for argument in self.arguments:
            if argument >= 0:
                found.append(columns[argument])
            else:
                assert worlds is not None  # noqa: S101  (there are constants)
                found.append(self._constant(database, argument, worlds))
        return tuple(found)

    def _constant(self, database: Database, argument: int, worlds: Column) -> Column:
        kind, symbol = self.constants[-1 - argument]
        return database.entity_of_constant(kind, symbol, worlds)

    def factors(self, database: Database) -> list[Factors]:
        """Return the factors of each head variable in the hashes of atoms (see `AtomHashes`).

        A variable has the factors of all positions that it fills. Constants are entities of the world of the
        tuple, which every entity of a head variable tells.
        """
        found = [np.ones((2, database.sizes[kind]), np.uint64) for kind in self.types]
        for position, argument in enumerate(self.arguments):
            if argument >= 0:
                found[argument] *= database.hashes.factors(position, self.types[argument])
            else:
                constants = self._constant(database, argument, database.world_of[self.types[0]])
                kind = self.constants[-1 - argument][0]
                found[0] *= database.hashes.factors(position, kind)[:, constants]
        return found

    def fingerprints(self, database: Database, atoms: Listing) -> Factors:
        """Return the fingerprints of sets of atoms."""
        kinds = [self.types[a] if a >= 0 else self.constants[-1 - a][0] for a in self.arguments]
        factors = [database.hashes.factors(position, kind) for position, kind in enumerate(kinds)]
        return sums(products(factors, atoms.columns), atoms.borders)


Focus = Callable[[Target], Target | None]
"""Says what of a target is wanted, or None where nothing more is."""


def targets_of(
    database: Database,
    predicates: Sequence[str],
    switches: Switches | None = None,
    focus: Focus | None = None,
) -> dict[tuple[int, ...], list[Target]]:
    """Return all heads that some fact has the form of, grouped by the types of their variables."""
    switches = switches or Switches()
    found: dict[tuple[int, ...], list[Target]] = {}
    for index, name in enumerate(predicates):
        for target in _targets(database, index, name, switches):
            wanted = focus(target) if focus is not None else target
            if wanted is not None and len(target.facts[0]):
                found.setdefault(target.types, []).append(wanted)
    return dict(sorted(found.items()))


def _targets(database: Database, index: int, name: str, switches: Switches) -> Iterator[Target]:
    facts = database.relation(name)
    open_world = database.kb.schema[name].open_world
    other = database.relation(name, "false" if open_world else "unknown")
    named = with_constants(database, facts, switches.constants) if switches.constants else ()
    for constants, part in chain([((None,) * facts.arity, facts)], named):
        counted = selected(database, other, constants)
        for pattern in equalities(part.types):
            target = _target(index, pattern, part, counted, open_world)
            target = _with_constants(target, facts.types, constants)
            yield target
            if switches.inequality and len(target.types) == 2 and target.types[0] == target.types[1]:
                yield _apart(database, target)


def _with_constants(target: Target, types: Sequence[int], constants: Sequence[str | None]) -> Target:
    """Put constants back into the places that were left out."""
    rest = iter(target.arguments)
    named: list[tuple[int, str]] = []
    arguments = []
    for kind, constant in zip(types, constants, strict=True):
        if constant is None:
            arguments.append(next(rest))
        else:
            named.append((kind, constant))
            arguments.append(-len(named))
    return replace(target, arguments=tuple(arguments), constants=tuple(named))


def _apart(database: Database, target: Target) -> Target:
    everything = np.arange(database.sizes[target.types[0]], dtype=np.int32)

    def different(columns: tuple[Column, ...]) -> tuple[Column, ...]:
        keep = columns[0] != columns[1]
        return tuple(column[keep] for column in columns)

    return replace(
        target,
        facts=different(target.facts),
        other=different(target.other),
        diagonal=(everything, everything),
    )


def equalities(types: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Return the ways in which arguments of equal type may be the same variable, as numbers by argument.

    >>> list(equalities([0, 0]))
    [(0, 1), (0, 0)]
    """

    def grow(prefix: tuple[int, ...], kinds: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(prefix) == len(types):
            yield prefix
            return
        kind = types[len(prefix)]
        yield from grow((*prefix, len(kinds)), (*kinds, kind))
        for variable, other in enumerate(kinds):
            if other == kind:
                yield from grow((*prefix, variable), kinds)

    yield from grow((), ())


def _target(
    index: int, pattern: tuple[int, ...], facts: Relation, other: Relation, open_world: bool
) -> Target:
    types = facts.types
    first = {variable: position for position, variable in reversed(list(enumerate(pattern)))}
    ordered = sorted(first, key=lambda v: (types[first[v]], v))
    rename = {variable: number for number, variable in enumerate(ordered)}
    return Target(
        index,
        tuple(rename[v] for v in pattern),
        tuple(types[first[v]] for v in ordered),
        _restricted(pattern, first, ordered, facts.columns),
        _restricted(pattern, first, ordered, other.columns),
        open_world,
    )


def _restricted(
    pattern: tuple[int, ...], first: dict[int, int], ordered: Sequence[int], columns: tuple[Column, ...]
) -> tuple[Column, ...]:
    keep = np.ones(len(columns[0]), np.bool_)
    for position, variable in enumerate(pattern):
        if first[variable] != position:
            keep &= columns[first[variable]] == columns[position]
    return tuple(columns[first[v]][keep] for v in ordered)
