"""All ground atoms of a predicate, and what relations say of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from logicoder.base.errors import UsageError, require
from logicoder.base.sorted_keys import inside
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.relation import Column, Relation, distinct, pack
from logicoder.kb.knowledge_base import Fact, KnowledgeBase
from logicoder.logic.symbols import value_of

Booleans = NDArray[np.bool_]


class GroundAtoms:
    """All ground atoms of a predicate, well typed, within each interpretation.

    Args:
        kb: the data.
        predicate: the predicate.
        domains: further constants, by type, that exist in every interpretation: with the facts of a predicate
            their constants may vanish.
    """

    def __init__(
        self, kb: KnowledgeBase, predicate: str, domains: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        self.kb = kb
        self.predicate = predicate
        require("domains", domains, Mapping, type(None))
        further = [(kind, symbol) for kind, symbols in (domains or {}).items() for symbol in symbols]
        self.database = Database(kb, further)
        self.kinds = kb.schema[predicate].types
        if not self.kinds:
            raise UsageError(f"{predicate} has no arguments, so it has only one atom")
        self.types = self.database.type_ids(self.kinds)
        self.columns = self._columns()

    def _columns(self) -> tuple[Column, ...]:
        """Return the entities of each argument: in every world all combinations."""
        blocks = []
        for world in range(self.database.worlds):
            places = [np.flatnonzero(self.database.world_of[kind] == world) for kind in self.types]
            grid = np.meshgrid(*places, indexing="ij")
            blocks.append([part.ravel().astype(np.int32) for part in grid])
        return tuple(np.concatenate(parts) for parts in zip(*blocks, strict=True))

    @cached_property
    def truth(self) -> Booleans:
        """Which atoms are facts."""
        return self.holds(self.database.relation(self.predicate), tuple(range(len(self.types))))

    def __len__(self) -> int:
        return len(self.columns[0])

    def facts(self) -> Iterator[Fact]:
        """Iterate over the atoms, true or not."""
        worlds = self.database.world_of[self.types[0]][self.columns[0]]
        symbols = [
            self.database.symbol_of[kind][column]
            for kind, column in zip(self.types, self.columns, strict=True)
        ]
        for world, *row in zip(worlds.tolist(), *(column.tolist() for column in symbols), strict=True):
            values = tuple(value_of(self.database.symbols[i]) for i in row)
            yield Fact(self.predicate, values, self.kb.interpretations[world])

    def relation(self, source: KnowledgeBase, name: str) -> Relation:
        """Return a relation of another knowledge base, as far as its constants exist where the atoms are."""
        database = self.database
        types, table = database.type_ids(source.schema[name].types), source.table(name)
        numbers = {symbol: number for number, symbol in enumerate(database.symbols)}
        symbols = np.array([numbers.get(symbol, -1) for symbol in source.symbols], np.int64)
        places = {interpretation: number for number, interpretation in enumerate(self.kb.interpretations)}
        worlds = np.array([places[interpretation] for interpretation in source.interpretations], np.int64)
        keep = np.ones(len(table), np.bool_)
        columns = []
        for column, kind in enumerate(types):
            wanted, here = symbols[table.arguments[:, column]], worlds[table.worlds]
            size = database.sizes[kind]
            found = np.minimum(database.entities(kind, here, np.maximum(wanted, 0)), max(size - 1, 0))
            if size:
                keep &= (database.symbol_of[kind][found] == wanted) & (database.world_of[kind][found] == here)
            else:
                keep[:] = False
            columns.append(found)
        return Relation(types, tuple(column[keep] for column in columns))

    def holds(self, relation: Relation, arguments: Sequence[int | None]) -> Booleans:
        """Return for each atom whether a tuple exists with these of its arguments in the places.

        Args:
            relation: the tuples.
            arguments: for each place the argument of the atom that stands there, None for anything.
        """
        bound = [(place, argument) for place, argument in enumerate(arguments) if argument is not None]
        sizes = [self.database.sizes[relation.types[place]] for place, _ in bound]
        keys = pack(distinct([relation.columns[place] for place, _ in bound], sizes), sizes)
        return inside(pack([self.columns[argument] for _, argument in bound], sizes), keys)
