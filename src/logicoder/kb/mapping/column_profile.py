"""What the values of a column look like: how many there are, and of which kind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

Looks = Literal["nothing", "bytes", "truth", "integer", "number", "date", "text"]

_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:?\d\d)?)?\Z")
_TRUTH_TYPES = ("bool", "boolean", "bit(1)", "tinyint(1)")
_TRUTH_NAMES = re.compile(r"(?:is|has|was|can)_", re.IGNORECASE)
_TRUTHS: tuple[tuple[frozenset[Any], Any], ...] = (
    (frozenset({0, 1}), 1),
    (frozenset({"true", "false"}), "true"),
    (frozenset({"True", "False"}), "True"),
    (frozenset({"TRUE", "FALSE"}), "TRUE"),
    (frozenset({"t", "f"}), "t"),
    (frozenset({"yes", "no"}), "yes"),
    (frozenset({"y", "n"}), "y"),
    (frozenset({"Y", "N"}), "Y"),
)


@dataclass(frozen=True)
class ColumnProfile:
    """What the values of a column look like.

    Attributes:
        name: of the column.
        looks: the kind of all values.
        rows: how many rows the table has.
        present: how many values there are, NULLs not counted.
        values: the distinct ones.
        holds: of truth values, the one that says yes.
    """

    name: str
    looks: Looks
    rows: int
    present: int
    values: frozenset[Any]
    holds: Any = None

    @property
    def distinct(self) -> int:
        """Number of distinct values."""
        return len(self.values)

    @property
    def unique(self) -> bool:
        """Whether every row has a value of its own."""
        return self.rows == self.present == self.distinct > 0


def profile(name: str, declared: str, column: Sequence[Any]) -> ColumnProfile:
    """Return what the values of a column look like.

    >>> profile("price", "REAL", [1.5, None, 2]).looks, profile("since", "", ["2024-05-17"]).looks
    ('number', 'date')
    """
    there = [value for value in column if value is not None]
    values = frozenset(there)
    looks, holds = _looks(name, declared.strip().lower(), values - {""})
    if "" in values and looks != "text":
        # Empty text is a value among texts; among numbers or dates it is none.
        there = [value for value in there if value != ""]
        values -= {""}
    return ColumnProfile(name, looks, len(column), len(there), values, holds)


def _looks(name: str, declared: str, values: frozenset[Any]) -> tuple[Looks, Any]:
    kinds = {type(value) for value in values}
    if not kinds or bytes in kinds:
        return ("bytes" if kinds else "nothing"), None
    if kinds == {bool}:
        return "truth", True
    if declared in _TRUTH_TYPES or _TRUTH_NAMES.match(name) or kinds == {str}:
        for pair, holds in _TRUTHS:
            if values <= pair and (len(values) == 2 or declared in _TRUTH_TYPES):
                return "truth", holds
    if kinds <= {int, bool}:
        return "integer", None
    if kinds <= {int, float, bool}:
        whole = all(isinstance(value, int) or value.is_integer() for value in values)
        exact = declared.startswith(("real", "float", "double", "dec", "num", "money"))
        return ("integer" if whole and not exact else "number"), None
    return ("date" if all(moment(value) is not None for value in values) else "text"), None


def moment(value: Any) -> datetime | None:
    """Return a point in time, in UTC where it says so; None for anything else.

    >>> moment("2024-05-17T10:00:00+02:00")
    datetime.datetime(2024, 5, 17, 8, 0)
    """
    if isinstance(value, datetime):
        return value
    if not isinstance(value, str) or not _MOMENT.match(value):
        return None
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        return None
    return found.astimezone(UTC).replace(tzinfo=None) if found.tzinfo else found
