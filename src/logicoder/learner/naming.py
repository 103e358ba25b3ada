"""The selected clauses as programs, with names for the latent predicates."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from logicoder.logic.terms import Clause, Literal, Program
from logicoder.problem.model import Problem
from logicoder.selection import Solution


def programs_of(problem: Problem, solution: Solution, taken: Collection[str]) -> tuple[Program, Program]:
    """Return the encoder and the decoder program of a selection.

    Latent predicates are called latent1, latent2, ... in the order of the candidates, avoiding names that
    are taken.
    """
    prefix = "latent"
    while any(name.startswith(prefix) and name[len(prefix) :].isdigit() for name in taken):
        prefix += "_"
    names: dict[str, str] = {}
    encoders = []
    for number, index in enumerate(solution.encoders, start=1):
        clause = Clause.parse(problem.encoders[index].clause)
        names[clause.head.predicate] = f"{prefix}{number}"
        encoders.append(replace(clause, head=replace(clause.head, predicate=f"{prefix}{number}")))
    decoders = [_renamed(Clause.parse(problem.decoders[i].clause), names) for i in solution.decoders]
    return Program(tuple(encoders)), Program(tuple(decoders))


def _renamed(clause: Clause, names: dict[str, str]) -> Clause:
    def renamed(literal: Literal) -> Literal:
        return replace(literal, atom=replace(literal.atom, predicate=names[literal.atom.predicate]))

    return replace(clause, alternatives=tuple(tuple(map(renamed, body)) for body in clause.alternatives))
