"""The first row of a CSV file as names of columns: each gets one of its own, whatever the row lacks."""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

from logicoder.base.errors import InputError, Location
from logicoder.kb.mapping.names import unused

_NUMBER = re.compile(r"[-+]?[0-9.,]+\Z")

_log = logging.getLogger("logicoder")


class CsvHeader(NamedTuple):
    """The names of columns.

    Attributes:
        names: different ones, one for each field of the row.
        unnamed: places of empty fields, as spreadsheets write them behind the last column: those columns are
            called `column_2` and so on, and are none if they have no values.
        doubled: the names that others have, too, with those they got instead.
    """

    names: list[str]
    unnamed: tuple[int, ...] = ()
    doubled: tuple[tuple[str, str], ...] = ()

    def kept(self, filled: Collection[int]) -> list[int]:
        """Return the places of columns.

        Args:
            filled: the places without names that have values.
        """
        return [place for place in range(len(self.names)) if place not in self.unnamed or place in filled]

    def tell(self, path: Path, filled: Collection[int]) -> None:
        """Warn of names that the file does not give; see `kept`."""
        made = [self.names[place] for place in self.unnamed if place in filled]
        if made:
            _log.warning("%s: columns without a name are named by position: %s", path, ", ".join(made))
        if self.doubled:
            listed = ", ".join(f"{name} (again: {own})" for name, own in self.doubled)
            _log.warning("%s: columns of the same name are numbered: %s", path, listed)


def is_name(field: str) -> bool:
    """Whether a field may name a column."""
    return bool(field) and not _NUMBER.match(field)


def named(row: Sequence[str]) -> CsvHeader:
    """Return the names that a row gives to columns.

    >>> named(["id", " name", "name", ""])
    CsvHeader(names=['id', 'name', 'name_2', 'column_4'], unnamed=(3,), doubled=(('name', 'name_2'),))
    """
    fields = [field.strip() for field in row]
    taken, names, doubled = set(fields), [], []
    seen: set[str] = set()
    for place, field in enumerate(fields, start=1):
        wanted = field or f"column_{place}"
        own = wanted if field and field not in seen else unused(wanted, taken)
        if field in seen:
            doubled.append((field, own))
        seen.update({field} - {""})
        taken.add(own)
        names.append(own)
    unnamed = tuple(place for place, field in enumerate(fields) if not field)
    return CsvHeader(names, unnamed, tuple(doubled))


def header_of(row: Sequence[str], path: Path) -> CsvHeader:
    """Return the names that the first row of a file gives to columns.

    Raises:
        InputError: if it has none, or looks like data.
    """
    fields = [field.strip() for field in row]
    wrong = next((field for field in fields if field and not is_name(field)), None)
    if wrong is not None or not any(fields):
        what = "it is empty" if wrong is None else f"{wrong!r} is not a name"
        raise InputError(
            f"the first row must name the columns, but {what}",
            Location(str(path), 1),
            "write a header, or read the rows as facts with --format tables",
        )
    return named(fields)
