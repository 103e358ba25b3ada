"""Comparisons of ordered values: the predicate `price >= 50` is written `price(X) >= 50`."""

from __future__ import annotations

import re
from typing import NamedTuple

from logicoder.logic.symbols import quote, symbol_of

OPERATORS = (">=", "=<", "<", ">")
_NAME = re.compile(r"([a-z][A-Za-z0-9_]*) (>=|=<|<|>) (\S(?:.*\S)?)\Z")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?\Z")


class Comparison(NamedTuple):
    """What the name of a predicate compares: values of a type with a point."""

    kind: str
    operator: str
    point: str

    @property
    def written(self) -> str:
        """The point as a constant of a program."""
        return self.point if _NUMBER.match(self.point) else quote(self.point)


def comparison_name(kind: str, operator: str, point: str) -> str:
    """Return the name of the predicate that holds for the values of a type that compare so.

    >>> comparison_name("price", ">=", "50")
    'price >= 50'
    """
    return f"{kind} {operator} {point}"


def comparison_of(name: str) -> Comparison | None:
    """Return what a predicate compares, by its name; None if it is no comparison.

    >>> comparison_of("placed < 2024-05-01")
    Comparison(kind='placed', operator='<', point='2024-05-01')
    >>> comparison_of("price")
    """
    if " " not in name:  # nearly all of them
        return None
    found = _NAME.match(name)
    if found is None:
        return None
    comparison = Comparison(*found.groups())
    # Only what comes back as it was when it is read: numbers as they are written, and other text.
    return comparison if _is_canonical(comparison.point) else None


def _is_canonical(point: str) -> bool:
    if not _NUMBER.match(point):
        return True
    try:
        return symbol_of(float(point) if re.search(r"[.e]", point) else int(point)) == point
    except ValueError:  # infinite, or of too many digits
        return False
