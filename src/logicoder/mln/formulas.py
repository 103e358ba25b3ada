"""Formulas of Markov logic in clausal form: a disjunction of literals with a weight, or a hard one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from logicoder.base.errors import UsageError
from logicoder.kb.schema import Schema
from logicoder.logic.terms import Literal, Variable
from logicoder.mln.alchemy.notation import clause_text

Literals = tuple[Literal, ...]


@dataclass(frozen=True)
class Formula:
    """A disjunction of literals, all variables universally quantified.

    A literal with `inequality` says that two terms differ; negated, that they are equal.

    Attributes:
        literals: at least one of them holds where the formula is satisfied.
        weight: what one satisfied grounding adds to the logarithm of a world's unnormalised probability.
        hard: whether worlds that violate a grounding are impossible; the weight is then ignored.

    >>> from logicoder.logic.terms import Atom
    >>> x = Variable("X")
    >>> print(Formula((Literal(Atom("smokes", (x,)), positive=False), Literal(Atom("cancer", (x,)))), 1.5))
    1.5 !smokes(x) v cancer(x)
    >>> print(Formula.parse("1.5 smokes(x) => cancer(x)"))
    1.5 !smokes(x) v cancer(x)
    """

    literals: Literals
    weight: float = 0.0
    hard: bool = False

    @classmethod
    def parse(cls, text: str, schema: Schema | None = None) -> Formula:
        """Read one formula in the notation of Alchemy that is a single clause; see `parse_all`."""
        found = cls.parse_all(text, schema)
        if len(found) != 1:
            raise UsageError(f"{text!r} gives {len(found)} clauses; use Formula.parse_all for several")
        return found[0]

    @classmethod
    def parse_all(
        cls, text: str, schema: Schema | None = None, domains: Mapping[str, Sequence[str]] | None = None
    ) -> tuple[Formula, ...]:
        """Read first-order formulas, one per line, in the notation of Alchemy, and return their clauses.

        Args:
            text: the formulas; weights, periods, quantifiers, `+` and `*` as in `.mln` files.
            schema: what is known about the predicates; needed for `+` and for expanding `EXIST`.
            domains: the constants of types, in addition to those that the schema declares.

        >>> [str(f) for f in Formula.parse_all("(EXIST y parent(y,x)) => child(x).")]
        ['!parent(y,x) v child(x).']
        """
        from logicoder.mln.alchemy.network_reader import parse_formulas  # noqa: PLC0415  (the reader builds on this)

        return parse_formulas(text, schema, domains)

    def variables(self) -> tuple[Variable, ...]:
        """Return the variables in the order of their first occurrence."""
        return variables_of(self.literals)

    def predicates(self) -> frozenset[str]:
        """Return the names of the predicates that it mentions."""
        return frozenset(literal.atom.predicate for literal in self.literals if not literal.inequality)

    def __str__(self) -> str:
        text = clause_text(self.literals)
        return f"{text}." if self.hard else f"{self.weight:g} {text}"


def variables_of(literals: Iterable[Literal]) -> tuple[Variable, ...]:
    """Return the variables of some literals in the order of their first occurrence."""
    return tuple(dict.fromkeys(v for literal in literals for v in literal.atom.variables()))
