"""The shortest message about data that stay where they are: rules of a sample, judged on all of it.

A sample, in memory, shows which rules there are (`engine.sql.sample` says why that can be trusted), and
counts of short candidates show some that it cannot show (`compression.stored_proposals`). Which of them a
message uses, in which order predicates are said, and how many bits all of it takes, is decided by the
coverage classes of the rules in all of the data: these are counts, few for a thousand facts and few for a
billion.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from math import log2
from typing import TYPE_CHECKING

import numpy as np

from logicoder.compression.best_ways import Options
from logicoder.compression.code import ClauseCode, set_bits
from logicoder.compression.compressed import Compressed
from logicoder.compression.definitions import types_with
from logicoder.compression.domains import Domains, Taken
from logicoder.compression.goals import Bits, table_cost
from logicoder.compression.order import Order
from logicoder.compression.stored_proposals import StoredProposals, unlike
from logicoder.compression.stored_spaces import CountedSpace, bare_space, counted_space, look_of
from logicoder.compression.ways import Choice, ClosedBase, RuleList, Way
from logicoder.engine.arrays.rules.closed_forms import Closure
from logicoder.engine.arrays.rules.rule_classes import Classes
from logicoder.engine.arrays.rules.spaces import SpacesOf
from logicoder.engine.sql.closures import Closures
from logicoder.engine.sql.join_sizes import JoinSizes, most_tuples
from logicoder.engine.sql.session import QueryError
from logicoder.engine.sql.space_counts import MOST_RULES, Look, SpaceCounts
from logicoder.logic.rules import Rule
from logicoder.logic.terms import Program

if TYPE_CHECKING:
    from logicoder.compression.candidate_rules import Candidate
    from logicoder.compression.learned_plan import Compressor
    from logicoder.compression.plan import Definition
    from logicoder.engine.arrays.rules.spaces import Space
    from logicoder.engine.sql.stored_data import StoredData
    from logicoder.kb.schema import Schema

_log = logging.getLogger("logicoder")

_MOST_RULES = 12
"""Rules that are judged for each predicate beside those that the sample chose."""

_LITERALS = 2
"""They have so many literals at the most: longer ones are seldom better than what was chosen, and costly."""


class StoredSearch:
    """Makes a message about all data of what was found in a sample.

    Args:
        compressor: searched the sample.
        found: the message about the sample.
        data: all of the data.
        schema: their types, as the sample has them.
    """

    def __init__(self, compressor: Compressor, found: Compressed, data: StoredData, schema: Schema) -> None:
        self._compressor, self._found, self._data, self._schema = compressor, found, data, schema
        self._counts = SpaceCounts(data, schema)
        self._closures = Closures(data)
        self._effort = compressor.effort
        entities = self._counts.entities
        types = types_with({name: schema[name].types for name in data.relations}, found.latents)
        sizes = {name: [sum(entities(kind).values()) for kind in own] for name, own in types.items()}
        self._code = ClauseCode.of(sizes, found.plan)
        self._goal = compressor.goal_of(self._code)
        program = Program(tuple(clause for latent in found.latents for clause in latent.clauses()))
        self._relations = {**data.relations, **data.runs.run(program, data.relations)}
        self._sizes = JoinSizes(data, self._relations)

    def message(self) -> Compressed:
        """Return the best message of the sample's rules."""
        learned = [n for n, p in self._schema.items() if n in self._data.relations and not p.background]
        unseen = [n for n in learned if n not in self._found.choices and self._data.counts[n]]
        names = (*sorted(unseen), *self._found.choices)
        self._proposed = StoredProposals(self._data, self._schema, self._counts, self._goal).in_time(names)
        self._options = Options(self._domains(), self._goal, self._effort)
        steps = self._data.session.steps("counts", names)
        self._options.update({name: list(self._ways(name)) for name in steps})
        found = [self._ordered(names, latents) for latents in {self._found.latents: 0, (): 0}]
        return min(found, key=lambda message: message.cost)

    def _ordered(self, names: Sequence[str], latents: Sequence[Definition]) -> Compressed:
        """Return the best message whose rules may use some latent predicates."""
        background = self._compressor.background
        rest_on: dict[str, frozenset[str]] = {}
        for latent in latents:
            rest_on[latent.name] = frozenset().union(*(rest_on.get(n, {n}) for n in latent.needs))

        def ready(known: frozenset[str]) -> frozenset[str]:
            return known.union(name for name, needed in rest_on.items() if needed <= known)

        mentions = {
            name: every.union(*(rest_on.get(other, ()) for other in every)) - {name}
            for name, every in self._options.mentions().items()
        }
        cost = self._options.cost
        order = Order(names, lambda name, known: cost(name, ready(known)), mentions, background, names)
        order.improve(self._effort.check)
        choices: dict[str, Choice] = {}
        taken: dict[str, Taken] = {}
        known = background
        for name in order.names:
            choices[name], taken[name] = self._options.improved(name, ready(known))
            known |= {name}
        return self._told(choices, taken)

    # -- ways ---------------------------------------------------------------------------------------------

    def _ways(self, name: str) -> Iterator[Way]:
        chosen = self._found.choices.get(name)
        if chosen is None:  # the sample has no fact of it: only what all facts propose is known
            database = self._compressor.database
            spaces_of = SpacesOf(database, name, database.relation(name))
            for told in ((), tuple(range(len(self._schema[name].types)))):
                space = spaces_of.space(told)
                yield self._list(Look(name, told), space, self._rules(space, None))
            return
        spaces = {look_of(chosen.space): chosen.space}
        search = self._compressor.search
        tried = search.heads.tried if search is not None else []
        for space in tried:
            if space.predicate == name:
                spaces.setdefault(look_of(space), space)
        for look, space in spaces.items():
            if chosen.closure is not None and space is chosen.space:
                yield self._closed(look, chosen)
            yield self._list(look, space, self._rules(space, chosen))

    def _rules(self, space: Space, chosen: Choice | None) -> list[Rule]:
        """Return the rules to judge: those chosen, others short and mostly right, and those proposed."""
        own: list[Rule] = []
        if chosen is not None and chosen.closure is None:
            own = [rule for layer in chosen.layers for rule in layer.rules]
        others: list[Rule] = []
        search = self._compressor.search
        if search is not None:
            for number, other in enumerate(search.heads.tried):
                if look_of(other) == look_of(space):
                    others += [c.rule for c in search.candidates.ranked(number) if _is_worth_judging(c)]
        rules = dict.fromkeys([*own, *others[:_MOST_RULES]])
        rules |= dict.fromkeys(unlike(self._proposed.get(space.predicate, ()), list(rules)))
        most = most_tuples(self._data)
        return [rule for rule in rules if self._sizes.within(rule, most)][:MOST_RULES]

    def _list(self, look: Look, space: Space, rules: Sequence[Rule]) -> RuleList:
        counted = self._space(look, space)
        rules, classes = self._judged(look, rules)
        lengths = np.array([self._goal.clause(look.predicate, rule) for rule in rules])
        return RuleList(self._goal, counted, rules, lengths, classes, self._effort.check)

    def _judged(self, look: Look, rules: Sequence[Rule]) -> tuple[Sequence[Rule], Classes | None]:
        """Return rules with the classes of their atoms; of too many for the memory, the first half."""
        while rules:
            try:
                return rules, _classes(len(rules), self._counts.classes(look, rules, self._relations))
            except QueryError as error:
                if not error.lacks_memory:
                    raise
                rules = rules[: len(rules) // 2]
                _log.warning("%s: only %d clauses fit into the memory limit", look.predicate, len(rules))
        return (), None

    def _space(self, look: Look, space: Space) -> CountedSpace:
        return counted_space(space, self._counts.look(look))

    def _closed(self, look: Look, chosen: Choice) -> ClosedBase:
        rules = [rule for layer in chosen.layers for rule in layer.rules]
        queries = self._data.runs.queries
        seeds = [queries.of_rule(look.predicate, rule, self._relations) for rule in rules]
        seen = partial(self._counts.seen, look=look)
        counts = self._closures.counts(chosen.form, look.predicate, seeds, seen)
        space = self._space(look, chosen.space)
        return ClosedBase(self._goal, space, chosen.form, Closure(*counts), tuple(rules[:1]))

    # -- domains ------------------------------------------------------------------------------------------

    def _domains(self) -> Domains:
        """Return where domains can be taken from: of what the sample says, what holds in all data."""
        within: dict[tuple[str, int, bool], list[tuple[str, int, float]]] = {}
        columns = log2(max(1, sum(relation.arity for relation in self._data.relations.values())))
        for name, taken in self._found.domains.items():
            symmetric = self._found.choices[name].space.symmetric
            for place, other, column in taken:
                places = (0, 1) if symmetric else (place,)
                held = self._counts.is_within(name, places, other, column)
                if held is None:
                    continue
                values, size = self._counts.look(
                    Look(name, (0, 1) if symmetric else (place,), apart=symmetric, symmetric=symmetric)
                ).domains[0]
                saved = float(set_bits(size, values) - set_bits(held, values)) - columns
                if saved > 0:
                    within[name, place, symmetric] = [(other, column, saved)]
        return Domains(within)

    # -- the message --------------------------------------------------------------------------------------

    def _told(self, choices: Mapping[str, Choice], taken: Mapping[str, Taken]) -> Compressed:
        used = {n for c in choices.values() for x in c.layers for r in x.rules for n in r.predicates}
        for latent in reversed(self._found.latents):  # each is made of those before it
            used |= latent.needs if latent.name in used else frozenset()
        latents = tuple(latent for latent in self._found.latents if latent.name in used)
        tested = any(r.tested for c in choices.values() for x in c.layers for r in x.rules)
        code = replace(self._code, tests=tested)
        found = Compressed.of(
            choices,
            taken,
            latents,
            code=code,
            goal_of=self._compressor.goal_of,
            domains=self._options.domains,
            background=self._compressor.background,
            plain_bits=sum(float(set_bits(*self._counts.plain(name))) for name in choices),
            domain_bits=Bits(code).header(()) + sum(map(self._domain_bits, choices)),
        )
        return replace(found, stopped=self._found.stopped)

    def _sample_space(self, name: str) -> Space:
        """Return a predicate by its types alone, as the sample has it."""
        if name in self._found.choices:
            return _bare(self._found.choices[name].space)
        database = self._compressor.database
        return SpacesOf(database, name, database.relation(name)).space(())

    def _domain_bits(self, name: str) -> float:
        """Return the bits of a predicate with domains, without any rule."""
        bits, types = Bits(self._code), self._sample_space(name).types
        places = range(len(types))
        every = [told for size in range(len(places) + 1) for told in combinations(places, size)]
        few = every if len(places) <= 4 else [every[0], every[-1]]
        looks = [Look(name, told) for told in few]
        return min(table_cost(bits, bare_space(look, self._counts.look(look), types)) for look in looks)


def _is_worth_judging(candidate: Candidate) -> bool:
    counted = candidate.counted
    return len(candidate.rule.body) <= _LITERALS and 4 * counted.true >= counted.derived


def _bare(space: Space) -> Space:
    """Return a space by types alone."""
    return replace(space, masks=(None,) * len(space.types), apart=False, symmetric=False)


def _classes(number: int, rows: Sequence[tuple[int, int, int]]) -> Classes:
    """Return coverage classes, given the rules of each as bits of a number."""
    members = [[rule for rule in range(number) if mask >> rule & 1] for mask, _, _ in rows]
    return Classes(
        number,
        np.concatenate([[0], np.cumsum([len(own) for own in members])]).astype(np.int64),
        np.array([rule for own in members for rule in own], np.int32),
        np.array([atoms for _, atoms, _ in rows], np.float64),
        np.array([true for _, _, true in rows], np.float64),
    )
