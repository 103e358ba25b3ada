"""The ways to say each predicate: lists of candidate rules, and closures where they pay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from logicoder.base.effort import Effort
from logicoder.base.sorted_keys import in_sorted, union
from logicoder.compression.candidate_rules import Candidate, CandidateRules, varied
from logicoder.compression.goals import Goal, table_cost
from logicoder.compression.head_spaces import HeadSpaces
from logicoder.compression.ways import ClosedBase, RuleList, Way
from logicoder.engine.arrays.join import JoinTooLargeError
from logicoder.engine.arrays.relation import Keys
from logicoder.engine.arrays.rules.closed_forms import FORMS, Form, closure_of
from logicoder.engine.arrays.rules.recursive_forms import promising, recursive_form
from logicoder.engine.arrays.rules.rule_classes import classes_of_atoms
from logicoder.engine.arrays.rules.rule_tables import RuleTables
from logicoder.engine.arrays.rules.spaces import Space
from logicoder.logic.rules import Rule

_SEEDS = 3
"""Rules that are tried as seeds of a closure."""

_MOST_SEEDS = 12
"""Rules of which those are chosen that are seeds together."""

_FEWEST = 8
"""Facts of a relation that is said to go on along another one."""

_LEAST_ATOMS = 500_000
_ATOMS_PER_FACT = 50
"""Atoms that the rules kept for a head may derive together: so many, and for each fact so many more."""

_CLASS_BYTES = 16
"""What an atom takes that a rule derives, in lists of coverage classes."""

_CLOSURE_SHARE = 0.02
"""The part of the work that one closure may take."""

_NOTHING = np.empty(0, np.int64)


class WaySearch:
    """Makes ways to say predicates of their candidate rules.

    Args:
        tables: the relations that rules may use.
        heads: the spaces.
        goal: what ways cost.
        effort: what it may cost.
    """

    def __init__(self, tables: RuleTables, heads: HeadSpaces, goal: Goal, effort: Effort) -> None:
        self._heads, self._goal, self._effort, self._tables = heads, goal, effort, tables
        self._atoms = _Atoms(tables, effort)
        self._lists = [_list_of(goal, space, effort) for space in heads.tried]
        self._closed: list[str] = []
        self._closures: dict[int, list[Way]] = {}
        self._numbers: dict[str, list[int]] = {}
        for number, space in enumerate(heads.tried):
            self._numbers.setdefault(space.predicate, []).append(number)
        self._room = effort.room(0.25, _CLASS_BYTES) // max(1, len(heads.tried))

    def ways(self, predicates: Iterable[str]) -> dict[str, list[Way]]:
        """Return the ways to say some predicates, as they are now."""
        return {
            name: [
                way
                for number in self._numbers[name]
                for way in (self._lists[number], *self._closures.get(number, ()))
            ]
            for name in predicates
        }

    def update(self, candidates: CandidateRules) -> dict[str, list[Way]]:
        """Make new lists where there are new candidates; return the ways of the predicates concerned."""
        changed = sorted(candidates.changed)
        for number in changed:
            self._lists[number] = self._list(number, candidates) or self._lists[number]
            candidates.changed.discard(number)
        names = dict.fromkeys(self._heads.tried[number].predicate for number in changed)
        names |= dict.fromkeys(self._closed)
        self._closed.clear()
        return self.ways(names)

    def further(self, candidates: CandidateRules) -> dict[str, list[Way]]:
        """Return ways beside those there are: lists with new candidates, and closures of several rules."""
        found: dict[str, list[Way]] = {}
        for number in sorted(candidates.changed):
            own = self._list(number, candidates)
            if own is not None:
                found.setdefault(own.space.predicate, []).append(own)
        candidates.changed.clear()
        for number, space in enumerate(self._heads.tried):
            joint = list(self._joint(number, candidates.ranked(number)))
            if joint:
                self._closures[number] = [*self._closures[number], *joint]
                found.setdefault(space.predicate, []).extend(joint)
        return found

    def close(self, candidates: CandidateRules) -> Iterator[None]:
        """Look for closures, of rules too; this pauses often."""
        for number, space in enumerate(self._heads.tried):
            self._closures[number] = list(self._closures_of(number, candidates.ranked(number)))
            if self._closures[number]:
                self._closed.append(space.predicate)
            yield

    def go_on(self, candidates: CandidateRules) -> Iterator[None]:
        """Look for relations that go on along others; the best way to look at each is enough."""
        spaces = [
            space
            for space in self._heads.tables.values()
            if len(space.types) == 2 and not space.symmetric and space.facts >= _FEWEST
        ]
        for place, along in promising(self._tables, spaces, self._effort):
            space = spaces[place]
            number = next(n for n in self._numbers[space.predicate] if self._heads.tried[n] is space)
            rule = along.rule(space.predicate, self._tables.relation(along.predicate).arity)
            form = recursive_form(along, self._tables)
            kind = "apart" if space.apart else "plain"
            for seed in self._seeds(candidates.ranked(number)):
                way = self._closure(space, [] if seed is None else [seed], form, kind, (rule,))
                if way is not None:
                    self._closures.setdefault(number, []).append(way)
                    self._closed.append(space.predicate)
            yield

    def take_over(self, others: WaySearch) -> None:
        """Take over the closures that were found."""
        self._closures = dict(others._closures)

    def _list(self, number: int, candidates: CandidateRules) -> RuleList | None:
        """Return the list of the candidates of a space; None if there is no other than before."""
        space = self._heads.tried[number]
        room = min(self._room, _LEAST_ATOMS + _ATOMS_PER_FACT * space.facts)
        kept = varied(candidates.ranked(number), room)
        if [candidate.rule for candidate in kept] == list(self._lists[number].rules):
            return None
        usable: list[Candidate] = []
        atoms: list[Keys] = []
        for candidate in kept:
            keys = self._atoms.of(space.types, candidate.rule)
            if keys is not None:
                usable.append(candidate)
                atoms.append(space.within(keys))
        self._effort.count(sum(map(len, atoms)))
        return _list_of(self._goal, space, self._effort, usable, atoms)

    def _closures_of(self, number: int, candidates: Sequence[Candidate]) -> Iterator[Way]:
        """Iterate over the closures of one relation that pay."""
        space = self._heads.tried[number]
        if len(space.types) != 2 or space.types[0] != space.types[1] or space.facts < 3:
            return
        if not space.symmetric:
            # Of several ways to look at a relation, its diagonal is told apart in one.
            if self._numbers[space.predicate][0] != number:
                return
            space = self._heads.best_apart(space.predicate)
        for seed in self._seeds(candidates):
            way = self._closure(space, [] if seed is None else [seed])
            if way is not None:
                yield way

    def _seeds(self, candidates: Sequence[Candidate]) -> list[Candidate | None]:
        """Return rules that a closure may start from, and none."""
        return [None, *_single(candidates)[:_SEEDS]]

    def _joint(self, number: int, candidates: Sequence[Candidate]) -> Iterator[ClosedBase]:
        """Iterate over closures of several rules: of those that derive most of the base, all that help."""
        plain = [way for way in self._closures.get(number, ()) if isinstance(way, ClosedBase)]
        plain = [way for way in plain if way.form in FORMS and not way.rules]
        seeds = _single(candidates)[:_MOST_SEEDS]
        if not plain or len(seeds) < 2:
            return
        space, form = plain[0].space, FORMS[plain[0].form]
        try:
            base = form.base(space, _NOTHING, self._effort)
        except JoinTooLargeError:
            return
        found = [self._atoms.of(space.types, seed.rule) for seed in seeds]
        told = [0 if atoms is None else int(in_sorted(space.within(atoms), base).sum()) for atoms in found]
        best, together = plain[0].cost, list[Candidate]()
        for place in np.argsort(-np.array(told), kind="stable")[:_SEEDS].tolist():
            way = self._closure(space, [*together, seeds[place]]) if told[place] else None
            if way is not None and way.cost < best:
                best, together = way.cost, [*together, seeds[place]]
                yield way

    def _closure(
        self,
        space: Space,
        seeds: Sequence[Candidate],
        form: Form | None = None,
        name: str = "",
        rules: tuple[Rule, ...] = (),
    ) -> ClosedBase | None:
        """Return the closure of seeds and a base, of a form or that of its space, if it pays."""
        name = name or ("equivalence" if space.symmetric else "transitive")
        form = form or FORMS[name]
        atoms = _NOTHING
        for seed in seeds:
            found = self._atoms.of(space.types, seed.rule)
            if found is None:
                return None
            atoms = union(atoms, space.within(found))
        with self._effort.down_to(self._effort.after(_CLOSURE_SHARE)):
            closure = closure_of(space, form, atoms, self._effort)
        # With more false atoms a closure would be no more than a hidden domain.
        if closure is None or not closure.base + closure.given or 2 * closure.false >= closure.derived:
            return None
        own = (seed.rule for seed in seeds)
        way = ClosedBase(self._goal, space, name, closure, (*own, *rules))
        return way if way.cost < table_cost(self._goal, space) else None


def _single(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the rules of one literal that are mostly right."""
    return [
        candidate
        for candidate in candidates
        if len(candidate.rule.body) == 1 and 2 * candidate.counted.true >= candidate.counted.derived
    ]


