"""Running one layer of clauses over arrays: linear in the sizes of the joins, and independent of the engine.

The generator derives its facts and measures the loss of its planted program here, so that what it says
about a data set does not rest on the code that the data set is meant to test. A relation is an array of
distinct rows: the interpretation first, then the constants.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from logicoder.logic import Atom, Clause, Literal, Program, Variable

Rows = NDArray[np.int64]
Column = NDArray[np.int64]
Relations = Mapping[str, Rows]

CONSTANT_BITS = 24
WORLD_BITS = 63 - 2 * CONSTANT_BITS

# Rows of different interpretations never meet because every literal has this variable first; no variable
# of a program can have an empty name.
_WORLD = Variable("")


def pack(rows: Rows) -> Column:
    """Return one number per row: equal for equal rows, and in the order of the rows.

    A row holds at most two constants here, so `CONSTANT_BITS` for each leaves enough for the interpretation.
    """
    return _pack_columns([rows[:, index] for index in range(rows.shape[1])])


def _pack_columns(columns: Sequence[Column]) -> Column:
    key = columns[0]
    for column in columns[1:]:
        key = (key << CONSTANT_BITS) | column
    return key


def unpack(keys: Column, width: int) -> Rows:
    """Return the rows of packed numbers: the inverse of `pack`."""
    mask = (1 << CONSTANT_BITS) - 1
    shifted = [keys >> (CONSTANT_BITS * place) for place in range(width - 1, -1, -1)]
    return np.column_stack([shifted[0], *(column & mask for column in shifted[1:])])


def derive(program: Program, relations: Relations) -> dict[str, Rows]:
    """Return the distinct rows that each head of a program gets, without feeding heads back into bodies.

    >>> program = Program.parse("grandparent(X,Z) :- parent(X,Y), parent(Y,Z).")
    >>> derive(program, {"parent": np.array([[0, 1, 2], [0, 2, 3], [1, 2, 4]])})
    {'grandparent': array([[0, 1, 3]])}
    """
    keys: dict[str, list[Column]] = {}
    for clause in program:
        keys.setdefault(clause.head.predicate, []).extend(_heads(clause, relations))
    arities = program.arities()
    return {name: unpack(_distinct(np.concatenate(parts)), arities[name] + 1) for name, parts in keys.items()}


def _distinct(keys: Column) -> Column:
    """Return the different numbers, sorted (plain sorting beats the hash table of newer `np.unique`)."""
    keys = np.sort(keys)
    fresh = np.ones(len(keys), bool)
    np.not_equal(keys[1:], keys[:-1], out=fresh[1:])
    return keys[fresh]


def _heads(clause: Clause, relations: Relations) -> list[Column]:
    found = []
    for body in clause.alternatives:
        bindings: dict[Variable, Column] | None = None
        for literal in body:
            columns = _literal(literal, relations)
            bindings = columns if bindings is None else _join(bindings, columns)
        if bindings is None:
            raise ValueError(f"this clause has no body: {clause}")
        found.append(_pack_columns([bindings[variable] for variable in _arguments(clause.head)]))
    return found


def _arguments(atom: Atom) -> list[Variable]:
    """Return the interpretation and the arguments; a planted program has no constants."""
    return [_WORLD, *(term for term in atom.arguments if isinstance(term, Variable))]


def _literal(literal: Literal, relations: Relations) -> dict[Variable, Column]:
    """Return the columns of a positive literal whose variables are all different."""
    rows = relations[literal.atom.predicate]
    return {variable: rows[:, index] for index, variable in enumerate(_arguments(literal.atom))}


def _join(left: dict[Variable, Column], right: dict[Variable, Column]) -> dict[Variable, Column]:
    shared = [variable for variable in left if variable in right]
    left_keys = _pack_columns([left[variable] for variable in shared])
    right_keys = _pack_columns([right[variable] for variable in shared])
    order = np.argsort(right_keys, kind="stable")
    sorted_keys = right_keys[order]
    start = np.searchsorted(sorted_keys, left_keys, "left")
    matches = np.searchsorted(sorted_keys, left_keys, "right") - start
    from_left = np.repeat(np.arange(len(left_keys)), matches)
    # The matches of one left row are neighbours in the sorted order: count up from where they start.
    within = np.arange(len(from_left)) - np.repeat(np.cumsum(matches) - matches, matches)
    from_right = order[np.repeat(start, matches) + within]
    joined = {variable: column[from_left] for variable, column in left.items()}
    joined.update((v, column[from_right]) for v, column in right.items() if v not in left)
    return joined


def difference(first: Relations, second: Relations) -> int:
    """Return the size of the symmetric difference of two sets of relations."""
    empty: Column = np.empty(0, np.int64)
    total = 0
    for name in {*first, *second}:
        one = pack(first[name]) if name in first else empty
        other = pack(second[name]) if name in second else empty
        total += len(np.setxor1d(one, other, assume_unique=True))
    return total
