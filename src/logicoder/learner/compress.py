"""Learning by description length: a message that says the data in few bits, and its programs."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING

from logicoder.base.clock import Clock
from logicoder.base.errors import InputError
from logicoder.base.progress import Improved, Reporter, silent
from logicoder.base.stopping import StopToken
from logicoder.compression.learn import Compressor
from logicoder.compression.programs import Programs, counts_of, programs_of_choices
from logicoder.engine.arrays.rules.counted import Effort
from logicoder.learner.goal import goal_of

if TYPE_CHECKING:
    from logicoder.compression.compressed import Compressed
    from logicoder.kb.knowledge_base import KnowledgeBase
    from logicoder.learner.settings import Settings


@dataclass(frozen=True)
class LearnedMessage:
    """What was learned.

    Attributes:
        found: how each predicate is said.
        programs: the same as programs.
        seconds: time of each phase.
        history: every improvement, in order.
        stopped: why the search ended early, if it did.
    """

    found: Compressed
    programs: Programs
    seconds: dict[str, float]
    history: list[Improved] = field(default_factory=list)
    stopped: str | None = None


def compress(
    kb: KnowledgeBase, settings: Settings, *, report: Reporter = silent, stop: StopToken | None = None
) -> LearnedMessage:
    """Learn how to say data in few bits.

    Args:
        kb: the facts; background predicates among them are known to whoever is told.
        settings: what to minimise and to spend.
        report: told of phases and improvements.
        stop: ends the search early; the best message so far is returned.
    """
    settings = settings.checked()
    goal = goal_of(settings)
    if not kb.size:
        raise InputError("there are no facts to learn from")
    stop = stop or StopToken()
    if settings.time_limit is not None:
        stop.allow(settings.time_limit)
    clock, began = Clock(report), perf_counter()
    history: list[Improved] = []

    def improved(found: Compressed) -> None:
        mistakes, kept = counts_of(found.choices)
        gap = (found.bits - found.bound) / max(1.0, found.bits)
        seconds = perf_counter() - began
        history.append(Improved(mistakes, kept, found.bound, gap, seconds, "message", found.bits))
        report(history[-1])

    with clock.phase("rules"):
        compressor = Compressor(kb, Effort(stopped=lambda: stop.stopped), goal)
        found = compressor.run()
        improved(found)
    with clock.phase("programs"):
        programs = programs_of_choices(found.choices, compressor.tables, compressor.background, found.latents)
    return LearnedMessage(found, programs, clock.seconds, history, stop.reason)
