"""The same data in the same order, however files were named, sorted and split: what is learned rests on it.

Predicates stand in the order of their names. Constants and interpretations stand in an order that depends on
the facts they occur in, whatever their names: each gets a colour by what is said of it, of those it is said
together with, and so on. Names decide only between those that the data cannot tell apart, one at a time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from logicoder.base.sorted_keys import distinct
from logicoder.kb.knowledge_base import TRUTHS, KnowledgeBase, Truth
from logicoder.kb.schema import Schema
from logicoder.kb.table import FactTable

Colours = NDArray[np.uint64]

_ROUNDS = 8
_WORK = 8_000_000
"""As many numbers are coloured at the most before names decide all that is left."""

_TABLE = 200
"""What a predicate takes beside the numbers of its facts: nearly all, if thousands have few facts each."""


def in_canonical_order(kb: KnowledgeBase) -> KnowledgeBase:
    """Return the same knowledge base with predicates, interpretations, constants and facts in order."""
    coloured = _Coloured(kb)
    coloured.refine()
    while coloured.tell_apart():
        coloured.refine()
    symbols, symbol_ranks = _ranks(kb.symbols, coloured.symbols, coloured.used)
    worlds, world_ranks = _ranks(kb.interpretations, coloured.worlds)
    tables = {
        truth: {name: _moved(kb.table(name, truth), world_ranks, symbol_ranks) for name in kb.schema}
        for truth in TRUTHS
    }
    domains = {kind: tuple(sorted(kb.schema.domains[kind])) for kind in sorted(kb.schema.domains)}
    schema = Schema({name: kb.schema[name] for name in sorted(kb.schema)}, domains, kb.schema.evidence)
    return KnowledgeBase(schema, symbols, worlds, tables, kb.mapping)


class _Coloured:
    """Colours of the constants and interpretations of a knowledge base."""

    def __init__(self, kb: KnowledgeBase) -> None:
        self.kb = kb
        self.symbols: Colours = np.zeros(len(kb.symbols), np.uint64)
        self.worlds: Colours = np.zeros(len(kb.interpretations), np.uint64)
        for kind, among in kb.schema.domains.items():
            declared = np.isin(np.array(kb.symbols, object), np.array(among, object))
            self.symbols[declared] += _number(f"domain {kind}")
        self._tables = [(_number(f"{t} {n}"), table) for t, n, table in _tables(kb) if len(table)]
        self._work = 0

    @property
    def used(self) -> NDArray[np.bool_]:
        """Which constants occur in facts."""
        found = np.zeros(len(self.symbols), np.bool_)
        for _, table in self._tables:
            found[table.arguments.ravel()] = True
        return found

    def refine(self) -> None:
        """Colour by the facts, until no more are told apart."""
        known = 0
        for _ in range(_ROUNDS):
            self._once()
            told = len(distinct(self.symbols)) + len(distinct(self.worlds))
            if told <= known or self._work > _WORK:
                break
            known = told

    def _once(self) -> None:
        symbols, worlds = _mixed(self.symbols), _mixed(self.worlds)
        for number, table in self._tables:
            rows = _mixed(self.worlds[table.worlds] + number)
            for place, column in enumerate(table.arguments.T):
                rows = _mixed(rows + self.symbols[column] + np.uint64(place))
            for place, column in enumerate(table.arguments.T):
                np.add.at(symbols, column, _mixed(rows + np.uint64(place + 1)))
            np.add.at(worlds, table.worlds, rows)
            self._work += table.arguments.size + len(table) + _TABLE
        self.symbols, self.worlds = symbols, worlds

    def tell_apart(self) -> bool:
        """Mark the first by name of those that look the same, interpretations before constants.

        Returns:
            whether there were any, and there is work left to be done.
        """
        if self._work > _WORK:
            return False
        for colours, names in ((self.worlds, self.kb.interpretations), (self.symbols, self.kb.symbols)):
            found, counts = np.unique(colours, return_counts=True)
            if (counts > 1).any():
                alike = np.flatnonzero(colours == found[counts > 1][0])
                colours[min(alike, key=lambda i: names[i])] += np.uint64(1)
                return True
        return False


def _tables(kb: KnowledgeBase) -> Iterator[tuple[Truth, str, FactTable]]:
    for truth in TRUTHS:
        for name in kb.schema:
            yield truth, name, kb.table(name, truth)


def _number(text: str) -> np.uint64:
    """Return a number that stands for a text, the same in every process."""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return np.uint64(int.from_bytes(digest[:8], "big"))


def _mixed(values: Colours) -> Colours:
    """Return other numbers, so that sums of them tell different sets apart (the mixer of SplitMix64)."""
    found = values + np.uint64(0x9E3779B97F4A7C15)
    found = (found ^ (found >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    found = (found ^ (found >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return found ^ (found >> np.uint64(31))


def _ranks(
    names: Sequence[str], colours: Colours, used: NDArray[np.bool_] | None = None
) -> tuple[list[str], NDArray[np.int32]]:
    """Return names in the order of their colours, those in no fact last, and the new place of each."""
    last = np.zeros(len(names), np.bool_) if used is None else ~used
    order = sorted(range(len(names)), key=lambda i: (last[i], colours[i], names[i]))
    ranks = np.empty(len(names), np.int32)
    ranks[order] = np.arange(len(names), dtype=np.int32)
    return [names[i] for i in order], ranks


def _moved(table: FactTable, worlds: NDArray[np.int32], symbols: NDArray[np.int32]) -> FactTable:
    if not len(table):
        return table
    world, arguments = worlds[table.worlds], symbols[table.arguments]
    order = np.lexsort((*arguments.T[::-1], world))
    return FactTable(world[order], arguments[order])
