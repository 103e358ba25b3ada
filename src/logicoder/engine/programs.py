"""Running programs over knowledge bases, by whichever engine."""

from __future__ import annotations

from logicoder.engine.registry import DEFAULT, engine_named
from logicoder.kb.knowledge_base import TRUTHS, KnowledgeBase
from logicoder.kb.schema import Schema
from logicoder.logic.terms import Program


def run_program(
    program: Program, kb: KnowledgeBase, outputs: Schema | None = None, engine: str = DEFAULT
) -> KnowledgeBase:
    """Return the facts that a program derives from a knowledge base, as a knowledge base.

    Only the predicates that the program defines are in the result. Recursion is evaluated to its fixpoint,
    negation stratum by stratum.

    >>> kb = KnowledgeBase.from_facts([("edge", "a", "b"), ("edge", "b", "c")])
    >>> program = Program.parse("path(X,Y) :- edge(X,Y). path(X,Z) :- edge(X,Y), path(Y,Z).")
    >>> print(*run_program(program, kb.with_schema(Schema.of(*[_.__class__("edge", ("node", "node"))
    ...     for _ in kb.schema.values()]))))
    path(a,b) path(a,c) path(b,c)

    Args:
        program: the clauses.
        kb: the data they read.
        outputs: declared types of head predicates, where they are known.
        engine: the name of the engine.
    """
    return engine_named(engine).run(program, kb, outputs)


def with_derived(kb: KnowledgeBase, derived: KnowledgeBase) -> KnowledgeBase:
    """Return the atoms of a knowledge base together with the facts that a program derives from it.

    >>> kb = KnowledgeBase.from_facts([("edge", "a", "b")])
    >>> print(*with_derived(kb, run_program(Program.parse("back(Y,X) :- edge(X,Y)."), kb)))
    edge(a,b) back(b,a)
    """
    tables = {
        truth: {
            **{name: kb.table(name, truth) for name in kb.schema},
            **{name: derived.table(name, truth) for name in derived.schema},
        }
        for truth in TRUTHS
    }
    schema = Schema({**kb.schema, **derived.schema}, kb.schema.domains)
    # A program keeps the numbers of symbols, and puts its own after them.
    return KnowledgeBase(schema, derived.symbols, kb.interpretations, tables)
