"""Running one layer of clauses in plain Python, one fact at a time: slow, and simple enough to trust."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from logicoder.logic import Constant, Variable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from logicoder.kb import KnowledgeBase
    from logicoder.logic import Atom, Program
    from logicoder.logic.symbols import Value
    from logicoder.logic.terms import Body

Ground = tuple[str, str, tuple["Value", ...]]
"""Interpretation, predicate, constants."""


def ground_atoms(kb: KnowledgeBase) -> set[Ground]:
    return {(fact.interpretation, fact.predicate, fact.arguments) for fact in kb}


def derive(program: Program, facts: Iterable[Ground]) -> set[Ground]:
    """Return the heads of all ground instances whose bodies are among the facts; heads are not fed back."""
    worlds: dict[str, dict[str, list[tuple[Value, ...]]]] = {}
    for world, predicate, arguments in facts:
        worlds.setdefault(world, {}).setdefault(predicate, []).append(arguments)
    return {
        (world, clause.head.predicate, tuple(_value(term, binding) for term in clause.head.arguments))
        for world, relations in worlds.items()
        for clause in program
        for binding in chain.from_iterable(_bindings(body, relations) for body in clause.alternatives)
    }


def _bindings(body: Body, relations: dict[str, list[tuple[Value, ...]]]) -> Iterator[dict[Variable, Value]]:
    found: list[dict[Variable, Value]] = [{}]
    for literal in body:
        assert literal.positive
        rows = relations.get(literal.atom.predicate, [])
        found = [
            extended for binding in found for row in rows if (extended := _match(literal.atom, row, binding))
        ]
    yield from found


def _match(
    atom: Atom, row: tuple[Value, ...], binding: dict[Variable, Value]
) -> dict[Variable, Value] | None:
    extended = dict(binding)
    for term, value in zip(atom.arguments, row, strict=True):
        known = term.value if isinstance(term, Constant) else extended.setdefault(term, value)
        if known != value:
            return None
    return extended


def _value(term: Variable | Constant, binding: dict[Variable, Value]) -> Value:
    return term.value if isinstance(term, Constant) else binding[term]
