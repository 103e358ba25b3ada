"""What is counted of one predicate of a plan: how many atoms each layer derives, and how many facts.

All that a message says of a predicate are subsets of known sets; their bits depend on two numbers each.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from math import prod

from logicoder.autoencoder.following.closed_relation import ClosedRelation, Closing
from logicoder.autoencoder.following.fact_store import NEW, OLD, FactStore, Row
from logicoder.autoencoder.following.matcher import Number, rules_of
from logicoder.autoencoder.following.occupancy import Occupancies, Value
from logicoder.compression.codec import Part
from logicoder.compression.plan import Step
from logicoder.engine.arrays.rules.closed_forms import FORMS
from logicoder.engine.arrays.rules.recursive_forms import along_of
from logicoder.engine.arrays.rules.spaces import function_options

Said = tuple[str, int, int, int]
"""A role, the number of elements of the known set, how many of them are chosen, and the options of each."""


class StepCounts:
    """The numbers of one predicate.

    Args:
        step: how it is said.
        kinds: the types of its places.
        parts: what a message says of it now.
        number: numbers constants.
        values: those that stand at places and those of types, always as they are now.
    """

    def __init__(
        self,
        step: Step,
        kinds: Sequence[str],
        parts: Sequence[Part],
        number: Number,
        values: Occupancies,
    ) -> None:
        self.step, self.kinds = step, tuple(kinds)
        self.paired, self.apart = step.paired, step.apart
        clauses = list(step.clauses())
        sizes = [len(layer) for layer in step.layers]
        self.rules = rules = rules_of(clauses, number)
        ends = [sum(sizes[: i + 1]) for i in range(len(sizes))]
        self._layers = [rules[end - size : end] for end, size in zip(ends, sizes, strict=True)]
        self._looked_up = self.looked_up
        self._values, self._flips = values, dict[tuple[int, Value], int]()
        self._closed = self._closed_relation(number)
        self.closure: dict[str, int] | None = None
        said = {part.role: (part.total, len(part.chosen)) for part in parts}
        self.layers = [list(said[f"layer {i}"]) for i in range(len(self._layers)) if f"layer {i}" in said]
        self.diagonal = said.get("diagonal", (0, 0))[1]
        self.units, self.one_sided = said.get("one_sided", (0, 0))

    def _closed_relation(self, number: Number) -> ClosedRelation | None:
        step, recursion = self.step, self.step.recursion
        if recursion is None and step.form not in FORMS:
            return None
        self._layers = []
        along = None if recursion is None else along_of(recursion, step.predicate)
        form = step.form if along is None else "recursive"
        seeds = [rule.clause(step.predicate) for rule in step.seeds]
        closing = Closing(step.predicate, form, along, self.apart)
        return ClosedRelation(closing, rules_of(seeds, number), self._there, self._looked_up)

    def load(self, store: FactStore) -> None:
        """Count what closures are made of."""
        if self._closed is not None:
            self.closure = self._closed.load(store).counts()

    # -- names of occupancies -------------------------------------------------------------------------

    def column(self, place: int) -> tuple[str, int]:
        """Return the name of the values of a place; of both, where one domain serves both."""
        return (self.step.predicate, -1) if self.paired else (self.step.predicate, place)

    @property
    def told(self) -> dict[int, tuple[str, int]]:
        """The places whose domains are told, and the names of their values."""
        return {place: self.column(place) for place in self.step.told}

    @property
    def looked_up(self) -> dict[int, Hashable]:
        """The places whose values must be somewhere for an atom to count, and where.

        Beside told domains these are places that rules fill with constants: a constant that no fact mentions
        is no entity.
        """
        named = {
            place
            for rule in self.step.rules
            for place, argument in enumerate(rule.head)
            if isinstance(argument, str)
        }
        return {**{place: ("type", self.kinds[place]) for place in named}, **self.told}

    # -- changes --------------------------------------------------------------------------------------

    def update(self, store: FactStore, flips: dict[tuple[int, Value], int]) -> None:
        """Bring the numbers up to date.

        Args:
            store: the facts, in the middle of a change.
            flips: values that are looked up at some place and are new or gone.
        """
        name, self._flips = self.step.predicate, flips
        concerned = set(store.changed(name))
        for rule in (rule for layer in self._layers for rule in layer):
            concerned.update(rule.concerned(store))
            for place, (world, value) in flips:
                concerned.update(rule.atoms(store, place, world, value))
        seen = set()
        for row in concerned:
            if self.apart and row[1] == row[2]:
                self.diagonal += store.holds(name, row, NEW) - store.holds(name, row, OLD)
                continue
            unit = min(row, (row[0], row[2], row[1])) if self.paired else row
            if unit not in seen:
                seen.add(unit)
                self._count(store, unit, OLD, -1)
                self._count(store, unit, NEW, 1)
        if self._closed is not None and self.closure is not None:
            old, new = (made.counts() for made in self._closed.update(store, flips))
            self.closure = {role: n - old[role] + new[role] for role, n in self.closure.items()}

    def _count(self, store: FactStore, unit: Row, time: str, by: int) -> None:
        sides = [unit, (unit[0], unit[2], unit[1])] if self.paired else [unit]
        facts = sum(store.holds(self.step.predicate, side, time) for side in sides)
        if self.paired:
            self.units += by * (facts > 0)
            self.one_sided += by * (facts == 1)
        if not all(self._there(place, (unit[0], unit[place + 1]), time) for place in self._looked_up):
            return
        for number, layer in enumerate(self._layers):
            if any(rule.derives(store, side, time) for rule in layer for side in sides):
                self.layers[number][0] += by
                self.layers[number][1] += by * (facts > 0)
                return

    def _there(self, place: int, value: Value, time: str) -> bool:
        """Whether a value is looked up with success at a place."""
        flipped = 0 if time == NEW else self._flips.get((place, value), 0)
        return flipped < 0 if flipped else value in self._values[self._looked_up[place]]

    # -- what is said ---------------------------------------------------------------------------------

    def said(self, facts: int) -> Iterator[Said]:
        """Iterate over what a message says of so many facts, in numbers."""
        values = self._values
        for domain in self.step.domains:
            own = self.column(domain.place)
            held = len(values["type", self.kinds[domain.place]])
            if self.within(domain.place):
                held = len(values[domain.within])
            yield f"domain {domain.place}", held, len(values[own]), 0
        columns = [
            values[self.told[i]] if i in self.told else values["type", kind]
            for i, kind in enumerate(self.kinds)
        ]
        worlds = set(columns[0].per_world) if columns else set()
        atoms = sum(prod(column.per_world[world] for column in columns) for world in worlds)
        units = facts
        if self.apart:
            inside = self._inside()
            yield "diagonal", inside, self.diagonal, 0
            atoms, units = atoms - inside, facts - self.diagonal
            if self.paired:
                atoms, units = atoms // 2, self.units
        if self.closure is not None:
            closed = self.closure
            yield "base", atoms - closed["given"], closed["base"], 0
            yield "false", closed["derived"], closed["false"], 0
            yield "rest", atoms - closed["derived"], closed["missing"], 0
        else:
            for number, (derived, true) in enumerate(self.layers):
                yield f"layer {number}", derived, true, 0
                atoms, units = atoms - derived, units - true
            options = 0 if self.apart else function_options([*map(len, columns)], self.told, facts)
            yield "rest", atoms, units, options
        if self.paired:
            yield "one_sided", self.units, self.one_sided, 0
            yield "turned", self.one_sided, 0, 0

    def within(self, place: int) -> bool:
        """Whether the domain of a place is taken from another one: whether that has all its values."""
        (other,) = [domain.within for domain in self.step.domains if domain.place == place]
        return other is not None and not self._values.outside(self.column(place), other)

    def _inside(self) -> int:
        """Return how many entities may stand at both places."""
        values = self._values
        names = sorted(set(self.told.values()))
        if not names:
            return len(values["type", self.kinds[0]])
        if len(names) == 1:
            return len(values[names[0]])
        return len(values[names[0]]) - values.outside(names[0], names[1])
