"""Programs that say the data in few bits: rules, ways to say each predicate with them, and an order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from logicoder.compression.bound import proven
from logicoder.compression.candidate_rules import CandidateRules
from logicoder.compression.code import ClauseCode
from logicoder.compression.compressed import Compressed
from logicoder.compression.domains import Domains, Taken, domains_of
from logicoder.compression.exact_order import improved_order
from logicoder.compression.goals import GOALS, Bits, Goal, Stored
from logicoder.compression.head_spaces import HeadSpaces
from logicoder.compression.order import Order
from logicoder.compression.shorthands import Shorthands
from logicoder.compression.tests_of_rules import RuleTests
from logicoder.compression.way_search import WaySearch
from logicoder.compression.ways import Choice, Way, message_cost
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.rules.counted import Effort
from logicoder.engine.arrays.rules.rule_tables import RuleTables

if TYPE_CHECKING:
    from logicoder.kb.knowledge_base import KnowledgeBase


class Compressor:
    """Searches for the shortest message.

    Args:
        kb: the data.
        effort: what counting may cost, and when to stop; whenever that is, there is a result.
        goal: one of `goals.GOALS`: what is to be small.
    """

    def __init__(self, kb: KnowledgeBase, effort: Effort | None = None, goal: str = "bits") -> None:
        self.database = Database(kb)
        self.names = tuple(sorted(kb.learnable))
        usable = {name for name in kb.predicates if kb.schema[name].arity}
        self.background = frozenset(usable.difference(kb.learnable))
        self.tables = RuleTables(self.database, {name: self.database.relation(name) for name in usable})
        self.effort = effort or Effort()
        sizes = {
            (name, place): self.database.sizes[kind]
            for name in self.tables.names
            for place, kind in enumerate(self.tables.relation(name).types)
        }
        self.code = ClauseCode(len(self.tables.names), sizes)
        self._goal = GOALS[goal]
        self.goal = self._goal(self.code)

    def run(self) -> Compressed:
        """Return the best message found."""
        heads = HeadSpaces(self.database, self.names, self.goal, Bits(self.code))
        ranked = CandidateRules(self.tables, heads.tried, self.goal, self.effort).ranked()
        ways = WaySearch(self.tables, heads, self.goal, self.effort).ways(ranked)
        options = _Options(ways, domains_of(self.tables, heads.tried), self.goal)
        order = Order(self.names, options.cost, options.mentions(), self.background)
        while not self.effort.stopped() and order.improve(self.effort.stopped):
            pass
        _, names = improved_order(order.names, order.bits_of, self.effort.stopped)
        choices: dict[str, Choice] = {}
        taken: dict[str, Taken] = {}
        saved = 0.0
        known = self.background
        for name in names:
            _, choices[name], taken[name] = options.best(name, known, improved=True)
            saved += options.domains.saved(choices[name].space, known)[0]
            known |= {name}
        candidates = {
            space.predicate: [candidate.rule for candidate in own]
            for space, own in zip(heads.tried, ranked, strict=True)
            if choices[space.predicate].space is space
        }
        shared = (self._goal, self.background, self.effort)
        shorthands = Shorthands(self.tables, self.code, *shared)
        choices, latents = shorthands.improved(choices, candidates)
        self.tables = shorthands.tables(latents)
        tests = RuleTests(self.tables, latents, shorthands.code(latents), *shared)
        choices, code = tests.improved(choices)
        cost, bits, stored = (
            message_cost(goal(code), choices, latents, saved) for goal in (self._goal, Bits, Stored)
        )
        floor = heads.floor
        bound = proven(
            floor, floor if latents or code.tests else options.least(known) + self.goal.header(()), cost
        )
        return Compressed(
            choices,
            taken,
            heads.plain_bits,
            heads.domain_bits,
            bits,
            round(stored),
            order.relaxed,
            *bound,
            latents,
        )


class _Options:
    """Chooses among the ways to say a predicate, given what is known."""

    def __init__(self, ways: Mapping[str, Sequence[Way]], domains: Domains, goal: Goal) -> None:
        self._ways, self._goal, self.domains = ways, goal, domains

    def mentions(self) -> dict[str, frozenset[str]]:
        """Return for each predicate those that can make a difference to it."""
        found = {}
        for name, own in self._ways.items():
            parts = (part for way in own for part in (way.mentions, self.domains.mentions(way.space)))
            found[name] = frozenset[str]().union(*parts) - {name}
        return found

    def best(
        self, name: str, known: frozenset[str], *, improved: bool = False
    ) -> tuple[float, Choice, Taken]:
        """Return the best way to say a predicate: its cost, the choice, and domains within others.

        Args:
            name: the predicate.
            known: what is known before.
            improved: whether more search is worth its time.
        """
        options = []
        for way in self._ways[name]:
            choice = way.chosen(known)
            if choice is not None:
                saved, taken = self.domains.saved(choice.space, known)
                options.append((choice.cost - self._goal.within * saved, choice, taken, way))
        cost, choice, taken, way = min(options, key=lambda option: option[0])
        if improved:
            better = way.improved(choice, known)
            cost, choice = cost - choice.cost + better.cost, better
        return cost, choice, taken

    def cost(self, name: str, known: frozenset[str]) -> float:
        """Return what it costs."""
        return self.best(name, known)[0]

    def least(self, known: frozenset[str]) -> float:
        """Return what no choice among these ways can undercut, whatever the order."""
        return sum(min(self._least(way, known - {name}) for way in own) for name, own in self._ways.items())

    def _least(self, way: Way, known: frozenset[str]) -> float:
        return way.least(known) - self._goal.within * self.domains.saved(way.space, known)[0]
