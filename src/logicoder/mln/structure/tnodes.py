"""TNodes: what the true atoms around a ground atom look like, as the columns of a boolean table.

The table of a predicate has a row for each of its ground atoms without repeated constants, true or false. A
TNode is one atom that shares a variable with the head, or two chained atoms of which only the first does. A
cell says whether such true atoms exist. Different variables of a type stand for different constants, so no
atom is its own witness (Mihalkova and Mooney, 2007).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from logicoder.engine.arrays.join import JoinTooLargeError, matching_rows
from logicoder.kb.schema import Schema
from logicoder.mln.worlds import World

TAtom = tuple[str, tuple[int, ...]]
"""A predicate and its variables: those below the arity of the head are the head's."""

TNode = tuple[TAtom, ...]

LARGEST_JOIN = 5_000_000
"""Pairs of true atoms; a TNode with more of them in one world is left out."""


@dataclass(frozen=True)
class TNodeTable:
    """Distinct rows of the table of a predicate, with the number of ground atoms that share each.

    Attributes:
        arity: of the predicate; its variables are numbered below it.
        tnodes: the columns but the first; the first is the head.
        cells: a boolean row per kind of ground atom.
        weights: how many ground atoms have these cells.
    """

    arity: int
    tnodes: tuple[TNode, ...]
    cells: np.ndarray
    weights: np.ndarray


def tnodes_of(
    schema: Schema, predicate: str, *, max_variables: int, max_atoms: int = 2, free_variables: int = 1
) -> Iterator[TNode]:
    """Yield the TNodes of a predicate that fit into a clause.

    Args:
        schema: the predicates.
        predicate: the head.
        max_variables: the most variables of head and TNode together.
        max_atoms: 1 for simple TNodes only, 2 for chained ones too.
        free_variables: the most variables of a chained TNode that occur in one of its atoms only, and not in
            the head.
    """
    head = schema[predicate].types
    own = (predicate, tuple(range(len(head))))
    for first, kinds in _atoms(schema, list(head), max_variables):
        shared = {v for v in first[1] if v < len(head)}
        if not shared or first == own:
            continue
        yield (first,)
        links = {v for v in first[1] if v >= len(head)}
        if max_atoms < 2 or not links:
            continue
        for second, _ in _atoms(schema, kinds, max_variables, usable=links):
            common = links & set(second[1])
            free = (links ^ set(second[1])) if common else set()
            if common and second != first and len(free) <= free_variables:
                yield (first, second)


def _atoms(
    schema: Schema, kinds: list[str], most: int, usable: set[int] | None = None
) -> Iterator[tuple[TAtom, list[str]]]:
    """Yield atoms over known variables (all, or the usable ones) and new ones, with the types of all."""
    for name, declared in schema.items():
        states: list[tuple[tuple[int, ...], list[str]]] = [((), kinds)]
        for kind in declared.types:
            following = []
            for slots, types in states:
                for variable, known in enumerate(types):
                    old = variable < len(kinds) and usable is not None and variable not in usable
                    if known == kind and not old:
                        following.append(((*slots, variable), types))
                if len(types) < most:
                    following.append(((*slots, len(types)), [*types, kind]))
            states = following
        for slots, types in states:
            yield (name, slots), types


def table_of(
    worlds: Sequence[World],
    predicate: str,
    tnodes: Sequence[TNode],
    *,
    most: int = 2_000_000,
    seed: int = 0,
) -> TNodeTable:
    """Return the table of a predicate over some worlds; columns that are the same in all rows are left out.

    Where a world has more than `most` ground atoms, all true ones and as many random others are taken: that
    changes how often the head is true, but not what it depends on.
    """
    parts = [_part(world, predicate, tnodes, most, seed) for world in worlds]
    cells = np.concatenate([part[0] for part in parts])
    weights = np.concatenate([part[1] for part in parts])
    known = np.logical_and.reduce([part[2] for part in parts])
    varied = np.append(True, known & cells[:, 1:].any(axis=0) & ~cells[:, 1:].all(axis=0))
    cells, weights = _distinct(cells[:, varied], weights)
    kept = tuple(tnode for tnode, keep in zip(tnodes, varied[1:], strict=True) if keep)
    return TNodeTable(worlds[0].schema[predicate].arity, kept, cells, weights)


