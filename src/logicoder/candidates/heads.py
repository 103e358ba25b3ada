"""The heads of decoders: predicates whose arguments are variables, perhaps repeated, or constants."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from logicoder.candidates.language import Switches
from logicoder.engine.clauses import Head
from logicoder.engine.interface import Engine


def heads_of(engine: Engine, predicates: Sequence[str], switches: Switches | None = None) -> list[Head]:
    """Return all heads that some fact has the form of, those with variables of equal types together."""
    switches = switches or Switches()
    every = [head for name in predicates for head in _heads(engine, name, switches)]
    found = [head for head, facts in zip(every, engine.fact_counts(every), strict=True) if facts]
    return sorted(found, key=lambda head: head.types)


def _heads(engine: Engine, name: str, switches: Switches) -> Iterator[Head]:
    types = engine.facts(name).types
    selections = engine.selections(name, switches.constants) if switches.constants else []
    for constants in ((None,) * len(types), *selections):
        free = [kind for kind, constant in zip(types, constants, strict=True) if constant is None]
        for pattern in equalities(free) if switches.repeats else [tuple(range(len(free)))]:
            head = _with_constants(_head(name, pattern, free), types, constants)
            yield head
            if switches.inequality and len(head.types) == 2 and head.types[0] == head.types[1]:
                yield replace(head, unequal=True)


def _with_constants(head: Head, types: Sequence[int], constants: Sequence[str | None]) -> Head:
    """Put constants back into the places that were left out."""
    rest = iter(head.arguments)
    named: list[tuple[int, str]] = []
    arguments = []
    for kind, constant in zip(types, constants, strict=True):
        if constant is None:
            arguments.append(next(rest))
        else:
            named.append((kind, constant))
            arguments.append(-len(named))
    return replace(head, arguments=tuple(arguments), constants=tuple(named))


def equalities(types: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Return the ways in which arguments of equal type may be the same variable, as numbers by argument.

    >>> list(equalities([0, 0]))
    [(0, 1), (0, 0)]
    """

    def grow(prefix: tuple[int, ...], kinds: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(prefix) == len(types):
            yield prefix
            return
        kind = types[len(prefix)]
        yield from grow((*prefix, len(kinds)), (*kinds, kind))
        for variable, other in enumerate(kinds):
            if other == kind:
                yield from grow((*prefix, variable), kinds)

    yield from grow((), ())


def _head(name: str, pattern: tuple[int, ...], types: Sequence[int]) -> Head:
    """Return a head with variables in the order of their types."""
    kinds = dict(reversed(list(zip(pattern, types, strict=True))))
    ordered = sorted(kinds, key=lambda v: (kinds[v], v))
    rename = {variable: number for number, variable in enumerate(ordered)}
    return Head(name, tuple(rename[v] for v in pattern), tuple(kinds[v] for v in ordered))
