"""The selected clauses as programs, with names for the latent predicates."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from logicoder.logic.terms import Atom, Clause, Literal, Program
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
    encoders: list[Clause] = []
    for number, index in enumerate(solution.encoders, start=1):
        definition = Program.parse(problem.encoders[index].clause)
        own = {definition.clauses[0].head.predicate: f"{prefix}{number}"}
        names |= own
        encoders.extend(_renamed(clause, own) for clause in definition)
    decoders = [
        _renamed(clause, names)
        for index in solution.decoders
        for clause in Program.parse(problem.decoders[index].clause)
    ]
    return Program(tuple(encoders)), Program(tuple(decoders))


def _renamed(clause: Clause, names: dict[str, str]) -> Clause:
    def renamed(atom: Atom) -> Atom:
        return replace(atom, predicate=names.get(atom.predicate, atom.predicate))

    def literal(item: Literal) -> Literal:
        return item if item.inequality else replace(item, atom=renamed(item.atom))

    bodies = tuple(tuple(map(literal, body)) for body in clause.alternatives)
    return Clause(renamed(clause.head), bodies)
