"""The search for messages, phase by phase: shapes of rules that cost little come first.

Phases do a little work at a time. From time to time, and at their end, ways to say predicates are made of the
rules found, and the order of predicates is searched anew from where it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from logicoder.base.effort import Effort
from logicoder.compression.candidate_rules import CandidateRules
from logicoder.compression.code import ClauseCode
from logicoder.compression.compressed import Compressed
from logicoder.compression.domains import Taken, domains_of
from logicoder.compression.head_spaces import HeadSpaces
from logicoder.compression.options import Options
from logicoder.compression.order import Order
from logicoder.compression.way_search import WaySearch
from logicoder.compression.ways import Choice
from logicoder.engine.arrays.rules.rule_tables import RuleTables

_MOST_ROUNDS = 6
"""How often the best rules get one more literal."""

_OFTEN = 20_000_000
"""Work after which a message is made of what was found in the middle of a phase."""

_SHAKES = 10
"""How often in a row an order that is shaken may come out no better than before."""

_SHAKEN = 3
"""Predicates that are put elsewhere then."""


@dataclass(frozen=True)
class Phase:
    """A part of the search.

    Attributes:
        name: for people.
        share: the part of the work that is left that it may take.
        steps: does the work, a little at a time.
    """

    name: str
    share: float
    steps: Iterator[None]


class Search:
    """Makes better and better messages.

    Args:
        tables: the relations that rules may use.
        heads: the predicates to be said.
        code: the code of clauses.
        background: predicates that are known anyway.
        effort: what it may cost.
    """

    def __init__(
        self,
        tables: RuleTables,
        heads: HeadSpaces,
        code: ClauseCode,
        background: frozenset[str],
        effort: Effort,
    ) -> None:
        self._heads, self._background, self._effort = heads, background, effort
        self._names = tuple(heads.tables)
        self._ways = WaySearch(tables, heads, effort)
        self._options = Options(domains_of(tables, heads.tried, effort), effort)
        self._options.update(self._ways.ways(self._names), {})
        self._candidates = CandidateRules(tables, heads.tried, code, effort)
        self._order = self._ordered((), self._options.mentions())

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
        found = self._candidates
        yield Phase("domains", 0.0, iter(()))
        yield Phase("rules of one literal", 0.1, found.single())
        yield Phase("closures", 0.2, self._ways.close(found))
        yield Phase("chains", 0.3, found.chains())
        yield Phase("wide rules", 0.2, found.wide())
        yield Phase("constants", 0.2, found.constants())
        yield Phase("chains of three", 0.3, found.long_chains())
        for _ in range(_MOST_ROUNDS):
            before = self._order.bits
            yield Phase("longer rules", 0.4, found.longer())
            if self._order.bits > (1 - self._effort.patience) * before:
                break
        yield Phase("order", 0.3, self._reorder())

    def _renew(self) -> None:
        """Make ways of new candidates, and an order of them."""
        ways, order = self._ways.update(self._candidates), self._order
        known = {name: order.before(name) | self._background for name in ways}
        if self._options.update(ways, known):
            self._order = self._ordered(order.names, self._options.useful(self._background))
            self._order.improve(self._enough)

    def _ordered(self, start: Sequence[str], mentions: Mapping[str, frozenset[str]]) -> Order:
        return Order(self._names, self._options.bits, mentions, self._background, start)

    def _enough(self) -> bool:
        """Whether there is no work left."""
        return self._effort.check() or not self._effort.left

    def _reorder(self) -> Iterator[None]:
        """Search for better orders: from where it is, then from places near it, as long as that pays."""
        order = self._order = self._ordered(self._order.names, self._options.mentions())
        while order.improve(self._enough):
            yield
        rng = np.random.default_rng(0)
        failed = 0
        while failed < _SHAKES and not self._enough():
            failed = 0 if order.shake(rng, _SHAKEN, self._enough) else failed + 1
            yield

    def _message(self) -> Compressed:
        choices: dict[str, Choice] = {}
        taken: dict[str, Taken] = {}
        for name in self._order.names:
            known = self._order.before(name) | self._background
            _, choices[name], taken[name] = self._options.best(name, known)
        order, heads = self._order, self._heads
        return Compressed(choices, taken, heads.plain_bits, heads.domain_bits, order.bits, order.relaxed)


_END = object()
