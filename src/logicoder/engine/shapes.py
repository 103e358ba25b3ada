"""Shapes of decoder bodies: the ways in which literals can be filled with variables, and pairs of them.

Every engine needs these: all candidates of one shape, whatever their predicates, are one join.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, permutations

ClassKey = tuple[tuple[int, ...], tuple[int, ...]]
"""The head variables that a literal binds, and the types of existentials that it shares with another."""


def argument_patterns(
    types: Sequence[int], head: Sequence[int], *, repeats: bool = True
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Return the ways to fill a literal's arguments: head variables, or existentials numbered from len(head).

    Yields the arguments and the types of the existentials among them. Without `repeats`, no variable occurs
    twice.
    """

    def grow(
        prefix: tuple[int, ...], fresh: tuple[int, ...]
    ) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        if len(prefix) == len(types):
            yield prefix, fresh
            return
        kind = types[len(prefix)]
        for variable, other in enumerate((*head, *fresh)):
            if other == kind and (repeats or variable not in prefix):
                yield from grow((*prefix, variable), fresh)
        yield from grow((*prefix, len(head) + len(fresh)), (*fresh, kind))

    yield from grow((), ())


def labelled_patterns(
    types: Sequence[int], head: Sequence[int], *, repeats: bool = True
) -> Iterator[tuple[ClassKey, tuple[int, ...]]]:
    """Return patterns with every choice of shared existentials, in every order that ascends by type."""
    size = len(head)
    for arguments, fresh in argument_patterns(types, head, repeats=repeats):
        bound = tuple(sorted({a for a in arguments if a < size}))
        for count in range(len(fresh) + 1):
            for chosen in combinations(range(len(fresh)), count):
                if not bound and not chosen:
                    continue
                for order in permutations(chosen):
                    kinds = tuple(fresh[i] for i in order)
                    if list(kinds) != sorted(kinds):
                        continue
                    names = {size + i: size + label for label, i in enumerate(order)}
                    local = (i for i in range(len(fresh)) if i not in chosen)
                    names |= {size + i: size + count + number for number, i in enumerate(local)}
                    yield (bound, kinds), tuple(names.get(a, a) for a in arguments)


def class_pairs(classes: Iterable[ClassKey], variables: int) -> Iterator[tuple[ClassKey, ClassKey]]:
    """Return the pairs of classes that together bind all head variables and are connected.

    The first of a pair binds at least as many head variables as the second.
    """
    keys = sorted(classes, key=lambda key: (key[1], -len(key[0]), key[0]))
    for position, (bound, shared) in enumerate(keys):
        for other, also in keys[position:]:
            if also != shared or len(set(bound) | set(other)) < variables:
                continue
            if shared or set(bound) & set(other):
                yield (bound, shared), (other, also)


def label_turns(shared: Sequence[int], variables: int) -> Iterator[dict[int, int]]:
    """Return the exchanges of names of like-typed shared existentials, but for the one that changes nothing.

    Args:
        shared: types of the shared existentials.
        variables: number of head variables, after which existentials are numbered.
    """
    for order in permutations(range(len(shared))):
        if order != tuple(range(len(shared))) and all(shared[i] == shared[j] for i, j in enumerate(order)):
            yield {variables + i: variables + j for i, j in enumerate(order)}
