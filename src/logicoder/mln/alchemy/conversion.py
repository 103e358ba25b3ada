"""From the statements of a text to weighted clauses: templates, normal form, and the division of weights.

A formula whose normal form has k clauses gives each of them its weight divided by k, as Alchemy does. A
variable marked with `+` makes a formula for each constant of its type, and an atom marked with `*` one for
itself and one for its negation; each of these has the whole weight.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod

from logicoder.base.errors import UsageError
from logicoder.kb.schema import Schema
from logicoder.logic.terms import Constant, Literal, Variable
from logicoder.mln.alchemy.formula_parser import Statement
from logicoder.mln.alchemy.normal_form import clauses_of
from logicoder.mln.alchemy.syntax import Leaf, Node, leaves, mapped, substituted
from logicoder.mln.formulas import Formula

_MOST_FORMULAS = 1_000_000

Domains = Mapping[str, Sequence[str]]


class Conversion:
    """Turns statements into formulas over a schema, with the constants known for its types."""

    def __init__(self, schema: Schema | None, domains: Domains | None = None) -> None:
        self._schema = schema
        self._domains: dict[str, tuple[str, ...]] = {}
        for given in (schema.domains if schema else {}, domains or {}):
            for kind, symbols in given.items():
                self._domains[kind] = tuple(dict.fromkeys((*self._domains.get(kind, ()), *symbols)))

    def formulas(self, statement: Statement) -> list[Formula]:
        """Return the clauses of a statement.

        Raises:
            UsageError: if it cannot be turned into clauses, or says nothing.
        """
        found: list[Formula] = []
        for node in self._instances(statement):
            clauses = clauses_of(node, self.constants)
            if () in clauses:
                if statement.hard:
                    raise UsageError("this hard formula cannot be satisfied")
                continue
            weight = 0.0 if statement.hard else (statement.weight or 0.0) / max(1, len(clauses))
            found.extend(Formula(clause, weight, statement.hard) for clause in clauses)
        if not found:
            raise UsageError("this formula is always true or always false: remove it")
        return found

    def constants(self, variable: Variable, node: Node) -> tuple[str, ...]:
        """Return the constants that a variable of a formula ranges over."""
        kind = self._type(variable, node)
        symbols = self._domains.get(kind, ())
        if not symbols:
            raise UsageError(
                f"the constants of the type {kind}, over which {variable} ranges, are unknown; declare them "
                f"in a line such as {kind} = {{Anna, Bob}}, or pass the data, too"
            )
        return symbols

    def _type(self, variable: Variable, node: Node) -> str:
        if self._schema is None:
            raise UsageError(f"the type of {variable} is unknown; pass a schema with its constants")
        for leaf in leaves(node):
            atom = leaf.literal.atom
            if not leaf.literal.inequality and atom.predicate in self._schema:
                types = self._schema[atom.predicate].types
                for argument, kind in zip(atom.arguments, types, strict=False):
                    if argument == variable:
                        return kind
        raise UsageError(f"the type of {variable} is unknown; use it in an atom, too")

    def _instances(self, statement: Statement) -> Iterator[Node]:
        node = statement.node
        domains = [self.constants(variable, node) for variable in statement.templates]
        starred = sum(leaf.either for leaf in leaves(node))
        if prod(map(len, domains)) * 2**starred > _MOST_FORMULAS:
            raise UsageError(f"this template makes more than {_MOST_FORMULAS:,} formulas")
        for symbols in product(*domains):
            values = dict(zip(statement.templates, map(Constant, symbols), strict=True))
            instance = substituted(node, {**values})
            for signs in product((True, False), repeat=starred):
                yield _signed(instance, iter(signs))


def _signed(node: Node, signs: Iterator[bool]) -> Node:
    if isinstance(node, Leaf) and node.either:
        literal = node.literal
        return Leaf(Literal(literal.atom, literal.positive == next(signs), literal.inequality))
    return mapped(node, lambda child: _signed(child, signs))
