"""Schemas in the notation of Alchemy's `.mln` files: what predicates there are, and over which types.

    // a comment                            /* another one */
    advisedBy(person, person)               a predicate and the types of its arguments
    taughtBy(+course, -person, -quarter)    with modes: + is bound, - is unbound
    background neighbours(person, person)   our own word: encoders may use it, nobody has to reconstruct it
    open likes(person, person)              our own word: atoms that are not listed are unknown, not false
    person = {Anna, "Bob B.", carol}        the constants of a type
    year = {1, ..., 10}                     the same for a range of integers

The first letter of a predicate is made lower case; a name in single quotes is kept as it is, and may hold
anything. Weighted or hard formulas, function declarations and `#include` may stand in the file: they are
left out, with one warning for all of them. A formula that is a single atom needs its weight or its final
period, since without them it looks like a declaration.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from pathlib import Path

from logicoder.base.errors import InputError, Location
from logicoder.base.files import read_text
from logicoder.kb.formats.alchemy.spelling import NAME, QUOTED, constant_text, located_symbol, lower_first
from logicoder.kb.schema import Predicate, Schema
from logicoder.logic.parser import QUOTED as NAME_IN_QUOTES
from logicoder.logic.parser import Token, place, symbol_of_token
from logicoder.logic.symbols import quote, value_of

SCHEMA_FILE = "schema.mln"
"""The schema of the data in the same folder."""

_BLANK = r"[ \t]*+"
_END = r"[ \t]*+(?=\r?\n|\Z)"
_WORD = rf"(?:{NAME}|{NAME_IN_QUOTES})"
_COMMENT = re.compile(rf"{QUOTED}|{NAME_IN_QUOTES}|(//[^\n]*+|/\*.*?\*/)", re.DOTALL)
DOMAIN = re.compile(rf'({_WORD}){_BLANK}={_BLANK}\{{((?:[^"{{}}]++|{QUOTED})*+)\}}{_END}', re.DOTALL)
ARGUMENT = re.compile(rf"([+\-]?){_BLANK}({_WORD})", re.DOTALL)
_ANY_ARGUMENT = rf"[+\-]?+{_BLANK}{_WORD}{_BLANK}!?+{_BLANK}"
DECLARATION = re.compile(
    rf"((?:(?:background|open)[ \t]++(?=\w|'))*+)({_WORD}){_BLANK}"
    rf"(?:\({_BLANK}((?:{_ANY_ARGUMENT}(?:,{_BLANK}{_ANY_ARGUMENT})*+)?+)\))?{_END}",
    re.DOTALL,
)
_FORMULA = re.compile(
    rf"[+\-]?\d|\#|.*(?:\.{_BLANK}$|[=!^<>]|\sv\s|\b(?:exist|forall)\b)|{NAME}{_BLANK}{NAME}\(", re.IGNORECASE
)
_ITEM = re.compile(rf'({QUOTED}|\.\.\.|[^\s,{{}}"]+)\s*+(,|\Z)\s*+')
_INTEGER = re.compile(r"-?[0-9]{1,18}\Z")
_PLAIN = re.compile(rf"{NAME}\Z")

_LARGEST_RANGE = 10_000_000

_log = logging.getLogger("logicoder")


def read_schema(path: str | Path) -> Schema:
    """Read the declarations of an `.mln` file; see the text at the top of this module for the notation.

    Raises:
        InputError: if a line is no declaration, or contradicts an earlier one.
    """
    return parse_schema(read_text(Path(path)), str(path))


def parse_schema(text: str, source: str = "<text>", known: Schema | None = None) -> Schema:
    """Read declarations from a text; it may also declare domains for the types of a `known` schema.

    >>> schema = parse_schema("AdvisedBy(person, person)  // who advises whom")
    >>> print(schema)
    advisedBy(person,person)
    """
    return _Declarations(text, source).schema(known or Schema())


def schema_text(schema: Schema, constant: Callable[[str], str] = constant_text) -> str:
    """Return the text of a schema that `read_schema` reads back; `constant` writes the symbols of domains.

    Domains of types that no predicate uses are left out.

    >>> print(schema_text(Schema.of(Predicate("Likes", ("person", "thing"), open_world=True))), end="")
    open 'Likes'(person,thing)
    """
    lines = []
    for predicate in schema.values():
        name = predicate.name
        if not _PLAIN.match(name) or name != lower_first(name):
            name = quote(name)
        modes = predicate.modes or ("",) * predicate.arity
        kinds = ",".join(m + _type_text(kind) for m, kind in zip(modes, predicate.types, strict=True))
        lines.append(f"{predicate.marks}{name}({kinds})" if kinds else f"{predicate.marks}{name}")
    used = {kind for predicate in schema.values() for kind in predicate.types}
    for kind, symbols in schema.domains.items():
        if kind in used:
            lines.append(f"{_type_text(kind)} = {{{', '.join(map(constant, symbols))}}}")
    return "".join(f"{line}\n" for line in lines)


def without_comments(text: str) -> str:
    """Return a text with spaces for its comments, so that places stay what they are."""
    return _COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m[0]) if m[1] else m[0], text)


def _type_text(kind: str) -> str:
    return kind if _PLAIN.match(kind) else quote(kind)


class _Declarations:
    """The statements of one text, read from its beginning to its end."""

    def __init__(self, text: str, source: str) -> None:
        self._text = without_comments(text)
        self._source = source
        self._predicates: dict[str, tuple[Predicate, int]] = {}
        self._domains: dict[str, tuple[tuple[str, ...], int]] = {}
        self._ignored = 0

    def schema(self, known: Schema) -> Schema:
        """Read everything."""
        offset = 0
        while offset < len(self._text):
            if self._text[offset].isspace():
                offset += 1
                continue
            offset = self._statement(offset)
        if self._ignored:
            _log.warning("%s: %d lines are not declarations and were left out", self._source, self._ignored)
        if not self._predicates and not known:
            raise InputError(
                "no predicate is declared here",
                Location(self._source),
                "a declaration is a line such as father(person,person)",
            )
        predicates = {name: predicate for name, (predicate, _) in self._predicates.items()}
        used = {kind for predicate in (*predicates.values(), *known.values()) for kind in predicate.types}
        for kind, (_, offset) in self._domains.items():
            if kind not in used:
                raise self._error(
                    f"no predicate has an argument of the type {kind}",
                    offset,
                    f"the types are: {', '.join(sorted(used)) or 'none'}",
                )
        return Schema(predicates, {kind: symbols for kind, (symbols, _) in self._domains.items()})

    def _statement(self, offset: int) -> int:
        """Read the statement at an offset and return where it ends."""
        if domain := DOMAIN.match(self._text, offset):
            self._domain(domain)
            return domain.end()
        if declaration := DECLARATION.match(self._text, offset):
            self._declaration(declaration)
            return declaration.end()
        end = self._text.find("\n", offset)
        end = len(self._text) if end < 0 else end
        line = self._text[offset:end].rstrip()
        if line.startswith("/*"):
            raise self._error("this comment /* is not closed", offset)
        if not _FORMULA.match(line):
            raise self._error(
                f"this is not a declaration: {line[:60]}",
                offset,
                "a predicate is declared as father(person,person), a domain as colour = {red, green}",
            )
        self._ignored += 1
        return end

    def _declaration(self, match: re.Match[str]) -> None:
        name = self._word(match, 2)
        if match[2][0] != "'":
            name = lower_first(name)
        arguments = list(ARGUMENT.finditer(self._text, *match.span(3))) if match[3] else []
        modes = tuple(argument[1] for argument in arguments)
        if any(modes) and not all(modes):
            raise self._error(
                f"{name} has modes for only some of its arguments",
                match.start(),
                "give modes for all arguments or for none",
            )
        predicate = Predicate(
            name,
            tuple(self._word(argument, 2) for argument in arguments),
            modes if any(modes) else None,
            background="background" in match[1],
            open_world="open" in match[1],
        )
        known, before = self._predicates.setdefault(name, (predicate, match.start()))
        if known != predicate:
            raise self._error(
                f"{name} is declared differently at {place(self._text, before, self._source)}",
                match.start(),
                "remove one of the two; a formula needs a weight or a final period",
            )

    def _domain(self, match: re.Match[str]) -> None:
        kind = self._word(match, 1)
        symbols = self._items(*match.span(2))
        known, before = self._domains.setdefault(kind, (symbols, match.start()))
        if known != symbols:
            raise self._error(
                f"the type {kind} has another domain at {place(self._text, before, self._source)}",
                match.start(),
                "remove one of the two",
            )

    def _items(self, start: int, end: int) -> tuple[str, ...]:
        """Read the constants of a domain."""
        while start < end and self._text[start].isspace():
            start += 1
        found: dict[str, None] = {}
        after_dots: int | None = None
        last: str | None = None
        position = start
        while position < end:
            item = _ITEM.match(self._text, position, end)
            if item is None:
                raise self._error("expected constants separated by commas", position)
            if item[1] == "...":
                if last is None or not _INTEGER.match(last):
                    raise self._error("the range ... needs an integer before it", position)
                after_dots = int(last)
            else:
                last = located_symbol(item[1], self._text, position, self._source)
                if after_dots is not None:
                    found.update(dict.fromkeys(self._range(after_dots, last, position)))
                    after_dots = None
                found[last] = None
            position = item.end()
        if after_dots is not None:
            raise self._error("the range ... needs an integer after it", end)
        return tuple(found)

    def _range(self, first: int, last: str, position: int) -> list[str]:
        if not _INTEGER.match(last):
            raise self._error("the range ... needs an integer after it", position)
        if not 0 <= int(last) - first <= _LARGEST_RANGE:
            raise self._error(f"the range from {first} to {last} is empty or too large", position)
        return [str(number) for number in range(first, int(last) + 1)]

    def _word(self, match: re.Match[str], group: int) -> str:
        text = match[group]
        if text[0] != "'":
            return text
        token = Token("quoted", text, match.start(group))
        return str(value_of(symbol_of_token(token, self._text, self._source)))

    def _error(self, message: str, offset: int, hint: str | None = None) -> InputError:
        return InputError(message, place(self._text, offset, self._source), hint)
