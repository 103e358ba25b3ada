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
from logicoder.kb.formats.alchemy.spelling import (
    NAME,
    QUOTED,
    Spelling,
    alchemy_name,
    constant_text,
    located_symbol,
)
from logicoder.kb.formats.grammar import FactReader, Grammar, Mention
from logicoder.kb.formats.text import TextFormat, blocks, used_symbols
from logicoder.kb.formats.tokens import UnusualTokenError
from logicoder.logic.parser import place
from logicoder.logic.symbols import BadEscapeError, symbol_of, symbol_of_field, unescape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from logicoder.kb.builder import KnowledgeBaseBuilder
    from logicoder.kb.formats.interface import ReadOptions, Source
    from logicoder.kb.formats.text import Reader
    from logicoder.kb.knowledge_base import KnowledgeBase, Truth

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
_TRUTHS: dict[str, Truth] = {"": "true", "!": "false", "?": "unknown"}


class AlchemyFormat(TextFormat):
    """Alchemy's `.db` files."""

    name = "alchemy"
    summary = "an atom per line, true, false (!) or unknown (?)"
    suffixes = (".db",)
    comment = "//"

    def recognise(self, path: Path) -> bool:
        """Whether a file is text: databases have the same ending."""
        with path.open("rb") as stream:
            return path.suffix == ".gz" or b"\0" not in stream.read(1024)

    def readers(self, builder: KnowledgeBaseBuilder, options: ReadOptions) -> Callable[[Source], Reader]:
        """See `TextFormat.readers`."""
        reader = FactReader(builder, alchemy_grammar(Spelling(options.schema)))
        return lambda source: reader  # noqa: ARG005

    def refuse(self, kb: KnowledgeBase) -> None:
        """See `Format.refuse`."""
        spellings: dict[str, str] = {}
        for name in kb.schema:
            other = spellings.setdefault(name.lower(), name)
            if other != name or not alchemy_name(name):
                why = f"it differs from {other} in case only" if other != name else "it is not a plain word"
                raise UsageError(f"the predicate {name!r} cannot be written in the .db format: {why}")

    def lines(self, kb: KnowledgeBase) -> Callable[[int, Path], Iterator[str]]:
        """See `TextFormat.lines`."""
        texts = {i: constant_text(symbol) for i, symbol in used_symbols(kb).items()}
        signs = {truth: sign for sign, truth in _TRUTHS.items()}

        def lines(world: int, path: Path) -> Iterator[str]:  # noqa: ARG001
            for name, truth, rows in blocks(kb, world):
                if not rows.shape[1]:
                    yield f"{signs[truth]}{name}\n"
                    continue
                for row in rows.tolist():
                    yield f"{signs[truth]}{name}({','.join([texts[i] for i in row])})\n"

        return lines


def alchemy_grammar(spelling: Spelling) -> Grammar:
    """Return the notation of `.db` files."""
    return Grammar(
        _SIMPLE_LINES, _SIMPLE_LINE, _TOKENS, _symbol, partial(_head, spelling), partial(_exact, spelling)
    )


def _symbol(token: str) -> str:
    if token[0] != '"':
        return symbol_of_field(token)
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
        raise InputError("this comment /* is not closed", place(text, start, source))
    sign = _SIGN.match(text, start)
    position = _end_of(_SIGN, text, start)
    name = _NAME.match(text, position)
    if name is None:
        raise InputError(
            f"expected a predicate, found {_word(text, position)}",
            place(text, position, source),
            "a line of a .db file is an atom such as friends(Anna,Bob), optionally with ! or ? before it",
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
                "put constants with spaces in double quotes, and each atom on one line",
            )
        position = _end_of(_BLANKS, text, position + 1)
        if mark == ")":
            return symbols, position


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
