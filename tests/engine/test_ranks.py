"""Numbers of atoms against a list of all of them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logicoder import KnowledgeBase
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.rules.ranks import AtomRanks
from tiny_data import REPEATABLE


def database(worlds: list[int]) -> Database:
    """As many constants of one type as each world is to have."""
    return Database(
        KnowledgeBase.union(
            KnowledgeBase.from_facts([("p", f"c{i}") for i in range(size)], interpretation=f"w{number}")
            for number, size in enumerate(worlds)
        )
    )


@REPEATABLE
@given(
    st.lists(st.integers(1, 5), min_size=1, max_size=3),
    st.integers(1, 3),
    st.booleans(),
    st.booleans(),
    st.randoms(use_true_random=False),
)
def test_atoms_are_numbered_one_by_one(worlds, arity, apart, symmetric, rng) -> None:
    found = database(worlds)
    kind = found.types["thing"]
    size = found.sizes[kind]
    masks = [rng.choice([None, np.array([rng.random() < 0.6 for _ in range(size)])]) for _ in range(arity)]
    if arity != 2:
        apart = symmetric = False
    if symmetric:
        apart, masks = True, [masks[0]] * 2
    ranks = AtomRanks(found, [kind] * arity, masks, apart=apart, symmetric=symmetric)
    world_of = found.world_of[kind]
    atoms = [
        atom
        for atom in product(range(size), repeat=arity)
        if len({int(world_of[e]) for e in atom}) == 1
        and all(mask is None or mask[e] for mask, e in zip(masks, atom, strict=True))
        and not (apart and atom[0] == atom[1])
        and not (symmetric and atom[0] > atom[1])
    ]
    atoms.sort(key=lambda atom: (world_of[atom[0]], atom))
    assert ranks.total == len(atoms)
    columns = [np.array(column, np.int64) for column in zip(*atoms, strict=True)] or [
        np.empty(0, np.int64)
    ] * arity
    assert ranks.ranks(columns).tolist() == list(range(len(atoms)))
    back = ranks.columns(np.arange(len(atoms)))
    assert [column.tolist() for column in back] == [column.tolist() for column in columns]


@pytest.mark.parametrize("symmetric", [False, True])
def test_spaces_beyond_machine_words(symmetric: bool) -> None:
    found = database([3000])
    kind = found.types["thing"]
    arity = 2 if symmetric else 8
    ranks = AtomRanks(found, [kind] * arity, [None] * arity, apart=symmetric, symmetric=symmetric)
    rng = np.random.default_rng(0)
    columns = [np.sort(rng.integers(0, 1500, 50)) + 1500 * (place == 1) for place in range(arity)]
    back = ranks.columns(ranks.ranks(columns))
    assert [c.tolist() for c in back] == [c.tolist() for c in columns]
