"""Prolog as others write it: what is no fact is skipped, counted and told instead of being an error."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING

from logicoder.base.errors import InputError, Location
from logicoder.logic.parser import QUOTED, STRING, place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from logicoder.kb.formats.grammar import Mention

    Exact = Callable[[str, int, str], tuple[Mention | None, int]]

_log = logging.getLogger("logicoder")

_SHOWN = 5
"""So many terms are shown without being asked."""

_BLANK = re.compile(r"(?:\s++|%[^\n]*+|/\*.*?\*/)*+", re.DOTALL)
# A full stop ends a clause where white space or a comment follows, outside quotation marks and comments.
_CLAUSE = re.compile(
    rf"(?>0'(?:\\.|''|.)|\w++|{QUOTED}|{STRING}|`[^`]*+`|%[^\n]*+|/\*.*?\*/|\.(?!\s|%|\Z)|[^'\"`%.\w])*+"
    r"\.(?=\s|%|\Z)",
    re.DOTALL,
)


def clauses(text: str) -> Iterator[tuple[int, int]]:
    """Iterate over where the clauses of a Prolog text start and end, whatever they say.

    >>> text = "p('.'). :- x(0'.). q(1.5) :- r. % a. b"
    >>> [text[start:end] for start, end in clauses(text)]
    ["p('.').", ":- x(0'.).", 'q(1.5) :- r.']
    """
    offset = 0
    while True:
        start = clause_start(text, offset)
        if start >= len(text):
            return
        offset = clause_end(text, start)
        yield start, offset


def clause_start(text: str, offset: int) -> int:
    """Return where the next clause starts."""
    found = _BLANK.match(text, offset)
    return found.end() if found else offset


def clause_end(text: str, start: int) -> int:
    """Return where a clause ends: with its line, if an open quotation mark leaves it without an end."""
    found = _CLAUSE.match(text, start)
    if found:
        return found.end()
    line = text.find("\n", start)
    return len(text) if line < 0 else line + 1


class Skipped:
    """The terms of a reading that were no facts, by their places."""

    def __init__(self) -> None:
        self._errors: dict[Location | None, InputError] = {}

    def __len__(self) -> int:
        return len(self._errors)

    def reading(self, exact: Exact) -> Exact:
        """Return a way to read one clause after the other that skips those that `exact` refuses."""

        def read(text: str, offset: int, source: str) -> tuple[Mention | None, int]:
            start = clause_start(text, offset)
            end = clause_end(text, start)
            try:
                # By itself, so that an odd character of the next clause does no harm to this one.
                mention, _ = exact(text[start:end], 0, source)
            except InputError as error:
                found = moved(error, text, start, source)
                self._errors.setdefault(found.location, found)
                mention = None
            return mention._replace(offset=start + mention.offset) if mention else None, max(end, offset + 1)

        return read

    def tell(self) -> None:
        """Warn of what was skipped: of the first few with their places, and of the others on request."""
        if not self._errors:
            return
        several = f"{len(self)} terms that are not facts were"
        what = "1 term that is not a fact was" if len(self) == 1 else several
        told = [f"{error.location}: {error.message}" for error in self._errors.values()]
        more = len(told) - _SHOWN
        _log.warning(
            "%s skipped:\n  %s%s",
            what,
            "\n  ".join(told[:_SHOWN]),
            f"\n  and {more} more, which -v lists" if more > 0 else "",
        )
        for line in told[_SHOWN:]:
            _log.info("skipped: %s", line)


def moved(error: InputError, text: str, start: int, source: str) -> InputError:
    """Return the error of a piece of text that starts at an offset, with its place in the whole."""
    base, there = place(text, start, source), error.location
    if (
        there is None
        or there.line is None
        or there.column is None
        or base.line is None
        or base.column is None
    ):
        return InputError(error.message, base, error.hint)
    column = there.column + (base.column - 1 if there.line == 1 else 0)
    return InputError(error.message, Location(source, base.line + there.line - 1, column), error.hint)
