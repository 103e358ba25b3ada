"""Ways to say a predicate: as a list of rules with what is left over, or as the closure of a base."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from logicoder.compression.goals import Goal, table_cost
from logicoder.compression.plan import Definition
from logicoder.compression.rule_lists import Listed, RuleLists
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
        saved: what it saves beyond its own cost.
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
        cost: all it takes, domains included.
        layers: its rules.
        closure: its closure, if it has one.
        needs: the predicates that must be known before.
    """

    space: Space
    form: str
    cost: float
    layers: tuple[Layer, ...] = ()
    closure: Closure | None = None
    needs: frozenset[str] = frozenset()


class Way(Protocol):
    """A way to say a predicate, whose cost depends on what is known before."""

    space: Space
    mentions: frozenset[str]

    def chosen(self, known: frozenset[str]) -> Choice | None:
        """Return what it comes to where some predicates are known; None where they do not suffice."""

    def improved(self, choice: Choice, known: frozenset[str]) -> Choice:
        """Return a choice that costs no more than one of this way's, after more search."""

    def least(self, known: frozenset[str]) -> float:
        """Return what it cannot undercut."""

    def priced(self, known: frozenset[str]) -> float:
        """Return what it cannot undercut, found in less time."""


def choice_cost(goal: Goal, choice: Choice) -> float:
    """Return what a choice costs by any goal, its domains being told by type."""
    space, layers = choice.space, choice.layers
    name = space.predicate
    cost = goal.frame(space) + sum(goal.clause(name, rule) for layer in layers for rule in layer.rules)
    if choice.closure is not None:
        return cost + goal.closure(space, choice.form, choice.closure)
    cost += sum(float(goal.layer(layer.derived, layer.true)) for layer in layers)
    derived, true = sum(layer.derived for layer in layers), sum(layer.true for layer in layers)
    return cost + float(goal.rest(space.atoms - derived, space.facts - true, space.options))


def with_cost(goal: Goal, choice: Choice) -> Choice:
    """Return a choice with what it costs; of a closure, what it saves is told of all its rules alike."""
    cost, layers = choice_cost(goal, choice), choice.layers
    if choice.closure is not None:
        saved = table_cost(goal, choice.space) - cost
        layers = tuple(replace(layer, saved=saved / len(layers)) for layer in layers)
    return replace(choice, cost=cost, layers=layers)


def message_cost(
    goal: Goal, choices: Mapping[str, Choice], latents: Sequence[Definition], within: float
) -> float:
    """Return what a whole message costs.

    Args:
        goal: what it costs.
        choices: how each predicate is said.
        latents: the shorthands.
        within: bits saved by domains within others.
    """
    said = sum(choice_cost(goal, choice) for choice in choices.values())
    return goal.header(latents) + said - goal.within * within


@dataclass
class RuleList:
    """A predicate as a list of rules: each codes what it derives and no rule before it does.

    Attributes:
        goal: what it costs.
        space: how the atoms are looked at.
        rules: candidate rules.
        lengths: their costs.
        classes: their coverage classes.
        stopped: whether to choose no further rules.
        solver: whether a solver may be asked.
        mentions: the predicates that make a difference.
    """

    goal: Goal
    space: Space
    rules: Sequence[Rule]
    lengths: NDArray[np.float64]
    classes: Classes | None
    stopped: Callable[[], bool] = lambda: False
    solver: bool = True
    mentions: frozenset[str] = frozenset()
    _kept: dict[bytes, Choice] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._uses = [rule.predicates for rule in self.rules]
        self.mentions = frozenset[str]().union(*self._uses)
        self._plain = Choice(self.space, self._form, table_cost(self.goal, self.space))

    @property
    def _form(self) -> str:
        return "symmetric" if self.space.symmetric else "apart" if self.space.apart else "plain"

    @cached_property
    def _lists(self) -> RuleLists | None:
        if self.classes is None:
            return None
        return RuleLists(self.goal, self.space, self.lengths, self.classes, self.stopped, solver=self.solver)

    def chosen(self, known: frozenset[str]) -> Choice:
        """Choose rules greedily: each time the one that saves most of what is left."""
        usable = self._usable(known)
        key = usable.tobytes()
        if key not in self._kept:
            self._kept[key] = self._plain if self._lists is None else self._choice(self._lists.greedy(usable))
        return self._kept[key]

    def improved(self, choice: Choice, known: frozenset[str]) -> Choice:
        """Choose rules by a solver too, where that costs less."""
        if self._lists is None or not choice.layers:
            return choice
        numbers = {rule: number for number, rule in enumerate(self.rules)}
        start = self._lists.measured([numbers[rule] for layer in choice.layers for rule in layer.rules])
        return self._choice(self._lists.improved(self._usable(known), start))

    def least(self, known: frozenset[str]) -> float:
        """Return what no list of these rules can undercut."""
        saved = 0.0 if self._lists is None else self._lists.most_saved(self._usable(known))
        return self._plain.cost - saved

    def priced(self, known: frozenset[str]) -> float:
        """Return what no list of these rules can undercut, without a solver."""
        saved = 0.0 if self._lists is None else self._lists.most_saved(self._usable(known), solver=False)
        return self._plain.cost - saved

    def _usable(self, known: frozenset[str]) -> NDArray[np.intp]:
        return np.flatnonzero([uses <= known for uses in self._uses])

    def _choice(self, listed: Listed) -> Choice:
        layers = tuple(
            Layer((self.rules[rule],), derived, true, saved)
            for rule, derived, true, saved in zip(
                listed.rules, listed.derived, listed.true, listed.saved, strict=True
            )
        )
        needs = frozenset[str]().union(*(self._uses[rule] for rule in listed.rules))
        return Choice(self.space, self._form, self._plain.cost - listed.total, layers, None, needs)


@dataclass
class ClosedBase:
    """A predicate as the closure of a base, and of what a rule derives.

    Attributes:
        goal: what it costs.
        space: how the atoms are looked at.
        form: `transitive` or `equivalence`; otherwise there is a recursive rule.
        closure: base, derived and false atoms.
        rules: the rule, the recursive one, or both.
        mentions: the predicates that make a difference.
    """

    goal: Goal
    space: Space
    form: str
    closure: Closure
    rules: tuple[Rule, ...] = ()
    mentions: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        own = frozenset({self.space.predicate})
        self.mentions = frozenset[str]().union(*(rule.predicates for rule in self.rules)) - own
        layers = tuple(Layer((rule,), self.closure.given, 0, 0.0) for rule in self.rules)
        self._choice = Choice(self.space, self.form, 0.0, layers, self.closure, self.mentions)
        self._choice = with_cost(self.goal, self._choice)

    @property
    def cost(self) -> float:
        """All it takes."""
        return self._choice.cost

    def chosen(self, known: frozenset[str]) -> Choice | None:
        """Return the closure where its rule can be used."""
        return self._choice if self.mentions <= known else None

    def improved(self, choice: Choice, known: frozenset[str]) -> Choice:  # noqa: ARG002
        """Return the choice: there is no other."""
        return choice

    def least(self, known: frozenset[str]) -> float:
        """Return its cost: there is nothing to choose."""
        return self.cost if self.mentions <= known else inf

    def priced(self, known: frozenset[str]) -> float:
        """Return its cost."""
        return self.least(known)
