"""Exact where it can be, sampled where it must be: the probabilities of a ground network, part by part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from logicoder.base.errors import UsageError
from logicoder.base.progress import PhaseStarted, Reporter
from logicoder.base.stopping import StopToken
from logicoder.mln.inference.components import Parts, components_of
from logicoder.mln.inference.conditionals import sigmoid
from logicoder.mln.inference.elimination import eliminate, plan
from logicoder.mln.inference.enumeration import enumerate_marginals
from logicoder.mln.inference.estimates import Estimate
from logicoder.mln.inference.exchangeable import exchangeable_marginals, like_atoms, states_of
from logicoder.mln.inference.gibbs import can_reach_every_state, gibbs
from logicoder.mln.inference.ground import GroundNetwork, any_of
from logicoder.mln.inference.mcsat import mcsat
from logicoder.mln.inference.propagation import propagate
from logicoder.mln.inference.sampling import Schedule
from logicoder.mln.inference.solving import satisfy

METHODS = ("auto", "exact", "gibbs", "mc-sat")

ENUMERATED = 10
"""Components of at most so many atoms are enumerated, many at once."""

CELLS = 1 << 20
"""A larger component is solved exactly if the tables of its elimination have at most so many entries, or if
it has at most so many kinds of states,"""

ALL_CELLS = 1 << 27
"""and all components together have at most so many,"""

EXACT_CELLS = 1 << 26
"""or so many each, if the user wants exact numbers."""


@dataclass
class Answer:
    """The probabilities of the atoms of a ground network, and how they were found.

    Attributes:
        probabilities: one per atom.
        errors: standard errors; zero where the probability is exact.
        used: components and atoms by method.
        estimates: of the sampled parts.
        dropped: literals and formula of each hard clause that had to be given up.
    """

    probabilities: np.ndarray
    errors: np.ndarray
    used: dict[str, tuple[int, int]] = field(default_factory=dict)
    estimates: list[Estimate] = field(default_factory=list)
    dropped: list[tuple[list[int], int]] = field(default_factory=list)

    def take(self, method: str, components: int, atoms: np.ndarray, found: np.ndarray) -> None:
        """Note the probabilities of some atoms."""
        if not len(atoms):
            return
        self.probabilities[atoms] = found
        before = self.used.get(method, (0, 0))
        self.used[method] = before[0] + components, before[1] + len(atoms)

    def drop(self, network: GroundNetwork, clauses: np.ndarray, atoms: np.ndarray | None = None) -> None:
        """Note hard clauses that were given up; `atoms` are those of the network in the whole one."""
        for number in clauses.tolist():
            here = network.clauses.select(np.array([number]))
            numbers = here.atoms if atoms is None else atoms[here.atoms]
            self.dropped.append(((2 * numbers + (here.literals & 1)).tolist(), int(here.formulas[0])))


def marginals_of(
    network: GroundNetwork,
    *,
    method: str = "auto",
    schedule: Schedule | None = None,
    stop: StopToken | None = None,
    progress: Reporter,
) -> Answer:
    """Return the probability of every atom.

    Args:
        network: the ground network.
        method: `auto`: exact where possible, else Gibbs sampling, or MC-SAT where hard clauses keep states
            apart; `exact`: never sample; `gibbs`, `mc-sat`: sample everything that is more than one atom.
        schedule: how long to sample.
        stop: ends sampling early.
        progress: told of the phases.
    """
    if method not in METHODS:
        raise UsageError(f"method must be one of {', '.join(METHODS)}, not {method!r}")
    schedule, stop = schedule or Schedule(), stop or StopToken()
    answer = Answer(np.full(network.atoms, np.nan), np.zeros(network.atoms))
    reduced = propagate(network)
    answer.drop(network, reduced.conflicts)
    parts = components_of(reduced.network)
    together = np.zeros(network.atoms, bool)
    together[parts.atoms] = True
    decided = np.flatnonzero(reduced.values >= 0)
    answer.take("propagation", len(decided), decided, reduced.values[decided].astype(float))
    alone = np.flatnonzero((reduced.values < 0) & ~together)
    answer.take("closed form", len(alone), alone, sigmoid(reduced.network.bias[alone]))
    exactly = method in ("auto", "exact")
    if exactly:
        parts = _enumerated(parts, answer)
    parts = possible(parts, answer, schedule.seed)
    if exactly:
        parts = _solved(parts, answer, method == "exact", stop)
    if len(parts):
        _sampled(parts, answer, method, schedule, stop, progress)
    return answer


def _enumerated(parts: Parts, answer: Answer) -> Parts:
    """Solve the small components; return the others."""
    sizes = parts.sizes
    for size in np.unique(sizes[sizes <= ENUMERATED]).tolist():
        part = parts.select(sizes == size)
        found, impossible = enumerate_marginals(part)
        for number in np.flatnonzero(impossible).tolist():
            rescued = possible(part.select(np.array([number])), answer)
            found[part.starts[number] : part.starts[number + 1]] = enumerate_marginals(rescued)[0]
        answer.take("enumeration", len(part), part.atoms, found)
    return parts.select(sizes > ENUMERATED)


def _solved(parts: Parts, answer: Answer, insist: bool, stop: StopToken) -> Parts:
    """Solve the components that have few neighbours at a time or many like atoms; return the others."""
    left = []
    known: dict[bytes, tuple[str, np.ndarray]] = {}
    cells = ALL_CELLS
    for number in range(len(parts)):
        part = parts.select(np.array([number]))
        key = _content(part.network)
        if key not in known and (insist or (cells > 0 and not stop.stopped)):
            most = EXACT_CELLS if insist else min(CELLS, cells)
            chosen = plan(part.network, most)
            classes = like_atoms(part.network, most) if chosen is None else None
            if chosen is not None:
                cells -= chosen.cells
                known[key] = "elimination", eliminate(part.network, chosen)
            elif classes is not None:
                cells -= states_of(classes)
                known[key] = "like atoms", exchangeable_marginals(part.network, classes)
        if key in known:
            answer.take(known[key][0], 1, part.atoms, known[key][1])
        elif insist:
            raise UsageError(
                f"a component of {part.network.atoms} open atoms is too entangled to be solved exactly; "
                "choose the method auto, which samples it"
            )
        else:
            left.append(number)
    return parts.select(np.array(left, np.int64))


def _content(network: GroundNetwork) -> bytes:
    """Return what two components have in common if one solution is good for both."""
    clauses = network.clauses
    arrays = (network.bias, clauses.starts, clauses.literals, clauses.weights)
    return b"".join(array.tobytes() for array in arrays)


def possible(parts: Parts, answer: Answer, seed: int = 0) -> Parts:
    """Give up as few hard clauses as must be given up to leave a possible state; note them."""
    if can_reach_every_state(parts.network).all():
        return parts  # there are no hard clauses, or all can be satisfied by literals that no other denies
    _, dropped = satisfy(parts.network, seed=seed)
    if not len(dropped):
        return parts
    answer.drop(parts.network, dropped, parts.atoms)
    return parts.without_clauses(dropped)


def _sampled(
    parts: Parts, answer: Answer, method: str, schedule: Schedule, stop: StopToken, progress: Reporter
) -> None:
    """Sample components: with Gibbs those where hard clauses do not hinder it, the others with MC-SAT."""
    hindered = any_of(~can_reach_every_state(parts.network), parts.clause_starts)
    if method == "gibbs" and hindered.any():
        raise UsageError("gibbs cannot pass from state to state between hard formulas; choose mc-sat")
    if method == "mc-sat":
        hindered[:] = True
    samplers: tuple[tuple[str, np.ndarray, Callable[..., Estimate]], ...] = (
        ("gibbs", ~hindered, gibbs),
        ("mc-sat", hindered, mcsat),
    )
    for name, chosen, sampler in samplers:
        if chosen.any():
            part = parts.select(chosen)
            progress(PhaseStarted(name, schedule.total))
            estimate = sampler(part.network, schedule, stop=stop, progress=progress)
            answer.take(name, len(part), part.atoms, estimate.probabilities)
            answer.errors[part.atoms] = estimate.errors
            answer.estimates.append(estimate)
