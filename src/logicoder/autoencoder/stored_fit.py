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
from logicoder.logic.terms import Program

if TYPE_CHECKING:
    from logicoder.engine.sql.stored_data import StoredData
    from logicoder.learner.settings import Settings

_log = logging.getLogger("logicoder")


def fit_stored(
    data: StoredData,
    settings: Settings,
    *,
    most: int,
    report: Reporter = silent,
    stop: StopToken | None = None,
    seconds: float | None = None,
) -> dict[str, Any]:
    """Return the results of learning how to say stored data in few bits.

    Args:
        data: the facts.
        settings: what to minimise and to spend.
        most: facts that may be brought into memory.
        report: told of phases and improvements.
        stop: ends the search early.
        seconds: the time that the search has, if it is limited.
    """
    if selects(settings):
        raise UsageError(
            "engines other than arrays learn by description length; a solver needs the data in memory: "
            "leave out its settings, or choose the engine arrays"
        )
    stop = stop or StopToken()
    data.session.stop = stop
    kb, whole, learned = compress_stored(data, settings, most=most, report=report, stop=stop, seconds=seconds)
    data.session.stop = stop
    if whole or not learned.judged:
        if not whole:
            _log.warning("stopped before all facts were counted: the figures are for %d facts", len(kb))
        return _about(results_of_message(kb, goal_of(settings), learned, Program()), data, len(kb))
    layer = StoredLayer(layer_of_message(kb, learned, Program()), data)
    try:
        represented = layer.encoded()
        wrong = layer.exceptions(represented)
        scores = layer.scores(represented, wrong)
        kept = {name: layer.count(relation) for name, relation in represented.items()}
        exceptions = sum(map(layer.count, (*wrong.missing.values(), *wrong.false.values())))
    except StoppedError:
        _log.warning("stopped before the loss was counted: the figures are for %d facts", len(kb))
        return _about(results_of_message(kb, goal_of(settings), learned, Program()), data, len(kb))
    facts = sum(score.facts for score in scores)
    found = message_attributes(kb.schema, goal_of(settings), learned, facts, scores, kept, exceptions)
    return _about(found, data, len(kb))


def _about(results: dict[str, Any], data: StoredData, sample: int) -> dict[str, Any]:
    """Return results that tell where they come from."""
    engine = {"name": data.session.name, "facts_in_memory": sample}
    return {**results, "statistics_": {**results["statistics_"], "engine": engine}, "unseen_": None}
