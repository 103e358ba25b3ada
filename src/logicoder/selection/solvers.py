"""The solvers: exact, large neighbourhood search, and the combination of both.

All are bounded by deterministic effort, so that a seed gives the same program on every run that the
clock does not cut short.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from time import perf_counter
from typing import Protocol

from logicoder.base.errors import UsageError
from logicoder.base.progress import Improved, Reporter, silent
from logicoder.base.stopping import StopToken
from logicoder.problem.evaluate import encoders_of
from logicoder.problem.model import Problem
from logicoder.selection.infeasible import explain_infeasible
from logicoder.selection.model import SelectionModel, Structure
from logicoder.selection.running import Outcome, run
from logicoder.selection.solution import Solution


Keeper = Callable[[Solution], None]


def _forget(solution: Solution) -> None:  # noqa: ARG001
    """Keep nothing."""


class Solver(Protocol):
    """Chooses clauses from a problem."""

    def solve(
        self,
        problem: Problem,
        *,
        seed: int = 0,
        stop: StopToken | None = None,
        report: Reporter = silent,
        start: Collection[int] | None = None,
        keep: Keeper = _forget,
    ) -> Solution:
        """Return the best selection found.

        Args:
            problem: what to choose from.
            seed: seed of the search.
            stop: ends the search early; the best selection so far is returned.
            report: told of every improvement.
            start: decoders of a known selection to improve on.
            keep: given every better selection as soon as it is found.

        Raises:
            InfeasibleError: when no selection satisfies the constraints; it says why.
        """
        ...


@dataclass
class _Search:
    """The best selection and the best bound so far, shared by the stages of a search."""

    problem: Problem
    method: str
    stop: StopToken
    report: Reporter
    keep: Keeper
    best: Solution | None = None
    bound: int = 0
    effort: float = 0.0
    _started: float = field(default_factory=perf_counter)

    def __post_init__(self) -> None:
        self.bound = self.problem.unreachable
        self.structure = Structure(self.problem)

    def offer(self, decoders: Collection[int]) -> bool:
        """Take a selection if it is better than the best, and report it; returns whether it is."""
        found = Solution.of(self.problem, decoders, self.bound, self.method)
        if self.best is not None and found.loss >= self.best.loss:
            return False
        self.best = found
        self.keep(found)
        self._tell(found.loss)
        return True

    def raise_bound(self, bound: int) -> None:
        """Take a proven bound if it is better than the best, and report it."""
        if bound > self.bound:
            self.bound = bound
            if self.best is not None:
                self._tell(self.best.loss)

    def seen(self, decoders: Collection[int], bound: int) -> None:
        """Take an improvement that a running solver announces."""
        self.bound = max(self.bound, bound)
        self.offer(decoders)

    def _tell(self, loss: int) -> None:
        gap = (loss - min(self.bound, loss)) / max(1, loss)
        self.report(Improved(loss, min(self.bound, loss), gap, perf_counter() - self._started, self.method))

    @property
    def finished(self) -> bool:
        """Whether the best selection is proved optimal, or somebody said stop."""
        return self.stop.stopped or (self.best is not None and self.best.loss <= self.bound)

    def result(self) -> Solution:
        """Return the best selection with the best bound."""
        if self.best is None:
            raise UsageError(
                f"no program was found before the search ended ({self.stop.reason or 'effort'}); "
                "allow more time or effort"
            )
        stopped = self.stop.reason or "effort"
        return Solution.of(self.problem, self.best.decoders, self.bound, self.method, self.effort, stopped)


def _exact(search: _Search, seed: int, effort: float, *, interleaved: bool) -> None:
    """One exact run over the whole problem."""
    model = SelectionModel(search.structure)
    if search.best is not None:
        model.hint(search.best.decoders)
    outcome = run(
        model, seed=seed, effort=effort, stop=search.stop, interleaved=interleaved, improved=search.seen
    )
    search.effort += outcome.effort
    if outcome.status == "infeasible":
        raise explain_infeasible(search.problem, seed)
    if outcome.decoders is not None:
        search.offer(outcome.decoders)
    search.raise_bound(outcome.bound)


@dataclass(frozen=True)
class ExactSolver:
    """CP-SAT over the whole problem.

    Attributes:
        effort: limit in deterministic seconds.
        interleaved: many strategies in turn, which proves better bounds, or a single one.
    """

    effort: float = 120.0
    interleaved: bool = True

    def solve(
        self,
        problem: Problem,
        *,
        seed: int = 0,
        stop: StopToken | None = None,
        report: Reporter = silent,
        start: Collection[int] | None = None,
        keep: Keeper = _forget,
    ) -> Solution:
        """See `Solver.solve`."""
        search = _Search(problem, "exact", stop or StopToken(), report, keep)
        if start is not None:
            search.offer(start)
        if not search.finished:
            _exact(search, seed, self.effort, interleaved=self.interleaved)
        return search.result()


@dataclass(frozen=True)
class LnsSolver:
    """Large neighbourhood search with the paper's neighbourhood.

    Each round keeps a random share `alpha` of the selected decoders, forbids a random share `beta` of the
    unselected encoders (hence their decoders), and solves what is left exactly. After rounds without
    success the neighbourhood widens; a success or an exhausted effort narrows it again.

    Attributes:
        alpha: share of the selected decoders that stay selected.
        beta: share of the unselected encoders that stay unselected.
        effort: limit in deterministic seconds, over all rounds.
        round_effort: limit of one round.
        patience: rounds without improvement after which the search ends.
    """

    alpha: float = 0.5
    beta: float = 0.85
    effort: float = 120.0
    round_effort: float = 2.0
    patience: int = 60

    def solve(
        self,
        problem: Problem,
        *,
        seed: int = 0,
        stop: StopToken | None = None,
        report: Reporter = silent,
        start: Collection[int] | None = None,
        keep: Keeper = _forget,
    ) -> Solution:
        """See `Solver.solve`."""
        search = _Search(problem, "lns", stop or StopToken(), report, keep)
        if start is not None:
            search.offer(start)
        self.improve(search, seed)
        return search.result()

    def improve(self, search: _Search, seed: int) -> None:
        """Run rounds until nothing more is found, the effort is spent, or the bound is reached."""
        limit = search.effort + self.effort
        if search.best is None:
            first_selection(search, seed, self.effort)
        generator = random.Random(seed)  # noqa: S311  (a search, not a secret)
        width = 1.0
        fruitless = 0
        while search.best is not None and not search.finished and search.effort < limit:
            outcome = self._round(search, generator, width, min(self.round_effort, limit - search.effort))
            search.effort += outcome.effort
            if outcome.decoders is not None and search.offer(outcome.decoders):
                fruitless, width = 0, 1.0
                continue
            fruitless += 1
            if fruitless >= self.patience:
                break
            # Proved that this neighbourhood holds nothing better: look further. Undecided: look closer.
            width = min(width * 1.05, 8.0) if outcome.status == "optimal" else max(width / 1.3, 0.2)

    def _round(self, search: _Search, generator: random.Random, width: float, effort: float) -> Outcome:
        assert search.best is not None  # noqa: S101  (rounds start from a selection)
        active = set(search.best.encoders)
        inactive = [e for e in range(len(search.problem.encoders)) if e not in active]
        kept = _share(generator, search.best.decoders, self.alpha / max(width, 1.0))
        free_share = min(1.0, (1.0 - self.beta) * width)
        forbidden = set(_share(generator, inactive, 1.0 - free_share))
        allowed = [e for e in range(len(search.problem.encoders)) if e not in forbidden]
        model = SelectionModel(search.structure, encoders=allowed, forced=kept)
        model.hint(search.best.decoders)
        return run(model, seed=generator.randrange(2**31), effort=effort, stop=search.stop)


@dataclass(frozen=True)
class AutoSolver:
    """A short exact run, then large neighbourhood search, then exact search with what effort is left.

    Small problems end in the first stage; large ones get their program from the second and their bound
    from the third.

    Attributes:
        lns: the neighbourhood search of the second stage.
        effort: limit in deterministic seconds, over all stages.
    """

    lns: LnsSolver = LnsSolver()
    effort: float = 120.0

    def solve(
        self,
        problem: Problem,
        *,
        seed: int = 0,
        stop: StopToken | None = None,
        report: Reporter = silent,
        start: Collection[int] | None = None,
        keep: Keeper = _forget,
    ) -> Solution:
        """See `Solver.solve`."""
        search = _Search(problem, "auto", stop or StopToken(), report, keep)
        if start is not None:
            search.offer(start)
        if not search.finished:
            _exact(search, seed, min(self.effort, 5.0), interleaved=False)
        if not search.finished:
            lns = LnsSolver(
                self.lns.alpha,
                self.lns.beta,
                max(0.0, min(self.lns.effort, self.effort - search.effort)),
                self.lns.round_effort,
                self.lns.patience,
            )
            lns.improve(search, seed)
        if not search.finished and search.effort < self.effort:
            _exact(search, seed, self.effort - search.effort, interleaved=True)
        return search.result()


def first_selection(search: _Search, seed: int, effort: float) -> None:
    """Find a first selection among few promising encoders; allow twice as many as long as there is none."""
    count = 32
    total = len(search.problem.encoders)
    while search.best is None and not search.stop.stopped:
        whole = count >= total
        allowed = None if whole else promising_encoders(search.problem, count)
        model = SelectionModel(search.structure, encoders=allowed)
        outcome = run(model, seed=seed, effort=effort if whole else 2.0, stop=search.stop)
        search.effort += outcome.effort
        if outcome.decoders is not None:
            search.offer(outcome.decoders)
        elif whole:
            if outcome.status == "infeasible":
                raise explain_infeasible(search.problem, seed)
            return
        count *= 2


def promising_encoders(problem: Problem, count: int) -> set[int]:
    """Return the encoders of the best decoders, the predicates taking turns."""
    queues: dict[str, list[int]] = {}
    for index, decoder in enumerate(problem.decoders):
        queues.setdefault(decoder.predicate, []).append(index)

    def rank(index: int) -> tuple[int, int, int]:
        decoder = problem.decoders[index]
        return decoder.false - decoder.true, sum(problem.encoders[e].weight for e in decoder.latents), index

    for queue in queues.values():
        queue.sort(key=rank)
    found: set[int] = set()
    for turn in range(max(map(len, queues.values()), default=0)):
        for queue in queues.values():
            if turn < len(queue):
                found |= set(encoders_of(problem, [queue[turn]]))
            if len(found) >= count:
                return found
    return found


def _share(generator: random.Random, items: Collection[int], share: float) -> list[int]:
    """Return a random share of some items."""
    ordered = sorted(items)
    return generator.sample(ordered, round(len(ordered) * share))


SOLVERS: dict[str, Callable[..., Solver]] = {"auto": AutoSolver, "exact": ExactSolver, "lns": LnsSolver}


def solver_named(name: str, *, alpha: float, beta: float, effort: float) -> Solver:
    """Return a solver by its name: `auto`, `exact` or `lns`."""
    if name == "exact":
        return ExactSolver(effort=effort)
    if name == "lns":
        return LnsSolver(alpha, beta, effort)
    if name == "auto":
        return AutoSolver(LnsSolver(alpha, beta, effort), effort)
    raise UsageError(f"there is no solver {name!r}; choose from: {', '.join(SOLVERS)}")
