"""How long to sample: chains, states to forget, states to count, in stages, until the numbers are sure.

Each stage doubles the number of states. As long as fewer are forgotten than allowed, all that came before a
stage is forgotten. After each stage the chains are compared: they start far from each other, so where they
agree they have forgotten where they started, and where their errors are small, too, no more is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields

import numpy as np

from logicoder.base.progress import PhaseAdvanced, Reporter
from logicoder.base.setting import settings_of
from logicoder.base.stopping import StopToken
from logicoder.mln.inference.chain_estimates import AGREEMENT, Batches, Estimate
from logicoder.mln.weight_parameters import INFERENCE, InferenceParameters

BATCHES = 20
"""Batches per chain and stage, from whose means errors are estimated."""

FIRST = 25
"""States of the first stage; fewer, if no more than four times as many are to be forgotten."""

FEWEST_CHAINS = 4
"""With fewer chains nobody can tell early whether they agree."""

FAR_APART = 10.0
"""Chains with an R̂ above this are in different modes: more states of the order of magnitude do not help,"""

PATIENCE = 10
"""once one state out of so many is drawn."""


@dataclass(frozen=True)
class Schedule:
    """How to sample.

    Attributes:
        samples: states of each chain that count, at most.
        burn_in: states of each chain that are forgotten first, at most.
        chains: how many chains.
        seed: of the random numbers.
        precision: the standard error that is good enough; with 0 all states are drawn.
    """

    samples: int = INFERENCE.samples
    burn_in: int = INFERENCE.burn_in
    chains: int = INFERENCE.chains
    seed: int = INFERENCE.seed
    precision: float = INFERENCE.precision

    def __post_init__(self) -> None:
        declared = settings_of(InferenceParameters)
        for item in fields(self):
            declared[item.name].check(getattr(self, item.name))

    @property
    def total(self) -> int:
        """States of each chain."""
        return self.samples + self.burn_in

    @property
    def may_end_early(self) -> bool:
        """Whether sampling ends once the numbers are sure."""
        return self.precision > 0 and self.chains >= FEWEST_CHAINS


@dataclass(frozen=True)
class Stage:
    """A stretch of states: how many, whether all before is forgotten, and whether they can be an answer."""

    states: int
    fresh: bool = False
    counts: bool = True


def stages_of(schedule: Schedule) -> Iterator[Stage]:
    """Iterate over the stages of a schedule.

    >>> [(stage.states, stage.fresh) for stage in stages_of(Schedule(samples=1000, burn_in=100))]
    [(25, True), (25, True), (50, True), (100, True), (100, False), (200, False), (400, False), (200, False)]
    >>> [(stage.states, stage.counts) for stage in stages_of(Schedule(precision=0))]
    [(100, False), (1000, True)]
    """
    early = schedule.may_end_early
    done = min(FIRST, -(-schedule.burn_in // 4)) if early else schedule.burn_in
    if done:
        yield Stage(done, True, counts=False)
    while done < schedule.burn_in:
        length = min(done, schedule.burn_in - done, schedule.samples)
        yield Stage(length, True)
        done += length
    counted = 0
    while counted < schedule.samples:
        wanted = (counted or max(FIRST, schedule.burn_in)) if early else schedule.samples
        length = min(wanted, schedule.samples - counted)
        yield Stage(length, not counted)
        counted += length


def split(states: int) -> list[int]:
    """Return the lengths of the batches of a stage.

    >>> split(50), split(3)
    ([2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3], [1, 1, 1])
    """
    number = min(BATCHES, states)
    return [states * (i + 1) // number - states * i // number for i in range(number)]


def is_enough(estimate: Estimate, schedule: Schedule) -> bool:
    """Return whether the chains agree within the precision wanted, or are too far apart to ever agree."""
    if not schedule.may_end_early or estimate.samples < FIRST * schedule.chains:
        return False
    patient = PATIENCE * estimate.samples >= schedule.samples * schedule.chains
    if patient and estimate.spread.max(initial=1.0) > FAR_APART:
        return True
    agree = bool((estimate.spread <= AGREEMENT).all())
    return agree and bool((estimate.errors <= schedule.precision).all())


def run(
    advance: Callable[[], np.ndarray],
    batches: Batches,
    schedule: Schedule,
    phase: str,
    *,
    stop: StopToken,
    progress: Reporter,
) -> Estimate:
    """Sample as scheduled, until the numbers are sure or somebody says stop; Ctrl-C keeps what there is.

    Args:
        advance: moves all chains by one state; returns probabilities of shape (atoms, chains).
        batches: collects them.
        schedule: how long.
        phase: the name under which progress is reported.
        stop: asked after every state.
        progress: told of every batch.

    Raises:
        KeyboardInterrupt: if it comes before there is any state to keep.
    """
    done = 0

    def report(states: int) -> None:
        nonlocal done
        done += states
        progress(PhaseAdvanced(phase, done, schedule.total))

    latest: Estimate | None = None
    try:
        for stage in stages_of(schedule):
            _draw(advance, batches, stage, stop, report)
            if not stage.counts:
                continue
            if stop.stopped:
                break
            latest = batches.estimate()
            if is_enough(latest, schedule):
                break
    except KeyboardInterrupt:
        if batches.empty and latest is None:
            raise
        stop.stop("interrupted")
    # A stage that was hardly begun says less than the ones before.
    return latest if latest is not None and batches.closed < BATCHES // 2 else batches.estimate()


def _draw(
    advance: Callable[[], np.ndarray],
    batches: Batches,
    stage: Stage,
    stop: StopToken,
    report: Callable[[int], None],
) -> None:
    """Draw the states of one stage, batch by batch, or one state if somebody says stop."""
    if stage.fresh:
        batches.forget()
    else:
        batches.begin()
    for length in split(stage.states):
        for number in range(length):
            found = advance()
            if stage.counts:
                batches.add(found)
            if stop.stopped:
                report(number + 1)
                return
        batches.close()
        report(length)
