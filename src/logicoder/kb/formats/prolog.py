r"""Facts in Prolog syntax, one interpretation per text.

    % a comment                        /* another one */
    father(vader, luke).               a true fact; constants are atoms, numbers, 'quoted' or "strings"
    \+ father(vader, han).             an atom that is explicitly false
    unknown(father(vader, rey)).       an atom whose truth is not known
    unknown((rainy)).                  the same for an atom without arguments

Every line above is a term that a Prolog system reads. `unknown(...)` around an atom with arguments, or
around one in its own parentheses, is the only compound term there is; `unknown(rainy).` without them is
an ordinary fact about `rainy`. The directives `dynamic`, `discontiguous` and `multifile` are skipped. Other
directives, rules, lists and compound terms are errors, or skipped and counted where the reader is lenient.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from logicoder.base.errors import InputError
from logicoder.kb.formats.grammar import FactReader, Grammar, Mention
from logicoder.kb.formats.leniency import Skipped
from logicoder.kb.formats.text import TextFormat, blocks
from logicoder.kb.formats.tokens import UnusualTokenError
from logicoder.logic.parser import QUOTED, STRING, Parser, Token, place, symbol_of_token, tokenize
from logicoder.logic.symbols import MOST_DIGITS, atom_text, symbol_of
from logicoder.logic.terms import Constant

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from logicoder.kb.builder import KnowledgeBaseBuilder
    from logicoder.kb.formats.interface import ReadOptions, Source
    from logicoder.kb.formats.text import Reader
    from logicoder.kb.knowledge_base import KnowledgeBase, Truth
    from logicoder.logic.terms import Atom

# Simple facts: those that the quick way understands. What it does not match is left to the parser.
_NAME = rf"(?:[a-z]\w*+|{QUOTED})"
_NUMBER = r"-?+[0-9]++(?:\.[0-9]++(?:[eE][+-]?+[0-9]++)?+|[eE][+-]?+[0-9]++)?+"
_ARGUMENT = rf"(?:[a-z]\w*+|{_NUMBER}|{QUOTED}|{STRING})\s*+"
_FACT = rf"(?:\\\+\s*+)?+{_NAME}\(\s*+{_ARGUMENT}(?:,\s*+{_ARGUMENT})*+\)\s*+\."
_COMMENT = r"%[^\n]*+\n|/\*.*?\*/"
_SKIPPED = rf"(?:\s++|{_COMMENT})*+"
_SIMPLE_FACTS = re.compile(rf"{_SKIPPED}(?:{_FACT}{_SKIPPED})*+", re.DOTALL)
_SIMPLE_FACT = re.compile(rf"{_SKIPPED}({_FACT})", re.DOTALL)
_TOKENS = re.compile(
    rf"([a-z]\w*+\(?+|{_NUMBER}|{QUOTED}\(?+|{STRING}|\\\+\s*+{_NAME}\()|{_COMMENT}", re.DOTALL
)

_DIRECTIVE = re.compile(r":-\s*(?:(?:dynamic|discontiguous|multifile)\b[^.]*\.(?=\s|%|\Z))?")
_UNKNOWN = re.compile(rf"unknown\(\s*(?:(\()|(?=(?:[^\W\d_A-Z]\w*+|{QUOTED})\s*\())", re.DOTALL)
_NEGATED = re.compile(r"(?:not|neg)\s*\(\s*[^\W\d_A-Z]\w*+\(")


_FRAMES: dict[Truth, tuple[str, str]] = {
    "true": ("", ""),
    "false": ("\\+ ", ""),
    "unknown": ("unknown(", ")"),
}


class PrologFormat(TextFormat):
    """Prolog files, which keep everything that a knowledge base holds."""

    name = "prolog"
    summary = "facts in Prolog syntax"
    suffixes = (".pl",)
    comment = "%"

    def readers(self, builder: KnowledgeBaseBuilder, options: ReadOptions) -> Callable[[Source], Reader]:
        """See `TextFormat.readers`."""
        skipped = Skipped() if options.lenient else None
        reader = PrologReader(builder, skipped)
        return lambda source: reader  # noqa: ARG005

    def lines(self, kb: KnowledgeBase) -> Callable[[int, Path], Iterator[str]]:
        """See `TextFormat.lines`."""
        return lambda world, path: prolog_lines(kb, world)  # noqa: ARG005


class PrologReader(FactReader):
    """Reads Prolog texts, and tells what it skipped, if it may skip anything."""

    def __init__(self, builder: KnowledgeBaseBuilder, skipped: Skipped | None = None) -> None:
        super().__init__(builder, prolog_grammar(skipped))
        self._skipped = skipped

    def load(self, text: str, source: str, world: int) -> None:
        """See `FactReader.load`."""
        before = len(self._skipped or ())
        super().load(text, source, world)
        if self._skipped is not None and len(self._skipped) > before:
            self._skipped.tell()


def prolog_lines(kb: KnowledgeBase, world: int) -> Iterator[str]:
    """Iterate over the lines of a Prolog file of one interpretation, given by its number."""
    texts = kb.symbols
    for name, truth, rows in blocks(kb, world):
        before, after = _FRAMES[truth]
        if not rows.shape[1]:
            atom = f"({atom_text(name)})" if truth == "unknown" else atom_text(name)
            yield f"{before}{atom}{after}.\n"
            continue
        before, after = f"{before}{atom_text(name)}(", f"){after}.\n"
        for row in rows.tolist():
            yield before + ",".join([texts[i] for i in row]) + after


def prolog_grammar(skipped: Skipped | None = None) -> Grammar:
    """Return the notation of Prolog facts; what is no fact is added to `skipped`, or an error."""
    exact = skipped.reading(_exact) if skipped is not None else _exact
    return Grammar(_SIMPLE_FACTS, _SIMPLE_FACT, _TOKENS, _symbol, _head, exact)


def _symbol(token: str) -> str:
    """Return the symbol of an argument of a simple fact."""
    first = token[0]
    if first in "'\"":
        return _exact_symbol("quoted" if first == "'" else "string", token)
    if first == "-" or first.isdigit():
        digits = token.removeprefix("-")
        symbol = _exact_symbol("integer" if digits.isdigit() else "float", digits)
        return f"-{symbol}" if first == "-" and symbol != "0" else symbol
    return symbol_of(token)


def _exact_symbol(kind: str, text: str) -> str:
    if kind == "integer" and len(text) > MOST_DIGITS:
        raise UnusualTokenError
    try:
        return symbol_of_token(Token(kind, text, 0), text, "")
    except InputError:
        raise UnusualTokenError from None


def _head(token: str) -> tuple[str, Truth]:
    """Return predicate and truth of a simple fact whose text starts like this."""
    name = token[:-1].removeprefix("\\+").lstrip()
    truth: Truth = "false" if token[0] == "\\" else "true"
    return (str(Constant(_symbol(name)).value) if name[0] == "'" else name), truth


def _exact(text: str, offset: int, source: str) -> tuple[Mention | None, int]:
    """Read one fact with the parser; return it, if there is one, and where the next clause starts."""
    parser = _parser_at_clause(text, offset, source)
    if parser.at_end:
        return None, len(text)
    start = parser.offset
    truth: Truth = "true"
    if _NEGATED.match(text, start):
        raise parser.error(
            "compound terms are not supported",
            hint="write a false atom as \\+ p(a), not as not(...)",
        )
    unknown = _UNKNOWN.match(text, start)
    if unknown:
        truth = "unknown"
        parser = Parser(text, source, unknown.end())
        atom = parser.atom()
        for _ in range(2 if unknown[1] else 1):
            parser.expect(")", "after the unknown atom")
    elif parser.accept("\\+"):
        truth = "false"
        atom = parser.atom()
    else:
        atom = parser.atom()
    if parser.peek(":-", "<-"):
        raise parser.error(
            f"this is a rule about {atom.predicate}, but data may contain only facts",
            hint="put rules into a separate file and pass it with --background",
        )
    parser.expect(".", f"at the end of the fact about {atom.predicate}", start)
    _refuse_odd_arguments(atom, text, start, source)
    return Mention(atom.predicate, tuple(map(str, atom.arguments)), truth, start), parser.offset


def _parser_at_clause(text: str, offset: int, source: str) -> Parser:
    """Return a parser at the next clause that is no directive."""
    parser = Parser(text, source, offset)
    while parser.peek(":-"):
        directive = _DIRECTIVE.match(text, parser.offset)
        if directive is None or directive[0].rstrip() == ":-":
            raise parser.error(
                "only the directives dynamic, discontiguous and multifile are allowed here",
                hint="remove this directive",
            )
        parser = Parser(text, source, directive.end())
    return parser


def _refuse_odd_arguments(atom: Atom, text: str, start: int, source: str) -> None:
    """Refuse variables, and integers that Python cannot convert, at their own places."""
    if atom.is_ground and all(len(str(argument)) <= MOST_DIGITS for argument in atom.arguments):
        return
    for token in tokenize(text, source, start):
        if token.kind == "variable":
            raise InputError(
                f"a fact cannot contain the variable {token.text}",
                place(text, token.offset, source),
                f"write the constant '{token.text}' in quotation marks, or start it with a lower-case letter",
            )
        if token.kind == "integer" and len(token.text) > MOST_DIGITS:
            raise InputError(
                f"a number of {len(token.text)} digits is too large",
                place(text, token.offset, source),
                "write it in quotation marks to make it an atom",
            )
        if token.text == "." and token.kind == "punctuation":
            return
