"""What is known of latent atoms while the facts of some input predicates are hidden.

A network over latent predicates, with decoder clauses as hard formulas, can be asked for an input predicate.
Then the latent facts must not tell what is asked for: those that the hidden facts derive are unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from logicoder.base.errors import UsageError
from logicoder.engine.programs import run_program, with_derived
from logicoder.engine.signatures import program_schema
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.kb.schema import Schema
from logicoder.logic.terms import Body, Clause, Program


@dataclass(frozen=True)
class LatentEvidence:
    """Data with latent facts, ready for `infer`.

    Attributes:
        kb: all facts of the data, and the latent facts that are certain.
        open: the latent predicates that depend on the query; further atoms of theirs may be true.
    """

    kb: KnowledgeBase
    open: tuple[str, ...]


def latent_evidence(encoder: Program, kb: KnowledgeBase, query: Sequence[str]) -> LatentEvidence:
    r"""Return the data together with what is known of the latent atoms when the query predicates are hidden.

    Latent predicates that do not depend on the query, also not through others, are simply encoded. Of the
    others those atoms are certain which some body derives without the query: bodies with a negated literal
    that depends on it derive nothing, and those with a positive one nothing but what is certain.

    >>> kb = KnowledgeBase.from_facts([("mother", "ann", "joe"), ("father", "bob", "joe"), ("male", "bob")])
    >>> encoder = Program.parse("parent(X,Y) :- mother(X,Y) ; father(X,Y). man(X) :- male(X).")
    >>> found = latent_evidence(encoder, kb, ["father"])
    >>> found.open, sorted(str(fact) for fact in found.kb if fact.predicate in ("parent", "man"))
    (('parent',), ['man(bob)', 'parent(ann,joe)'])
    """
    for name in query:
        if name not in kb.schema:
            raise UsageError(f"there is no predicate {name}; known are: {', '.join(kb.schema)}")
    depending = _depending(encoder, query)
    certain = Program(
        tuple(
            Clause(clause.head, bodies)
            for clause in encoder
            if (bodies := tuple(b for b in clause.alternatives if not _denies(b, depending)))
        )
    )
    # What is left of the program may define less, and tell fewer types, than the whole.
    types = program_schema(encoder, kb.schema)
    undefined = {name: types[name] for name in types if name not in certain.defined()}
    visible = kb.restricted(name for name in kb.schema if name not in query)
    hidden = visible.with_schema(Schema({**kb.schema, **undefined}, kb.schema.domains))
    derived = run_program(certain, hidden, types)
    declared = kb.with_schema(Schema({**kb.schema, **types}, kb.schema.domains))
    joint = with_derived(declared, derived)
    return LatentEvidence(joint, tuple(name for name in encoder.defined() if name in depending))


def _depending(encoder: Program, query: Sequence[str]) -> set[str]:
    """Return the query and the predicates that depend on it."""
    found = set(query)
    while True:
        more = {clause.head.predicate for clause in encoder if clause.body_predicates() & found} - found
        if not more:
            return found
        found |= more


def _denies(body: Body, depending: set[str]) -> bool:
    return any(
        not literal.positive and not literal.inequality and literal.atom.predicate in depending
        for literal in body
    )
