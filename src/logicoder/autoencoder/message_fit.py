"""A fit by description length: what is held out first, then all of the data, within the time there is."""

from __future__ import annotations

from fractions import Fraction
from time import monotonic
from typing import Any

from logicoder.autoencoder.fit_results import layer_of_message, results_of_message
from logicoder.autoencoder.unseen import split_of, unseen_of
from logicoder.base.progress import Reporter
from logicoder.base.stopping import StopToken
from logicoder.compression.plan import Plan
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.learner.checkpoint import Checkpoint
from logicoder.learner.compress import compress
from logicoder.learner.goal import goal_of
from logicoder.learner.settings import Settings
from logicoder.logic.terms import Program

SEARCH_SHARE = 0.85
"""The part of a time limit that the search for a short message has."""

_SECONDS_PER_FACT = 4e-6
"""What running the programs of a message takes after the search, at most half of a time limit."""

HELD_OUT_SHARE = 0.25
"""The part of it for learning from what was not held out."""


def fit_message(
    kb: KnowledgeBase,
    settings: Settings,
    background: Program,
    holdout: Fraction | None,
    *,
    report: Reporter,
    stop: StopToken | None = None,
    checkpoint: Checkpoint | None = None,
    start: Plan | None = None,
) -> dict[str, Any]:
    """Return the results of learning how to say data in few bits.

    Args:
        kb: the data, with what the background derives.
        settings: what to minimise and to spend.
        background: the background program.
        holdout: the share of the data that is left out first; None where only interpretations may be.
        report: told of phases and improvements.
        stop: ends the search early.
        checkpoint: keeps the best message on disk.
        start: a plan to begin with.
    """
    split = split_of(kb, holdout, settings.seed)
    unseen = None
    began, limit = monotonic(), settings.time_limit
    if split is not None:
        seconds = None if limit is None else HELD_OUT_SHARE * limit
        part = compress(split.seen, settings, stop=stop, seconds=seconds)
        unseen = unseen_of(layer_of_message(split.seen, part, background), split)
    # What comes after the search takes a while, too.
    seconds = None
    if limit is not None:
        until = min(SEARCH_SHARE * limit, max(limit / 2, limit - _SECONDS_PER_FACT * kb.size))
        seconds = max(0.0, until - (monotonic() - began))
    learned = compress(
        kb, settings, report=report, stop=stop, seconds=seconds, checkpoint=checkpoint, start=start
    )
    return {**results_of_message(kb, goal_of(settings), learned, background), "unseen_": unseen}
