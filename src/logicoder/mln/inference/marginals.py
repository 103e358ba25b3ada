"""Exact where it can be, sampled where it must be: the probabilities of a ground network, part by part."""

from __future__ import annotations

import numpy as np

from logicoder.base.errors import UsageError
from logicoder.base.progress import PhaseStarted, Reporter
from logicoder.base.setting import settings_of
from logicoder.base.stopping import StopToken
from logicoder.mln.inference.atom_values import ALONE, AtomValues
from logicoder.mln.inference.chain_estimates import AGREEMENT, Estimate
from logicoder.mln.inference.component_states import enumerate_marginals
from logicoder.mln.inference.components import Parts
from logicoder.mln.inference.conditionals import sigmoid
from logicoder.mln.inference.elimination import eliminate, plan
from logicoder.mln.inference.exchangeable import effort_of, exchangeable_marginals, like_atoms
from logicoder.mln.inference.gibbs import can_reach_every_state, gibbs
from logicoder.mln.inference.ground_network import GroundNetwork, any_of
from logicoder.mln.inference.mcsat import mcsat
from logicoder.mln.inference.schedule import Schedule
from logicoder.mln.weight_parameters import InferenceParameters

_METHOD = settings_of(InferenceParameters)["method"]

DOUBTFUL = 2000
"""Where chains of Gibbs disagree on at most so many atoms, MC-SAT is tried: it passes between modes more
easily, but takes ten times as long."""

CELLS = 1 << 20
"""How many table entries, or kinds of states, one component may take,"""

ALL_CELLS = 1 << 27
"""and all of them together;"""

INSIST_CELLS = 1 << 26
"""or one component, if the user insists on exact numbers."""

REMEMBERED = 1 << 20
"""Larger components, in literals, are not compared with others: they hardly ever come twice."""


def marginals_of(
    network: GroundNetwork,
    *,
    method: str = "auto",
    schedule: Schedule | None = None,
    stop: StopToken | None = None,
    progress: Reporter,
) -> AtomValues:
    """Return the probability of every atom.

    Args:
        network: the ground network.
        method: `auto`: exact where possible, else Gibbs sampling, or MC-SAT where hard clauses keep states
            apart or the chains of Gibbs disagree; `exact`: never sample;
            `gibbs`, `mc-sat`: sample everything that is more than one atom.
        schedule: how long to sample.
        stop: ends sampling early.
        progress: told of the phases.
    """
    _METHOD.check(method)
    schedule, stop = schedule or Schedule(), stop or StopToken()
    answer = AtomValues(network)
    alone = answer.alone()
    answer.take(ALONE, len(alone), alone, sigmoid(answer.simple.network.bias[alone]))
    exactly = method in ("auto", "exact")
    parts = answer.enumerate(enumerate_marginals) if exactly else answer.parts
    parts = answer.possible(parts, schedule.seed, stop)
    if exactly:
        parts = _solved(parts, answer, method == "exact", stop)
    if len(parts):
        _sampled(parts, answer, method, schedule, stop, progress)
    answer.finish()
    return answer


def _solved(parts: Parts, answer: AtomValues, insist: bool, stop: StopToken) -> Parts:
    """Solve the components that can be solved exactly with bearable effort; return the others."""
    left = []
    solver = ExactMarginals(insist)
    for number in range(len(parts)):
        part = parts.select(np.array([number]))
        found = None if stop.stopped and not insist else solver.solve(part.network)
        if found is not None:
            answer.take(found[0], 1, part.atoms, found[1])
        elif insist:
            raise UsageError(
                f"a component of {part.network.atoms} open atoms is too complex for exact inference; choose "
                f"the method auto, which samples it"
            )
        else:
            left.append(number)
    return parts.select(np.array(left, np.int64))


