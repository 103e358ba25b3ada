"""The atoms that a predicate could have: within domains of its places, diagonal told apart, or by pairs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logicoder.base.sorted_keys import in_sorted, union
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.relation import Keys, Relation, distinct_keys, pack, packable
from logicoder.kb.atom_space import possible_atoms

Mask = NDArray[np.bool_]

_MOST_OPTIONS = 2**62
"""What one value of a place may be combined with, at most, to be numbered."""

_MOST_CHOICES = 4
"""Predicates with more places have few choices of domains that are told."""


@dataclass(frozen=True, eq=False)
class Space:
    """One way to look at the possible atoms of a predicate.

    Attributes:
        predicate: its name.
        types: type of each place.
        sizes: number of entities of each type.
        masks: the values of each place whose domain is told; None for all entities of its type.
        apart: whether atoms p(x,x) are told apart.
        symmetric: whether p(x,y) and p(y,x) count as one.
        atoms: number of possible atoms, those apart left out.
        keys: the facts among them, sorted, as `row_keys` has them.
        packed: whether keys are numbers, as it takes to look for rules.
        diagonal: possible atoms told apart, and the facts among them.
        one_sided: symmetric pairs of which one atom alone is a fact.
    """

    predicate: str
    types: tuple[int, ...]
    sizes: tuple[int, ...]
    masks: tuple[Mask | None, ...]
    apart: bool
    symmetric: bool
    atoms: int
    keys: Keys
    diagonal: tuple[int, int]
    one_sided: int
    packed: bool = True

    @property
    def facts(self) -> int:
        """Number of facts among the atoms."""
        return len(self.keys)

    @cached_property
    def domains(self) -> tuple[tuple[int, int], ...]:
        """Number of values and of entities of the type, for each domain that is told."""
        masks = self.masks[:1] if self.symmetric else self.masks
        pairs = zip(masks, self.sizes, strict=False)
        return tuple((int(mask.sum()), size) for mask, size in pairs if mask is not None)

    @cached_property
    def values(self) -> tuple[int, ...]:
        """Number of values that each place may have."""
        pairs = zip(self.masks, self.sizes, strict=True)
        return tuple(size if mask is None else int(mask.sum()) for mask, size in pairs)

    @cached_property
    def options(self) -> int:
        """What else a fact may hold, where there is one for each value of a place; see `function_options`."""
        return 0 if self.apart else function_options(self.values, self.places, self.facts)

    @cached_property
    def places(self) -> tuple[int, ...]:
        """The places whose domains are told, as `domains` has them."""
        masks = self.masks[:1] if self.symmetric else self.masks
        return tuple(place for place, mask in enumerate(masks) if mask is not None)

    def within(self, keys: Keys) -> Keys:
        """Return the atoms of this space among distinct atoms of the predicate, sorted and distinct."""
        if len(self.types) == 1:
            mask = self.masks[0]
            return keys if mask is None else keys[mask[keys]]
        if not self.apart and all(mask is None for mask in self.masks):
            return keys
        columns = key_columns(keys, self.sizes)
        inside = self.inside(columns)
        if not self.symmetric:
            return keys[inside]
        low, high = (f(columns[0], columns[1])[inside] for f in (np.minimum, np.maximum))
        return distinct_keys(low * self.sizes[1] + high, self.sizes[0] * self.sizes[1])

    def inside(self, columns: Sequence[NDArray[np.integer]]) -> Mask:
        """Return which tuples, given place by place, lie within the domains and off a diagonal told apart."""
        inside = np.ones(len(columns[0]), np.bool_)
        for mask, column in zip(self.masks, columns, strict=True):
            if mask is not None:
                inside &= mask[column]
        if self.apart:
            inside &= columns[0] != columns[1]
        return inside

    def box(self, same_world: Mask) -> Mask:
        """Return the atoms of this space of two places as a matrix, given which entities are of one world."""
        box = same_world.copy()
        for mask, turned in zip(self.masks, (False, True), strict=True):
            if mask is not None:
                box &= mask[None, :] if turned else mask[:, None]
        if self.apart:
            np.fill_diagonal(box, False)
        return np.triu(box, 1) if self.symmetric else box

    def true(self, keys: Keys) -> Mask:
        """Return which atoms of this space are facts."""
        return in_sorted(keys, self.keys)


class SpacesOf:
    """The ways to look at a predicate, which share the facts they have in common.

    Args:
        database: the data.
        name: the predicate.
        relation: its facts.
    """

    def __init__(self, database: Database, name: str, relation: Relation) -> None:
        self._database, self._name, self._types = database, name, relation.types
        sizes = tuple(database.sizes[kind] for kind in relation.types)
        self._facts = Facts(sorted_keys(relation, sizes), sizes)
        self._values = []
        for size, column in zip(sizes, relation.columns, strict=True):
            mask = np.zeros(size, np.bool_)
            mask[column] = True
            self._values.append(mask)

    def every(self) -> list[Space]:
        """Return all choices of told domains, of the diagonal, and by pairs."""
        places = range(len(self._types))
        if len(places) <= _MOST_CHOICES:
            choices = [set(told) for size in (*places, len(places)) for told in combinations(places, size)]
        else:
            few = {place for place in places if 2 * self._values[place].sum() < len(self._values[place])}
            choices = [set(), few, set(places)]
        found = [self.space(told) for told in choices]
        if len(places) == 2 and self._types[0] == self._types[1]:
            found += [self.space(told, apart=True) for told in choices]
            found += [self.space(told, apart=True, symmetric=True) for told in (set(), {0, 1})]
        return found

    def space(self, told: Collection[int], *, apart: bool = False, symmetric: bool = False) -> Space:
        """Return the predicate within the domains of some places.

        Args:
            told: the places whose domains are told.
            apart: whether the diagonal is told apart.
            symmetric: whether an atom and the one turned round count as one, over one domain for both places.
        """
        masks = [values if place in told else None for place, values in enumerate(self._values)]
        if symmetric and told:
            masks = [self._both] * 2
        return space_within(
            self._database, self._name, self._types, masks, self._facts, apart=apart, symmetric=symmetric
        )

    @cached_property
    def _both(self) -> Mask:
        return np.asarray(self._values[0] | self._values[1])


class Facts:
    """Facts as sorted numbers, without the diagonal, and as unordered pairs.

    Args:
        keys: the facts.
        sizes: number of entities of each place.
    """

    def __init__(self, keys: Keys, sizes: Sequence[int]) -> None:
        self.keys, self._sizes = keys, sizes

    @cached_property
    def off_diagonal(self) -> Keys:
        """The facts p(x,y) with x other than y."""
        first, second = np.divmod(self.keys, self._sizes[1])
        return np.asarray(self.keys[first != second])

    @cached_property
    def pairs(self) -> tuple[Keys, int]:
        """Those facts with the smaller entity first, and how many there are on one side only."""
        first, second = np.divmod(self.off_diagonal, self._sizes[1])
        smaller = first < second
        upright, turned = self.off_diagonal[smaller], np.sort((second * self._sizes[1] + first)[~smaller])
        found = union(upright, turned)
        return found, 2 * len(found) - len(self.off_diagonal)


def space_within(
    database: Database,
    name: str,
    types: tuple[int, ...],
    masks: Sequence[Mask | None],
    facts: Facts,
    *,
    apart: bool,
    symmetric: bool,
) -> Space:
    """Return a predicate within given domains."""
    sizes = tuple(database.sizes[kind] for kind in types)
    atoms = possible(database, types, masks)
    diagonal, one_sided, keys = (0, 0), 0, facts.keys
    if apart:
        told = [mask for mask in masks if mask is not None]
        inside = int(np.logical_and.reduce(told).sum()) if told else sizes[0]
        keys = facts.off_diagonal
        diagonal = (inside, len(facts.keys) - len(keys))
        atoms -= inside
        if symmetric:
            keys, one_sided = facts.pairs
            atoms //= 2
    return Space(
        name, types, sizes, tuple(masks), apart, symmetric, atoms, keys, diagonal, one_sided, packable(sizes)
    )


def function_place(values: Sequence[int], told: Collection[int], facts: int) -> tuple[int, int] | None:
    """Return the place each value of which has one fact, and how many there could be of each; None if none.

    Every value of a told domain has a fact, so if there are as many facts as values, each has exactly one.

    Args:
        values: number of values that each place may have.
        told: the places whose domains are told.
        facts: number of facts.
    """
    found = [
        (options, place)
        for place in told
        if len(values) > 1
        and values[place] == facts > 0
        and (options := prod(values) // facts) < _MOST_OPTIONS
    ]
    return min(found)[::-1] if found else None


def function_options(values: Sequence[int], told: Collection[int], facts: int) -> int:
    """Return how many facts there could be of each value that has exactly one; 0 if no place is like that.

    >>> function_options((3, 4), (0,), 3), function_options((3, 4), (1,), 3)
    (4, 0)
    """
    found = function_place(values, told, facts)
    return 0 if found is None else found[1]


def sorted_keys(relation: Relation, sizes: Sequence[int]) -> Keys:
    """Return tuples as sorted keys."""
    return np.sort(row_keys(relation.columns, sizes))


def row_keys(columns: Sequence[NDArray[np.integer]], sizes: Sequence[int]) -> Keys:
    """Return tuples as keys in the same order: numbers, or bytes where numbers would be too large."""
    if packable(sizes):
        return pack(columns, sizes)  # type: ignore[arg-type]
    rows = np.column_stack(columns).astype(">i4")
    return np.ascontiguousarray(rows).view(key_type(sizes)).reshape(len(rows))


def key_type(sizes: Sequence[int]) -> np.dtype[Any]:
    """Return the type of keys of tuples."""
    return np.dtype(np.int64) if packable(sizes) else np.dtype(f"V{4 * len(sizes)}")


def possible(database: Database, types: Sequence[int], masks: Sequence[Mask | None]) -> int:
    """Return how many atoms there could be with values from some domains, in all worlds together."""
    counts = []
    for kind, mask in zip(types, masks, strict=True):
        worlds = database.world_of[kind] if mask is None else database.world_of[kind][mask]
        counts.append(np.bincount(worlds, minlength=database.worlds).tolist())
    return possible_atoms(counts, database.worlds)


def key_columns(keys: Keys, sizes: Sequence[int]) -> list[Keys]:
    """Return the entities of atoms, place by place."""
    if keys.dtype.kind == "V":
        rows = keys.view(">i4").reshape(len(keys), len(sizes)).astype(np.int64)
        return list(rows.T)
    found = []
    for size in reversed(sizes[1:]):
        keys, column = np.divmod(keys, size)
        found.append(column)
    return [keys, *reversed(found)]
