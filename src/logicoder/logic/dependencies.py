"""What the predicates of a program depend on, directly and through others."""

from __future__ import annotations

from collections.abc import Mapping

from logicoder.logic.terms import Program


def reach_of(direct: Mapping[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    """Return all predicates that each predicate depends on, given those that its definition mentions.

    >>> found = reach_of({"l": frozenset({"b"}), "b": frozenset({"p", "q"})})
    >>> sorted(found["l"])
    ['b', 'p', 'q']
    """
    found = {name: set(mentioned) for name, mentioned in direct.items()}
    changed = True
    while changed:
        changed = False
        for known in found.values():
            further = {name for mentioned in known for name in found.get(mentioned, ())} - known
            known.update(further)
            changed |= bool(further)
    return {name: frozenset(known) for name, known in found.items()}


def depends_of(program: Program) -> dict[str, frozenset[str]]:
    """Return all predicates that each predicate that a program defines depends on."""
    return reach_of(program.mentions())


def eligible_clauses(decoder: Program, predicate: str, depends: Mapping[str, frozenset[str]]) -> Program:
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
