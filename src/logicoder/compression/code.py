"""The code: how many bits sets, clauses and domains take in a message that a receiver can decode.

The receiver knows the schema and the constants of every type and interpretation.
`docs/explanation/semantics.md` writes the message out; `compression.codec` says it and understands it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import lgamma, log, log2

import numpy as np
from numpy.typing import ArrayLike, NDArray

from logicoder.compression.plan import Definition, Plan, Step
from logicoder.logic.rules import Rule
from logicoder.problem.bits import number_bits

Lengths = NDArray[np.float64]

NO_PLAN = Plan(())

_EXACT = 1e7
"""Totals up to which logarithms of factorials are subtracted as they are; beyond, digits would be lost."""


def log2_choose(total: ArrayLike, chosen: ArrayLike) -> Lengths:
    """Return binary logarithms of binomial coefficients, element by element.

    >>> [round(float(x), 3) for x in log2_choose([10, 10, 4], [3, 7, 0])]
    [6.907, 6.907, 0.0]
    """
    if isinstance(total, int) and isinstance(chosen, int) and total < _EXACT:
        whole, part = lgamma(total + 1), lgamma(chosen + 1) + lgamma(total - chosen + 1)
        return np.asarray((whole - part) / log(2))  # far quicker than arrays of one element
    from scipy.special import gammaln  # noqa: PLC0415  (slow to import)

    total, chosen = np.asarray(total, float), np.asarray(chosen, float)
    few = np.minimum(chosen, total - chosen)
    rest = total - few
    with np.errstate(divide="ignore", invalid="ignore"):
        small = gammaln(total + 1) - gammaln(rest + 1)
        # Stirling's formula for total! / rest!
        large = few * np.log(total) - (rest + 0.5) * np.log1p(-few / total) - few
        large += 1 / (12 * total) - 1 / (12 * rest)
        falling = np.where((total < _EXACT) | (few <= 0), small, large)
    return np.where(few <= 0, 0.0, (falling - gammaln(few + 1)) / np.log(2))


def set_bits(total: ArrayLike, chosen: ArrayLike) -> Lengths:
    """Return the bits of subsets: how many elements they have, and which.

    >>> float(set_bits(3, 0))
    2.0
    """
    count = log2(total + 1) if isinstance(total, int) else np.log2(np.asarray(total, float) + 1)
    return np.asarray(count + log2_choose(total, chosen))


def rest_bits(total: ArrayLike, chosen: ArrayLike, options: ArrayLike = 0) -> Lengths:
    """Return the bits of facts among atoms that no rule derives.

    Args:
        total: number of atoms.
        chosen: number of facts.
        options: how many facts there could be of each value of a place that has exactly one; 0 if there is no
            such place.

    >>> round(float(rest_bits(15, 3)), 3), float(rest_bits(15, 3, 4))
    (12.83, 10.0)
    """
    if isinstance(options, int) and not options:
        return set_bits(total, chosen)
    each = np.asarray(options, float)
    one_each = np.where(each > 0, np.asarray(chosen, float) * np.log2(np.maximum(1.0, each)), np.inf)
    count = np.log2(np.asarray(total, float) + 1)
    return np.asarray(count + np.minimum(one_each, log2_choose(total, chosen)))


@dataclass(frozen=True)
class ClauseCode:
    """The code of clauses whose head predicate is known.

    One bit says that a clause follows, one whether it names constants. The arguments of the head are new
    variables in order; every argument of the body is a variable that was mentioned or a new one. In a clause
    that names constants, each argument may also be one of those of its type.

    Where clauses may have tests, "not" is one more symbol that may stand for a predicate: before a predicate
    it negates it, before itself it says that two arguments differ.

    Attributes:
        symbols: number of predicates that may stand in a body.
        constants: number of constants of each argument place.
        tests: whether there may be negation and inequality.
    """

    symbols: int
    constants: Mapping[tuple[str, int], int]
    tests: bool = False

    @classmethod
    def of(cls, sizes: Mapping[str, Sequence[int]], plan: Plan = NO_PLAN) -> ClauseCode:
        """Return the code of the clauses of a plan.

        Args:
            sizes: number of constants of each place, for all predicates of the data and latent ones.
            plan: has the clauses, and so tells whether they have tests.
        """
        places = {(name, place): size for name, own in sizes.items() for place, size in enumerate(own)}
        return cls(sum(map(bool, sizes.values())), places, any(rule.tested for rule in plan.rules()))

    def bits(self, predicate: str, rule: Rule) -> float:
        """Return the bits of a clause whose head has a given predicate."""
        named = rule.constants
        bits = 2.0 + number_bits(len(rule.body) - 1)
        known: set[int] = set()
        for place, argument in enumerate(rule.head):
            bits += named
            if isinstance(argument, str):
                bits += self._constant(predicate, place)
            else:
                known.add(argument)
        for literal in rule.body:
            bits += log2(self.symbols + self.tests) * (2 if literal.tests else 1)
            for place, argument in enumerate(literal.arguments):
                bits += log2(len(known) + 1 + named)
                if isinstance(argument, str):
                    bits += self._constant(literal.predicate, place)
                else:
                    known.add(argument)
        return bits

    def step(self, step: Step, kinds: Sequence[Hashable], named: int, places: int) -> float:
        """Return the bits that tell how a predicate is said.

        Args:
            step: how it is.
            kinds: the types of its places.
            named: how many of its domains are named within others.
            places: number of places that a domain can be named after.
        """
        bits = 1.0 + max(1, len(kinds)) + len(step.domains)
        if len(kinds) == 2 and kinds[0] == kinds[1]:
            bits += 3 if step.apart else 1
        bits += sum([log2(places)] * named) if named else 0
        return bits + sum(self.bits(step.predicate, rule) for rule in step.rules)

    def definition(self, definition: Definition) -> float:
        """Return the bits of a latent predicate: its arity, clauses, that no more follow, if it is stored."""
        clauses = sum(self.bits(definition.name, rule) for rule in definition.rules)
        return number_bits(definition.arity - 1) + clauses + 2

    def with_latents(self, latents: Mapping[str, Sequence[int]]) -> ClauseCode:
        """Return the code where bodies may use latent predicates too.

        Args:
            latents: for each, the number of constants of each place.
        """
        places = {(name, place): size for name, own in latents.items() for place, size in enumerate(own)}
        return replace(self, symbols=self.symbols + len(latents), constants={**self.constants, **places})

    def shortest(self, arity: int) -> float:
        """Return bits that no clause for a head of some arity undercuts."""
        return 3.0 + log2(max(1, self.symbols)) + log2(arity + 1)

    def _constant(self, predicate: str, place: int) -> float:
        return log2(max(1, self.constants[predicate, place]))
