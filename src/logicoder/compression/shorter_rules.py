"""Rules without one of their literals: what made it useful may be gone once all rules are chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from logicoder.base.effort import Effort
from logicoder.compression.choosing_again import chosen_again
from logicoder.compression.goals import Goal
from logicoder.compression.ways import Choice
from logicoder.engine.arrays.rules.rule_tables import RuleTables
from logicoder.logic.rules import Body, Literal, Rule, renumbered


def with_shorter_rules(
    choices: Mapping[str, Choice], goal: Goal, tables: RuleTables, effort: Effort
) -> dict[str, Choice]:
    """Return choices in which no rule has a literal that it is better without."""
    found = {}
    for name, choice in choices.items():
        effort.check()
        further = list(_shorter(choice))
        found[name] = chosen_again(goal, choice, further, tables, effort) if further else choice
    return found


def _shorter(choice: Choice) -> Iterator[Rule]:
    if choice.closure is not None or not choice.space.packed:
        return
    for layer in choice.layers:
        for rule in layer.rules:
            yield from shorter(rule)


def shorter(rule: Rule) -> Iterator[Rule]:
    """Iterate over what is left of a rule without one of its literals, where that is a rule.

    >>> from logicoder.logic.rules import clause_of
    >>> rule = Rule((0, "red"), (Literal("name", (0, 1)), Literal("size", (0, "big"))))
    >>> for other in shorter(rule):
    ...     print(clause_of("colour", other.head, other.body))
    colour(X,red) :- size(X,big).
    colour(X,red) :- name(X,_).
    >>> list(shorter(Rule((0, 1), (Literal("p", (0, 2)), Literal("q", (2, 1))))))
    []
    """
    head = {a for a in rule.head if not isinstance(a, str)}
    for place in range(len(rule.body)) if len(rule.body) > 1 else ():
        body = (*rule.body[:place], *rule.body[place + 1 :])
        bound = {a for item in body if not item.tests for a in _variables(item)}
        # A variable of a test that stands nowhere else is any value.
        others = {a for item in rule.body if not item.tests for a in _variables(item)}
        tested = {a for item in body if item.tests for a in _variables(item)} & others
        if head | tested <= bound and _linked(body, head):
            yield Rule(rule.head, renumbered(body, len(head)))


def _variables(item: Literal) -> set[int]:
    return {a for a in item.arguments if not isinstance(a, str)}


def _linked(body: Body, head: set[int]) -> bool:
    """Whether every literal shares variables with the head, or with others that do."""
    reached, waiting = set(head), list(body)
    while waiting:
        linked = [item for item in waiting if reached & _variables(item)]
        if not linked:
            return False
        reached.update(*map(_variables, linked))
        waiting = [item for item in waiting if item not in linked]
    return True
