"""Tables in CSV and TSV files: the first row names the columns, and kinds are inferred."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from logicoder.base.errors import InputError, Location
from logicoder.base.files import read_text
from logicoder.kb.file_names import suffix_of
from logicoder.kb.formats.records import fields_of_any_length
from logicoder.kb.mapping.tables import Columns

_INTEGER = re.compile(r"(?:0|-?[1-9][0-9]{0,17})\Z")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)?(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?\Z")


def read_csv(path: Path) -> Columns:
    """Return the columns of a file whose first row names them.

    Raises:
        InputError: if it has no such row, or rows of different lengths.
    """
    text = read_text(path)
    header, _, _ = text.partition("\n")
    delimiter = "\t" if suffix_of(path) == ".tsv" else ";" if ";" in header and "," not in header else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows: list[list[str]] = []
    names: list[str] | None = None
    with fields_of_any_length():
        try:
            for row in reader:
                if not row:
                    continue
                if names is None:
                    names = _names(row, path)
                elif len(row) != len(names):
                    raise InputError(
                        f"this row has {len(row)} fields instead of {len(names)}",
                        Location(str(path), reader.line_num),
                    )
                else:
                    rows.append(row)
        except csv.Error as error:
            raise InputError(str(error), Location(str(path), reader.line_num)) from None
    if names is None:
        raise InputError("this table is empty: its first row should name the columns", Location(str(path)))
    columns: list[Any] = list(zip(*rows, strict=True)) if rows else [()] * len(names)
    return {name: typed(column) for name, column in zip(names, columns, strict=True)}


def _names(row: list[str], path: Path) -> list[str]:
    """Return the names of columns, unless the first row looks like data."""
    names = [field.strip() for field in row]
    wrong = next((n for n in names if not n or _NUMBER.match(n) or names.count(n) > 1), None)
    if wrong is not None:
        what = "a name is there twice" if wrong and not _NUMBER.match(wrong) else f"{wrong!r} is no name"
        raise InputError(
            f"the first row should name the columns, and {what}",
            Location(str(path), 1),
            "write a header, or read the rows as facts with --format tables",
        )
    return names


def typed(values: Sequence[str]) -> list[Any]:
    """Return fields as numbers if all of them are, and as text otherwise; None for an empty field.

    >>> typed(["1", "", "20"]), typed(["1.5", "2"]), typed(["007", "1"])
    ([1, None, 20], [1.5, 2.0], ['007', '1'])
    """
    there = {value.strip() for value in values} - {""}
    for shape, kind in ((_INTEGER, int), (_NUMBER, float)):
        if there and all(map(shape.match, there)):
            return [kind(value) if value.strip() else None for value in values]
    return [value if value.strip() else None for value in values]
