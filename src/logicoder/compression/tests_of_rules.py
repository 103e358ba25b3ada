r"""Negation and inequality: rules with one more literal that takes away what is false.

A rule `p(X,Y) :- q(X,Y)` that derives too much may be right but for `\+ r(X,Y)`, `\+ r(X,_)` or `X \= Y`; and
`p(X) :- q(X,Y), q(X,Z), Y \= Z` holds where there are two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from logicoder.base.effort import Effort
from logicoder.base.sorted_keys import in_sorted
from logicoder.compression.choosing_again import chosen_again, list_with
from logicoder.compression.code import ClauseCode
from logicoder.compression.goals import Goal
from logicoder.compression.plan import Definition
from logicoder.compression.ways import Choice, RuleList, message_cost
from logicoder.engine.arrays.join import JoinTooLargeError
from logicoder.engine.arrays.relation import Keys
from logicoder.engine.arrays.rules.rule_tables import RuleTables
from logicoder.engine.arrays.rules.spaces import Space, key_columns
from logicoder.logic.rules import UNEQUAL, Literal, Rule

_MOST_LOOKS = 10_000_000
"""Atoms that are compared with facts of others, for all rules together."""

_BEST = 3
"""Tests that are tried for each rule."""

_MOST_VALUES = 12
"""Constants in a place of a head, each of which may have a rule with a test."""

_FEWEST = 8
"""Facts with such a constant."""

Mask = NDArray[np.bool_]


class RuleTests:
    """Finds tests for choices in a given order.

    Args:
        tables: the relations that rules may use, those of latent predicates too.
        latents: the latent predicates.
        code: the code of clauses.
        goal_of: the goal, given the code of clauses.
        known: predicates that are always known.
        effort: whether to end now.
    """

    def __init__(
        self,
        tables: RuleTables,
        latents: Sequence[Definition],
        code: ClauseCode,
        goal_of: Callable[[ClauseCode], Goal],
        known: frozenset[str],
        effort: Effort,
    ) -> None:
        self._tables, self._latents, self._code, self._goal_of = tables, latents, code, goal_of
        self._known, self._effort = known, effort
        self._goal, self._tested = goal_of(code), replace(code, tests=True)
        self._looks = _MOST_LOOKS

    def way(self, choice: Choice, further: Sequence[Rule]) -> RuleList | None:
        """Return a way to say a predicate with further rules."""
        return list_with(self._goal_of(self._tested), choice, further, self._tables, self._effort)

    def improved(self, choices: Mapping[str, Choice]) -> dict[str, Choice]:
        """Return choices that may have tests, where these pay for all clauses together."""
        goal = self._goal_of(self._tested)
        changed: dict[str, Choice] = {}
        known = self._known
        for name, choice in choices.items():
            self._effort.check()
            further = list(self.further(choice, known))
            changed[name] = (
                chosen_again(goal, choice, further, self._tables, self._effort) if further else choice
            )
            known |= {name}
            known |= {latent.name for latent in self._latents if latent.needs <= known}
        now, then = (
            message_cost(self._goal_of(own), said, self._latents, 0.0)
            for own, said in ((self._code, choices), (self._tested, changed))
        )
        return changed if then < now else dict(choices)

    def further(self, choice: Choice, known: frozenset[str]) -> Iterator[Rule]:
        """Iterate over rules with tests that may be of use to a predicate, given what it uses already."""
        space = choice.space
        if choice.closure is not None or not space.packed:
            return
        for layer in choice.layers:
            for rule in layer.rules:
                if layer.true < layer.derived and not rule.tested:
                    yield from self._refined(space, rule, known)
        if len(space.types) == 1:
            for rule in self._covering(space, (0,), space.keys, known):
                yield from self._refined(space, rule, known)
            yield from self._twice(space, known)
        elif len(space.types) == 2 and not space.symmetric and self._tables.database.worlds == 1:
            for head, values in (*_slices(self._tables, space, 0), *_slices(self._tables, space, 1)):
                for rule in self._covering(space, head, values, known):
                    yield from islice(self._refined(space, rule, known), 1)

    def _covering(
        self, space: Space, head: tuple[int | str, ...], values: Keys, known: frozenset[str]
    ) -> Iterator[Rule]:
        """The rule that derives all facts and least else: even if all its atoms are, tests may tell them.

        Args:
            space: the predicate.
            head: one variable, and perhaps a constant.
            values: of the variable in facts, sorted.
            known: predicates that may be used.
        """
        kind = space.types[head.index(0)]
        found = [
            column
            for column in self._tables.columns
            if column.kind == kind
            and len(column.values) >= len(values)
            and self._may(column.predicate, space, known, values)
            and in_sorted(values, column.values).all()
        ]
        for column in sorted(found, key=lambda one: (len(one.values), one.arity, one.predicate, one.column))[
            :1
        ]:
            yield Rule(head, (column.literal(0, 1)[0],))

    def _refined(self, space: Space, rule: Rule, known: frozenset[str]) -> Iterator[Rule]:
        """Rules with one more test, those that save most by themselves."""
        try:
            atoms = space.within(self._tables.atoms(space.types, rule, self._effort))
        except JoinTooLargeError:
            return
        true = space.true(atoms)
        size, right = len(atoms), int(true.sum())
        found = []
        for literal, out in self._tests(space, rule, atoms, known):
            kept, kept_true = size - int(out.sum()), right - int((out & true).sum())
            if kept < size and kept_true * size > right * kept:
                saved = _saved(self._goal, space, kept, kept_true)
                found.append((-saved, Rule(rule.head, (*rule.body, literal))))
        found.sort()
        yield from (longer for _, longer in found[:_BEST])

    def _tests(
        self, space: Space, rule: Rule, atoms: Keys, known: frozenset[str]
    ) -> Iterator[tuple[Literal, Mask]]:
        """Iterate over tests of the variables of a head, and which atoms they take away."""
        columns = key_columns(atoms, space.sizes)
        variables = {place: a for place, a in enumerate(rule.head) if not isinstance(a, str)}
        fresh = 1 + max(a for item in rule.body for a in (*item.arguments, 0) if not isinstance(a, str))
        fresh = max(fresh, len(rule.head))
        for column in self._tables.columns:
            for place, variable in variables.items():
                if column.kind == space.types[place] and self._may(column.predicate, space, known, atoms):
                    literal, _ = column.literal(variable, fresh)
                    mask = np.zeros(space.sizes[place], np.bool_)
                    mask[column.values] = True
                    yield replace(literal, negated=True), mask[columns[place]]
        if len(variables) != 2 or len(space.types) != 2:
            return
        first, second = variables.values()
        for view in self._tables.views:
            if view.types == space.types and self._may(view.predicate, space, known, atoms):
                literal, _ = view.literal(first, second, fresh)
                out = in_sorted(atoms, view.keys)
                if space.symmetric:  # a pair is derived where either side is
                    out &= in_sorted(columns[1] * space.sizes[1] + columns[0], view.keys)
                yield replace(literal, negated=True), out
        if space.types[0] == space.types[1] and not space.apart:
            yield Literal(UNEQUAL, (first, second)), np.asarray(columns[0] == columns[1])

    def _may(self, predicate: str, space: Space, known: frozenset[str], atoms: Keys) -> bool:
        if predicate == space.predicate or predicate not in known or self._looks < len(atoms):
            return False
        self._looks -= len(atoms)
        return True

    def _twice(self, space: Space, known: frozenset[str]) -> Iterator[Rule]:
        """Rules for what is related to two others."""
        for view in self._tables.views:
            if view.types[0] == space.types[0] and self._may(view.predicate, space, known, space.keys):
                keys = space.within(np.flatnonzero(view.row_sizes > 1).astype(np.int64))
                true = int(space.true(keys).sum())
                if true and _saved(self._goal, space, len(keys), true) > 0:
                    first, fresh = view.literal(0, 1, 3)
                    second, _ = view.literal(0, 2, fresh)
                    yield Rule((0,), (first, second, Literal(UNEQUAL, (1, 2))))


def _slices(tables: RuleTables, space: Space, place: int) -> Iterator[tuple[tuple[int | str, ...], Keys]]:
    """Heads with a constant in one place, where few constants stand there, and the other values beside it."""
    columns = key_columns(space.keys, space.sizes)
    numbers = np.unique(columns[place])
    if len(numbers) > _MOST_VALUES:
        return
    names = tables.database.symbol_of[space.types[place]]
    for number in numbers.tolist():
        values = np.unique(columns[1 - place][columns[place] == number])
        if len(values) >= _FEWEST:
            symbol = tables.database.symbols[names[number]]
            yield ((0, symbol) if place else (symbol, 0)), values


def _saved(goal: Goal, space: Space, derived: int, true: int) -> float:
    """Return what a rule by itself saves, its own cost left out."""
    rest = goal.rest(space.atoms - derived, space.facts - true, space.options)
    alone = goal.rest(space.atoms, space.facts, space.options)
    return float(alone - goal.layer(derived, true) - rest)
