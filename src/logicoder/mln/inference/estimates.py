"""How sure sampled probabilities are: standard errors, effective sample sizes, spread over chains."""

from __future__ import annotations

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
    """Means over batches of successive states, in several chains: what an estimate needs to know."""

    def __init__(self, atoms: int, chains: int) -> None:
        self._sums = np.zeros((atoms, chains))
        self._squares = np.zeros((atoms, chains))
        self._current = np.zeros((atoms, chains))
        self._waiting = 0
        self._sizes: list[int] = []

    @property
    def empty(self) -> bool:
        """Whether no state was added."""
        return not self._sizes and not self._waiting

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
            self._sizes.append(self._waiting)
            self._current[:] = 0.0
            self._waiting = 0

    def estimate(self) -> Estimate:
        """Return what the closed batches say; an open one counts only if there is no other."""
        if not self._sizes:
            self.close()
        batches, chains = len(self._sizes), self._sums.shape[1]
        samples = sum(self._sizes) * chains
        means = self._sums / batches
        found = means.mean(axis=1)
        if batches * chains < 2:
            nothing = np.full(len(found), np.nan)
            return Estimate(found, nothing, nothing, nothing, samples)
        total = np.maximum(self._squares.sum(axis=1) - batches * chains * found**2, 0.0)
        variance = total / (batches * chains - 1) / (batches * chains)
        spread = np.full(len(found), np.nan)
        if chains > 1:
            between = means.var(axis=1, ddof=1)
            # Chains that disagree tell of slow mixing that batches within a chain cannot see.
            variance = np.maximum(variance, between / chains)
            if batches > 1:
                within = np.maximum(self._squares - batches * means**2, 0.0).sum(axis=1)
                within /= chains * (batches - 1)
                pooled = within * (batches - 1) / batches + between
                spread = np.sqrt((pooled + NEGLIGIBLE) / (within + NEGLIGIBLE))
        noise = found * (1.0 - found)
        with np.errstate(divide="ignore", invalid="ignore"):
            effective = np.where(variance > 0, noise / variance, samples)
        return Estimate(found, np.sqrt(variance), effective, spread, samples)
