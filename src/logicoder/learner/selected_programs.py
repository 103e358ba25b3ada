"""The selected clauses as programs, their latent predicates named."""

from __future__ import annotations

from collections.abc import Collection

from logicoder.logic.latent_names import latent_names, renamed
from logicoder.logic.terms import Program
from logicoder.problem.model import Problem
from logicoder.selection import Solution


def programs_of(problem: Problem, solution: Solution, taken: Collection[str]) -> tuple[Program, Program]:
    """Return the encoder and the decoder program of a selection, its latent predicates named.

    Args:
        problem: the candidates; the head of each encoder is a predicate of its own, unlike any of the data.
        solution: the selection.
        taken: names that latent predicates must not have.
    """
    definitions = [problem.encoders[index].program.clauses for index in solution.encoders]
    heads = [definition[0].head.predicate for definition in definitions]
    names = dict(zip(heads, latent_names(definitions, taken), strict=True))
    decoders = [problem.decoders[index].program.clauses for index in solution.decoders]
    return (
        Program(tuple(renamed(clause, names) for clauses in definitions for clause in clauses)),
        Program(tuple(renamed(clause, names) for clauses in decoders for clause in clauses)),
    )
