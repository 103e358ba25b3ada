"""The ways to look at each predicate, and those that rules are tried with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from logicoder.base.effort import Effort
from logicoder.compression.code import set_bits
from logicoder.compression.goals import Bits, Goal, table_cost
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.relation import Relation
from logicoder.engine.arrays.rules.spaces import Space, SpacesOf


class HeadSpaces:
    """Spaces of the predicates that are to be said.

    Args:
        database: the data.
        names: the predicates.
        goal: what is to be small.
        bits: bits, whatever the goal.
        effort: when to stop: then the predicates that are left are looked at by their types alone.

    Attributes:
        tried: the best way to look at each predicate; the best without domains, and by pairs where that is
            near. Rules may say what domains say, and for less: so both are tried. What is best in bits is
            tried whatever the goal.
        tables: for each predicate the best of them without any rule.
        plain_bits: the bits of all facts by types alone.
        domain_bits: the bits of all facts with domains, without any rule.
        floor: what no message undercuts, whatever its rules.
    """

    def __init__(
        self,
        database: Database,
        names: Sequence[str],
        goal: Goal,
        bits: Bits,
        effort: Effort | None = None,
    ) -> None:
        self._goal, self._bits = goal, bits
        self.tried: list[Space] = []
        self.tables: dict[str, Space] = {}
        self.plain_bits = 0.0
        self.domain_bits, self.floor = bits.header(()), goal.header(())
        self._apart: dict[str, Space] = {}
        for name in names:
            found = SpacesOf(database, name, database.relation(name))
            spaces = found.every() if effort is None or not effort.stopped() else [found.space(())]
            self.plain_bits += float(set_bits(spaces[0].atoms, spaces[0].facts))
            self.domain_bits += min(table_cost(self._bits, space) for space in spaces if not space.apart)
            self.floor += self._goal.floor(spaces)
            self._add(spaces)

    def add_latents(self, database: Database, relations: Mapping[str, Relation]) -> None:
        """Take up latent predicates that may be said beside those of the data."""
        for name, relation in relations.items():
            self._add(SpacesOf(database, name, relation).every())

    def _add(self, spaces: Sequence[Space]) -> None:
        """Take over what is of use of all the ways to look at one predicate."""
        whole = spaces[0]
        best = partial(table_cost, self._goal)
        tried = {id(s): s for goal in (self._goal, self._bits) for s in _near(spaces, goal)}
        self.tried += tried.values()
        self.tables[whole.predicate] = min(tried.values(), key=best)
        apart = [space for space in spaces if space.apart and not space.symmetric]
        if apart:
            self._apart[whole.predicate] = min(apart, key=best)

    def best_apart(self, predicate: str) -> Space:
        """Return the best way to look at a predicate whose diagonal is told apart."""
        return self._apart[predicate]


def _near(spaces: Sequence[Space], goal: Goal) -> Iterator[Space]:
    """Iterate over the ways to look at a predicate that rules are tried with."""
    costs = {id(space): table_cost(goal, space) for space in spaces}

    def best(some: Sequence[Space]) -> Space:
        return min(some, key=lambda space: costs[id(space)])

    single = [space for space in spaces if not space.symmetric]
    first = best(single)
    yield first
    if first.places:
        yield best([space for space in single if not space.places])
    paired = [space for space in spaces if space.symmetric]
    if paired and 2 * paired[0].one_sided < paired[0].facts:
        yield best(paired)
