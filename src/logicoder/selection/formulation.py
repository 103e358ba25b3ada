"""A selection problem as plain data: 0/1 variables, a few kinds of constraints, and a sum to minimise.

This is all that a solver gets to see. A *literal* is a whole number: `i` says that variable `i` is 1, and
`~i` that it is 0. Whoever writes a solver takes the constraints as they are, or as clauses, sets with at most
one true literal and sums (`clauses`, `at_most_one`, `sums`), or all of them as linear rows (`rows`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


class Sum(NamedTuple):
    """A weighted sum of literals, each 1 where it is true, and a constant."""

    literals: Sequence[int] = ()
    coefficients: Sequence[int] = ()
    constant: int = 0

    def value(self, values: Sequence[bool]) -> int:
        """Return the sum for given values of all variables.

        >>> Sum([0, ~1], [5, 2], 1).value([True, False])
        8
        """
        pairs = zip(self.coefficients, self.literals, strict=True)
        return self.constant + sum(c for c, x in pairs if (values[x] if x >= 0 else not values[~x]))

    def over_variables(self) -> tuple[dict[int, int], int]:
        """Return the same sum as coefficients of variables, and its constant.

        >>> Sum([0, ~1], [5, 2], 1).over_variables()
        ({0: 5, 1: -2}, 3)
        """
        found: dict[int, int] = {}
        constant = self.constant
        for coefficient, literal in zip(self.coefficients, self.literals, strict=True):
            variable = literal if literal >= 0 else ~literal
            found[variable] = found.get(variable, 0) + (coefficient if literal >= 0 else -coefficient)
            constant += 0 if literal >= 0 else coefficient
        return found, constant


class AnyOf(NamedTuple):
    """At least one of the literals is true."""

    literals: Sequence[int]


class Implies(NamedTuple):
    """If the premise is true, all conclusions are."""

    premise: int
    conclusions: Sequence[int]


class AtMostOne(NamedTuple):
    """No two of the literals are true."""

    literals: Sequence[int]


class ExactlyOne(NamedTuple):
    """One of the literals is true, and the others are not."""

    literals: Sequence[int]


class Equals(NamedTuple):
    """The target is true exactly when one of the literals is."""

    target: int
    literals: Sequence[int]


class AtMost(NamedTuple):
    """A sum is at most a bound."""

    sum: Sum
    bound: int


Constraint = AnyOf | Implies | AtMostOne | ExactlyOne | Equals | AtMost


@dataclass
class Formulation:
    """Variables and constraints of a problem, or of a neighbourhood in it.

    Attributes:
        variables: how many there are.
        fixed: literals that are true.
        constraints: what else must hold.
        objective: what to minimise.
        encoders: the variable of each encoder that may be selected.
        decoders: the variable of each decoder that may be selected.
        hint: values of some variables in a known solution, if there is one.
        order: variables in the order in which a search by hand decides them; a solver may do without.
    """

    variables: int = 0
    fixed: list[int] = field(default_factory=list)
    constraints: list[Constraint] = field(default_factory=list)
    objective: Sum = field(default_factory=Sum)
    encoders: dict[int, int] = field(default_factory=dict)
    decoders: dict[int, int] = field(default_factory=dict)
    hint: dict[int, bool] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)

    def new(self) -> int:
        """Return a new variable."""
        self.variables += 1
        return self.variables - 1

    def add(self, constraint: Constraint) -> None:
        """Add a constraint."""
        self.constraints.append(constraint)

    def degrees(self) -> list[int]:
        """Return in how many constraints each variable occurs."""
        found = [0] * self.variables
        for item in self.constraints:
            match item:
                case AnyOf(literals) | AtMostOne(literals) | ExactlyOne(literals) | AtMost(Sum(literals), _):
                    used = list(literals)
                case Implies(single, literals) | Equals(single, literals):
                    used = [single, *literals]
            for variable in {literal if literal >= 0 else ~literal for literal in used}:
                found[variable] += 1
        return found

    def selected(self, values: Sequence[bool]) -> tuple[int, ...]:
        """Return the decoders of a solution, given the values of all variables."""
        return tuple(decoder for decoder, variable in self.decoders.items() if values[variable])

    def clauses(self) -> Iterator[list[int]]:
        """Iterate over what can be said with clauses: of each, one literal is true."""
        yield from ([literal] for literal in self.fixed)
        for item in self.constraints:
            match item:
                case AnyOf(literals) | ExactlyOne(literals):
                    yield list(literals)
                case Implies(premise, conclusions):
                    for conclusion in conclusions:
                        yield [~premise, conclusion]
                case Equals(target, literals):
                    for literal in literals:
                        yield [~literal, target]
                    yield [~target, *literals]

    def at_most_one(self) -> Iterator[list[int]]:
        """Iterate over sets of literals of which at most one is true."""
        for item in self.constraints:
            if isinstance(item, AtMostOne | ExactlyOne):
                yield list(item.literals)

    def sums(self) -> Iterator[AtMost]:
        """Iterate over the bounds on sums, rewritten so that all coefficients are positive."""
        for item in self.constraints:
            if isinstance(item, AtMost):
                pairs = list(zip(item.sum.literals, item.sum.coefficients, strict=True))
                yield AtMost(
                    Sum([x if c > 0 else ~x for x, c in pairs if c], [abs(c) for _, c in pairs if c]),
                    item.bound - item.sum.constant - sum(c for _, c in pairs if c < 0),
                )

    def rows(self) -> Iterator[tuple[Mapping[int, int], float, float]]:
        """Iterate over all constraints as coefficients of variables with a lower and an upper bound."""
        infinite = float("inf")
        for clause in self.clauses():
            found, constant = Sum(clause, [1] * len(clause)).over_variables()
            yield found, 1 - constant, infinite
        for group in self.at_most_one():
            found, constant = Sum(group, [1] * len(group)).over_variables()
            yield found, -infinite, 1 - constant
        for total, bound in self.sums():
            found, constant = total.over_variables()
            yield found, -infinite, bound - constant
