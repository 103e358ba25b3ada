"""TNodes and their tables: a hand-made example, and all witnesses of random worlds."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
from hypothesis import given, settings

from logicoder import KnowledgeBase
from logicoder.kb import Predicate, Schema
from logicoder.mln.structure.tnodes import TNode, table_of, tnodes_of, variable_types
from logicoder.mln.worlds import World, worlds_of

from .worlds import SCHEMA, knowledge_bases, world_of

MOVIES = Schema.of(
    Predicate("actor", ("person",)),
    Predicate("movie", ("film", "person")),
    Predicate("workedunder", ("person", "person")),
)
FACTS = [
    ("actor", "brando"),
    ("actor", "pacino"),
    ("movie", "godfather", "brando"),
    ("movie", "godfather", "coppola"),
    ("movie", "rainmaker", "coppola"),
    ("workedunder", "brando", "coppola"),
]


def column(head: str, tnode: TNode) -> dict[tuple[bool, bool], int]:
    """Return how often the head and a TNode are true and false together."""
    worlds = worlds_of(KnowledgeBase.from_facts(FACTS, schema=MOVIES))
    table = table_of(worlds, head, [tnode])
    return {(bool(a), bool(b)): int(n) for (a, b), n in zip(table.cells, table.weights.tolist(), strict=True)}


def test_single_atoms_around_an_actor() -> None:
    # Of brando, pacino and coppola the first two are actors; pacino is in no film.
    assert column("actor", (("movie", (1, 0)),)) == {(True, True): 1, (True, False): 1, (False, True): 1}
    # Only brando worked under somebody.
    assert column("actor", (("workedunder", (0, 1)),)) == {
        (True, True): 1,
        (True, False): 1,
        (False, False): 1,
    }


def test_chains_of_two_atoms() -> None:
    # brando and coppola share a film with somebody else; nobody is his own colleague.
    tnode = (("movie", (1, 0)), ("movie", (1, 2)))
    assert column("actor", tnode) == {(True, True): 1, (True, False): 1, (False, True): 1}
    # Somebody worked under him, who is in a film: coppola only.
    assert column("actor", (("workedunder", (1, 0)), ("movie", (2, 1)))) == {
        (True, False): 2,
        (False, True): 1,
    }


def test_an_atom_is_not_its_own_witness() -> None:
    # workedunder(A,C) beside the head workedunder(A,B): brando worked under nobody but coppola. Of the six
    # pairs one is true; for (brando, pacino) there is the other witness coppola.
    tnode = (("workedunder", (0, 2)),)
    assert column("workedunder", tnode) == {(True, False): 1, (False, True): 1, (False, False): 4}


def test_tnodes_of_a_head() -> None:
    found = list(tnodes_of(MOVIES, "actor", max_variables=3))
    assert (("movie", (1, 0)),) in found
    assert (("workedunder", (0, 0)),) in found
    assert (("movie", (1, 0)), ("movie", (1, 2))) in found
    assert (("actor", (0,)),) not in found, "the head itself"
    assert all(any(v == 0 for v in tnode[0][1]) for tnode in found), "the first atom shares a variable"
    assert all(0 not in tnode[1][1] for tnode in found if len(tnode) == 2), "the second does not"
    assert len(found) == len(set(found))
    assert all(len(tnode) == 1 for tnode in tnodes_of(MOVIES, "actor", max_variables=3, max_atoms=1))
    closed = [t for t in tnodes_of(MOVIES, "actor", max_variables=3, free_variables=0) if len(t) == 2]
    assert (("workedunder", (0, 1)), ("actor", (1,))) in closed
    assert (("movie", (1, 0)), ("movie", (1, 2))) not in closed


def by_definition(world: World, predicate: str, tnode: TNode, constants: tuple[int, ...]) -> bool:
    """Whether some different constants for the other variables make all atoms of a TNode true."""
    head = SCHEMA[predicate].types
    kinds = {**dict(enumerate(head)), **variable_types(SCHEMA, tnode)}
    inner = sorted({v for _, slots in tnode for v in slots if v >= len(head)})
    true = {name: set(map(tuple, rows.tolist())) for name, rows in world.relations.items()}
    for values in product(*(range(len(world.domains[kinds[v]])) for v in inner)):
        bound = {**dict(enumerate(constants)), **dict(zip(inner, values, strict=True))}
        apart = all(bound[a] != bound[b] for a, b in permutations(bound, 2) if kinds[a] == kinds[b])
        if apart and all(tuple(bound[s] for s in slots) in true[name] for name, slots in tnode):
            return True
    return False


@settings(max_examples=25, deadline=None)
@given(knowledge_bases())
def test_cells_by_definition(kb: KnowledgeBase) -> None:
    world = world_of(kb)
    for predicate in SCHEMA:
        tnodes = list(tnodes_of(SCHEMA, predicate, max_variables=4))
        table = table_of([world], predicate, tnodes)
        kinds = SCHEMA[predicate].types
        true = set(map(tuple, world.relations[predicate].tolist()))
        atoms = [
            constants
            for constants in product(*(range(size) for size in world.shape(predicate)))
            if len(set(zip(kinds, constants, strict=True))) == len(kinds)
        ]
        expected: dict[tuple[bool, ...], int] = {}
        for constants in atoms:
            cells = [by_definition(world, predicate, tnode, constants) for tnode in table.tnodes]
            row = (constants in true, *cells)
            expected[row] = expected.get(row, 0) + 1
        rows = {tuple(map(bool, r)): int(n) for r, n in zip(table.cells, table.weights.tolist(), strict=True)}
        assert rows == expected
        for tnode in set(tnodes) - set(table.tnodes):
            values = {by_definition(world, predicate, tnode, constants) for constants in atoms}
            assert len(values) == 1, "only columns that say nothing are left out"


def test_worlds_are_kept_apart_and_added_up() -> None:
    one = KnowledgeBase.from_facts(FACTS, schema=MOVIES, interpretation="one")
    two = KnowledgeBase.from_facts(FACTS[:4], schema=MOVIES, interpretation="two")
    tnodes = list(tnodes_of(MOVIES, "actor", max_variables=3))
    table = table_of(worlds_of(KnowledgeBase.union([one, two])), "actor", tnodes)
    assert table.weights.sum() == 6
    assert len(np.unique(table.cells, axis=0)) == len(table.cells)


def test_large_tables_are_sampled_with_all_true_atoms() -> None:
    facts = [("q", f"c{i}", f"c{i + 1}") for i in range(50)]
    kb = KnowledgeBase.from_facts(facts)
    tnodes = [(("q", (1, 2)),)]
    one, two, other = (table_of(worlds_of(kb), "q", tnodes, most=300, seed=seed) for seed in (0, 0, 1))
    assert one.weights[one.cells[:, 0]].sum() == 50
    assert one.weights.sum() <= 350
    assert np.array_equal(one.weights, two.weights)
    assert not np.array_equal(one.weights, other.weights)
