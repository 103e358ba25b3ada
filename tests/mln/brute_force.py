"""Markov logic by definition: substitute every constant, look at every world. For small models only."""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from logicoder.kb.schema import Schema
from logicoder.logic.terms import Variable
from logicoder.mln.formulas import Literals
from logicoder.mln.network import MarkovLogicNetwork
from logicoder.mln.worlds import World

if TYPE_CHECKING:
    from collections.abc import Iterator

Ground = tuple[str, ...]
Domains = dict[str, tuple[str, ...]]


def ground_atoms(name: str, schema: Schema, domains: Domains) -> list[Ground]:
    """Return all ground atoms of a predicate, in the order of their numbers."""
    return [(name, *row) for row in product(*(domains[kind] for kind in schema[name].types))]


def groundings(
    literals: Literals, schema: Schema, domains: Domains
) -> Iterator[list[tuple[Ground, bool]] | None]:
    """Iterate over the ground clauses as lists of (atom, positive), or None where an (in)equality holds."""
    kinds: dict[Variable, str] = {}
    for literal in literals:
        if not literal.inequality:
            for argument, kind in zip(
                literal.atom.arguments, schema[literal.atom.predicate].types, strict=True
            ):
                if isinstance(argument, Variable):
                    kinds[argument] = kind
    for values in product(*(domains[kind] for kind in kinds.values())):
        binding = dict(zip(kinds, values, strict=True))
        found: list[tuple[Ground, bool]] | None = []
        for literal in literals:
            terms = tuple(binding[a] if isinstance(a, Variable) else a.symbol for a in literal.atom.arguments)
            if literal.inequality:
                if (terms[0] != terms[1]) == literal.positive:
                    found = None
                    break
            else:
                found.append(((literal.atom.predicate, *terms), literal.positive))
        yield found


# -- counts in one world ------------------------------------------------------------------------------


def truth_of(world: World) -> set[Ground]:
    """Return the true atoms with symbols."""
    return {
        (name, *(world.domains[kind][i] for kind, i in zip(predicate.types, row, strict=True)))
        for name, predicate in world.schema.items()
        for row in world.relations[name].tolist()
    }


def satisfied(literals: Literals, world: World, truth: set[Ground]) -> int:
    """Return the number of satisfied groundings."""
    return sum(
        clause is None or any((atom in truth) == positive for atom, positive in clause)
        for clause in groundings(literals, world.schema, world.domains)
    )


def differences(literals: Literals, world: World, predicate: str) -> list[int]:
    """Return for each atom the satisfied groundings with it true less those with it false."""
    truth = truth_of(world)
    return [
        satisfied(literals, world, truth | {atom}) - satisfied(literals, world, truth - {atom})
        for atom in ground_atoms(predicate, world.schema, world.domains)
    ]


# -- probabilities of all worlds ----------------------------------------------------------------------


def distribution(
    network: MarkovLogicNetwork,
    domains: Domains,
    true: set[Ground],
    still: list[Ground],
) -> tuple[np.ndarray, int]:
    """Return the probability of every assignment to the open atoms, and the violations by evidence.

    Hard groundings that the evidence alone violates are dropped and counted.
    """
    values = assignments(len(still))
    column = {atom: values[:, number] for number, atom in enumerate(still)}
    scores = np.zeros(len(values))
    dropped = 0
    for formula in network:
        for clause in groundings(formula.literals, network.schema, domains):
            if clause is None or any(a not in column and (a in true) == sign for a, sign in clause):
                continue
            left = [column[atom] == sign for atom, sign in clause if atom in column]
            if not left:
                dropped += formula.hard
                continue
            holds = np.any(left, axis=0)
            if formula.hard:
                scores[~holds] = -math.inf
            else:
                scores[holds] += formula.weight
    if scores.max() == -math.inf:
        return scores, dropped
    weights = np.exp(scores - scores.max())
    return weights / weights.sum(), dropped


def marginals(probabilities: np.ndarray, still: list[Ground]) -> dict[Ground, float]:
    return dict(zip(still, (probabilities @ assignments(len(still))).tolist(), strict=True))


def assignments(atoms: int) -> np.ndarray:
    """Return all truth values of some atoms, shape (2^atoms, atoms)."""
    return (np.arange(2**atoms)[:, None] >> np.arange(atoms)) & 1 == 1
