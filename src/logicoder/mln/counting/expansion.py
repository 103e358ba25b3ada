"""Clauses as signed sums of conjunctions of true atoms.

A grounding falsifies a clause where all of its literals are false: a negative literal where its atom is true
(X), a positive one where it is not (1 - X), an equation where its sides differ (1 - E), an inequality where
they are equal (E). Multiplied out, that is a sum of products of X alone, with equal variables made one:
sparse joins, in which nothing false is ever listed. Clauses that differ in signs only share all of them.
"""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations

from logicoder.base.errors import UsageError
from logicoder.logic.substitution import Substitution, unify, value
from logicoder.logic.terms import Atom, Constant, Literal, Term, Variable
from logicoder.mln.formulas import Literals, variables_of

_MOST_ORDERS = 4
"""Atoms of which all orders are tried for a common name; longer conjunctions are only put in one order."""
_MOST_TERMS = 1 << 14
"""Products into which a clause may be multiplied out."""

Code = tuple[int, int | str]
"""An argument: `(0, number of a variable)` or `(1, symbol of a constant)`."""
Symbol = tuple[str, ...]
"""A relation: `(predicate,)`, or two types, for pairs of constants of the same symbol."""


@dataclass(frozen=True)
class Conjunction:
    """Connected true atoms, named alike for all renamings: how often do they hold for each output?

    Attributes:
        atoms: each a relation and its arguments.
        outputs: the variables that are not summed over.
    """

    atoms: tuple[tuple[Symbol, tuple[Code, ...]], ...]
    outputs: tuple[int, ...]


@dataclass(frozen=True)
class Factor:
    """A conjunction over some arguments of the head atom; without one, only a pattern of them.

    Attributes:
        conjunction: what is counted; None for one per pattern.
        places: the positions of the head at which each output stands.
        constant: the symbol that stands at the only place, instead of an output.
    """

    conjunction: Conjunction | None
    places: tuple[tuple[int, ...], ...]
    constant: str | None = None


@dataclass(frozen=True)
class Product:
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


@dataclass(frozen=True)
class _Branch:
    """A product that is still growing."""

    coefficient: int
    substitution: Substitution
    atoms: tuple[tuple[Symbol, tuple[Term, ...]], ...] = ()
    required: frozenset[tuple[str, str]] = frozenset()

    def times(self, factor: int) -> _Branch:
        return _Branch(self.coefficient * factor, self.substitution, self.atoms, self.required)

    def holds(self, name: Symbol, arguments: tuple[Term, ...]) -> _Branch:
        """Return the branch with one more true atom."""
        atoms = (*self.atoms, (name, arguments))
        return _Branch(self.coefficient, self.substitution, atoms, self.required)

    def same(
        self, left: tuple[Term, ...], right: tuple[Term, ...], types: Mapping[Variable, str]
    ) -> _Branch | None:
        """Return the branch in which two lists of terms are equal; None where they cannot be."""
        substitution, atoms, required = dict(self.substitution), self.atoms, set(self.required)
        for a, b in zip(left, right, strict=True):
            first, second = value(a, substitution), value(b, substitution)
            kinds = [types[t] for t in (first, second) if isinstance(t, Variable)]
            if len(kinds) == 2 and kinds[0] != kinds[1]:
                atoms = (*atoms, ((kinds[0], kinds[1]), (first, second)))
            elif not unify([first], [second], substitution):
                return None
            elif len(kinds) == 1:
                constant = second if isinstance(first, Variable) else first
                required.add((kinds[0], str(constant)))
        return _Branch(self.coefficient, substitution, atoms, frozenset(required))


def falsifications(literals: Literals, types: Mapping[Variable, str]) -> Expansion:
    """Return the number of groundings that falsify a clause, multiplied out."""
    branches = [_Branch(1, {})]
    for literal in literals:
        branches = [grown for branch in branches for grown in _false(branch, literal, types)]
        _check_size(branches, literals)
    return _collected(branches, (), variables_of(literals), types)


