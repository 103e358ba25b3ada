"""The ways to look at each predicate, and those that rules are tried with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, partial

from logicoder.compression.code import set_bits
from logicoder.compression.goals import Bits, Goal, table_cost
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.rules.spaces import Space, spaces_of


class HeadSpaces:
    """Spaces of the predicates that are to be said.

    Args:
        database: the data.
        names: the predicates.
        goal: what is to be small.
        bits: bits, whatever the goal.
    """

    def __init__(self, database: Database, names: Sequence[str], goal: Goal, bits: Bits) -> None:
        self._goal, self._bits = goal, bits
        self._of = {name: spaces_of(database, name, database.relation(name)) for name in names}

    @cached_property
    def tried(self) -> list[Space]:
        """The best way to look at each predicate; the best without domains, and by pairs where that is near.

        Rules may say what domains say, and for less: so both are tried. What is best in bits is tried
        whatever the goal.
        """
        found: dict[int, Space] = {}
        for spaces in self._of.values():
            for goal in (self._goal, self._bits):
                found |= {id(space): space for space in _near(spaces, goal)}
        return list(found.values())

    def best_apart(self, predicate: str) -> Space:
        """Return the best way to look at a predicate whose diagonal is told apart."""
        return min(
            (s for s in self._of[predicate] if s.apart and not s.symmetric),
            key=partial(table_cost, self._goal),
        )

    @property
    def domain_bits(self) -> float:
        """The bits of all facts with domains, without any rule."""
        return self._bits.header(()) + sum(
            min(table_cost(self._bits, s) for s in spaces if not s.apart) for spaces in self._of.values()
        )

    @property
    def plain_bits(self) -> float:
        """The bits of all facts by types alone."""
        whole = [s for spaces in self._of.values() for s in spaces if not s.apart and not s.places]
        return float(sum(set_bits(s.atoms, s.facts) for s in whole))

    @property
    def floor(self) -> float:
        """What no message undercuts, whatever its rules."""
        return self._goal.header(()) + sum(map(self._goal.floor, self._of.values()))


def _near(spaces: Sequence[Space], goal: Goal) -> Iterator[Space]:
    def cost(space: Space) -> float:
        return table_cost(goal, space)

    single = [space for space in spaces if not space.symmetric]
    best = min(single, key=cost)
    yield best
    if best.places:
        yield min((space for space in single if not space.places), key=cost)
    paired = min((space for space in spaces if space.symmetric), key=cost, default=None)
    if paired is not None and 2 * paired.one_sided < paired.facts:
        yield paired
