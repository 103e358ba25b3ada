"""The ways to say each predicate: lists of candidate rules, and closures where they pay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from logicoder.compression.candidate_rules import Candidate, room_for, varied
from logicoder.compression.goals import Goal, table_cost
from logicoder.compression.head_spaces import HeadSpaces
from logicoder.compression.ways import ClosedBase, RuleList, Way
from logicoder.engine.arrays.relation import Keys
from logicoder.engine.arrays.rules.closed_forms import FORMS, closure_of
from logicoder.engine.arrays.rules.counted import Effort
from logicoder.engine.arrays.rules.rule_classes import classes_of_atoms
from logicoder.engine.arrays.rules.rule_tables import RuleTables
from logicoder.engine.arrays.rules.spaces import Space
from logicoder.logic.rules import Rule

_SEEDS = 3
"""Rules that are tried as seeds of a closure."""

_NOTHING = np.empty(0, np.int64)


class WaySearch:
    """Makes ways to say predicates of their candidate rules.

    Args:
        tables: the relations that rules may use.
        heads: the spaces.
        goal: what ways cost.
        effort: whether to end now: then the ways left are those without rules.
    """

    def __init__(self, tables: RuleTables, heads: HeadSpaces, goal: Goal, effort: Effort) -> None:
        self._tables, self._heads, self._goal, self._effort = tables, heads, goal, effort

    def ways(self, ranked: Sequence[Sequence[Candidate]]) -> dict[str, list[Way]]:
        """Return the ways to say each predicate, given the candidates of each space."""
        found: dict[str, list[Way]] = {}
        spaces = self._heads.tried
        kept = [varied(own, room_for(space)) for space, own in zip(spaces, ranked, strict=True)]
        atoms = self._atoms(kept)
        for space, own, candidates, derived in zip(spaces, ranked, kept, atoms, strict=True):
            # Where it was stopped, some rules were not evaluated.
            usable = [(c, keys) for c, keys in zip(candidates, derived, strict=True) if keys is not None]
            classes = classes_of_atoms(space, [keys for _, keys in usable]) if usable else None
            rules = [candidate.rule for candidate, _ in usable]
            lengths = np.array([candidate.length for candidate, _ in usable])
            ways = found.setdefault(space.predicate, [])
            ways.append(RuleList(self._goal, space, rules, lengths, classes, self._effort.stopped))
            ways += self._closures(space, own)
        return found

    def _atoms(self, kept: Sequence[Sequence[Candidate]]) -> list[list[Keys | None]]:
        """Return what rules derive in their spaces; a rule of several heads is evaluated once."""
        spaces = self._heads.tried
        users: dict[tuple[tuple[int, ...], Rule], list[tuple[int, int]]] = {}
        for number, own in enumerate(kept):
            for place, candidate in enumerate(own):
                users.setdefault((spaces[number].types, candidate.rule), []).append((number, place))
        found: list[list[Keys | None]] = [[None] * len(own) for own in kept]
        for (types, rule), places in users.items():
            if self._effort.stopped():
                break
            keys = self._tables.atoms(types, rule)
            for number, place in places:
                found[number][place] = spaces[number].within(keys)
        return found

    def _closures(self, space: Space, candidates: Sequence[Candidate]) -> Iterator[Way]:
        """Iterate over the closures of one relation that pay."""
        if len(space.types) != 2 or space.types[0] != space.types[1] or space.facts < 3:
            return
        form = "equivalence" if space.symmetric else "transitive"
        if not space.apart:
            space = self._heads.best_apart(space.predicate)
        seeds: list[Rule | None] = [None]
        for candidate in candidates:
            counted = candidate.counted
            if len(candidate.rule.body) == 1 and 2 * counted.true >= counted.derived and len(seeds) <= _SEEDS:
                seeds.append(candidate.rule)
        for rule in seeds:
            if self._effort.stopped():
                return
            atoms = _NOTHING if rule is None else space.within(self._tables.atoms(space.types, rule))
            closure = closure_of(space, FORMS[form], atoms)
            # With more false atoms a closure would be no more than a hidden domain.
            if closure is not None and closure.base + closure.given and 2 * closure.false < closure.derived:
                way = ClosedBase(self._goal, space, form, closure, rule)
                if way.cost < table_cost(self._goal, space):
                    yield way
