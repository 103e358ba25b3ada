"""Markov blankets among the columns of a boolean table, by Grow-Shrink with chi-square tests.

Margaritis and Thrun (1999); Bromberg, Margaritis and Honavar (2006) for Markov networks.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np


class Independence:
    """Chi-square tests between columns of a weighted boolean table.

    Args:
        cells: distinct rows.
        weights: how often each occurs.
        level: columns depend on each other where the probability of so strong an association by chance is
            below this.
    """

    def __init__(self, cells: np.ndarray, weights: np.ndarray, level: float = 0.15) -> None:
        self.cells = cells
        self.weights = weights.astype(float)
        self.level = level

    def test(self, column: int, given: Iterable[int] = ()) -> tuple[np.ndarray, np.ndarray]:
        """Test a column against all others, given some.

        Each combination of values of the given columns is a stratum with a two-by-two table of its own;
        their statistics and degrees of freedom add up. Tables with an empty row or column say nothing.

        Returns:
            The statistics, and the probabilities of such statistics under independence.
        """
        from scipy.special import chdtrc  # noqa: PLC0415  (heavy)

        strata = self._strata(sorted(given))
        order = np.argsort(strata, kind="stable")
        starts = np.flatnonzero(np.diff(strata[order], prepend=-1))
        weights, cells = self.weights[order], self.cells[order]
        mine = weights * cells[:, column]
        both = np.add.reduceat(mine[:, None] * cells, starts)
        theirs = np.add.reduceat(weights[:, None] * cells, starts)
        own = np.add.reduceat(mine, starts)[:, None]
        total = np.add.reduceat(weights, starts)[:, None]
        margins = own * (total - own) * theirs * (total - theirs)
        with np.errstate(divide="ignore", invalid="ignore"):
            parts = np.where(margins > 0, total * (both * total - own * theirs) ** 2 / margins, 0.0)
        freedom = (margins > 0).sum(axis=0)
        statistic = parts.sum(axis=0)
        return statistic, np.where(freedom > 0, chdtrc(np.maximum(freedom, 1), statistic), 1.0)

    def _strata(self, given: list[int]) -> np.ndarray:
        classes = np.zeros(len(self.cells), np.int64)
        for start in range(0, len(given), 32):
            block = self.cells[:, given[start : start + 32]]
            code = block @ (1 << np.arange(block.shape[1], dtype=np.int64))
            classes = np.unique((classes << 32) | code, return_inverse=True)[1].ravel()
        return classes

    def blanket(self, column: int) -> list[int]:
        """Return the Markov blanket of a column, sorted.

        Columns are taken in the order of their association with this one, strongest first. Growing adds each
        that depends on it given the blanket so far, until nothing is added; shrinking drops those that are
        independent of it given the rest.
        """
        statistic, probability = self.test(column)
        order = sorted((c for c in range(len(statistic)) if c != column), key=lambda c: (-statistic[c], c))
        found: list[int] = []
        place, unchanged = 0, 0
        while unchanged < len(order):
            candidate = order[place]
            if candidate not in found and probability[candidate] < self.level:
                found.append(candidate)
                _, probability = self.test(column, found)
                unchanged = 0
            unchanged += 1
            place = (place + 1) % len(order)
        for member in list(found):
            rest = [c for c in found if c != member]
            if not self.test(column, rest)[1][member] < self.level:
                found = rest
        return sorted(found)

    def neighbours(self, column: int, *, both: bool = True) -> list[int]:
        """Return the blanket made symmetric.

        Args:
            column: of which.
            both: of two columns each has to be in the blanket of the other; otherwise one suffices.
        """
        own = self.blanket(column)
        if both:
            return [other for other in own if column in self.blanket(other)]
        others = (c for c in range(self.cells.shape[1]) if c != column and c not in own)
        return sorted([*own, *(c for c in others if column in self.blanket(c))])
