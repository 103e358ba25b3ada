"""Judges one clause after the other beside a message about data."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from difflib import get_close_matches
from math import log2
from typing import Any

import numpy as np

from logicoder.autoencoder.closed_proposals import Closures, closing_of, seeded
from logicoder.autoencoder.verdict import Verdict
from logicoder.base.effort import Effort
from logicoder.base.errors import UsageError
from logicoder.base.sorted_keys import distinct, in_sorted
from logicoder.compression.code import set_bits
from logicoder.compression.goals import Bits, table_cost
from logicoder.compression.measured_plan import measured
from logicoder.compression.message import Message
from logicoder.compression.rule_lists import RuleLists
from logicoder.compression.ways import choice_cost
from logicoder.engine.arrays.join import JoinTooLargeError
from logicoder.engine.arrays.relation import Keys, Relation, unpack
from logicoder.engine.arrays.rules.rule_classes import classes_of_atoms
from logicoder.engine.arrays.rules.rule_tables import RuleTables
from logicoder.engine.arrays.rules.spaces import Space, SpacesOf, sorted_keys
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.logic.rules import Rule, rule_of
from logicoder.logic.subsumption import subsumes
from logicoder.logic.terms import Clause

EXAMPLES = 3
"""Exceptions of a clause of which so many are shown."""

_NOTHING = np.empty(0, np.int64)
_NO_CLOSURE = (
    "of clauses that read their own predicate, only symmetry, transitivity and steps along another relation"
)


class Auditor:
    """Judges clauses beside a message.

    Args:
        message: the plan and the data.
    """

    def __init__(self, message: Message) -> None:
        self.message = message
        self._database = message.database
        self._known = self.message.known
        self._tables = RuleTables(self._database, self._known)
        self._goal = Bits(self.message.code)
        found = measured(self.message, self._goal)
        if found is None:
            raise UsageError("clauses or closures of this model derive too much on this data")
        self._choices = found[0]
        self._effort = Effort.of(self._database.kb.size, len(self._database.symbols))
        self._closures = Closures(self._tables, self._goal, self._effort)
        self._needs = {step.predicate: set(step.needs) for step in self.message.plan}
        self._needs |= {latent.name: set(latent.needs) for latent in self.message.plan.latents}

    def verdict(self, line: int, clause: Clause) -> Verdict:
        """Return what a clause is worth."""
        found = Verdict(line, str(clause))
        problem = self._problem(clause)
        if problem:
            return replace(found, problem=problem)
        name = clause.head.predicate
        rule = rule_of(clause)
        types = self._known[name].types
        try:
            keys = self._tables.atoms(types, rule, self._effort)
        except JoinTooLargeError as error:
            return replace(found, problem=f"it derives too much to be counted: {error}")
        facts = sorted_keys(self._known[name], [self._database.sizes[kind] for kind in types])
        wrong = keys[~in_sorted(keys, facts)]
        found = replace(
            found,
            derived=len(keys),
            true=len(keys) - len(wrong),
            facts=len(facts),
            bits=self._code(rule).clause(name, rule),
            implied=self._implied(name, clause, rule, keys),
            exceptions=tuple(self._texts(name, wrong)),
        )
        if name in rule.predicates:
            return self._closure(found, name, rule)
        return self._listed(found, name, rule, keys)

    # -- what is wrong with it ------------------------------------------------------------------------

    def _problem(self, clause: Clause) -> str:  # noqa: PLR0911  (a list of cases)
        """Return why a clause cannot be judged, or nothing."""
        (body,) = clause.alternatives
        schema = self._database.kb.schema
        name = clause.head.predicate
        atoms = [clause.head, *(item.atom for item in body if not item.inequality)]
        for atom in atoms:
            arity = self._arity(atom.predicate)
            if arity is None:
                close = get_close_matches(atom.predicate, list(schema), 1)
                hint = f"; did you mean {close[0]}?" if close else ""
                return f"the data has no predicate {atom.predicate}{hint}"
            if arity != atom.arity:
                return f"{atom.predicate} has {arity} arguments in the data, not {atom.arity}"
        if any(item.orders for item in body):
            return "comparisons of two values are not evaluated: compare with a cut, such as price(Y) >= 50"
        if name not in self._choices:
            return f"{name} is background, or has no facts to describe"
        if not any(item.binds for item in body):
            return "its body has no literal that binds a variable"
        if not clause.head.variables():
            return "its head has no variable"
        bound = {v for item in body if item.binds for v in item.atom.variables()}
        unbound = [v for v in clause.head.variables() if v not in bound]
        if unbound:
            return f"{unbound[0]} of its head does not occur in its body"
        kinds: dict[Any, int] = {}
        for atom in atoms:
            for place, term in enumerate(atom.arguments):
                kind = self._known[atom.predicate].types[place]
                if kinds.setdefault(term, kind) != kind and term in bound:
                    return f"{term} would be of two types"
        if not self._choices[name].space.packed:
            return f"{name} has too many possible atoms"
        return ""

    def _arity(self, name: str) -> int | None:
        if name in self._database.kb.schema:
            return self._database.kb.schema[name].arity
        return self._known[name].arity if name in self._known else None

    def _implied(self, name: str, clause: Clause, rule: Rule, keys: Keys) -> str:
        """Return what of the program says the same, if anything does."""
        choice = self._choices[name]
        if name in rule.predicates:
            closing = closing_of(rule, name, choice.space.types)
            if closing is None or closing.rules:
                known = [r for layer in choice.layers for r in layer.rules if closing and r in closing.rules]
                return str(known[0].clause(name)) if known else ""
            said = choice.form in (closing.name, "equivalence")
            form = "an equivalence" if choice.form == "equivalence" else choice.form
            return f"the program says that {name} is {form}" if said else ""
        own = [r for layer in choice.layers for r in layer.rules]
        for other in own:
            general = other.clause(name)
            if subsumes(general, clause):
                return str(general)
        atoms = [self._tables.atoms(choice.space.types, other, self._effort) for other in own]
        covered = distinct(np.concatenate([_NOTHING, *atoms]))
        all_known = bool(len(keys)) and bool(in_sorted(keys, covered).all())
        return "on these data, by all clauses together" if all_known else ""

    # -- what it is worth -----------------------------------------------------------------------------

    def _code(self, rule: Rule) -> Bits:
        code = self.message.code
        return Bits(replace(code, tests=True)) if rule.tested and not code.tests else self._goal

    def _listed(self, found: Verdict, name: str, rule: Rule, keys: Keys) -> Verdict:
        choice, goal = self._choices[name], self._code(rule)
        spaces = [space for space in self._spaces(name) if not space.symmetric]
        least = min(table_cost(goal, space) for space in spaces)
        alone = least - min(_lists(goal, space, [rule], [keys])[1] for space in spaces)
        found = replace(found, alone=alone)
        own = [r for layer in choice.layers for r in layer.rules]
        if rule in own:
            return replace(found, beside=0.0, bound=0.0, program=_texts_of(name, own))
        closed = self._seeded(name, rule, own)
        own = [] if choice.closure is not None else own
        given_up = self._given_up(name, rule)
        if given_up is None:
            return replace(found, note=f"a predicate of its body is described by means of {name}")
        lost, dropped = given_up
        atoms = [self._tables.atoms(choice.space.types, other, self._effort) for other in own]
        cost, bound, best = _with_last(goal, choice.space, [*own, rule], [*atoms, keys])
        # Where it brings the first test, the word for it makes all other clauses longer.
        dearer = sum(
            goal.clause(step.predicate, other) - self._goal.clause(step.predicate, other)
            for step in self.message.plan
            if step.predicate != name
            for layer in step.layers
            for other in layer
        )
        now = choice_cost(self._goal, choice)
        every = [r for layer in choice.layers for r in layer.rules]
        taken = [[*own, rule][i] for i in best]
        if closed is not None and closed[0] < cost:
            cost, taken = closed
            bound = min(bound, cost)
        dropped += _texts_of(name, [other for other in every if other not in taken])
        program = _texts_of(name, taken)
        note = f"without {' '.join(dropped)}" if dropped else ""
        lost += dearer
        return replace(found, beside=now - cost - lost, bound=now - bound - lost, program=program, note=note)

    def _closure(self, found: Verdict, name: str, rule: Rule) -> Verdict:
        """Judge a clause that reads its own predicate: as a closure, where it is one."""
        closing = closing_of(rule, name, self._known[name].types)
        if closing is None:
            return replace(found, note=_NO_CLOSURE)
        given_up = self._given_up(name, rule)
        if given_up is None:
            return replace(found, note=f"a predicate of its body is described by means of {name}")
        lost, dropped = given_up
        spaces, choice = self._spaces(name), self._choices[name]
        least = min(table_cost(self._goal, space) for space in spaces if not space.symmetric)
        alone = [cost for space in spaces for cost in self._closures.costs(space, closing)]
        if not alone:
            return replace(found, note="its closure is too large")
        found = replace(found, alone=least - min(alone))
        own = [r for layer in choice.layers for r in layer.rules]
        if found.implied:
            return replace(found, beside=0.0, bound=0.0, program=_texts_of(name, own))
        seeds = [r for r in own if name not in r.predicates]
        # Domains within which others are named have to be told.
        used = {d.within[1] for s in self.message.plan for d in s.domains if d.within and d.within[0] == name}
        fitting = [choice.space, *(space for space in spaces if used <= _places(space))]
        now = choice_cost(self._goal, choice) - self._named(choice.space)
        ways = [
            (cost - self._named(space), kept)
            for space in fitting
            for kept in ([], seeds)
            for cost in self._closures.costs(space, closing, kept)
        ]
        if not ways:
            return replace(found, note="others are named within its domains")
        cost, kept = min(ways, key=lambda way: way[0])
        dropped += _texts_of(name, [r for r in seeds if r not in kept])
        return replace(
            found,
            beside=now - cost - lost,
            bound=max(now - cost, 0.0) - lost,
            program=(*_texts_of(name, [r for r in kept if r != rule]), found.clause),
            note=f"without {' '.join(dropped)}" if dropped else "",
        )

    def _seeded(self, name: str, rule: Rule, own: Sequence[Rule]) -> tuple[float, list[Rule]] | None:
        """Return what a closed predicate costs with a rule as a seed, and its rules; None if it is not."""
        step = next(step for step in self.message.plan if step.predicate == name)
        closing = seeded(step)
        if self._choices[name].closure is None or closing is None:
            return None
        ways = [
            (cost, [*kept, rule, *closing.rules])
            for kept in ([], [r for r in own if name not in r.predicates])
            for cost in self._closures.costs(self._choices[name].space, closing, [*kept, rule])
        ]
        return min(ways, key=lambda way: way[0]) if ways else None

    def _named(self, space: Space) -> float:
        """Return the bits saved by domains of a space that the plan names within those of others."""
        step = next(step for step in self.message.plan if step.predicate == space.predicate)
        places = log2(max(1, sum(own.arity for own in self._database.kb.schema.values())))
        saved = 0.0
        for domain in step.domains:
            if domain.within is not None and {*step.places_of(domain)} <= _places(space):
                other, column = domain.within
                size, values = space.sizes[domain.place], space.values[domain.place]
                wider = len(distinct(self._known[other].columns[column]))
                saved += float(set_bits(size, values)) - float(set_bits(wider, values)) - places
        return saved

    def _spaces(self, name: str) -> list[Space]:
        return SpacesOf(self._database, name, self._known[name]).every()

    def _given_up(self, name: str, rule: Rule) -> tuple[float, list[str]] | None:
        """Return what is lost, and which clauses, so that the body of a rule does not rest on its head.

        None where it does so by a domain or by the seed of a closure.
        """
        above = {one for one in self._needs if name in self._reached(self._needs[one])}
        circle = above & self._reached(rule.predicates)
        lost, dropped = 0.0, list[str]()
        for step in self.message.plan:
            if step.predicate not in circle:
                continue
            choice = self._choices[step.predicate]
            told = {domain.within[0] for domain in step.domains if domain.within is not None}
            own = [r for layer in choice.layers for r in layer.rules]
            kept = [r for r in own if not r.predicates & {name, *circle}]
            if told & {name, *circle} or (choice.closure is not None and len(kept) < len(own)):
                return None
            atoms = [self._tables.atoms(choice.space.types, other, self._effort) for other in kept]
            before = choice_cost(self._goal, choice)
            lost += _lists(self._goal, choice.space, kept, atoms)[1] - before
            dropped += _texts_of(step.predicate, [r for r in own if r not in kept])
        return lost, dropped

    def _reached(self, names: Collection[str]) -> set[str]:
        """Return some predicates and all that they rest on."""
        seen, waiting = set(names), list(names)
        while waiting:
            needed = self._needs.get(waiting.pop(), set())
            waiting += needed - seen
            seen |= needed
        return seen

    def _texts(self, name: str, keys: Keys) -> list[str]:
        types = self._known[name].types
        few = unpack(keys[:EXAMPLES], [self._database.sizes[kind] for kind in types])
        kb = self._database.kb
        table = self._database.decode(Relation(types, few), kb.schema[name].arity)
        part = KnowledgeBase(
            kb.schema.restricted([name]), self._database.symbols, kb.interpretations, {"true": {name: table}}
        )
        return list(map(str, part))


def _texts_of(name: str, rules: Sequence[Rule]) -> tuple[str, ...]:
    return tuple(str(rule.clause(name)) for rule in rules)


def _places(space: Space) -> set[int]:
    return {0, 1} if space.symmetric and space.places else set(space.places)


def _lists(
    goal: Bits, space: Space, rules: Sequence[Rule], atoms: Sequence[Keys]
) -> tuple[RuleLists | None, float]:
    """Return lists of rules for a predicate, and what all of them in their order cost."""
    if not rules:
        return None, table_cost(goal, space)
    lengths = np.array([goal.clause(space.predicate, rule) for rule in rules])
    within = [space.within(keys) for keys in atoms]
    lists = RuleLists(goal, space, lengths, classes_of_atoms(space, within))
    return lists, table_cost(goal, space) - lists.measured(range(len(rules))).total


def _with_last(
    goal: Bits, space: Space, rules: Sequence[Rule], atoms: Sequence[Keys]
) -> tuple[float, float, list[int]]:
    """Return the least cost of a predicate with the last of some rules, a bound, and which it takes."""
    lists, _ = _lists(goal, space, rules, atoms)
    if lists is None:
        raise ValueError("there is no rule")
    plain, new = table_cost(goal, space), len(rules) - 1
    others = list(range(new))
    best = max(
        (lists.measured([*others[:place], new, *others[place:]]) for place in range(new + 1)),
        key=lambda listed: listed.total,
    )
    for other in reversed(others):
        shorter = lists.measured([rule for rule in best.rules if rule != other])
        if shorter.total > best.total:
            best = shorter
    most = max(best.total, lists.most_saved(np.arange(len(rules))))
    return plain - best.total, plain - most, list(best.rules)
