"""Clauses as plain tuples of numbers and symbols, one for all names of variables and orders of literals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby, permutations, product
from typing import Any, NamedTuple, TypeVar

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
    best: tuple[object, Sequence[Literal], dict[Variable, int]] | None = None
    for order in orders(list(dict.fromkeys(literals)), lambda x: (x.inequality, x.atom.predicate)):
        numbers: dict[Variable, int] = {}
        codes = tuple(tuple(_sortable(t, numbers) for t in x.atom.arguments) for x in order)
        key = (codes, tuple(x.positive for x in order))
        if best is None or key < best[0]:  # type: ignore[operator]
            best = key, order, numbers
    return ((), {}) if best is None else best[1:]


def _sortable(term: Term, numbers: dict[Variable, int]) -> tuple[int, int | str]:
    if isinstance(term, Variable):
        return 0, numbers.setdefault(term, len(numbers))
    return 1, term.symbol


_Item = TypeVar("_Item")


def orders(items: list[_Item], kind: Callable[[_Item], Any]) -> Iterator[tuple[_Item, ...]]:
    """Yield the orders in which kinds ascend; of more than a few items only one."""
    groups = [list(group) for _, group in groupby(sorted(items, key=kind), key=kind)]
    if len(items) > MOST_ORDERS:
        yield tuple(item for group in groups for item in group)
        return
    for parts in product(*map(permutations, groups)):
        yield tuple(item for part in parts for item in part)
