"""Values with an order: numbers, dates, and the bins of either; and what `X < Y` says of two of them.

Two numbers compare as numbers and two dates as dates. A bin compares with another one, and with a point,
where all of its values do. Nothing else compares: no comparison holds for other text, nor for a number and
a date.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from logicoder.base.errors import InputError
from logicoder.logic.symbols import plain_text, value_of

_BIN = re.compile(r"\[(.*)\.\.(.*)\)\Z", re.DOTALL)
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?\Z")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?\Z")

Point = float | str


class OrderedValue(NamedTuple):
    """A point, or a bin from one point up to, and without, another; None is no end.

    Attributes:
        kind: `number` or `date`.
        low: the point, or where the bin begins.
        high: the point, or where the bin ends.
        is_bin: whether it is a bin.
    """

    kind: str
    low: Point | None
    high: Point | None
    is_bin: bool


@lru_cache(maxsize=1 << 16)
def ordered_value(symbol: str) -> OrderedValue | None:
    """Return what a constant, given as its canonical text, is among ordered values; None for any other.

    >>> ordered_value("7"), ordered_value("luke")
    (OrderedValue(kind='number', low=7, high=7, is_bin=False), None)
    >>> ordered_value("'[..10)'")
    OrderedValue(kind='number', low=None, high=10, is_bin=True)
    """
    value = value_of(symbol)
    if isinstance(value, int | float):
        return OrderedValue("number", value, value, is_bin=False)
    if not isinstance(value, str):
        return None
    if _DATE.match(value):
        return OrderedValue("date", _moment(value), _moment(value), is_bin=False)
    found = _BIN.match(value)
    if found is None:
        return None
    ends = [_end(text) for text in found.groups()]
    kinds = {kind for kind, _ in (end for end in ends if end is not None) if kind}
    if None in ends or len(kinds) != 1:
        return None
    (_, low), (_, high) = (end for end in ends if end is not None)
    return OrderedValue(kinds.pop(), low, high, is_bin=True)


def _end(text: str) -> tuple[str, Point | None] | None:
    """Return the kind and the point of an end of a bin; None if it is none."""
    if not text:
        return "", None
    if _NUMBER.match(text):
        return "number", float(text) if re.search(r"[.e]", text) else int(text)
    return ("date", _moment(text)) if _DATE.match(text) else None


def _moment(text: str) -> str:
    """Return a text by which points in time are in order: midnight and the beginning of a day are one."""
    text = re.sub(r"\.0+\Z", "", text.replace("T", " "))
    return text if len(text) > 16 else f"{text} 00:00:00" if len(text) == 10 else f"{text}:00"


def compares(operator: str, left: str, right: str) -> bool:
    """Return whether two constants, given as their canonical texts, compare as an operator says.

    >>> compares("<", "7", "30"), compares(">=", "'[50..)'", "50"), compares(">", "'[50..)'", "50")
    (True, True, False)
    >>> compares("=<", "'2024-05-01'", "'2024-05-17 12:00'"), compares("<", "anna", "bob")
    (True, False)
    """
    first, second = ordered_value(left), ordered_value(right)
    if first is None or second is None or first.kind != second.kind:
        return False
    if operator in (">", ">="):
        first, second = second, first
    return _below(first, second, or_equal=operator in ("=<", ">="))


def _below(first: OrderedValue, second: OrderedValue, *, or_equal: bool) -> bool:
    if or_equal and first == second:
        return True
    if first.high is None or second.low is None:
        return False
    # A bin ends before its upper end, so that it may touch what follows.
    return first.high <= second.low if first.is_bin or or_equal else first.high < second.low  # type: ignore[operator]


def lies_within(point: str, value: str) -> bool:
    """Return whether a constant is a bin that has values on both sides of a point.

    >>> lies_within("35", "'[10..50)'"), lies_within("10", "'[10..50)'")
    (True, False)
    """
    found, where = ordered_value(value), ordered_value(point)
    if found is None or where is None or not found.is_bin or where.is_bin or found.kind != where.kind:
        return False
    above = found.low is None or found.low < where.low  # type: ignore[operator]
    return above and (found.high is None or where.low < found.high)  # type: ignore[operator]


def undecided(point: str, value: str) -> InputError:
    """Return the error that a point lies within a bin, some of whose values compare so and some do not."""
    return InputError(
        f"{plain_text(point)} lies within the bin {plain_text(value)}, so the comparison is undecided",
        hint="compare with an end of a bin, or add a cut there: cuts = [...] in the mapping",
    )
