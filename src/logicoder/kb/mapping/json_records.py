"""Tables in JSON: lines or a list of records, whose inner objects become columns of the table."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from logicoder.base.errors import InputError, Location, location_of, shown
from logicoder.base.files import line_blocks, read_text
from logicoder.kb.file_names import suffix_of
from logicoder.kb.mapping.names import unused
from logicoder.kb.mapping.tables import Columns

_DEEPEST = 8
"""Objects that lie deeper in others are left out."""
_FACT = {"predicate", "arguments"}

_Place = tuple[str, ...]

_log = logging.getLogger("logicoder")


def is_json_list(path: Path) -> bool:
    """Whether a JSON file begins like a list of records; folders hold other ones, too."""
    start = next(line_blocks(path, 1 << 10), b"").decode("utf-8-sig", "replace")
    return "".join(start.split())[:2] == "[{"


def read_records(path: Path, every: int) -> Columns:
    """Return the columns of the records of a file; a record need not have all of them.

    The values of an inner object are columns, too: `{"user": {"id": 1}}` has a column `user_id`. Lists are no
    values: they are left out, with a warning.

    Args:
        path: the file.
        every: of so many records the first is taken.

    Raises:
        InputError: if it does not hold records, or none with a value.
    """
    columns: dict[_Place, list[Any]] = {}
    left_out: dict[_Place, None] = {}
    rows = 0
    records = _json_list(path) if suffix_of(path) == ".json" else _json_lines(path)
    for number, (where, record) in enumerate(records):
        if not isinstance(record, dict):
            raise InputError(f"{shown(record)} is not a record", where, 'a line is {"id": 1, "name": "anna"}')
        if record.keys() >= _FACT:
            raise InputError("this record is a fact", where, "leave the mapping out to read facts")
        taken = number % every == 0
        for place, value in _values(record, ()):
            if isinstance(value, list | dict):
                left_out[place] = None
                continue
            values = columns.setdefault(place, [None] * rows)  # names depend on all records
            if taken:
                values.append(value)
        rows += taken
        for values in columns.values():
            if len(values) < rows:
                values.append(None)
    names = _names([*columns, *left_out])
    if left_out:
        listed = ", ".join(names[place] for place in left_out)
        _log.warning("%s: left out %s, as lists (and objects deep in others) are no values", path, listed)
    if not columns:
        what = "the records of this table have no values" if left_out else "this table is empty"
        raise InputError(what, location_of(path))
    return {names[place]: values for place, values in columns.items()}


def _values(record: dict[str, Any], above: _Place) -> Iterator[tuple[_Place, Any]]:
    """Iterate over the values of a record and of all objects in it, with the names that lead to them."""
    for name, value in record.items():
        place = (*above, name)
        if isinstance(value, dict) and len(place) < _DEEPEST:
            yield from _values(value, place)
        else:
            yield place, value


def _names(places: list[_Place]) -> dict[_Place, str]:
    """Return a name for each column; those of records themselves keep theirs."""
    taken = {place[0] for place in places if len(place) == 1}
    names = {}
    for place in dict.fromkeys(places):
        names[place] = place[0] if len(place) == 1 else unused("_".join(place), taken)
        taken.add(names[place])
    return names


def _json_lines(path: Path) -> Iterator[tuple[Location, Any]]:
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if line.strip():
            where = Location(str(path), number)
            try:
                yield where, json.loads(line)
            except (ValueError, RecursionError) as error:
                raise InputError(f"this is not JSON: {error}", where) from None


def _json_list(path: Path) -> Iterator[tuple[Location, Any]]:
    try:
        content = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        where = Location(str(path), error.lineno, error.colno)
        raise InputError(f"this is not JSON: {error.msg}", where, "lines of records end in .jsonl") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"this is not JSON: {error}", location_of(path)) from None
    if not isinstance(content, list):
        hint = 'write [{"id": 1, "name": "anna"}]'
        raise InputError("this is not a list of records", location_of(path), hint)
    for record in content:
        yield Location(str(path)), record
