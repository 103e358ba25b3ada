"""A parser for clauses in Prolog syntax. Every error names the line and the column."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from logicoder.base.errors import InputError, Location, require
from logicoder.logic.comparisons import comparison_name, comparison_of
from logicoder.logic.ordered_values import ordered_value
from logicoder.logic.symbols import MOST_DIGITS, BadEscapeError, plain_text, quote, symbol_of, unescape
from logicoder.logic.terms import Atom, Body, Clause, Constant, Literal, Program, Term, Variable

# Possessive, so that a text of many megabytes between two marks is one step without a way back.
ESCAPE = r"\\(?:x[0-9a-fA-F]++\\?+|[0-7]++\\|.)"
QUOTED = rf"'(?:[^'\\]++|{ESCAPE}|'')*+'"
STRING = rf'"(?:[^"\\]++|{ESCAPE}|"")*+"'

_TOKEN = re.compile(
    rf"""
      (?P<space>[\s]+|%[^\n]*|/\*.*?\*/)
    | (?P<variable>[A-Z_]\w*)
    | (?P<name>[^\W\d_A-Z]\w*)
    | (?P<float>\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)
    | (?P<integer>0x[0-9a-fA-F]+|0o[0-7]+|0b[01]+|0'(?:''|\\[^\n]|[^'\\\n])|\d+(?:_\d+)*)
    | (?P<quoted>{QUOTED})
    | (?P<string>{STRING})
    | (?P<neck>:-|<-)
    | (?P<not>\\\+)
    | (?P<unequal>\\=)
    | (?P<compare>@?(?:>=|=<|<|>))
    | (?P<punctuation>[(),;.\-])
    """,
    re.VERBOSE | re.DOTALL,
)

_ESCAPE_OR_DOUBLED = re.compile(rf"""{ESCAPE}|''|\"\"""", re.DOTALL)


_TRUE = Atom("true")
"""The word `true`, an empty body; a proposition of that name stands in quotation marks."""


@dataclass(frozen=True)
class Token:
    """A word of the text and where it starts."""

    kind: str
    text: str
    offset: int


def place(text: str, offset: int, source: str) -> Location:
    """Return the line and column of an offset in a text."""
    return Location(source, text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))


def tokenize(text: str, source: str, start: int = 0) -> Iterator[Token]:
    """Split a text into tokens, without spaces and comments; a token of kind `end` comes last."""
    offset = start
    while offset < len(text):
        match = _TOKEN.match(text, offset)
        if match is None:
            raise InputError(_lexical_complaint(text, offset), place(text, offset, source))
        if match.lastgroup != "space":
            yield Token(match.lastgroup or "", match[0], offset)
        offset = match.end()
    yield Token("end", "end of text", len(text))


def _lexical_complaint(text: str, offset: int) -> str:
    character = text[offset]
    if character in "'\"":
        return f"this quotation mark {character} is not closed"
    if text.startswith("/*", offset):
        return "this comment /* is not closed"
    return f"unexpected character {character!r}"


def symbol_of_token(token: Token, text: str, source: str) -> str:
    """Return the canonical symbol of a token that writes a constant."""
    if token.kind in ("quoted", "string"):
        mark = token.text[0]
        try:
            # A doubled mark stands for one, except where the first of the two is already escaped.
            inner = _ESCAPE_OR_DOUBLED.sub(
                lambda found: "\\" + mark if found[0] == mark * 2 else found[0], token.text[1:-1]
            )
            inner = unescape(inner)
        except BadEscapeError as error:
            raise InputError(str(error), place(text, token.offset + 1 + error.offset, source)) from None
        return symbol_of(inner) if mark == "'" else quote(inner, mark)
    if token.kind == "integer":
        try:
            return _integer_symbol(token.text)
        except ValueError as error:
            complaint = str(error) if isinstance(error, BadEscapeError) else "this number is too large"
            raise InputError(complaint, place(text, token.offset, source)) from None
    if token.kind == "float":
        return _float_symbol(token, text, source)
    return symbol_of(token.text)


