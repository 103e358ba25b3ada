"""Bottom-up structure learning (BUSL): the data say which literals belong together.

Mihalkova and Mooney, Bottom-Up Learning of Markov Logic Network Structure (2007). For each predicate the
true atoms around its ground atoms become the columns of a table (TNodes), the Markov blanket of the predicate
among them is found by tests of independence, and clauses are made of it and of members of its blanket.

The paper leaves some things open, and its program settles them in ways that are known only in part. Here: the
variables of different TNodes stay apart; TNodes that fit into no clause within its limits are not in the
table; a column is a neighbour if either of the two is in the blanket of the other; the members of a clause
need not be neighbours of each other (the paper asks for cliques, an option here); and candidates are added in
the order of what they still gain rather than of what they gained alone (also an option).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from logicoder.mln.counting import canonical
from logicoder.mln.formulas import Literals
from logicoder.mln.structure.blankets import Independence
from logicoder.mln.structure.skeletons import clause_of
from logicoder.mln.structure.structure_settings import Settings
from logicoder.mln.structure.tnodes import TAtom, TNode, TNodeTable, table_of, tnodes_of
from logicoder.mln.worlds import World


def blanket_clauses(worlds: Sequence[World], predicate: str, settings: Settings) -> list[Literals]:
    """Return the clauses of a predicate and members of its Markov blanket, with all signs, each once."""
    schema = worlds[0].schema
    tnodes = tnodes_of(
        schema,
        predicate,
        max_variables=settings.max_variables,
        max_atoms=min(settings.tnode_atoms, settings.max_literals - 1),
        free_variables=settings.free_variables,
    )
    table = table_of(worlds, predicate, list(tnodes), most=settings.max_rows, seed=settings.seed)
    head: TAtom = (predicate, tuple(range(schema[predicate].arity)))
    found: dict[Literals, None] = {}
    for members in _cliques(table, settings):
        for signs in product((False, True), repeat=1 + sum(map(len, members))):
            found[canonical(clause_of(_atoms(head, members), signs))] = None
    return list(found)


def _cliques(table: TNodeTable, settings: Settings) -> Iterator[tuple[TNode, ...]]:
    """Yield the sets of TNodes that make clauses within the limits."""
    tests = Independence(table.cells, table.weights, settings.independence_level)
    both = settings.symmetry == "both"
    members = tests.neighbours(0, both=both)
    friends = {m: set(tests.neighbours(m, both=both)) for m in members} if settings.cliques else {}
    for size in range(1, settings.max_literals):
        for chosen in combinations(members, size):
            tnodes = tuple(table.tnodes[m - 1] for m in chosen)
            if 1 + sum(map(len, tnodes)) > settings.max_literals or not _fits(tnodes, settings, table):
                continue
            if not settings.cliques or all(b in friends[a] for a, b in combinations(chosen, 2)):
                yield tnodes


def _fits(tnodes: Sequence[TNode], settings: Settings, table: TNodeTable) -> bool:
    inner = sum(len({v for _, slots in t for v in slots if v >= table.arity}) for t in tnodes)
    return table.arity + inner <= settings.max_variables


def _atoms(head: TAtom, tnodes: Sequence[TNode]) -> list[TAtom]:
    """Return the atoms of a clause; different TNodes share the variables of the head only."""
    arity = len(head[1])
    atoms, following = [head], arity
    for tnode in tnodes:
        inner = sorted({v for _, slots in tnode for v in slots if v >= arity})
        new = {v: following + i for i, v in enumerate(inner)}
        following += len(inner)
        atoms += [(name, tuple(new.get(s, s) for s in slots)) for name, slots in tnode]
    return atoms
