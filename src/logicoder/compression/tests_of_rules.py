r"""Negation, inequality, and conditions: rules with literals that take away what is false.

A rule `p(X,Y) :- q(X,Y)` that derives too much may be right but for `\+ r(X,Y)`, `\+ r(X,_)` or `X \= Y`, or
for two of these; `p(X) :- q(X,Y), q(X,Z), Y \= Z` holds where there are two. Among what the rules before it
leave, a literal may tell facts apart that says nothing of all atoms: `p(X) :- q(X,Y), r(X,high)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np
from numpy.typing import ArrayLike, NDArray

from logicoder.base.effort import Effort
from logicoder.base.sorted_keys import distinct, in_sorted
from logicoder.compression.choosing_again import chosen_again, list_with
from logicoder.compression.code import ClauseCode, Lengths
from logicoder.compression.goals import Goal
from logicoder.compression.plan import Definition
from logicoder.compression.ways import Choice, RuleList, message_cost
from logicoder.engine.arrays.join import JoinTooLargeError
from logicoder.engine.arrays.relation import Keys
from logicoder.engine.arrays.rules.rule_tables import RuleTables, View
from logicoder.engine.arrays.rules.spaces import Space, key_columns
from logicoder.logic.rules import UNEQUAL, Literal, Rule, renumbered

_MOST_LOOKS = 10_000_000
"""Atoms that are compared with facts of others, for all rules together."""

_MOST_FURTHER, _LOOK = 10_000_000, 1_000
"""As many for constants and second literals, and what each comparison takes beside its atoms."""

_BEST = 3
"""Tests that are tried for each rule."""

_CONDITIONS = 2
"""Other literals that are tried for each rule."""

_AGAIN = 2
"""Of each kind, as many with two more literals than the rule."""

_LONGEST = 4
"""Literals of a rule with conditions."""

_MOST_VALUES = 12
"""Constants in a place of a head, each of which may have a rule with a test."""

_FEWEST = 8
"""Facts with such a constant."""

_NOTHING = np.empty(0, np.int64)

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
        self._looks, self._further = _MOST_LOOKS, _MOST_FURTHER

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
            for own, said in ((self._code, choices), (replace(self._code, tests=_tested(changed)), changed))
        )
        return changed if then < now else dict(choices)

    def further(self, choice: Choice, known: frozenset[str]) -> Iterator[Rule]:
        """Iterate over rules with tests that may be of use to a predicate, given what it uses already."""
        space = choice.space
        if choice.closure is not None or not space.packed or self._looks < space.facts:
            return
        covered = _NOTHING
        for layer in choice.layers:
            derived = [self._atoms(space, rule) for rule in layer.rules]
            for rule, atoms in zip(layer.rules, derived, strict=True):
                if layer.true < layer.derived:
                    yield from self._refined(space, rule, _without(atoms, covered), known)
            covered = distinct(np.concatenate([covered, *derived]))
        if len(space.types) == 1:
            for rule in self._covering(space, (0,), space.keys, known):
                atoms = self._atoms(space, rule)
                for left in (atoms, _without(atoms, covered))[: 2 if len(covered) else 1]:
                    for longer in self._refined(space, rule, left, known):
                        yield from (longer, *_without_first(longer))
            yield from self._twice(space, known)
        elif len(space.types) == 2 and not space.symmetric and self._tables.database.worlds == 1:
            for head, values in (*_slices(self._tables, space, 0), *_slices(self._tables, space, 1)):
                for rule in self._covering(space, head, values, known):
                    atoms = self._atoms(space, rule)
                    yield from islice(self._refined(space, rule, atoms, known), 1)

    def _atoms(self, space: Space, rule: Rule) -> Keys:
        """Return what a rule derives; nothing where that is too much."""
        try:
            return space.within(self._tables.atoms(space.types, rule, self._effort))
        except JoinTooLargeError:
            return _NOTHING

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
            and self._may(column.predicate, space, known, len(values))
            and in_sorted(values, column.values).all()
        ]
        for column in sorted(found, key=lambda one: (len(one.values), one.arity, one.predicate, one.column))[
            :1
        ]:
            yield Rule(head, (column.literal(0, 1)[0],))

    def _refined(
        self, space: Space, rule: Rule, atoms: Keys, known: frozenset[str], *, again: bool = True
    ) -> Iterator[Rule]:
        """Rules with one more literal or two, those that save most of some atoms by themselves."""
        if len(rule.body) >= _LONGEST:
            return
        true = space.true(atoms)
        size, right = len(atoms), int(true.sum())
        best: dict[bool, list[tuple[float, Rule, Mask]]] = {True: [], False: []}
        for literal, out in self._literals(space, rule, atoms, true, known):
            kept, kept_true = size - int(out.sum()), right - int((out & true).sum())
            if kept < size and kept_true * size > right * kept:
                saved = float(_saved(self._goal, space, kept, kept_true))
                own = best[literal.tests]
                own.append((-saved, _with(rule, literal), out))
                own.sort(key=lambda one: one[:2])
                del own[_BEST if literal.tests else _CONDITIONS :]
        for own in best.values():
            for _, longer, _ in own[: None if again else _AGAIN]:
                yield longer
        for own in best.values() if again else ():
            for _, longer, out in own[:1]:
                left, looks = atoms[~out], self._looks
                literals = len(self._tables.columns) + len(self._tables.views)
                if not true[~out].all() and self._affords(literals * (len(left) + _LOOK)):
                    yield from self._refined(space, longer, left, known, again=False)
                    self._looks = looks

    def _literals(
        self, space: Space, rule: Rule, atoms: Keys, true: Mask, known: frozenset[str]
    ) -> Iterator[tuple[Literal, Mask]]:
        """Iterate over literals about variables of a head, and which atoms they take away."""
        columns, size = key_columns(atoms, space.sizes), len(atoms)
        variables = {place: a for place, a in enumerate(rule.head) if not isinstance(a, str)}
        fresh = 1 + max(a for item in rule.body for a in (*item.arguments, 0) if not isinstance(a, str))
        fresh = max(fresh, len(rule.head))
        for column in self._tables.columns:
            for place, variable in variables.items():
                if column.kind == space.types[place] and self._may(column.predicate, space, known, size):
                    literal, _ = column.literal(variable, fresh)
                    mask = np.zeros(space.sizes[place], np.bool_)
                    mask[column.values] = True
                    yield from _both(space, literal, mask[columns[place]])
        database = self._tables.database
        for place, variable in variables.items() if database.worlds == 1 and not space.symmetric else ():
            for view, number, out in self._valued(space, place, columns[place], true, known):
                symbol = database.symbols[database.symbol_of[view.types[1]][number]]
                yield view.literal(variable, symbol, fresh)[0], out
        if len(variables) != 2 or len(space.types) != 2:
            return
        first, second = variables.values()
        for view in self._tables.views:
            if view.types == space.types and self._may(view.predicate, space, known, size):
                literal, _ = view.literal(first, second, fresh)
                held = in_sorted(atoms, view.keys)
                if space.symmetric:  # a pair is derived where either side is
                    held &= in_sorted(columns[1] * space.sizes[1] + columns[0], view.keys)
                yield from _both(space, literal, held)
        if space.types[0] == space.types[1] and not space.apart:
            yield Literal(UNEQUAL, (first, second)), np.asarray(columns[0] == columns[1])

    def _valued(
        self, space: Space, place: int, column: Keys, true: Mask, known: frozenset[str]
    ) -> Iterator[tuple[View, int, Mask]]:
        """Iterate over views, the constant in each that tells facts best, and which atoms are without it."""
        every = np.bincount(column, minlength=space.sizes[place])
        facts = np.bincount(column[true], minlength=space.sizes[place])
        for view in self._tables.views:
            fits = view.types[0] == space.types[place] and self._may(view.predicate, space, known, 0)
            if not fits or not self._affords(len(column) + view.matrix.nnz + _LOOK):
                continue
            derived, right = view.matrix.T @ every, view.matrix.T @ facts
            often = np.flatnonzero((right > 1) & (right * len(column) > derived * int(true.sum())))
            if len(often):
                saved = _saved(self._goal, space, derived[often], right[often])
                number = int(often[np.argmax(saved)])
                rows = np.repeat(np.arange(view.matrix.shape[0]), view.row_sizes)
                mask = np.zeros(space.sizes[place], np.bool_)
                mask[rows[view.matrix.indices == number]] = True
                yield view, number, ~mask[column]

    def _may(self, predicate: str, space: Space, known: frozenset[str], looks: int) -> bool:
        if predicate == space.predicate or predicate not in known or self._looks < looks:
            return False
        self._looks -= looks
        return True

    def _affords(self, looks: int) -> bool:
        if self._further < looks:
            return False
        self._further -= looks
        return True

    def _twice(self, space: Space, known: frozenset[str]) -> Iterator[Rule]:
        """Rules for what is related to two others."""
        for view in self._tables.views:
            if view.types[0] == space.types[0] and self._may(view.predicate, space, known, space.facts):
                keys = space.within(np.flatnonzero(view.row_sizes > 1).astype(np.int64))
                true = int(space.true(keys).sum())
                if true and _saved(self._goal, space, len(keys), true) > 0:
                    first, fresh = view.literal(0, 1, 3)
                    second, _ = view.literal(0, 2, fresh)
                    yield Rule((0,), (first, second, Literal(UNEQUAL, (1, 2))))


def _tested(choices: Mapping[str, Choice]) -> bool:
    return any(r.tested for choice in choices.values() for layer in choice.layers for r in layer.rules)


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


def _both(space: Space, literal: Literal, held: Mask) -> Iterator[tuple[Literal, Mask]]:
    """A literal negated and as it is; a pair of a symmetric relation is derived where either side is."""
    yield replace(literal, negated=True), held
    if not space.symmetric:
        yield literal, ~held


def _with(rule: Rule, literal: Literal) -> Rule:
    """Return a rule with one more literal; tests come last."""
    body = sorted((*rule.body, literal), key=lambda item: item.tests)
    return Rule(rule.head, renumbered(body, len(rule.head)))


def _without_first(rule: Rule) -> Iterator[Rule]:
    """A rule for a unary head without its first literal, where another one tells what the head is about."""
    if any(not item.tests for item in rule.body[1:]):
        yield Rule(rule.head, renumbered(rule.body[1:], 1))


def _without(atoms: Keys, covered: Keys) -> Keys:
    return atoms[~in_sorted(atoms, covered)]


def _saved(goal: Goal, space: Space, derived: ArrayLike, true: ArrayLike) -> Lengths:
    """Return what rules by themselves save, their own cost left out."""
    derived, true = np.asarray(derived, float), np.asarray(true, float)
    rest = goal.rest(space.atoms - derived, space.facts - true, space.options)
    alone = goal.rest(space.atoms, space.facts, space.options)
    return np.asarray(alone - goal.layer(derived, true) - rest)
