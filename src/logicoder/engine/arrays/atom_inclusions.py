"""Tests of dominance: whether one decoder has all true and no more false atoms of another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from logicoder.engine.arrays.array_handles import atoms_of
from logicoder.engine.arrays.coverage import member
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.relation import pack, packable
from logicoder.engine.handles import Decoder


class Dominance:
    """True and false atoms of decoders as sorted keys, made when they are first asked for.

    Args:
        database: the data.
        decoders: the decoders.
    """

    def __init__(self, database: Database, decoders: Sequence[Decoder]) -> None:
        self._database = database
        self._decoders = decoders
        self._known: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        self._facts: dict[str, np.ndarray] = {}
        self._spared: dict[str, np.ndarray] = {}

    def __call__(self, better: int, worse: int) -> bool:
        """Whether one candidate has all true and no more false atoms of another."""
        better_true, better_false = self._split(better)
        worse_true, worse_false = self._split(worse)
        return _inside(worse_true, better_true) and _inside(better_false, worse_false)

    def _split(self, number: int) -> tuple[np.ndarray, np.ndarray]:
        found = self._known.get(number)
        if found is None:
            decoder = self._decoders[number]
            name = decoder.predicate
            keys = np.sort(self._keys(name, atoms_of(decoder)))
            true = member(keys, self._facts_of(name))[1]
            false = ~true
            if self._database.kb.schema[name].open_world:
                false = member(keys, self._spared_of(name))[1]
            elif len(self._spared_of(name)):
                false &= ~member(keys, self._spared_of(name))[1]
            found = self._known[number] = keys[true], keys[false]
        return found

    def _facts_of(self, predicate: str) -> np.ndarray:
        if predicate not in self._facts:
            facts = self._database.relation(predicate)
            self._facts[predicate] = np.sort(self._keys(predicate, facts.columns))
        return self._facts[predicate]

    def _spared_of(self, predicate: str) -> np.ndarray:
        """Return the unknown atoms of a closed predicate, or the explicit negatives of an open one."""
        if predicate not in self._spared:
            open_world = self._database.kb.schema[predicate].open_world
            listed = self._database.relation(predicate, "false" if open_world else "unknown")
            self._spared[predicate] = np.sort(self._keys(predicate, listed.columns))
        return self._spared[predicate]

    def _keys(self, predicate: str, columns: Sequence[np.ndarray]) -> np.ndarray:
        types = self._database.relation(predicate).types
        sizes = [self._database.sizes[kind] for kind in types]
        if packable(sizes):
            return pack(columns, sizes)
        rows = np.ascontiguousarray(np.column_stack(list(columns)))
        return rows.view([("", rows.dtype)] * rows.shape[1]).ravel()


def _inside(keys: np.ndarray, table: np.ndarray) -> bool:
    return len(keys) <= len(table) and bool(member(keys, table)[1].all())
