"""How long to sample: chains, states to forget, states to count, in batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from logicoder.base.errors import UsageError
from logicoder.base.progress import PhaseAdvanced, Reporter
from logicoder.base.stopping import StopToken
from logicoder.mln.inference.estimates import Batches, Estimate

BATCHES = 20
"""Batches per chain, from whose means errors are estimated."""


@dataclass(frozen=True)
class Schedule:
    """How to sample.

    Attributes:
        samples: states of each chain that count.
        burn_in: states of each chain that are forgotten first.
        chains: how many chains.
        seed: of the random numbers.
    """

    samples: int = 1000
    burn_in: int = 100
    chains: int = 8
    seed: int = 0

    def __post_init__(self) -> None:
        for name, least in (("samples", 1), ("burn_in", 0), ("chains", 1)):
            if getattr(self, name) < least:
                raise UsageError(f"{name} must be at least {least}, not {getattr(self, name)}")

    @property
    def total(self) -> int:
        """States of each chain."""
        return self.samples + self.burn_in


def batches_of(schedule: Schedule) -> Iterator[tuple[int, bool]]:
    """Iterate over stretches of states: how many, and whether they count.

    >>> list(batches_of(Schedule(samples=5, burn_in=3)))
    [(3, False), (1, True), (1, True), (1, True), (1, True), (1, True)]
    """
    if schedule.burn_in:
        yield schedule.burn_in, False
    number = min(BATCHES, schedule.samples)
    for batch in range(number):
        yield schedule.samples * (batch + 1) // number - schedule.samples * batch // number, True


def run(
    advance: Callable[[], np.ndarray],
    batches: Batches,
    schedule: Schedule,
    phase: str,
    *,
    stop: StopToken,
    progress: Reporter,
) -> Estimate:
    """Sample as scheduled, or until somebody says stop; Ctrl-C keeps what there is.

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
    try:
        for length, counts in batches_of(schedule):
            for _ in range(length):
                found = advance()
                if counts:
                    batches.add(found)
                done += 1
                if stop.stopped:
                    break
            else:
                batches.close()
            progress(PhaseAdvanced(phase, done, schedule.total))
            if stop.stopped and counts:
                break
    except KeyboardInterrupt:
        if batches.empty:
            raise
        stop.stop("interrupted")
    return batches.estimate()
