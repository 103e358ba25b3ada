"""The search for messages, phase by phase: shapes of rules that cost little come first.

Phases do a little work at a time. From time to time, and at their end, ways to say predicates are made of the
rules found, and the order of predicates is searched anew from where it was.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from logicoder.base.effort import Effort
from logicoder.compression.best_ways import Options
from logicoder.compression.bound import proven
from logicoder.compression.candidate_rules import CandidateRules
from logicoder.compression.choosing_again import list_beside
from logicoder.compression.code import ClauseCode
from logicoder.compression.compressed import Compressed
from logicoder.compression.definitions import code_with
from logicoder.compression.domains import Taken, domains_of
from logicoder.compression.exact_order import improved_order
from logicoder.compression.goals import Bits, Goal
from logicoder.compression.head_spaces import HeadSpaces
from logicoder.compression.needs import in_order_of_needs, independent
from logicoder.compression.order import Order
from logicoder.compression.phase import Phase
from logicoder.compression.plan import Definition
from logicoder.compression.shorter_rules import with_shorter_rules
from logicoder.compression.shorthands import Shorthands
from logicoder.compression.stored_latents import StoredLatents
from logicoder.compression.tests_of_rules import RuleTests
from logicoder.compression.way_search import WaySearch
from logicoder.compression.ways import Choice, RuleList, Way
from logicoder.engine.arrays.rules.rule_tables import RuleTables
from logicoder.logic.rules import Rule

_MOST_ROUNDS = 6
"""How often the best rules get one more literal."""

_FEW = 20
"""Up to so many predicates, the best rules get a second literal even if the first one is of no use."""

_OFTEN = 20_000_000
"""Work after which a message is made of what was found in the middle of a phase."""

_SHAKES = 10
"""How often in a row an order that is shaken may come out no better than before."""

_SHAKEN = 3
"""Predicates that are put elsewhere then."""

_MOST_SETTLED = 300
"""Predicates that have further ways and choose again at the end; among more, nobody does."""

_TINY = 1e-6

GoalOf = Callable[[ClauseCode], Goal]


class Search:
    """Makes better and better messages.

    Args:
        tables: the relations that rules may use.
        heads: the predicates to be said.
        code: the code of clauses.
        goal_of: what is to be small, given the code of clauses.
        background: predicates that are known anyway.
        effort: what it may cost.
        whole: whether these are all data; samples do not judge recursive rules and products of kinds.
        latents: latent predicates that may be stored.
        before: a search without them, whose rules and order this one begins with.

    Attributes:
        tables: the relations that rules may use; at the end those of latent predicates too.
        candidates: the rules found so far.
    """

    def __init__(
        self,
        tables: RuleTables,
        heads: HeadSpaces,
        code: ClauseCode,
        goal_of: GoalOf,
        background: frozenset[str],
        effort: Effort,
        *,
        whole: bool = False,
        latents: StoredLatents | None = None,
        before: Search | None = None,
    ) -> None:
        self.heads, self._background, self._effort = heads, background, effort
        self._latents = latents or StoredLatents()
        self._code, self._goal_of = code, goal_of
        domains = domains_of(tables, heads.tried, effort)
        if self._latents.definitions:
            heads.add_latents(tables.database, self._latents.relations)
            tables = tables.with_relations(self._latents.relations)
        self.tables = tables
        self._names = tuple(heads.tables)
        # Few of the latent predicates will stay: literals cost as if there were none until it is known which.
        self._every_code = replace(code_with(code, self._latents.definitions, tables), symbols=code.symbols)
        self._goal = goal = goal_of(self._every_code)
        self._ways = WaySearch(tables, heads, goal, effort)
        self._options = Options(domains, goal, effort)
        self._options.update(self._ways.ways(self._names))
        self.candidates = CandidateRules(tables, heads.tried, goal, effort)
        start: list[str] = []
        self._goes_on, self._whole = before is not None, whole
        if before is not None:
            self.candidates.take_over(before.candidates)
            self._ways.take_over(before._ways)
            self._options.update(self._ways.update(self.candidates))
            start = [*self._latents.relations, *before._order.names]
        self._order: Order = self._ordered(start, self._options.mentions())

    def messages(self, phase: Phase) -> Iterator[Compressed]:
        """Work through a phase, and iterate over messages made of what was found."""
        least, last = self._effort.after(phase.share), self._effort.spent
        done = False
        while not done:
            with self._effort.down_to(least):
                done = next(phase.steps, _END) is _END
            if done or self._effort.spent - last > max(_OFTEN, last):
                self._renew()
                last = self._effort.spent
                yield self._message()

    def phases(self) -> Iterator[Phase]:
        """Iterate over the phases; the last ones are repeated as long as they pay."""
        found = self.candidates
        if self._goes_on:
            yield Phase("latents", 0.2, found.given(self._latents.uses))
            yield Phase("rules of one literal", 0.2, found.single())
            yield Phase("chains", 0.3, found.chains())
            yield Phase("order", 0.4, self._reorder())
            yield Phase("negation", 0.2, self._test())
            return
        yield Phase("domains", 0.0, iter(()))
        yield Phase("rules of one literal", 0.1, found.single())
        yield Phase("closures", 0.2, self._ways.close(found))
        if self._whole:
            yield Phase("recursion", 0.1, self._ways.go_on(found))
        yield Phase("chains", 0.3, found.chains())
        yield Phase("wide rules", 0.2, found.wide())
        yield Phase("constants", 0.2, found.constants())
        yield Phase("chains of three", 0.3, found.long_chains())
        for number in range(_MOST_ROUNDS):
            before = self._order.bits
            yield Phase("longer rules", 0.4, found.longer())
            yield Phase("inner literals", 0.05, found.inner())
            # A literal may be of use only with a second one; among few predicates that is tried as well.
            again = not number and len(self._names) <= _FEW
            if not again and self._order.bits > (1 - self._effort.patience) * before:
                break
        yield Phase("order", 0.3, self._reorder())
        if self._whole and len(self._names) <= _MOST_SETTLED:
            yield Phase("kinds", 0.1, self._add_ways())
        yield Phase("negation", 0.2, self._test())

    def _renew(self) -> None:
        """Make ways of new candidates, and an order of them."""
        ways, order = self._ways.update(self.candidates), self._order
        known = {name: order.before(name) | self._background for name in ways}
        if self._options.update(ways, known):
            self._order = self._ordered(order.names, self._options.useful(self._background))
            self._order.improve(self._enough)

    def _ordered(self, start: Sequence[str], mentions: Mapping[str, frozenset[str]]) -> Order:
        return Order(self._names, self._options.cost, mentions, self._background, start)

    def _enough(self) -> bool:
        """Whether there is no work left."""
        return self._effort.check() or not self._effort.left

    def _reorder(self) -> Iterator[None]:
        """Search for better orders: from where it is, then from places near it, as long as that pays."""
        idle = self._idle()
        self._names = tuple(name for name in self._names if name not in idle)
        start = [name for name in self._order.names if name not in idle]
        order = self._order = self._ordered(start, self._options.mentions())
        while order.improve(self._enough):
            yield
        rng = np.random.default_rng(0)
        failed = 0
        while failed < _SHAKES and not self._enough():
            failed = 0 if order.shake(rng, _SHAKEN, self._enough) else failed + 1
            yield

    def _add_ways(self) -> Iterator[None]:
        """Offer products of kinds and closures of several rules beside all that was found, which stays."""
        deque(self.candidates.products(), maxlen=0)
        further = self._ways.further(self.candidates)
        ways = {name: self._options.ways(name) for name in further}
        self._offer(further)
        # What is of no use would only loosen the bound.
        self._options.update(ways, {name: self._known_before(name) for name in ways})
        self.candidates.forget_products(self._message().plan)
        yield

    def _offer(self, further: Mapping[str, Sequence[Way]]) -> None:
        """Offer further ways to say predicates, and search the order again."""
        self._options.update({name: [*self._options.ways(name), *own] for name, own in further.items()})
        self._order = self._ordered(self._order.names, self._options.mentions())
        self._order.improve(self._enough)

    def _test(self) -> Iterator[None]:
        """Offer negation and inequality to all predicates, whatever the order."""
        order, before = self._order, self._message().cost
        tests = RuleTests(self.tables, (), self._every_code, self._goal_of, self._background, self._effort)
        every = self._background.union(self._names)
        ways = {name: self._options.ways(name) for name in self._names}
        offered: dict[str, list[Way]] = {}
        for name in self._names:
            choice = self._options.best(name, every - {name})[1]
            further = list(tests.further(choice, every - {name}))
            way = tests.way(choice, further) if further else None
            if way is not None:
                offered[name] = [way]
            yield
        self._offer(offered)
        if self._message().cost >= before - _TINY:
            self._options.update({name: ways[name] for name in offered})
            self._order = order

    def _message(self) -> Compressed:
        choices: dict[str, Choice] = {}
        taken: dict[str, Taken] = {}
        known = set(self._background)
        idle = self._idle()
        for name in self._order.names:
            if name in idle:
                continue
            _, choices[name], _ = self._options.best(name, self._known_before(name) - idle)
            # The order may have been searched among few predicates; a domain may be taken from any.
            _, taken[name] = self._options.domains.saved(choices[name].space, known)
            known.add(name)
        return self._told(choices, taken, self._stored(choices))

    def _known_before(self, name: str) -> frozenset[str]:
        return self._order.before(name) | self._background

    def _stored(self, choices: Mapping[str, Choice]) -> list[Definition]:
        """Return the stored latent predicates of a message."""
        return [latent for latent in self._latents.definitions if latent.name in choices]

    def _idle(self) -> frozenset[str]:
        """Return the latent predicates without which a message in this order is no longer."""
        idle: frozenset[str] = frozenset()
        header = self._goal.header
        for latent in reversed(self._latents.definitions):
            name = latent.name
            if name not in self._names:
                continue
            paid = -self._options.cost(name, self._known_before(name) - idle) - header([latent]) + header(())
            for other in self._order.names:
                known = self._known_before(other) - idle
                if other in idle or name not in known:
                    continue
                cost, choice, _ = self._options.best(other, known)
                if name in choice.needs:
                    paid += self._options.cost(other, known - {name}) - cost
            if paid <= 0:
                idle |= {name}
        return idle

    def finished(self) -> Iterator[Compressed]:
        """Iterate over messages after more search in the order found: lists, latent predicates, a bound."""
        _, names = improved_order(self._order.names, self._order.bits_of, self._effort.check)
        choices: dict[str, Choice] = {}
        taken: dict[str, Taken] = {}
        known = self._background
        idle = self._idle()
        for name in names:
            if name not in idle:
                choices[name], taken[name] = self._options.improved(name, known)
                known |= {name}
        stored = self._stored(choices)
        yield self._told(choices, taken, stored)
        shared = (self._goal_of, self._background, self._effort)
        shorthands = Shorthands(self.tables, self._code_of(choices, stored), *shared)
        choices, further = shorthands.improved(choices, self._rules_of(choices))
        latents = [*stored, *further]
        yield self._told(choices, taken, latents)
        self.tables = shorthands.tables(further)
        tests = RuleTests(self.tables, latents, self._code_of(choices, latents), *shared)
        tested = tests.improved(choices)
        goal = self._goal_of(self._code_of(tested, latents))
        tested = with_shorter_rules(tested, goal, self.tables, self._effort)
        message = self._settled(self._told(tested, taken, latents))
        yield message
        floor = self.heads.floor
        least = self._least(message) if self._offer_all(message) else floor
        # One flag announces the plain facts, which may be shorter than any message that has all others.
        plain = self.heads.plain_bits if isinstance(self._goal, Bits) else message.cost
        value, scope, optimal = proven(floor, least, min(plain, message.cost))
        yield replace(message, bound=value, bound_scope=scope, optimal=optimal)

    def _offer_all(self, message: Compressed) -> bool:
        """Offer the rules of a message beside all others; return whether that can be.

        Only so does a bound cover tests and rules with latent predicates, which are not among the ways.
        """
        # Without what names of latent predicates and tests add to every clause, they cost less than they do.
        code = self._code_of(message.choices, message.latents)
        # Rules of the ways may name constants of latent predicates that the message does without.
        constants = {**self._every_code.constants, **code.constants}
        goal = self._goal_of(replace(code, symbols=self._code.symbols, tests=False, constants=constants))
        share = 0.1 / max(1, len(message.choices))
        for name, choice in message.choices.items():
            ways = self._options.ways(name)
            lists = [way for way in ways if isinstance(way, RuleList) and way.space is choice.space]
            own = {rule for layer in choice.layers for rule in layer.rules}
            every = own.union(*(way.rules for way in lists))
            # Rules of two lists may be better together than either list is.
            if choice.closure is not None or any(every <= set(way.rules) for way in lists):
                continue
            way = list_beside(goal, choice, lists, self.tables, self._effort, share)
            if way is None or not own <= set(way.rules):
                return False
            self._options.update({name: [*ways, way]})
        return True

    def _least(self, message: Compressed) -> float:
        """Return what no message undercuts that uses the candidates, its latent predicates being free."""
        said = [name for name in self._names if name not in self._latents.relations]
        latents = {latent.name for latent in message.latents}
        always = self._background.union(self._names, latents).difference(said)
        return self._options.least(said, always) + self._goal_of(self._code).header(())

    def _settled(self, message: Compressed) -> Compressed:
        """Return the message where each predicate chooses again among all that does not depend on it.

        Rules that made an order necessary may have given way to others since.
        """
        for name in message.choices if len(message.choices) <= _MOST_SETTLED else ():
            self._effort.check()
            free = independent(name, message.choices, message.latents)
            usable = (free & set(self._names)) | self._background
            _, choice, _ = self._options.best(name, usable)
            if choice.layers == message.choices[name].layers and choice.form == message.choices[name].form:
                continue
            choices = in_order_of_needs({**message.choices, name: choice}, message.latents)
            other = self._told(choices, self._taken(choices), message.latents)
            if other.cost < message.cost - _TINY:
                message = other
        return message

    def _taken(self, choices: Mapping[str, Choice]) -> dict[str, Taken]:
        """Return where domains are taken from, in the order of choices."""
        taken, known = {}, set(self._background)
        for name, choice in choices.items():
            _, taken[name] = self._options.domains.saved(choice.space, known)
            known.add(name)
        return taken

    def _rules_of(self, choices: Mapping[str, Choice]) -> dict[str, list[Rule]]:
        """Return the candidates of each predicate in the space that was chosen."""
        return {
            space.predicate: [candidate.rule for candidate in self.candidates.ranked(number)]
            for number, space in enumerate(self.heads.tried)
            if space.predicate in choices and choices[space.predicate].space is space
        }

    def _code_of(self, choices: Mapping[str, Choice], latents: Sequence[Definition] = ()) -> ClauseCode:
        """Return the code of clauses that a message needs."""
        rules = [rule for choice in choices.values() for layer in choice.layers for rule in layer.rules]
        rules += [rule for latent in latents for rule in latent.rules]
        code = replace(self._code, tests=any(rule.tested for rule in rules))
        return code_with(code, latents, self.tables)

    def _told(
        self, choices: Mapping[str, Choice], taken: Mapping[str, Taken], latents: Sequence[Definition] = ()
    ) -> Compressed:
        return Compressed.of(
            choices,
            taken,
            latents,
            code=self._code_of(choices, latents),
            goal_of=self._goal_of,
            domains=self._options.domains,
            background=self._background,
            plain_bits=self.heads.plain_bits,
            domain_bits=self.heads.domain_bits,
            relaxed_bits=self._order.relaxed,
        )


_END = object()
