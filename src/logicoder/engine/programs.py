"""Running programs over knowledge bases, by whichever engine."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from logicoder.engine.registry import DEFAULT, ENGINES
from logicoder.kb.knowledge_base import TRUTHS, KnowledgeBase
from logicoder.kb.schema import Predicate, Schema
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
    return ENGINES[engine].run(program, kb, outputs)


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


def beside(predicate: str) -> str:
    """Return the name under which clauses derive atoms of a predicate that keeps its facts."""
    return f"{predicate} derived"


def derived_beside(program: Program, names: Collection[str]) -> Program:
    """Return a program whose clauses derive some predicates under other names, and so read their facts alone.

    >>> print(derived_beside(Program.parse("p(X) :- q(X). q(X) :- p(X)."), {"p", "q"}))
    'p derived'(X) :- q(X).
    'q derived'(X) :- p(X).
    """
    clauses = []
    for clause in program:
        name = clause.head.predicate
        head = replace(clause.head, predicate=beside(name)) if name in names else clause.head
        clauses.append(replace(clause, head=head))
    return Program(tuple(clauses))


def run_beside(program: Program, kb: KnowledgeBase) -> KnowledgeBase:
    """Return what clauses derive of predicates of the data from its facts as they are.

    No clause reads what another one derives, except for predicates that the data do not have.

    >>> kb = KnowledgeBase.from_facts(["p(a)", "p(b)", "q(b)"])
    >>> print(*run_beside(Program.parse("q(X) :- p(X). p(X) :- q(X)."), kb))
    p(b) q(a) q(b)
    """
    names = [name for name in program.defined() if name in kb.schema]
    outputs = Schema({beside(n): Predicate(beside(n), kb.schema[n].types) for n in names})
    found = run_program(derived_beside(program, names), kb, outputs)
    tables = {name: found.table(beside(name)) for name in names}
    return KnowledgeBase(kb.schema.restricted(names), found.symbols, found.interpretations, {"true": tables})
