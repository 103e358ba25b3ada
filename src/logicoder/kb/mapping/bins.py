"""Bins of numbers and dates: where to cut, and how an interval is written."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from logicoder.base.errors import UsageError, shown

QUANTILES, WIDTHS, INFORMATIVE = "quantiles", "widths", "informative"
WAYS = (QUANTILES, WIDTHS, INFORMATIVE)
BINS = 4
"""So many bins at the most, unless something is told."""
INFORMATIVE_BINS = 8
"""As many as this where each cut must say something."""

PARTS = ("year", "month", "weekday")
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def cuts_of(values: Sequence[Any], how: str = QUANTILES, number: int = BINS) -> tuple[Any, ...]:
    """Return where to cut values into bins: round numbers and dates, where they part the same values.

    >>> cuts_of([0.99, 4.49, 9.99, 10.49, 12.99, 49.9, 51, 300])
    (9, 12, 50)
    >>> cuts_of([0, 1, 2, 100], "widths", 2)
    (50,)

    A value that fills several bins has one of its own, and the others share the rest:

    >>> cuts_of([0, 0, 0, 0, 0, 0, 0, 0, 1, 5, 20, 100])
    (1, 5, 20)

    Args:
        values: numbers, or points in time.
        how: `quantiles` (as many values in each bin, as far as possible) or `widths` (equally wide bins).
        number: how many bins at the most.
    """
    if how not in (QUANTILES, WIDTHS):
        raise UsageError(f"bins are made by {QUANTILES} or {WIDTHS}, not by {shown(how)}")
    ordered = sorted(values)
    if not ordered:
        return ()
    low, width = ordered[0], (ordered[-1] - ordered[0]) / number
    if how == QUANTILES:
        wanted = [ordered[len(ordered) * step // number] for step in range(1, number)]
        if len({low, *wanted}) < number:
            wanted = list(_beside_frequent(ordered, number))
    else:
        wanted = [low + width * step for step in range(1, number)]
    found = []
    for cut in wanted:
        place = bisect_left(ordered, cut)
        if place:  # a cut at the least value would leave the first bin empty
            below = ordered[place - 1]
            found.append(rounded(below if how == QUANTILES else max(below, cut - width / 20), cut))
    return tuple(sorted(dict.fromkeys(found)))


def _beside_frequent(ordered: Sequence[Any], number: int) -> Iterator[Any]:
    """Iterate over cuts of values some of which are so frequent that they fill whole bins."""
    start = 0
    for left in range(number, 1, -1):
        cut = ordered[start + (len(ordered) - start) // left]
        if cut == ordered[start]:
            start = bisect_right(ordered, cut)
            if start == len(ordered):
                return
            cut = ordered[start]
        else:
            start = bisect_left(ordered, cut)
        yield cut


def rounded(below: Any, top: Any) -> Any:
    """Return the roundest point above the one and up to the other."""
    return _round_moment(below, top) if isinstance(top, datetime) else _round_number(below, top)


def _round_moment(below: datetime, top: datetime) -> datetime:
    day = top.replace(hour=0, minute=0, second=0, microsecond=0)
    for point in (
        day.replace(month=1, day=1),
        day.replace(day=1),
        day,
        top.replace(second=0, microsecond=0),
    ):
        if point > below:
            return point
    return top


def _round_number(below: float, top: float) -> float:
    low, high = Decimal(repr(+below)), Decimal(repr(+top))  # a boolean among numbers is one
    for exponent in range(high.adjusted() + 1, -30, -1):
        step = Decimal(1).scaleb(exponent)
        point = (high / step).to_integral_value("ROUND_FLOOR") * step
        if point > low:
            return int(point) if point == point.to_integral_value() else float(point)
    return top


def point_text(point: Any) -> str:
    """Return a number or a point in time as people write it.

    >>> point_text(10.0), point_text(0.25), point_text(datetime(2024, 5, 17))
    ('10', '0.25', '2024-05-17')
    """
    if isinstance(point, datetime):
        text = point.isoformat(" ")
        return text.removesuffix(" 00:00:00")
    return str(int(point)) if float(point).is_integer() and abs(point) < 1e15 else repr(point)


def labels(cuts: Sequence[Any]) -> list[str]:
    """Return how the bins between cuts are written, the lowest first.

    >>> labels([10, 50])
    ['[..10)', '[10..50)', '[50..)']
    """
    texts = [point_text(cut) for cut in cuts]
    return [f"[{low}..{high})" for low, high in zip(["", *texts], [*texts, ""], strict=True)]


def bin_number(point: Any, cuts: Sequence[Any]) -> int:
    """Return which bin a point is in; a cut belongs to the bin above it."""
    return bisect_right(cuts, point)


def part_of(moment: datetime, part: str) -> int | str:
    """Return the year, the month or the weekday of a point in time.

    >>> part_of(datetime(2024, 5, 17), "weekday")
    'friday'
    """
    if part == "weekday":
        return WEEKDAYS[moment.weekday()]
    return moment.month if part == "month" else moment.year
