"""The data as sets of rows, and the atoms that count for and against a head."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, product
from math import prod

from logicoder.engine.clauses import Head
from logicoder.engine.interface import WORLD, type_numbers
from logicoder.engine.questions import LITTLE
from logicoder.kb import KnowledgeBase

from .set_handles import SetMissed
from .set_rows import Entity, Row, Rows, joined


class SetData:
    """A knowledge base as sets of rows; a proposition is about its interpretation.

    Args:
        kb: the data.
        constants: constants of types with at most so many are in every interpretation.
    """

    def __init__(self, kb: KnowledgeBase, constants: int) -> None:
        self.kb = kb
        self.numbers = type_numbers(kb.schema)
        self.types = {
            name: tuple(self.numbers[kind] for kind in predicate.types or (WORLD,))
            for name, predicate in kb.schema.items()
        }
        self.rows: dict[tuple[str, str], Rows] = {}
        for name, truth in product(kb.schema, ("true", "false", "unknown")):
            self.rows[name, truth] = frozenset(
                self._row(kb.interpretations.index(fact.interpretation), [str(a) for a in fact.arguments])
                for fact in kb.facts(name, truth)
            )
        worlds = range(len(kb.interpretations))
        self.occurring: dict[int, set[Entity]] = {number: set() for number in self.numbers.values()}
        self.occurring[0] = {(world, "") for world in worlds}
        for (name, _), rows in self.rows.items():
            for row in rows:
                for kind, value in zip(self.types[name], row, strict=True):
                    self.occurring[kind].add(value)
        self.domains = {
            kind: {*values, *((w, s) for w in worlds for _, s in values)}
            if kind and self.is_small(kind, constants)
            else values
            for kind, values in self.occurring.items()
        }

    @staticmethod
    def _row(world: int, symbols: Sequence[str]) -> Row:
        return tuple((world, symbol) for symbol in symbols) or ((world, ""),)

    def is_small(self, kind: int, most: int) -> bool:
        """Whether a type has at most so many constants."""
        return len({symbol for _, symbol in self.occurring[kind]}) <= most

    def facts(self, predicate: str) -> Rows:
        """Return the facts of a predicate."""
        return self.rows[predicate, "true"]

    def possible_atoms(self, types: Sequence[int]) -> int:
        """Return how many atoms there could be."""
        worlds = range(len(self.kb.interpretations))
        return sum(prod(sum(w == world for w, _ in self.occurring[k]) for k in types) for world in worlds)

    def selections(self, predicate: str, most: int) -> list[tuple[str | None, ...]]:
        """Return the constants of small types that facts have in some, but not all arguments."""
        types, rows = self.types[predicate], self.facts(predicate)
        small = [place for place, kind in enumerate(types) if kind and self.is_small(kind, most)]
        found: list[tuple[str | None, ...]] = []
        for count in range(1, len(types)):
            for places in combinations(small, count):
                names = {tuple(row[place][1] for place in places) for row in rows}
                for name in sorted(names):
                    named = dict(zip(places, name, strict=True))
                    found.append(tuple(named.get(place) for place in range(len(types))))
        return found

    # -- atoms of heads -------------------------------------------------------------------------------

    def atoms(self, head: Head, rows: Iterable[Row]) -> Rows:
        """Return the values of head variables as atoms."""
        return frozenset(
            tuple(row[a] if a >= 0 else (row[0][0], head.constants[-1 - a][1]) for a in head.arguments)
            for row in rows
            if not head.unequal or row[0] != row[1]
        )

    def form(self, head: Head, atoms: Iterable[Row]) -> Rows:
        """Return the atoms that have the form of a head, as values of its variables."""
        named = [
            row
            for row in atoms
            if all(
                a >= 0 or row[place][1] == head.constants[-1 - a][1] for place, a in enumerate(head.arguments)
            )
        ]
        places = [place for place, a in enumerate(head.arguments) if a >= 0]
        arguments = [head.arguments[place] for place in places]
        bindings = joined([{}], arguments, (tuple(row[place] for place in places) for row in named))
        return frozenset(
            tuple(b[v] for v in range(len(head.types))) for b in bindings if not head.unequal or b[0] != b[1]
        )

    def split(self, predicate: str, atoms: Rows) -> tuple[Rows, Rows]:
        """Return the true and the false ones of some atoms."""
        true = atoms & self.facts(predicate)
        if self.kb.schema[predicate].open_world:
            return true, atoms & self.rows[predicate, "false"]
        return true, atoms - true - self.rows[predicate, "unknown"]

    def worth(self, predicate: str, true: Rows, missed: SetMissed | None) -> float:
        """Return the worth of rebuilding some facts."""
        if missed is None:
            return float(len(true))
        fresh = len(true & missed.rows[predicate])
        return fresh + LITTLE * (len(true) - fresh)

    def wanted(self, predicate: str, missed: SetMissed | None) -> Rows:
        """Return the facts of a predicate that are missed; all of them where none is."""
        return (missed.rows[predicate] if missed is not None else None) or self.facts(predicate)
