"""Clauses up to the names of variables and the order of literals: all of them within limits.

A clause without its signs is a *skeleton*: `p(X) v !q(X,Y)` and `!p(X) v q(X,Y)` share one. Learners look at
skeletons first, because all sign patterns of a skeleton can be judged from the same counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, product

from logicoder.kb.schema import Schema
from logicoder.logic.orders import Numbers, number_of, orders
from logicoder.logic.terms import Atom, Constant, Literal, Term, Variable
from logicoder.mln.counting import canonical
from logicoder.mln.formulas import Literals

Slots = tuple[int | str, ...]
"""Arguments of an atom: numbers are variables, texts are constants."""

Skeleton = tuple[tuple[str, Slots], ...]
"""Atoms of a clause, sorted by predicate."""

Signs = tuple[bool, ...]


def clause_of(skeleton: Sequence[tuple[str, Slots]], signs: Sequence[bool]) -> Literals:
    """Return the literals of a skeleton with signs: variables are called A1, A2, ..."""
    return tuple(
        Literal(Atom(name, tuple(_term(slot) for slot in slots)), positive=sign)
        for (name, slots), sign in zip(skeleton, signs, strict=True)
    )


def sign_patterns(skeleton: Skeleton) -> list[Signs]:
    """Return the signs that give different clauses: of patterns that a symmetry of the skeleton joins, one.

    >>> sign_patterns((("p", (0,)), ("p", (1,))))
    [(False, False), (False, True), (True, True)]
    """
    found: dict[Literals, Signs] = {}
    for signs in product((False, True), repeat=len(skeleton)):
        found.setdefault(canonical(clause_of(skeleton, signs)), signs)
    return list(found.values())


def skeletons(
    schema: Schema,
    *,
    max_literals: int,
    max_variables: int,
    constants: Mapping[str, Sequence[str]] | None = None,
) -> Iterator[Skeleton]:
    """Yield every connected skeleton within the limits once, short ones first.

    Args:
        schema: the predicates.
        max_literals: the most literals.
        max_variables: the most variables.
        constants: for some types, constants that may stand in the place of variables.

    >>> from logicoder.kb.schema import Predicate
    >>> schema = Schema.of(Predicate("p", ("t",)), Predicate("q", ("t", "t")))
    >>> list(skeletons(schema, max_literals=1, max_variables=2))
    [(('p', (0,)),), (('q', (0, 0)),), (('q', (0, 1)),)]
    """
    for length in range(1, max_literals + 1):
        for names in combinations_with_replacement(sorted(schema), length):
            kinds = [schema[name].types for name in names]
            for slots in _fillings([k for types in kinds for k in types], max_variables, constants or {}):
                skeleton = _cut(names, kinds, slots)
                if len(set(skeleton)) == length and is_connected(skeleton) and _is_canonical(skeleton):
                    yield skeleton


def is_connected(skeleton: Sequence[tuple[str, Slots]]) -> bool:
    """Whether variables link all atoms; an atom without variables stands alone."""
    groups = [{s for s in slots if isinstance(s, int)} for _, slots in skeleton]
    if len(groups) == 1:
        return True
    reached, rest = groups[0], groups[1:]
    while rest:
        linked = [group for group in rest if group & reached]
        if not linked:
            return False
        reached = reached.union(*linked)
        rest = [group for group in rest if not group & reached]
    return True


def _fillings(
    kinds: Sequence[str], most: int, constants: Mapping[str, Sequence[str]]
) -> Iterator[tuple[int | str, ...]]:
    """Yield the ways to put variables, numbered by first occurrence, and constants into typed places."""
    filled: list[int | str] = []
    types: list[str] = []

    def go_on() -> Iterator[tuple[int | str, ...]]:
        if len(filled) == len(kinds):
            yield tuple(filled)
            return
        kind = kinds[len(filled)]
        choices: list[int | str] = [*(v for v, known in enumerate(types) if known == kind)]
        choices += constants.get(kind, ())
        for choice in choices:
            filled.append(choice)
            yield from go_on()
            filled.pop()
        if len(types) < most:
            filled.append(len(types))
            types.append(kind)
            yield from go_on()
            types.pop()
            filled.pop()

    return go_on()


def _cut(names: Sequence[str], kinds: Sequence[tuple[str, ...]], slots: tuple[int | str, ...]) -> Skeleton:
    found, start = [], 0
    for name, types in zip(names, kinds, strict=True):
        found.append((name, slots[start : start + len(types)]))
        start += len(types)
    return tuple(found)


def _is_canonical(skeleton: Skeleton) -> bool:
    """Whether this is the smallest of all orders: only atoms of one predicate may change places."""
    own = _reading(skeleton, {})
    return all(own <= _reading(order, {}) for order in orders(skeleton, lambda atom: atom[0]))


def _reading(
    atoms: Sequence[tuple[str, Slots]], numbers: Numbers
) -> list[tuple[str, list[tuple[bool, int | str]]]]:
    return [
        (name, [(True, s) if isinstance(s, str) else (False, number_of(s, numbers)) for s in slots])
        for name, slots in atoms
    ]


def _term(slot: int | str) -> Term:
    return Constant(slot) if isinstance(slot, str) else Variable(f"A{slot + 1}")
