"""Facts that give numbers and dates as they are, where a mapping knows bins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from logicoder.base.errors import InputError
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.kb.mapping.bins import bin_number, labels
from logicoder.kb.mapping.cut_choice import point_of
from logicoder.kb.mapping.data_mapping import ORDERED, ValueType
from logicoder.kb.table import FactTable
from logicoder.logic.symbols import Text, quote, value_of

if TYPE_CHECKING:
    from logicoder.kb.mapping.data_mapping import DataMapping


def binned(kb: KnowledgeBase, mapping: DataMapping) -> KnowledgeBase:
    """Return true facts with the values of ordered types in their bins; bins stay what they are.

    >>> from logicoder.kb.mapping.data_mapping import DataMapping
    >>> from logicoder.kb.schema import Predicate, Schema
    >>> mapping = DataMapping({}, {"price": ValueType("price", "number", (10, 50))})
    >>> schema = Schema.of(Predicate("price", ("product", "price")))
    >>> kb = KnowledgeBase.from_facts({"price": [("a", 7), ("b", 50)]}, schema=schema)
    >>> for fact in binned(kb, mapping):
    ...     print(fact)
    price(a,'[..10)')
    price(b,'[50..)')

    Raises:
        InputError: for what is neither a bin nor a value of its type.
    """
    symbols = list(kb.symbols)
    tables = {}
    for name, predicate in kb.schema.items():
        table = kb.table(name)
        arguments = table.arguments.copy()
        for place, kind in enumerate(predicate.types):
            ordered = mapping.types.get(kind)
            if ordered is None or ordered.kind not in ORDERED or not ordered.cuts:
                continue
            numbers, which = np.unique(arguments[:, place], return_inverse=True)
            found = [_bin(kb.symbols[number], ordered, name) for number in numbers.tolist()]
            arguments[:, place] = np.arange(len(symbols), len(symbols) + len(found), dtype=np.int32)[which]
            symbols += found
        tables[name] = FactTable(table.worlds, arguments)
    every, places = np.unique(np.array(symbols, object), return_inverse=True)
    numbered = {
        n: FactTable.distinct(t.worlds, places[t.arguments].astype(np.int32)) for n, t in tables.items()
    }
    return KnowledgeBase(kb.schema, every.tolist(), kb.interpretations, {"true": numbered})


def _bin(symbol: str, kind: ValueType, predicate: str) -> str:
    names = [quote(label) for label in labels(kind.cuts or ())]
    if symbol in names:
        return symbol
    value = value_of(symbol)
    point = point_of(value.value if isinstance(value, Text) else value, kind)
    if point is None:
        raise InputError(
            f"{predicate}: {symbol} is not a {kind.kind}",
            hint=f"write a {kind.kind}, or one of {', '.join(names)}",
        )
    return names[bin_number(point, kind.cuts or ())]
