"""Substitutions: terms in the place of variables, found by making arguments equal."""

from __future__ import annotations

from collections.abc import Iterable

from logicoder.logic.terms import Term, Variable

Substitution = dict[Variable, Term]


def value(term: Term, substitution: Substitution) -> Term:
    """Return what a term is under a substitution."""
    while isinstance(term, Variable) and term in substitution:
        term = substitution[term]
    return term


def unify(left: Iterable[Term], right: Iterable[Term], substitution: Substitution) -> bool:
    """Make arguments equal, if that can be; variables of the left side are preferred as names."""
    for a, b in zip(left, right, strict=True):
        first, second = value(a, substitution), value(b, substitution)
        if first == second:
            continue
        if isinstance(second, Variable):
            substitution[second] = first
        elif isinstance(first, Variable):
            substitution[first] = second
        else:
            return False
    return True