def differences(
    literals: Literals, predicate: str, types: Mapping[Variable, str], positive: bool | None = None
) -> Expansion:
    """Return the satisfied groundings with a ground atom true less those with it false, multiplied out.

    Every literal of the predicate is the head once. Where another literal grounds to the same atom, each
    grounding counts once: for the first of the literals of one sign, and never for opposite signs, which
    make it a tautology. With `positive`, only literals of that sign are heads.
    """
    found: Multiset[Product] = Multiset()
    for j, head in enumerate(literals):
        if head.inequality or head.atom.predicate != predicate or positive not in (None, head.positive):
            continue
        branches = [_Branch(1 if head.positive else -1, {})]
        for i, literal in enumerate(literals):
            if i == j:
                continue
            grown = [new for branch in branches for new in _false(branch, literal, types)]
            if not literal.inequality and literal.atom.predicate == predicate:
                counts_once = i > j and literal.positive == head.positive
                for branch in branches:
                    grown += _same_atom(branch, literal, head, counts_once, types)
            branches = grown
            _check_size(branches, literals)
        for product, coefficient in _collected(branches, head.atom.arguments, variables_of(literals), types):
            found[product] += coefficient
    return tuple((product, coefficient) for product, coefficient in found.items() if coefficient)


def _false(branch: _Branch, literal: Literal, types: Mapping[Variable, str]) -> Iterator[_Branch]:
    """Yield the branches in which a literal is false."""
    if literal.inequality:
        left, right = literal.atom.arguments
        equal = branch.same((left,), (right,), types)
    else:
        equal = branch.holds((literal.atom.predicate,), literal.atom.arguments)
    if literal.inequality != literal.positive:  # A positive literal, or an equation: one minus X or E.
        yield branch
        if equal is not None:
            yield equal.times(-1)
    elif equal is not None:
        yield equal


def _same_atom(
    branch: _Branch, literal: Literal, head: Literal, counts_once: bool, types: Mapping[Variable, str]
) -> Iterator[_Branch]:
    """Yield the correction where a literal grounds to the same atom as the head.

    With F for "the literal is false" and E for "the same atom", what is wanted is (1-E)F, and (1-E)F + E
    where the grounding counts once: the corrections to F are -EF and E(1-F).
    """
    same = branch.same(head.atom.arguments, literal.atom.arguments, types)
    if same is None:
        return
    true = same.holds((head.atom.predicate,), head.atom.arguments)
    if literal.positive == counts_once:  # E(1-F) = EX of a positive literal, -EF = -EX of a negative one.
        yield true.times(1 if counts_once else -1)
    else:
        sign = 1 if counts_once else -1
        yield same.times(sign)
        yield true.times(-sign)


def _check_size(branches: list[_Branch], literals: Literals) -> None:
    if len(branches) > _MOST_TERMS:
        raise UsageError(
            f"a clause of {len(literals)} literals has too many products to count "
            f"({len(branches)} and more): use fewer positive literals"
        )


def _collected(
    branches: Iterable[_Branch],
    head: tuple[Term, ...],
    variables: tuple[Variable, ...],
    types: Mapping[Variable, str],
) -> Expansion:
    found: Multiset[Product] = Multiset()
    for branch in branches:
        found[_product(branch, head, variables, types)] += branch.coefficient
    return tuple((product, coefficient) for product, coefficient in found.items() if coefficient)


