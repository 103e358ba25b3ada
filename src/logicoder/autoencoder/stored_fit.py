"""What a fit to data that stay where they are came to: counted where they are, or on a sample if stopped."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from logicoder.autoencoder.fit_results import layer_of_message, message_attributes, results_of_message
from logicoder.autoencoder.stored_layer import StoredLayer
from logicoder.base.effort import StoppedError
from logicoder.base.errors import UsageError
from logicoder.base.progress import Reporter, silent
from logicoder.base.stopping import StopToken
from logicoder.learner.goal import goal_of, selects
from logicoder.learner.stored import compress_stored

if TYPE_CHECKING:
    from logicoder.engine.sql.stored_data import StoredData
    from logicoder.learner.settings import Settings
    from logicoder.logic.terms import Program

_log = logging.getLogger("logicoder")


def fit_stored(
    data: StoredData,
    settings: Settings,
    background: Program,
    *,
    report: Reporter = silent,
    stop: StopToken | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Return the results of learning how to say stored data in few bits.

    Args:
        data: the facts.
        settings: what to minimise and to spend.
        background: a program whose predicates clauses may use.
        report: told of phases and improvements.
        stop: ends the search early.
        options: as `compress_stored` takes them.
    """
    if selects(settings):
        raise UsageError(
            "engines other than arrays learn by description length; a solver needs the data in memory: leave "
            "out its settings, choose the engine arrays, or raise `max_sample` to the "
            f"{len(data):,} facts of this data"
        )
    stop = stop or StopToken()
    data.session.stop = stop
    kb, learned = compress_stored(data, settings, background, report=report, stop=stop, **options)
    data.session.stop = stop
    if not learned.judged:
        _log.warning("stopped before all facts were counted: the figures are for %d facts", len(kb))
        return _about(results_of_message(kb, goal_of(settings), learned, background), data, len(kb))
    layer = StoredLayer(layer_of_message(kb, learned, background), data)
    try:
        represented = layer.encoded()
        wrong = layer.exceptions(represented)
        scores = layer.scores(represented, wrong)
        kept = {name: layer.count(relation) for name, relation in represented.items()}
        exceptions = sum(map(layer.count, (*wrong.missing.values(), *wrong.false.values())))
    except StoppedError:
        _log.warning("stopped before the loss was counted: the figures are for %d facts", len(kb))
        return _about(results_of_message(kb, goal_of(settings), learned, background), data, len(kb))
    facts = sum(score.facts for score in scores)
    found = message_attributes(kb.schema, goal_of(settings), learned, facts, scores, kept, exceptions)
    return _about(found, data, len(kb))


def _about(results: dict[str, Any], data: StoredData, sample: int) -> dict[str, Any]:
    told = {**results["statistics_"], "engine": engine_record(data, sample)}
    return {**results, "statistics_": told, "unseen_": None}


def engine_record(data: StoredData, sample: int) -> dict[str, Any]:
    """Return where results come from: the system, and how many facts were brought into memory."""
    return {"name": data.session.name, "facts_in_memory": sample}
