"""Candidate bodies and clauses by brute force: write down all of them, keep what is allowed, merge renamings.

A predicate is given by the types of its arguments, a literal is `(predicate, variables)`, a body a set of
literals. Two clauses are the same if some bijection of their variables maps one onto the other; that is
decided by trying all bijections.
"""

from __future__ import annotations

from itertools import chain, combinations, permutations, product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Literal = tuple[int, tuple[int, ...]]
Body = frozenset[Literal]
Signature = tuple[tuple[int, ...], ...]
"""The argument types of each predicate."""
Modes = tuple[tuple[str, ...] | None, ...]
"""The modes of each predicate, None where it has none."""


def variables_of(literals: Iterable[Literal]) -> list[int]:
    return sorted({v for _, arguments in literals for v in arguments})


def renamings(variables: Sequence[int]) -> Iterator[dict[int, int]]:
    for numbers in permutations(range(len(variables))):
        yield dict(zip(variables, numbers, strict=True))


def renamed(literals: Iterable[Literal], names: dict[int, int]) -> tuple[Literal, ...]:
    return tuple(sorted((symbol, tuple(names[v] for v in arguments)) for symbol, arguments in literals))


def body_form(body: Iterable[Literal]) -> tuple[Literal, ...]:
    """Return one form for all renamings of a body."""
    body = set(body)
    return min(renamed(body, names) for names in renamings(variables_of(body)))


def clause_form(head: Iterable[int], body: Iterable[Literal]) -> object:
    """Return one form for all renamings of a clause; the order of its head variables does not matter."""
    body, head = set(body), set(head)
    return min(
        (sorted(names[v] for v in head), renamed(body, names)) for names in renamings(variables_of(body))
    )


def types_of(body: Iterable[Literal], signature: Signature) -> dict[int, set[int]]:
    kinds: dict[int, set[int]] = {}
    for symbol, arguments in body:
        for variable, kind in zip(arguments, signature[symbol], strict=True):
            kinds.setdefault(variable, set()).add(kind)
    return kinds


def connected(body: Iterable[Literal]) -> bool:
    """Whether one can get from each literal to each other over shared variables."""
    literals = list(body)
    reached, rest = {literals[0]}, set(literals[1:])
    while near := {one for one in rest for other in reached if set(one[1]) & set(other[1])}:
        reached |= near
        rest -= near
    return not rest


def bodies(signature: Signature, length: int) -> set[tuple[Literal, ...]]:
    """Return the forms of all typed and connected bodies with exactly `length` literals."""
    widest = max(map(len, signature))
    # Connected literals share variables: each but the first brings one less than it has arguments.
    variables = range(length * widest - (length - 1))
    literals = [
        (symbol, arguments)
        for symbol, kinds in enumerate(signature)
        for arguments in product(variables, repeat=len(kinds))
    ]
    found: set[tuple[Literal, ...]] = set()
    seen: set[Body] = set()
    for body in map(frozenset, combinations(literals, length)):
        # Of the bodies over some variables, those over the first ones have all forms.
        used = variables_of(body)
        if used != list(range(len(used))) or body in seen:
            continue
        if not connected(body) or any(len(kinds) > 1 for kinds in types_of(body, signature).values()):
            continue
        every = {frozenset(renamed(body, names)) for names in renamings(used)}
        seen |= every
        found.add(body_form(body))
    return found


def respects_modes(body: Iterable[Literal], modes: Modes) -> bool:
    """Whether the literals can be written in an order that the modes allow (appendix of the paper).

    The first literal has fresh variables throughout. After it, a `+` argument is a variable that is already
    there and a `-` argument brings a new one.
    """
    return any(_ordered_by_modes(order, modes) for order in permutations(body))


def _ordered_by_modes(order: Sequence[Literal], modes: Modes) -> bool:
    there: set[int] = set()
    for position, (symbol, arguments) in enumerate(order):
        annotation = modes[symbol]
        if annotation is not None:
            fresh = [v for v, mode in zip(arguments, annotation, strict=True) if position == 0 or mode == "-"]
            bound = [v for v, mode in zip(arguments, annotation, strict=True) if position and mode == "+"]
            if len(set(fresh)) < len(fresh) or not there.isdisjoint(fresh) or not there.issuperset(bound):
                return False
        if position and there.isdisjoint(arguments):
            return False
        there |= set(arguments)
    return True


def conjunctive_clauses(forms: Iterable[Iterable[Literal]], largest: int) -> set[str]:
    """Return the forms of all clauses with 1..largest head variables over some bodies."""
    found = set()
    for body in forms:
        variables = variables_of(body)
        for head in chain.from_iterable(combinations(variables, n) for n in range(1, largest + 1)):
            found.add(repr(clause_form(head, body)))
    return found


def disjunction_form(kinds: Sequence[int], disjuncts: Iterable[Literal]) -> object:
    """Return one form of a disjunction: head variables are 0..m-1, each disjunct's others are its own."""
    size = len(kinds)
    forms = []
    for turn in permutations(range(size)):
        turned = [0] * size
        for old, new in enumerate(turn):
            turned[new] = kinds[old]
        forms.append((turned, sorted(_disjunct_form(d, turn, size) for d in disjuncts)))
    return min(forms)


def _disjunct_form(disjunct: Literal, turn: Sequence[int], size: int) -> Literal:
    symbol, arguments = disjunct
    existential = variables_of([disjunct])
    existential = [v for v in existential if v >= size]
    return min(
        (symbol, tuple(turn[a] if a < size else size + names[a] for a in arguments))
        for names in renamings(existential)
    )


def disjunctions(signature: Signature, length: int, largest: int, modes: Modes | None = None) -> set[str]:
    """Return the forms of all disjunctions of 2..length single literals with 1..largest head variables."""
    types = sorted({kind for kinds in signature for kind in kinds})
    widest = max(map(len, signature))
    found = set()
    for size in range(1, largest + 1):
        for kinds in product(types, repeat=size):
            disjuncts: dict[object, Literal] = {}
            for symbol, needed in enumerate(signature):
                for arguments in product(range(size + widest), repeat=len(needed)):
                    literal = (symbol, arguments)
                    own = types_of([literal], signature)
                    if set(range(size)) - set(arguments) or any(len(k) > 1 for k in own.values()):
                        continue
                    if any(own[v] != {kinds[v]} for v in range(size)):
                        continue
                    if modes and modes[symbol] is not None and len(set(arguments)) < len(arguments):
                        continue
                    disjuncts.setdefault(_disjunct_form(literal, range(size), size), literal)
            for number in range(2, length + 1):
                for chosen in combinations(disjuncts.values(), number):
                    found.add(repr(disjunction_form(kinds, chosen)))
    return found
