"""The main loop: enumerate candidates, select, and where facts are still lost, enumerate more."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from logicoder.base.clock import Clock
from logicoder.base.errors import InfeasibleError, InputError, LogicoderError, SearchError, UsageError
from logicoder.base.numbers import exact_fraction
from logicoder.base.progress import Event, Improved, Reporter, silent
from logicoder.base.stopping import StopToken
from logicoder.candidates.enumeration import Enumeration
from logicoder.learner.naming import programs_of
from logicoder.learner.settings import Settings
from logicoder.problem.bottlenecks import bottlenecks_of, with_bottlenecks
from logicoder.problem.model import Problem
from logicoder.selection import Solution, Solver, solver_named
from logicoder.selection.search import Keeper
from logicoder.selection.solvers import forget

if TYPE_CHECKING:
    from logicoder.kb.knowledge_base import KnowledgeBase
    from logicoder.learner.checkpoint import Checkpoint
    from logicoder.logic.terms import Program

logger = logging.getLogger("logicoder")

_GRACE = 10.0
"""Seconds beyond the time limit, or once more the limit if that is longer, that enumerating may take."""

_LEAST_SEARCH = 2.0
"""Seconds that the search gets even where enumerating candidates used up the time limit."""

_SCREENED_SHARE = 10
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
        bound_scope: what the bound covers: `pruned` candidates, all `enumerated` ones, or the `language`.
    """

    encoder: Program
    decoder: Program
    problem: Problem
    solution: Solution
    candidates: dict[str, Any]
    seconds: dict[str, float]
    history: list[Improved]
    bound_scope: str


@dataclass(frozen=True)
class TimeBudget:
    """Divides a time limit, if there is one, between enumerating candidates and searching.

    Candidates must be enumerated before there is any program: they get more than the limit if they need it,
    and the search gets its share in any case.
    """

    limit: float | None
    stop: StopToken
    started: float

    @classmethod
    def begin(cls, settings: Settings, stop: StopToken) -> TimeBudget:
        """Start the clock."""
        limit = settings.time_limit
        if limit is not None:
            stop.allow(_enumeration_seconds(limit))
        return cls(limit, stop, perf_counter())

    def begin_search(self) -> None:
        """Give the search what is left."""
        if self.limit is not None:
            share = max(_LEAST_SEARCH, self.limit / 10)
            self.stop.allow(max(self.limit - (perf_counter() - self.started), share))


def _enumeration_seconds(limit: float) -> float:
    """Return how long enumerating candidates may take under a time limit."""
    return max(2 * limit, limit + _GRACE)


@dataclass
class _Run:
    """One run of learning: what all its selections share."""

    settings: Settings
    clock: Clock
    stop: StopToken
    checkpoint: Checkpoint | None
    history: list[Improved]
    spent: float = 0.0

    def solve(
        self,
        problem: Problem,
        candidates: dict[str, Any],
        effort: float,
        start: Sequence[int] | None,
        *,
        explain: bool = True,
    ) -> Solution:
        """Select from a problem within an effort; a checkpoint keeps both."""
        solver = replace(solver_of(self.settings), effort=effort)
        report = self._listener()
        with self.clock.phase("solve"):
            keep: Keeper = forget
            if self.checkpoint is not None:
                self.checkpoint.save_problem(problem, candidates, start)
                keep = self.checkpoint.save_selection
            solution = solver.solve(
                problem,
                seed=self.settings.seed,
                stop=self.stop,
                report=report,
                start=start,
                keep=keep,
                explain=explain,
            )
            keep(solution)
        self.spent += solution.effort
        return solution

    def _listener(self) -> Reporter:
        started = self.history[-1].seconds if self.history else 0.0
        began = perf_counter()

        def listen(event: Event) -> None:
            if isinstance(event, Improved):
                seconds = started + perf_counter() - began
                event = replace(event, seconds=seconds)
                self.history.append(event)
            self.clock.report(event)

        return listen


