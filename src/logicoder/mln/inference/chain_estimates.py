"""How sure sampled probabilities are: standard errors, effective sample sizes, spread over chains."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

AGREEMENT = 1.2
"""Chains with an R̂ above this do not agree. Below it may be chance, where there are many atoms."""

NEGLIGIBLE = 1e-8
"""Variances of this order do not matter: chains may differ by 1e-4 and still agree."""


@dataclass(frozen=True, eq=False)
class Estimate:
    """Probabilities from several chains.

    Attributes:
        probabilities: one per atom.
        errors: standard error of each; not a number where there is only one batch.
        effective: how many independent draws would give the same error.
        spread: the ratio R̂ of the spread over all chains to that within them; near 1 where they agree.
        samples: states drawn, over all chains.
        failures: steps of MC-SAT in which SampleSAT found no state for a component.
    """

    probabilities: np.ndarray
    errors: np.ndarray
    effective: np.ndarray
    spread: np.ndarray
    samples: int
    failures: int = 0

    def select(self, atoms: np.ndarray) -> Estimate:
        """Return what it says of some atoms: a mask, or positions."""
        parts = (self.probabilities[atoms], self.errors[atoms], self.effective[atoms], self.spread[atoms])
        return Estimate(*parts, self.samples, self.failures)


class Batches:
    """Means over batches of successive states, in several chains: what an estimate needs to know.

    States come in stages, the batches of a later stage may be longer. All stages count for the probabilities;
    errors are estimated from the batches of the last stage, which are the longest, and from all chains.

    Attributes:
        closed: the number of batches of the last stage.
    """

    def __init__(self, atoms: int, chains: int) -> None:
        self._shape = atoms, chains
        self.forget()

    @property
    def empty(self) -> bool:
        """Whether no state was added."""
        return not self._states and not self._waiting

    def forget(self) -> None:
        """Forget all states."""
        self._before = np.zeros(self._shape)
        self._states_before = 0
        self._start()

    def begin(self) -> None:
        """Begin a new stage; an open batch is dropped."""
        self._before += self._total
        self._states_before += self._states
        self._start()

    def _start(self) -> None:
        self._total = np.zeros(self._shape)
        self._sums = np.zeros(self._shape)
        self._squares = np.zeros(self._shape)
        self._current = np.zeros(self._shape)
        self._waiting = self._states = self.closed = 0

    def add(self, probabilities: np.ndarray) -> None:
        """Add a state: the probabilities of the atoms given the others, shape (atoms, chains)."""
        self._current += probabilities
        self._waiting += 1

    def close(self) -> None:
        """End a batch."""
        if self._waiting:
            mean = self._current / self._waiting
            self._sums += mean
            self._squares += mean**2
            self._total += self._current
            self._states += self._waiting
            self.closed += 1
            self._current[:] = 0.0
            self._waiting = 0

    def estimate(self) -> Estimate:
        """Return what the closed batches say; an open one counts only if there is no other."""
        if not self._states + self._states_before:
            self.close()
        batches, chains = self.closed, self._shape[1]
        states = self._states + self._states_before
        means = (self._total + self._before) / states
        found = means.mean(axis=1)
        variance, spread = np.full((2, len(found)), np.nan)
        if batches * chains > 1:
            center = self._sums.mean(axis=1) / batches
            total = np.maximum(self._squares.sum(axis=1) - batches * chains * center**2, 0.0)
            variance = total / (batches * chains - 1) / (batches * chains) * (self._states / states)
        if chains > 1:
            # Chains that disagree tell of slow mixing that batches within a chain cannot see.
            variance = np.fmax(variance, means.var(axis=1, ddof=1) / chains)
            if batches > 1:
                spread = self._spread()
        samples = states * chains
        with np.errstate(divide="ignore", invalid="ignore"):
            effective = np.where(variance == 0, samples, found * (1.0 - found) / variance)
        # What is rarer than one state out of all those drawn may never have been seen.
        errors = np.sqrt(variance + 1.0 / samples**2)
        return Estimate(found, errors, effective, spread, samples)

    def _spread(self) -> np.ndarray:
        """Return R̂ of the batches of the last stage."""
        batches, chains = self.closed, self._shape[1]
        means = self._sums / batches
        within = np.maximum(self._squares - batches * means**2, 0.0).sum(axis=1) / (chains * (batches - 1))
        pooled = within * (batches - 1) / batches + means.var(axis=1, ddof=1)
        return np.asarray(np.sqrt((pooled + NEGLIGIBLE) / (within + NEGLIGIBLE)))


@dataclass(frozen=True)
class Sureness:
    """How sure sampled probabilities are.

    Attributes:
        samples: states drawn, over all chains.
        least_effective: the smallest effective sample size of an atom: as many independent draws of truth
            values have the same error. It may be larger than `samples`, as probabilities are averaged.
        median_effective: the median over sampled atoms.
        largest_error: the largest standard error of a probability.
        largest_spread: the largest R̂ of an atom: far above 1 where chains do not agree.
        failures: steps of MC-SAT in which SampleSAT found no state for a component, whose atoms then moved by
            single flips only.
    """

    samples: int
    least_effective: float
    median_effective: float
    largest_error: float
    largest_spread: float
    failures: int = 0

    @classmethod
    def of(cls, estimates: Sequence[Estimate]) -> Sureness | None:
        """Return how sure several estimates are together; None where there is none."""
        if not estimates:
            return None
        effective, errors, spread = (
            np.concatenate([getattr(estimate, name) for estimate in estimates])
            for name in ("effective", "errors", "spread")
        )
        return cls(
            sum(estimate.samples for estimate in estimates),
            float(effective.min()),
            float(np.median(effective)),
            float(errors.max()),
            float(spread.max()),
            sum(estimate.failures for estimate in estimates),
        )

    @property
    def agree(self) -> bool:
        """Whether the chains agree; where they do not, neither probabilities nor errors are to be trusted.

        Neither are they where there is one chain only, or too few states to tell.
        """
        return self.largest_spread <= AGREEMENT

    @property
    def doubt(self) -> str | None:
        """Why not to trust the numbers, in words."""
        if self.agree:
            return None
        if math.isnan(self.largest_spread):
            return "whether chains agree cannot be told: take more samples, and several chains"
        return "the chains do not agree: take more samples, or the method mc-sat"

    def as_dict(self) -> dict[str, float | int | bool | None]:
        """Return all this for JSON, which has no NaN: None stands for what is not known."""
        found = {name: None if math.isnan(value) else value for name, value in vars(self).items()}
        return {**found, "agree": self.agree}

    def __str__(self) -> str:
        return (
            f"{self.samples:,} samples; "
            f"effective sample size at least {_text(self.least_effective, ',.0f')}, "
            f"median {_text(self.median_effective, ',.0f')}; "
            f"standard error at most {_text(self.largest_error, '.4f')}; "
            f"R̂ at most {_text(self.largest_spread, '.3f')}"
        )


def _text(value: float, form: str) -> str:
    return "unknown" if math.isnan(value) else format(value, form)
