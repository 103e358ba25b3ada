"""How many bits facts, exceptions and programs cost: what an encoding saves against the plain facts.

Sender and receiver know the schema, the interpretations and their constants. A predicate has as many possible
atoms as its argument types have tuples of constants, summed over the interpretations.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

import numpy as np

from logicoder.kb.knowledge_base import TRUTHS, KnowledgeBase
from logicoder.kb.schema import Predicate
from logicoder.logic.terms import Program, Variable


def facts_bits(possible: int, count: int) -> float:
    """Return the bits that say which `count` of the `possible` atoms of a predicate are facts.

    First how many there are, then which of the subsets of that size.

    >>> facts_bits(7, 0), facts_bits(7, 7), round(facts_bits(7, 1) - 3, 6) == round(math.log2(7), 6)
    (3.0, 3.0, True)
    """
    return math.log2(possible + 1) + log2_choose(possible, count)


def log2_choose(possible: int, count: int) -> float:
    """Return the binary logarithm of a binomial coefficient.

    >>> round(log2_choose(10, 3), 6) == round(math.log2(120), 6)
    True
    """
    few = min(count, possible - count)
    if few < 1000:
        return math.fsum(math.log2((possible - i) / (i + 1)) for i in range(few))
    # Stirling's formula for possible! / (possible - few)!: the difference of two huge logarithms would lose
    # all digits.
    rest = possible - few
    falling = few * math.log(possible) - (rest + 0.5) * math.log1p(-few / possible) - few
    return (falling + 1 / (12 * possible) - 1 / (12 * rest) - math.lgamma(few + 1)) / math.log(2)


def exception_bits(possible: int) -> float:
    """Return the bits of one exception: which of the possible atoms, and whether missing or false.

    >>> exception_bits(16)
    5.0
    """
    return math.log2(max(1, possible)) + 1


def program_bits(program: Program, predicates: int, constants: int) -> float:
    """Return the bits of a program: per literal its predicate, per argument its variable, and an end mark.

    >>> program_bits(Program.parse("p(X,Y) :- q(X), r(Y)."), 4, 10)
    14.0

    Args:
        program: the clauses.
        predicates: how many predicates there are to choose from.
        constants: how many constants there are to choose from.
    """
    total = 0.0
    for clause in program:
        atoms = [clause.head, *(literal.atom for literal in clause.literals())]
        variables = len({v for atom in atoms for v in atom.variables()})
        for atom in atoms:
            total += math.log2(max(1, predicates)) + 1
            for argument in atom.arguments:
                total += math.log2(max(1, variables if isinstance(argument, Variable) else constants))
        total += 1
    return total


@dataclass(frozen=True)
class Bits:
    """What an encoding costs, part by part, and the plain facts beside it.

    >>> Bits(plain=100, latent=40, exceptions=10, program=20).saved
    30
    """

    plain: float
    latent: float
    exceptions: float
    program: float

    @property
    def saved(self) -> float:
        """Bits of the plain facts minus those of the encoding; negative where it does not pay."""
        return self.plain - self.latent - self.exceptions - self.program

    def as_dict(self) -> dict[str, float]:
        """Return the bits as plain data."""
        return {name: round(bits, 3) for name, bits in {**asdict(self), "saved": self.saved}.items()}


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
        sizes = [self._sizes[kind] for kind in predicate.types]
        return sum(math.prod(size[world] for size in sizes) for world in range(self._worlds))
