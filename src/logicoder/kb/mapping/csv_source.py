"""Tables in CSV and TSV files: a file is a table, its first row names the columns, and kinds are inferred."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from logicoder.base.errors import InputError, Location
from logicoder.base.files import read_text
from logicoder.kb.file_names import name_of_stem, stem_of, suffix_of
from logicoder.kb.formats.records import fields_of_any_length
from logicoder.kb.mapping.tables import Columns, SourceTable, TableSource

SUFFIXES = (".csv", ".tsv")
_INTEGER = re.compile(r"(?:0|-?[1-9][0-9]{0,17})\Z")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)?(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?\Z")


class CsvSource(TableSource):
    """The tables of some files, each of which has a header.

    Args:
        paths: one folder, or files.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self.name = ", ".join(map(str, paths[:3]))
        files = [file for path in paths for file in (_files_of(path) if path.is_dir() else [path])]
        if not files:
            raise self.refused(f"no tables ({', '.join(SUFFIXES)}) in this folder")
        self._content: dict[str, Columns] = {}
        for file in files:
            name = name_of_stem(stem_of(file))
            if name in self._content:
                raise self.refused(f"two files hold a table {name}", "rename one")
            self._content[name] = _read(file)

    def tables(self, names: Sequence[str] | None = None) -> list[SourceTable]:
        """See `TableSource.tables`."""
        return self.chosen(
            [
                SourceTable(name, dict.fromkeys(content, ""), rows=len(next(iter(content.values()))))
                for name, content in self._content.items()
            ],
            names,
        )

    def values(self, table: SourceTable, every: int) -> Columns:
        """See `TableSource.values`."""
        return {name: typed(values[::every]) for name, values in self._content[table.name].items()}


def _files_of(folder: Path) -> list[Path]:
    return sorted(
        file
        for file in folder.iterdir()
        if file.is_file() and suffix_of(file) in SUFFIXES and not file.name.startswith(".")
    )


def _read(path: Path) -> Columns:
    """Return the fields of each column, as text."""
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
    return {name: list(column) for name, column in zip(names, columns, strict=True)}


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
    """Return fields as numbers if all of them are, and as text otherwise; an empty field stays empty.

    >>> typed(["1", "", "20"]), typed(["1.5", "2"]), typed(["007", "1"])
    ([1, '', 20], [1.5, 2.0], ['007', '1'])
    """
    there = {value.strip() for value in values} - {""}
    for shape, kind in ((_INTEGER, int), (_NUMBER, float)):
        if there and all(map(shape.match, there)):
            return [kind(value) if value.strip() else "" for value in values]
    return list(values)
