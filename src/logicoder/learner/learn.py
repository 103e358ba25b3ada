"""The main loop: enumerate candidates, evaluate and prune them, select; where facts are lost, look again."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from logicoder.base.clock import Clock
from logicoder.base.errors import InfeasibleError, InputError, LogicoderError, SearchError, UsageError
from logicoder.base.numbers import exact_fraction
from logicoder.base.progress import Improved, Reporter, silent
from logicoder.base.stopping import StopToken
from logicoder.candidates.candidate_counts import CandidateCounts
from logicoder.candidates.enumeration import Enumeration
from logicoder.engine.registry import DEFAULT
from logicoder.learner.bound_scope import bound_scope
from logicoder.learner.run import Run
from logicoder.learner.selected_programs import programs_of
from logicoder.learner.settings import Settings
from logicoder.learner.time_budget import TimeBudget, enumeration_seconds
from logicoder.problem.bottlenecks import bottlenecks_of, with_bottlenecks
from logicoder.problem.model import Problem
from logicoder.selection import Solution

if TYPE_CHECKING:
    from logicoder.kb.knowledge_base import KnowledgeBase
    from logicoder.learner.checkpoint import Checkpoint
    from logicoder.logic.terms import Program

logger = logging.getLogger("logicoder")

_LARGE_SHARE = 10
"""On large data the search gets one part in so many of the effort: candidates take most of the time there."""

_GUIDING = 3.0
"""Effort for a program from samples, which shows what to list in full."""

VARYING = frozenset({"compression", "mask_weight"})
"""What may vary among programs that are chosen from the same candidates."""

PHASES = ("encoders", "decoders", "problem", "solve")


@dataclass(frozen=True)
class Learned:
    """The outcome of learning.

    Attributes:
        encoder: the encoder program.
        decoder: the decoder program.
        problem: the problem that was solved.
        solution: the selection.
        candidates: counts of candidates, step by step.
        seconds: time of each phase.
        history: every improvement, in order.
        bound_scope: what the bound covers: `pruned` candidates, all `enumerated` ones, the `language`,
            or `none`.
    """

    encoder: Program
    decoder: Program
    problem: Problem
    solution: Solution
    candidates: CandidateCounts
    seconds: dict[str, float]
    history: list[Improved]
    bound_scope: str


def learn(
    kb: KnowledgeBase,
    settings: Settings,
    *,
    report: Reporter = silent,
    stop: StopToken | None = None,
    checkpoint: Checkpoint | None = None,
    origins: Mapping[str, frozenset[str]] | None = None,
    engine: str = DEFAULT,
) -> Learned:
    """Learn an auto-encoding logic program.

    Args:
        kb: the facts; background predicates among them are used but not reconstructed.
        settings: what to consider, demand and spend.
        report: told of phases and improvements.
        stop: ends the selection early; the best program so far is returned.
        checkpoint: keeps the problem and the best selection on disk, and takes up what is there.
        origins: what predicates of the data were derived from, if they were; latents depend on that too.
        engine: the name of the engine that evaluates candidates.
    """
    settings = settings.checked()
    _require_facts(kb)
    run = Run(settings, Clock(report), stop or StopToken(), checkpoint)
    budget = TimeBudget.begin(settings, run.stop)
    kept = checkpoint.problem() if checkpoint is not None else None
    if kept is not None and checkpoint is not None:
        budget.begin_search()
        anew = partial(learn, kb, report=report, stop=run.stop, origins=origins, engine=engine)
        return _resumed(kb, run, *kept, checkpoint.selection(), anew)
    enumeration = Enumeration(kb, settings, run.clock, run.stop, origins, engine)
    return _learned_from(kb, run, enumeration, enumeration.first_problem(), budget)


def _resumed(
    kb: KnowledgeBase,
    run: Run,
    problem: Problem,
    counts: CandidateCounts,
    start: Sequence[int] | None,
    anew: Callable[[Settings], Learned],
) -> Learned:
    """Go on with a problem that was kept.

    Where candidates come in rounds, the kept problem may be that of any of them, and those that were to
    follow build on candidates that are gone: then a new run has its say, too, unless nothing can be better.
    """
    run.clock.seconds |= dict.fromkeys(PHASES[:3], 0.0)
    found, in_rounds = None, bool(counts["pruned"].get("partly_combined"))
    try:
        solution = run.solve(problem, counts, run.settings.effort, start, resumed=True)
        found = _learned(kb, run, problem, solution, counts)
        if not in_rounds or run.stop.stopped or not solution.objective:
            return found
        other = anew(_in_time(run))
    except (InfeasibleError, SearchError):
        if found is not None:
            return found
        if not in_rounds or run.stop.stopped:
            raise
        return anew(_in_time(run))
    return min(other, found, key=lambda learned: learned.solution.objective)


def _in_time(run: Run) -> Settings:
    """Return the settings with the time that is left, which may be over by now."""
    left = run.stop.remaining
    return run.settings if left is None else replace(run.settings, time_limit=max(left, 0.001))


def _learned_from(
    kb: KnowledgeBase, run: Run, enumeration: Enumeration, problem: Problem, budget: TimeBudget | None = None
) -> Learned:
    """Select from a first problem, and from further ones where there are more candidates."""
    start: Sequence[int] | None = None
    if enumeration.large:
        run.settings = replace(run.settings, effort=run.settings.effort / _LARGE_SHARE)
    if enumeration.guided:
        guide = run.guide(problem, min(_GUIDING, run.settings.effort / 4))
        problem, start = enumeration.exact_problem(guide)
    if budget is not None:
        budget.begin_search()
    if enumeration.complete:
        solution = run.solve(problem, enumeration.counts, run.settings.effort, start)
    else:
        problem, solution = _in_rounds(run, enumeration, problem, start)
    return _learned(kb, run, problem, solution, enumeration.counts)


def _in_rounds(
    run: Run, enumeration: Enumeration, problem: Problem, start: Sequence[int] | None
) -> tuple[Problem, Solution]:
    """Select, look for candidates where the program still loses, and select again.

    The first selection gets half of the effort, every round an equal share of the rest, and what is left goes
    into the last selection.
    """
    effort = run.settings.effort
    share = effort / 2 / (run.settings.rounds + 1)
    solution = _first_solution(run, enumeration, problem, effort / 2, start)
    while (solution is None or solution.objective > 0) and run.spent < effort and not run.stop.stopped:
        present = run.guide(problem, share) if solution is None else solution.decoders
        try:
            grown = _grown(run, enumeration, present, share)
        except (KeyboardInterrupt, SearchError):
            run.stop.stop("interrupted")
            break
        if grown is None:
            break
        grown_problem, start = grown
        if solution is None:
            problem = grown_problem
            solution = _first_solution(run, enumeration, problem, share)
            continue
        try:
            found = run.solve(grown_problem, enumeration.counts, share, start, explain=False)
        except InfeasibleError:
            # A predicate that had no good decoder has one now, and there is no room for it.
            break
        if found.objective > solution.objective:
            break
        problem, solution = grown_problem, found
    if solution is None:
        solution = _or_explained(run, enumeration, problem, share)
    if run.stop.stopped and solution.objective > 0:
        # The last selection may have been proved the best of its problem; but further rounds were to follow.
        solution = replace(solution, stopped=run.stop.reason)
    elif solution.objective > solution.bound and run.spent < effort:
        solution = run.solve(problem, enumeration.counts, effort - run.spent, solution.decoders)
    return problem, solution


def _grown(
    run: Run, enumeration: Enumeration, present: Sequence[int] | None, effort: float
) -> tuple[Problem, list[int] | None] | None:
    """Return a problem with further candidates, and the program so far; None after the last round."""
    if not enumeration.guided:
        return enumeration.next_problem(present)
    samples = enumeration.next_guide(present)
    if samples is None:
        return None
    return enumeration.exact_problem(run.guide(samples, min(_GUIDING, effort)))


def _first_solution(
    run: Run, enumeration: Enumeration, problem: Problem, effort: float, start: Sequence[int] | None = None
) -> Solution | None:
    """Return a selection from part of the candidates; None where they do not suffice for any."""
    try:
        return run.solve(problem, enumeration.counts, effort, start, explain=False)
    except InfeasibleError:
        return None
    except SearchError:
        if run.stop.stopped:
            raise
        return run.solve(problem, enumeration.counts, run.settings.effort)


def _or_explained(run: Run, enumeration: Enumeration, problem: Problem, effort: float) -> Solution:
    """Select, or say why there is nothing to select, and that other candidates may change that."""
    try:
        return run.solve(problem, enumeration.counts, effort)
    except InfeasibleError as error:
        rounds = enumeration.counts["rounds"]
        raise InfeasibleError(
            f"{error}\n  These are only some of the candidates, combined in {rounds} rounds: "
            "a larger `working_set` or more `rounds` may find others."
        ) from None


def _learned(
    kb: KnowledgeBase, run: Run, problem: Problem, solution: Solution, candidates: CandidateCounts
) -> Learned:
    """Return what a selection stands for."""
    for name in problem.irreparable:
        logger.warning("no clause rebuilds %s with fewer than half of its atoms false", name)
    encoder, decoder = programs_of(problem, solution, set(kb.schema))
    scope = bound_scope(candidates, run.settings, solution)
    return Learned(encoder, decoder, problem, solution, candidates, run.clock.seconds, run.history, scope)


def _require_facts(kb: KnowledgeBase) -> None:
    if not kb.size:
        raise InputError("there are no facts to learn from")


def learn_several(
    kb: KnowledgeBase,
    settings: Settings,
    variations: Sequence[Mapping[str, Any]],
    *,
    report: Reporter = silent,
) -> Iterator[Learned | LogicoderError]:
    """Learn a program for each of several compressions and mask weights; candidates are enumerated once.

    Args:
        kb: the facts.
        settings: what to consider, demand and spend. The time limit is that of each selection; enumerating
            candidates may take as long as for so many fits.
        variations: values of `compression` and `mask_weight`, where they differ from the settings.
        report: told of phases and improvements.

    Yields:
        what was learned for each, or why there is no program.
    """
    for variation in variations:
        if others := variation.keys() - VARYING:
            raise UsageError(f"{', '.join(sorted(others))}: only {' and '.join(sorted(VARYING))} may vary")
    every = [replace(settings, **variation).checked() for variation in variations]
    # What may be left out under the loosest bottleneck on the mean may be left out under all others.
    general = max(every, key=lambda own: own.gamma)
    _require_facts(kb)
    clock, patience = Clock(report), StopToken()
    if general.time_limit is not None:
        patience.allow(len(every) * enumeration_seconds(general.time_limit))
    enumeration = Enumeration(kb, general, clock, patience)
    try:
        problem = enumeration.first_problem()
    except SearchError as error:
        yield from [error] * len(every)
        return
    for own in every:
        if enumeration.large:  # large data: what was evaluated depends on what was chosen before
            try:
                yield learn(kb, own, report=report)
            except (InfeasibleError, SearchError) as error:
                yield error
            continue
        stop = StopToken(own.time_limit)
        run = Run(own, Clock(report, dict(clock.seconds)), stop)
        branch = enumeration.branch(own, run.clock, stop)
        bounded = replace(
            with_bottlenecks(problem, [b.at(own.gamma) for b in bottlenecks_of(own.bottlenecks)]),
            mask=exact_fraction("mask_weight", own.mask_weight).as_integer_ratio(),
        )
        try:
            yield _learned_from(kb, run, branch, bounded)
        except (InfeasibleError, SearchError) as error:
            yield error


def enumerate_problem(
    kb: KnowledgeBase, settings: Settings, clock: Clock, stop: StopToken
) -> tuple[Problem, CandidateCounts]:
    """Enumerate and evaluate candidates, and build the problem; return it with the counts of candidates."""
    enumeration = Enumeration(kb, settings, clock, stop)
    problem = enumeration.first_problem()
    if enumeration.guided:
        problem, _ = enumeration.exact_problem(None)
    return problem, enumeration.counts