def _part(
    world: World, predicate: str, tnodes: Sequence[TNode], most: int, seed: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the distinct rows of one world, their weights, and which columns are known."""
    head = world.schema[predicate].types
    numbers = _ground_atoms(world, predicate, most, seed)
    shape = world.shape(predicate)
    rows = np.stack(np.unravel_index(numbers, shape), axis=1) if shape else np.zeros((len(numbers), 0), int)
    for a, b in combinations(range(len(head)), 2):
        if head[a] == head[b]:
            apart = rows[:, a] != rows[:, b]
            rows, numbers = rows[apart], numbers[apart]
    cells = np.zeros((len(rows), 1 + len(tnodes)), bool)
    cells[:, 0] = np.isin(numbers, world.numbers(predicate))
    known = np.ones(len(tnodes), bool)
    for place, tnode in enumerate(tnodes):
        found = _column(world, tnode, head, rows)
        known[place] = found is not None
        cells[:, 1 + place] = False if found is None else found
    return (*_distinct(cells, np.ones(len(rows), np.int64)), known)


def _ground_atoms(world: World, predicate: str, most: int, seed: int) -> np.ndarray:
    number = world.groundings(predicate)
    if number <= most:
        return np.arange(number)
    chosen = np.random.Generator(np.random.PCG64(seed)).integers(0, number, most)
    return np.union1d(chosen, world.numbers(predicate))


def _column(world: World, tnode: TNode, head: tuple[str, ...], rows: np.ndarray) -> np.ndarray | None:
    """Return the cells of a TNode, or None where its join is too large.

    Witnesses whose constants are those of head variables that the TNode does not mention are no witnesses:
    they are counted with the variable put in, and taken off.
    """
    inner = sorted({v for _, slots in tnode for v in slots if v >= len(head)})
    mentioned = {v for _, slots in tnode for v in slots if v < len(head)}
    kinds = variable_types(world.schema, tnode)
    others = [[None, *(u for u, k in enumerate(head) if u not in mentioned and k == kinds[v])] for v in inner]
    total = np.zeros(len(rows), np.int64)
    for choice in product(*others):
        used = [u for u in choice if u is not None]
        if len(set(used)) < len(used):
            continue
        put = {v: v if u is None else u for v, u in zip(inner, choice, strict=True)}
        pattern = tuple((name, tuple(put.get(s, s) for s in slots)) for name, slots in tnode)
        counts = _counts(world, pattern, head)
        if counts is None:
            return None
        places, table = counts
        total += (-1) ** len(used) * table[tuple(rows[:, p] for p in places)]
    return total > 0


def _counts(world: World, pattern: TNode, head: tuple[str, ...]) -> tuple[list[int], np.ndarray] | None:
    """Return the number of witnesses for the values of the head variables that a pattern mentions."""
    found = _matches(world, pattern[0])
    variables = list(dict.fromkeys(pattern[0][1]))
    for atom in pattern[1:]:
        joined = _join(variables, found, list(dict.fromkeys(atom[1])), _matches(world, atom))
        if joined is None:
            return None
        variables, found = joined
    kinds = variable_types(world.schema, pattern)
    for a, b in combinations(range(len(variables)), 2):
        if kinds[variables[a]] == kinds[variables[b]]:
            found = found[found[:, a] != found[:, b]]
    places = sorted(v for v in variables if v < len(head))
    shape = tuple(len(world.domains[head[p]]) for p in places)
    keys = np.ravel_multi_index(tuple(found[:, variables.index(p)] for p in places), shape)
    return places, np.bincount(keys, minlength=int(np.prod(shape))).reshape(shape)


def _matches(world: World, atom: TAtom) -> np.ndarray:
    """Return the values of the variables of an atom, in order of first occurrence, where it is true."""
    name, slots = atom
    rows = world.relations[name].astype(np.int64)
    for a, b in combinations(range(len(slots)), 2):
        if slots[a] == slots[b]:
            rows = rows[rows[:, a] == rows[:, b]]
    return rows[:, [slots.index(v) for v in dict.fromkeys(slots)]]


def _join(
    left_names: list[int], left: np.ndarray, right_names: list[int], right: np.ndarray
) -> tuple[list[int], np.ndarray] | None:
    common = [v for v in right_names if v in left_names]
    rest = [i for i, v in enumerate(right_names) if v not in left_names]
    both = np.concatenate(
        [left[:, [left_names.index(v) for v in common]], right[:, [right_names.index(v) for v in common]]]
    )
    keys = np.unique(both, axis=0, return_inverse=True)[1].ravel()
    try:
        picked, partner = matching_rows(keys[: len(left)], keys[len(left) :], LARGEST_JOIN)
    except JoinTooLargeError:
        return None
    return [*left_names, *(right_names[i] for i in rest)], np.hstack([left[picked], right[partner][:, rest]])


def variable_types(schema: Schema, tnode: TNode) -> dict[int, str]:
    """Return the types of the variables of a TNode."""
    return {v: k for name, slots in tnode for v, k in zip(slots, schema[name].types, strict=True)}


def _distinct(cells: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct rows with the sums of their weights."""
    classes = np.zeros(len(cells), np.int64)
    for start in range(0, cells.shape[1], 32):
        block = cells[:, start : start + 32]
        code = block @ (1 << np.arange(block.shape[1], dtype=np.int64))
        classes = np.unique((classes << 32) | code, return_inverse=True)[1].ravel()
    _, first = np.unique(classes, return_index=True)
    return cells[first], np.bincount(classes, weights, minlength=len(first)).astype(np.int64)
