"""Clauses as signed sums of conjunctions of true atoms.

A grounding falsifies a clause where all of its literals are false: a negative literal where its atom is true
(X), a positive one where it is not (1 - X), an equation where its sides differ (1 - E), an inequality where
they are equal (E). Multiplied out, that is a sum of products of X alone, with equal variables made one:
sparse joins, in which nothing false is ever listed. Clauses that differ in signs only share all of them.
"""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from logicoder.base.errors import UsageError
from logicoder.logic.orders import Numbers, least_readings, number_of, orders
from logicoder.mln.counting.codes import (
    MOST_ORDERS,
    Arguments,
    Code,
    CodedClause,
    CodedLiteral,
    Symbol,
    Union,
)

_MOST_TERMS = 1 << 14
"""Products into which a clause may be multiplied out."""
_MERGED_FROM = 6
"""From how many positive literals on those over the same variables are made one relation, their union."""


class Conjunction(NamedTuple):
    """Connected true atoms, named alike for all renamings: how often do they hold for each output?

    Attributes:
        atoms: each a relation and its arguments.
        outputs: the variables that are not summed over.
    """

    atoms: tuple[tuple[Symbol, Arguments], ...]
    outputs: tuple[int, ...]


class Factor(NamedTuple):
    """A conjunction over some arguments of the head atom; without one, only a pattern of them.

    Attributes:
        conjunction: what is counted; None for one per pattern.
        places: the positions of the head at which each output stands.
        constant: the symbol that stands at the only place, instead of an output.
    """

    conjunction: Conjunction | None
    places: tuple[tuple[int, ...], ...]
    constant: str | None = None


class Product(NamedTuple):
    """A product of factors over disjoint arguments of the head, the same for all other arguments.

    Attributes:
        factors: with conjunctions that are not connected to one another.
        free: types of variables that occur nowhere; each multiplies by the size of its domain.
        required: pairs of type and symbol; the product is zero where one of them does not exist.
    """

    factors: tuple[Factor, ...]
    free: tuple[str, ...]
    required: frozenset[tuple[str, str]]


Expansion = tuple[tuple[Product, int], ...]
"""Products with their coefficients."""


class _Branch(NamedTuple):
    """A product that is still growing.

    Attributes:
        coefficient: what it is multiplied with.
        values: what each variable is: itself, another one, or a symbol.
        atoms: the true atoms.
        required: see `Product`.
    """

    coefficient: int
    values: tuple[Code, ...]
    atoms: tuple[tuple[Symbol, Arguments], ...] = ()
    required: frozenset[tuple[str, str]] = frozenset()

    def times(self, factor: int) -> _Branch:
        """Return the branch with another coefficient."""
        return self._replace(coefficient=self.coefficient * factor)

    def holds(self, name: Symbol, arguments: Arguments) -> _Branch:
        """Return the branch with one more true atom."""
        return self._replace(atoms=(*self.atoms, (name, arguments)))

    def settled(self, arguments: Arguments) -> Arguments:
        """Return what arguments are."""
        return tuple(self.values[t] if isinstance(t, int) else t for t in arguments)

    def same(self, left: Arguments, right: Arguments, types: Sequence[str]) -> _Branch | None:
        """Return the branch in which two lists of arguments are equal; None where they cannot be."""
        branch = self
        for a, b in zip(left, right, strict=True):
            first, second = branch.settled((a, b))
            if first == second:
                continue
            if isinstance(first, str):
                first, second = second, first
            if isinstance(first, str):
                return None
            kind = types[first]
            if isinstance(second, str):
                branch = branch._replace(required=branch.required | {(kind, second)})
            elif types[second] != kind:
                branch = branch.holds((kind, types[second]), (first, second))
                continue
            branch = branch._replace(values=tuple(second if v == first else v for v in branch.values))
        return branch


