"""What is counted of one predicate of a plan: how many atoms each layer derives, and how many facts.

All that a message says of a predicate are subsets of known sets; their bits depend on two numbers each.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from math import prod

from logicoder.autoencoder.following.fact_store import NEW, OLD, FactStore, Row
from logicoder.autoencoder.following.matcher import Number, rules_of
from logicoder.autoencoder.following.occupancy import Occupancies, Value
from logicoder.compression.codec import Part
from logicoder.compression.plan import PAIRED, Step

Said = tuple[str, int, int]
"""A role, the number of elements of the known set, and how many of them are chosen."""


class StepCounts:
    """The numbers of one predicate.

    Args:
        step: how it is said.
        kinds: the types of its places.
        parts: what a message says of it now.
        number: numbers constants.
    """

    def __init__(self, step: Step, kinds: Sequence[str], parts: Sequence[Part], number: Number) -> None:
        self.step, self.kinds = step, tuple(kinds)
        self.paired, self.apart = step.form in PAIRED, step.form != "plain"
        clauses = list(step.clauses())
        sizes = [len(layer) for layer in step.layers]
        self.rules = rules = rules_of(clauses, number)
        ends = [sum(sizes[: i + 1]) for i in range(len(sizes))]
        self._layers = [rules[end - size : end] for end, size in zip(ends, sizes, strict=True)]
        self.reads = {name for rule in rules for name in rule.reads}
        self._looked_up = self.looked_up
        self.recount(parts)

    def recount(self, parts: Sequence[Part]) -> None:
        """Take the numbers of a message."""
        said = {part.role: (part.total, len(part.chosen)) for part in parts}
        self.layers = [list(said[f"layer {i}"]) for i in range(len(self._layers)) if f"layer {i}" in said]
        self.diagonal = said.get("diagonal", (0, 0))[1]
        self.units, self.one_sided = said.get("one_sided", (0, 0))
        self.closure: dict[str, int] | None = None
        if "base" in said:
            atoms = said["rest"][0] + said["false"][0]
            self.closure = {
                "given": atoms - said["base"][0],
                "base": said["base"][1],
                "derived": said["false"][0],
                "false": said["false"][1],
                "missing": said["rest"][1],
            }

    # -- names of occupancies -------------------------------------------------------------------------

    def column(self, place: int) -> tuple[str, int]:
        """Return the name of the values of a place; of both, where one domain serves both."""
        return (self.step.predicate, -1) if self.paired else (self.step.predicate, place)

    @property
    def told(self) -> dict[int, tuple[str, int]]:
        """The places whose domains are told, and the names of their values."""
        places = {domain.place for domain in self.step.domains}
        return {place: self.column(place) for place in ({0, 1} if self.paired and places else places)}

    @property
    def looked_up(self) -> dict[int, Hashable]:
        """The places whose values must be somewhere for an atom to count, and where.

        Beside told domains these are places that rules fill with constants: a constant that no fact mentions
        is no entity.
        """
        named = {
            place
            for layer in self.step.layers
            for rule in layer
            for place, argument in enumerate(rule.head)
            if isinstance(argument, str)
        }
        return {**{place: ("type", self.kinds[place]) for place in named}, **self.told}

    # -- changes --------------------------------------------------------------------------------------

    def update(self, store: FactStore, flips: dict[tuple[int, Value], int], values: Occupancies) -> None:
        """Bring the numbers up to date; what closures are made of is counted elsewhere.

        Args:
            store: the facts, in the middle of a change.
            flips: values that are looked up at some place and are new or gone.
            values: those that are there now.
        """
        name = self.step.predicate
        concerned = set(store.changed(name))
        for rule in (rule for layer in self._layers for rule in layer):
            concerned.update(rule.concerned(store))
            for (place, (world, value)), _ in flips.items():
                concerned.update(rule.atoms(store, place, world, value))
        seen = set()
        for row in concerned:
            if self.apart and row[1] == row[2]:
                self.diagonal += store.holds(name, row, NEW) - store.holds(name, row, OLD)
                continue
            unit = min(row, (row[0], row[2], row[1])) if self.paired else row
            if unit not in seen:
                seen.add(unit)
                self._count(store, unit, OLD, -1, flips, values)
                self._count(store, unit, NEW, 1, flips, values)

    def _count(
        self,
        store: FactStore,
        unit: Row,
        time: str,
        by: int,
        flips: dict[tuple[int, Value], int],
        values: Occupancies,
    ) -> None:
        sides = [unit, (unit[0], unit[2], unit[1])] if self.paired else [unit]
        facts = sum(store.holds(self.step.predicate, side, time) for side in sides)
        if self.paired:
            self.units += by * (facts > 0)
            self.one_sided += by * (facts == 1)
        for place, name in self._looked_up.items():
            value = (unit[0], unit[place + 1])
            now = value in values[name]
            flipped = flips.get((place, value), 0)
            if not (now if time == NEW or not flipped else flipped < 0):
                return
        for number, layer in enumerate(self._layers):
            if any(rule.derives(store, side, time) for rule in layer for side in sides):
                self.layers[number][0] += by
                self.layers[number][1] += by * (facts > 0)
                return

    # -- what is said ---------------------------------------------------------------------------------

    def said(self, facts: int, values: Occupancies) -> Iterator[Said]:
        """Iterate over what a message says, in numbers.

        Args:
            facts: number of facts.
            values: of places and of types.
        """
        for domain in self.step.domains:
            own = self.column(domain.place)
            held = len(values["type", self.kinds[domain.place]])
            if self.within(domain.place, values):
                held = len(values[domain.within])
            yield f"domain {domain.place}", held, len(values[own])
        columns = [
            values[self.told[i]] if i in self.told else values["type", kind]
            for i, kind in enumerate(self.kinds)
        ]
        worlds = set(columns[0].per_world) if columns else set()
        atoms = sum(prod(column.per_world[world] for column in columns) for world in worlds)
        units = facts
        if self.apart:
            inside = self._inside(values)
            yield "diagonal", inside, self.diagonal
            atoms, units = atoms - inside, facts - self.diagonal
            if self.paired:
                atoms, units = atoms // 2, self.units
        if self.closure is not None:
            closed = self.closure
            yield "base", atoms - closed["given"], closed["base"]
            yield "false", closed["derived"], closed["false"]
            yield "rest", atoms - closed["derived"], closed["missing"]
        else:
            for number, (derived, true) in enumerate(self.layers):
                yield f"layer {number}", derived, true
                atoms, units = atoms - derived, units - true
            yield "rest", atoms, units
        if self.paired:
            yield "one_sided", self.units, self.one_sided
            yield "turned", self.one_sided, 0

    def within(self, place: int, values: Occupancies) -> bool:
        """Whether the domain of a place is taken from another one: whether that has all its values."""
        (other,) = [domain.within for domain in self.step.domains if domain.place == place]
        return other is not None and not values.outside(self.column(place), other)

    def _inside(self, values: Occupancies) -> int:
        """Return how many entities may stand at both places."""
        names = sorted(set(self.told.values()))
        if not names:
            return len(values["type", self.kinds[0]])
        if len(names) == 1:
            return len(values[names[0]])
        return len(values[names[0]]) - values.outside(names[0], names[1])
