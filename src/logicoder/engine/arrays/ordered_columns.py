"""Comparisons of columns: `X < Y` and `X >= 50` for many rows at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from logicoder.logic.ordered_values import OrderedValue, compares, lies_within, ordered_value, undecided

Mask = np.ndarray


def compares_with(operator: str, symbols: Sequence[str], point: str, *, turned: bool) -> Mask:
    """Return which constants compare with a point as an operator says.

    Args:
        operator: how they compare.
        symbols: the constants.
        point: a constant.
        turned: whether the point is on the left.

    Raises:
        InputError: for a point within a bin, some of whose values compare so and some do not.
    """
    for symbol in symbols:
        if lies_within(point, symbol):
            raise undecided(point, symbol)
    pairs = ((point, symbol) if turned else (symbol, point) for symbol in symbols)
    return np.fromiter((compares(operator, *pair) for pair in pairs), np.bool_, len(symbols))


def compare(operator: str, symbols: Sequence[str], left: np.ndarray, right: np.ndarray) -> Mask:
    """Return in which rows two constants, given as places among symbols, compare as an operator says."""
    if operator in (">", ">="):
        left, right = right, left
    values = [ordered_value(symbol) for symbol in symbols]
    ranks = _ranks(values)
    low = np.array([_rank(ranks, value, "low") for value in values] or [0])
    high = np.array([_rank(ranks, value, "high") for value in values] or [0])
    kind = np.array([-1 if value is None else value.kind == "date" for value in values] or [0])
    is_bin = np.array([value is not None and value.is_bin for value in values] or [False])
    or_equal = operator in ("=<", ">=")
    touching = high[left] <= low[right]
    below = touching if or_equal else np.where(is_bin[left], touching, high[left] < low[right])
    # A bin without an upper end is below nothing, and nothing is below one without a lower end.
    below &= (high[left] != _NO_END) & (low[right] != -_NO_END)
    if or_equal:
        same = (low[left] == low[right]) & (high[left] == high[right])
        below |= same & (is_bin[left] == is_bin[right])
    return np.asarray(below & (kind[left] == kind[right]) & (kind[left] >= 0))


_NO_END = np.iinfo(np.int64).max


def _ranks(values: Sequence[OrderedValue | None]) -> dict[tuple[str, object], int]:
    """Return the places of all ends of values in their order: not all numbers fit into floats."""
    points = {(v.kind, end) for v in values if v is not None for end in (v.low, v.high) if end is not None}
    return {point: rank for rank, point in enumerate(sorted(points))}


def _rank(ranks: dict[tuple[str, object], int], value: OrderedValue | None, end: str) -> int:
    if value is None:
        return 0
    point = getattr(value, end)
    if point is None:
        return _NO_END if end == "high" else -_NO_END
    return ranks[value.kind, point]