def falsifications(clause: CodedClause) -> Expansion:
    """Return the number of groundings that falsify a clause, multiplied out."""
    branches = [_Branch(1, tuple(range(len(clause.types))))]
    for literal in _merged(clause.literals, clause.types):
        branches = [grown for branch in branches for grown in _false(branch, literal, clause.types)]
        _check_size(branches, clause)
    return _collected(branches, (), clause.types)


def differences(clause: CodedClause, predicate: str, positive: bool | None = None) -> Expansion:
    """Return the satisfied groundings with a ground atom true less those with it false, multiplied out.

    Every literal of the predicate is the head once. Where another literal grounds to the same atom, each
    grounding counts once: for the first of the literals of one sign, and never for opposite signs, which
    make it a tautology. With `positive`, only literals of that sign are heads.
    """
    found: Multiset[Product] = Multiset()
    for j, head in enumerate(clause.literals):
        if head.inequality or head.name != (predicate,) or positive not in (None, head.positive):
            continue
        start = _Branch(1 if head.positive else -1, tuple(range(len(clause.types))))
        alike, others = [], []
        for i, literal in enumerate(clause.literals):
            if i == j:
                continue
            unlike = literal.inequality or literal.name != head.name
            if unlike or start.same(head.arguments, literal.arguments, clause.types) is None:
                others.append(literal)
            else:
                alike.append((literal, i > j and literal.positive == head.positive))
        branches = [start]
        for literal in _merged(others, clause.types):
            branches = [new for branch in branches for new in _false(branch, literal, clause.types)]
            _check_size(branches, clause)
        for literal, once in alike:
            branches = [
                new
                for branch in branches
                for part in (
                    _false(branch, literal, clause.types),
                    _same(branch, literal, head, once, clause),
                )
                for new in part
            ]
            _check_size(branches, clause)
        for product, coefficient in _collected(branches, head.arguments, clause.types):
            found[product] += coefficient
    return tuple((product, coefficient) for product, coefficient in found.items() if coefficient)


def _merged(literals: Sequence[CodedLiteral], types: Sequence[str]) -> list[CodedLiteral]:
    """Return the literals, many positive ones over the same variables as one: Π(1-X) is 1 - (X or X')."""
    positive = [x for x in literals if x.positive and not x.inequality]
    if len(positive) < _MERGED_FROM:
        return list(literals)
    groups: dict[tuple[int, ...], list[CodedLiteral]] = {}
    for literal in positive:
        groups.setdefault(tuple(sorted(literal.variables())), []).append(literal)
    found = [x for x in literals if x.inequality or not x.positive]
    for variables, group in groups.items():
        columns = {v: i for i, v in enumerate(variables)}
        members = [
            (str(x.name[0]), tuple(columns[t] if isinstance(t, int) else t for t in x.arguments))
            for x in group
        ]
        name = Union(tuple(sorted(members, key=repr)), tuple(types[v] for v in variables))
        found += group if len(group) == 1 else [CodedLiteral(name, variables, positive=True)]
    return found


def _false(branch: _Branch, literal: CodedLiteral, types: Sequence[str]) -> Iterator[_Branch]:
    """Yield the branches in which a literal is false."""
    if literal.inequality:
        equal = branch.same(literal.arguments[:1], literal.arguments[1:], types)
    else:
        equal = branch.holds(literal.name, literal.arguments)
    if literal.inequality != literal.positive:  # A positive literal, or an equation: one minus X or E.
        yield branch
        if equal is not None:
            yield equal.times(-1)
    elif equal is not None:
        yield equal


def _same(
    branch: _Branch, literal: CodedLiteral, head: CodedLiteral, once: bool, clause: CodedClause
) -> Iterator[_Branch]:
    """Yield the correction where a literal grounds to the same atom as the head.

    With F for "the literal is false" and E for "the same atom", what is wanted is (1-E)F, and (1-E)F + E
    where the grounding counts once: the corrections to F are -EF and E(1-F).
    """
    same = branch.same(head.arguments, literal.arguments, clause.types)
    if same is None:
        return
    true = same.holds(head.name, head.arguments)
    sign = 1 if once else -1
    if literal.positive == once:  # E(1-F) = EX of a positive literal, -EF = -EX of a negative one.
        yield true.times(sign)
    else:
        yield same.times(sign)
        yield true.times(-sign)


