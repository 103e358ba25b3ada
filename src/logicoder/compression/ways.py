"""Ways to say a predicate: as a list of rules with what is left over, or as the closure of a base."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from logicoder.compression.code import set_bits
from logicoder.engine.arrays.rules.closed_forms import Closure
from logicoder.engine.arrays.rules.rule_classes import Classes
from logicoder.engine.arrays.rules.spaces import Space
from logicoder.logic.rules import Rule


@dataclass(frozen=True)
class Layer:
    """Rules whose atoms are coded together: what they derive beyond all rules before them.

    Attributes:
        rules: the rules.
        derived: atoms.
        true: facts among them.
        saved: bits that it saves beyond its own.
    """

    rules: tuple[Rule, ...]
    derived: int
    true: int
    saved: float


@dataclass(frozen=True)
class Choice:
    """A way to say a predicate, chosen.

    Attributes:
        space: how its atoms are looked at.
        form: one of `plan.FORMS`.
        bits: all it takes, domains included.
        layers: its rules.
        closure: its closure, if it has one.
        needs: the predicates that must be known before.
    """

    space: Space
    form: str
    bits: float
    layers: tuple[Layer, ...] = ()
    closure: Closure | None = None
    needs: frozenset[str] = frozenset()


class Way(Protocol):
    """A way to say a predicate, whose length depends on what is known before."""

    space: Space
    mentions: frozenset[str]

    def chosen(self, known: frozenset[str]) -> Choice | None:
        """Return what it comes to where some predicates are known; None where they do not suffice."""


def frame_bits(space: Space) -> float:
    """Return the bits of all but the facts off the diagonal: flags, domains by type, and the diagonal."""
    bits = 1.0 + len(space.types)
    if len(space.types) == 2 and space.types[0] == space.types[1]:
        bits += 3.0 if space.apart else 1.0
    bits += sum(1 + float(set_bits(size, values)) for values, size in space.domains)
    if space.apart:
        bits += float(set_bits(*space.diagonal))
    if space.symmetric:
        bits += float(set_bits(space.facts, space.one_sided)) + space.one_sided
    return bits


def table_bits(space: Space) -> float:
    """Return the bits of a predicate without any rule."""
    return frame_bits(space) + float(set_bits(space.atoms, space.facts))


@dataclass
class RuleList:
    """A predicate as a list of rules: each codes what it derives and no rule before it does.

    Attributes:
        space: how the atoms are looked at.
        rules: candidate rules.
        lengths: their bits.
        classes: their coverage classes.
        stopped: whether to choose no further rules.
        mentions: the predicates that make a difference.
    """

    space: Space
    rules: Sequence[Rule]
    lengths: NDArray[np.float64]
    classes: Classes | None
    stopped: Callable[[], bool] = lambda: False
    mentions: frozenset[str] = frozenset()
    _kept: dict[bytes, Choice] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._uses = [rule.predicates for rule in self.rules]
        self.mentions = frozenset[str]().union(*self._uses)
        self._plain = Choice(self.space, self._form, table_bits(self.space))

    @property
    def _form(self) -> str:
        return "symmetric" if self.space.symmetric else "apart" if self.space.apart else "plain"

    def chosen(self, known: frozenset[str]) -> Choice:
        """Choose rules greedily: each time the one that saves most of what is left."""
        usable = np.array([uses <= known for uses in self._uses], np.bool_)
        key = usable.tobytes()
        if key not in self._kept:
            self._kept[key] = self._greedy(np.flatnonzero(usable))
        return self._kept[key]

    def _greedy(self, usable: NDArray[np.intp]) -> Choice:
        if not len(usable) or self.classes is None:
            return self._plain
        derived, true = (counts[usable] for counts in self.classes.totals)
        uncovered = np.ones(len(self.classes.atoms), np.bool_)
        left_atoms, left_true = float(self.space.atoms), float(self.space.facts)
        bits = self._plain.bits
        layers: list[Layer] = []
        while not self.stopped():
            gains = set_bits(left_atoms, left_true) - self.lengths[usable]
            gains -= set_bits(derived, true) + set_bits(left_atoms - derived, left_true - true)
            gains[derived == 0] = -1
            best = int(np.argmax(gains))
            if gains[best] <= 0:
                break
            saved, size, right = float(gains[best]), round(derived[best]), round(true[best])
            bits -= saved
            layers.append(Layer((self.rules[int(usable[best])],), size, right, saved))
            covered = self.classes.of_rule(int(usable[best]))
            covered = covered[uncovered[covered]]
            uncovered[covered] = False
            gone, gone_true = self.classes.sums(covered)
            derived -= gone[usable]
            true -= gone_true[usable]
            left_atoms -= size
            left_true -= right
        needs = frozenset[str]().union(*(rule.predicates for layer in layers for rule in layer.rules))
        return Choice(self.space, self._form, bits, tuple(layers), None, needs)


@dataclass
class ClosedBase:
    """A predicate as the closure of a base, and of what a rule derives.

    Attributes:
        space: how the atoms are looked at.
        form: `transitive` or `equivalence`.
        closure: base, derived and false atoms.
        seed: the rule.
        length: its bits.
        mentions: the predicates that make a difference.
    """

    space: Space
    form: str
    closure: Closure
    seed: Rule | None = None
    length: float = 0.0
    mentions: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self.mentions = self.seed.predicates if self.seed is not None else frozenset()

    @property
    def bits(self) -> float:
        """All it takes: the base among what is not derived yet, then what is false and what is missing."""
        space, found = self.space, self.closure
        said = set_bits(
            [space.atoms - found.given, found.derived, space.atoms - found.derived],
            [found.base, found.false, found.missing],
        )
        return frame_bits(space) + self.length + float(said.sum())

    def chosen(self, known: frozenset[str]) -> Choice | None:
        """Return the closure where its rule can be used."""
        if not self.mentions <= known:
            return None
        layers: tuple[Layer, ...] = ()
        if self.seed is not None:
            layers = (Layer((self.seed,), self.closure.given, 0, 0.0),)
        return Choice(self.space, self.form, self.bits, layers, self.closure, self.mentions)
