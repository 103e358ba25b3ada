"""Building a knowledge base: interning constants, checking arities, giving types, refusing contradictions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from logicoder.base.errors import InputError, Location, UsageError
from logicoder.kb.knowledge_base import TRUTHS, KnowledgeBase, Truth
from logicoder.kb.schema import Predicate, Schema
from logicoder.kb.table import FactTable, Ids
from logicoder.kb.typing import undeclared_types


class KnowledgeBaseBuilder:
    """Collects ground atoms and builds a `KnowledgeBase`.

    Readers that are in a hurry intern symbols once (`intern`) and add whole columns (`add_rows`).
    """

    def __init__(self, schema: Schema | None = None, types: str = "infer") -> None:
        self._declared = schema or Schema()
        self._types = types
        self._ids: dict[str, int] = {}
        self._worlds: dict[str, int] = {}
        self._arities: dict[str, tuple[int, Location | None]] = {
            name: (predicate.arity, None) for name, predicate in self._declared.items()
        }
        self._blocks: dict[Truth, dict[str, list[tuple[int, Ids]]]] = {truth: {} for truth in TRUTHS}
        self._pending: dict[tuple[Truth, str, int], list[list[int]]] = {}

    def interpretation(self, name: str) -> int:
        """Return the id of an interpretation, made on first use."""
        return self._worlds.setdefault(name, len(self._worlds))

    def intern(self, symbol: str) -> int:
        """Return the id of a constant, given as its canonical text."""
        return self._ids.setdefault(symbol, len(self._ids))

    def check_arity(self, predicate: str, arity: int, location: Location | None = None) -> None:
        """Refuse a predicate that has another number of arguments than before."""
        known, before = self._arities.setdefault(predicate, (arity, location))
        if known != arity:
            where = f" at {before}" if before else " in its declaration"
            raise InputError(f"{predicate} has {arity} arguments here but {known}{where}", location)

    def add(
        self,
        predicate: str,
        symbols: Sequence[str],
        world: int,
        truth: Truth = "true",
        location: Location | None = None,
    ) -> None:
        """Add one ground atom."""
        self.check_arity(predicate, len(symbols), location)
        self._pending.setdefault((truth, predicate, world), []).append([self.intern(s) for s in symbols])

    def add_rows(self, predicate: str, rows: Ids, world: int, truth: Truth = "true") -> None:
        """Add many ground atoms at once: an array of interned constants, shape (n, arity)."""
        self.check_arity(predicate, rows.shape[1])
        self._blocks[truth].setdefault(predicate, []).append((world, rows.astype(np.int32, copy=False)))

    def build(self) -> KnowledgeBase:
        """Return the knowledge base; repeated atoms count once."""
        for (truth, predicate, world), rows in self._pending.items():
            block = np.array(rows, np.int32).reshape(len(rows), self._arities[predicate][0])
            self._blocks[truth].setdefault(predicate, []).append((world, block))
        self._pending.clear()
        tables = {
            truth: {name: self._table(name, blocks) for name, blocks in by_name.items()}
            for truth, by_name in self._blocks.items()
        }
        schema = self._schema(tables)
        worlds = list(self._worlds) or ["data"]
        symbols = list(self._ids)
        _refuse_contradictions(tables, symbols, worlds)
        return KnowledgeBase(schema, symbols, worlds, tables)

    def _table(self, name: str, blocks: list[tuple[int, Ids]]) -> FactTable:
        worlds = np.concatenate([np.full(len(rows), world, np.int32) for world, rows in blocks])
        arguments = np.concatenate([rows for _, rows in blocks]).reshape(len(worlds), self._arities[name][0])
        return FactTable.distinct(worlds, arguments)

    def _schema(self, tables: dict[Truth, dict[str, FactTable]]) -> Schema:
        unknown = [name for name in self._arities if name not in self._declared]
        if not unknown:
            return self._declared
        columns = {
            name: [
                {
                    constant
                    for truth in TRUTHS
                    if name in tables[truth]
                    for constant in np.unique(tables[truth][name].arguments[:, column]).tolist()
                }
                for column in range(self._arities[name][0])
            ]
            for name in unknown
        }
        if self._declared:
            # One declared predicate means that the user thinks in types: the rest must be declared too.
            first = self._arities[unknown[0]][1]
            raise InputError(
                f"{unknown[0]} is not declared",
                first,
                f"add {unknown[0]}(type,...) to the schema; it declares: {', '.join(self._declared)}",
            )
        given = undeclared_types(columns, self._types)
        found = {name: Predicate(name, given[name]) for name in self._arities}
        return Schema(found, self._declared.domains)


def _refuse_contradictions(
    tables: dict[Truth, dict[str, FactTable]], symbols: Sequence[str], worlds: Sequence[str]
) -> None:
    for first, second in (("true", "false"), ("true", "unknown"), ("false", "unknown")):
        for name, table in tables[first].items():  # type: ignore[index]
            other = tables[second].get(name)  # type: ignore[index]
            if other is None or not len(other):
                continue
            for world, *row in sorted(table.as_set() & other.as_set()):
                atom = f"{name}({','.join(symbols[i] for i in row)})" if row else name
                raise InputError(f"{atom} is both {first} and {second} in the interpretation {worlds[world]}")


def union(parts: Sequence[KnowledgeBase]) -> KnowledgeBase:
    """Return one knowledge base with the interpretations of all parts, kept apart by name."""
    if not parts:
        raise UsageError("a union needs at least one knowledge base")
    schema: dict[str, Predicate] = {}
    domains: dict[str, tuple[str, ...]] = {}
    for part in parts:
        for name, predicate in part.schema.items():
            known = schema.setdefault(name, predicate)
            if known != predicate:
                raise UsageError(f"{name} is declared as {known} in one part and as {predicate} in another")
        for kind, symbols in part.schema.domains.items():
            domains[kind] = tuple(dict.fromkeys((*domains.get(kind, ()), *symbols)))
    builder = KnowledgeBaseBuilder(Schema(schema, domains))
    taken: set[str] = set()
    for part in parts:
        ids = np.array([builder.intern(symbol) for symbol in part.symbols] or [0], np.int32)
        worlds = []
        for name in part.interpretations:
            unique, number = name, 2
            while unique in taken:
                unique, number = f"{name}#{number}", number + 1
            taken.add(unique)
            worlds.append(builder.interpretation(unique))
        for truth in TRUTHS:
            for predicate in part.schema:
                table = part.table(predicate, truth)
                for index, world in enumerate(worlds):
                    rows = table.arguments[table.worlds == index]
                    if len(rows):
                        builder.add_rows(predicate, ids[rows], world, truth)
    return builder.build()
