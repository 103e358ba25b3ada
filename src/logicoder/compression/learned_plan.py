"""Programs that say the data in few bits: rules, ways to say each predicate with them, and an order.

The first message is the data themselves. Then shapes of rules are tried, those that cost little first; after
each there is an order and, where it is shorter, a better message. Whenever the search is stopped, the best
one so far is there.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from logicoder.base.effort import Effort, StoppedError
from logicoder.base.progress import PhaseAdvanced, PhaseFinished, PhaseStarted, Reporter, silent
from logicoder.compression.code import ClauseCode
from logicoder.compression.compressed import Compressed
from logicoder.compression.goals import GOALS, Bits, Stored
from logicoder.compression.head_spaces import HeadSpaces
from logicoder.compression.measured_plan import measured
from logicoder.compression.message import Message
from logicoder.compression.message_search import Search
from logicoder.compression.plan import Plan
from logicoder.compression.stored_latents import stored_latents
from logicoder.compression.ways import RuleList, message_cost
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.rules.rule_tables import RuleTables

if TYPE_CHECKING:
    from logicoder.kb.knowledge_base import KnowledgeBase

Told = Callable[[Compressed], None]
"""Is told of every better message."""

_TINY = 1e-6


class Compressor:
    """Searches for the shortest message.

    Args:
        kb: the data.
        effort: what the search may cost, and when to stop; whenever that is, there is a result.
        report: is told of phases.
        best: is told of the first message, the data themselves, and of each that is better.
        goal: one of `goals.GOALS`: what is to be small.
        start: a plan of an earlier search, to be improved on.
        sampled: whether the data are a sample of more. Then neither tables of latent predicates nor recursive
            rules are looked for: counts of all data could not judge them.
    """

    def __init__(
        self,
        kb: KnowledgeBase,
        effort: Effort | None = None,
        report: Reporter = silent,
        best: Told = lambda _: None,
        goal: str = "bits",
        start: Plan | None = None,
        *,
        sampled: bool = False,
    ) -> None:
        self._start, self._sampled = start, sampled
        self.database = Database(kb)
        self.names = tuple(sorted(kb.learnable))
        usable = {name for name in kb.predicates if kb.schema[name].arity}
        self.background = frozenset(usable.difference(kb.learnable))
        self.effort = effort or Effort.of(kb.size, len(kb.symbols))
        relations = {name: self.database.relation(name) for name in usable}
        self.tables = RuleTables(self.database, relations, self.effort)
        # Whoever is told knows the schema: predicates without facts could be named as well.
        named = {name: self.database.relation(name).types for name, own in kb.schema.items() if own.arity}
        sizes = {name: [self.database.sizes[kind] for kind in own] for name, own in named.items()}
        self.code = ClauseCode.of(sizes)
        self.goal_of = GOALS[goal]
        self._goal, self._bits = self.goal_of(self.code), Bits(self.code)
        self._report, self._told = report, best
        self._best: Compressed | None = None
        self.search: Search | None = None

    def run(self) -> Compressed:
        """Return the best message found; `stopped` says why, where the search did not come to its end."""
        try:
            self._search()
        except StoppedError:
            pass
        except KeyboardInterrupt:
            self.effort.stop.stop("interrupted")
        best = self._best or self._identity(self._heads())
        return replace(best, stopped=self.effort.stop.reason)

    def _search(self) -> None:
        heads = self._heads()
        best = self._identity(heads)
        self.effort.check()
        best = self._from_start(best)
        shared = (self.tables, heads, self.code, self.goal_of, self.background, self.effort)
        search = self.search = Search(*shared, whole=not self._sampled)
        best = self._searched(search, best)
        if self._sampled:
            return
        for latents in stored_latents(self.tables, heads.tables, best.choices, self._goal, self.effort):
            if latents.definitions:
                best = self._searched(Search(*shared, latents=latents, before=search), best)
                heads = self._heads()
                shared = (self.tables, heads, *shared[2:])

    def _searched(self, search: Search, best: Compressed) -> Compressed:
        """Work through all phases of a search; return the best message."""
        for phase in search.phases():
            best = self._through(phase.name, search.messages(phase), best)
        return self._through("lists and latents", search.finished(), best)

    def _through(self, name: str, messages: Iterator[Compressed], best: Compressed) -> Compressed:
        """Work through a phase; return the best message."""
        began = time.perf_counter()
        self._report(PhaseStarted(name))
        for done, message in enumerate(messages, start=1):
            best = self._better(best, message)
            self._report(PhaseAdvanced(name, done))
        seconds = time.perf_counter() - began
        self._report(PhaseFinished(name, seconds, {"bits": round(best.bits)}))
        return best

    def _heads(self) -> HeadSpaces:
        return HeadSpaces(self.database, self.names, self._goal, self._bits, self.effort)

    def _from_start(self, best: Compressed) -> Compressed:
        """Return the message of the plan to begin with, if it is better than the data themselves."""
        if self._start is None:
            return best
        message = Message.of(self._start, self.database.kb)
        found = measured(message, self.goal_of(message.code))
        if found is None:
            return best
        choices, taken = found
        latents = message.plan.latents
        within = message.within_bits
        cost, bits, stored = (
            message_cost(goal(message.code), choices, latents, within)
            for goal in (self.goal_of, Bits, Stored)
        )
        return self._better(
            best,
            replace(
                best,
                choices=choices,
                domains=taken,
                bits=bits,
                stored=round(stored),
                cost=cost,
                relaxed_bits=cost,
                latents=latents,
            ),
        )

    def _identity(self, heads: HeadSpaces) -> Compressed:
        """The data themselves: each predicate by its types or within its own domains."""
        choices = {
            name: RuleList(self._goal, space, (), np.empty(0), None).chosen(frozenset())
            for name, space in heads.tables.items()
        }
        cost, bits, stored = (
            message_cost(goal, choices, (), 0.0) for goal in (self._goal, self._bits, Stored(self.code))
        )
        found = Compressed(
            choices,
            dict.fromkeys(choices, ()),
            heads.plain_bits,
            heads.domain_bits,
            bits,
            round(stored),
            cost,
            cost,
        )
        self._best = found
        self._told(found)
        return found

    def _better(self, best: Compressed, message: Compressed) -> Compressed:
        """Return the better message; of the other one, what is proved about all is taken over."""
        if message.cost < best.cost - _TINY:
            self._best = message
            self._told(message)
            return message
        if message.bound > best.bound:
            optimal = message.optimal and best.cost <= message.cost + _TINY
            bound = min(best.cost, message.bound)
            best = replace(best, bound=bound, bound_scope=message.bound_scope, optimal=optimal)
        self._best = replace(best, relaxed_bits=min(best.cost, message.relaxed_bits))
        return self._best
