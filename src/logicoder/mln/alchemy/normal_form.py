"""From first-order formulas to clauses.

Implications and equivalences go, negations move to the atoms, quantifiers are eliminated and what remains is
multiplied out. A universal quantifier is simply dropped once every variable has a name of its own: all
variables of a clause are universal. An existential one

- is a universal one where it is negated, as in the antecedent of an implication;
- goes where its variable must equal a term (`EXIST y (y = Anna ^ p(x,y))` is `p(x,Anna)`);
- moves inwards as far as possible, and what it then reaches becomes a disjunction over the constants of the
  variable's type, which must be known. Types are taken to have at least one constant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import count

from logicoder.base.errors import UsageError
from logicoder.logic.terms import Constant, Literal, Term, Variable
from logicoder.mln.alchemy.syntax import (
    FALSE,
    TRUE,
    And,
    Equivalent,
    Implies,
    Leaf,
    Node,
    Not,
    Or,
    Quantified,
    free_variables,
    leaves,
    mapped,
    substituted,
)

Literals = tuple[Literal, ...]
Constants = Callable[[Variable, Node], Sequence[str]]
"""Returns the constants that a variable of a formula ranges over, or raises a UsageError."""

_MOST_CLAUSES = 10_000
_MOST_LITERALS = 1_000_000
_MOST_LEAVES = 100_000


def clauses_of(node: Node, constants: Constants) -> list[Literals]:
    """Return clauses whose conjunction is equivalent to a formula; none at all if it is always true.

    A disjunction of literals is taken as it stands. Elsewhere clauses that are always true are left out,
    and so are repeated clauses and literals.

    Raises:
        UsageError: where an existential quantifier cannot be eliminated, or there would be too many clauses.
    """
    if _expanded_size(node) > _MOST_LEAVES:
        raise UsageError(
            f"without `<=>` this formula would have more than {_MOST_LEAVES:,} literals; "
            "split it, or define a part of it as a predicate"
        )
    plain = _without_connectives(node, positive=True)
    plain = _Quantifiers(plain, constants).eliminated()
    if all(isinstance(part, Leaf) for part in (plain.parts if isinstance(plain, Or) else (plain,))):
        folded = _folded(leaf.literal for leaf in leaves(plain))
        return [] if folded is None else [folded]
    return list(_multiplied(plain))


def _expanded_size(node: Node) -> int:
    """Return how many literals a formula has without `<=>`, which doubles what stands on its sides."""
    match node:
        case Leaf():
            return 1
        case Not(body) | Quantified(_, _, body):
            return _expanded_size(body)
        case And(parts) | Or(parts):
            return sum(map(_expanded_size, parts))
        case Implies(left, right):
            return _expanded_size(left) + _expanded_size(right)
        case Equivalent(left, right):
            return 2 * (_expanded_size(left) + _expanded_size(right))


def _without_connectives(node: Node, *, positive: bool) -> Node:  # noqa: PLR0911  (one per kind)
    """Return the formula, or its negation, with `!` at the literals only, and without `=>` and `<=>`."""

    def same(child: Node) -> Node:
        return _without_connectives(child, positive=positive)

    def other(child: Node) -> Node:
        return _without_connectives(child, positive=not positive)

    match node:
        case Leaf(literal):
            return Leaf(Literal(literal.atom, literal.positive == positive, literal.inequality))
        case Not(body):
            return other(body)
        case And(parts):
            return _joined(And if positive else Or, map(same, parts))
        case Or(parts):
            return _joined(Or if positive else And, map(same, parts))
        case Implies(left, right):
            return _joined(Or if positive else And, (other(left), same(right)))
        case Equivalent(left, right):
            if positive:
                return And((_joined(Or, (other(left), same(right))), _joined(Or, (same(left), other(right)))))
            # Here `same` negates: not both, and one of them.
            return And((_joined(Or, (other(left), other(right))), _joined(Or, (same(left), same(right)))))
        case Quantified(universal, variable, body):
            return Quantified(universal == positive, variable, same(body))


def _joined(kind: type[And] | type[Or], parts: Iterable[Node]) -> Node:
    """Return a conjunction or disjunction without others of its kind directly within it."""
    found: list[Node] = []
    for part in parts:
        if isinstance(part, kind):
            found.extend(part.parts)
        elif part == (FALSE if kind is And else TRUE):
            return part
        else:
            found.append(part)
    return found[0] if len(found) == 1 else kind(tuple(found))


class _Quantifiers:
    """The elimination of the quantifiers of one formula without connectives other than `^` and `v`."""

    def __init__(self, node: Node, constants: Constants) -> None:
        self._constants = constants
        self._taken = {v.name for leaf in leaves(node) for v in leaf.literal.atom.variables()}
        self._node = self._apart(node, set(free_variables(node)))
        self._literals = 0

    def eliminated(self) -> Node:
        """Return the formula without quantifiers; its variables are universal."""
        return self._without(self._node, set(free_variables(self._node)))

    def _apart(self, node: Node, used: set[Variable]) -> Node:
        """Give each quantifier a variable of its own."""
        if isinstance(node, Quantified):
            fresh = self._fresh(node.variable, used)
            body = substituted(node.body, {node.variable: fresh})
            return Quantified(node.universal, fresh, self._apart(body, used))
        return mapped(node, lambda child: self._apart(child, used))

    def _fresh(self, variable: Variable, used: set[Variable]) -> Variable:
        """Return a variable that is not used yet, called like this one if possible."""
        found = variable
        if variable in used:
            names = (f"{variable.name}{i}" for i in count(1))
            found = Variable(next(name for name in names if name not in self._taken))
            self._taken.add(found.name)
        used.add(found)
        return found

    def _without(self, node: Node, used: set[Variable]) -> Node:
        """Drop quantifiers; `used` are the variables that a universal one must not share.

        Names can be shared again, since the disjuncts of an expanded existential formula are copies.
        """
        match node:
            case Quantified(True, variable, body):
                fresh = self._fresh(variable, used)
                return self._without(substituted(body, {variable: fresh}), used)
            case Quantified(False, variable, body):
                return self._without(self._some(variable, body), used)
            case And(parts):
                return _joined(And, [self._without(part, used) for part in parts])
            case Or(parts):
                return _joined(Or, [self._without(part, used) for part in parts])
        return node

    def _some(self, variable: Variable, body: Node) -> Node:
        """Return `EXIST variable body` without this quantifier."""
        if variable not in free_variables(body):
            return body
        match body:
            case Or(parts):
                return _joined(Or, [self._some(variable, part) for part in parts])
            case And(parts):
                return self._some_of_all(variable, parts)
            case Quantified(False, inner, inside):
                return self._some(variable, self._some(inner, inside))
        return self._expanded(variable, body)

    def _some_of_all(self, variable: Variable, parts: tuple[Node, ...]) -> Node:
        for part in parts:
            term = _must_equal(part, variable)
            if term is not None:
                rest = _joined(And, [p for p in parts if p is not part])
                return substituted(rest, {variable: term})
        outside = [part for part in parts if variable not in free_variables(part)]
        inside = [part for part in parts if variable in free_variables(part)]
        if outside:
            return _joined(And, [*outside, self._some(variable, _joined(And, inside))])
        return self._expanded(variable, And(parts))

    def _expanded(self, variable: Variable, body: Node) -> Node:
        symbols = self._constants(variable, self._node)
        self._literals += len(symbols) * sum(1 for _ in leaves(body))
        if self._literals > _MOST_LITERALS:
            raise UsageError(
                f"EXIST {variable} would become more than {_MOST_LITERALS:,} literals; "
                "use fewer constants or fewer quantifiers"
            )
        return _joined(Or, [substituted(body, {variable: Constant(symbol)}) for symbol in symbols])


def _must_equal(node: Node, variable: Variable) -> Term | None:
    """Return the other term where a formula is an equality of the variable."""
    if not isinstance(node, Leaf) or not node.literal.inequality or node.literal.positive:
        return None
    left, right = node.literal.atom.arguments
    if left == right or variable not in (left, right):
        return None
    return right if left == variable else left


def _folded(literals: Iterable[Literal]) -> Literals | None:
    """Return a clause without comparisons of constants that fail, or None if such a comparison holds."""
    found = []
    for literal in literals:
        if literal.inequality:
            left, right = literal.atom.arguments
            known = left == right or (isinstance(left, Constant) and isinstance(right, Constant))
            if known:
                if (left != right) == literal.positive:
                    return None
                continue
        found.append(literal)
    return tuple(found)


def _multiplied(node: Node) -> dict[Literals, None]:
    """Return the clauses of a formula of literals, `^` and `v`; a dictionary keeps their order."""
    if isinstance(node, Leaf):
        return _clauses([(node.literal,)])
    if isinstance(node, And):
        return _clauses(clause for part in node.parts for clause in _multiplied(part))
    assert isinstance(node, Or)  # noqa: S101  (no other kind is left)
    found: dict[Literals, None] = {(): None}
    for part in node.parts:
        others = _multiplied(part)
        if len(found) * len(others) > _MOST_CLAUSES:
            raise UsageError(
                f"this formula would become more than {_MOST_CLAUSES:,} clauses; "
                "split it, or define a part of it as a predicate"
            )
        found = _clauses(first + second for first in found for second in others)
    return found


def _clauses(clauses: Iterable[Literals]) -> dict[Literals, None]:
    """Return clauses without repetitions and without those that are always true."""
    found: dict[frozenset[Literal], Literals] = {}
    for clause in clauses:
        folded = _folded(dict.fromkeys(clause))
        if folded is None:
            continue
        known = frozenset(folded)
        if any(Literal(x.atom, not x.positive, x.inequality) in known for x in folded):
            continue
        found.setdefault(known, folded)
    return dict.fromkeys(found.values())
