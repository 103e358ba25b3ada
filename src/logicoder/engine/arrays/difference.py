"""Comparing two knowledge bases atom by atom."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from logicoder.base.errors import UsageError
from logicoder.base.sorted_keys import inside
from logicoder.engine.arrays.relation import joint_keys
from logicoder.kb.knowledge_base import KnowledgeBase, Truth
from logicoder.kb.table import FactTable


@dataclass(frozen=True, eq=False)
class Difference:
    """Atoms of one predicate, in the numbering of the data's constants.

    Attributes:
        rebuilt: facts of the data that the reconstruction has.
        missing: facts of the data that it has not.
        false: atoms that it has and the data denies.
    """

    rebuilt: FactTable
    missing: FactTable
    false: FactTable


def compare(data: KnowledgeBase, other: KnowledgeBase) -> tuple[tuple[str, ...], dict[str, Difference]]:
    """Compare a reconstruction with the data, predicate by predicate.

    An atom that the data lists as unknown, or an open predicate does not list, is neither right nor wrong.

    Returns:
        the symbols that the tables refer to, and the difference of every predicate to be reconstructed.
    """
    symbols, rebuilt_tables = aligned(data, other)
    found: dict[str, Difference] = {}
    for name, predicate in data.schema.items():
        if predicate.background:
            continue
        facts = data.table(name)
        rebuilt = rebuilt_tables[name]
        right = rows_inside(facts, rebuilt)
        wrong = ~rows_inside(rebuilt, facts)
        listed: Truth = "false" if predicate.open_world else "unknown"
        on_list = rows_inside(rebuilt, data.table(name, listed))
        wrong &= on_list if predicate.open_world else ~on_list
        found[name] = Difference(facts.select(right), facts.select(~right), rebuilt.select(wrong))
    return symbols, found


def aligned(data: KnowledgeBase, other: KnowledgeBase) -> tuple[tuple[str, ...], dict[str, FactTable]]:
    """Return the facts of another knowledge base in the numbering of the data.

    Returns:
        the symbols, those of the data first, and a table for every predicate of the data: empty where the
        other one has no predicate of this name and number of arguments.
    """
    symbols = list(data.symbols)
    ids = {symbol: number for number, symbol in enumerate(symbols)}
    mapping = np.empty(len(other.symbols), np.int32)
    for number, symbol in enumerate(other.symbols):
        place = ids.setdefault(symbol, len(symbols))
        if place == len(symbols):
            symbols.append(symbol)
        mapping[number] = place
    places = {name: number for number, name in enumerate(data.interpretations)}
    unknown = [name for name in other.interpretations if name not in places]
    if unknown:
        raise UsageError(f"the reconstruction has an interpretation {unknown[0]} that the data does not have")
    worlds = np.array([places[name] for name in other.interpretations], np.int32)
    tables = {}
    for name, predicate in data.schema.items():
        known = name in other.schema and other.schema[name].arity == predicate.arity
        table = other.table(name) if known else FactTable.empty(predicate.arity)
        tables[name] = FactTable(worlds[table.worlds], mapping[table.arguments])
    return tuple(symbols), tables


def rows_inside(rows: FactTable, others: FactTable) -> np.ndarray:
    """Return which rows are among others."""
    if not len(rows) or not len(others):
        return np.zeros(len(rows), np.bool_)
    left, right = (
        [table.worlds, *(np.ascontiguousarray(table.arguments[:, i]) for i in range(table.arity))]
        for table in (rows, others)
    )
    sizes = [1 + int(max(a.max(), b.max())) for a, b in zip(left, right, strict=True)]
    first, second = joint_keys(left, right, sizes)
    return inside(first, second)
