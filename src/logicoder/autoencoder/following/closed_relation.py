"""Closed relations that follow their data, piece by piece.

An equivalence falls apart into classes that share no entities. Of a transitive relation only what leads to a
change matters, and where that leads on. A relation that goes on along another one falls apart into the values
of its other place. So the pieces that a change touches are looked at alone, as they were and as they are, by
the functions that close whole relations. What kind of base is best depends on all pieces together, by numbers
that add up: where another one becomes best, all is made again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from logicoder.autoencoder.following.fact_store import BOTH, NEW, OLD, FactStore, Row
from logicoder.autoencoder.following.matcher import Rule
from logicoder.autoencoder.following.occupancy import Value
from logicoder.base.sorted_keys import distinct, union
from logicoder.engine.arrays.relation import Keys
from logicoder.engine.arrays.rules.closed_forms import FORMS, Form
from logicoder.engine.arrays.rules.recursive_forms import Along, form_along
from logicoder.engine.arrays.rules.spaces import Facts, Space

Pair = tuple[Value, Value]
There = Callable[[int, Value, str], bool]
"""Whether a value may stand at a place, at a time."""

Flips = Iterable[tuple[int, Value]]
"""Places and values that may stand there from now on, or no longer."""


@dataclass(frozen=True)
class Closing:
    """How a relation is closed.

    Attributes:
        predicate: its name.
        form: `transitive`, `equivalence` or `recursive`.
        along: of a recursive one, the relation along which it goes on.
        apart: whether its diagonal is told apart.
        based: whether anything is kept of it.
        lone: whether the base is all that rules do not derive.
    """

    predicate: str
    form: str
    along: Along | None = None
    apart: bool = True
    based: bool = True
    lone: bool = False

    @property
    def symmetric(self) -> bool:
        """Whether an atom and the one turned round count as one."""
        return self.form == "equivalence"


@dataclass
class Piece:
    """A part of a relation, at two times at once.

    Attributes:
        facts: its facts.
        seeds: atoms that rules may derive.
        steps: facts of the relation along which it goes on.
    """

    facts: set[Row] = field(default_factory=set)
    seeds: set[Row] = field(default_factory=set)
    steps: set[Row] = field(default_factory=set)


@dataclass(frozen=True, eq=False)
class Made:
    """What a closure makes of a piece, in numbers for its entities.

    Attributes:
        entities: the entities by number, in the order of their texts.
        space: the facts.
        seeds: what rules derive, on the diagonal too.
        given: what follows from that.
        base: the base.
        derived: what follows from both.
    """

    entities: Sequence[Value]
    space: Space
    seeds: Keys
    given: Keys
    base: Keys
    derived: Keys

    def counts(self) -> dict[str, int]:
        """Return the numbers that bits depend on."""
        true = int(self.space.true(self.derived).sum())
        return {
            "given": len(self.given),
            "base": len(self.base),
            "derived": len(self.derived),
            "false": len(self.derived) - true,
            "missing": self.space.facts - true,
        }

    def rows(self, keys: Keys) -> set[Row]:
        """Return atoms as rows."""
        size, entities = len(self.entities), self.entities
        pairs = zip((keys // size).tolist(), (keys % size).tolist(), strict=True)
        return {(*entities[first], entities[second][1]) for first, second in pairs}


class ClosedRelation:
    """A closed relation.

    Args:
        closing: how it is closed.
        rules: what derives atoms of it beside its base.
        there: whether a value may stand at a place.
        places: the places for which that is to be asked.
    """

    def __init__(
        self, closing: Closing, rules: Sequence[Rule], there: There | None = None, places: Iterable[int] = ()
    ) -> None:
        self.closing, self._rules = closing, rules
        self._there, self._places = there, sorted(places)
        self._numbers: tuple[int, ...] | None = None

    def load(self, store: FactStore) -> Made:
        """Return what is made of all facts."""
        piece = self._everything(store)
        arrays = _Arrays(self, piece, store, NEW)
        self._numbers = arrays.numbers
        return arrays.made(self._numbers)

    def update(self, store: FactStore, flips: Flips = ()) -> tuple[Made, Made]:
        """Return what was made of the pieces that a change touches, and what is made of them now."""
        before = self._numbers
        if before is None:
            raise ValueError("nothing was loaded")
        old, new = self._at_both_times(store, self._touched(store, list(flips)))
        numbers = _moved(before, old, new)
        if numbers[0] > old.form.largest or old.form.choose(numbers) != old.form.choose(before):
            old, new = self._at_both_times(store, self._everything(store))
            numbers = new.numbers
        self._numbers = numbers
        return old.made(before), new.made(numbers)

    def _at_both_times(self, store: FactStore, piece: Piece) -> tuple[_Arrays, _Arrays]:
        return _Arrays(self, piece, store, OLD), _Arrays(self, piece, store, NEW)

    # -- pieces -----------------------------------------------------------------------------------------

    def _everything(self, store: FactStore) -> Piece:
        along = self.closing.along
        return Piece(
            set(store.rows(self.closing.predicate)),
            {row for rule in self._rules for row in rule.every(store)},
            set(store.rows(along.predicate)) if along is not None else set(),
        )

    def _touched(self, store: FactStore, flips: Sequence[tuple[int, Value]]) -> Piece:
        """Return the pieces that a change concerns."""
        rows = set(store.changed(self.closing.predicate))
        for rule in self._rules:
            rows.update(rule.concerned(store))
            for place, (world, value) in flips:
                rows.update(rule.atoms(store, place, world, value))
        if self.closing.along is not None:
            return self._along(store, self.closing.along, rows, flips)
        if self.closing.symmetric:
            return self._joined(store, rows)
        return self._onwards(store, {(row[0], row[1]) for row in rows} | {value for _, value in flips})

    def _near(self, store: FactStore, piece: Piece, place: int, value: Value) -> Iterable[Row]:
        """Return facts and seeds with a value at a place; the piece takes them in."""
        facts = set(store.matching(self.closing.predicate, (0, place + 1), value, BOTH))
        seeds = {row for rule in self._rules for row in rule.atoms(store, place, *value)}
        piece.facts |= facts
        piece.seeds |= seeds
        return facts | seeds

    def _joined(self, store: FactStore, rows: Iterable[Row]) -> Piece:
        """Return all that hangs together with some atoms."""
        piece = Piece()
        waiting = [(row[0], value) for row in rows for value in row[1:]]
        seen = set(waiting)
        while waiting:
            value = waiting.pop()
            for place in (0, 1):
                for row in self._near(store, piece, place, value):
                    fresh = {(row[0], row[1]), (row[0], row[2])} - seen
                    seen |= fresh
                    waiting += fresh
        return piece

    def _onwards(self, store: FactStore, values: set[Value]) -> Piece:
        """Return all atoms on the ways from whatever leads to some values.

        Where these ways lead on is the same before and after, and cancels out.
        """
        for place in (1, 0):
            piece = Piece()
            waiting, values = list(values), set(values)
            while waiting:
                for row in self._near(store, piece, place, waiting.pop()):
                    value = (row[0], row[2 - place])
                    if value not in values:
                        values.add(value)
                        waiting.append(value)
        return piece

    def _along(
        self, store: FactStore, along: Along, rows: Iterable[Row], flips: Sequence[tuple[int, Value]]
    ) -> Piece:
        """Return all atoms with the values that some atoms, steps or flips concern."""
        going, fixed = along.place, 1 - along.place
        start, end = along.columns if going else along.columns[::-1]
        values = {(row[0], row[fixed + 1]) for row in rows}
        ends = {(row[0], row[start + 1]) for row in store.changed(along.predicate)}
        ends |= {value for place, value in flips if place == going}
        # From where these can be reached, whatever leads there is concerned.
        for value in self._reached(store, along.predicate, end, start, ends):
            values |= {(row[0], row[fixed + 1]) for row in self._near(store, Piece(), going, value)}
        piece = Piece()
        found = [row for value in values for row in self._near(store, piece, fixed, value)]
        nodes = {(row[0], row[going + 1]) for row in found}
        for node in self._reached(store, along.predicate, start, end, nodes):
            piece.steps.update(store.matching(along.predicate, (0, start + 1), node, BOTH))
        return piece

    def _reached(
        self, store: FactStore, predicate: str, start: int, end: int, values: set[Value]
    ) -> set[Value]:
        """Return values and all that their steps lead to, from one column to another."""
        seen, waiting = set(values), list(values)
        while waiting:
            for row in store.matching(predicate, (0, start + 1), waiting.pop(), BOTH):
                value = (row[0], row[end + 1])
                if value not in seen:
                    seen.add(value)
                    waiting.append(value)
        return seen


class _Arrays:
    """A piece at one time, as arrays."""

    def __init__(self, relation: ClosedRelation, piece: Piece, store: FactStore, time: str) -> None:
        closing, rules = relation.closing, relation._rules
        along = closing.along
        facts = [_pair(row) for row in piece.facts if store.holds(closing.predicate, row, time)]
        seeds = [_pair(row) for row in piece.seeds if any(rule.derives(store, row, time) for rule in rules)]
        steps: list[Pair] = []
        if along is not None:
            start, end = along.columns if along.place else along.columns[::-1]
            held = (row for row in piece.steps if store.holds(along.predicate, row, time))
            steps = [((row[0], row[start + 1]), (row[0], row[end + 1])) for row in held]
        named = {value for pairs in (facts, seeds, steps) for pair in pairs for value in pair}
        # Of nothing at all there is an entity of no interpretation, so that no array is empty.
        self.entities = sorted(named, key=lambda value: (store.texts[value[1]], value)) or [(-1, 0)]
        self._numbered = {value: number for number, value in enumerate(self.entities)}
        self.form = self._form(closing, steps)
        self._closing = closing
        self._seeds = distinct(self._keys(seeds))
        self._space = self._space_of(relation, self._keys(facts), time)
        self._given = self.form.close(self._space, self._space.within(self._seeds))
        self._weighed = self.form.weigh(self._space, self._given)

    @property
    def numbers(self) -> tuple[int, ...]:
        """What speaks for one base or another."""
        return self._weighed.numbers

    def made(self, numbers: tuple[int, ...]) -> Made:
        """Return what is made of the piece, where the whole has some numbers."""
        closing, space, seeds = self._closing, self._space, self._seeds
        if closing.lone:
            base = np.setdiff1d(space.keys, seeds)
        elif closing.based:
            base = self._weighed.base(self.form.choose(numbers))
        else:
            base = seeds[:0]
        derived = self.form.close(space, union(self._given, base))
        return Made(self.entities, space, seeds, self._given, base, derived)

    def _keys(self, pairs: Sequence[Pair]) -> Keys:
        ids = np.array([[self._numbered[value] for value in pair] for pair in pairs], np.int64)
        return np.sort(ids[:, 0] * len(self.entities) + ids[:, 1]) if len(pairs) else np.empty(0, np.int64)

    def _form(self, closing: Closing, steps: Sequence[Pair]) -> Form:
        if closing.along is None:
            return FORMS[closing.form]
        from scipy.sparse import csr_matrix  # noqa: PLC0415  (slow to import)

        size = len(self.entities)
        ends = np.divmod(distinct(self._keys(steps)), size)
        moves = ends[0] != ends[1]
        ones = np.ones(int(moves.sum()), np.float32)
        matrix = csr_matrix((ones, (ends[0][moves], ends[1][moves])), shape=(size, size))
        return form_along(matrix, closing.along.place)

    def _space_of(self, relation: ClosedRelation, keys: Keys, time: str) -> Space:
        closing, size = self._closing, len(self.entities)
        masks: list[np.ndarray | None] = [None, None]
        for place in relation._places if relation._there is not None else ():
            inside = [relation._there(place, value, time) for value in self.entities]  # type: ignore[misc]
            masks[place] = np.array(inside, np.bool_)
        facts = Facts(keys, (size, size))
        diagonal = 0
        if closing.apart:
            keys = facts.off_diagonal
            diagonal = len(facts.keys) - len(keys)
        if closing.symmetric:
            keys = facts.pairs[0]
        types, sizes, apart = (0, 0), (size, size), closing.apart
        return Space(
            closing.predicate, types, sizes, tuple(masks), apart, closing.symmetric, 0, keys, (0, diagonal), 0
        )


def _pair(row: Row) -> Pair:
    return (row[0], row[1]), (row[0], row[2])


def _moved(numbers: tuple[int, ...], old: _Arrays, new: _Arrays) -> tuple[int, ...]:
    return tuple(n - was + now for n, was, now in zip(numbers, old.numbers, new.numbers, strict=True))