def _integer_symbol(text: str) -> str:
    """Return the number of some digits, perhaps in another base (`0xff`), or of a character (`0'a`).

    >>> [_integer_symbol(text) for text in ("007", "0xff", "0o17", "0b101", "1_000", "0'a", "0'''")]
    ['7', '255', '15', '5', '1000', '97', '39']
    """
    if text.startswith("0'"):
        return str(ord(unescape(text[2:]) if text[2] == "\\" else text[2]))
    if text[1:2] in ("x", "o", "b"):
        return str(int(text, 0))
    digits = text.replace("_", "").lstrip("0") or "0"
    if len(digits) > MOST_DIGITS:
        raise ValueError(digits)
    return digits


def _float_symbol(token: Token, text: str, source: str) -> str:
    try:
        return symbol_of(float(token.text))
    except ValueError:
        raise InputError(f"the number {token.text} is too large", place(text, token.offset, source)) from None


class Parser:
    """Recursive descent over the tokens of one text, from the offset `start` on."""

    def __init__(self, text: str, source: str = "<text>", start: int = 0) -> None:
        require("the text", text, str)
        self.text = text
        self.source = source
        self._tokens = tokenize(text, source, start)
        self._next = next(self._tokens)
        self._anonymous = 0

    @property
    def at_end(self) -> bool:
        """Whether everything was read."""
        return self._next.kind == "end"

    @property
    def offset(self) -> int:
        """Where the next token starts in the text."""
        return self._next.offset

    def error(self, message: str, token: Token | None = None, hint: str | None = None) -> InputError:
        """Return an error at a token (the next one unless given)."""
        return InputError(message, place(self.text, (token or self._next).offset, self.source), hint)

    def peek(self, *texts: str) -> bool:
        """Whether the next token is one of these punctuation marks or operators."""
        return self._next.text in texts and self._next.kind in ("punctuation", "neck", "not", "name")

    def advance(self) -> Token:
        """Take the next token."""
        token = self._next
        if token.kind != "end":
            self._next = next(self._tokens)
        return token

    def accept(self, *texts: str) -> Token | None:
        """Take the next token when it is one of these."""
        return self.advance() if self.peek(*texts) else None

    def expect(self, text: str, context: str, start: int | None = None) -> Token:
        """Take exactly this token.

        Args:
            text: of the token.
            context: what errors say of it.
            start: where that begins to which it belongs: an error on a later line is told there.
        """
        if not self.peek(text):
            what = f"expected {text!r} {context}, found {self._next.text!r}"
            if start is None or "\n" not in self.text[start : self.offset]:
                raise self.error(what)
            line = place(self.text, self.offset, self.source).line
            raise InputError(f"{what} on line {line}", place(self.text, start, self.source))
        return self.advance()

    def clause(self) -> Clause:
        """Read `head.` or `head :- body.`."""
        self._anonymous = 0
        head = self.atom()
        if any(isinstance(a, Variable) and a.name.startswith("_Anonymous") for a in head.arguments):
            raise self.error("the head of a clause cannot contain the anonymous variable _")
        alternatives: tuple[Body, ...] = ((),)
        if self._next.kind == "neck":
            self.advance()
            alternatives = self.alternatives()
        self.expect(".", "at the end of the clause")
        return Clause(head, alternatives)

    def alternatives(self) -> tuple[Body, ...]:
        """Read conjunctions separated by `;`."""
        bodies = [self.conjunction()]
        while self.accept(";"):
            bodies.append(self.conjunction())
        return tuple(bodies)

    def conjunction(self) -> Body:
        """Read literals separated by commas; `true` is the empty conjunction."""
        literals = [self.literal()]
        while self.accept(","):
            literals.append(self.literal())
        return tuple(item for item in literals if item.atom is not _TRUE)

    def literal(self) -> Literal:
        r"""Read an atom, `\+ atom`, `not atom`, `X \= Y` or `X < Y`; `price(X) >= 50` is an atom."""
        if self._next.kind in ("variable", "integer", "float") or self.peek("-"):
            return self._inequality()
        if self._next.kind == "not":
            self.advance()
            if self._next.kind == "variable":
                raise self.error(
                    "a comparison cannot be negated", hint="write the opposite: X >= 5 instead of \\+ X < 5"
                )
            return Literal(self.atom(), positive=False)
        if self.peek("not"):
            word = self.advance()
            if self._next.kind in ("name", "quoted") and not self.peek("("):
                return Literal(self.atom(), positive=False)
            raise self.error("write negation as \\+ atom", word)
        return Literal(self.atom())

    def _inequality(self) -> Literal:
        start = self._next
        left = self.term()
        if self._next.kind not in ("unequal", "compare"):
            raise self.error(
                f"expected a predicate, found {start.text!r}",
                start,
                "a predicate starts with a lower-case letter or is quoted",
            )
        operator = self.advance()
        if operator.kind == "unequal":
            return Literal.unequal(left, self.term())
        right = self.term()
        for term in (left, right):
            if isinstance(term, Constant) and ordered_value(term.symbol) is None:
                raise self.error(
                    f"{term} cannot be compared",
                    operator,
                    "numbers, dates such as '2024-05-01' and bins have an order",
                )
        return Literal.compared(operator.text.removeprefix("@"), left, right)

    def atom(self) -> Atom:
        """Read a predicate with its arguments."""
        token = self._next
        if token.kind not in ("name", "quoted"):
            what = "end of text" if self.at_end else repr(token.text)
            hint = (
                "a predicate starts with a lower-case letter or is quoted"
                if token.kind == "variable"
                else None
            )
            raise self.error(f"expected a predicate, found {what}", hint=hint)
        self.advance()
        name = token.text
        if token.kind == "quoted":
            name = str(Constant(symbol_of_token(token, self.text, self.source)).value)
        arguments: list[Term] = []
        if self.accept("("):
            arguments.append(self.term())
            while self.accept(","):
                arguments.append(self.term())
            self.expect(")", f"after the arguments of {name}", token.offset)
            name = self._compared(name)
        if token.kind == "name" and name == "true" and not arguments:
            return _TRUE
        return Atom(name, tuple(arguments))

    def _compared(self, name: str) -> str:
        """Return the name of a predicate; in `price(X) >= 50` what is after the arguments is part of it."""
        if self._next.kind != "compare":
            return name
        operator = self.advance()
        point = self.term()
        if isinstance(point, Variable):
            raise self.error(f"expected a constant after {operator.text}, found {point}", operator)
        found = comparison_name(name, operator.text.removeprefix("@"), plain_text(point.symbol))
        if comparison_of(found) is None:
            raise self.error(f"{point} cannot be compared with {name}", operator)
        return found

    def term(self) -> Term:
        """Read a variable or a constant."""
        minus = self.accept("-")
        token = self.advance()
        if minus and token.kind not in ("integer", "float"):
            raise self.error("expected a number after the minus sign", token)
        if token.kind == "variable":
            if token.text == "_":
                self._anonymous += 1
                return Variable(f"_Anonymous{self._anonymous}")
            return Variable(token.text)
        if token.kind in ("name", "quoted", "string", "integer", "float"):
            if self.peek("("):
                raise self.error(
                    f"compound terms such as {token.text}(...) are not supported",
                    token,
                    "use constants and variables",
                )
            symbol = symbol_of_token(token, self.text, self.source)
            return Constant("-" + symbol if minus and symbol != "0" else symbol)
        raise self.error(f"expected a variable or a constant, found {token.text!r}", token)


