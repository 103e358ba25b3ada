"""Latent predicates as shorthands: tried one by one, and kept where the message is shorter with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from logicoder.base.effort import Effort
from logicoder.compression.choosing_again import chosen_again
from logicoder.compression.code import ClauseCode
from logicoder.compression.definitions import code_with, head_types, relation_of, types_of
from logicoder.compression.goals import Goal
from logicoder.compression.plan import Definition
from logicoder.compression.suggested_latents import LATENT, Suggestion, Suggestions
from logicoder.compression.ways import Choice, message_cost
from logicoder.engine.arrays.join import JoinTooLargeError
from logicoder.engine.arrays.relation import Relation, packable
from logicoder.engine.arrays.rules.rule_tables import RuleTables
from logicoder.logic.latent_names import latent_names
from logicoder.logic.rules import Literal, Rule

_MOST_RULES = 20
"""Rules of each head, beside those that are used, that suggest latent predicates."""

_TRIED = 8
"""Latent predicates that are tried after each one that is kept."""

_MOST_USES = 60
"""Rules with one of them that are evaluated."""

_TINY = 1e-6

Choices = Mapping[str, Choice]


class Shorthands:
    """Finds latent predicates for choices in a given order.

    Args:
        tables: the relations of the data.
        code: the code of clauses without latent predicates.
        goal_of: the goal, given the code of clauses.
        known: predicates that are always known.
        effort: what joins may cost, and whether to end now.
    """

    def __init__(
        self,
        tables: RuleTables,
        code: ClauseCode,
        goal_of: Callable[[ClauseCode], Goal],
        known: frozenset[str],
        effort: Effort,
    ) -> None:
        self._database, self._code, self._goal_of, self._effort = tables.database, code, goal_of, effort
        self._known, self._tables = known, tables
        self._relations = {name: tables.relation(name) for name in tables.names}
        self._latent: dict[str, Relation] = {}

    def _goal(self, latents: Sequence[Definition]) -> Goal:
        """Return the goal where bodies may use some latent predicates."""
        return self._goal_of(code_with(self._code, latents, self._tables))

    def tables(self, latents: Sequence[Definition]) -> RuleTables:
        """Return the relations of the data and of some latent predicates."""
        if not latents:
            return self._tables
        return RuleTables(self._database, self._relations | {d.name: self._latent[d.name] for d in latents})

    def _types(self, definition: Definition) -> tuple[int, ...]:
        return head_types(definition.rules[0], types_of(self._relations))

    def _cost(self, choices: Choices, latents: Sequence[Definition]) -> float:
        return message_cost(self._goal(latents), choices, latents, 0.0)

    def improved(
        self, choices: Choices, candidates: Mapping[str, Sequence[Rule]]
    ) -> tuple[dict[str, Choice], tuple[Definition, ...]]:
        """Return choices that may use latent predicates, and these, in the same order of predicates.

        Args:
            choices: how each predicate is said, in order.
            candidates: for each predicate, the rules that pay by themselves, best first.
        """
        best, latents = dict(choices), list[Definition]()
        tried: set[tuple[Rule, ...]] = set()
        cost = self._cost(best, latents)
        found = True
        while found:
            found = False
            fresh = [s for s in self._suggestions(best, candidates) if s.rules not in tried][:_TRIED]
            for suggestion in fresh:
                self._effort.check()
                tried.add(suggestion.rules)
                other = self._with(suggestion, best, latents)
                if other is not None and self._cost(*other) < cost - _TINY:
                    best, latents = self._everywhere(*other)
                    cost = self._cost(best, latents)
                    found = True
                    break
        return best, tuple(latents)

    def _suggestions(self, choices: Choices, candidates: Mapping[str, Sequence[Rule]]) -> list[Suggestion]:
        suggestions = Suggestions(self._relations)
        known = self._known
        for name, choice in choices.items():
            if choice.closure is None:
                used = [rule for layer in choice.layers for rule in layer.rules]
                others = [rule for rule in candidates.get(name, ()) if rule.predicates <= known]
                plain = [r for r in used if not r.tested and r.predicates <= self._relations.keys()]
                suggestions.unions(name, list(dict.fromkeys([*plain, *others[:_MOST_RULES]])))
                suggestions.joins(name, plain)
            known |= {name}
        least = 2  # one literal less does not pay for a definition
        return [s for s in suggestions.ranked() if s.worth >= least]

    def _with(
        self, suggestion: Suggestion, choices: Choices, latents: Sequence[Definition]
    ) -> tuple[dict[str, Choice], list[Definition]] | None:
        """Return what a latent predicate would change: new choices, and all latent predicates in use."""
        definition = self._named(suggestion, latents)
        sizes = [self._database.sizes[kind] for kind in self._types(definition)]
        if not packable(sizes):
            return None
        try:
            relation = relation_of(definition, self._database, self._relations, self._effort)
        except JoinTooLargeError:
            return None
        self._latent[definition.name] = relation
        every = [*latents, definition]
        goal = self._goal(every)
        changed = dict(choices)
        room = _MOST_USES
        for name, uses in suggestion.uses.items():
            if room <= 0:
                break
            room -= len(uses)
            rules = [_renamed(rule, definition.name) for rule in uses]
            changed[name] = self._chosen(goal, choices[name], rules)
        used = frozenset[str]().union(*(choice.needs for choice in changed.values()))
        return changed, [latent for latent in every if latent.name in used]

    def _everywhere(
        self, choices: dict[str, Choice], latents: list[Definition]
    ) -> tuple[dict[str, Choice], list[Definition]]:
        """Offer the latest of the latent predicates to all that come after its parts: it, and it twice."""
        if not latents:
            return choices, latents
        latest = latents[-1]
        kinds = self._types(latest)
        goal = self._goal(latents)
        known = self._known
        for name, choice in list(choices.items()):
            if latest.needs <= known and choice.closure is None:
                uses = [rule for types, rule in _alone(latest.name, kinds) if types == choice.space.types]
                choices[name] = self._chosen(goal, choice, uses)
            known |= {name}
        return choices, latents

    def _named(self, suggestion: Suggestion, latents: Sequence[Definition]) -> Definition:
        taken = {*self._relations, *(latent.name for latent in latents)}
        clauses = tuple(Definition("latent", suggestion.rules).clauses())
        return Definition(latent_names([clauses], taken)[0], suggestion.rules)

    def _chosen(self, goal: Goal, choice: Choice, further: Sequence[Rule]) -> Choice:
        """Return the better of a choice and the best list with further rules."""
        rules = [rule for layer in choice.layers for rule in layer.rules] + list(further)
        names = frozenset[str]().union(*(rule.predicates for rule in rules))
        every = self._relations | self._latent
        tables = RuleTables(self._database, {name: every[name] for name in names})
        return chosen_again(goal, choice, further, tables, self._effort)


def _alone(name: str, types: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], Rule]]:
    """Iterate over rules of one predicate: it, and chains of it twice, with the types of their heads."""
    if len(types) != 2:
        yield types, Rule(tuple(range(len(types))), (Literal(name, tuple(range(len(types)))),))
        return
    for first in ((0, 1), (1, 0)):
        head = tuple(types[place] for place in first)
        yield head, Rule((0, 1), (Literal(name, first),))
        for second in ((0, 1), (1, 0)):
            if types[1 - first[0]] == types[second[0]]:
                ends = types[first[0]], types[1 - second[0]]
                body = (_placed(name, first, (0, 2)), _placed(name, second, (2, 1)))
                yield ends, Rule((0, 1), body)


def _placed(name: str, columns: tuple[int, ...], arguments: tuple[int, int]) -> Literal:
    """Return a literal with arguments in some order of columns."""
    by_column = dict(zip(columns, arguments, strict=True))
    return Literal(name, (by_column[0], by_column[1]))


def _renamed(rule: Rule, name: str) -> Rule:
    body = tuple(Literal(name, item.arguments) if item.predicate == LATENT else item for item in rule.body)
    return Rule(rule.head, body)
