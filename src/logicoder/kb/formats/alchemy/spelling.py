"""How Alchemy's files write names and constants, whatever the files hold."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from logicoder.base.errors import InputError, UsageError
from logicoder.logic.parser import ESCAPE, place
from logicoder.logic.symbols import BadEscapeError, quote, symbol_of, symbol_of_field, unescape, value_of

if TYPE_CHECKING:
    from collections.abc import Iterable

NAME = r"[^\W\d]\w*+"
QUOTED = rf'"(?:[^"\\\n]++|{ESCAPE})*+"'

_NAME = re.compile(NAME)
_PLAIN = re.compile(r"\w[\w.\-]*\Z")


class Spelling:
    """How predicates are spelled, whatever case a file gives them.

    >>> spelling = Spelling(["advisedBy"])
    >>> spelling("ADVISEDBY"), spelling("TaughtBy"), spelling("taughtby")
    ('advisedBy', 'taughtBy', 'taughtBy')
    """

    def __init__(self, declared: Iterable[str] = ()) -> None:
        self._declared = frozenset(declared)
        self._known: dict[str, str] = {}
        for name in declared:
            self._known.setdefault(name.lower(), name)

    def __call__(self, name: str) -> str:
        """Return the spelling to use for a name."""
        if name in self._declared:
            return name
        lowered = lower_first(name)
        return lowered if lowered in self._declared else self._known.setdefault(name.lower(), lowered)


def lower_first(name: str) -> str:
    """Return a name with its first letter in lower case."""
    return name[:1].lower() + name[1:]


def alchemy_name(name: str) -> bool:
    """Whether a predicate's name is one that a `.db` file can hold and give back."""
    return _NAME.fullmatch(name) is not None and name == lower_first(name)


def constant_text(symbol: str) -> str:
    """Return a constant as a `.db` file writes it.

    >>> print(constant_text("'Anna'"), constant_text("'Bob B.'"), constant_text("7"), constant_text("'7'"))
    Anna "Bob B." 7 "7"

    Raises:
        UsageError: for strings and for numbers with a fraction, which the format does not have.
    """
    value = value_of(symbol)
    if isinstance(value, str):
        return value if _PLAIN.match(value) and symbol_of_field(value) == symbol else quote(value, '"')
    if isinstance(value, int):
        return symbol
    raise UsageError(f"the constant {symbol} cannot be written in the .db format; write Prolog (.pl) instead")


def located_symbol(token: str, text: str, position: int, source: str) -> str:
    """Return the symbol of a constant that stands at a position of a text."""
    if token[0] != '"':
        return symbol_of_field(token)
    try:
        return symbol_of(unescape(token[1:-1]))
    except BadEscapeError as error:
        raise InputError(str(error), place(text, position + 1 + error.offset, source)) from None
