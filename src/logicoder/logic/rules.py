"""Bodies of candidate clauses as plain data: predicates applied to numbered variables and constants."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from logicoder.logic import terms

UNEQUAL = "\\="
"""In place of a predicate: the two arguments differ."""


@dataclass(frozen=True, order=True)
class Literal:
    """A literal of a body.

    Attributes:
        predicate: its name.
        arguments: a number for each variable (those of the head come first), text for a constant.
        negated: whether there is no such fact, whatever the variables that stand nowhere else.
    """

    predicate: str
    arguments: tuple[int | str, ...]
    negated: bool = False

    @property
    def tests(self) -> bool:
        """Whether it only tests values that others give to its variables."""
        return self.negated or self.predicate == UNEQUAL


Body = tuple[Literal, ...]


@dataclass(frozen=True)
class Rule:
    """Head arguments and body of a candidate clause; its predicate is known where it is used.

    Attributes:
        head: numbers of variables from 0 on, or constants.
        body: the literals.
    """

    head: tuple[int | str, ...]
    body: Body

    def __lt__(self, other: Rule) -> bool:
        """By what they look like: an order that depends on nothing else."""
        return self._text < other._text

    @cached_property
    def _text(self) -> str:
        return repr(self)

    def clause(self, predicate: str) -> terms.Clause:
        """Return it as a clause for a predicate."""
        return clause_of(predicate, self.head, self.body)

    @cached_property
    def predicates(self) -> frozenset[str]:
        """The predicates of the body."""
        return frozenset(literal.predicate for literal in self.body) - {UNEQUAL}

    @cached_property
    def tested(self) -> bool:
        """Whether it has negation or inequality."""
        return any(literal.tests for literal in self.body)

    @cached_property
    def constants(self) -> bool:
        """Whether constants are named."""
        return any(
            isinstance(a, str) for part in (self.head, *(x.arguments for x in self.body)) for a in part
        )


def literal(predicate: str, arity: int, columns: Mapping[int, int | str], fresh: int) -> tuple[Literal, int]:
    """Return a literal with some columns given and new variables in all others, and the next free number.

    >>> literal("takes", 3, {0: 0, 2: 1}, 2)
    (Literal(predicate='takes', arguments=(0, 2, 1), negated=False), 3)
    """
    arguments: list[int | str] = []
    for column in range(arity):
        if column in columns:
            arguments.append(columns[column])
        else:
            arguments.append(fresh)
            fresh += 1
    return Literal(predicate, tuple(arguments)), fresh


def renumbered(body: Sequence[Literal], head: int) -> Body:
    """Return a body whose other variables are numbered in the order in which they occur.

    >>> renumbered([Literal("p", (0, 7)), Literal("q", (7, 1, 5))], 2)[1].arguments
    (2, 1, 3)
    """
    numbers: dict[int, int] = {n: n for n in range(head)}
    found = []
    for item in body:
        arguments = tuple(
            a if isinstance(a, str) else numbers.setdefault(a, len(numbers)) for a in item.arguments
        )
        found.append(replace(item, arguments=arguments))
    return tuple(found)


_NAMES = "XYZUVW"


def clause_of(head: str, arguments: Sequence[int | str], body: Iterable[Literal]) -> terms.Clause:
    r"""Return a clause of the language; variables that occur once are anonymous.

    >>> print(clause_of("p", (0, 1), (Literal("q", (0, 2)), Literal("r", (2, 1, 3)))))
    p(X,Y) :- q(X,Z), r(Z,Y,_).
    >>> print(clause_of("p", (0,), (Literal("q", (0,)), Literal("r", (0, 1), negated=True))))
    p(X) :- q(X), \+ r(X,_).
    """
    body = tuple(body)
    times: dict[int, int] = {}
    for item in (*arguments, *(a for one in body for a in one.arguments)):
        if not isinstance(item, str):
            times[item] = times.get(item, 0) + 1
    names: dict[int, str] = {}
    for number in sorted(number for number in times if times[number] > 1 or number in arguments):
        place = len(names)
        names[number] = _NAMES[place] if place < len(_NAMES) else f"X{place}"

    def term(argument: int | str) -> terms.Term:
        if isinstance(argument, str):
            return terms.Constant(argument)
        return terms.Variable(names.get(argument, f"_Anonymous{argument}"))

    literals = tuple(
        terms.Literal(
            terms.Atom(item.predicate, tuple(map(term, item.arguments))),
            positive=not item.negated,
            inequality=item.predicate == UNEQUAL,
        )
        for item in body
    )
    return terms.Clause(terms.Atom(head, tuple(map(term, arguments))), (literals,))


def rule_of(clause: terms.Clause) -> Rule:
    """Return the rule of a clause with one alternative; the opposite of `clause_of`.

    >>> rule = Rule((0, 1), (Literal("q", (0, 2)), Literal("r", (2, 1, 3))))
    >>> rule_of(clause_of("p", rule.head, rule.body)) == rule
    True
    """
    numbers: dict[str, int] = {}

    def argument(term: terms.Term) -> int | str:
        if isinstance(term, terms.Constant):
            return str(term)
        return numbers.setdefault(term.name, len(numbers))

    head = tuple(map(argument, clause.head.arguments))
    (body,) = clause.alternatives
    return Rule(
        head,
        tuple(
            Literal(x.atom.predicate, tuple(map(argument, x.atom.arguments)), negated=not x.positive)
            for x in body
        ),
    )
