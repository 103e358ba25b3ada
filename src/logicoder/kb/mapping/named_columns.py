"""Whether files are tables of things: CSV and TSV whose first rows name columns."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from logicoder.base.files import line_blocks
from logicoder.kb.file_names import suffix_of
from logicoder.kb.formats.headers import SAMPLE, header_in
from logicoder.kb.mapping.csv_table import delimiter_in, is_name, text_in
from logicoder.kb.sources import expand, find_schemas, listed

_SUFFIXES = (".csv", ".tsv")
_START = 1 << 18
_TRIPLES = 3


def columns_are_named(paths: Sequence[str | Path]) -> bool:
    """Whether all files, or those of a folder, are delimited tables, and the first rows name their columns.

    At least one of them must leave no doubt. Rows of three fields may be triples, and are if their header
    says so; a schema that lies with the files declares them to be facts.
    """
    if not all(suffix_of(Path(path)) in _SUFFIXES or Path(path).is_dir() for path in paths):
        return False
    files = [
        file
        for path in expand(paths)
        for file in (listed(path) if path.is_dir() else [path])
        if not file.name.startswith(".")
    ]
    if not files or not all(suffix_of(file) in _SUFFIXES and file.is_file() for file in files):
        return False
    if find_schemas(paths):
        return False
    found = [_named(file) for file in files]
    return all(found) and "header" in found


def _named(path: Path) -> str | None:
    """Return whether the first row is a `header`, or may be one (`doubtful`)."""
    text = text_in(next(line_blocks(path, _START), b""))
    delimiter = "\t" if suffix_of(path) == ".tsv" else delimiter_in(text)
    lines = text.splitlines()[: SAMPLE + 1]
    rows = [row for row in csv.reader(lines, delimiter=delimiter) if row]
    if len(rows) < 2:
        return None
    first, *below = rows
    found = header_in(rows)
    if len(first) == _TRIPLES and _are_triples(first):
        return None
    if found != "header" and len(first) > _TRIPLES and _are_names(first, below):
        return "header"
    return found


def _are_triples(names: Sequence[str]) -> bool:
    """Whether the middle one of three columns is called like the predicate of a triple."""
    return names[1].strip().lower() in ("relation", "predicate", "property", "rel", "p", "r", "label")


def _are_names(first: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Whether the fields of a row are different names, none of which is a value of its column."""
    names = [field.strip() for field in first]
    if len(set(names)) < len(names) or not all(map(is_name, names)):
        return False
    full = [row for row in below if len(row) == len(first)]
    return all(name not in {row[place].strip() for row in full} for place, name in enumerate(names))
