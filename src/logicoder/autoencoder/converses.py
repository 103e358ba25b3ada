"""Clauses turned round: what they say about the predicates of their bodies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from logicoder.compression.plan import Plan
from logicoder.logic.rules import Literal, Rule


@dataclass(frozen=True)
class Turned:
    """A clause and one of its literals, which the others say something about.

    Attributes:
        predicate: the predicate of the clause.
        rule: the clause.
        place: the number of the literal.
        converse: the literal as a head, with all others as its body.
    """

    predicate: str
    rule: Rule
    place: int
    converse: Rule

    @property
    def literal(self) -> Literal:
        """The literal."""
        return self.rule.body[self.place]


def converses_in(plan: Plan) -> Mapping[str, list[Turned]]:
    """Return the clauses of a plan turned round, for each predicate that their bodies mention."""
    found: dict[str, list[Turned]] = {}
    for step in plan:
        for rule in step.rules:
            for turned in converses_of(step.predicate, rule):
                found.setdefault(turned.literal.predicate, []).append(turned)
    return found


def converses_of(predicate: str, rule: Rule) -> Iterator[Turned]:
    """Iterate over what a rule says about the predicates of its body.

    A literal is turned round if all its variables stand elsewhere in the clause, too.

    >>> rule = Rule((0, 1), (Literal("customer", (0, 2)), Literal("country", (2, 1))))
    >>> for turned in converses_of("ship_country", rule):
    ...     print(turned.converse.clause(turned.literal.predicate))
    customer(X,Y) :- ship_country(X,Z), country(Y,Z).
    country(X,Y) :- ship_country(Z,Y), customer(Z,X).
    """
    for place, item in enumerate(rule.body):
        others = (Literal(predicate, rule.head), *rule.body[:place], *rule.body[place + 1 :])
        bound = {a for other in others if not other.tests for a in other.arguments if isinstance(a, int)}
        variables = [argument for argument in item.arguments if isinstance(argument, int)]
        if item.tests or item.predicate == predicate or not variables or not bound.issuperset(variables):
            continue
        numbers: dict[int, int] = {}

        def renamed(
            arguments: Sequence[int | str], numbers: dict[int, int] = numbers
        ) -> tuple[int | str, ...]:
            return tuple(a if isinstance(a, str) else numbers.setdefault(a, len(numbers)) for a in arguments)

        head = renamed(item.arguments)
        body = tuple(Literal(o.predicate, renamed(o.arguments), o.negated) for o in others)
        yield Turned(predicate, rule, place, Rule(head, body))
