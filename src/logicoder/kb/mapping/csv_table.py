"""Tables in CSV and TSV files: the first row names the columns, and kinds are inferred."""

from __future__ import annotations

import csv
import io
import logging
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from logicoder.base.errors import InputError, Location
from logicoder.base.files import line_blocks, read_bytes, read_text
from logicoder.kb.file_names import suffix_of
from logicoder.kb.formats.records import fields_of_any_length
from logicoder.kb.mapping.csv_header import CsvHeader, header_of
from logicoder.kb.mapping.field_styles import typed
from logicoder.kb.mapping.tables import Columns

_FIRST = re.compile(r'(?:"(?:[^"]++|"")*+"|[^"\r\n])*+')
_QUOTED = re.compile(r'"(?:[^"]++|"")*+"')
_DELIMITERS = (",", ";", "\t", "|")
_BYTE_ORDER = (b"\xff\xfe", b"\xfe\xff")

_PIECE = 1 << 24
_NOT_UTF_8 = "%s is not UTF-8 and is read as Windows-1252; convert it if characters look wrong"

_log = logging.getLogger("logicoder")


def read_csv(path: Path, every: int = 1) -> Columns:
    """Return the columns of a file whose first row names them; those without a name and values are none.

    Args:
        path: the file.
        every: of so many rows the first is taken; those of a large file are read piece by piece then.

    Raises:
        InputError: if it has no such row, or rows of different lengths.
    """
    text, more = (_text_of(path), iter(())) if every == 1 else _pieces_of(path)
    delimiter = "\t" if suffix_of(path) == ".tsv" else delimiter_in(text)
    lines = chain.from_iterable(io.StringIO(piece, newline="") for piece in chain([text], more))
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    rows: list[list[str]] = []
    header: CsvHeader | None = None
    filled: set[int] = set()
    number = 0
    with fields_of_any_length():
        try:
            for row in reader:
                if not row:
                    continue
                if header is None:
                    header = header_of(row, path)
                elif len(row) != len(header.names):
                    raise InputError(
                        f"this row has {len(row)} fields instead of {len(header.names)}",
                        Location(str(path), reader.line_num),
                        "every row needs as many fields as the first; leave a field empty if it has no value",
                    )
                else:
                    if header.unnamed:
                        filled.update(place for place in header.unnamed if row[place].strip())
                    if number % every == 0:
                        rows.append(row)
                    number += 1
        except csv.Error as error:
            raise InputError(str(error), Location(str(path), reader.line_num)) from None
    if header is None:
        raise InputError("this table is empty; its first row must name the columns", Location(str(path)))
    header.tell(path, filled)
    kept = header.kept(filled)
    names = [header.names[place] for place in kept]
    every_column: list[Any] = list(zip(*rows, strict=True)) if rows else [()] * len(header.names)
    columns = [every_column[place] for place in kept]
    found = {}
    again = [name for name, column in zip(names, columns, strict=True) if name in column]
    if again:
        _log.warning(
            "%s: the first row (%s) is read as column names, although %s also occurs as a value; "
            "--format tables reads it as a fact",
            path,
            ", ".join(names),
            " and ".join(again),
        )
    for name, fields in zip(names, typed(columns, delimiter), strict=True):
        found[name] = fields.values
        if fields.told:
            _log.warning("%s, column %s: %s", path, name, fields.told)
    return found


def csv_header(path: Path) -> tuple[CsvHeader, str]:
    """Return the names of the columns of a file, and what separates its fields.

    Raises:
        InputError: if its first row does not name columns.
    """
    text, _ = _pieces_of(path)
    delimiter = "\t" if suffix_of(path) == ".tsv" else delimiter_in(text)
    with fields_of_any_length():
        try:
            rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
            return header_of(next(filter(None, rows), []), path), delimiter
        except csv.Error as error:
            raise InputError(str(error), Location(str(path), 1)) from None


def _text_of(path: Path) -> str:
    """Return the text of a file; what is no UTF-8 is read as spreadsheets write it, with a warning."""
    data = read_bytes(path)
    try:
        return text_in(data, "strict")
    except UnicodeDecodeError:
        if b"\0" in data:
            return read_text(path)  # which refuses it, with the place
    _log.warning(_NOT_UTF_8, path)
    return data.decode("cp1252", "replace")


def _pieces_of(path: Path) -> tuple[str, Iterator[str]]:
    """Return the first lines of a file and an iterator over the others, read as the first lines ask for."""
    blocks = line_blocks(path, _PIECE)
    first = next(blocks, b"")
    if first.startswith(_BYTE_ORDER):
        return _text_of(path), iter(())
    try:
        encoding, text = "utf-8", first.decode("utf-8-sig")
    except UnicodeDecodeError:
        _log.warning(_NOT_UTF_8, path)
        encoding, text = "cp1252", first.decode("cp1252", "replace")
    return text, (block.decode(encoding, "replace") for block in blocks)


def text_in(data: bytes, errors: str = "replace") -> str:
    """Return the text of some bytes: UTF-16 with a byte order mark, or UTF-8."""
    if data.startswith(_BYTE_ORDER):
        return data.decode("utf-16", "replace")
    return data.decode("utf-8-sig", errors)


def delimiter_in(text: str) -> str:
    """Return what separates the names in the first row: of what occurs in it, what occurs most often."""
    first = _FIRST.match(text.lstrip("\r\n"))
    header = _QUOTED.sub("", first[0]) if first else ""
    return max(_DELIMITERS, key=header.count)
