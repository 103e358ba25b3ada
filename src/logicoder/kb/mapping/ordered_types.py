"""Comparisons of ordered types: which bins lie above and below each cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

from logicoder.kb.mapping.bins import labels, point_text
from logicoder.kb.mapping.data_mapping import ORDERED
from logicoder.logic.comparisons import comparison_name
from logicoder.logic.symbols import quote

if TYPE_CHECKING:
    from logicoder.kb.mapping.data_mapping import DataMapping


def comparisons(mapping: DataMapping) -> dict[str, tuple[str, list[str]]]:
    """Return the predicates that compare values with cuts, with the type, and the bins for which they hold.

    They say nothing about the data: whoever knows the cuts knows them.

    >>> from logicoder.kb.mapping.data_mapping import DataMapping, ValueType
    >>> mapping = DataMapping({}, {"price": ValueType("price", "number", (10, 50))})
    >>> for name, (kind, bins) in comparisons(mapping).items():
    ...     print(name, kind, *bins)
    price >= 10 price '[10..50)' '[50..)'
    price < 10 price '[..10)'
    price >= 50 price '[50..)'
    price < 50 price '[..10)' '[10..50)'
    """
    found: dict[str, tuple[str, list[str]]] = {}
    for kind in mapping.types.values():
        if kind.kind not in ORDERED or not kind.compare or not kind.cuts:
            continue
        bins = [quote(label) for label in labels(kind.cuts)]
        for number, cut in enumerate(kind.cuts, start=1):
            point = point_text(cut)
            found[comparison_name(kind.name, ">=", point)] = kind.name, bins[number:]
            found[comparison_name(kind.name, "<", point)] = kind.name, bins[:number]
    return found
