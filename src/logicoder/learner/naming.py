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
    encoders: list[Clause] = []
    for number, index in enumerate(solution.encoders, start=1):
        definition = Program.parse(problem.encoders[index].clause)
        name = definition.clauses[0].head.predicate
        names[name] = f"{prefix}{number}"
        # A predicate of the data may have the same name: in a single clause it is that one.
        within = {name: names[name]} if len(definition) > 1 else {}
        encoders.extend(
            replace(_renamed(clause, within), head=replace(clause.head, predicate=names[name]))
            for clause in definition
        )
    decoders: list[Clause] = []
    for index in solution.decoders:
        program = Program.parse(problem.decoders[index].clause)
        # Several clauses are a recursive definition: there the head's predicate is no latent one.
        own = {problem.decoders[index].predicate} if len(program) > 1 else set()
        within = {old: new for old, new in names.items() if old not in own}
        decoders.extend(_renamed(clause, within) for clause in program)
    return Program(tuple(encoders)), Program(tuple(decoders))


def _renamed(clause: Clause, names: dict[str, str]) -> Clause:
    """Return a clause with other names for some predicates of its body; those without one keep theirs."""

    def renamed(literal: Literal) -> Literal:
        name = literal.atom.predicate
        return replace(literal, atom=replace(literal.atom, predicate=names.get(name, name)))

    return replace(clause, alternatives=tuple(tuple(map(renamed, body)) for body in clause.alternatives))
