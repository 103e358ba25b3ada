"""Clauses as plain tuples of numbers and symbols, one for all names of variables and orders of literals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from logicoder.logic.orders import Numbers, least_readings, number_of, orders
from logicoder.logic.terms import Atom, Literal, Term, Variable
from logicoder.mln.formulas import Literals

MOST_ORDERS = 4
"""Literals of which all orders are tried for a common name; longer clauses are only put in one order."""

Code = int | str
"""An argument: the number of a variable, or the symbol of a constant."""
Arguments = tuple[Code, ...]


class Union(NamedTuple):
    """A relation that holds where some atom does.

    Attributes:
        members: predicates with arguments: numbers of columns, or symbols.
        types: the types of the columns.
    """

    members: tuple[tuple[str, Arguments], ...]
    types: tuple[str, ...]


Symbol = tuple[str] | tuple[str, str] | Union
"""A relation: `(predicate,)`; two types, for pairs of constants of the same symbol; or a union."""


class CodedLiteral(NamedTuple):
    """A literal; see `logicoder.logic.terms.Literal`."""

    name: Symbol
    arguments: Arguments
    positive: bool
    inequality: bool = False

    def variables(self) -> tuple[int, ...]:
        """Return the variables in the order of their first occurrence."""
        return tuple(dict.fromkeys(t for t in self.arguments if isinstance(t, int)))


class CodedClause(NamedTuple):
    """A clause.

    Attributes:
        literals: in a canonical order, each once.
        types: the type of each variable.
    """

    literals: tuple[CodedLiteral, ...]
    types: tuple[str, ...]


def coded(literals: Literals, types: Mapping[Variable, str]) -> CodedClause:
    """Return the clause as it is counted."""
    order, numbers = _ordered(literals)
    found = tuple(
        CodedLiteral(
            (x.atom.predicate,),
            tuple(numbers[t] if isinstance(t, Variable) else t.symbol for t in x.atom.arguments),
            x.positive,
            x.inequality,
        )
        for x in order
    )
    return CodedClause(found, tuple(types[v] for v in numbers))


def canonical(literals: Literals) -> Literals:
    r"""Return the one form of all clauses that differ in names of variables and order of literals.

    Repeated literals stand once; variables are called A1, A2, ...

    >>> x, y = Variable("X"), Variable("Y")
    >>> clause = (Literal(Atom("q", (y, x))), Literal(Atom("p", (x,)), positive=False))
    >>> print(*canonical(clause), sep=" v ")
    \+ p(A1) v q(A2,A1)
    """
    order, numbers = _ordered(literals)
    new: dict[Term, Term] = {v: Variable(f"A{i + 1}") for v, i in numbers.items()}
    return tuple(
        Literal(
            Atom(x.atom.predicate, tuple(new.get(t, t) for t in x.atom.arguments)), x.positive, x.inequality
        )
        for x in order
    )


def _ordered(literals: Literals) -> tuple[Sequence[Literal], dict[Variable, int]]:
    """Return the literals in the order of the smallest code, and the numbers of their variables.

    Signs come last in the code: clauses that differ in signs only mostly number their variables alike.
    """

    def reading(order: Sequence[Literal], numbers: Numbers) -> tuple[object, ...]:
        codes = tuple(tuple(_sortable(t, numbers) for t in x.atom.arguments) for x in order)
        return codes, tuple(x.positive for x in order)

    tried = orders(dict.fromkeys(literals), lambda x: (x.inequality, x.atom.predicate), MOST_ORDERS)
    return least_readings(tried, reading)[1][0]


def _sortable(term: Term, numbers: Numbers) -> tuple[int, int | str]:
    return (0, number_of(term, numbers)) if isinstance(term, Variable) else (1, term.symbol)
