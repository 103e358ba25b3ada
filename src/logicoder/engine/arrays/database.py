"""A knowledge base made ready for joins.

Every constant becomes one *entity* per type and interpretation. Two tuples that share an entity are
therefore of the same interpretation, and joins over shared variables cannot cross worlds. The entities of the
hidden type of interpretations are the worlds themselves.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from logicoder.base.sorted_keys import distinct
from logicoder.engine.arrays.atom_hashes import AtomHashes
from logicoder.engine.arrays.relation import Column, Relation
from logicoder.engine.interface import WORLD
from logicoder.kb.knowledge_base import TRUTHS, KnowledgeBase, Truth
from logicoder.kb.table import FactTable


class Database:
    """Entities by type, and the relations of a knowledge base over them.

    Args:
        kb: the data.
        constants: further `(type, symbol)` pairs that programs mention; they exist in every world.
    """

    def __init__(self, kb: KnowledgeBase, constants: Iterable[tuple[str, str]] = ()) -> None:
        self.kb = kb
        self.worlds = len(kb.interpretations)
        self.symbols = list(kb.symbols)
        self._symbol_ids = {symbol: i for i, symbol in enumerate(self.symbols)}
        self.types: dict[str, int] = {WORLD: 0}
        wanted: dict[str, list[np.ndarray]] = {WORLD: []}
        for name, predicate in kb.schema.items():
            for truth in TRUTHS:
                table = kb.table(name, truth)
                for column, kind in enumerate(predicate.types):
                    wanted.setdefault(kind, []).append(self._pairs(table.worlds, table.arguments[:, column]))
        further: dict[str, list[np.ndarray]] = {}
        for kind, symbol in constants:
            ids = np.full(self.worlds, self._symbol_id(symbol), np.int64)
            wanted.setdefault(kind, [])
            further.setdefault(kind, []).append(self._pairs(np.arange(self.worlds), ids))
        self._pair_keys: list[np.ndarray] = []
        self._occurring: list[np.ndarray] = []
        self.world_of: list[Column] = []
        self.symbol_of: list[Column] = []
        for kind, blocks in wanted.items():
            self.types[kind] = len(self._pair_keys)
            worlds = np.arange(self.worlds if kind == WORLD else 0, dtype=np.int64) << 32
            found = distinct(np.concatenate([worlds, *blocks]))
            keys = distinct(np.concatenate([found, *further[kind]])) if kind in further else found
            self._occurring.append(found)
            self._pair_keys.append(keys)
            self.world_of.append((keys >> 32).astype(np.int32))
            self.symbol_of.append((keys & 0xFFFFFFFF).astype(np.int32))
        self.sizes = [len(keys) for keys in self._pair_keys]
        self._relations: dict[tuple[str, str], Relation] = {}
        self.hashes = AtomHashes(self.sizes)

    @staticmethod
    def _pairs(worlds: np.ndarray, symbols: np.ndarray) -> np.ndarray:
        return (worlds.astype(np.int64) << 32) | symbols.astype(np.int64)

    def _symbol_id(self, symbol: str) -> int:
        found = self._symbol_ids.setdefault(symbol, len(self.symbols))
        if found == len(self.symbols):
            self.symbols.append(symbol)
        return found

    def type_ids(self, kinds: Iterable[str]) -> tuple[int, ...]:
        """Return the indices of types; a type without entities gets an empty domain."""
        found = []
        for kind in kinds:
            if kind not in self.types:
                self.types[kind] = len(self._pair_keys)
                self._pair_keys.append(np.empty(0, np.int64))
                self._occurring.append(np.empty(0, np.int64))
                self.world_of.append(np.empty(0, np.int32))
                self.symbol_of.append(np.empty(0, np.int32))
                self.sizes.append(0)
            found.append(self.types[kind])
        return tuple(found)

    def occurring(self, kind: int) -> list[int]:
        """Return how many constants of a type the data themselves have in each world."""
        return list(np.bincount(self._occurring[kind] >> 32, minlength=self.worlds).tolist())

    def entities(self, kind: int, worlds: np.ndarray, symbols: np.ndarray) -> Column:
        """Return the entities of symbols in worlds; all of them must exist."""
        found = np.searchsorted(self._pair_keys[kind], self._pairs(worlds, symbols))
        return found.astype(np.int32)

    def entity_of_constant(self, kind: int, symbol: str, worlds: np.ndarray) -> Column:
        """Return the entity of one constant in each of some worlds."""
        return self.entities(kind, worlds, np.full(len(worlds), self._symbol_ids[symbol]))

    def constant_if_known(self, kind: int, symbol: str, worlds: np.ndarray) -> tuple[Column, np.ndarray]:
        """Return the entity of one constant in each of some worlds, and which of these worlds have it."""
        keys = self._pair_keys[kind]
        if symbol not in self._symbol_ids or not len(keys):
            return np.zeros(len(worlds), np.int32), np.zeros(len(worlds), np.bool_)
        wanted = self._pairs(worlds, np.full(len(worlds), self._symbol_ids[symbol]))
        found = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return found.astype(np.int32), np.asarray(keys[found] == wanted)

    def is_constant(self, kind: int, column: Column, symbol: str) -> np.ndarray:
        """Return where a column holds a given constant."""
        return np.asarray(self.symbol_of[kind][column] == self._symbol_ids.get(symbol, -1))

    def relation(self, predicate: str, truth: Truth = "true") -> Relation:
        """Return the atoms of a predicate of the data."""
        found = self._relations.get((predicate, truth))
        if found is None:
            found = self.encode(self.kb.schema[predicate].types, self.kb.table(predicate, truth))
            self._relations[predicate, truth] = found
        return found

    def encode(self, kinds: Iterable[str], table: FactTable) -> Relation:
        """Return a table of symbols as a relation over entities."""
        types = self.type_ids(kinds)
        if not types:
            return Relation((0,), (table.worlds,))
        columns = tuple(
            self.entities(kind, table.worlds, table.arguments[:, i]) for i, kind in enumerate(types)
        )
        return Relation(types, columns)

    def decode(self, relation: Relation, arity: int) -> FactTable:
        """Return a relation over entities as a table of symbols."""
        kind, column = relation.types[0], relation.columns[0]
        worlds = self.world_of[kind][column]
        if arity == 0:
            return FactTable(worlds, np.empty((len(worlds), 0), np.int32))
        parts = [self.symbol_of[t][c] for t, c in zip(relation.types, relation.columns, strict=True)]
        return FactTable(worlds, np.column_stack(parts).astype(np.int32))
