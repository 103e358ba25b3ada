"""Formulas of Markov logic in clausal form: a disjunction of literals with a weight, or a hard one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from logicoder.logic.terms import Literal, Variable

Literals = tuple[Literal, ...]


@dataclass(frozen=True)
class Formula:
    """A disjunction of literals, all variables universally quantified.

    A literal with `inequality` says that two terms differ; negated, that they are equal.

    Attributes:
        literals: at least one of them holds where the formula is satisfied.
        weight: what one satisfied grounding adds to the logarithm of a world's unnormalised probability.
        hard: whether worlds that violate a grounding are impossible; the weight then says nothing.

    >>> from logicoder.logic.terms import Atom
    >>> x = Variable("X")
    >>> print(Formula((Literal(Atom("smokes", (x,)), positive=False), Literal(Atom("cancer", (x,)))), 1.5))
    1.5 !smokes(X) v cancer(X)
    """

    literals: Literals
    weight: float = 0.0
    hard: bool = False

    def variables(self) -> tuple[Variable, ...]:
        """Return the variables in the order of their first occurrence."""
        return variables_of(self.literals)

    def predicates(self) -> frozenset[str]:
        """Return the names of the predicates that it mentions."""
        return frozenset(literal.atom.predicate for literal in self.literals if not literal.inequality)

    def __str__(self) -> str:
        text = " v ".join(map(_text, self.literals))
        return f"{text}." if self.hard else f"{self.weight:g} {text}"


def variables_of(literals: Iterable[Literal]) -> tuple[Variable, ...]:
    """Return the variables of some literals in the order of their first occurrence."""
    return tuple(dict.fromkeys(v for literal in literals for v in literal.atom.variables()))


def _text(literal: Literal) -> str:
    if literal.inequality:
        left, right = map(str, literal.atom.arguments)
        return f"{left} {'!=' if literal.positive else '='} {right}"
    return str(literal.atom) if literal.positive else f"!{literal.atom}"
