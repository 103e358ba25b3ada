"""Learning from data that stay where they are: a sample shows the rules, all of the data judges them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Any

from logicoder.base.clock import Clock
from logicoder.base.progress import Reporter, silent
from logicoder.base.stopping import PartToken, StopToken
from logicoder.compression.stored_search import StoredSearch
from logicoder.engine.sql.sample import sampled
from logicoder.kb.canonical_order import in_canonical_order
from logicoder.kb.schema import Schema
from logicoder.learner.checkpoint import Checkpoint
from logicoder.learner.compress import LearnedMessage, compress
from logicoder.learner.learn import Learned, learn

if TYPE_CHECKING:
    from pathlib import Path

    from logicoder.compression.compressed import Compressed
    from logicoder.compression.learned_plan import Compressor
    from logicoder.engine.sql.stored_data import StoredData
    from logicoder.kb.knowledge_base import KnowledgeBase
    from logicoder.learner.settings import Settings
    from logicoder.logic.terms import Program

SAMPLE = 200_000
"""Facts that are brought into memory at the most."""

_LONGEST, _GRACE = 1.1, 0.5
"""The part of a time limit, and the seconds beyond it, after which no query goes on."""


def compress_stored(
    data: StoredData,
    settings: Settings,
    background: Program,
    *,
    most: int = SAMPLE,
    checkpoint: str | Path | None = None,
    resume: bool = False,
    report: Reporter = silent,
    seconds: float | None = None,
    **options: Any,
) -> tuple[KnowledgeBase, LearnedMessage]:
    """Learn how to say stored data in few bits.

    Args:
        data: the facts, more of them than may be brought into memory.
        settings: what to minimise and to spend.
        background: a program whose predicates clauses may use.
        most: facts that may be brought into memory.
        checkpoint: the folder that keeps the best plan of the sample, which all facts judge again.
        resume: take up what is there.
        report: told of phases and improvements.
        seconds: the time that there is for all of it, if it is limited.
        options: as `compress` takes them.

    Returns:
        what was brought into memory, and what was learned.
    """
    began = monotonic()
    known, kb = sample_of(data, background, most, report)
    left = None if seconds is None else max(0.0, seconds - (monotonic() - began))

    def judge(compressor: Compressor, found: Compressed) -> Compressed:
        known.session.stop = compressor.effort.stop
        return StoredSearch(compressor, found, known, kb.schema).message()

    folder = nullcontext() if checkpoint is None else Checkpoint(checkpoint, kb, settings, resume=resume)
    with folder as kept:
        return kb, compress(
            kb, settings, judge=judge, checkpoint=kept, report=report, seconds=left, **options
        )


def select_stored(
    data: StoredData,
    settings: Settings,
    background: Program,
    *,
    most: int = SAMPLE,
    checkpoint: str | Path | None = None,
    resume: bool = False,
    report: Reporter = silent,
    **options: Any,
) -> tuple[StoredData, KnowledgeBase, Learned]:
    """Let a solver select clauses for stored data, from a sample of them.

    Args:
        data: the facts, more of them than may be brought into memory.
        settings: what to consider, demand and spend.
        background: a program whose predicates clauses may use.
        most: facts that may be brought into memory.
        checkpoint: the folder that keeps the problem of the sample and the best selection.
        resume: take up what is there.
        report: told of phases and improvements.
        options: as `learn` takes them.

    Returns:
        the data with what the background derives, what was brought into memory, and what was learned.
    """
    began = monotonic()
    known, kb = sample_of(data, background, most, report)
    kb = in_canonical_order(kb)
    settings = settings.left_since(began)
    folder = nullcontext() if checkpoint is None else Checkpoint(checkpoint, kb, settings, resume=resume)
    with folder as kept:
        return known, kb, learn(kb, settings, checkpoint=kept, report=report, **options)


@contextmanager
def limited(data: StoredData, settings: Settings, stop: StopToken, report: Reporter) -> Iterator[StopToken]:
    """Have queries end soon after the time limit, and tell of their steps; yield what ends them."""
    session, token = data.session, PartToken(stop)
    if settings.time_limit is not None:
        token.allow(_LONGEST * settings.time_limit + _GRACE)
    session.stop, session.report = token, report
    try:
        yield token
    finally:
        session.stop, session.report = stop, silent


def sample_of(
    data: StoredData, background: Program, most: int, report: Reporter
) -> tuple[StoredData, KnowledgeBase]:
    """Return the data with what a background program derives, and some of them in memory."""
    with Clock(report).phase("sample") as counts, data.session.in_time("a sample of the data was taken"):
        known = data.with_background(background)
        kb = _marked(sampled(known, most)[0], background)
        counts["facts"] = len(kb)
    return known, kb


def _marked(kb: KnowledgeBase, background: Program) -> KnowledgeBase:
    """Return a knowledge base whose predicates of a background program are known to be background."""
    names = set(background.defined())
    predicates = {n: replace(p, background=True) if n in names else p for n, p in kb.schema.items()}
    return kb.with_schema(Schema(predicates, kb.schema.domains, kb.schema.evidence)) if names else kb
