"""What the fields of a text file say: numbers and dates, as people and programs write them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

_INTEGER = re.compile(r"(?:0|-?[1-9][0-9]{0,17})\Z")
_NUMBER = re.compile(r"-?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?\Z")
_COMMAS = re.compile(r"-?(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|0|[1-9][0-9]*)(?:\.[0-9]+)?\Z")
_POINTS = re.compile(r"-?(?:[1-9][0-9]{0,2}(?:\.[0-9]{3})+|0|[1-9][0-9]*)(?:,[0-9]+)?\Z")
_DOTTED_DAY = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})\Z")
_SLASHED_DAY = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})\Z")
NOTHING = frozenset({"na", "n/a", "nan", "null", "none", "nil", "-", "?", "#n/a", "\\n"})
"""What is written for a missing value, where all other values of the column are numbers or dates."""
_DUMPED = frozenset({"\\N"})
"""What database servers write for NULL, and nobody else for anything."""


PATTERNS = {
    "integer": _INTEGER,
    "plain": _NUMBER,
    "commas": _COMMAS,
    "points": _POINTS,
    "dotted": _DOTTED_DAY,
    "day_first": _SLASHED_DAY,
    "month_first": _SLASHED_DAY,
}
"""What texts look like that are written in a style, by its name; days must exist, too."""


class Fields(NamedTuple):
    """The values of a column, None for missing ones, and how fields were read, if that was a guess."""

    values: list[Any]
    told: str | None = None


class Style(NamedTuple):
    """One way to write numbers or dates.

    Attributes:
        name: of the way.
        fits: whether texts may all be written so.
        read: returns the value of a text.
        told: what to say of a text and its value, if that was a guess.
    """

    name: str
    fits: Callable[[set[str]], bool]
    read: Callable[[str], Any]
    told: Callable[[str, Any], str] | None = None


class Reading(NamedTuple):
    """How the fields of a column are read: a style, None for text; and texts that stand for nothing."""

    style: Style | None
    missing: frozenset[str] = frozenset()

    @property
    def is_guess(self) -> bool:
        """Whether people are told of it."""
        return bool(self.missing) or (self.style is not None and self.style.told is not None)

    def told(self, first: str) -> str | None:
        """Return what to say of it, if it was a guess, given the first text that is not missing."""
        said = [self.style.told(first, self.style.read(first))] if self.style and self.style.told else []
        if self.missing:
            verb = "is" if len(self.missing) == 1 else "are"
            said.append(f"{' and '.join(sorted(self.missing))} {verb} read as missing")
        return "; ".join(said) or None


def reading_of(texts: set[str], delimiter: str = ",") -> Reading:
    """Return how fields are read.

    Args:
        texts: the fields, without white space around them; none is empty.
        delimiter: what separates them: where it is a semicolon, a comma is a decimal one.
    """
    for missing in (frozenset[str](), frozenset(text for text in texts if text.lower() in NOTHING)):
        known = texts - missing
        for style in _styles(delimiter) if known else ():
            if style.fits(known):
                return Reading(style, missing)
    return Reading(None)


def missing_in_texts(readings: Iterable[Reading]) -> frozenset[str]:
    """Return what stands for nothing among the texts of a table, given how its columns are read.

    NA may be a country, but not where numbers of the same table are NA.
    """
    return _DUMPED.union(*(reading.missing for reading in readings if reading.style is not None))


def typed(columns: Sequence[Sequence[str]], delimiter: str = ",") -> list[Fields]:
    """Return the columns of a table as numbers or dates if all of their fields are, and as text otherwise.

    >>> [fields.values for fields in typed([["1", "", "20"], ["1.5", "2", "3"], ["007", "1", "NA"]])]
    [[1, None, 20], [1.5, 2.0, 3.0], ['007', '1', 'NA']]
    >>> typed([["1,250.50", "7"]])
    [Fields(values=[1250.5, 7.0], told='1,250.50 is read as 1250.5')]
    >>> [fields.values for fields in typed([["1.250,50", "7"], ["31.12.2024", ""]], ";")]
    [[1250.5, 7.0], [datetime.datetime(2024, 12, 31, 0, 0), None]]
    >>> [fields.values for fields in typed([["7", "NA"], ["NA", "female"]])]
    [[7, None], [None, 'female']]

    Args:
        columns: the fields of each.
        delimiter: see `reading_of`.
    """
    there = [{value.strip() for value in values} - {""} for values in columns]
    readings = [reading_of(texts, delimiter) for texts in there]
    nothing = missing_in_texts(readings)
    return [
        _fields(values, reading if reading.style is not None else Reading(None, nothing & texts), texts)
        for values, reading, texts in zip(columns, readings, there, strict=True)
    ]


def _fields(values: Sequence[str], reading: Reading, there: set[str]) -> Fields:
    if reading.style is None:
        missing = {"", *reading.missing}
        return Fields([None if value.strip() in missing else value for value in values], reading.told(""))
    read = {text: reading.style.read(text) for text in there - reading.missing}
    first = next(value.strip() for value in values if value.strip() in read)
    return Fields([read.get(value.strip()) for value in values], reading.told(first))


def _styles(delimiter: str) -> Iterator[Style]:
    plain = Style("plain", _all(_NUMBER), float)
    commas = Style("commas", _all(_COMMAS), lambda text: float(text.replace(",", "")), _read_as)
    points = Style(
        "points", _all(_POINTS), lambda text: float(text.replace(".", "").replace(",", ".")), _read_as
    )
    yield Style("integer", _all(_INTEGER), int)
    yield from (points, plain, commas) if delimiter == ";" else (plain, commas, points)
    yield Style("dotted", lambda texts: _days(texts, _DOTTED_DAY, 0, 1), _day(_DOTTED_DAY, 0, 1), _read_as)
    for name, day, month in (("day_first", 0, 1), ("month_first", 1, 0)):
        # 3/4/2024 may be in March or in April: another date must tell.
        yield Style(
            name,
            lambda texts, day=day, month=month: (  # type: ignore[misc]
                _days(texts, _SLASHED_DAY, day, month) and not _days(texts, _SLASHED_DAY, month, day)
            ),
            _day(_SLASHED_DAY, day, month),
            _read_as,
        )


def is_open(texts: set[str]) -> bool:
    """Whether further texts may tell what these are: there is none, or a date whose month may be its day.

    >>> is_open({"NA"}), is_open({"3/4/2024", "NA"}), is_open({"3/14/2024"}), is_open({"anna"})
    (True, True, False, False)
    """
    known = {text for text in texts if text.lower() not in NOTHING}
    return all(_days(known, _SLASHED_DAY, day, 1 - day) for day in (0, 1))


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
