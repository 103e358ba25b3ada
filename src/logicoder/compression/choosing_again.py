"""Another choice for a predicate, where there are further rules that were not counted with all others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from logicoder.base.effort import Effort
from logicoder.compression.goals import Goal
from logicoder.compression.ways import Choice, RuleList, choice_cost
from logicoder.engine.arrays.join import JoinTooLargeError
from logicoder.engine.arrays.rules.rule_classes import classes_of_atoms
from logicoder.engine.arrays.rules.rule_tables import RuleTables
from logicoder.logic.rules import Rule

_ATOM_BYTES = 64
"""What an atom takes that rules derive, while their coverage classes are made."""

_TINY = 1e-6


def list_with(
    goal: Goal, choice: Choice, further: Sequence[Rule], tables: RuleTables, effort: Effort
) -> RuleList | None:
    """Return a list of the rules of a choice and further ones; None where all are too large."""
    space = choice.space
    rules = [rule for layer in choice.layers for rule in layer.rules]
    usable, derived = [], []
    for rule in dict.fromkeys([*rules, *further]):
        try:
            derived.append(space.within(tables.atoms(space.types, rule, effort)))
            usable.append(rule)
        except JoinTooLargeError:
            continue
    if not usable:
        return None
    lengths = np.array([goal.clause(space.predicate, rule) for rule in usable])
    classes = classes_of_atoms(space, derived)
    return RuleList(goal, space, usable, lengths, classes, effort.check, effort.affords_solver)


def list_beside(
    goal: Goal, choice: Choice, lists: Sequence[RuleList], tables: RuleTables, effort: Effort, share: float
) -> RuleList | None:
    """Return a list of the rules of a choice and all those of other lists in the same space.

    Args:
        goal: what is to be small.
        choice: has the rules.
        lists: the others.
        tables: the relations.
        effort: what it may cost.
        share: the part of the memory that it may take; None is returned where it would take more.
    """
    derived = sum(int(way.classes.totals[0].sum()) for way in lists if way.classes is not None)
    if derived > effort.room(share, _ATOM_BYTES) or not effort.spend(derived):
        return None
    return list_with(goal, choice, [rule for way in lists for rule in way.rules], tables, effort)


def chosen_again(
    goal: Goal, choice: Choice, further: Sequence[Rule], tables: RuleTables, effort: Effort
) -> Choice:
    """Return the better of a choice and the best list of its rules and further ones, in the same space."""
    now = replace(choice, cost=choice_cost(goal, choice))
    own = list_with(goal, choice, further, tables, effort)
    if own is None:
        return now
    found = own.improved(own.chosen(own.mentions), own.mentions)
    return found if found.cost < now.cost - _TINY else now
