"""Fingerprints are equal exactly for extensions that are equal up to an exchange of columns of one type."""

from __future__ import annotations

from itertools import permutations

import numpy as np
from hypothesis import event, given, settings
from hypothesis import strategies as st

from logicoder.engine.arrays.fingerprint import normalised

from .random_programs import REPEATABLE

Rows = frozenset[tuple[int, ...]]
Types = tuple[int, ...]


@st.composite
def extensions(draw, types: Types | None = None) -> tuple[Types, Rows]:
    kinds = types or tuple(draw(st.lists(st.integers(0, 1), min_size=1, max_size=3)))
    rows = draw(st.sets(st.tuples(*(st.integers(0, 2) for _ in kinds)), min_size=1, max_size=4))
    return kinds, frozenset(rows)


def reordered(types: Types, rows: Rows, order: tuple[int, ...]) -> tuple[Types, Rows]:
    return tuple(types[i] for i in order), frozenset(tuple(row[i] for i in order) for row in rows)


def variants(first: tuple[Types, Rows], second: tuple[Types, Rows]) -> bool:
    """Try all orders of columns; their types must agree afterwards."""
    return any(reordered(*first, order) == second for order in permutations(range(len(first[0]))))


def mark(types: Types, rows: Rows):
    """What the naming variants of an extension have in common."""
    table = np.array(sorted(rows), np.int32)
    found, order, relation = normalised(types, [np.ascontiguousarray(c) for c in table.T])
    assert (
        relation.types,
        frozenset(zip(*(c.tolist() for c in relation.columns), strict=True)),
    ) == reordered(types, rows, order)
    assert list(relation.types) == sorted(types)
    return relation.types, len(relation), found


@settings(REPEATABLE, max_examples=1500)
@given(st.data())
def test_equal_fingerprints_mean_equal_up_to_column_order(data) -> None:
    types, rows = first = data.draw(extensions())
    if data.draw(st.booleans()):
        second = data.draw(extensions(types))
    else:  # a variant, perhaps with another row
        order = data.draw(st.permutations(range(len(types))))
        kinds, others = reordered(types, rows, tuple(order))
        if data.draw(st.booleans()):
            others = others ^ {data.draw(st.tuples(*(st.integers(0, 2) for _ in types)))}
        second = kinds, others
    if not second[1]:
        return
    equal = variants(first, second)
    event("variants" if equal else "different")
    assert (mark(*first) == mark(*second)) == equal


@settings(REPEATABLE, max_examples=200)
@given(extensions(), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(extension, random) -> None:
    types, rows = extension
    shuffled = sorted(rows)
    random.shuffle(shuffled)
    tables = (np.array(r, np.int32).T for r in (sorted(rows), shuffled))
    first, second = (normalised(types, [np.ascontiguousarray(c) for c in table]) for table in tables)
    assert first[:2] == second[:2]
