"""The ways to look at each predicate, and those that rules are tried with."""

from __future__ import annotations

from collections.abc import Sequence

from logicoder.base.effort import Effort
from logicoder.compression.code import set_bits
from logicoder.compression.ways import table_bits
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.rules.spaces import Space, SpacesOf


class HeadSpaces:
    """Spaces of the predicates that are to be said.

    Args:
        database: the data.
        names: the predicates.
        effort: when to stop: then the predicates that are left are looked at by their types alone.

    Attributes:
        tried: the best way to look at each predicate; the best without domains, and by pairs where that is
            near. Rules may say what domains say, and for less: so both are tried.
        tables: for each predicate the shortest of them without any rule.
        plain_bits: the bits of all facts by types alone.
        domain_bits: the bits of all facts with domains, without any rule.
    """

    def __init__(self, database: Database, names: Sequence[str], effort: Effort | None = None) -> None:
        self.tried: list[Space] = []
        self.tables: dict[str, Space] = {}
        self.plain_bits = self.domain_bits = 0.0
        self._apart: dict[str, Space] = {}
        for name in names:
            found = SpacesOf(database, name, database.relation(name))
            self._add(found.every() if effort is None or not effort.stopped() else [found.space(())])

    def _add(self, spaces: Sequence[Space]) -> None:
        """Take over what is of use of all the ways to look at one predicate."""
        lengths = {id(space): table_bits(space) for space in spaces}

        def shortest(some: Sequence[Space]) -> Space:
            return min(some, key=lambda space: lengths[id(space)])

        whole = spaces[0]
        self.plain_bits += float(set_bits(whole.atoms, whole.facts))
        self.domain_bits += min(lengths[id(space)] for space in spaces if not space.apart)
        single = [space for space in spaces if not space.symmetric]
        tried = [shortest(single)]
        if tried[0].places:
            tried.append(shortest([space for space in single if not space.places]))
        paired = [space for space in spaces if space.symmetric]
        if paired and 2 * paired[0].one_sided < paired[0].facts:
            tried.append(shortest(paired))
        self.tried += tried
        self.tables[whole.predicate] = shortest(tried)
        apart = [space for space in single if space.apart]
        if apart:
            self._apart[whole.predicate] = shortest(apart)

    def best_apart(self, predicate: str) -> Space:
        """Return the best way to look at a predicate whose diagonal is told apart."""
        return self._apart[predicate]
