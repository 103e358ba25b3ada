"""Which formulas a question can afford: those that link very many open atoms are left out, and counted.

An upper bound on the ground clauses of a formula: the variables of its open literals range over their types,
unless a literal that is known binds some of them to its true atoms.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from math import prod

from logicoder.logic.terms import Literal, Variable
from logicoder.mln.formulas import Formula
from logicoder.mln.network import MarkovLogicNetwork, types_of
from logicoder.mln.worlds import World

MOST_CLAUSES = 2_000_000
"""Ground clauses of all formulas together: inference takes up to 500 bytes for each."""


def affordable_part(
    network: MarkovLogicNetwork, world: World, opened: Collection[str], most: int = MOST_CLAUSES
) -> tuple[MarkovLogicNetwork, int]:
    """Return the formulas of fewest ground clauses that there is room for, and how many are left out.

    Args:
        network: all formulas.
        world: what is known.
        opened: the predicates with open atoms.
        most: ground clauses of all formulas together.
    """
    bounds = [ground_clauses(formula, world, opened) for formula in network.formulas]
    kept, used = set(), 0
    for number in sorted(range(len(bounds)), key=lambda i: bounds[i]):
        if used + bounds[number] <= most:
            kept.add(number)
            used += bounds[number]
    formulas = tuple(formula for number, formula in enumerate(network.formulas) if number in kept)
    return replace(network, formulas=formulas), len(bounds) - len(kept)


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
