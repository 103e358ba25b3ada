"""What a fit to data that stay where they are came to: counted where they are, or on a sample if stopped."""

from __future__ import annotations

import logging
from dataclasses import asdict, replace
from time import monotonic
from typing import TYPE_CHECKING, Any

from logicoder.autoencoder.fit_results import (
    layer_of_message,
    message_attributes,
    results_of,
    results_of_message,
    selection_attributes,
)
from logicoder.autoencoder.message_fit import HELD_OUT_SHARE, SEARCH_SHARE
from logicoder.autoencoder.stored_layer import StoredLayer
from logicoder.autoencoder.stored_unseen import stored_split, stored_unseen
from logicoder.base.effort import StoppedError
from logicoder.base.progress import Reporter, silent
from logicoder.base.stopping import PartToken, StopToken
from logicoder.learner.goal import goal_of
from logicoder.learner.stored import SAMPLE, compress_stored, limited, select_stored
from logicoder.learner.stored_selection import SelectionCounts, tell_unmet

if TYPE_CHECKING:
    from fractions import Fraction

    from logicoder.engine.sql.stored_data import StoredData
    from logicoder.kb.knowledge_base import KnowledgeBase
    from logicoder.learner.compress import LearnedMessage
    from logicoder.learner.settings import Settings
    from logicoder.logic.terms import Program

_log = logging.getLogger("logicoder")


def fit_stored(
    data: StoredData,
    settings: Settings,
    background: Program,
    holdout: Fraction | None = None,
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
        holdout: the share of the data that is left out first; None where only interpretations may be.
        report: told of phases and improvements.
        stop: ends the search early.
        options: as `compress_stored` takes them.
    """
    stop = stop or StopToken()
    began, limit = monotonic(), settings.time_limit
    with limited(data, settings, stop, report) as whole:
        unseen = _unseen(data, settings, background, holdout, whole, most=options.get("most", SAMPLE))
        seconds = None if limit is None else max(0.0, SEARCH_SHARE * limit - (monotonic() - began))
        kb, learned = compress_stored(
            data, settings, background, report=report, stop=stop, seconds=seconds, **options
        )
        return {**_counted(data, settings, background, kb, learned, whole), "unseen_": unseen}


def _unseen(
    data: StoredData,
    settings: Settings,
    background: Program,
    holdout: Fraction | None,
    stop: StopToken,
    *,
    most: int,
) -> dict[str, Any] | None:
    """Return how a program learned from one part of the data does on the other; None if none is held out."""
    split = stored_split(data, holdout, settings.seed)
    if split is None:
        return None
    limit = settings.time_limit
    seconds = None if limit is None else HELD_OUT_SHARE * limit
    try:
        kb, learned = compress_stored(split.seen, settings, background, most=most, stop=stop, seconds=seconds)
        data.session.stop = stop
        found = stored_unseen(layer_of_message(kb, learned, background), split)
        data.session.drop(*split.made)
    except StoppedError:
        _log.warning("stopped before facts that were held out were counted")
        return None
    finally:
        data.session.stop = stop
    return found


def _counted(
    data: StoredData,
    settings: Settings,
    background: Program,
    kb: KnowledgeBase,
    learned: LearnedMessage,
    stop: StopToken,
) -> dict[str, Any]:
    """Return the results of a message, counted on all facts if there was time to judge it."""
    data.session.stop = stop

    def of_sample(uncounted: str) -> dict[str, Any]:
        found = results_of_message(kb, goal_of(settings), learned, background)
        return _about(_told_partly(found, uncounted), data, len(kb))

    if not learned.judged:
        return of_sample("all facts were")
    layer = StoredLayer(layer_of_message(kb, learned, background), data)
    try:
        represented = layer.encoded()
        wrong = layer.exceptions(represented)
        scores = layer.scores(represented, wrong)
        kept = {name: layer.count(relation) for name, relation in represented.items()}
        exceptions = sum(map(layer.count, (*wrong.missing.values(), *wrong.false.values())))
    except StoppedError:
        return of_sample("the loss was")
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
    limit = settings.time_limit
    searching = settings if limit is None else replace(settings, time_limit=SEARCH_SHARE * limit)
    with limited(data, settings, stop, options.get("report", silent)):
        known, kb, learned = select_stored(data, searching, background, stop=PartToken(stop), **options)
    results = results_of(kb, settings, learned)
    try:
        counted, demanded = SelectionCounts(known, kb.schema).of(learned, settings)
    except StoppedError:
        return _about(_told_partly(results, "all facts were"), data, len(kb))
    tell_unmet(demanded)
    facts = {name: known.counts.get(name, 0) for name in kb.schema}
    found = selection_attributes(kb.schema, facts, settings, counted)
    if not all(one.holds for one in demanded):
        found["status_"] = "feasible"
    found["statistics_"] = results["statistics_"]
    return _about(found, data, len(kb), constraints=[asdict(one) for one in demanded])


def _told_partly(results: dict[str, Any], uncounted: str) -> dict[str, Any]:
    """Return results after telling that they are those of the sample."""
    _log.warning(
        "stopped before %s counted: the figures are for %s facts of a sample",
        uncounted,
        f"{results['facts_']:,}",
    )
    return results


def _about(results: dict[str, Any], data: StoredData, sample: int, **more: Any) -> dict[str, Any]:
    told = {**results["statistics_"], "engine": {**engine_record(data, sample), **more}}
    return {**results, "statistics_": told}


def engine_record(data: StoredData, sample: int) -> dict[str, Any]:
    """Return where results come from: the system, and how many facts were brought into memory."""
    return {"name": data.session.name, "facts_in_memory": sample}
