"""Answers to conjunctive queries over a knowledge base."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from logicoder.base.errors import InputError
from logicoder.engine.programs import run_program
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.logic.parser import parse_query
from logicoder.logic.symbols import Value
from logicoder.logic.terms import Atom, Clause, Program, Variable


@dataclass(frozen=True)
class Answers:
    """The distinct answers to a query.

    Attributes:
        variables: names of the query's variables, in the order of their first occurrence.
        rows: one tuple of values per answer.
        interpretations: the interpretation of each answer.
    """

    variables: tuple[str, ...]
    rows: list[tuple[Value, ...]]
    interpretations: list[str]

    def __iter__(self) -> Iterator[dict[str, Value]]:
        for row in self.rows:
            yield dict(zip(self.variables, row, strict=True))

    def __len__(self) -> int:
        return len(self.rows)

    def __bool__(self) -> bool:
        return bool(self.rows)


def query(kb: KnowledgeBase, text: str) -> Answers:
    """Answer a query such as `p(X,Y), q(Y)`; anonymous variables are not part of the answers."""
    alternatives = parse_query(text)
    common = [
        v
        for v in dict.fromkeys(
            v for body in alternatives for literal in body for v in literal.atom.variables()
        )
        if not v.name.startswith("_") and all(_binds(body, v) for body in alternatives)
    ]
    name = "answer"
    while name in kb.schema:
        name += "_"
    clause = Clause(Atom(name, tuple(common)), alternatives)
    try:
        # Types that were guessed are to help a search, not to stand in the way of a question.
        derived = run_program(Program((clause,)), kb.with_schema(kb.schema.with_one_type()))
    except InputError as error:
        # The clause is ours; what the user wrote is its body.
        message = error.message.replace(f"in the clause {clause}", f"in the query {text.strip()}", 1)
        message = message.replace("the head variable", "the variable")
        raise InputError(message, error.location, error.hint) from None
    facts = list(derived.facts(name))
    return Answers(
        tuple(v.name for v in common),
        [fact.arguments for fact in facts],
        [fact.interpretation for fact in facts],
    )


def _binds(body: tuple[object, ...], variable: Variable) -> bool:
    return any(variable in literal.atom.variables() for literal in body)  # type: ignore[attr-defined]
