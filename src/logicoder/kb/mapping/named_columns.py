"""Whether files are tables of things: their columns have names, and the rows are no facts of a predicate."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from logicoder.base.errors import InputError, UsageError
from logicoder.base.files import line_blocks
from logicoder.kb.file_names import name_of_stem, stem_of, suffix_of
from logicoder.kb.formats import all_formats, suffixes_of
from logicoder.kb.formats.headers import SAMPLE, header_in
from logicoder.kb.formats.records import fields_of_any_length
from logicoder.kb.mapping.csv_header import is_name, named
from logicoder.kb.mapping.csv_table import csv_header, delimiter_in, text_in
from logicoder.kb.mapping.file_source import ARROW
from logicoder.kb.mapping.json_records import is_json_list
from logicoder.kb.mapping.names import is_key_name
from logicoder.kb.sources import expand, find_schemas, listed, require_text

if TYPE_CHECKING:
    from logicoder.kb.mapping.data_mapping import DataMapping

Found = Literal["header", "doubtful"] | None

_START = 1 << 18
_TRIPLES = 3


def are_rows_of(paths: Sequence[str | Path], mapping: DataMapping) -> bool:
    """Whether all files, or those of a folder, are delimited ones with the columns of tables of a mapping.

    However few rows they have: what their first row is, the mapping says.
    """
    files = [file for path in expand(paths) for file in (listed(path) if path.is_dir() else [path])]
    return bool(files) and all(_is_of(file, mapping) for file in files)


def _is_of(file: Path, mapping: DataMapping) -> bool:
    table = mapping.tables.get(name_of_stem(stem_of(file)))
    if table is None or suffix_of(file) not in (".csv", ".tsv"):
        return False
    needed = {*table.key, *(column for argument in table.used for column in argument.columns)}
    try:
        return needed <= set(csv_header(file)[0].names)
    except InputError:
        return False


def columns_are_named(paths: Sequence[str | Path]) -> bool:
    """Whether all files, or those of a folder, are tables whose columns have names.

    Those are delimited files whose first rows name columns, JSON lines that are records, files of Arrow, and
    Parquet files with more than three columns, or with a key and two more. At least one of them must leave
    no doubt. Rows of three fields may be triples, and are if their header says so; a schema that lies with
    the files declares them to be facts.

    Raises:
        UsageError: if the first rows of some delimited files name columns, and those of others do not.
    """
    if not all(suffix_of(Path(path)) in _WAYS or os.path.isdir(path) for path in paths):
        return False
    data = {*_WAYS, *suffixes_of(all_formats())}
    files = [
        file
        for path in expand(paths)
        for file in (listed(path) if path.is_dir() else [path])
        if suffix_of(file) in data and not file.name.startswith(".")
        if path == file or suffix_of(file) != ".json" or is_json_list(file)
    ]
    if not files or not all(suffix_of(file) in _WAYS and file.is_file() for file in files):
        return False
    if find_schemas(paths):
        return False
    found = {file: _WAYS[suffix_of(file)](file) for file in files}
    sure = next((file for file in files if found[file] == "header"), None)
    unnamed = next((file for file in files if found[file] is None), None)
    if sure is not None and unnamed is not None and _WAYS[suffix_of(unnamed)] is _named:
        require_text(unnamed)
        raise UsageError(
            f"{unnamed}: the first row does not name columns, unlike that of {sure}: write a header, read "
            "rows as facts with --format tables or --format triples, or treat every first row as names with "
            "--mapping auto"
        )
    return sure is not None and unnamed is None


def _named(path: Path) -> Found:
    """Return whether the first row is a `header`, or may be one (`doubtful`)."""
    text = text_in(next(line_blocks(path, _START), b""))
    delimiter = "\t" if suffix_of(path) == ".tsv" else delimiter_in(text)
    lines = text.splitlines()[: SAMPLE + 1]
    with fields_of_any_length():
        try:
            rows = [row for row in csv.reader(lines, delimiter=delimiter) if row]
        except csv.Error:
            return None  # who reads it says so
    if len(rows) < 2:
        return "doubtful" if rows and _are_names(rows[0], ()) else None  # with others it may have no rows
    first, *below = rows = _with_names(rows)
    found = header_in(rows)
    if len(first) == _TRIPLES and _are_triples(first):
        return None
    if found != "header" and len(first) > _TRIPLES and _are_names(first, below):
        return "header"
    return found


def _with_names(rows: list[list[str]]) -> list[list[str]]:
    """Return rows with a name for each column that has values, if the first row has names at all.

    The same name for all columns is none of theirs: `person,person` says of what types they are.
    """
    first = [field.strip() for field in rows[0]]
    header = named(first)
    if not any(first) or (header.doubled and len(set(first)) == 1):
        return rows
    below = [row for row in rows[1:] if len(row) == len(first)]
    filled = {place for place in header.unnamed if any(row[place].strip() for row in below)}
    kept = header.kept(filled)
    names = [header.names[place] for place in kept]
    return [names, *([row[place] for place in kept] for row in below)]


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


def _records(path: Path) -> Found:
    """Return `header` if the first line is a record, and no fact."""
    lines = text_in(next(line_blocks(path, _START), b"")).split("\n")
    try:
        first = json.loads(next((line for line in lines if line.strip()), ""))
    except ValueError:
        return None
    return "header" if isinstance(first, dict) and not {"predicate", "arguments"} & set(first) else None


def _parquet(path: Path) -> Found:
    """Return whether the columns are many, or a key and others (`header`), or may be (`doubtful`)."""
    try:
        import pyarrow  # noqa: PLC0415  (an extra)
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError:
        return None
    try:
        names = parquet.read_schema(path).names
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError):
        return None  # who reads it says so
    if any(name.startswith("argument") for name in names):
        return None
    if len(names) > _TRIPLES or (len(names) == _TRIPLES and is_key_name(names[0], stem_of(path))):
        return "header"
    return "doubtful"


_WAYS: dict[str, Callable[[Path], Found]] = {
    ".csv": _named,
    ".tsv": _named,
    ".jsonl": _records,
    ".ndjson": _records,
    ".parquet": _parquet,
    ".pq": _parquet,
    **dict.fromkeys((*ARROW, ".json"), lambda _: "header"),
}