def _check_size(branches: list[_Branch], clause: CodedClause) -> None:
    if len(branches) > _MOST_TERMS:
        raise UsageError(
            f"a clause of {len(clause.literals)} literals has too many products to count "
            f"({len(branches)} and more): use fewer positive literals"
        )


def _collected(branches: Iterable[_Branch], head: Arguments, types: tuple[str, ...]) -> Expansion:
    found: Multiset[Product] = Multiset()
    for branch in branches:
        atoms = frozenset((name, branch.settled(arguments)) for name, arguments in branch.atoms)
        left = frozenset(v for v in branch.values if isinstance(v, int))
        found[_product(atoms, branch.settled(head), left, types, branch.required)] += branch.coefficient
    return tuple((product, coefficient) for product, coefficient in found.items() if coefficient)


_Atom = tuple[Symbol, Arguments]


@lru_cache(maxsize=1 << 15)
def _product(
    atoms: frozenset[_Atom],
    head: Arguments,
    variables: frozenset[int],
    types: tuple[str, ...],
    required: frozenset[tuple[str, str]],
) -> Product:
    """Return the product of true atoms that share outputs with the head only."""
    places: dict[Code, tuple[int, ...]] = {}
    for position, term in enumerate(head):
        places[term] = (*places.get(term, ()), position)
    factors: list[Factor] = []
    for part in _connected(sorted(atoms, key=repr)):
        conjunction, outputs = _named(part, places)
        factors.append(Factor(conjunction, tuple(places[v] for v in outputs)))
    used = {t for _, arguments in atoms for t in arguments}
    for term, where in places.items():
        if isinstance(term, str):
            factors.extend(Factor(None, ((position,),), term) for position in where)
        elif term not in used and len(where) > 1:
            factors.append(Factor(None, (where,)))
    free = tuple(sorted(types[v] for v in variables if v not in used and v not in places))
    return Product(tuple(sorted(factors, key=repr)), free, required)


def _connected(atoms: list[_Atom]) -> list[list[_Atom]]:
    """Return the atoms in groups that share no variables."""
    groups: list[tuple[set[Code], list[_Atom]]] = []
    for atom in atoms:
        variables: set[Code] = {t for t in atom[1] if isinstance(t, int)}
        members = [atom]
        others = []
        for known, group in groups:
            if known.isdisjoint(variables):
                others.append((known, group))
            else:
                variables |= known
                members = group + members
        groups = [*others, (variables, members)]
    return [members for _, members in groups]


def _named(atoms: list[_Atom], outputs: Iterable[Code]) -> tuple[Conjunction, tuple[int, ...]]:
    """Return the conjunction under the smallest names over all orders, and its output variables."""

    def named(order: Sequence[_Atom], numbers: Numbers) -> tuple[tuple[Symbol, Arguments], ...]:
        return tuple(
            (name, tuple(number_of(t, numbers) if isinstance(t, int) else t for t in arguments))
            for name, arguments in order
        )

    def reading(order: Sequence[_Atom], numbers: Numbers) -> tuple[object, ...]:
        listed = named(order, numbers)
        codes = [[(isinstance(t, str), t) for t in arguments] for _, arguments in listed]
        return codes, tuple(number for v, number in numbers.items() if v in outputs)

    _, found = least_readings(orders(atoms, lambda atom: repr(atom[0]), MOST_ORDERS), reading)
    order, numbers = found[0]
    chosen = tuple(v for v in numbers if v in outputs)
    return Conjunction(named(order, numbers), tuple(numbers[v] for v in chosen)), chosen