def _sampled(
    parts: Parts, answer: AtomValues, method: str, schedule: Schedule, stop: StopToken, progress: Reporter
) -> None:
    """Sample components: with Gibbs those where hard clauses do not hinder it, the others with MC-SAT."""
    hindered = any_of(~can_reach_every_state(parts.network), parts.clause_starts)
    if method == "gibbs" and hindered.any():
        raise UsageError("gibbs cannot move between states that hard formulas separate; choose mc-sat")
    if method == "mc-sat":
        hindered[:] = True
    if not hindered.all():
        _by_gibbs(parts.select(~hindered), answer, method == "auto", schedule, stop, progress)
    if hindered.any():
        part = parts.select(hindered)
        progress(PhaseStarted("mc-sat", schedule.total))
        _note(answer, "mc-sat", part, mcsat(part.network, schedule, stop=stop, progress=progress))


def _by_gibbs(
    part: Parts, answer: AtomValues, doubt: bool, schedule: Schedule, stop: StopToken, progress: Reporter
) -> None:
    """Sample components with Gibbs; where chains disagree, see whether MC-SAT does better."""
    progress(PhaseStarted("gibbs", schedule.total))
    estimate = gibbs(part.network, schedule, stop=stop, progress=progress)
    spread = np.maximum.reduceat(estimate.spread, part.starts[:-1])
    replaced = spread > AGREEMENT
    if not doubt or not replaced.any() or part.sizes[replaced].sum() > DOUBTFUL or stop.stopped:
        _note(answer, "gibbs", part, estimate)
        return
    again = part.select(replaced)
    progress(PhaseStarted("mc-sat", schedule.total))
    try:
        second = mcsat(again.network, schedule, stop=stop, progress=progress)
    except KeyboardInterrupt:  # before there is anything of this sampler to keep
        stop.stop("interrupted")
        _note(answer, "gibbs", part, estimate)
        return
    better = np.maximum.reduceat(second.spread, again.starts[:-1]) < spread[replaced]
    _note(answer, "mc-sat", again, second, better)
    replaced[replaced] = better
    _note(answer, "gibbs", part, estimate, ~replaced)


def _note(
    answer: AtomValues, name: str, part: Parts, estimate: Estimate, chosen: np.ndarray | None = None
) -> None:
    """Note what was sampled for components, or some of them."""
    if chosen is not None:
        estimate = estimate.select(np.repeat(chosen, part.sizes))
        part = part.select(chosen)
    if len(part):
        answer.take(name, len(part), part.atoms, estimate.probabilities)
        answer.errors[part.atoms] = estimate.errors
        answer.estimates.append(estimate)


class ExactMarginals:
    """Solves components, equal ones once, as long as the effort is bearable.

    Args:
        insist: the user wants exact numbers, whatever they cost.
    """

    def __init__(self, insist: bool = False) -> None:
        self._insist = insist
        self._left = ALL_CELLS
        self._known: dict[bytes, tuple[str, np.ndarray] | None] = {}
        self._classes: dict[bytes, np.ndarray | None] = {}

    def solve(self, network: GroundNetwork) -> tuple[str, np.ndarray] | None:
        """Return method and probabilities, or None where it would take too much."""
        clauses = network.clauses
        most = INSIST_CELLS if self._insist else min(CELLS, self._left)
        if len(clauses.literals) > REMEMBERED:
            return self._solve(network, b"", most)
        shape = b"".join(part.tobytes() for part in (clauses.starts, clauses.literals, clauses.weights))
        key = shape + network.bias.tobytes()
        if key not in self._known:
            self._known[key] = self._solve(network, shape, most)
        return self._known[key]

    def _solve(self, network: GroundNetwork, shape: bytes, most: int) -> tuple[str, np.ndarray] | None:
        if not shape or shape not in self._classes:
            chosen = plan(network, most)
            if chosen is not None:
                self._left -= chosen.cells
                return "elimination", eliminate(network, chosen)
            self._classes[shape] = like_atoms(network, most)
        classes = self._classes[shape]
        if classes is None or effort_of(network, classes) > most:
            return None
        self._left -= effort_of(network, classes)
        return "like atoms", exchangeable_marginals(network, classes)
