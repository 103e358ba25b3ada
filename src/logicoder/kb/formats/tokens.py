"""From tokens to columns: how a million facts are added in seconds.

A reader that has made sure that a piece of text is nothing but simple facts hands over its tokens: for
each fact a head such as `father(` and then its arguments. Everything else is one dictionary lookup per
token and arithmetic on arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from logicoder.kb.builder import KnowledgeBaseBuilder
    from logicoder.kb.knowledge_base import Truth
    from logicoder.kb.table import Ids

_COMMENT = np.iinfo(np.int32).min


class UnusualTokenError(ValueError):
    """A token that only the exact reader can judge."""


class SymbolIds(dict[str, int]):
    """The id of the constant that a text writes, found by the text as it stands there."""

    def __init__(self, builder: KnowledgeBaseBuilder, symbol: Callable[[str], str]) -> None:
        super().__init__()
        self._builder = builder
        self._symbol = symbol

    def __missing__(self, text: str) -> int:
        self[text] = found = self._builder.intern(self._symbol(text))
        return found

    def column(self, texts: Iterable[str], count: int) -> Ids:
        """Return the ids of many texts."""
        return np.fromiter(map(self.__getitem__, texts), np.int32, count)


class TokenAdder(SymbolIds):
    """Adds facts given as flat lists of tokens; heads have negative numbers, constants their ids.

    Args:
        builder: where to add the facts.
        symbol: the canonical symbol of an argument token.
        head: predicate and truth of a head token, which is one that ends in an opening parenthesis.
    """

    def __init__(
        self,
        builder: KnowledgeBaseBuilder,
        symbol: Callable[[str], str],
        head: Callable[[str], tuple[str, Truth]],
    ) -> None:
        super().__init__(builder, symbol)
        self._head = head
        self._heads: list[tuple[str, Truth]] = []
        self[""] = _COMMENT  # what `re.findall` gives for a match outside its group

    def __missing__(self, text: str) -> int:
        if not text.endswith("("):
            return super().__missing__(text)
        self._heads.append(self._head(text))
        self[text] = -len(self._heads)
        return -len(self._heads)

    def add(self, tokens: list[str], world: int) -> None:
        """Add the facts of a list of tokens; empty tokens are skipped.

        Raises:
            UnusualTokenError: from `symbol` or `head`; nothing was added then.
        """
        codes = self.column(tokens, len(tokens))
        codes = codes[codes != _COMMENT]
        starts = np.flatnonzero(codes < 0)
        arities = np.diff(starts, append=len(codes)) - 1
        kinds = (-1 - codes[starts]).astype(np.int64) * (arities.max(initial=0) + 1) + arities
        for chosen in grouped(kinds):
            name, truth = self._heads[-1 - codes[starts[chosen[0]]]]
            columns = np.arange(1, arities[chosen[0]] + 1)
            self._builder.add_rows(name, codes[starts[chosen][:, None] + columns], world, truth)


def grouped(keys: NDArray[np.integer]) -> Iterator[NDArray[np.intp]]:
    """Iterate over the positions of equal keys, in the order of their first occurrence.

    >>> [group.tolist() for group in grouped(np.array([7, 3, 7, 7, 3]))]
    [[0, 2, 3], [1, 4]]
    """
    if len(keys):
        if keys.min() >= 0 and keys.max() < 1 << 15:
            keys = keys.astype(np.int16)  # sorted by its digits, in linear time
        order = np.argsort(keys, kind="stable")
        groups = np.split(order, np.flatnonzero(np.diff(keys[order])) + 1)
        yield from sorted(groups, key=lambda group: int(group[0]))
