"""How constants and predicate names are written: one text for one symbol.

A constant is kept as its canonical Prolog text, so that the atom `'1'`, the number `1` and the string
`"1"` are three constants, and what is printed can be read back. Python values map to and from it:
`str` is an atom, `int` and `float` are numbers, `Text` is a string. Other values that people keep in tables
have one text each as well: see `symbol_of`.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal
from typing import Any
from uuid import UUID

from logicoder.base.errors import shown

_BARE_ATOM = re.compile(r"[a-z][A-Za-z0-9_]*\Z")

_HALF = re.compile("[\ud800-\udfff]")
"""Half of a character: no file in UTF-8 can hold it."""

_INTEGER = re.compile(r"(?:0|-?[1-9][0-9]*)\Z")
MOST_DIGITS = 4000
"""Python refuses to convert integers of many more digits between text and number."""
_ESCAPES = {
    "\\": "\\\\",
    "\n": "\\n",
    "\t": "\\t",
    "\r": "\\r",
    "\b": "\\b",
    "\f": "\\f",
    "\v": "\\v",
    "\a": "\\a",
}
_UNESCAPES = {escape[1]: character for character, escape in _ESCAPES.items()} | {
    "'": "'",
    '"': '"',
    "`": "`",
    "0": "\0",
    "e": "\x1b",
    "s": " ",
}


@dataclass(frozen=True)
class Text:
    """A Prolog string such as `"Rey Skywalker"`, which is not the atom of the same letters."""

    value: str

    def __str__(self) -> str:
        return self.value


Value = str | int | float | Text


def quote(text: str, mark: str = "'") -> str:
    """Return `text` between quotation marks, with escapes where they are needed."""
    if text.isprintable() and "\\" not in text and mark not in text:
        return mark + text + mark
    inner = "".join(
        _ESCAPES.get(c, c) if c.isprintable() or c in _ESCAPES else f"\\x{ord(c):x}\\" for c in text
    )
    return mark + inner.replace(mark, "\\" + mark) + mark


def atom_text(name: str) -> str:
    r"""Return the way an atom or a predicate name is written in a program.

    >>> atom_text("luke"), atom_text("Luke"), atom_text("it's")
    ('luke', "'Luke'", "'it\\'s'")
    """
    return name if _BARE_ATOM.match(name) else quote(name)


def symbol_of(value: Any) -> str:
    """Return the canonical text of a Python value.

    Truth values are the atoms `true` and `false`; dates, times and UUIDs are atoms of their usual texts, and
    bytes one of hexadecimal digits. A `Decimal` is the number it writes, as far as a float keeps its digits,
    and an atom otherwise. Scalars of numpy are what they hold.

    >>> symbol_of("luke"), symbol_of("Luke"), symbol_of(7), symbol_of(Text("7"))
    ('luke', "'Luke'", '7', '"7"')
    >>> symbol_of(Decimal("19.90")), symbol_of(date(2024, 5, 1)), symbol_of(True), symbol_of(bytes(2))
    ('19.9', "'2024-05-01'", 'true', "'0x0000'")

    Raises:
        ValueError: for what is not a constant, such as None or a number that is not finite.
    """
    if isinstance(value, str):
        if not value.isprintable() and _HALF.search(value):
            raise ValueError(f"{shown(value)} contains half of a character")
        return atom_text(str(value))
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} is not a constant of a program")
        return float.__repr__(value)
    if isinstance(value, Text):
        return quote(value.value, '"')
    return _symbol_of_other(value)


def _symbol_of_other(value: Any) -> str:
    """Return the text of a value that is neither text nor a number of Python's own."""
    if isinstance(value, date | time) and value == value:  # noqa: PLR0124  (pandas' missing date differs)
        return atom_text(value.isoformat())
    if isinstance(value, UUID):
        return atom_text(str(value))
    if isinstance(value, bytes | bytearray | memoryview):
        return atom_text(f"0x{bytes(value).hex()}")
    if isinstance(value, Decimal) and value.is_finite():
        if value == value.to_integral_value():
            return str(int(value))
        fraction = repr(float(value))
        return fraction if Decimal(fraction) == value else atom_text(str(value.normalize()))
    if type(value).__module__ == "numpy" and getattr(value, "shape", None) == ():
        date_like = value.dtype.kind == "M" and str(value) != "NaT"
        plain = str(value) if date_like else value.item()
        if type(plain) is not type(value):
            return symbol_of(plain)
    raise ValueError(f"{shown(value)} is not a constant of a program")


def symbol_of_field(text: str) -> str:
    """Return the symbol of a field of a table: a number where it is written as an integer, else an atom.

    An integer of more than `MOST_DIGITS` digits is an atom, too.

    >>> symbol_of_field("42"), symbol_of_field("007"), symbol_of_field("Leia")
    ('42', "'007'", "'Leia'")
    """
    if _BARE_ATOM.match(text) or (_INTEGER.match(text) and len(text) <= MOST_DIGITS):
        return text
    return quote(text)


def value_of(symbol: str) -> Value:
    """Return the Python value of a canonical symbol: the inverse of `symbol_of`.

    >>> [value_of(s) for s in ("luke", "'Luke'", "7", "-2.5", '"7"')]
    ['luke', 'Luke', 7, -2.5, Text(value='7')]
    """
    first = symbol[0]
    if first == "'":
        return unescape(symbol[1:-1])
    if first == '"':
        return Text(unescape(symbol[1:-1]))
    if first == "-" or first.isdigit():
        return int(symbol) if _INTEGER.match(symbol) else float(symbol)
    return symbol


def plain_text(symbol: str) -> str:
    """Return a symbol without quotation marks and escapes, as a table shows it."""
    return str(value_of(symbol)) if symbol[0] in "'\"" else symbol


class BadEscapeError(ValueError):
    """An escape sequence that does not exist; `offset` is where it starts in the quoted text."""

    def __init__(self, sequence: str, offset: int) -> None:
        super().__init__(f"unknown escape sequence {sequence}")
        self.offset = offset


_CODED = re.compile(
    r"x(?P<hexadecimal>[0-9a-fA-F]+)\\?|u(?P<short>[0-9a-fA-F]{4})|U(?P<long>[0-9a-fA-F]{8})|(?P<octal>[0-7]+)\\"
)


def unescape(text: str) -> str:
    r"""Return quoted text with its escapes replaced.

    >>> unescape(r"it\'s \x41\ tab \u00fc")
    "it's A tab ü"
    """
    if "\\" not in text:
        return text
    out: list[str] = []
    position = 0
    while position < len(text):
        character = text[position]
        if character != "\\":
            out.append(character)
            position += 1
            continue
        following = text[position + 1 : position + 2]
        coded = _CODED.match(text, position + 1)
        if coded:
            octal = coded.lastgroup == "octal"
            code = int(coded[coded.lastgroup or 0], 8 if octal else 16)
            if code > 0x10FFFF or 0xD800 <= code < 0xE000:
                raise BadEscapeError("\\" + coded[0], position)
            out.append(chr(code))
            position = coded.end()
        elif following in _UNESCAPES and following:
            out.append(_UNESCAPES[following])
            position += 2
        elif following == "\n":
            position += 2
        else:
            raise BadEscapeError("\\" + following, position)
    return "".join(out)
