"""Evidence that logic programs derive from data before a network is asked.

The predicates of formulas need not be those of the data: a program can define them, such as a latent
representation, or the bodies of rules. What it derives is evidence like any fact, so it must not look at
what is asked for. Definitions that do are refused; latent facts that depend on it are unknown.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from logicoder.base.errors import UsageError
from logicoder.engine.programs import run_program, with_derived
from logicoder.engine.signatures import program_schema
from logicoder.kb.knowledge_base import TRUTHS, KnowledgeBase
from logicoder.kb.schema import Schema
from logicoder.logic.dependencies import depends_of
from logicoder.logic.terms import Body, Clause, Constant, Program
from logicoder.mln.network import MarkovLogicNetwork
from logicoder.mln.worlds import worlds_of


def with_definitions(
    network: MarkovLogicNetwork, kb: KnowledgeBase, definitions: Program, unknown: Collection[str]
) -> KnowledgeBase:
    r"""Return the data together with what definitions derive of the predicates in the formulas.

    Clauses that no formula needs, directly or through others, are not run: an encoder may define more than
    the network of one predicate uses. Facts about constants that do not exist in the data are left out, so
    that definitions never add atoms to those that are asked for.

    >>> network = MarkovLogicNetwork.parse("rich(thing)\nboss(thing)\n2 rich(x) v !boss(x)")
    >>> kb = KnowledgeBase.from_facts(["leads(ann,bob)", "rich(bob)"])
    >>> definitions = Program.parse("boss(X) :- leads(X,Y).")
    >>> print(*with_definitions(network, kb, definitions, ["rich"]))
    leads(ann,bob) rich(bob) boss(ann)

    Args:
        network: the formulas.
        kb: the data.
        definitions: clauses over the data and over each other.
        unknown: predicates that are asked for or open: no clause that is needed may use or define them.

    Raises:
        UsageError: naming the clause that does so, or that defines a predicate of the data.
    """
    used = needed_part(network, definitions)
    if not len(used):
        return kb
    _check(used, unknown)
    data = undefined_part(kb, definitions)
    derived = run_program(used, data, network.schema)
    derived = derived.restricted(name for name in used.defined() if name in predicates_of(network))
    if any(isinstance(term, Constant) for clause in used for term in clause.head.arguments):
        derived = _existing(derived, data)
    return with_derived(kb, derived)


def predicates_of(network: MarkovLogicNetwork) -> set[str]:
    """Return the predicates of all formulas."""
    literals = (x for formula in network for x in formula.literals)
    return {literal.atom.predicate for literal in literals if not literal.inequality}


def needed_part(network: MarkovLogicNetwork, definitions: Program) -> Program:
    """Return the clauses that formulas need, directly or through others."""
    depends, used = depends_of(definitions), predicates_of(network)
    needed = used.union(*(depends.get(name, ()) for name in used))
    return Program(tuple(clause for clause in definitions if clause.head.predicate in needed))


def undefined_part(kb: KnowledgeBase, program: Program) -> KnowledgeBase:
    """Return a knowledge base without the predicates that a program defines, which must have no facts."""
    for clause in program:
        name = clause.head.predicate
        if name in kb.schema and any(len(kb.table(name, truth)) for truth in TRUTHS):
            raise UsageError(
                f"in the clause {clause}\n  {name} is defined, but the data has facts of it; "
                "remove one of the two"
            )
    return kb.restricted(name for name in kb.schema if name not in program.defined())


def _check(used: Program, unknown: Collection[str]) -> None:
    for clause in used:
        if clause.head.predicate in unknown:
            raise UsageError(
                f"in the clause {clause}\n  {clause.head.predicate} is defined, but it is also queried or "
                f"open"
            )
        hidden = sorted(clause.body_predicates() & set(unknown))
        if hidden:
            raise UsageError(
                f"in the clause {clause}\n  a definition that the formulas need depends on {hidden[0]}, "
                f"which is queried or open; query another predicate, or remove the clause"
            )


def _existing(derived: KnowledgeBase, data: KnowledgeBase) -> KnowledgeBase:
    """Return the facts whose constants exist in the data; types that the data lacks hold any constants."""
    ids = {symbol: number for number, symbol in enumerate(derived.symbols)}
    known = set(data.schema.types())
    tables = {name: derived.table(name) for name in derived.schema}
    keep = {name: np.ones(len(table), np.bool_) for name, table in tables.items()}
    for number, world in enumerate(worlds_of(data)):
        for name, table in tables.items():
            here = table.worlds == number
            for column, kind in enumerate(derived.schema[name].types):
                if kind in known:
                    domain = [ids[symbol] for symbol in world.domains[kind] if symbol in ids]
                    keep[name] &= ~here | np.isin(table.arguments[:, column], domain)
    kept = {name: table.select(keep[name]) for name, table in tables.items()}
    return KnowledgeBase(derived.schema, derived.symbols, derived.interpretations, {"true": kept})


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
            raise UsageError(f"there is no predicate {name}; choose from: {', '.join(kb.schema)}")
    hidden = set(query)
    depending = hidden | {name for name, own in depends_of(encoder).items() if own & hidden}
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
    visible = visible.with_schema(Schema({**kb.schema, **undefined}, kb.schema.domains))
    derived = run_program(certain, visible, types)
    declared = kb.with_schema(Schema({**kb.schema, **types}, kb.schema.domains))
    joint = with_derived(declared, derived)
    return LatentEvidence(joint, tuple(name for name in encoder.defined() if name in depending))


def _denies(body: Body, depending: set[str]) -> bool:
    return any(
        not literal.positive and not literal.inequality and literal.atom.predicate in depending
        for literal in body
    )
