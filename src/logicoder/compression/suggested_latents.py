"""Latent predicates that rules suggest: unions of predicates in the same place, joins that occur often."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations

from logicoder.engine.arrays.relation import Relation
from logicoder.logic.rules import Literal, Rule, renumbered

_MOST_PARTS = 6
"""Predicates of one union."""

_MOST_PLACES = 3
"""Arguments of a join."""

LATENT = ""
"""Stands for the latent predicate in rules that would use it; it has a name when it is used."""

Filler = tuple[str, bool]
"""A predicate, and whether its two arguments are turned round."""


@dataclass
class Suggestion:
    """A latent predicate that some rules could use.

    Attributes:
        rules: its definition.
        uses: for each head, rules that use it, by the name `LATENT`.
        worth: literals that it may save.
    """

    rules: tuple[Rule, ...]
    uses: dict[str, list[Rule]] = field(default_factory=dict)
    worth: int = 0

    def add(self, head: str, rules: Sequence[Rule], worth: int) -> None:
        """Note rules of a head."""
        own = self.uses.setdefault(head, [])
        own += [rule for rule in rules if rule not in own]
        self.worth += worth


class Suggestions:
    """Collects latent predicates.

    Args:
        relations: the facts of each predicate.
    """

    def __init__(self, relations: Mapping[str, Relation]) -> None:
        self._relations = relations
        self._found: dict[tuple[Rule, ...], Suggestion] = {}

    def ranked(self) -> list[Suggestion]:
        """Return all suggestions, those that may save most literals first."""
        return sorted(self._found.values(), key=lambda found: (-found.worth, found.rules))

    def _note(self, definition: tuple[Rule, ...], head: str, rules: Sequence[Rule], worth: int) -> None:
        self._found.setdefault(definition, Suggestion(definition)).add(head, rules, worth)

    # -- unions -------------------------------------------------------------------------------------------

    def unions(self, head: str, rules: Sequence[Rule]) -> None:
        """Rules of a head that differ in one predicate suggest its union with the other."""
        groups: dict[tuple[tuple[int | str, ...], tuple[Literal, ...], int], dict[Filler, None]] = {}
        for rule in rules:
            for place, item in enumerate(rule.body):
                filler, hole = _hole(item)
                body = (*rule.body[:place], hole, *rule.body[place + 1 :])
                groups.setdefault((rule.head, body, place), {})[filler] = None
        for (arguments, body, place), found in groups.items():
            fillers = sorted(found)
            some: list[tuple[Filler, ...]] = (
                list(combinations(fillers, 2)) if len(fillers) <= _MOST_PARTS else []
            )
            if 2 < len(fillers) <= _MOST_PARTS:
                some.append(tuple(fillers))
            for parts in some:
                if len({self._types(filler) for filler in parts}) == 1:
                    uses = list(_filled(Rule(arguments, body), place, parts))
                    self._note(
                        _union(parts, len(body[place].arguments)), head, uses, (len(parts) - 1) * len(body)
                    )

    def _types(self, filler: Filler) -> tuple[int, ...]:
        types = self._relations[filler[0]].types
        return types[::-1] if filler[1] else types

    # -- joins --------------------------------------------------------------------------------------------

    def joins(self, head: str, rules: Sequence[Rule]) -> None:
        """Two literals that share a variable of their own may be one."""
        for rule in rules:
            for first, second in combinations(range(len(rule.body)), 2):
                found = _join(rule, first, second)
                if found is not None:
                    definition, use = found
                    self._note((definition,), head, [use], 1)


def _hole(item: Literal) -> tuple[Filler, Literal]:
    """Return predicate and orientation of a literal, and what is left: a literal without a predicate."""
    turned = len(item.arguments) == 2 and repr(item.arguments[0]) > repr(item.arguments[1])
    return (item.predicate, turned), Literal(LATENT, item.arguments[::-1] if turned else item.arguments)


def _union(parts: Sequence[Filler], arity: int) -> tuple[Rule, ...]:
    head = tuple(range(arity))
    turned = parts[0][1]
    return tuple(Rule(head, (Literal(name, head[::-1] if turn != turned else head),)) for name, turn in parts)


def _filled(rule: Rule, place: int, parts: Sequence[Filler]) -> Iterator[Rule]:
    """Iterate over rules with the union in one place, and in all places that hold one of its parts."""
    body = list(rule.body)
    if parts[0][1]:
        body[place] = Literal(LATENT, body[place].arguments[::-1])
    yield Rule(rule.head, tuple(body))
    every = list(body)
    for other, item in enumerate(body):
        filler, hole = _hole(item)
        if other != place and filler in parts:
            every[other] = Literal(LATENT, hole.arguments[::-1]) if parts[0][1] else hole
    if every != body:
        yield Rule(rule.head, tuple(every))


def _join(rule: Rule, first: int, second: int) -> tuple[Rule, Rule] | None:
    """Return the definition of two literals as one, and the rule that uses it."""
    pair = rule.body[first], rule.body[second]
    rest = [item for place, item in enumerate(rule.body) if place not in (first, second)]
    outside = {*rule.head, *(a for item in rest for a in item.arguments)}
    own = [{a for a in item.arguments if not isinstance(a, str)} for item in pair]
    both = dict.fromkeys((*pair[0].arguments, *pair[1].arguments))
    outer = [a for a in both if not isinstance(a, str) and a in outside]
    if not (own[0] & own[1]) - outside or not 1 <= len(outer) <= _MOST_PLACES:
        return None
    options = []
    for order in permutations(outer):
        numbers = {variable: number for number, variable in enumerate(order)}
        for items in (pair, pair[::-1]):
            body = [
                Literal(i.predicate, tuple(_number(a, numbers, len(order)) for a in i.arguments))
                for i in items
            ]
            options.append((Rule(tuple(range(len(order))), renumbered(body, len(order))), order))
    definition, order = min(options, key=lambda option: option[0])
    body = [Literal(LATENT, order) if p == first else i for p, i in enumerate(rule.body) if p != second]
    used = [a for a in rule.head if not isinstance(a, str)]
    return definition, Rule(rule.head, renumbered(body, len(used)))


def _number(argument: int | str, numbers: Mapping[int, int], shift: int) -> int | str:
    if isinstance(argument, str):
        return argument
    return numbers.get(argument, argument + shift)
