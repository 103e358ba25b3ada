"""The main loop: enumerate encoders, enumerate decoders, build the problem, select."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any

from logicoder.base.errors import InputError, SearchError
from logicoder.base.progress import (
    Event,
    Improved,
    PhaseAdvanced,
    PhaseFinished,
    PhaseStarted,
    Reporter,
    silent,
)
from logicoder.base.stopping import StopToken
from logicoder.candidates.assemble import build_problem
from logicoder.candidates.batches import Acceptance, Batch, DecoderStatistics, ListedBatch
from logicoder.candidates.decoders import PairEnumeration
from logicoder.candidates.deep import DeepEnumeration
from logicoder.candidates.encoders import EncoderEnumeration, EncoderStatistics, Latent
from logicoder.candidates.pruning import Decoder, chosen_decoders
from logicoder.candidates.recursion import RecursiveEnumeration
from logicoder.engine.database import Database
from logicoder.learner.candidate_wishes import CandidateWishes
from logicoder.learner.naming import programs_of
from logicoder.learner.settings import Settings
from logicoder.learner.wishes import with_demands
from logicoder.problem.bottlenecks import bottlenecks_of
from logicoder.problem.model import Problem
from logicoder.selection import Solution, Solver, solver_named

if TYPE_CHECKING:
    from logicoder.kb.knowledge_base import KnowledgeBase
    from logicoder.learner.checkpoint import Checkpoint
    from logicoder.logic.terms import Program

logger = logging.getLogger("logicoder")

_GRACE = 10.0
"""Seconds beyond the time limit, or once more the limit if that is longer, that enumerating may take."""

_LEAST_SEARCH = 2.0
"""Seconds that the search gets even where enumerating candidates used up the time limit."""

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
        bound_scope: what the bound covers: `pruned` candidates or all `enumerated` ones.
    """

    encoder: Program
    decoder: Program
    problem: Problem
    solution: Solution
    candidates: dict[str, Any]
    seconds: dict[str, float]
    history: list[Improved]
    bound_scope: str


@dataclass
class Clock:
    """Times the phases and tells the reporter about them."""

    report: Reporter
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def phase(self, name: str, total: int | None = None) -> Iterator[dict[str, int]]:
        """Time one phase; what is put into the yielded dictionary is reported at its end."""
        counts: dict[str, int] = {}
        started = perf_counter()
        self.report(PhaseStarted(name, total))
        yield counts
        self.seconds[name] = perf_counter() - started
        self.report(PhaseFinished(name, self.seconds[name], counts))
        logger.info("%s: %.2f s %s", name, self.seconds[name], counts)