def learn(
    kb: KnowledgeBase,
    settings: Settings,
    *,
    report: Reporter = silent,
    stop: StopToken | None = None,
    checkpoint: Checkpoint | None = None,
    origins: Mapping[str, frozenset[str]] | None = None,
) -> Learned:
    """Learn an auto-encoding logic program.

    Args:
        kb: the facts; background predicates among them are used but not reconstructed.
        settings: what to consider, demand and spend.
        report: told of phases and improvements.
        stop: ends the selection early; the best program so far is returned.
        checkpoint: keeps the problem and the best selection on disk, and takes up what is there.
        origins: what predicates of the data were derived from, if they were; latents depend on that too.
    """
    settings = settings.checked()
    if not kb.size:
        raise InputError("there are no facts to learn from")
    run = _Run(settings, Clock(report), stop or StopToken(), checkpoint, [])
    budget = TimeBudget.begin(settings, run.stop)
    kept = checkpoint.problem() if checkpoint is not None else None
    enumeration = None if kept else Enumeration(kb, settings, run.clock, run.stop, origins)
    if enumeration is not None:
        problem = enumeration.first_problem()
        candidates = enumeration.counts
    else:
        assert kept is not None  # noqa: S101  (there is a checkpoint)
        problem, candidates = kept
        run.clock.seconds |= dict.fromkeys(PHASES[:3], 0.0)
    start = checkpoint.selection() if checkpoint is not None else None
    return _selected(kb, run, enumeration, problem, candidates, start, budget)


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
    if not kb.size:
        raise InputError("there are no facts to learn from")
    clock, patience = Clock(report), StopToken()
    if general.time_limit is not None:
        patience.allow(len(every) * _enumeration_seconds(general.time_limit))
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
        run = _Run(own, Clock(report, dict(clock.seconds)), stop, None, [])
        branch = enumeration.branch(own, run.clock, stop)
        bounded = replace(
            with_bottlenecks(problem, [b.at(own.gamma) for b in bottlenecks_of(own.bottlenecks)]),
            mask=exact_fraction("mask_weight", own.mask_weight).as_integer_ratio(),
        )
        try:
            yield _selected(kb, run, branch, bounded, branch.counts, None)
        except (InfeasibleError, SearchError) as error:
            yield error


def _selected(
    kb: KnowledgeBase,
    run: _Run,
    enumeration: Enumeration | None,
    problem: Problem,
    candidates: dict[str, Any],
    start: Sequence[int] | None,
    budget: TimeBudget | None = None,
) -> Learned:
    """Select from a first problem, and from further ones where there are more candidates."""
    if enumeration is not None and enumeration.large:
        run.settings = replace(run.settings, effort=run.settings.effort / _SCREENED_SHARE)
    if enumeration is not None and enumeration.guided:
        guide = _guide(run, problem, min(_GUIDING, run.settings.effort / 4))
        problem, start = enumeration.exact_problem(_chosen(guide))
    if budget is not None:
        budget.begin_search()
    if enumeration is None or enumeration.complete:
        solution = run.solve(problem, candidates, run.settings.effort, start)
    else:
        problem, solution = _in_rounds(run, enumeration, problem, start)
        candidates = enumeration.counts
    for name in problem.irreparable:
        logger.warning("no clause rebuilds %s with fewer than half of its atoms false", name)
    encoder, decoder = programs_of(problem, solution, set(kb.schema))
    scope = bound_scope(candidates, run.settings, solution)
    return Learned(encoder, decoder, problem, solution, candidates, run.clock.seconds, run.history, scope)


def _in_rounds(
    run: _Run, enumeration: Enumeration, problem: Problem, start: Sequence[int] | None
) -> tuple[Problem, Solution]:
    """Select, look for candidates where the program still loses, and select again.

    The first selection gets half of the effort, every round an equal share of the rest, and what is left goes
    into the last selection.
    """
    effort = run.settings.effort
    share = effort / 2 / (run.settings.rounds + 1)
    solution = _first_solution(run, enumeration, problem, effort / 2, start)
    while (solution is None or solution.objective > 0) and run.spent < effort and not run.stop.stopped:
        guide = _guide(run, problem, share) if solution is None else solution
        try:
            grown = _grown(run, enumeration, guide, share)
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
    run: _Run, enumeration: Enumeration, guide: Solution | None, effort: float
) -> tuple[Problem, list[int] | None] | None:
    """Return a problem with further candidates, and the program so far; None after the last round."""
    if not enumeration.guided:
        return enumeration.next_problem(_chosen(guide))
    samples = enumeration.next_guide(_chosen(guide))
    if samples is None:
        return None
    return enumeration.exact_problem(_chosen(_guide(run, samples, min(_GUIDING, effort))))


