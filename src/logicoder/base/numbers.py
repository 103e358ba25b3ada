"""Exact numbers (of a decimal text the fraction counts, not the nearest float), and durations as text."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from logicoder.base.errors import UsageError, shown

_LONGEST = 400
"""Most digits of a number, before its point and behind."""


def exact_fraction(name: str, value: float | str | Fraction) -> Fraction:
    """Return the exact fraction of a number's decimal text: 0.3 is three tenths.

    >>> exact_fraction("compression", 0.3)
    Fraction(3, 10)
    """
    try:
        if isinstance(value, Fraction):
            return value
        text = str(value)
        # Fraction would write out all the digits of 1e999999999.
        if len(text) > _LONGEST or ("/" not in text and abs(Decimal(text).adjusted()) > _LONGEST):
            raise ValueError
        return Fraction(text)
    except (ValueError, ArithmeticError):
        raise UsageError(f"{name} must be a number such as 0.5, not {shown(value)}") from None


def share_of(value: float | str | Fraction) -> Fraction:
    """Return a share of a whole, written as a number below one or as a percentage.

    >>> share_of("10%"), share_of(0.25)
    (Fraction(1, 10), Fraction(1, 4))
    """
    text = str(value)
    percent = text.endswith("%")
    found = exact_fraction("a share", text[:-1] if percent else value) / (100 if percent else 1)
    if not 0 <= found < 1:
        raise UsageError(f"a share must be at least 0 and below 1, such as 10%, not {shown(value)}")
    return found


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
