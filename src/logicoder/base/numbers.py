"""Exact numbers (of a decimal text the fraction counts, not the nearest float), and durations as text."""

from __future__ import annotations

from fractions import Fraction

from logicoder.base.errors import UsageError


def exact_fraction(name: str, value: float | str | Fraction) -> Fraction:
    """Return the exact fraction of a number's decimal text: 0.3 is three tenths.

    >>> exact_fraction("compression", 0.3)
    Fraction(3, 10)
    """
    try:
        return value if isinstance(value, Fraction) else Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        raise UsageError(f"{name} must be a number such as 0.5, not {value!r}") from None


def number_of(value: Fraction | int) -> int | float:
    """Return a whole number as int, any other as float.

    >>> number_of(Fraction(6, 2)), number_of(Fraction(1, 4))
    (3, 0.25)
    """
    return int(value) if value == int(value) else float(value)


def seconds_text(seconds: float) -> str:
    """Return a duration.

    >>> seconds_text(0.1234), seconds_text(75.2)
    ('0.12 s', '1 min 15 s')
    """
    if seconds < 60:
        return f"{seconds:.2f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s"
