"""Reading a text of facts: the whole of it at once, or one located atom after the other.

Both ways share a `Grammar`: patterns for the simple facts that make up nearly all of any file, and an exact
function for everything else, errors included.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from logicoder.kb.formats.tokens import TokenAdder, UnusualTokenError

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator

    from logicoder.kb.builder import KnowledgeBaseBuilder
    from logicoder.kb.knowledge_base import Truth

# Texts are taken in pieces of this many characters, so that a large file needs little memory on top.
_CHUNK = 1 << 21


class Mention(NamedTuple):
    """A ground atom where a text mentions it.

    Attributes:
        predicate: the name, without quotation marks.
        symbols: the constants, as canonical texts.
        truth: what the text says about the atom.
        offset: where the mention starts in the text.
    """

    predicate: str
    symbols: tuple[str, ...]
    truth: Truth
    offset: int


@dataclass(frozen=True)
class Grammar:
    """A notation for facts.

    Attributes:
        simple_facts: matches a run of simple facts with what stands between them.
        simple_fact: matches what may stand before a simple fact and, as its group, the fact.
        tokens: finds the tokens of simple facts: heads, which end in `(`, and arguments.
        symbol: the canonical symbol of an argument token.
        head: predicate and truth of a head token.
        exact: reads, from an offset on, one fact of any shape: its mention, or None where there is none,
            and where to go on.
    """

    simple_facts: re.Pattern[str]
    simple_fact: re.Pattern[str]
    tokens: re.Pattern[str]
    symbol: Callable[[str], str]
    head: Callable[[str], tuple[str, Truth]]
    exact: Callable[[str, int, str], tuple[Mention | None, int]]

    def mentions(self, text: str, source: str) -> Iterator[Mention]:
        """Iterate over the facts of a text with their places."""
        offset = 0
        while offset < len(text):
            mention = None
            simple = self.simple_fact.match(text, offset)
            if simple:
                head, *arguments = self.tokens.findall(simple[1])
                try:
                    name, truth = self.head(head)
                    mention = Mention(name, tuple(map(self.symbol, arguments)), truth, simple.start(1))
                    offset = simple.end()
                except UnusualTokenError:
                    pass
            if mention is None:
                mention, offset = self.exact(text, offset, source)
            if mention:
                yield mention


class FactReader:
    """Reads texts of one notation into a builder."""

    def __init__(self, builder: KnowledgeBaseBuilder, grammar: Grammar) -> None:
        self._builder = builder
        self._grammar = grammar
        self._adder = TokenAdder(builder, grammar.symbol, grammar.head)

    def load(self, text: str, source: str, world: int) -> None:
        """Add all facts of a text."""
        offset = 0
        while offset < len(text):
            simple = self._grammar.simple_facts.match(text, offset, offset + _CHUNK)
            end = simple.end() if simple else offset
            if end == offset:
                offset = self._load_exactly(text, offset, offset + 1, source, world)
                continue
            try:
                self._adder.add(self._grammar.tokens.findall(text, offset, end), world)
                offset = end
            except UnusualTokenError:
                # The exact way through these facts meets the token and says what is wrong with it.
                offset = self._load_exactly(text, offset, end, source, world)

    def _load_exactly(self, text: str, offset: int, end: int, source: str, world: int) -> int:
        while offset < end:
            mention, offset = self._grammar.exact(text, offset, source)
            if mention:
                self._builder.add(mention.predicate, mention.symbols, world, mention.truth)
        return offset

    def mentions(self, text: str, source: str) -> Iterator[Mention]:
        """Iterate over the facts with their places."""
        return self._grammar.mentions(text, source)
