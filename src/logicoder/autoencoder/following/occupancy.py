"""Which values stand somewhere, and how often: numbers that change with every fact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable

Value = tuple[int, int]
"""An interpretation and a constant, as numbers."""


class Occupancy:
    """How often values occur.

    Attributes:
        per_world: number of different values in each interpretation.
    """

    def __init__(self) -> None:
        self._counts: dict[Value, int] = {}
        self.per_world: Counter[int] = Counter()

    def __contains__(self, value: Value) -> bool:
        return value in self._counts

    def __len__(self) -> int:
        return len(self._counts)

    def load(self, values: Iterable[Value], counts: Iterable[int]) -> None:
        """Take different values and how often each occurs."""
        self._counts = dict(zip(values, counts, strict=True))
        self.per_world = Counter(world for world, _ in self._counts)

    def change(self, value: Value, by: int) -> int:
        """Count an occurrence more or less; return 1 for a new value, -1 for one that is gone, else 0."""
        before = self._counts.get(value, 0)
        after = before + by
        if after:
            self._counts[value] = after
        else:
            del self._counts[value]
        flip = (after > 0) - (before > 0)
        if flip:
            self.per_world[value[0]] += flip
        return flip


class Occupancies:
    """Occupancies by name, and for some pairs of them how many values of the first the second has not."""

    def __init__(self) -> None:
        self._own: dict[Hashable, Occupancy] = {}
        self._outside: dict[tuple[Hashable, Hashable], int] = {}

    def __getitem__(self, name: Hashable) -> Occupancy:
        return self._own.setdefault(name, Occupancy())

    def watch(self, inner: Hashable, outer: Hashable) -> None:
        """Count from now on which values of one are not in the other."""
        if (inner, outer) not in self._outside:
            missing = sum(value not in self[outer] for value in self[inner]._counts)
            self._outside[inner, outer] = missing

    def outside(self, inner: Hashable, outer: Hashable) -> int:
        """Return how many values of one are not in the other."""
        return self._outside[inner, outer]

    def change(self, name: Hashable, value: Value, by: int) -> int:
        """Count an occurrence more or less, as `Occupancy.change`."""
        flip = self[name].change(value, by)
        if flip:
            for inner, outer in self._outside:
                if inner == outer:
                    continue
                if inner == name and value not in self[outer]:
                    self._outside[inner, outer] += flip
                elif outer == name and value in self[inner]:
                    self._outside[inner, outer] -= flip
        return flip
