"""Learning by description length: a message that says the data in few bits, and its programs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING

from logicoder.base.clock import Clock
from logicoder.base.effort import Effort, StoppedError
from logicoder.base.errors import InputError
from logicoder.base.progress import Improved, Reporter, silent
from logicoder.base.stopping import PartToken, StopToken
from logicoder.compression.learned_plan import Compressor
from logicoder.compression.plan_programs import Programs, counts_of, programs_of_choices
from logicoder.learner.goal import goal_of

if TYPE_CHECKING:
    from logicoder.compression.compressed import Compressed
    from logicoder.compression.plan import Plan
    from logicoder.kb.knowledge_base import KnowledgeBase
    from logicoder.learner.checkpoint import Checkpoint
    from logicoder.learner.settings import Settings


_SAMPLE_SHARE = 0.5
"""The part of a time limit that is for a sample, where there is one."""

_WHOLE = 120.0
"""The effort with which all the work is done that the data deserve."""


@dataclass(frozen=True)
class LearnedMessage:
    """What was learned.

    Attributes:
        found: how each predicate is said.
        programs: the same as programs.
        seconds: time of each phase.
        history: every improvement, in order.
        stopped: why the search ended early, if it did.
        judged: whether what was found in a sample was judged by all data.
    """

    found: Compressed
    programs: Programs
    seconds: dict[str, float]
    history: list[Improved] = field(default_factory=list)
    stopped: str | None = None
    judged: bool = False


Judge = Callable[[Compressor, "Compressed"], "Compressed"]
"""Makes a message about all data of what was found in a sample."""


def compress(
    kb: KnowledgeBase,
    settings: Settings,
    *,
    report: Reporter = silent,
    stop: StopToken | None = None,
    seconds: float | None = None,
    checkpoint: Checkpoint | None = None,
    judge: Judge | None = None,
    start: Plan | None = None,
) -> LearnedMessage:
    """Learn how to say data in few bits.

    Args:
        kb: the facts; background predicates among them are known to whoever is told.
        settings: what to minimise and to spend.
        report: told of phases and improvements.
        stop: ends the search early; the best message so far is returned.
        seconds: the time that the search has, if it is limited.
        checkpoint: keeps the best message on disk, and takes up what is there.
        judge: makes a message about all data of one about a sample of them.
        start: a plan to begin with, where there is no checkpoint.
    """
    if not kb.size:
        raise InputError("there are no facts to learn from")
    token = PartToken(stop)
    if seconds is not None:
        token.allow(seconds if judge is None else _SAMPLE_SHARE * seconds)
    clock, began = Clock(report), perf_counter()
    history: list[Improved] = []

    told: list[Compressed] = []

    def improved(found: Compressed) -> None:
        told.append(found)
        mistakes, kept = counts_of(found.choices)
        gap = (found.cost - found.bound) / max(1.0, found.cost)
        spent = perf_counter() - began
        history.append(Improved(mistakes, kept, found.bound, gap, spent, "message", found.cost))
        report(history[-1])
        if checkpoint is not None:
            checkpoint.save_plan(found.plan)

    with clock.phase("rules"):
        effort = Effort.of(kb.size, len(kb.symbols), settings.max_memory, token)
        effort.work = int(effort.work * settings.effort / _WHOLE)
        start = start if checkpoint is None else checkpoint.plan()
        compressor = Compressor(
            kb, effort, silent, improved, goal_of(settings), start, sampled=judge is not None
        )
        found = _or_plain(compressor.run(), told[0], goal_of(settings))
    judged = judge is not None
    if judge is not None:
        with clock.phase("counts"):
            if seconds is not None:
                token.allow(max(0.0, seconds - (perf_counter() - began)))
            try:
                found = judge(compressor, found)
            except StoppedError:
                judged, found = False, replace(found, stopped=token.reason)
    with clock.phase("programs"):
        programs = programs_of_choices(found.choices, compressor.tables, compressor.background, found.latents)
    return LearnedMessage(found, programs, clock.seconds, history, found.stopped, judged)


def _or_plain(found: Compressed, identity: Compressed, goal: str) -> Compressed:
    """Return what was found, or the data themselves where not even that is shorter than the plain facts."""
    if goal != "bits" or found.bits < found.plain_bits:
        return found
    proved = {name: getattr(found, name) for name in ("bound", "bound_scope", "optimal")}
    return replace(identity, stopped=found.stopped, **proved)
