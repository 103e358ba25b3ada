"""Predicates that are closed, as proposals would have them: by clauses that read them, from other seeds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from logicoder.base.effort import Effort
from logicoder.base.sorted_keys import distinct
from logicoder.compression.goals import Goal, table_cost
from logicoder.compression.plan import Step
from logicoder.compression.ways import Choice, Layer, choice_cost
from logicoder.engine.arrays.rules.closed_forms import FORMS, Form, closure_of
from logicoder.engine.arrays.rules.recursive_forms import along_of, recursive_form
from logicoder.engine.arrays.rules.rule_tables import RuleTables
from logicoder.engine.arrays.rules.spaces import Space
from logicoder.logic.rules import Literal, Rule

_NOTHING = np.empty(0, np.int64)
_RECURSIVE = {
    Rule((0, 1), (Literal("", (1, 0)),)): "symmetric",
    Rule((0, 1), (Literal("", (0, 2)), Literal("", (2, 1)))): "transitive",
    Rule((0, 1), (Literal("", (2, 1)), Literal("", (0, 2)))): "transitive",
}


class Closing(NamedTuple):
    """How a predicate is closed: the name of the form, and for a clause that goes on along another, that."""

    name: str
    rules: tuple[Rule, ...] = ()


def closing_of(rule: Rule, predicate: str, types: Sequence[int]) -> Closing | None:
    """Return the closure that a clause makes of its own predicate; None where it is of no such kind.

    >>> own, step = Literal("above", (2, 1)), Literal("on", (0, 2))
    >>> print(closing_of(Rule((0, 1), (own, step)), "above", (0, 0)).rules[0].clause("above"))
    above(X,Y) :- on(X,Z), above(Z,Y).
    """
    bare = Rule(
        rule.head, tuple(replace(x, predicate="") if x.predicate == predicate else x for x in rule.body)
    )
    if bare in _RECURSIVE:
        return Closing(_RECURSIVE[bare]) if len(set(types)) == 1 else None
    for body in (rule.body, rule.body[::-1]):
        try:
            turned = Rule(rule.head, body)
            along_of(turned, predicate)
        except (ValueError, IndexError):
            continue
        return Closing("", (turned,))
    return None


def seeded(step: Step) -> Closing | None:
    """Return how a step of a plan is closed; None where it is not, or by pairs alone."""
    if step.recursion is not None:
        return Closing("", (step.recursion,))
    return Closing(step.form) if step.form in FORMS else None


class Closures:
    """What closures of predicates cost.

    Args:
        tables: the facts.
        goal: what is to be small.
        effort: what it may take.
    """

    def __init__(self, tables: RuleTables, goal: Goal, effort: Effort) -> None:
        self._tables, self._goal, self._effort = tables, goal, effort

    def costs(self, space: Space, closing: Closing, seeds: Sequence[Rule] = ()) -> Iterator[float]:
        """Iterate over what a predicate costs as the closure of seeds, if it can be closed in a space so."""
        if closing.name == "symmetric":
            if space.symmetric and not seeds:
                yield table_cost(self._goal, space)
            return
        paired = closing.name == "equivalence"
        if space.symmetric != paired or (closing.name in FORMS and not space.apart):
            return
        form = self._form(space.predicate, closing)
        atoms = [space.within(self._tables.atoms(space.types, rule, self._effort)) for rule in seeds]
        closure = closure_of(space, form, distinct(np.concatenate([_NOTHING, *atoms])), self._effort)
        if closure is None:
            return
        rules = (*seeds, *closing.rules)
        layers = tuple(Layer((rule,), closure.given, 0, 0.0) for rule in rules)
        name = closing.name or ("apart" if space.apart else "plain")
        yield choice_cost(self._goal, Choice(space, name, 0.0, layers, closure))

    def _form(self, predicate: str, closing: Closing) -> Form:
        if closing.rules:
            return recursive_form(along_of(closing.rules[0], predicate), self._tables)
        return FORMS[closing.name]
