"""Clauses as plain data: how callers describe to an engine what is to be evaluated and counted.

Variables are numbers. A literal is a symbol, the number of a template or of an extension, and its variables.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from logicoder.engine.handles import Extension

IndexLiteral = tuple[int, tuple[int, ...]]
IndexBody = tuple[IndexLiteral, ...]


@dataclass(frozen=True)
class Template:
    """A literal whose arguments are open.

    Attributes:
        predicate: a predicate of the data, or something that was evaluated before; None for inequality.
        constants: for each argument of the predicate a constant, or None where the argument is open.
        negated: whether the literal is negated.
    """

    predicate: str | Extension | None
    constants: tuple[str | None, ...] = ()
    negated: bool = False


@dataclass(frozen=True)
class Join:
    """Two literals whose join is to be measured.

    Attributes:
        first: a literal.
        second: another one.
        shared: the variables that they have in common.
        distinct: whether the join is that of their distinct values for these variables only.
    """

    first: IndexLiteral
    second: IndexLiteral
    shared: tuple[int, ...]
    distinct: bool = False


@dataclass(frozen=True)
class Conjunction:
    """A conjunction to be evaluated for several heads.

    Conjunctions come depth first: one of k literals extends the last one of k - 1 literals before it.

    Attributes:
        body: the literals.
        types: types of the variables.
        heads: the variables of each head.
        added: the literal by which it extends that conjunction, in the variables of that one.
        renaming: for each variable of that conjunction and the added literal, its number here.
        tests: whether the added literal only tests variables: it is negated, or an inequality.
    """

    body: IndexBody
    types: tuple[int, ...]
    heads: tuple[tuple[int, ...], ...]
    added: IndexLiteral
    renaming: tuple[int, ...]
    tests: bool = False


@dataclass(frozen=True)
class Disjunction:
    """A disjunction of literals, each of which binds the head variables 0, 1, ...

    Attributes:
        types: types of the head variables.
        literals: the disjuncts; their other variables are their own.
    """

    types: tuple[int, ...]
    literals: IndexBody


@dataclass(frozen=True)
class Recursion:
    """The least relation with `l(X,Y) :- base(X,Y).  l(X,Z) :- step(X,Y), l(Y,Z).`.

    Attributes:
        kind: the type of both arguments.
        base: a literal over the variables 0 and 1.
        step: a literal over the variables 0 and 2.
    """

    kind: int
    base: IndexLiteral
    step: IndexLiteral


Definition = Conjunction | Disjunction | Recursion


@dataclass(frozen=True)
class Head:
    r"""A head such as `p(X,Y)`, `p(X,X)` or `p(X,red)`, over head variables whose types ascend.

    Attributes:
        predicate: the predicate of the data.
        arguments: for each argument of the predicate its head variable, or -1, -2, ... for constants.
        types: types of the head variables.
        constants: type and name of the first, second, ... constant among the arguments.
        unequal: whether the two head variables are to differ (`X \= Y` in the body).
    """

    predicate: str
    arguments: tuple[int, ...]
    types: tuple[int, ...]
    constants: tuple[tuple[int, str], ...] = ()
    unequal: bool = False


@dataclass(frozen=True)
class View:
    """One literal of a decoder's body: the number of a latent and its arguments.

    Arguments below the number of head variables are head variables; then come shared existentials;
    then the literal's own existentials. A negated literal has head variables only.
    """

    latent: int
    arguments: tuple[int, ...]
    positive: bool = True


@dataclass(frozen=True)
class DecoderBody:
    r"""What stands below the head of a decoder candidate.

    Attributes:
        views: its literals.
        shared: number of existential variables that literals share; they are numbered after the head's.
        unequal: whether it says that the two head variables differ.
        step: for a recursive definition `h(X,Y) :- view(X,Y).  h(X,Z) :- step(X,Y), h(Y,Z).` its step.
        left: whether the recursion is on the left: `h(X,Z) :- h(X,Y), step(Y,Z)`.
        alternatives: whether its literals are alternatives, each of which binds all head variables.
    """

    views: tuple[View, ...]
    shared: int = 0
    unequal: bool = False
    step: View | None = None
    left: bool = False
    alternatives: bool = False

    @cached_property
    def latents(self) -> tuple[int, ...]:
        """The latent predicates, ascending."""
        step = () if self.step is None else (self.step,)
        return tuple(sorted({view.latent for view in (*self.views, *step)}))

    @property
    def literals(self) -> int:
        """Number of body literals."""
        return len(self.views) + self.unequal + (0 if self.step is None else 2)
