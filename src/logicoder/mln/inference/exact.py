"""Larger components that can be solved exactly: those with few neighbours at a time, or many like atoms."""

from __future__ import annotations

import numpy as np

from logicoder.mln.inference.elimination import eliminate, plan
from logicoder.mln.inference.exchangeable import effort_of, exchangeable_marginals, like_atoms
from logicoder.mln.inference.ground_network import GroundNetwork

CELLS = 1 << 20
"""How many table entries, or kinds of states, one component may take,"""

ALL_CELLS = 1 << 27
"""and all of them together;"""

INSIST_CELLS = 1 << 26
"""or one component, if the user insists on exact numbers."""

REMEMBERED = 1 << 20
"""Larger components, in literals, are not compared with others: they hardly ever come twice."""


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