def _list_of(
    goal: Goal,
    space: Space,
    effort: Effort,
    candidates: Sequence[Candidate] = (),
    atoms: Sequence[Keys] = (),
) -> RuleList:
    lengths = np.array([candidate.length for candidate in candidates])
    classes = classes_of_atoms(space, atoms) if candidates else None
    rules = [candidate.rule for candidate in candidates]
    return RuleList(goal, space, rules, lengths, classes, effort.check, effort.affords_solver)


class _Atoms:
    """What rules derive; those that were evaluated last are remembered."""

    def __init__(self, tables: RuleTables, effort: Effort) -> None:
        self._tables, self._effort = tables, effort
        self._room = effort.room(0.1, 8)
        self._kept: dict[tuple[tuple[int, ...], Rule], Keys | None] = {}

    def of(self, types: tuple[int, ...], rule: Rule) -> Keys | None:
        """Return the atoms of a rule; None where that takes too much."""
        key = types, rule
        if key in self._kept:
            self._kept[key] = self._kept.pop(key)
            return self._kept[key]
        try:
            found: Keys | None = self._tables.atoms(types, rule, self._effort)
        except JoinTooLargeError:
            found = None
        self._room -= 100 + (0 if found is None else len(found))
        self._kept[key] = found
        while self._room < 0:
            oldest = self._kept.pop(next(iter(self._kept)))
            self._room += 100 + (0 if oldest is None else len(oldest))
        return found