def _product(
    branch: _Branch, head: tuple[Term, ...], variables: tuple[Variable, ...], types: Mapping[Variable, str]
) -> Product:
    known = branch.substitution
    atoms = {(name, tuple(value(t, known) for t in arguments)): None for name, arguments in branch.atoms}
    places: dict[Term, tuple[int, ...]] = {}
    for position, term in enumerate(head):
        settled = value(term, known)
        places[settled] = (*places.get(settled, ()), position)
    factors: list[Factor] = []
    used: set[Term] = set()
    for part in _connected(list(atoms)):
        conjunction, outputs = _named(part, frozenset(t for t in places if isinstance(t, Variable)))
        used.update(t for _, arguments in part for t in arguments)
        factors.append(Factor(conjunction, tuple(places[v] for v in outputs)))
    for term, where in places.items():
        if isinstance(term, Constant):
            factors.extend(Factor(None, ((position,),), term.symbol) for position in where)
        elif term not in used and len(where) > 1:
            factors.append(Factor(None, (where,)))
    left = {value(v, known) for v in variables} - used - places.keys()
    free = tuple(sorted(types[v] for v in left if isinstance(v, Variable)))
    factors.sort(key=repr)
    return Product(tuple(factors), free, branch.required)


_Atom = tuple[Symbol, tuple[Term, ...]]


def _connected(atoms: list[_Atom]) -> list[list[_Atom]]:
    """Return the atoms in groups that share no variables."""
    groups: list[tuple[set[Term], list[_Atom]]] = []
    for atom in atoms:
        variables: set[Term] = {t for t in atom[1] if isinstance(t, Variable)}
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


def _named(atoms: list[_Atom], outputs: frozenset[Term]) -> tuple[Conjunction, tuple[Variable, ...]]:
    """Return the conjunction under the smallest names over all orders, and its output variables."""
    by_name = sorted(atoms, key=lambda atom: (atom[0], repr(atom[1]) if len(atoms) > _MOST_ORDERS else ""))
    orders = permutations(by_name) if len(atoms) <= _MOST_ORDERS else iter([tuple(by_name)])
    best: tuple[tuple[tuple[Symbol, tuple[Code, ...]], ...], tuple[int, ...]] | None = None
    chosen: tuple[Variable, ...] = ()
    names = [atom[0] for atom in by_name]
    for order in orders:
        if [atom[0] for atom in order] != names:
            continue
        numbers: dict[Variable, int] = {}
        coded = tuple((name, tuple(_code(t, numbers) for t in arguments)) for name, arguments in order)
        listed = tuple(v for v in numbers if v in outputs)
        key = (coded, tuple(numbers[v] for v in listed))
        if best is None or key < best:
            best, chosen = key, listed
    assert best is not None  # noqa: S101  (there is at least one order)
    return Conjunction(*best), chosen


def _code(term: Term, numbers: dict[Variable, int]) -> Code:
    if isinstance(term, Variable):
        return 0, numbers.setdefault(term, len(numbers))
    return 1, term.symbol


def canonical(literals: Literals) -> Literals:
    """Return the same clause for all names of variables and orders of literals; repeated ones stand once.

    >>> x, y = Variable("X"), Variable("Y")
    >>> one = canonical((Literal(Atom("p", (x, y))), Literal(Atom("q", (x,)), positive=False)))
    >>> two = canonical((Literal(Atom("q", (y,)), positive=False), Literal(Atom("p", (y, x)))))
    >>> one == two
    True
    """
    distinct = list(dict.fromkeys(literals))

    def kind(literal: Literal) -> tuple[bool, str, bool]:
        return literal.inequality, literal.atom.predicate, literal.positive

    ordered = sorted(distinct, key=kind)
    kinds = [kind(literal) for literal in ordered]
    orders = permutations(ordered) if len(ordered) <= _MOST_ORDERS else iter([tuple(ordered)])
    best: tuple[tuple[Code, ...], ...] | None = None
    chosen: tuple[Literal, ...] = ()
    for order in orders:
        if [kind(literal) for literal in order] != kinds:
            continue
        numbers: dict[Variable, int] = {}
        key = tuple(tuple(_code(t, numbers) for t in literal.atom.arguments) for literal in order)
        if best is None or key < best:
            best, chosen = key, order
    new = {v: Variable(f"V{i}") for i, v in enumerate(variables_of(chosen))}
    return tuple(
        Literal(
            Atom(x.atom.predicate, tuple(new[t] if isinstance(t, Variable) else t for t in x.atom.arguments)),
            x.positive,
            x.inequality,
        )
        for x in chosen
    )
