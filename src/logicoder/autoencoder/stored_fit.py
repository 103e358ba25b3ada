"""What a fit to data that stay where they are came to: counted where they are, or on a sample if stopped."""

from __future__ import annotations

import logging
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from logicoder.autoencoder.fit_results import (
    layer_of_message,
    message_attributes,
    results_of,
    results_of_message,
    selection_attributes,
)
from logicoder.autoencoder.layer import Layer
from logicoder.autoencoder.message_fit import SEARCH_SHARE
from logicoder.autoencoder.stored_layer import StoredLayer
from logicoder.autoencoder.stored_selection import counted_selection
from logicoder.base.effort import StoppedError
from logicoder.base.progress import Reporter, silent
from logicoder.base.stopping import PartToken, StopToken
from logicoder.learner.goal import goal_of
from logicoder.learner.stored import compress_stored, select_stored

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


def select_for_stored(
    data: StoredData,
    settings: Settings,
    background: Program,
    *,
    stop: StopToken | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Return the results of letting a solver select clauses for stored data.

    Args:
        data: the facts.
        settings: what to consider, demand and spend.
        background: a program whose predicates clauses may use.
        stop: ends the search early.
        options: as `select_stored` takes them.
    """
    stop = stop or StopToken()
    data.session.stop = stop
    limit = settings.time_limit
    searching = settings if limit is None else replace(settings, time_limit=SEARCH_SHARE * limit)
    known, kb, learned = select_stored(data, searching, background, stop=PartToken(stop), **options)
    results = results_of(kb, settings, learned)
    layer = StoredLayer(Layer(learned.encoder, learned.decoder, kb.schema, background), data)
    try:
        counted, demanded = counted_selection(learned, settings, layer, known, kb.schema)
    except StoppedError:
        _log.warning("stopped before all facts were counted: the figures are for %d facts", len(kb))
        return _about(results, data, len(kb))
    for one in demanded:
        if not one.holds:
            _log.warning("%s: the sample satisfies this, but all facts have %s", one.asked, one.found)
    facts = {name: known.counts.get(name, 0) for name in kb.schema}
    found = selection_attributes(kb.schema, facts, settings, counted)
    if not all(one.holds for one in demanded):
        found["status_"] = "feasible"
    found["statistics_"] = results["statistics_"]
    return _about(found, data, len(kb), constraints=[asdict(one) for one in demanded])


def _about(results: dict[str, Any], data: StoredData, sample: int, **more: Any) -> dict[str, Any]:
    told = {**results["statistics_"], "engine": {**engine_record(data, sample), **more}}
    return {**results, "statistics_": told, "unseen_": None}


def engine_record(data: StoredData, sample: int) -> dict[str, Any]:
    """Return where results come from: the system, and how many facts were brought into memory."""
    return {"name": data.session.name, "facts_in_memory": sample}
