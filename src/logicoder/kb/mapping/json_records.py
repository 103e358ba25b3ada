"""Records, as lines or a list in JSON: their values, and those of objects in them, become columns."""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Iterable, Iterator
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
_LIST = re.compile(r'(?:\{"[^"\\]*":)?\[\{')

_MAY_BE_HALF = re.compile(r"\\u[dD][89a-fA-F]")
"""Characters beyond the first 65,536 are written as two halves; one alone is no character."""

_Place = tuple[str, ...]

_log = logging.getLogger("logicoder")


def is_json_list(path: Path) -> bool:
    """Whether a JSON file begins like a list of records, named or not; folders hold other ones, too."""
    start = next(line_blocks(path, 1 << 10), b"").decode("utf-8-sig", "replace")
    return _LIST.match("".join(start.split())) is not None


def read_records(path: Path, every: int) -> Columns:
    """Return the columns of the records of a file; see `record_columns`.

    Args:
        path: the file.
        every: of so many records the first is taken.

    Raises:
        InputError: if it does not hold records, or none with a value.
    """
    records = _json_list(path) if suffix_of(path) == ".json" else _json_lines(path)
    return record_columns(map(_required, records), every, str(path))


def _required(found: tuple[Location, Any]) -> dict[str, Any]:
    where, record = found
    if not isinstance(record, dict):
        raise InputError(f"{shown(record)} is not a record", where, 'a line is {"id": 1, "name": "anna"}')
    if record.keys() >= _FACT:
        raise InputError("this record is a fact", where, "leave the mapping out to read facts")
    return record


def record_columns(records: Iterable[dict[str, Any]], every: int, source: str) -> Columns:
    """Return the columns of records; a record need not have all of them.

    The values of an inner object are columns, too: `{"user": {"id": 1}}` has a column `user_id`. Lists stay
    lists: `inner_lists` makes tables of them.

    Args:
        records: the records.
        every: of so many records the first is taken.
        source: what messages call them.

    >>> record_columns([{"id": 1, "by": {"name": "anna"}}, {"id": 2, "tags": ["new"]}], 1, "these")
    {'id': [1, 2], 'by_name': ['anna', None], 'tags': [None, ['new']]}
    """
    columns: dict[_Place, list[Any]] = {}
    left_out: dict[_Place, None] = {}
    rows = 0
    for number, record in enumerate(records):
        taken = number % every == 0
        for place, value in _values(record, ()):
            if isinstance(value, dict):
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
        _log.warning("%s: left out %s, because deeply nested objects are not read", source, listed)
    if not columns:
        what = "the records of this table have no values" if left_out else "this table is empty"
        raise InputError(what, Location(source))
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


def _content(text: str, where: Location, hint: str | None = None) -> Any:
    """Return what a text in JSON says.

    Raises:
        InputError: for all that is not JSON, and for what cannot be kept: numbers of thousands of digits,
            lists in lists without end, halves of characters.
    """
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        line = error.lineno if where.line is None else where.line
        raise InputError(
            f"this is not JSON: {error.msg}", Location(where.source, line, error.colno), hint
        ) from None
    except RecursionError:
        raise InputError("lists and objects are nested too deeply", where) from None
    except ValueError:  # the only other one that Python knows
        raise InputError(f"a number has more than {sys.get_int_max_str_digits():,} digits", where) from None
    if _MAY_BE_HALF.search(text):
        try:
            json.dumps(content, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            half = f"\\u{ord(error.object[error.start]):x}"
            raise InputError(
                f"{half} is half of a character", where, "write it with its other half"
            ) from None
    return content


def _json_lines(path: Path) -> Iterator[tuple[Location, Any]]:
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if line.strip():
            where = Location(str(path), number)
            yield where, _content(line, where)


def _json_list(path: Path) -> Iterator[tuple[Location, Any]]:
    content = _content(read_text(path), location_of(path), "lines of records end in .jsonl")
    if isinstance(content, dict) and len(content) == 1:
        (content,) = content.values()  # a list that has a name
    if not isinstance(content, list):
        hint = 'write [{"id": 1, "name": "anna"}]'
        raise InputError("this is not a list of records", location_of(path), hint)
    for record in content:
        yield Location(str(path)), record
