"""Programs that say the data in few bits: rules, ways to say each predicate with them, and an order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from logicoder.compression.bound import Bound
from logicoder.compression.candidate_rules import CandidateRules
from logicoder.compression.code import ClauseCode
from logicoder.compression.compressed import Compressed
from logicoder.compression.domains import Domains, Taken, domains_of
from logicoder.compression.exact_order import improved_order
from logicoder.compression.head_spaces import HeadSpaces
from logicoder.compression.order import Order
from logicoder.compression.way_search import WaySearch
from logicoder.compression.ways import Choice, Way
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
    """

    def __init__(self, kb: KnowledgeBase, effort: Effort | None = None) -> None:
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

    def run(self) -> Compressed:
        """Return the best message found."""
        heads = HeadSpaces(self.database, self.names)
        ranked = CandidateRules(self.tables, heads.tried, self.code, self.effort).ranked()
        ways = WaySearch(self.tables, heads, self.effort).ways(ranked)
        options = _Options(ways, domains_of(self.tables, heads.tried))
        order = Order(self.names, options.bits, options.mentions(), self.background)
        while not self.effort.stopped() and order.improve(self.effort.stopped):
            pass
        _, names = improved_order(order.names, order.bits_of, self.effort.stopped)
        choices: dict[str, Choice] = {}
        taken: dict[str, Taken] = {}
        bits = 0.0
        known = self.background
        for name in names:
            length, choices[name], taken[name] = options.best(name, known, improved=True)
            bits += length
            known |= {name}
        bound = Bound.of(heads.floors(self.code), options.least(known), bits)
        return Compressed(choices, taken, heads.plain_bits, heads.domain_bits, bits, order.relaxed, bound)


class _Options:
    """Chooses among the ways to say a predicate, given what is known."""

    def __init__(self, ways: Mapping[str, Sequence[Way]], domains: Domains) -> None:
        self._ways, self.domains = ways, domains

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
        """Return the shortest way to say a predicate: bits, choice, and domains within others.

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
                options.append((choice.bits - saved, choice, taken, way))
        bits, choice, taken, way = min(options, key=lambda option: option[0])
        if improved:
            better = way.improved(choice, known)
            bits, choice = bits - choice.bits + better.bits, better
        return bits, choice, taken

    def bits(self, name: str, known: frozenset[str]) -> float:
        """Return its bits."""
        return self.best(name, known)[0]

    def least(self, known: frozenset[str]) -> float:
        """Return bits that no choice among these ways can undercut, whatever the order."""
        return sum(
            min(way.least(known - {name}) - self.domains.saved(way.space, known)[0] for way in own)
            for name, own in self._ways.items()
        )
