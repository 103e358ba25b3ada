"""The atoms that a predicate could have: within domains of its places, diagonal told apart, or by pairs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.relation import Keys, Relation, distinct_keys, pack, packable
from logicoder.kb.atom_space import possible_atoms

Mask = NDArray[np.bool_]

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
        keys: the facts among them, sorted; their rows where tuples of so many entities are no numbers.
        packed: whether keys are numbers, as rules need it.
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
        inside = np.ones(len(keys), np.bool_)
        for mask, column in zip(self.masks, columns, strict=True):
            if mask is not None:
                inside &= mask[column]
        if self.apart:
            inside &= columns[0] != columns[1]
        if not self.symmetric:
            return keys[inside]
        low, high = (f(columns[0], columns[1])[inside] for f in (np.minimum, np.maximum))
        return distinct_keys(low * self.sizes[1] + high, self.sizes[0] * self.sizes[1])

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


def in_sorted(keys: Keys, known: Keys) -> Mask:
    """Return which keys are among others that are sorted.

    >>> in_sorted(np.array([5, 1, 9]), np.array([1, 2, 5])).tolist()
    [True, True, False]
    """
    if not len(known):
        return np.zeros(len(keys), np.bool_)
    found = np.searchsorted(known, keys)
    found[found == len(known)] = 0
    return np.asarray(known[found] == keys)


def spaces_of(database: Database, name: str, relation: Relation) -> list[Space]:
    """Return the ways to look at a predicate: all choices of told domains, of the diagonal, and by pairs."""
    types = relation.types
    places = range(len(types))
    if len(types) <= _MOST_CHOICES:
        choices = [set(told) for size in (*places, len(types)) for told in combinations(places, size)]
    else:
        values = [len(np.unique(column)) for column in relation.columns]
        few = {place for place in places if 2 * values[place] < database.sizes[types[place]]}
        choices = [set(), few, set(places)]
    found = [space_of(database, name, relation, told) for told in choices]
    if len(types) == 2 and types[0] == types[1]:
        found += [space_of(database, name, relation, told, apart=True) for told in choices]
        found += [
            space_of(database, name, relation, told, apart=True, symmetric=True) for told in (set(), {0, 1})
        ]
    return found


def space_of(
    database: Database,
    name: str,
    relation: Relation,
    told: Collection[int],
    *,
    apart: bool = False,
    symmetric: bool = False,
) -> Space:
    """Return a predicate within the domains of some places.

    Args:
        database: the data.
        name: the predicate.
        relation: its facts.
        told: the places whose domains are told.
        apart: whether the diagonal is told apart.
        symmetric: whether an atom and the one turned round count as one; both places have one domain then.
    """
    sizes = [database.sizes[kind] for kind in relation.types]
    masks: list[Mask | None] = [None] * len(sizes)
    for place in told:
        mask = np.zeros(sizes[place], np.bool_)
        mask[relation.columns[place]] = True
        masks[place] = mask
    if symmetric and masks[0] is not None and masks[1] is not None:
        masks = [masks[0] | masks[1]] * 2
    keys = sorted_keys(relation, sizes)
    return space_within(database, name, relation.types, masks, keys, apart=apart, symmetric=symmetric)


def space_within(
    database: Database,
    name: str,
    types: tuple[int, ...],
    masks: Sequence[Mask | None],
    keys: Keys,
    *,
    apart: bool,
    symmetric: bool,
) -> Space:
    """Return a predicate within given domains."""
    sizes = tuple(database.sizes[kind] for kind in types)
    atoms = possible(database, types, masks)
    diagonal, one_sided = (0, 0), 0
    packed = packable(sizes)
    if apart:
        first, second = np.divmod(keys, sizes[1])
        told = [mask for mask in masks if mask is not None]
        inside = int(np.logical_and.reduce(told).sum()) if told else sizes[0]
        off = first != second
        diagonal = (inside, len(keys) - int(off.sum()))
        atoms -= inside
        keys = keys[off]
        if symmetric:
            low, high = np.minimum(first, second)[off], np.maximum(first, second)[off]
            keys, times = np.unique(low * sizes[1] + high, return_counts=True)
            one_sided = int((times == 1).sum())
            atoms //= 2
    return Space(name, types, sizes, tuple(masks), apart, symmetric, atoms, keys, diagonal, one_sided, packed)


def sorted_keys(relation: Relation, sizes: Sequence[int]) -> Keys:
    """Return tuples as sorted numbers; as sorted rows where that is not possible."""
    if packable(sizes):
        return np.sort(pack(relation.columns, sizes))
    return np.unique(np.column_stack(relation.columns), axis=0).astype(np.int64)


def possible(database: Database, types: Sequence[int], masks: Sequence[Mask | None]) -> int:
    """Return how many atoms there could be with values from some domains, in all worlds together."""
    counts = []
    for kind, mask in zip(types, masks, strict=True):
        worlds = database.world_of[kind] if mask is None else database.world_of[kind][mask]
        counts.append(np.bincount(worlds, minlength=database.worlds).tolist())
    return possible_atoms(counts, database.worlds)


def key_columns(keys: Keys, sizes: Sequence[int]) -> list[Keys]:
    """Return the entities of atoms, place by place."""
    found = []
    for size in reversed(sizes[1:]):
        keys, column = np.divmod(keys, size)
        found.append(column)
    return [keys, *reversed(found)]
