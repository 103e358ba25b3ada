"""First-order formulas as they stand in a text, before they are turned into clauses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from logicoder.logic.terms import Atom, Literal, Term, Variable


@dataclass(frozen=True)
class Leaf:
    """A literal; `either` says that it stands for itself and its negation, in two formulas (`*p(x)`)."""

    literal: Literal
    either: bool = False


@dataclass(frozen=True)
class Not:
    """The negation of a formula."""

    body: Node


@dataclass(frozen=True)
class And:
    """A conjunction; the empty one is true."""

    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Or:
    """A disjunction; the empty one is false."""

    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Implies:
    """An implication."""

    left: Node
    right: Node


@dataclass(frozen=True)
class Equivalent:
    """Both hold or neither does."""

    left: Node
    right: Node


@dataclass(frozen=True)
class Quantified:
    """For all values of a variable, or for some value of it."""

    universal: bool
    variable: Variable
    body: Node


Node = Leaf | Not | And | Or | Implies | Equivalent | Quantified

TRUE = And(())
FALSE = Or(())


def children(node: Node) -> tuple[Node, ...]:
    """Return the formulas directly within a formula."""
    match node:
        case Leaf():
            return ()
        case Not() | Quantified():
            return (node.body,)
        case And() | Or():
            return node.parts
        case Implies() | Equivalent():
            return (node.left, node.right)


def leaves(node: Node) -> Iterator[Leaf]:
    """Iterate over the literals of a formula, from left to right."""
    if isinstance(node, Leaf):
        yield node
    for child in children(node):
        yield from leaves(child)


def mapped(node: Node, change: Callable[[Node], Node]) -> Node:  # noqa: PLR0911  (one per kind)
    """Return a formula with every formula directly within it changed."""
    match node:
        case Leaf():
            return node
        case Not():
            return Not(change(node.body))
        case Quantified():
            return Quantified(node.universal, node.variable, change(node.body))
        case And():
            return And(tuple(map(change, node.parts)))
        case Or():
            return Or(tuple(map(change, node.parts)))
        case Implies():
            return Implies(change(node.left), change(node.right))
        case Equivalent():
            return Equivalent(change(node.left), change(node.right))


def free_variables(node: Node) -> frozenset[Variable]:
    """Return the variables that no quantifier of the formula binds."""
    if isinstance(node, Leaf):
        return frozenset(node.literal.atom.variables())
    found = frozenset[Variable]().union(*map(free_variables, children(node)))
    return found - {node.variable} if isinstance(node, Quantified) else found


def substituted(node: Node, values: dict[Variable, Term]) -> Node:
    """Return a formula with its free variables replaced; the new terms must be bound by no quantifier."""
    if not values:
        return node
    if isinstance(node, Leaf):
        atom = node.literal.atom
        arguments = tuple(values.get(a, a) if isinstance(a, Variable) else a for a in atom.arguments)
        literal = Literal(Atom(atom.predicate, arguments), node.literal.positive, node.literal.inequality)
        return Leaf(literal, node.either)
    if isinstance(node, Quantified):
        values = {variable: term for variable, term in values.items() if variable != node.variable}
    return mapped(node, lambda child: substituted(child, values))