def learn(
    kb: KnowledgeBase,
    settings: Settings,
    *,
    report: Reporter = silent,
    stop: StopToken | None = None,
    checkpoint: Checkpoint | None = None,
) -> Learned:
    """Learn an auto-encoding logic program.

    Args:
        kb: the facts; background predicates among them are used but not reconstructed.
        settings: what to consider, demand and spend.
        report: told of phases and improvements.
        stop: ends the selection early; the best program so far is returned.
        checkpoint: keeps the problem and the best selection on disk, and takes up what is there.
    """
    settings = settings.checked()
    if not kb.size:
        raise InputError("there are no facts to learn from")
    stop = stop or StopToken()
    started = perf_counter()
    if settings.time_limit is not None:
        stop.allow(max(2 * settings.time_limit, settings.time_limit + _GRACE))
    history: list[Improved] = []
    clock = Clock(report)
    kept = checkpoint.problem() if checkpoint is not None else None
    if kept is None:
        problem, candidates = enumerate_problem(kb, settings, clock, stop)
        if checkpoint is not None:
            checkpoint.save_problem(problem, candidates)
    else:
        problem, candidates = kept
        clock.seconds |= dict.fromkeys(PHASES[:3], 0.0)

    def listen(event: Event) -> None:
        if isinstance(event, Improved):
            history.append(event)
        report(event)

    if settings.time_limit is not None:
        # Candidates must be enumerated before there is any program: the search gets its share in any case.
        share = max(_LEAST_SEARCH, settings.time_limit / 10)
        stop.allow(max(settings.time_limit - (perf_counter() - started), share))
    with clock.phase("solve"):
        solver = solver_of(settings)
        if checkpoint is None:
            solution = solver.solve(problem, seed=settings.seed, stop=stop, report=listen)
        else:
            solution = solver.solve(
                problem,
                seed=settings.seed,
                stop=stop,
                report=listen,
                start=checkpoint.selection(),
                keep=checkpoint.save_selection,
            )
            checkpoint.save_selection(solution)
    for name in problem.irreparable:
        logger.warning("no clause rebuilds %s with fewer than half of its atoms false", name)
    encoder, decoder = programs_of(problem, solution, set(kb.schema))
    scope = bound_scope(candidates, settings)
    return Learned(encoder, decoder, problem, solution, candidates, clock.seconds, history, scope)


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
    """Enumerate and evaluate the candidates, and build the problem."""
    # Constants in heads are entities of every world.
    database = Database(kb, _small_constants(kb, settings.constants))
    wishes = CandidateWishes.of(database, kb, settings)
    with clock.phase("encoders") as counts:
        encoders = _encoder_enumeration(database, kb, settings, wishes)
        latents = _latents(encoders, clock.report, stop)
        counts.update(asdict(encoders.statistics))
    with clock.phase("decoders") as counts:
        decoders, decoder_statistics = _decoders(database, kb, latents, settings, wishes, clock.report, stop)
        allowed = wishes.allowed_decoders(latents, decoders)
        forbidden, decoders = len(decoders) - len(allowed), allowed
        decoder_statistics.decoders = len(decoders)
        counts.update(asdict(decoder_statistics))
    with clock.phase("problem") as counts:
        problem = build_problem(
            database,
            kb.learnable,
            encoders.language,
            latents,
            decoders,
            generality=settings.generality,
            reconstruct_all=settings.reconstruct_all,
        )
        problem = settings.constrained(with_demands(problem, wishes.required))
        counts.update(variables=problem.variables, atoms=problem.atoms, classes=len(problem.classes))
    return problem, _candidate_counts(encoders.statistics, decoder_statistics, forbidden)


def _small_constants(kb: KnowledgeBase, most: int) -> list[tuple[str, str]]:
    return [
        (kind, symbol)
        for kind, symbols in kb.constants().items()
        if len(symbols) <= most
        for symbol in symbols
    ]


def _encoder_enumeration(
    database: Database, kb: KnowledgeBase, settings: Settings, wishes: CandidateWishes
) -> EncoderEnumeration:
    return EncoderEnumeration(
        database,
        kb.predicates,
        settings.encoder_length,
        settings.max_latent_arity or max(1, *(kb.schema[name].arity for name in kb.predicates)),
        switches=settings.switches,
        merge_naming_variants=settings.naming_variants,
        max_tuples=settings.max_tuples,
        forbidden=wishes.is_forbidden if wishes.forbidden.encoders else None,
        protected=wishes.is_protected if wishes.required else None,
    )


def _latents(enumeration: EncoderEnumeration, report: Reporter, stop: StopToken) -> list[Latent]:
    def advanced(done: int) -> None:
        _refuse_when_stopped(stop)
        report(PhaseAdvanced("encoders", done, enumeration.total))

    return enumeration.run(advanced)


