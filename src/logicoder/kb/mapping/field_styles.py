"""What the fields of a text file say: numbers and dates, as people and programs write them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

_INTEGER = re.compile(r"(?:0|-?[1-9][0-9]{0,17})\Z")
_NUMBER = re.compile(r"-?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?\Z")
_COMMAS = re.compile(r"-?(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|0|[1-9][0-9]*)(?:\.[0-9]+)?\Z")
_POINTS = re.compile(r"-?(?:[1-9][0-9]{0,2}(?:\.[0-9]{3})+|0|[1-9][0-9]*)(?:,[0-9]+)?\Z")
_DOTTED_DAY = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})\Z")
_SLASHED_DAY = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})\Z")
_NOTHING = frozenset({"na", "n/a", "nan", "null", "none", "nil", "-", "?", "#n/a", "\\n"})
"""What is written for a missing value; only where all other values are numbers or dates."""


class Fields(NamedTuple):
    """The values of a column, None for missing ones, and how fields were read, if that was a guess."""

    values: list[Any]
    told: str | None = None


class _Style(NamedTuple):
    fits: Callable[[set[str]], bool]
    read: Callable[[str], Any]
    told: Callable[[str, Any], str] | None


def typed(values: Sequence[str], delimiter: str = ",") -> Fields:
    """Return fields as numbers or dates if all of them are, and as text otherwise.

    >>> typed(["1", "", "20"]).values, typed(["1.5", "2"]).values, typed(["007", "1"]).values
    ([1, None, 20], [1.5, 2.0], ['007', '1'])
    >>> typed(["1,250.50", "7"])
    Fields(values=[1250.5, 7.0], told='1,250.50 is read as 1250.5')
    >>> typed(["1.250,50", "7"], ";").values, typed(["31.12.2024"]).values
    ([1250.5, 7.0], [datetime.datetime(2024, 12, 31, 0, 0)])

    Args:
        values: the fields.
        delimiter: what separates them: where it is a semicolon, a comma is a decimal one.
    """
    there = {value.strip() for value in values} - {""}
    for missing in (frozenset[str](), {value for value in there if value.lower() in _NOTHING}):
        known = there - missing
        for style in _styles(delimiter) if known else ():
            if style.fits(known):
                read = {text: style.read(text) for text in known}
                first = next(v.strip() for v in values if v.strip() in read)
                told = [style.told(first, read[first])] if style.told else []
                told += [f"{', '.join(sorted(missing))} is read as missing"] if missing else []
                return Fields([read.get(value.strip()) for value in values], "; ".join(told) or None)
    return Fields([value if value.strip() else None for value in values])


def _styles(delimiter: str) -> Iterator[_Style]:
    plain = _Style(_all(_NUMBER), float, None)
    commas = _Style(_all(_COMMAS), lambda text: float(text.replace(",", "")), _read_as)
    points = _Style(_all(_POINTS), lambda text: float(text.replace(".", "").replace(",", ".")), _read_as)
    yield _Style(_all(_INTEGER), int, None)
    yield from (points, plain, commas) if delimiter == ";" else (plain, commas, points)
    yield _Style(lambda texts: _days(texts, _DOTTED_DAY, 0, 1), _day(_DOTTED_DAY, 0, 1), _read_as)
    for day, month in ((0, 1), (1, 0)):
        # 3/4/2024 may be in March or in April: another date must tell.
        yield _Style(
            lambda texts, day=day, month=month: (  # type: ignore[misc]
                _days(texts, _SLASHED_DAY, day, month) and not _days(texts, _SLASHED_DAY, month, day)
            ),
            _day(_SLASHED_DAY, day, month),
            _read_as,
        )


def _all(shape: re.Pattern[str]) -> Callable[[set[str]], bool]:
    return lambda texts: all(map(shape.match, texts))


def _read_as(text: str, value: Any) -> str:
    return f"{text} is read as {value.date().isoformat() if isinstance(value, datetime) else value}"


def _day(shape: re.Pattern[str], day: int, month: int) -> Callable[[str], datetime]:
    def read(text: str) -> datetime:
        found = shape.match(text)
        if found is None:
            raise ValueError(text)
        parts = [int(part) for part in found.groups()]
        return datetime(parts[2], parts[month], parts[day])

    return read


def _days(texts: set[str], shape: re.Pattern[str], day: int, month: int) -> bool:
    read = _day(shape, day, month)
    try:
        return all(read(text) is not None for text in texts)
    except ValueError:
        return False
