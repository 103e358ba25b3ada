"""Does one clause say all that another one says?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from logicoder.logic.terms import Clause, Literal, Term, Variable

Substitution = Mapping[Variable, Term]


def subsumes(general: Clause, special: Clause) -> bool:
    r"""Whether a clause with one alternative implies another by putting terms for its variables.

    >>> general = Clause.parse("p(X,Y) :- q(X,Z), r(Z,Y).")
    >>> subsumes(general, Clause.parse("p(A,B) :- r(A,B), q(A,A), s(B)."))
    True
    >>> subsumes(general, Clause.parse("p(A,B) :- r(A,B), q(A,B)."))
    False

    That something has no value at all says more than that it has not a certain one.

    >>> subsumes(Clause.parse("p(X) :- \\+ q(X,_)."), Clause.parse("p(X) :- \\+ q(X,a)."))
    False
    """
    if (general.head.predicate, general.head.arity) != (special.head.predicate, special.head.arity):
        return False
    start = _matched(general.head.arguments, special.head.arguments, {})
    (wanted,), (given,) = general.alternatives, special.alternatives
    return start is not None and _fits(wanted, given, start)


def _fits(wanted: Sequence[Literal], given: Sequence[Literal], known: Substitution) -> bool:
    if not wanted:
        return True
    first, *others = wanted
    for item in given:
        same = item.atom.predicate == first.atom.predicate and item.positive == first.positive
        same = same and (item.positive or _free(first) == _free(item))
        if same and item.inequality == first.inequality and item.atom.arity == first.atom.arity:
            found = _matched(first.atom.arguments, item.atom.arguments, known)
            if found is not None and _fits(others, given, found):
                return True
    return False


def _free(literal: Literal) -> list[int]:
    """Return the places where a literal has variables of its own."""
    return [
        place
        for place, argument in enumerate(literal.atom.arguments)
        if isinstance(argument, Variable) and argument.is_anonymous
    ]


def _matched(wanted: Sequence[Term], given: Sequence[Term], known: Substitution) -> Substitution | None:
    found = dict(known)
    for own, other in zip(wanted, given, strict=True):
        if isinstance(own, Variable):
            if found.setdefault(own, other) != other:
                return None
        elif own != other:
            return None
    return found
