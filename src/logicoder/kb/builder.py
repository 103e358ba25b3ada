"""Building a knowledge base: interning constants, checking arities, giving types, refusing contradictions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from logicoder.base.errors import InputError, Location, UsageError, require
from logicoder.base.sorted_keys import distinct
from logicoder.kb.argument_types import AUTO, Place, undeclared_types
from logicoder.kb.knowledge_base import TRUTHS, KnowledgeBase, Truth
from logicoder.kb.schema import Predicate, Schema
from logicoder.kb.table import FactTable, Ids, row_keys
from logicoder.logic.symbols import atom_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from logicoder.kb.mapping.data_mapping import DataMapping


class ContradictionError(InputError):
    """An atom with two truth values in one interpretation; `atom` is its predicate and its symbols."""

    def __init__(
        self,
        atom: tuple[str, tuple[str, ...]],
        truths: tuple[Truth, Truth],
        world: str,
        location: Location | None = None,
    ) -> None:
        self.atom = atom
        self.world = world
        name, symbols = atom
        text = f"{atom_text(name)}({','.join(symbols)})" if symbols else atom_text(name)
        super().__init__(
            f"{text} is both {truths[0]} and {truths[1]} in the interpretation {world}",
            location,
            "remove one of the two",
        )


class KnowledgeBaseBuilder:
    """Collects ground atoms and builds a `KnowledgeBase`.

    Readers that are in a hurry intern symbols once (`intern`) and add whole columns (`add_rows`).

    Args:
        schema: the declared predicates; if there are any, all must be declared.
        types: how to type undeclared predicates, see `logicoder.kb.argument_types`.
        strangers: take undeclared predicates although there are declared ones.
        mapping: how tables became what is added.
    """

    def __init__(
        self,
        schema: Schema | None = None,
        types: str = AUTO,
        *,
        strangers: bool = False,
        mapping: DataMapping | None = None,
    ) -> None:
        require("schema", schema, Schema, type(None))
        self._declared = schema or Schema()
        self._mapping = mapping
        self._strangers = strangers
        self._types = types
        self._allowed = {kind: frozenset(symbols) for kind, symbols in self._declared.domains.items()}
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

    def intern_all(self, symbols: Sequence[str]) -> Ids:
        """Return the ids of many constants, given as their canonical texts."""
        new = dict.fromkeys(symbol for symbol in symbols if symbol not in self._ids)
        self._ids.update(zip(new, range(len(self._ids), len(self._ids) + len(new)), strict=True))
        return np.fromiter(map(self._ids.__getitem__, symbols), np.int32, len(symbols))

    def mentioned(self) -> set[str]:
        """Return the predicates that were given atoms."""
        return {name for _, name, _ in self._pending} | {name for t in TRUTHS for name in self._blocks[t]}

    def check_arity(self, predicate: str, arity: int, location: Location | None = None) -> None:
        """Refuse a predicate that is not declared, or has another number of arguments than before."""
        if self._declared and not self._strangers and predicate not in self._declared:
            # One declared predicate means that the user thinks in types: the rest must be declared too.
            wanted = f"{atom_text(predicate)}({','.join(['type'] * arity)})"
            raise InputError(
                f"{predicate} is not declared",
                location,
                f"add {wanted} to the schema; it declares: {', '.join(self._declared)}",
            )
        known, before = self._arities.setdefault(predicate, (arity, location))
        if known != arity:
            declared = predicate in self._declared
            where = "in its declaration" if declared else f"at {before}" if before else "before"
            raise InputError(f"{predicate} has {arity} arguments here but {known} {where}", location)

    def check_domains(self, predicate: str, symbols: Sequence[str], location: Location | None = None) -> None:
        """Refuse a constant that is not in the declared domain of its type."""
        declared = self._declared.get(predicate)
        for symbol, kind in zip(symbols, declared.types if declared else (), strict=False):
            if kind in self._allowed and symbol not in self._allowed[kind]:
                raise InputError(
                    f"{symbol} is not in the declared domain of the type {kind} ({predicate})",
                    location,
                    f"add it to {kind} = {{...}} in the schema, or remove that line",
                )

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
        self._flush(truth, predicate, world)  # so that atoms stay in the order in which they came
        self._blocks[truth].setdefault(predicate, []).append((world, rows.astype(np.int32, copy=False)))

    def _flush(self, truth: Truth, predicate: str, world: int) -> None:
        """Make a block of the atoms that were added one by one."""
        rows = self._pending.pop((truth, predicate, world), None)
        if rows:
            block = np.array(rows, np.int32).reshape(len(rows), self._arities[predicate][0])
            self._blocks[truth].setdefault(predicate, []).append((world, block))

    def build(self) -> KnowledgeBase:
        """Return the knowledge base; repeated atoms count once."""
        for truth, predicate, world in list(self._pending):
            self._flush(truth, predicate, world)
        tables = {
            # Each is let go of as its table is made: large data would be there twice.
            truth: {name: self._table(name, by_name.pop(name)) for name in list(by_name)}
            for truth, by_name in self._blocks.items()
        }
        symbols = list(self._ids)
        self._refuse_strangers(tables, symbols)
        schema = self._schema(tables, symbols)
        worlds = list(self._worlds) or ["data"]
        _refuse_contradictions(tables, symbols, worlds)
        return KnowledgeBase(schema, symbols, worlds, tables, self._mapping)

    def _table(self, name: str, blocks: list[tuple[int, Ids]]) -> FactTable:
        worlds = np.concatenate([np.full(len(rows), world, np.int32) for world, rows in blocks])
        arguments = np.concatenate([rows for _, rows in blocks]).reshape(len(worlds), self._arities[name][0])
        blocks.clear()
        return FactTable.distinct(worlds, arguments)

    def _refuse_strangers(self, tables: dict[Truth, dict[str, FactTable]], symbols: Sequence[str]) -> None:
        """Refuse constants that are not in the declared domain of their type."""
        for kind, domain in self._allowed.items():
            allowed = np.fromiter((symbol in domain for symbol in symbols), bool, len(symbols))
            for name, predicate in self._declared.items():
                if kind not in predicate.types:
                    continue
                for arguments in (tables[truth][name].arguments for truth in TRUTHS if name in tables[truth]):
                    columns = [column for column, other in enumerate(predicate.types) if other == kind]
                    for row in arguments[~allowed[arguments[:, columns]].all(axis=1)][:1].tolist():
                        self.check_domains(name, [symbols[i] for i in row])

    def _schema(self, tables: dict[Truth, dict[str, FactTable]], symbols: Sequence[str]) -> Schema:
        undeclared = [name for name in self._arities if name not in self._declared]
        places = [place for name in undeclared for place in self._places(name, tables)]
        guessed = undeclared_types(places, symbols, self._types)
        found = {name: Predicate(name, guessed.types.get(name, ())) for name in undeclared}
        evidence = guessed.evidence if undeclared else self._declared.evidence
        return Schema({**self._declared, **found}, self._declared.domains, evidence)

    def _places(self, name: str, tables: dict[Truth, dict[str, FactTable]]) -> list[Place]:
        """Return the arguments of a predicate with their distinct constants, whatever the truth of atoms."""
        arity = self._arities[name][0]
        parts = [tables[truth][name].arguments for truth in TRUTHS if name in tables[truth]]
        rows = np.concatenate(parts or [np.empty((0, arity), np.int32)])
        return [Place(name, i, arity, len(rows), _distinct(rows[:, i], len(self._ids))) for i in range(arity)]


def _distinct(column: Ids, symbols: int) -> Ids:
    """Return the distinct ids of a column, rising."""
    if len(column) < symbols // 8:
        return distinct(column)
    there = np.zeros(symbols, np.bool_)  # far quicker than sorting where the column is long
    there[column] = True
    return np.flatnonzero(there).astype(np.int32)


def _refuse_contradictions(
    tables: dict[Truth, dict[str, FactTable]], symbols: Sequence[str], worlds: Sequence[str]
) -> None:
    pairs: tuple[tuple[Truth, Truth], ...] = (("true", "false"), ("true", "unknown"), ("false", "unknown"))
    for first, second in pairs:
        for name, table in tables[first].items():
            other = tables[second].get(name)
            if other is None:
                continue
            keys = row_keys(
                np.concatenate([table.worlds, other.worlds]),
                np.concatenate([table.arguments, other.arguments]),
            )
            for row in np.flatnonzero(np.isin(keys[: len(table)], keys[len(table) :]))[:1].tolist():
                atom = tuple(symbols[i] for i in table.arguments[row].tolist())
                raise ContradictionError((name, atom), (first, second), worlds[table.worlds[row]])


def union(parts: Sequence[KnowledgeBase]) -> KnowledgeBase:
    """Return one knowledge base with the interpretations of all parts, kept apart by name."""
    if not parts:
        raise UsageError("a union needs at least one knowledge base")
    for part in parts:
        require("each part", part, KnowledgeBase)
    mapping = parts[0].mapping if all(part.mapping == parts[0].mapping for part in parts) else None
    builder = KnowledgeBaseBuilder(_declared_by(parts), strangers=True, mapping=mapping)
    taken: set[str] = set()
    for part in parts:
        ids = np.array([builder.intern(symbol) for symbol in part.symbols] or [0], np.int32)
        worlds = []
        for interpretation in part.interpretations:
            unique, number = interpretation, 2
            while unique in taken:
                unique, number = f"{interpretation}#{number}", number + 1
            taken.add(unique)
            worlds.append(builder.interpretation(unique))
        for name, predicate in part.schema.items():
            builder.check_arity(name, predicate.arity)
            for truth in TRUTHS:
                table = part.table(name, truth)
                for index, world in enumerate(worlds):
                    rows = table.arguments[table.worlds == index]
                    if len(rows):
                        builder.add_rows(name, ids[rows], world, truth)
    return builder.build()


def _declared_by(parts: Sequence[KnowledgeBase]) -> Schema:
    """Return the schema of all parts; types that they guessed differently are left for all facts to tell."""
    schema: dict[str, Predicate] = {}
    domains: dict[str, tuple[str, ...]] = {}
    evidence: dict[str, str] = {}
    guessed = frozenset[str]().union(*(part.schema.guessed() for part in parts))
    agreed = True
    for part in parts:
        evidence |= part.schema.evidence
        for name, predicate in part.schema.items():
            known = schema.setdefault(name, predicate)
            agreed &= known == predicate
            if known != predicate and (name not in guessed or known.arity != predicate.arity):
                raise UsageError(f"{name} is declared as {known} in one part and as {predicate} in another")
        for kind, symbols in part.schema.domains.items():
            domains[kind] = tuple(dict.fromkeys((*domains.get(kind, ()), *symbols)))
    declared = {name: p for name, p in schema.items() if agreed or name not in guessed}
    return Schema(declared, domains, evidence)
