"""One search over a problem: the best selection and bounds so far, and the stages that improve them.

A search goes through goals one after the other, such as the least loss (or description length), then the
least size among selections of that loss.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from time import perf_counter

from logicoder.base.errors import InfeasibleError, SearchError
from logicoder.base.progress import Improved, Reporter
from logicoder.base.stopping import StopToken
from logicoder.problem.evaluate import encoders_of
from logicoder.problem.model import Problem
from logicoder.selection.cp_sat import run
from logicoder.selection.formulation import AtMost
from logicoder.selection.infeasible import explain_infeasible
from logicoder.selection.outcome import Outcome
from logicoder.selection.selection_model import SelectionModel
from logicoder.selection.solution import Solution, in_units
from logicoder.selection.structure import Structure

Keeper = Callable[[Solution], None]


@dataclass
class Search:
    """The state of a search.

    Attributes:
        problem: what to choose from.
        method: name of the solver at work.
        stop: ends the search early.
        report: called with every improvement.
        keep: given every better selection.
        goals: what is minimised, one after the other; see `OBJECTIVES`.
        goal: what is minimised now.
        best: the best selection so far: least value of the first goal, then of the second, and so on.
        bounds: proven lower bounds: on the first goal, and on each other one of selections with the least
            values of those before it.
        effort: deterministic effort spent.
        explain: whether to find out why a problem is infeasible.
        begins: whether the first stage is still to come.
    """

    problem: Problem
    method: str
    stop: StopToken
    report: Reporter
    keep: Keeper
    goals: tuple[str, ...] = ("loss",)
    best: Solution | None = None
    effort: float = 0.0
    explain: bool = True
    begins: bool = True
    _announced: Solution | None = None
    _fallback: Solution | None = None
    _started: float = field(default_factory=perf_counter)

    def __post_init__(self) -> None:
        self.goal = self.first
        self.bounds = dict.fromkeys(self.goals, 0)
        # Facts that nothing rebuilds are missing in every selection.
        targets = self.problem.targets
        lost = sum(t.weight * t.unreachable for t in targets)
        self.bounds[self.first] = {
            "loss": lost,
            "both": lost * sum(self.problem.mask),
            "bits": self.problem.fixed_bits + sum(t.exception_bits * t.unreachable for t in targets),
        }[self.first]
        self.structure = Structure(self.problem)

    @property
    def first(self) -> str:
        """What is minimised before everything else."""
        return self.goals[0]

    @property
    def bound(self) -> int:
        """Proven lower bound on the first goal."""
        return self.bounds[self.first]

    def model(
        self,
        encoders: Collection[int] | None = None,
        forced: Collection[int] = (),
        hint: Collection[int] | None = None,
    ) -> SelectionModel:
        """Return the formulation of the problem, or of a neighbourhood, with the present goal as objective.

        Args:
            encoders: the encoders that may be selected; all of them unless given.
            forced: decoders that must be selected.
            hint: a known selection; the best one unless given.
        """
        model = SelectionModel(self.structure, encoders=encoders, forced=forced)
        if hint is None and self.best is not None:
            hint = self.best.decoders
        if hint is not None:
            model.know(hint)
        for reached in self.goals[: self.goals.index(self.goal)]:
            assert self.best is not None  # noqa: S101  (the size is minimised only after the loss)
            model.add(AtMost(model.goal(reached), self.best.value(reached)))
        model.objective = model.goal(self.goal)
        return model

    def infeasible(self, seed: int) -> InfeasibleError:
        """Return the error that says that no selection satisfies the constraints."""
        if not self.explain:
            return InfeasibleError("no program of these candidates satisfies all constraints.")
        return explain_infeasible(self.problem, seed, self.stop)

    def fall_back(self, decoders: Collection[int]) -> None:
        """Take note of a selection that is the result if nothing as good is found; until then it is kept."""
        self._fallback = self._solution(decoders, self.bound)
        self._announce(self._fallback, self.bound)

    def offer(self, decoders: Collection[int]) -> bool:
        """Take a selection if it is better than the best; returns whether the present goal came closer."""
        found = self._solution(decoders, self.bound)
        if self.best is not None and self._rank(found) >= self._rank(self.best):
            return False
        place = self.goals.index(self.goal) + 1
        progress = self.best is None or self._rank(found)[:place] < self._rank(self.best)[:place]
        self.best = found
        self._announce(found, self.bound)
        return progress

    def seen(self, decoders: Collection[int], bound: int) -> None:
        """Announce an improvement of a running solver.

        The best selection is taken from the solver's final answer, which does not depend on the timing of
        its announcements.
        """
        known = max(bound, self.bound) if self.goal == self.first else self.bound
        self._announce(self._solution(decoders, known), known)

    def _solution(self, decoders: Collection[int], bound: int) -> Solution:
        return Solution.of(self.problem, decoders, bound, self.method, goal=self.first)

    def raise_bound(self, bound: int) -> None:
        """Take a proven bound on the present goal if it is better than the best."""
        if bound > self.bounds[self.goal]:
            self.bounds[self.goal] = bound
            if self.goal == self.first and self._announced is not None:
                self._tell(self._announced, bound)

    def _announce(self, found: Solution, bound: int) -> None:
        """Keep and report a selection that is better than all before."""
        if self._announced is None or self._rank(found) < self._rank(self._announced):
            self._announced = found
            self.keep(found)
            self._tell(found, bound)

    def _tell(self, found: Solution, bound: int) -> None:
        bound = min(bound, found.objective)
        self.report(
            Improved(
                found.loss,
                found.size,
                in_units(self.problem, self.first, bound),
                (found.objective - bound) / max(1, found.objective),
                perf_counter() - self._started,
                self.method,
                in_units(self.problem, self.first, found.objective),
            )
        )

    def _rank(self, solution: Solution) -> tuple[int, ...]:
        """Return what a better selection has less of, even where the size is no goal."""
        return (*self._goals(solution), solution.size)

    def _goals(self, solution: Solution) -> tuple[int, ...]:
        return tuple(map(solution.value, self.goals))

    def _reached(self, goal: str) -> bool:
        return self.best is not None and self.best.value(goal) <= self.bounds[goal]

    @property
    def finished(self) -> bool:
        """Whether the present goal is proved to be reached, or somebody said stop."""
        return self.stop.stopped or self._reached(self.goal)

    @property
    def proved(self) -> bool:
        """Whether nothing is left to be found: all goals up to the present one are reached."""
        return all(map(self._reached, self.goals[: self.goals.index(self.goal) + 1]))

    def result(self) -> Solution:
        """Return the best selection with the best bounds."""
        if self._fallback is not None and (
            self.best is None or self._goals(self._fallback) < self._goals(self.best)
        ):
            self.best = self._fallback
        if self.best is None:
            raise SearchError(
                f"no program was found before the search ended ({self.stop.reason or 'effort'}); "
                "allow more time (`time_limit`) or `effort`"
            )
        stopped = None if self.proved else self.stop.reason or "effort"
        return Solution.of(
            self.problem,
            self.best.decoders,
            self.bound,
            self.method,
            goal=self.first,
            size_bound=self._size_bound(),
            effort=self.effort,
            stopped=stopped,
        )

    def _size_bound(self) -> int:
        """Return a bound on the size, which holds only where the goals before it are proved to be reached."""
        before = self.goals[: self.goals.index("size")] if "size" in self.goals else ()
        return self.bounds["size"] if before and all(map(self._reached, before)) else 0


def take(search: Search, outcome: Outcome, seed: int) -> None:
    """Take what a solver found for the whole problem.

    Raises:
        InfeasibleError: if that is the proof that there is no selection.
    """
    search.effort += outcome.effort
    if outcome.status == "infeasible":
        raise search.infeasible(seed)
    if outcome.decoders is not None:
        search.offer(outcome.decoders)
    search.raise_bound(outcome.bound)


def first_selection(search: Search, seed: int, effort: float) -> None:
    """Find a first selection among few promising encoders; allow twice as many as long as there is none."""
    count = 32
    total = len(search.problem.encoders)
    while search.begins and not search.stop.stopped:
        whole = count >= total
        outcome = run(
            search.model(None if whole else promising_encoders(search.problem, count)),
            seed=seed,
            effort=effort if whole else 2.0,
            stop=search.stop,
            improved=search.seen,
        )
        search.effort += outcome.effort
        if whole:
            search.raise_bound(outcome.bound)
        if outcome.decoders is not None:
            search.offer(outcome.decoders)
        search.begins = search.best is None
        if search.begins and whole:
            if outcome.status == "infeasible":
                raise search.infeasible(seed)
            return
        count *= 2


def promising_encoders(problem: Problem, count: int) -> set[int]:
    """Return the encoders that are demanded, and those of promising decoders, the predicates taking turns.

    For each predicate first the decoder with the fewest latent facts, which a tight bottleneck may need, then
    the one that gains most, and so on.
    """
    by_predicate: dict[str, list[int]] = {}
    for index, decoder in enumerate(problem.decoders):
        by_predicate.setdefault(decoder.predicate, []).append(index)

    def gain(index: int) -> int:
        decoder = problem.decoders[index]
        return decoder.true - decoder.false

    def weight(index: int) -> int:
        return sum(problem.encoders[e].weight for e in problem.decoders[index].latents)

    queues: list[list[int]] = []
    for members in by_predicate.values():
        fair = [index for index in members if gain(index) > 0] or members
        queues.append(sorted(fair, key=lambda i: (weight(i), -gain(i), i)))
        queues.append(sorted(members, key=lambda i: (-gain(i), weight(i), i)))
    found = {encoder for demand in problem.demands for encoder in demand.encoders[:count]}
    for demand in problem.demands:
        found.update(encoders_of(problem, demand.decoders[:count]))
    for turn in range(max(map(len, queues), default=0)):
        for queue in queues:
            if turn < len(queue):
                found |= set(encoders_of(problem, [queue[turn]]))
            if len(found) >= count:
                return found
    return found