def _chosen(solution: Solution | None) -> Sequence[int] | None:
    return None if solution is None else solution.decoders


def _first_solution(
    run: _Run,
    enumeration: Enumeration,
    problem: Problem,
    effort: float,
    start: Sequence[int] | None = None,
) -> Solution | None:
    """Return a selection from part of the candidates; None where they do not suffice for any."""
    try:
        return run.solve(problem, enumeration.counts, effort, start, explain=False)
    except InfeasibleError:
        return None
    except SearchError:
        if run.stop.stopped:
            raise
        return run.solve(problem, enumeration.counts, run.settings.effort, None)


def _guide(run: _Run, problem: Problem, effort: float) -> Solution | None:
    """Return a program that need not rebuild every predicate: it shows where candidates are wanting."""
    solver = replace(solver_of(run.settings), effort=effort)
    try:
        relaxed = replace(problem, requirements=())
        return solver.solve(relaxed, seed=run.settings.seed, stop=run.stop, explain=False)
    except (InfeasibleError, SearchError):
        return None


def _or_explained(run: _Run, enumeration: Enumeration, problem: Problem, effort: float) -> Solution:
    """Select, or say why there is nothing to select, and that other candidates may change that."""
    try:
        return run.solve(problem, enumeration.counts, effort, None)
    except InfeasibleError as error:
        rounds = enumeration.counts["rounds"]
        raise InfeasibleError(
            f"{error}\n  These are only some of the candidates, combined in {rounds} rounds: "
            "a larger working_set (--working-set) or more rounds (--rounds) may find others."
        ) from None


def solver_of(settings: Settings) -> Solver:
    """Return the solver that the settings ask for."""
    return solver_named(
        settings.solver,
        alpha=settings.alpha,
        beta=settings.beta,
        effort=settings.effort,
        objective=settings.objective,
    )


def enumerate_problem(
    kb: KnowledgeBase, settings: Settings, clock: Clock, stop: StopToken
) -> tuple[Problem, dict[str, Any]]:
    """Enumerate and evaluate candidates, and build the problem; return it with the counts of candidates."""
    enumeration = Enumeration(kb, settings, clock, stop)
    problem = enumeration.first_problem()
    if enumeration.guided:
        problem, _ = enumeration.exact_problem(None)
    return problem, enumeration.counts


def bound_scope(candidates: dict[str, Any], settings: Settings, solution: Solution | None = None) -> str:
    """Return what a bound covers: all `enumerated` candidates if no rule can have lost the optimum.

    That a loss is not below zero holds for the whole `language`, whatever was pruned.

    Signature variants can stand for each other in every selection, and so can naming variants as long as
    generality lets only one of them be selected. Clauses that rebuild nothing are no loss by themselves, but
    under a bottleneck on the mean a small latent that only they use could make room for a larger one.
    Under other bottlenecks they are no loss at all, nor is a second name for the same facts, unless something
    is required that only they have. What is forbidden is not in question. Where bits count, a clause that was
    left out for another one of no more literals may still be the cheaper one.
    """
    if solution is not None and solution.bound == 0:
        return "language"
    kinds = {bottleneck.kind for bottleneck in bottlenecks_of(settings.bottlenecks)}
    harmless = {"forbidden", "forbidden_decoders", "repeated"}
    if not settings.require and "average" not in kinds:
        harmless |= {"empty", "unsupported"}
    if settings.objective != "bits" and "bits" not in kinds:
        harmless.add("signature_variants")
        if settings.generality or harmless >= {"empty", "unsupported"}:
            harmless.add("naming_variants")
        if settings.prunes_dominated:
            harmless.add("dominated")
            # Long bodies are left out whatever the size of their latents, and parts may be forbidden later.
            if not settings.forbid and (settings.decoder_length < 3 or "average" not in kinds):
                harmless.add("extensions")
    lost = any(count for rule, count in candidates["pruned"].items() if rule not in harmless)
    # Rounds look only where the program of the moment can gain.
    return "pruned" if lost or candidates["rounds"] else "enumerated"
