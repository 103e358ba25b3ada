"""Whether the first row of a table is a header: names, unlike the values below them."""

from __future__ import annotations

import logging
import re
from itertools import islice
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SAMPLE = 1000
"""So many rows are looked at."""

TRIPLE_HEADER = ("head", "relation", "tail")
"""The header that triples get where they need one."""

_log = logging.getLogger("logicoder")

_NAME = re.compile(r"[^\W\d][\w .\-]*\Z")
# Numbers, dates, times, amounts: what is written with a digit, or with nothing but signs.
_NO_NAME = re.compile(r"[\W\d_]*\d[\W\d_]*(?:[eE][+-]?\d+|[T ][\d:.+\-]+Z?)?\Z|[\W_]*\Z")
_WORDS = re.compile(
    r"id|key|code|name|label|type|kind|class|value|date|time|year|from|to|source|target|src|dst|entity|attribute"
    r"|property|head|relation|tail|subject|predicate|object|[sphrto]|(?:node|arg|argument|column)_?\d"
    r"|.*[_ ](?:id|key|code|name|type|date)"
)


def header_in(rows: Sequence[Sequence[str]]) -> Literal["header", "doubtful"] | None:
    """Return whether the first of some rows is a header, or may be one.

    A header consists of different names that do not occur below them, and below at least one of them there
    are only numbers, dates and the like. Where all columns hold text, words such as `id` or `customer_name`
    make a header if all are such words, and leave a doubt if some are.

    >>> header_in([["customer", "age"], ["anna", "31"], ["bob", "27"]])
    'header'
    >>> header_in([["Subject", "predicate", "object"], ["anna", "knows", "bob"]])
    'header'
    >>> header_in([["person", "home_id"], ["anna", "paris"]])
    'doubtful'
    >>> header_in([["anna", "paris"], ["bob", "rome"], ["anna", "oslo"]])
    """
    if len(rows) < 2:
        return None
    first, *below = rows[:SAMPLE]
    names = [text.strip().lower() for text in first]
    if len(set(names)) < len(names) or not all(map(_NAME.match, first)):
        return None
    columns = [[row[index] for row in below if len(row) == len(first)] for index in range(len(first))]
    if not columns[0] or any(text in column for text, column in zip(first, columns, strict=True)):
        return None
    if len(below) > 1 and any(all(map(_NO_NAME.match, column)) for column in columns):
        return "header"
    words = [_WORDS.fullmatch(name) for name in names]
    if len(words) > 1 and all(words):
        return "header"
    return "doubtful" if any(words) else None


def header_rows(rows: Sequence[Sequence[str]], source: str, *, told: bool) -> int:
    """Return how many rows to skip, and warn where that is a guess.

    Args:
        rows: the first rows.
        source: the file that they are from.
        told: whether to warn.
    """
    found = header_in(rows)
    if found and told:
        shown = ", ".join(rows[0])
        if found == "header":
            _log.warning(
                "%s: the first row (%s) is taken for a header; --no-header makes it a fact", source, shown
            )
        else:
            _log.warning("%s: the first row (%s) is read as a fact; --header skips it", source, shown)
    return int(found == "header")


def start_of(rows: Iterable[Sequence[str]]) -> list[Sequence[str]]:
    """Return as many rows as `header_in` looks at."""
    return list(islice(rows, SAMPLE))
