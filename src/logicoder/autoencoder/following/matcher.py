"""Clauses over facts that change: which atoms a change concerns, and whether an atom is derived."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from logicoder.autoencoder.following.fact_store import BOTH, FactStore, Row
from logicoder.logic.ordered_values import compares
from logicoder.logic.rules import UNEQUAL
from logicoder.logic.terms import Clause, Constant, Literal, Term, Variable

Binding = dict[Variable, int]
Number = Callable[[str], int]
"""Gives the number of a constant."""

_WORLD = Variable("_World")


@dataclass(frozen=True)
class Part:
    """A literal whose first argument is the interpretation.

    Attributes:
        predicate: its name.
        terms: variables, and numbers of constants.
        positive: whether it is to hold.
        compares: whether it compares its two terms: that they differ, or which is the lesser.
    """

    predicate: str
    terms: tuple[Variable | int, ...]
    positive: bool = True
    compares: bool = False


class Rule:
    """A clause with one alternative.

    Args:
        head: the arguments of its head.
        body: its literals.
        number: numbers constants.
    """

    def __init__(self, head: Sequence[Term], body: Sequence[Literal], number: Number) -> None:
        def known(term: Term) -> Variable | int:
            return number(term.symbol) if isinstance(term, Constant) else term

        self._head = (_WORLD, *map(known, head))
        parts = [
            Part(x.atom.predicate, tuple(map(known, x.atom.arguments)), compares=True)
            if x.inequality
            else Part(x.atom.predicate, (_WORLD, *map(known, x.atom.arguments)), x.positive)
            for x in body
        ]
        self._joined = [part for part in parts if part.positive and not part.compares]
        self._tests = [part for part in parts if not part.positive or part.compares]
        self.reads = {part.predicate for part in parts if not part.compares}

    def derives(self, store: FactStore, row: Row, time: str) -> bool:
        """Whether an atom follows."""
        start = _unified(self._head, row, {})
        return start is not None and any(
            self._passes(store, found, time) for found in _solutions(store, self._joined, start, time)
        )

    def concerned(
        self, store: FactStore, changes: Mapping[str, Collection[Row]] | None = None
    ) -> Iterator[Row]:
        """Iterate over the atoms that may follow now or may have followed before, by what changed.

        Args:
            store: the facts.
            changes: only these changes count; all of them unless given.
        """
        for number, part in enumerate((*self._joined, *self._tests)):
            if part.compares:
                continue
            others = [p for i, p in enumerate(self._joined) if i != number]
            changed = store.changed(part.predicate) if changes is None else changes.get(part.predicate, ())
            for row in changed:
                start = _unified(part.terms, row, {})
                if start is None:
                    continue
                if not part.positive:  # variables that stand nowhere else mean any value
                    shared = {t for p in self._joined for t in p.terms} | set(self._head)
                    start = {v: value for v, value in start.items() if v in shared}
                for found in _solutions(store, others, start, BOTH):
                    yield self._atom(found)

    def atoms(self, store: FactStore, place: int, world: int, value: int) -> Iterator[Row]:
        """Iterate over atoms that follow, now or before, with a value at a place of the head."""
        start = _unified((self._head[0], self._head[place + 1]), (world, value), {})
        if start is not None:
            for found in _solutions(store, self._joined, start, BOTH):
                yield self._atom(found)

    def every(self, store: FactStore) -> Iterator[Row]:
        """Iterate over all atoms that follow, now or before."""
        for found in _solutions(store, self._joined, {}, BOTH):
            yield self._atom(found)

    def holding(self) -> tuple[int, ...] | None:
        """Return the constants of a fact; None for a rule with a body."""
        terms = tuple(term for term in self._head if isinstance(term, int))
        return terms if not self._joined and len(terms) == len(self._head) - 1 else None

    def prepare(self, store: FactStore) -> None:
        """Make the indexes that questions need, so that the first change does not have to wait for them."""
        starts = [(self._head, self._joined)]
        starts += [((_WORLD, term), self._joined) for term in self._head[1:]]
        for number, part in enumerate((*self._joined, *self._tests)):
            if not part.compares:
                starts.append((part.terms, [p for i, p in enumerate(self._joined) if i != number]))
        for terms, parts in starts:
            bound = dict.fromkeys((t for t in terms if isinstance(t, Variable)), 0)
            waiting = list(parts)
            while waiting:
                part = waiting.pop(max(range(len(waiting)), key=lambda i: _share_known(waiting[i], bound)))
                places = tuple(i for i, t in enumerate(part.terms) if isinstance(t, int) or t in bound)
                if len(places) < len(part.terms):
                    store.index(part.predicate, places)
                bound |= dict.fromkeys((t for t in part.terms if isinstance(t, Variable)), 0)

    def _atom(self, binding: Binding) -> Row:
        return tuple(binding[t] if isinstance(t, Variable) else t for t in self._head)

    def _passes(self, store: FactStore, binding: Binding, time: str) -> bool:
        for part in self._tests:
            if part.compares:
                first, second = (binding[t] if isinstance(t, Variable) else t for t in part.terms)
                if not _compares(part.predicate, first, second, store.texts):
                    return False
            elif next(_matches(store, part, binding, time), None) is not None:
                return False
        return True


def _compares(operator: str, first: int, second: int, texts: Sequence[str]) -> bool:
    return first != second if operator == UNEQUAL else compares(operator, texts[first], texts[second])


def rules_of(clauses: Sequence[Clause], number: Number) -> list[Rule]:
    """Return one rule for each alternative of each clause."""
    return [Rule(clause.head.arguments, body, number) for clause in clauses for body in clause.alternatives]


def _unified(terms: Sequence[Variable | int], row: Row, binding: Binding) -> Binding | None:
    """Return a binding under which terms are the constants of a row, if there is one."""
    found = dict(binding)
    for term, value in zip(terms, row, strict=True):
        if isinstance(term, int):
            if term != value:
                return None
        elif found.setdefault(term, value) != value:
            return None
    return found


def _solutions(store: FactStore, parts: Sequence[Part], binding: Binding, time: str) -> Iterator[Binding]:
    """Iterate over the bindings under which all literals hold; those with most known values come first."""
    if not parts:
        yield binding
        return
    best = max(range(len(parts)), key=lambda i: _share_known(parts[i], binding))
    others = [*parts[:best], *parts[best + 1 :]]
    for found in _matches(store, parts[best], binding, time):
        yield from _solutions(store, others, found, time)


def _share_known(part: Part, binding: Binding) -> float:
    known = sum(isinstance(term, int) or term in binding for term in part.terms)
    return known / len(part.terms)


def _matches(store: FactStore, part: Part, binding: Binding, time: str) -> Iterator[Binding]:
    values = [term if isinstance(term, int) else binding.get(term) for term in part.terms]
    places = tuple(place for place, value in enumerate(values) if value is not None)
    known = tuple(value for value in values if value is not None)
    if len(known) == len(values):
        if store.holds(part.predicate, known, time):
            yield binding
        return
    for row in store.matching(part.predicate, places, known, time):
        found = _unified(part.terms, row, binding)
        if found is not None:
            yield found
