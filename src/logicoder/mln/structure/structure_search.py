"""The search: unit clauses, scored candidates, greedy addition, pruning. Each step may be the last."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator
from time import perf_counter

from logicoder.base.clock import Clock
from logicoder.base.progress import PhaseAdvanced
from logicoder.base.stopping import StopToken
from logicoder.kb.schema import Schema
from logicoder.mln.formulas import Literals
from logicoder.mln.structure.busl import blanket_clauses
from logicoder.mln.structure.exhaustive import Screening, skeletons_of, stages
from logicoder.mln.structure.lasso import together
from logicoder.mln.structure.objective import Data, Fit, GrowingObjective
from logicoder.mln.structure.skeletons import clause_of, skeletons
from logicoder.mln.structure.state import NetworkChange, State, StructureCheckpoint
from logicoder.mln.structure.structure_settings import Settings

_SAVE_EVERY = 10.0
"""Seconds between two writings of a checkpoint within a phase."""


class StructureSearch:
    """A run of structure learning; everything that it knows is in its state."""

    def __init__(
        self,
        data: Data,
        settings: Settings,
        state: State,
        clock: Clock,
        stop: StopToken,
        checkpoint: StructureCheckpoint,
    ) -> None:
        self.data = data
        self.settings = settings
        self.state = state
        self.clock = clock
        self.stop = stop
        self.checkpoint = checkpoint
        self.objective = GrowingObjective(data, settings.sigma)
        self._saved = perf_counter()
        if state.clauses:
            self.fit = self.objective.of(state.clauses, state.weights)
        else:
            self.fit = self.objective.empty()
            self._units()
        self.units = sum(step.action == "unit" for step in state.history)

    def run(self) -> None:
        """Go through the phases until all is done or somebody says stop."""
        phases = {
            "candidates": self._find,
            "scoring": self._score,
            "adding": self._add,
            "pruning": self._prune,
        }
        try:
            while self.state.phase != "done" and not self.stop.stopped:
                with self.clock.phase(self.state.phase) as counts:
                    phases[self.state.phase]()
                    counts |= {**self.state.counts, "clauses": len(self.fit.clauses)}
                self.save()
        except KeyboardInterrupt:
            self.stop.stop("interrupted")
        self.save()

    def save(self, seconds: float = 0.0) -> None:
        """Keep the state, with the time of earlier runs."""
        self.state.clauses = list(self.fit.clauses)
        self.state.weights = self.fit.weights.tolist()
        self.state.seconds = max(seconds, self.state.seconds)
        self.checkpoint.save(self.state)

    def best(self) -> Fit:
        """Return the best network so far."""
        if self.state.phase != "scoring" or not any(gain > 0 for gain in self.state.gains):
            return self.fit
        place = max(range(len(self.state.gains)), key=lambda i: self.state.gains[i])
        return self.objective.with_clause(self.fit, self.state.candidates[place])

    # -- phases ---------------------------------------------------------------------------------------

    def _units(self) -> None:
        """Begin with unit clauses; of those with repeated variables take what raises the value."""
        schema = self.data.schema.restricted(self.data.predicates)
        for name in schema:
            self._accept("unit", self.objective.with_clause(self.fit, _unit(name, range(schema[name].arity))))
        for clause in _repeating_units(schema):
            grown = self.objective.with_clause(self.fit, clause)
            if grown.value > self.fit.value:
                self._accept("unit", grown)

    def _find(self) -> None:
        """Look for candidates: of all predicates for BUSL, of one stage after the other otherwise."""
        found = self._screened() if self.settings.method == "exhaustive" else self._bottom_up()
        for done, total in found:
            self._advance(done, total)
            if self.stop.stopped:
                return
        known = set(self.fit.clauses)
        self.state.candidates = [clause for clause in self.state.candidates if clause not in known]
        self._count("candidates", len(self.state.candidates))
        self.state.go_to("scoring")

    def _bottom_up(self) -> Iterator[tuple[int, int]]:
        predicates = self.data.predicates
        for place in range(self.state.position, len(predicates)):
            clauses = blanket_clauses(self.data.worlds, predicates[place], self.settings)
            self.state.candidates = list(dict.fromkeys([*self.state.candidates, *clauses]))
            yield place + 1, len(predicates)

    def _screened(self) -> Iterator[tuple[int, int]]:
        screening = Screening(self.data, self.fit, self.settings)
        repeated, length = stages(self.settings)[self.state.stage]
        listed = skeletons_of(self.data, self.settings, repeated=repeated, length=length)
        for place in range(self.state.position, len(listed)):
            self.state.best = screening.kept([*self.state.best, *screening.promising(listed[place])])
            yield place + 1, len(listed)
        self.state.candidates = [clause for _, clause in self.state.best]
        self.state.best = []
        self._count("screened", sum(2 ** len(skeleton) for skeleton in listed))

    def _score(self) -> None:
        """Find what each candidate gains alone."""
        candidates, gains = self.state.candidates, self.state.gains
        while len(gains) < len(candidates):
            if self.stop.stopped:
                return
            clause = candidates[len(gains)]
            supported = self.data.support(clause) >= self.settings.min_support
            gains.append(self._gain(clause) if supported else float("-inf"))
            self._advance(len(gains), len(candidates))
        found = [(gain, clause) for gain, clause in zip(gains, candidates, strict=True) if gain > 0]
        self._count("supported", sum(gain > float("-inf") for gain in gains))
        self._count("useful", len(found))
        queue = sorted(found, key=_order)
        if self.settings.selection == "l1" and queue:
            queue = together(self.objective, self.fit, queue, self.settings.length_penalty)
            self._count("together", len(queue))
        self.state.queue = queue
        self.state.candidates, self.state.gains = [], []
        self.state.go_to("adding")

    def _add(self) -> None:
        """Add candidates, the best first, as long as they still gain something.

        A candidate that gains less by now than the next one promises goes back into the queue, unless they
        are to be taken `in_order`, as the original does.
        """
        queue, total = self.state.queue, len(self.state.queue) + self.state.position
        while queue:
            if self.stop.stopped:
                return
            _, clause = queue[0]
            grown = self.objective.with_clause(self.fit, clause)
            gain = self._score_of(grown) - self._score_of(self.fit)
            if gain > self.settings.min_gain:
                if not self.settings.in_order and len(queue) > 1 and gain < queue[1][0]:
                    insort(queue, (gain, clause), key=_order)
                else:
                    self._accept("add", grown)
            # Only now: whoever is interrupted before tries the candidate again, and finds it useless.
            del queue[0]
            self._advance(total - len(queue), total)
        if self.settings.method == "exhaustive" and self.state.stage < len(stages(self.settings)) - 1:
            self.state.stage += 1
            self.state.go_to("candidates")
        else:
            self.state.go_to("pruning")

    def _prune(self) -> None:
        """Take off clauses that are no longer worth their length, the least useful first."""
        while not self.stop.stopped:
            smaller = [self.objective.without(self.fit, i) for i in range(self.units, len(self.fit.clauses))]
            best = max(smaller, key=self._score_of, default=None)
            if best is None or self._score_of(best) < self._score_of(self.fit):
                self.state.go_to("done")
                return
            [gone] = set(self.fit.clauses) - set(best.clauses)
            self._accept("prune", best, gone)

    # -- steps ----------------------------------------------------------------------------------------

    def _score_of(self, fit: Fit) -> float:
        return fit.score(self.settings.length_penalty)

    def _gain(self, clause: Literals) -> float:
        return self._score_of(self.objective.with_clause(self.fit, clause)) - self._score_of(self.fit)

    def _accept(self, action: str, fit: Fit, clause: Literals | None = None) -> None:
        self.fit = fit
        step = NetworkChange(action, clause or fit.clauses[-1], fit.value, self._score_of(fit))
        self.state.history.append(step)
        self._count({"unit": "units", "add": "added", "prune": "pruned"}[action], 1)

    def _count(self, what: str, number: int) -> None:
        self.state.counts[what] = self.state.counts.get(what, 0) + number

    def _advance(self, done: int, total: int | None) -> None:
        self.state.position = done
        self.clock.report(PhaseAdvanced(self.state.phase, done, total))
        if perf_counter() - self._saved > _SAVE_EVERY:
            self.save()
            self._saved = perf_counter()


def _order(item: tuple[float, Literals]) -> tuple[float, int, str]:
    """Sort by gain, the largest first; of equals short ones first, then by their text."""
    gain, clause = item
    return -gain, len(clause), " ".join(map(str, clause))


def _unit(name: str, slots: range | tuple[int, ...]) -> Literals:
    return clause_of([(name, tuple(slots))], [True])


def _repeating_units(schema: Schema) -> Iterator[Literals]:
    for name in schema:
        arity = schema[name].arity
        single = schema.restricted([name])
        for [(_, slots)] in skeletons(single, max_literals=1, max_variables=max(arity - 1, 1)):
            if len(set(slots)) < arity:
                yield clause_of([(name, slots)], [True])
