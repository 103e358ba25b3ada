"""Comparisons of values in a system: a table of the values that have an order, with texts that compare alike.

No two systems compare numbers, dates and bins as programs do. So `ordered_value` says of each value what it
is, and the table holds its ends as texts whose order, by code points, is theirs: every system knows that one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from logicoder.logic.ordered_values import OrderedValue, Point, ordered_value
from logicoder.logic.plain_constants import symbol_of_plain

if TYPE_CHECKING:
    from logicoder.engine.sql.session import Session

Place = tuple[str, str]
"""A table, and one of its columns."""

_COLUMNS = ("v", "kind", "low", "high", "bin")
_NINES = str.maketrans("0123456789", "9876543210")
_LARGEST = 50_000
"""More than the exponent of any number."""


class Ends(NamedTuple):
    """What queries compare of a value: expressions for its kind, its ends, and whether it is a bin."""

    kind: str
    low: str
    high: str
    bin: str

    def in_order(self, operator: str, other: Ends) -> str:
        """Return the condition that this value and another one are in an order, as `compares` says."""
        first, second = (other, self) if operator in (">", ">=") else (self, other)
        if operator in ("=<", ">="):
            same = " AND ".join(
                f"{getattr(first, name)} = {getattr(second, name)}" for name in ("low", "high", "bin")
            )
            below = f"({first.high} <= {second.low} OR ({same}))"
        else:
            # A bin ends before its upper end, so that it may touch what follows.
            touching = f"({first.bin} = 'bin' AND {first.high} <= {second.low})"
            below = f"({first.high} < {second.low} OR {touching})"
        return f"{first.kind} = {second.kind} AND {below}"

    def around(self, point: Ends) -> str:
        """Return the condition that this is a bin with values on both sides of a point."""
        inside = f"{self.low} < {point.low} AND {point.low} < {self.high}"
        return f"{self.kind} = {point.kind} AND {self.bin} = 'bin' AND {point.bin} = '' AND {inside}"


class ValueOrders:
    """The values of a session's tables that have an order; each table is looked at once.

    Args:
        session: the system.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self._seen: set[Place] = set()
        self._parts: list[str] = []

    def table(self, places: Iterable[Place]) -> str:
        """Return the table of the ordered values that some columns have, and maybe of others.

        Distinct values come here in batches, whatever their number, and go back with their ends.
        """
        for place in dict.fromkeys(places):
            if place not in self._seen:
                self._seen.add(place)
                self._add(*place)
        if not self._parts:
            self._parts.append(self._filled([]))
        return self._whole(self._parts)

    def of_constant(self, symbol: str) -> Ends | None:
        """Return the ends of a constant, given as its canonical text; None for one without an order."""
        value = ordered_value(symbol)
        return None if value is None else Ends(*map(self._text, _row(value)))

    @staticmethod
    def of_row(alias: str) -> Ends:
        """Return the ends that a row of the table has."""
        return Ends(*(f"{alias}.{column}" for column in _COLUMNS[1:]))

    def _add(self, table: str, column: str) -> None:
        """Take in the values of a column that are not known yet."""
        start = f"substr({column}, 1, 1)"
        # What may be a number, a bin or a date, which need not have digits of ASCII.
        looks = f"({start} BETWEEN '0' AND '9' OR {start} IN ('-', '[') OR {start} > '~')"
        query = f"SELECT DISTINCT {column} FROM {table} AS s WHERE {looks}"
        if self._parts:
            known = self._whole(self._parts)
            query += f" AND NOT EXISTS (SELECT 1 FROM {known} AS o WHERE o.v = s.{column})"
        made = []
        for batch in self.session.batches(query, "looking for values that compare"):
            values = ((text, ordered_value(symbol_of_plain(text))) for (text,) in batch)
            rows = [(text, *_row(value)) for text, value in values if value is not None]
            made += [self._filled(rows)] if rows else []
        if len(made) > 1:
            whole = self.session.table(f"SELECT * FROM {self._whole(made)} AS p", "ordering values")
            self.session.drop(*made)
            made = [whole]
        self._parts += made

    def _filled(self, rows: Sequence[tuple[str, ...]]) -> str:
        return self.session.filled(_COLUMNS, rows, "ordering values")

    @staticmethod
    def _whole(parts: list[str]) -> str:
        if len(parts) == 1:
            return parts[0]
        return "(" + " UNION ALL ".join(f"SELECT * FROM {part}" for part in parts) + ")"

    def _text(self, text: str) -> str:
        return self.session.as_text(self.session.literal(text))


def _row(value: OrderedValue) -> tuple[str, str, str, str]:
    """Return kind, low, high and bin; an end that there is none of is below, or above, all others."""
    low = "0" if value.low is None else f"1{order_text(value.low)}"
    high = "2" if value.high is None else f"1{order_text(value.high)}"
    return value.kind, low, high, "bin" if value.is_bin else ""


def order_text(point: Point) -> str:
    """Return a text for a number or a moment; two such texts compare by code points as what they stand for.

    >>> numbers = [3, -20, 2.5, 10**30, 0, -0.001, 1e-7]
    >>> sorted(numbers, key=order_text) == sorted(numbers)
    True
    """
    if isinstance(point, str):
        return point
    # Exactly: not all whole numbers are floats, and few floats are what they are written as.
    sign, digits, exponent = Decimal(point).as_tuple()
    if not isinstance(exponent, int):  # the end of a bin may be beyond all numbers
        return "0" if sign else "4"
    if not any(digits):
        return "2"
    scale = f"{len(digits) + exponent + _LARGEST:06}"
    text = scale + "".join(map(str, digits)).rstrip("0")
    # Of negative numbers, the larger in size come first; and those that go on after others.
    return f"1{text.translate(_NINES)}~" if sign else f"3{text}"