def _decoders(
    database: Database,
    kb: KnowledgeBase,
    latents: list[Latent],
    settings: Settings,
    wishes: CandidateWishes,
    report: Reporter,
    stop: StopToken,
) -> tuple[list[Decoder], DecoderStatistics]:
    enumeration = PairEnumeration(
        database,
        kb.learnable,
        {number: latent.relation for number, latent in enumerate(latents)},
        settings.decoder_length,
        Acceptance(settings.corruption),
        switches=settings.switches,
        jobs=settings.jobs or available_cores(),
    )

    def advanced(done: int, total: int) -> None:
        _refuse_when_stopped(stop)
        report(PhaseAdvanced("decoders", done, total))

    batches: list[Batch | ListedBatch] = list(enumeration.run(advanced))
    if settings.decoder_length > 2:
        found = sum(map(len, batches))
        crowded = settings.max_decoders is not None and found > settings.max_decoders
        deep = DeepEnumeration(
            database,
            kb.learnable,
            enumeration.latents,
            settings.decoder_length,
            enumeration.acceptance,
            enumeration.statistics,
            settings.max_bodies,
            settings.max_tuples,
            drop_extensions=crowded if settings.drop_extensions is None else settings.drop_extensions,
            switches=settings.switches,
        )
        batches.extend(deep.run(advanced))
    if settings.recursion:
        recursive = RecursiveEnumeration(
            database,
            kb.learnable,
            enumeration.latents,
            enumeration.acceptance,
            enumeration.statistics,
            settings.max_bodies,
            settings.max_tuples,
        )
        batches.extend(recursive.run(advanced))
    decoders = chosen_decoders(
        batches,
        [len(latent.relation) for latent in latents],
        enumeration.statistics,
        merge_signature_variants=settings.signature_variants,
        drop_extensions=settings.drop_extensions,
        max_decoders=settings.max_decoders,
        protected=wishes.protected_bodies(latents),
        wanted=wishes.wanted_latents(latents),
    )
    return decoders, enumeration.statistics


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _refuse_when_stopped(stop: StopToken) -> None:
    """End the run while there is no program yet to return."""
    if stop.reason == "interrupted":
        raise KeyboardInterrupt
    if stop.reason is not None:
        raise SearchError(
            "the time limit is long over and the candidates are not enumerated yet; allow more time "
            "(--time-limit), or ask for fewer: shorter clauses, --max-latent-arity, --types infer"
        )


def _candidate_counts(
    encoders: EncoderStatistics, decoders: DecoderStatistics, forbidden: int
) -> dict[str, Any]:
    return {
        "encoders": encoders.encoders,
        "after_naming_variants": encoders.after_naming_variants,
        "decoders_evaluated": decoders.decoders_evaluated,
        "decoders": decoders.decoders,
        "pruned": {
            "empty": encoders.empty,
            "too_large": encoders.too_large,
            "forbidden": encoders.forbidden,
            "naming_variants": encoders.naming_variants,
            "unsupported": decoders.unsupported,
            "corruption": decoders.corruption,
            "repeated": decoders.repeated,
            "signature_variants": decoders.signature_variants,
            "extensions": decoders.extensions,
            "limit": decoders.limit,
            "forbidden_decoders": forbidden,
        },
    }


def bound_scope(candidates: dict[str, Any], settings: Settings) -> str:
    """Return what a bound covers: all `enumerated` candidates if no rule can have lost the optimum.

    Signature variants can stand for each other in every selection, and so can naming variants as long as
    generality lets only one of them be selected. Clauses that rebuild nothing are no loss by themselves, but
    under a bottleneck on the mean a small latent that only they use could make room for a larger one.
    Under other bottlenecks they are no loss at all, unless something is required that only they have. What is
    forbidden is not in question.
    """
    harmless = {"signature_variants", "forbidden", "forbidden_decoders"}
    if not settings.require and not any(b.kind == "average" for b in bottlenecks_of(settings.bottlenecks)):
        harmless |= {"empty", "unsupported"}
    harmless |= {"naming_variants"} if settings.generality else set()
    lost = any(count for rule, count in candidates["pruned"].items() if rule not in harmless)
    return "pruned" if lost else "enumerated"
