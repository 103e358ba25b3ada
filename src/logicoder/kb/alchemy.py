r"""Facts in the `.db` format of Alchemy, one atom per line.

    advisedBy(Anna, bob)          a true fact; everything in the parentheses is a constant
    !advisedBy(Anna, Anna)        an atom that is explicitly false
    ?advisedBy(bob, Anna)         an atom whose truth is not known
    // a comment                  /* another one */

A constant is any text without spaces, commas, parentheses and double quotes, so that `http://a.org/x-1` is
one (no comment starts within the parentheses), or a text in double quotes with the escapes of Prolog.
An unquoted integer is a number, everything else an atom; quoted text always is an atom.

Published files spell predicates with and without capitals, so the case of a predicate does not matter:
the declared spelling is used, or else the one seen first, and its first letter is made lower case.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from logicoder.base.errors import InputError, UsageError
from logicoder.kb.bulk import UnusualTokenError
from logicoder.kb.mentions import Grammar, Mention
from logicoder.logic.parser import ESCAPE, place
from logicoder.logic.symbols import BadEscapeError, quote, symbol_of, symbol_of_field, unescape, value_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from logicoder.kb.knowledge_base import Truth

NAME = r"[^\W\d]\w*+"
QUOTED = rf'"(?:[^"\\\n]++|{ESCAPE})*+"'

# Simple lines: those that the quick way understands; what it does not match is left to the exact one.
_BLANK = r"[ \t]*+"
_ARGUMENT = rf'(?:[\w+\-][^\s(),"]*+|{QUOTED}){_BLANK}'
_FACT = rf"[!?]?+{NAME}\({_BLANK}{_ARGUMENT}(?:,{_BLANK}{_ARGUMENT})*+\){_BLANK}\.?+{_BLANK}"
_COMMENT = r"//[^\n]*+"
_SIMPLE_LINES = re.compile(rf"(?:{_BLANK}(?:{_FACT})?+(?:{_COMMENT})?+\r?+\n)*+")
_SIMPLE_LINE = re.compile(rf"\s*+({_FACT})(?:{_COMMENT})?+\r?+\n")
_TOKENS = re.compile(rf'([!?]?+[\w+\-][^\s(),"]*+\(?+|{QUOTED})|{_COMMENT}')

_SKIPPED = re.compile(rf"(?:\s++|{_COMMENT}|/\*.*?\*/)*+", re.DOTALL)
_BLANKS = re.compile(_BLANK)
_SIGN = re.compile(rf"([!?]?){_BLANK}")
_NAME = re.compile(NAME)
_OPEN = re.compile(rf"{_BLANK}\({_BLANK}")
_CONSTANT = re.compile(rf'({QUOTED}|[^\s(),"]+){_BLANK}')
_END = re.compile(rf"{_BLANK}\.?{_BLANK}(?=//|/\*|\r?\n|\Z)")
_PLAIN = re.compile(r"\w[\w.\-]*\Z")
_TRUTHS: dict[str, Truth] = {"": "true", "!": "false", "?": "unknown"}

# Python refuses to convert integers of more digits between text and number: longer ones are atoms.
_MOST_DIGITS = 4000


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


def field_symbol(text: str) -> str:
    """Return the symbol of unquoted text: an integer where it is written as one, else an atom."""
    return symbol_of_field(text) if len(text) <= _MOST_DIGITS else quote(text)


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
        return value if _PLAIN.match(value) and field_symbol(value) == symbol else quote(value, '"')
    if isinstance(value, int):
        return symbol
    raise UsageError(f"the constant {symbol} cannot be written in the .db format; write Prolog (.pl) instead")


def alchemy_grammar(spelling: Spelling) -> Grammar:
    """Return the notation of `.db` files."""
    return Grammar(
        _SIMPLE_LINES, _SIMPLE_LINE, _TOKENS, _symbol, partial(_head, spelling), partial(_exact, spelling)
    )


def _symbol(token: str) -> str:
    if token[0] != '"':
        return field_symbol(token)
    try:
        return symbol_of(unescape(token[1:-1]))
    except BadEscapeError:
        raise UnusualTokenError from None


def _head(spelling: Spelling, token: str) -> tuple[str, Truth]:
    sign = token[0] if token[0] in "!?" else ""
    return spelling(token[len(sign) : -1]), _TRUTHS[sign]


def _exact(spelling: Spelling, text: str, offset: int, source: str) -> tuple[Mention | None, int]:
    """Read the next atom; return it, if there is one, and where to go on."""
    start = _end_of(_SKIPPED, text, offset)
    if start == len(text):
        return None, start
    if text.startswith("/*", start):
        raise InputError("this comment /* is never closed", place(text, start, source))
    sign = _SIGN.match(text, start)
    position = _end_of(_SIGN, text, start)
    name = _NAME.match(text, position)
    if name is None:
        raise InputError(
            f"expected a predicate, found {_word(text, position)}",
            place(text, position, source),
            "a line of a .db file is an atom such as friends(Anna,Bob), with ! or ? before it or not",
        )
    symbols, position = _arguments(text, name.end(), name[0], source)
    end = _END.match(text, position)
    if end is None:
        raise InputError(
            f"expected the end of the line after {name[0]}, found {_word(text, position)}",
            place(text, _end_of(_BLANKS, text, position), source),
            "a .db file has one atom per line",
        )
    return Mention(spelling(name[0]), tuple(symbols), _TRUTHS[sign[1] if sign else ""], start), end.end()


def _arguments(text: str, position: int, name: str, source: str) -> tuple[list[str], int]:
    """Read the arguments that follow a name, if there are any."""
    opening = _OPEN.match(text, position)
    if opening is None:
        return [], position
    position = opening.end()
    symbols: list[str] = []
    if text.startswith(")", position):
        return symbols, position + 1
    while True:
        constant = _CONSTANT.match(text, position)
        if constant is None or constant[1][0] == "'":
            unclosed = text.startswith('"', position)
            raise InputError(
                'this quotation mark " is not closed on its line'
                if unclosed
                else f"expected a constant, found {_word(text, position)}",
                place(text, position, source),
                None if unclosed else "write unusual constants in double quotes",
            )
        symbols.append(located_symbol(constant[1], text, position, source))
        position = constant.end()
        mark = text[position : position + 1]
        if mark not in (",", ")"):
            raise InputError(
                f"expected ',' or ')' in the arguments of {name}, found {_word(text, position)}",
                place(text, position, source),
                "a constant with spaces stands in double quotes, and an atom on one line",
            )
        position = _end_of(_BLANKS, text, position + 1)
        if mark == ")":
            return symbols, position


def located_symbol(token: str, text: str, position: int, source: str) -> str:
    """Return the symbol of a constant that stands at a position of a text."""
    if token[0] != '"':
        return field_symbol(token)
    try:
        return symbol_of(unescape(token[1:-1]))
    except BadEscapeError as error:
        raise InputError(str(error), place(text, position + 1 + error.offset, source)) from None


def _end_of(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return match.end() if match else position


def _word(text: str, position: int) -> str:
    """Return what stands at a place, as an error says it."""
    found = re.compile(r"[ \t]*(\w+|\S)?").match(text, position)
    rest = found[1] if found and found[1] else ""
    if rest:
        return repr(rest[:40])
    return "the end of the line" if position < len(text) else "the end of the file"