def parse_program(text: str, source: str = "<text>") -> Program:
    """Read all clauses of a text."""
    parser = Parser(text, source)
    clauses: list[Clause] = []
    arities: dict[str, int] = {}
    while not parser.at_end:
        start = parser._next
        clause = parser.clause()
        for atom in (clause.head, *(x.atom for x in clause.literals() if not x.inequality)):
            known = arities.setdefault(atom.predicate, atom.arity)
            if known != atom.arity:
                raise parser.error(
                    f"{atom.predicate} has {atom.arity} arguments here and {known} before", start
                )
        clauses.append(clause)
    return Program(tuple(clauses))


def parse_clause(text: str) -> Clause:
    """Read exactly one clause; the final period may be left out."""
    require("the text", text, str)
    parser = Parser(text if text.rstrip().endswith(".") else text + ".")
    clause = parser.clause()
    if not parser.at_end:
        raise parser.error("expected one clause only")
    return clause


def parse_query(text: str) -> tuple[Body, ...]:
    """Read the body of a query such as `p(X,Y), q(Y)`; the final period may be left out."""
    parser = Parser(text)
    alternatives = parser.alternatives()
    parser.accept(".")
    if not parser.at_end:
        raise parser.error(f"expected the end of the query, found {parser._next.text!r}")
    return alternatives
