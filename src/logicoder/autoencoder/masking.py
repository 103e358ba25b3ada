"""Masked reconstruction of data: what the programs tell of a predicate without looking at it."""

from __future__ import annotations

from dataclasses import dataclass

from logicoder.engine.arrays.difference import compare
from logicoder.engine.programs import run_program
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.logic.terms import Program
from logicoder.problem.masking import reach_of


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


def eligible_clauses(decoder: Program, predicate: str, depends: dict[str, frozenset[str]]) -> Program:
    """Return the part of a decoder that uses no latent which depends on a predicate.

    Args:
        decoder: clauses of predicates of the data over latents, perhaps by way of auxiliary predicates.
        predicate: the predicate that is masked.
        depends: all that each latent depends on.
    """
    below = reach_of({name: own - {name} for name, own in decoder.mentions().items() if name != predicate})

    def looks(name: str) -> bool:
        return any(predicate in depends.get(other, ()) for other in (name, *below.get(name, ())))

    kept = (
        clause
        for clause in decoder
        if not any(looks(name) for name in clause.body_predicates() if name != predicate)
        and (clause.head.predicate == predicate or not looks(clause.head.predicate))
    )
    return Program(tuple(kept))


def masked_scores(
    encoder: Program, decoder: Program, background: Program, data: KnowledgeBase, latent: KnowledgeBase
) -> list[MaskedScore]:
    """Return how each predicate of some data comes back when it is masked.

    Args:
        encoder: defines the latents.
        decoder: rebuilds the data.
        background: defines what encoders may use besides.
        data: the facts.
        latent: the latent facts.
    """
    depends = reach_of(encoder.mentions() | background.mentions())
    found = []
    for name in data.learnable:
        own = eligible_clauses(decoder, name, depends)
        needed = reach_of(own.mentions()).get(name, frozenset()) | {name}
        own = Program(tuple(clause for clause in own if clause.head.predicate in needed))
        rebuilt = run_program(own, latent, data.schema.restricted(own.defined()))
        difference = compare(data.restricted([name]), rebuilt)[1][name]
        clauses = sum(clause.head.predicate == name for clause in own)
        found.append(
            MaskedScore(name, len(data.table(name)), len(difference.missing), len(difference.false), clauses)
        )
    return found
