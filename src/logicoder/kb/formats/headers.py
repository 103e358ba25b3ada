"""Whether the first row of a table is a header: names, unlike the values below them."""

from __future__ import annotations

import logging
import math
import re
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from logicoder.kb.file_names import name_of_stem, stem_of
from logicoder.kb.formats.header_words import is_certain_word, is_likely_word, spelled, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SAMPLE = 1000
"""So many rows are looked at."""

TRIPLE_HEADER = ("head", "relation", "tail")
"""The header that triples get where they need one."""

_log = logging.getLogger("logicoder")

_NAME = re.compile(r"[^\W\d][\w .\-()/%$€#:]*\Z")
# Numbers, dates, times, amounts: what is written with a digit, or with nothing but signs.
_NO_NAME = re.compile(
    r"[\W\d_]*\d[\W\d_]*(?:[eE][+-]?\d+|[T ][\d:.+\-]+Z?)?\Z|[\W_]*\Z|(?i:na|n/a|nan|null|none)\Z"
)
_SIGNS = (re.compile(r"\d"), re.compile(r"^[^\W\d_a-z]"), re.compile(r"\s"), re.compile(r"[^\w\s]"))

_Shape = frozenset[int]

# How surprising a first row must be, in bits, to be told: with a word of headers in it, and without.
_ODD_WITH_A_WORD = 1.0
_ODD = 4.0


def header_in(rows: Sequence[Sequence[str]], stem: str = "") -> Literal["header", "doubtful"] | None:
    """Return whether the first of some rows is a header, or may be one.

    A header consists of different names that do not occur below them. It is taken for one if below at least
    one of them there are only numbers, dates and the like, if below all of them there are only codes with
    digits, or if all names are words such as `id` or `customer_name`. It leaves a doubt if some are, if all
    are what columns are often called (`person`, `city`, a word in the file's name), or if a row like it is
    rare among the others: with constants that are nowhere else, where others come again and again, or
    written in other ways than all that is below.

    >>> header_in([["customer", "age"], ["anna", "31"], ["bob", "27"]])
    'header'
    >>> header_in([["Subject", "predicate", "object"], ["anna", "knows", "bob"]])
    'header'
    >>> header_in([["person", "city"], ["anna", "paris"]])
    'doubtful'
    >>> header_in([["anna", "paris"], ["bob", "rome"], ["anna", "oslo"]])

    Args:
        rows: the first rows; no more than `SAMPLE` of them are looked at.
        stem: the name of the file; what is skipped does not depend on it.
    """
    if len(rows) < 2:
        return None
    first, *below = rows[:SAMPLE]
    below = [row for row in below if len(row) == len(first)]
    columns = list(zip(*below, strict=True))
    if not below or not all(map(_NAME.match, first)):
        return None
    if any(text in column for text, column in zip(first, columns, strict=True)):
        return None
    numbers = any(all(map(_NO_NAME.match, column)) for column in columns)
    if len(set(map(spelled, first))) == len(first) and (
        (len(below) > 1 and numbers)
        or (len(below) > 2 and _are_codes(first, columns))
        or (len(first) > 1 and all(map(is_certain_word, first)))
    ):
        return "header"
    return "doubtful" if numbers or _is_doubtful(first, below, columns, words_of(stem)) else None


def _are_codes(first: Sequence[str], columns: Sequence[Sequence[str]]) -> bool:
    """Whether all values have digits and no name has any."""
    digit = _SIGNS[0]
    return not any(map(digit.search, first)) and all(all(map(digit.search, column)) for column in columns)


def _is_doubtful(
    first: Sequence[str],
    below: Sequence[Sequence[str]],
    columns: Sequence[Sequence[str]],
    others: frozenset[str],
) -> bool:
    if any(text in column for text in first for column in columns):
        return False  # a constant like others
    likely = [is_likely_word(text, others) for text in first]
    if all(likely) or any(map(is_certain_word, first)):
        return True
    if len(set(first)) < len(first) or any(map(_SIGNS[0].search, first)):
        return False  # who numbers columns calls them by other words, too
    shapes = [list(map(_shape, column)) for column in columns]
    own = list(map(_shape, first))
    if len(below) > 1 and all(
        len({*others}) == 1 and name < others[0] for name, others in zip(own, shapes, strict=True)
    ):
        return True
    return _oddness(below, shapes, own) >= (_ODD_WITH_A_WORD if any(likely) else _ODD)


def _oddness(
    below: Sequence[Sequence[str]], shapes: Sequence[Sequence[_Shape]], own: Sequence[_Shape]
) -> float:
    """Return the bits of the first row among all: how rare are rows at least as odd as it?

    Odd are rows of constants that are nowhere else, the more of them are written as no other row writes
    them. Were the first row one of the others, it would be among the odd ones as often as any of them.
    """
    cells = Counter(text for row in below for text in row)
    written = [Counter(column) for column in shapes]
    least = sum(it not in column for it, column in zip(own, written, strict=True))
    odd = 1
    for number, row in enumerate(below):
        if all(cells[text] == 1 for text in row):
            odd += (
                sum(counts[column[number]] == 1 for counts, column in zip(written, shapes, strict=True))
                >= least
            )
    return math.log2((len(below) + 1) / odd)


def _shape(text: str) -> _Shape:
    """Return how a constant is written: with digits, a capital, spaces, signs."""
    return frozenset(number for number, sign in enumerate(_SIGNS) if sign.search(text))


def header_rows(
    rows: Sequence[Sequence[str]], source: str, declared: Sequence[str] = (), *, told: bool = True
) -> int:
    """Return how many rows to skip, and warn where that is a guess.

    Args:
        rows: the first rows.
        source: the file that they are from.
        declared: the types of its columns; a row that spells them out is a header.
        told: whether to warn.
    """
    if not rows:
        return 0
    if [text.lower() for text in rows[0]] == [name.lower() for name in declared]:
        return 1
    found = header_in(rows, name_of_stem(stem_of(Path(source))) if told else "")
    if found and told:
        shown = ", ".join(rows[0])
        if found == "header":
            _log.warning(
                "%s: the first row (%s) is treated as a header; pass --no-header to read it as a fact",
                source,
                shown,
            )
        else:
            _log.warning("%s: the first row (%s) is read as a fact; pass --header to skip it", source, shown)
    return int(found == "header")


def start_of(rows: Iterable[Sequence[str]]) -> list[Sequence[str]]:
    """Return as many rows as `header_in` looks at."""
    return list(islice(rows, SAMPLE))
