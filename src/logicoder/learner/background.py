"""Background knowledge: facts and clauses that encoders may use and nobody has to reconstruct."""

from __future__ import annotations

from logicoder.base.errors import InputError
from logicoder.engine.programs import run_program
from logicoder.kb.knowledge_base import TRUTHS, KnowledgeBase
from logicoder.kb.schema import Predicate, Schema
from logicoder.logic.terms import Constant, Program


def with_background(kb: KnowledgeBase, background: Program, declared: Schema | None = None) -> KnowledgeBase:
    """Return the knowledge base with what a background program derives from it, marked as background.

    Facts of the program hold in every interpretation; clauses are evaluated within each.

    Args:
        kb: the data.
        background: facts and clauses.
        declared: types of the background predicates; otherwise those of the schema, or inferred.
    """
    for name in background.defined():
        if name in kb.schema and not kb.schema[name].background:
            raise InputError(
                f"the background knowledge defines {name}, which is a predicate of the data",
                hint="rename it there, or remove it from the data",
            )
    inputs = kb.schema.restricted(name for name in kb.schema if name not in background.defined())
    types = declared.restricted(background.defined()) if declared else declared_types(kb, background)
    derived = run_program(background, kb.restricted(inputs), types)
    predicates = dict(inputs.predicates)
    predicates |= {n: Predicate(n, p.types, background=True) for n, p in derived.schema.items()}
    tables = {
        truth: {name: kb.table(name, truth) for name in inputs}
        | {name: derived.table(name, truth) for name in derived.schema}
        for truth in TRUTHS
    }
    # The engine numbers new constants after those of the data, so that both speak of the same symbols.
    return KnowledgeBase(Schema(predicates, kb.schema.domains), derived.symbols, kb.interpretations, tables)


def declared_types(kb: KnowledgeBase, background: Program) -> Schema:
    """Give the arguments of background facts the type of the data that knows most of their constants."""
    found: dict[str, Predicate] = {n: kb.schema[n] for n in background.defined() if n in kb.schema}
    constants = {kind: set(symbols) for kind, symbols in kb.constants().items()}
    arities = background.arities()
    columns: dict[str, list[set[str]]] = {}
    rules = {clause.head.predicate for clause in background if not clause.is_fact}
    for clause in background:
        name = clause.head.predicate
        if clause.is_fact and name not in rules and name not in found:
            places = columns.setdefault(name, [set() for _ in range(arities[name])])
            for place, argument in zip(places, clause.head.arguments, strict=True):
                if not isinstance(argument, Constant):
                    raise InputError(f"the background fact {clause.head} contains the variable {argument}")
                place.add(argument.symbol)
    for name, places in columns.items():
        kinds = []
        for position, symbols in enumerate(places):
            shared = {kind: len(symbols & known) for kind, known in constants.items()}
            best = max(shared, key=lambda kind: shared[kind], default=None)
            kinds.append(best if best is not None and shared[best] else f"{name}_{position + 1}")
        found[name] = Predicate(name, tuple(kinds))
    return Schema(found)
