"""How many atoms there could be: in each interpretation, any constants of the types of the arguments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod

import numpy as np

from logicoder.kb.knowledge_base import TRUTHS, KnowledgeBase
from logicoder.kb.schema import Predicate


def possible_atoms(sizes: Sequence[Sequence[int]], worlds: int) -> int:
    """Return the number of possible atoms of a predicate.

    >>> possible_atoms([[2, 3], [5, 1]], 2), possible_atoms([], 2)
    (13, 2)

    Args:
        sizes: for each argument, how many constants of its type there are in each interpretation; Python's
            numbers, since products of many domains leave 64 bits.
        worlds: how many interpretations there are.
    """
    return sum(prod(size[world] for size in sizes) for world in range(worlds))


class AtomSpace:
    """Counts the possible atoms of predicates over the constants that occur in some knowledge bases.

    They share their interpretations; a constant counts for a type in the interpretations in which it occurs.
    """

    def __init__(self, parts: Iterable[KnowledgeBase]) -> None:
        found: dict[str, list[set[str]]] = {}
        self._worlds = 0
        for kb in parts:
            self._worlds = len(kb.interpretations)
            for name, predicate in kb.schema.items():
                for truth in TRUTHS:
                    table = kb.table(name, truth)
                    for column, kind in enumerate(predicate.types):
                        sets = found.setdefault(kind, [set() for _ in range(self._worlds)])
                        pairs = np.unique(np.column_stack([table.worlds, table.arguments[:, column]]), axis=0)
                        for world, symbol in pairs.tolist():
                            sets[world].add(kb.symbols[symbol])
        self._sizes: Mapping[str, list[int]] = {kind: list(map(len, sets)) for kind, sets in found.items()}
        self.constants = len(set().union(*(s for sets in found.values() for s in sets)))

    def possible(self, predicate: Predicate) -> int:
        """Return the number of possible atoms of a predicate."""
        return possible_atoms([self._sizes[kind] for kind in predicate.types], self._worlds)
