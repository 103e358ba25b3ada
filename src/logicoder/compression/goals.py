"""What is to be small: the bits of the message, or the number of facts and literals that it lists.

A goal gives the cost of each part of a message; the search is the same for all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import log2
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from logicoder.compression import list_model
from logicoder.compression.code import ClauseCode, Lengths, rest_bits, set_bits
from logicoder.compression.list_model import Line
from logicoder.compression.plan import Definition
from logicoder.engine.arrays.rules.closed_forms import Closure
from logicoder.engine.arrays.rules.spaces import Space
from logicoder.logic.rules import Rule
from logicoder.problem.bits import number_bits


class Goal(Protocol):
    """Costs of the parts of a message.

    Attributes:
        literal: a clause costs at least so much for each of its literals.
        within: what a bit saved by naming a domain within another one is worth.
    """

    literal: float
    within: float

    def header(self, latents: Sequence[Definition]) -> float:
        """Return the cost of what comes before all predicates: latent predicates and their definitions."""

    def layer(self, derived: ArrayLike, true: ArrayLike) -> Lengths:
        """Return the cost of telling which derived atoms are facts."""

    def rest(self, atoms: ArrayLike, facts: ArrayLike, options: ArrayLike = 0) -> Lengths:
        """Return the cost of facts among atoms that no rule derives; see `code.rest_bits`."""

    def clause(self, predicate: str, rule: Rule) -> float:
        """Return the cost of a clause for a predicate."""

    def frame(self, space: Space) -> float:
        """Return the cost of all but the facts off the diagonal: flags, domains by type, and the diagonal."""

    def closure(self, space: Space, form: str, found: Closure) -> float:
        """Return the cost of a base and of what its closure gets wrong."""

    def floor(self, spaces: Sequence[Space]) -> float:
        """Return what no way to say a predicate undercuts, given all ways to look at it."""

    def layer_lines(self, *, below: bool) -> list[Line]:
        """Return lines above the cost of a layer, or lines of which the smallest is never above it."""

    def rest_lines(self, atoms: float, facts: float, options: int = 0, *, below: bool) -> list[Line]:
        """Return the same for what no rule derives; above, at the rate of some facts among some atoms."""

    def purest(self, atoms: Lengths, true: Lengths) -> Lengths:
        """Return what classes of atoms cost at least in a layer."""


def table_cost(goal: Goal, space: Space) -> float:
    """Return the cost of a predicate without any rule."""
    return goal.frame(space) + float(goal.rest(space.atoms, space.facts, space.options))


class Bits:
    """The bits of the message.

    Args:
        code: the code of clauses.
    """

    within = 1.0

    def __init__(self, code: ClauseCode) -> None:
        self._code = code
        self.literal = 2.0 + log2(max(1, code.symbols))

    def header(self, latents: Sequence[Definition]) -> float:
        """Whether clauses have tests, how many latent predicates there are, and their clauses."""
        return 1 + number_bits(len(latents)) + sum(map(self._code.definition, latents))

    def layer(self, derived: ArrayLike, true: ArrayLike) -> Lengths:
        """A subset of what is derived."""
        return set_bits(derived, true)

    def rest(self, atoms: ArrayLike, facts: ArrayLike, options: ArrayLike = 0) -> Lengths:
        """A subset of all other atoms."""
        return rest_bits(atoms, facts, options)

    def clause(self, predicate: str, rule: Rule) -> float:
        """The code of clauses."""
        return self._code.bits(predicate, rule)

    def frame(self, space: Space) -> float:
        """Flags, domains among the entities of their types, the diagonal, and which pairs are one-sided."""
        bits = 1.0 + max(1, len(space.types))
        if len(space.types) == 2 and space.types[0] == space.types[1]:
            bits += 3.0 if space.apart else 1.0
        bits += sum(1 + float(set_bits(size, values)) for values, size in space.domains)
        if space.apart:
            bits += float(set_bits(*space.diagonal))
        if space.symmetric:
            bits += float(set_bits(space.facts, space.one_sided)) + space.one_sided
        return bits

    def closure(self, space: Space, form: str, found: Closure) -> float:  # noqa: ARG002
        """The base among what is not derived yet, then what is false and what is missing."""
        said = set_bits(
            [space.atoms - found.given, found.derived, space.atoms - found.derived],
            [found.base, found.false, found.missing],
        )
        return float(said.sum())

    def floor(self, spaces: Sequence[Space]) -> float:
        """Flags and a rule, or flags and a base, or the shortest table.

        Domains in a table are told among no less than their values.
        """
        arity = len(spaces[0].types)
        tables = [
            table_cost(self, space)
            - sum(max(0.0, float(set_bits(size, n)) - log2(n + 1)) for n, size in space.domains)
            for space in spaces
        ]
        flags = 1.0 + max(1, arity)
        others = [flags + self._code.shortest(arity)] if arity else []
        others += [flags + 3 + log2(1 + space.facts) for space in spaces if space.apart]
        return min(*tables, *others)

    def layer_lines(self, *, below: bool) -> list[Line]:
        """A few rates."""
        return (list_model.chords if below else list_model.tangents)(list_model.RATES)

    def rest_lines(self, atoms: float, facts: float, options: int = 0, *, below: bool) -> list[Line]:
        """Rates up to that of all facts, or the one rate; or as much for each fact."""
        one_each = [Line(log2(options), 0.0)] if options else []
        if below:
            return list_model.chords(list_model.rest_rates(atoms, facts)) + one_each
        return one_each or list_model.tangents([max(0.5, facts) / max(1.0, atoms)])

    def purest(self, atoms: Lengths, true: Lengths) -> Lengths:
        """The entropy of each class, at the rate that is best for it alone."""
        from scipy.special import xlogy  # noqa: PLC0415  (slow to import)

        false = atoms - true
        return np.asarray((xlogy(atoms, atoms) - xlogy(true, true) - xlogy(false, false)) / np.log(2))


_FORM_LITERALS = {"symmetric": 1, "transitive": 2, "equivalence": 3}
"""Body literals of the clauses that say that a predicate is its own closure."""


class Stored:
    """The facts that are kept or missing, those that are derived and false, and the literals of clauses.

    The values of a domain that is told count as facts: it is a unary predicate without a name.
    """

    literal = 1.0
    within = 0.0

    def __init__(self, code: ClauseCode) -> None:
        """All clauses cost their literals, whatever their code."""

    def header(self, latents: Sequence[Definition]) -> float:
        """Their literals."""
        return float(sum(len(rule.body) for latent in latents for rule in latent.rules))

    def layer(self, derived: ArrayLike, true: ArrayLike) -> Lengths:
        """All that is false."""
        return np.subtract(derived, true, dtype=np.float64)

    def rest(self, atoms: ArrayLike, facts: ArrayLike, options: ArrayLike = 0) -> Lengths:  # noqa: ARG002
        """All that is missing."""
        return np.broadcast_arrays(np.asarray(facts, np.float64), atoms)[0]

    def clause(self, predicate: str, rule: Rule) -> float:  # noqa: ARG002
        """Its literals."""
        return float(len(rule.body))

    def frame(self, space: Space) -> float:
        """Domains; the diagonal, or a clause p(X,X) and what is not on it; pairs that hold on one side."""
        cost = float(sum(values for values, _ in space.domains))
        if space.apart:
            possible, facts = space.diagonal
            cost += min(facts, 1 + possible - facts)
        if space.symmetric:
            cost += _FORM_LITERALS["symmetric"] + space.one_sided
        return cost

    def closure(self, space: Space, form: str, found: Closure) -> float:
        """Base, false and missing facts, and the clauses of the closure."""
        paired = _FORM_LITERALS["symmetric"] if space.symmetric else 0
        own = _FORM_LITERALS.get(form, 0)  # a recursive rule is counted by itself
        return float(found.base + found.false + found.missing + own - paired)

    def floor(self, spaces: Sequence[Space]) -> float:
        """A literal, or all facts."""
        return min(1.0, *(table_cost(self, space) for space in spaces))

    def layer_lines(self, *, below: bool) -> list[Line]:  # noqa: ARG002
        """One for each false atom."""
        return [Line(0.0, 1.0)]

    def rest_lines(
        self,
        atoms: float,  # noqa: ARG002
        facts: float,  # noqa: ARG002
        options: int = 0,  # noqa: ARG002
        *,
        below: bool,  # noqa: ARG002
    ) -> list[Line]:
        """One for each fact."""
        return [Line(1.0, 0.0)]

    def purest(self, atoms: Lengths, true: Lengths) -> Lengths:
        """All that is false."""
        return atoms - true


GOALS: Mapping[str, Callable[[ClauseCode], Goal]] = {"bits": Bits, "stored": Stored}
"""The goals by name, each given the code of clauses."""
