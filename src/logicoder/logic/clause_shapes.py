"""Are two clauses the same but for names and orders? Does the body of one contain a shape?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations

from logicoder.logic.terms import Atom, Body, Clause, Literal, Term, Variable

Renaming = Mapping[Variable, Variable]


def renamings(pattern: Body, body: Body, known: Renaming | None = None) -> Iterator[dict[Variable, Variable]]:
    """Yield the injective renamings of variables that turn the literals of a pattern into some of a body.

    Each literal of the pattern is matched with another one of the body, which may have more.

    >>> clause = Clause.parse("l(A) :- p(A,B), q(B), q(A).")
    >>> pattern = Clause.parse("x :- p(X,Y), q(Y).").alternatives[0]
    >>> [{str(k): str(v) for k, v in found.items()} for found in renamings(pattern, clause.alternatives[0])]
    [{'X': 'A', 'Y': 'B'}]
    """
    if not pattern:
        yield dict(known or {})
        return
    first, rest = pattern[0], pattern[1:]
    for place, literal in enumerate(body):
        extended = _extended(first, literal, known or {})
        if extended is not None:
            yield from renamings(rest, body[:place] + body[place + 1 :], extended)


def _extended(pattern: Literal, literal: Literal, known: Renaming) -> dict[Variable, Variable] | None:
    """Return a renaming extended so that one literal becomes another, or None."""
    a, b = pattern.atom, literal.atom
    if pattern.positive != literal.positive or a.predicate != b.predicate or a.arity != b.arity:
        return None
    return _matched(a.arguments, b.arguments, known)


def _matched(
    pattern: Sequence[Term], arguments: Sequence[Term], known: Renaming
) -> dict[Variable, Variable] | None:
    found = dict(known)
    for mine, other in zip(pattern, arguments, strict=True):
        if isinstance(mine, Variable) and isinstance(other, Variable):
            if found.setdefault(mine, other) != other:
                return None
        elif mine != other:
            return None
    return found if len(set(found.values())) == len(found) else None


def contains(clause: Clause, pattern: Body) -> bool:
    """Whether some alternative of the body of a clause contains literals of the shape of a pattern.

    >>> contains(Clause.parse("l(X) :- p(X,Y) ; p(Z,Z), q(X)."), Clause.parse("x :- p(A,A).").alternatives[0])
    True
    """
    return any(True for body in clause.alternatives for _ in renamings(pattern, body))


def column_orders(pattern: Clause, clause: Clause) -> list[tuple[int, ...]]:
    """Return the orders of a clause's head arguments under which it is the same clause as a pattern.

    Names of variables and of the head, and the order of literals, alternatives and head arguments do not
    matter; variables that are not in the head are apart in each alternative. Argument `i` of the pattern's
    head is argument `order[i]` of the clause's; no order means that the clauses differ.

    >>> column_orders(Clause.parse("l(X,Y) :- p(X,Y) ; q(Y,X)."), Clause.parse("k(A,B) :- q(A,B) ; p(B,A)."))
    [(1, 0)]
    """
    a, b = pattern.head.arguments, clause.head.arguments
    if len(a) != len(b) or len(pattern.alternatives) != len(clause.alternatives):
        return []
    orders = []
    for order in permutations(range(len(a))):
        known = _matched(a, [b[place] for place in order], {})
        if known is not None and _same_alternatives(pattern.alternatives, clause.alternatives, known):
            orders.append(order)
    return orders


def same_clause(pattern: Clause, clause: Clause) -> bool:
    """Whether two clauses are the same but for the names of variables and the order of literals.

    >>> same_clause(Clause.parse("p(X,Y) :- l(Y,X), k(X)."), Clause.parse("p(A,B) :- k(A), l(B,A)."))
    True
    """
    if pattern.head.predicate != clause.head.predicate or pattern.head.arity != clause.head.arity:
        return False
    known = _matched(pattern.head.arguments, clause.head.arguments, {})
    return known is not None and _same_alternatives(pattern.alternatives, clause.alternatives, known)


def _same_alternatives(mine: Sequence[Body], others: Sequence[Body], known: Renaming) -> bool:
    """Whether each alternative is one of the others', head variables renamed as known."""
    if len(mine) != len(others):
        return False
    if not mine:
        return True
    for place, other in enumerate(others):
        same = len(mine[0]) == len(other) and any(True for _ in renamings(mine[0], other, known))
        if same and _same_alternatives(mine[1:], [*others[:place], *others[place + 1 :]], known):
            return True
    return False


def reordered(atom: Atom, name: str, order: Sequence[int]) -> Atom:
    """Return an atom under another name, its argument `i` at place `order[i]`."""
    arguments = list(atom.arguments)
    for place, argument in zip(order, atom.arguments, strict=True):
        arguments[place] = argument
    return Atom(name, tuple(arguments))
