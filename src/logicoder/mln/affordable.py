"""Which formulas a question can afford: those that link very many open atoms are left out, and counted.

An upper bound on the ground clauses of a formula: the variables of its open literals range over their types,
unless a literal that is known binds some of them to its true atoms.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from math import prod

from logicoder.logic.terms import Literal, Variable
from logicoder.mln.formulas import Formula
from logicoder.mln.network import MarkovLogicNetwork, types_of
from logicoder.mln.worlds import World

MOST_WORK = 4_000_000
"""Of all formulas together: inference takes some 200 bytes for each ground clause."""


def affordable_part(
    network: MarkovLogicNetwork,
    worlds: Sequence[World],
    query: str,
    opened: Collection[str],
    most: int = MOST_WORK,
) -> tuple[MarkovLogicNetwork, int]:
    """Return the formulas of least work that there is room for, and how many are left out.

    Args:
        network: all formulas.
        worlds: what is known.
        query: the predicate that is asked for.
        opened: the other predicates with open atoms.
        most: the work of all formulas together.
    """
    bounds = [sum(work_of(formula, world, query, opened) for world in worlds) for formula in network.formulas]
    kept, used = set(), 0
    for number in sorted(range(len(bounds)), key=lambda i: bounds[i]):
        if used + bounds[number] <= most:
            kept.add(number)
            used += bounds[number]
    formulas = tuple(formula for number, formula in enumerate(network.formulas) if number in kept)
    return replace(network, formulas=formulas), len(bounds) - len(kept)


def work_of(formula: Formula, world: World, query: str, opened: Collection[str]) -> int:
    """Return an upper bound on the work that a formula makes.

    It is the number of ground clauses. But all bodies of an atom that is asked for in a decoder clause depend
    on each other, so there it is that times the number of bodies of each.
    """
    clauses = ground_clauses(formula, world, {query, *opened})
    heads = [literal for literal in formula.literals if literal.atom.predicate == query]
    if not (formula.hard and heads and clauses):
        return clauses
    types = types_of(formula.literals, world.schema)
    atoms = prod(len(world.domains[types[v]]) for v in heads[0].atom.variables())
    return clauses * -(-clauses // max(1, atoms))


def ground_clauses(formula: Formula, world: World, opened: Collection[str]) -> int:
    """Return an upper bound on the distinct ground clauses of a formula, without what is known.

    Args:
        formula: the formula.
        world: what is known.
        opened: the predicates with open atoms.
    """
    sizes = {v: len(world.domains[kind]) for v, kind in types_of(formula.literals, world.schema).items()}
    known: list[Literal] = []
    unknown: list[Literal] = []
    for literal in formula.literals:
        if not literal.inequality:
            (unknown if literal.atom.predicate in opened else known).append(literal)
    left: set[Variable] = {v for literal in unknown for v in literal.atom.variables()}
    found = 1
    for literal in known:
        bound = left & set(literal.atom.variables())
        true = len(world.relations[literal.atom.predicate])
        # A negated literal that is known to be false satisfies the clause: only true atoms are left.
        if not literal.positive and true < prod(sizes[v] for v in bound):
            found *= true
            left -= bound
    return found * prod(sizes[v] for v in left) if unknown else 0
