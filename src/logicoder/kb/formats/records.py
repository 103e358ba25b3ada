r"""Records of comma-, tab- or space-separated text, quickly or with the place of every field.

With a comma or a tab, a field may stand in double quotes (a quote in it is doubled), as the `csv` module
writes it; with white space between the fields there are no quotes. An empty field is a missing value, and its
row no fact; the constant of no letters is written `""`.
"""

from __future__ import annotations

import csv
import io
import re
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from logicoder.base.errors import InputError
from logicoder.logic.parser import place

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_WORD = re.compile(r"\S+")
_FIRST_RECORD = re.compile(r'[\r\n]*+(?:"(?:[^"]++|"")*+"|[^\n])*+')


class Field(NamedTuple):
    """A field, where it starts in the text, and where it ends."""

    text: str
    start: int
    end: int

    @property
    def is_missing(self) -> bool:
        """Whether nothing is there, not even quotation marks."""
        return self.start == self.end


def delimiter_of(suffix: str, text: str, *, triples: bool) -> str | None:
    """Return the delimiter of a text; None is white space.

    Tables: a comma in `.csv`, a tab in `.tsv`, and in other files a tab if the first line has one.
    Triples: a tab if the first line has one, else a comma in `.csv`. Everything else is white space.
    """
    first = _FIRST_RECORD.match(text)
    if not triples and suffix in (".csv", ".tsv"):
        return "," if suffix == ".csv" else "\t"
    if first and "\t" in first[0]:
        return "\t"
    return "," if suffix == ".csv" else None


def rows(text: str, delimiter: str | None) -> Iterator[list[str]]:
    """Iterate over the fields of each record; blank lines are skipped.

    Raises:
        csv.Error: if a quotation mark is not closed, or text follows a closing one.
    """
    newline = "\n" if delimiter is None else ""
    lines = chain.from_iterable(io.StringIO(piece, newline=newline) for piece in _pieces(text))
    if delimiter is None:
        return filter(None, map(str.split, lines))
    return filter(None, csv.reader(lines, delimiter=delimiter, strict=True))


def _pieces(text: str, size: int = 1 << 20) -> Iterator[str]:
    """Cut a text after line ends: each piece is copied on its way, and the whole would need much memory."""
    start = 0
    while start < len(text):
        end = text.find("\n", start + size) + 1 or len(text)
        yield text[start:end]
        start = end


def records(text: str, delimiter: str | None, source: str) -> Iterator[list[Field]]:
    """Iterate over the same records with the place of every field.

    Raises:
        InputError: at a quotation mark that is not closed, at text after a closing one.
    """
    if delimiter is None:
        for line in re.finditer(r"[^\n]+", text):
            words = [Field(m[0], m.start(), m.end()) for m in _WORD.finditer(text, *line.span())]
            if words:
                yield words
        return
    mark = re.escape(delimiter)
    field = re.compile(rf'("(?:[^"]++|"")*+"|(?!")[^{mark}\r\n]*+)({mark}|\r\n|\r|\n|\Z)')
    offset = 0
    found: list[Field] = []
    while offset < len(text) or found:
        match = field.match(text, offset)
        if match is None:
            raise _bad_quote(text, offset, source)
        blank = not found and not match[1] and match[2] != delimiter
        if not blank:
            quoted = match[1].startswith('"')
            content = match[1][1:-1].replace('""', '"') if quoted else match[1]
            found.append(Field(content, offset, match.end(1)))
        offset = match.end()
        if match[2] != delimiter:
            if found:
                yield found
            found = []


def _bad_quote(text: str, offset: int, source: str) -> InputError:
    closed = re.compile(r'"(?:[^"]++|"")*+"').match(text, offset)
    if closed is None:
        return InputError('this quotation mark " is not closed', place(text, offset, source))
    return InputError(
        f"the quoted field ends here, but {text[closed.end()]!r} follows",
        place(text, closed.end(), source),
        "double the quotation marks within a quoted field",
    )


@contextmanager
def fields_of_any_length() -> Iterator[None]:
    """Lift the limit that the `csv` module sets on the length of a field."""
    before = csv.field_size_limit(2**31 - 1)  # a C long, which has 32 bits on some systems
    try:
        yield
    finally:
        csv.field_size_limit(before)


def record_text(fields: Iterable[str], delimiter: str) -> str:
    """Return the line that `rows` and `records` read back.

    >>> print(record_text(["a", "b c", "", 'd"e'], ","), end="")
    a,b c,"","d""e"
    """
    special = re.compile(rf'["\r\n{re.escape(delimiter)}]')
    texts = ('"' + f.replace('"', '""') + '"' if not f or special.search(f) else f for f in fields)
    return delimiter.join(texts) + "\n"
