"""Masked reconstruction of data: what the programs tell of a predicate without looking at it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from logicoder.engine.arrays.difference import compare
from logicoder.engine.programs import run_program
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.logic.dependencies import eligible_clauses, reach_of
from logicoder.logic.terms import Program


@dataclass(frozen=True)
class MaskedScore:
    """How one predicate comes back when it is masked.

    Attributes:
        predicate: the predicate.
        facts: number of its facts.
        missing: facts that no eligible clause rebuilds.
        false: atoms that eligible clauses rebuild but are not facts.
        clauses: number of eligible decoder clauses: those that use no latent which depends on the predicate.
    """

    predicate: str
    facts: int
    missing: int
    false: int
    clauses: int


def masked_programs(
    origins: Program, decoder: Program, names: Iterable[str]
) -> Iterator[tuple[str, Program]]:
    """Iterate over predicates, each with the clauses that rebuild it without looking at it.

    Args:
        origins: what the latents depend on: encoder and background.
        decoder: rebuilds the data.
        names: the predicates.
    """
    depends = reach_of(origins.mentions())
    for name in names:
        own = eligible_clauses(decoder, name, depends)
        needed = reach_of(own.mentions()).get(name, frozenset()) | {name}
        yield name, Program(tuple(clause for clause in own if clause.head.predicate in needed))


def masked_scores(
    origins: Program, decoder: Program, data: KnowledgeBase, latent: KnowledgeBase
) -> list[MaskedScore]:
    """Return how each predicate of some data comes back when it is masked.

    Args:
        origins: what the latents depend on: encoder and background.
        decoder: rebuilds the data.
        data: the facts.
        latent: the latent facts.
    """
    found = []
    for name, own in masked_programs(origins, decoder, data.learnable):
        rebuilt = run_program(own, latent, data.schema.restricted(own.defined()))
        difference = compare(data.restricted([name]), rebuilt)[1][name]
        clauses = sum(clause.head.predicate == name for clause in own)
        found.append(
            MaskedScore(name, len(data.table(name)), len(difference.missing), len(difference.false), clauses)
        )
    return found
