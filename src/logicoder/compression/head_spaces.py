"""The ways to look at each predicate, and those that rules are tried with."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import log2

from logicoder.compression.code import ClauseCode, set_bits
from logicoder.compression.ways import table_bits
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.rules.spaces import Space, spaces_of


class HeadSpaces:
    """Spaces of the predicates that are to be said.

    Args:
        database: the data.
        names: the predicates.
    """

    def __init__(self, database: Database, names: Sequence[str]) -> None:
        self._of = {name: spaces_of(database, name, database.relation(name)) for name in names}

    @cached_property
    def tried(self) -> list[Space]:
        """The best way to look at each predicate; the best without domains, and by pairs where that is near.

        Rules may say what domains say, and for less: so both are tried.
        """
        found = []
        for spaces in self._of.values():
            single = [space for space in spaces if not space.symmetric]
            found.append(min(single, key=table_bits))
            if found[-1].places:
                found.append(min((space for space in single if not space.places), key=table_bits))
            paired = min((space for space in spaces if space.symmetric), key=table_bits, default=None)
            if paired is not None and 2 * paired.one_sided < paired.facts:
                found.append(paired)
        return found

    def best_apart(self, predicate: str) -> Space:
        """Return the best way to look at a predicate whose diagonal is told apart."""
        return min((s for s in self._of[predicate] if s.apart and not s.symmetric), key=table_bits)

    @property
    def domain_bits(self) -> float:
        """The bits of all facts with domains, without any rule."""
        return sum(min(table_bits(s) for s in spaces if not s.apart) for spaces in self._of.values())

    @property
    def plain_bits(self) -> float:
        """The bits of all facts by types alone."""
        whole = [s for spaces in self._of.values() for s in spaces if not s.apart and not s.places]
        return float(sum(set_bits(s.atoms, s.facts) for s in whole))

    def floors(self, code: ClauseCode) -> list[float]:
        """Return for each predicate bits that no way to say it undercuts, whatever the rules.

        Without rules and closures that is its shortest table, were every domain told among no more than its
        values; a rule costs more than nothing, and of a closure the base must be told among all atoms.
        """
        floors = []
        for spaces in self._of.values():
            arity = len(spaces[0].types)
            tables = [
                table_bits(space)
                - sum(max(0.0, float(set_bits(size, n)) - log2(n + 1)) for n, size in space.domains)
                for space in spaces
            ]
            flags = 1.0 + max(1, arity)
            others = [flags + code.shortest(arity)] if arity else []
            others += [flags + 3 + log2(1 + space.facts) for space in spaces if space.apart]
            floors.append(min(*tables, *others))
        return floors
