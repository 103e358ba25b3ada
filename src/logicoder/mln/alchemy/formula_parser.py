"""A parser for the formulas of `.mln` files. Every error names the line and the column.

    1.5 smokes(x) ^ friends(x,y) => smokes(y)      a weight and a formula
    smokes(x) => cancer(x)                         a formula whose weight is to be learned: it is 0
    friends(x,y) => friends(y,x).                  a hard formula

From the tightest to the loosest: `!`, `^`, `v`, `=>`, `<=>`, and the quantifiers `FORALL x,y` and
`EXIST x,y`, which reach as far to the right as they can. A formula ends with its line, unless a parenthesis
is open, or the line ends or the next one begins with a connective.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

from logicoder.base.errors import InputError
from logicoder.kb.formats.alchemy.spelling import NAME, QUOTED, located_symbol
from logicoder.logic.parser import QUOTED as NAME_IN_QUOTES
from logicoder.logic.parser import Token, place, symbol_of_token
from logicoder.logic.symbols import value_of
from logicoder.logic.terms import Atom, Constant, Literal, Term, Variable
from logicoder.mln.alchemy.notation import EXIST, FORALL, OR, is_constant
from logicoder.mln.alchemy.syntax import And, Equivalent, Implies, Leaf, Node, Not, Or, Quantified

_TOKEN = re.compile(
    rf"""
      (?P<space>[ \t\r\f\v]++)
    | (?P<newline>\n)
    | (?P<number>\d++(?:\.\d++)?+(?:[eE][+-]?\d++)?+(?!\w))
    | (?P<name>{NAME})
    | (?P<string>{QUOTED})
    | (?P<quoted>{NAME_IN_QUOTES})
    | (?P<connective><=>|=>|\^)
    | (?P<mark>!=|[=!()+*.,\-])
    """,
    re.VERBOSE | re.DOTALL,
)
_WEIGHT = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?=\s|\(|!)")
_CONNECTIVES = frozenset({"<=>", "=>", "^", OR, "!", "=", "!=", ",", "*"})
_CONTINUATION = re.compile(rf"\s*+(?:<=>|=>|\^|{OR}\s)")
_DEEPEST = 100

Spell = Callable[[str], str]


@dataclass(frozen=True)
class Statement:
    """One formula of a text.

    Attributes:
        node: the formula.
        weight: its weight, or None where none is given.
        hard: whether it ends with a period.
        templates: the variables marked with `+`: there is one formula per constant of their types.
        offset: where it starts in the text.
    """

    node: Node
    weight: float | None
    hard: bool
    templates: tuple[Variable, ...]
    offset: int


def parse_statement(text: str, source: str, offset: int, spell: Spell) -> tuple[Statement, int]:
    """Read the formula at an offset of a text without comments; return it and where it ends."""
    parser = _FormulaParser(text, source, offset, spell)
    return parser.statement(), parser.end


class _FormulaParser:
    """Recursive descent over the tokens of one formula."""

    def __init__(self, text: str, source: str, offset: int, spell: Spell) -> None:
        self._text = text
        self._source = source
        self._start = offset
        self._spell = spell
        self._templates: dict[Variable, None] = {}
        self._bound: list[Variable] = []
        self._depth = 0
        self._weight, offset = self._read_weight(offset)
        self._tokens, self.end = self._tokenize(offset)
        self._position = 0

    def statement(self) -> Statement:
        """Read the whole formula."""
        node = self._formula()
        hard = self._accept(".") is not None
        if self._next.kind != "end":
            raise self._error(
                f"expected a connective or the end of the formula, found {self._next.text!r}",
                hint="connectives are !, ^, v, => and <=>; a formula ends with its line",
            )
        if hard and self._weight is not None:
            raise self._error(
                f"this formula has both the weight {self._weight:g} and a final period",
                Token("", "", self._start),
                "remove the weight to make it hard, or the period to make it soft",
            )
        return Statement(node, self._weight, hard, tuple(self._templates), self._start)

    def _read_weight(self, offset: int) -> tuple[float | None, int]:
        match = _WEIGHT.match(self._text, offset)
        if match is None:
            return None, offset
        weight = float(match[0])
        if not math.isfinite(weight):
            raise InputError(
                f"the weight {match[0]} is too large",
                place(self._text, offset, self._source),
                "a hard formula has no weight and ends with a period",
            )
        return weight, match.end()

    def _tokenize(self, offset: int) -> tuple[list[Token], int]:
        tokens: list[Token] = []
        opened: list[int] = []
        while offset < len(self._text):
            match = _TOKEN.match(self._text, offset)
            if match is None:
                raise self._lexical_error(offset)
            kind = match.lastgroup or ""
            if kind == "newline":
                if tokens and not opened and not self._continues(tokens[-1], offset):
                    break
            elif kind != "space":
                tokens.append(Token(kind, match[0], offset))
                if match[0] == "(":
                    opened.append(offset)
                elif match[0] == ")" and opened:
                    opened.pop()
            offset = match.end()
        if opened:
            raise InputError("this parenthesis ( is not closed", place(self._text, opened[-1], self._source))
        tokens.append(Token("end", "the end of the line", offset))
        return tokens, offset

    def _continues(self, last: Token, offset: int) -> bool:
        """Whether a formula goes on after the end of a line."""
        return last.text in _CONNECTIVES or _CONTINUATION.match(self._text, offset) is not None

    def _lexical_error(self, offset: int) -> InputError:
        character = self._text[offset]
        message, hint = f"unexpected character {character!r}", None
        if character in "'\"":
            message = f"this quotation mark {character} is not closed"
        elif self._text.startswith("/*", offset):
            message = "this comment /* is not closed"
        elif character == "#":
            message = "#include is not supported" if self._text.startswith("#include", offset) else message
            hint = "put the text of the other file here, or read both and add their formulas"
        elif character in "<>%/":
            message = f"there is no arithmetic or comparison such as {character!r} in formulas"
            hint = "give the pairs that compare so as facts of a predicate"
        elif character in "&|~":
            hint = "connectives are !, ^, v, => and <=>"
        elif character.isdigit():
            message = f"this is neither a number nor a name: {self._word(offset)}"
            hint = "write such a constant in double quotes; a space must follow a weight"
        return InputError(message, place(self._text, offset, self._source), hint)

    def _word(self, offset: int) -> str:
        found = re.compile(r"\S{1,40}").match(self._text, offset)
        return repr(found[0]) if found else "nothing"

    @property
    def _next(self) -> Token:
        return self._tokens[self._position]

    def _advance(self) -> Token:
        token = self._next
        if token.kind != "end":
            self._position += 1
        return token

    def _accept(self, *texts: str) -> Token | None:
        found = self._next.text in texts and self._next.kind in ("connective", "mark", "name")
        return self._advance() if found else None

    def _error(self, message: str, token: Token | None = None, hint: str | None = None) -> InputError:
        return InputError(message, place(self._text, (token or self._next).offset, self._source), hint)

    def _formula(self) -> Node:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._error(f"formulas may be nested {_DEEPEST} deep at most", hint="split this one")
        left = self._implication()
        while self._accept("<=>"):
            left = Equivalent(left, self._implication())
        self._depth -= 1
        return left

    def _implication(self) -> Node:
        left = self._disjunction()
        if not self._accept("=>"):
            return left
        node = Implies(left, self._disjunction())
        if self._next.text == "=>":
            raise self._error("a => b => c is ambiguous", hint="use parentheses")
        return node

    def _disjunction(self) -> Node:
        parts = [self._conjunction()]
        while self._accept(OR):
            parts.append(self._conjunction())
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def _conjunction(self) -> Node:
        parts = [self._unary()]
        while self._accept("^"):
            parts.append(self._unary())
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def _unary(self) -> Node:
        negations = 0
        while self._accept("!"):
            negations += 1
        node = self._primary()
        if negations % 2 == 0:
            return node
        return _negated(node)

    def _primary(self) -> Node:
        if opening := self._accept("("):
            node = self._formula()
            if not self._accept(")"):
                raise self._error(
                    f"expected ')' for the parenthesis in column "
                    f"{place(self._text, opening.offset, self._source).column}, found {self._next.text!r}"
                )
            return node
        if self._next.kind == "name" and self._next.text.lower() in (EXIST, FORALL):
            return self._quantified()
        star = self._accept("*")
        node = self._atom()
        if not star:
            return node
        if node.literal.inequality:
            raise self._error("* stands before an atom", star, "it means: once as it is, once negated")
        return Leaf(node.literal, either=True)

    def _quantified(self) -> Node:
        word = self._advance()
        variables: list[Variable] = []
        while True:
            token = self._advance()
            if token.kind != "name" or is_constant(token.text):
                raise self._error(
                    f"expected a variable after {word.text}, found {token.text!r}",
                    token,
                    f"write {word.text} x,y and then the formula",
                )
            variables.append(Variable(token.text))
            if not self._accept(","):
                break
        self._bound += variables
        node = self._formula()
        del self._bound[-len(variables) :]
        for variable in reversed(variables):
            node = Quantified(word.text.lower() == FORALL, variable, node)
        return node

    def _atom(self) -> Leaf:
        """Read an atom, or two terms with `=` or `!=` between them."""
        token = self._next
        if token.kind in ("string", "number") or token.text in ("+", "-") or self._equality_follows():
            return self._equality()
        if token.kind not in ("name", "quoted"):
            raise self._error(f"expected an atom, found {token.text!r}", hint="such as smokes(x)")
        self._advance()
        name = self._spell(token.text)
        if token.kind == "quoted":
            name = str(value_of(symbol_of_token(token, self._text, self._source)))
        arguments: list[Term] = []
        if self._accept("(") and not self._accept(")"):
            arguments.append(self._term())
            while self._accept(","):
                arguments.append(self._term())
            if not self._accept(")"):
                raise self._error(
                    f"expected ',' or ')' in the arguments of {token.text}, found {self._next.text!r}"
                )
        return Leaf(Literal(Atom(name, tuple(arguments))))

    def _equality_follows(self) -> bool:
        return self._tokens[min(self._position + 1, len(self._tokens) - 1)].text in ("=", "!=")

    def _equality(self) -> Leaf:
        left = self._term()
        sign = self._accept("=", "!=")
        if not sign:
            raise self._error(f"expected = or != after the term {left}, found {self._next.text!r}")
        literal = Literal.unequal(left, self._term())
        return Leaf(Literal(literal.atom, sign.text == "!=", inequality=True))

    def _term(self) -> Term:
        plus, minus = self._accept("+"), self._accept("-")
        token = self._advance()
        if token.kind == "number":
            return Constant(
                located_symbol(("-" if minus else "") + token.text, self._text, token.offset, self._source)
            )
        if minus:
            raise self._error("expected a number after the minus sign", token)
        if token.kind == "string":
            return Constant(located_symbol(token.text, self._text, token.offset, self._source))
        if token.kind != "name":
            raise self._error(f"expected a variable or a constant, found {token.text!r}", token)
        if self._next.text == "(":
            raise self._error(
                f"functions such as {token.text}(...) are not supported",
                token,
                f"use a predicate with one more argument, and a variable for the value of {token.text}",
            )
        if is_constant(token.text):
            if plus:
                raise self._error(f"+ stands before a variable, and {token.text} is a constant", plus)
            return Constant(located_symbol(token.text, self._text, token.offset, self._source))
        variable = Variable(token.text)
        if plus:
            if variable in self._bound:
                raise self._error(
                    f"+{variable} is bound by a quantifier", plus, "only free variables can be templates"
                )
            self._templates[variable] = None
        return variable


def _negated(node: Node) -> Node:
    if not isinstance(node, Leaf):
        return Not(node)
    literal = node.literal
    return Leaf(Literal(literal.atom, not literal.positive, literal.inequality), node.either)
