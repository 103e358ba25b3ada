"""What is known of the atoms of a ground network while its components are dealt with, one after the other."""

from __future__ import annotations

import numpy as np

from logicoder.base.stopping import StopToken
from logicoder.mln.inference.components import Parts, components_of
from logicoder.mln.inference.estimates import Estimate
from logicoder.mln.inference.gibbs import can_reach_every_state
from logicoder.mln.inference.ground import GroundNetwork
from logicoder.mln.inference.simplification import clauses_at, simplify
from logicoder.mln.inference.solving import satisfy

DECIDED = "hard formulas"
ALONE = "closed form"


class Answer:
    """Probabilities, or truth values, of the atoms of a ground network, and how they were found.

    Attributes:
        values: one per atom; not a number as long as nobody has found it.
        errors: standard errors; zero where the value is exact.
        estimates: of the sampled parts.
        given_up: literals and formula of each hard clause that had to be given up.
        simple: the network without what its hard clauses decide.
        parts: its components of two and more atoms.
    """

    def __init__(self, network: GroundNetwork) -> None:
        self.values = np.full(network.atoms, np.nan)
        self.errors = np.zeros(network.atoms)
        self.estimates: list[Estimate] = []
        self._methods: list[str] = []
        self._components: list[int] = []
        self._used = np.full(network.atoms, -1, np.int8)
        self.simple = simplify(network)
        self.given_up = self.simple.given_up
        self.parts = components_of(self.simple.network)
        decided = np.flatnonzero(self.simple.values >= 0)
        self.take(DECIDED, len(decided), decided, self.simple.values[decided])

    def alone(self) -> np.ndarray:
        """Return the atoms that are neither decided nor equal to others nor in a clause with others."""
        free = self.simple.free
        free[self.parts.atoms] = False
        return np.flatnonzero(free)

    def take(self, method: str, components: int, atoms: np.ndarray, found: np.ndarray) -> None:
        """Note the values of some atoms."""
        if not len(atoms):
            return
        if method not in self._methods:
            self._methods.append(method)
            self._components.append(0)
        number = self._methods.index(method)
        self.values[atoms] = found
        self._used[atoms] = number
        self._components[number] += components

    def finish(self) -> None:
        """Give the atoms that are equal or opposite to others the values of those."""
        same = self.simple.same
        there = same >> 1
        self.values = np.where(same & 1, 1.0 - self.values[there], self.values[there])
        self.errors = self.errors[there]
        self._used = self._used[there]

    def used(self) -> list[tuple[str, int, int]]:
        """Return the methods, with the numbers of components and atoms that each was used for."""
        atoms = np.bincount(self._used, minlength=len(self._methods)).tolist()
        return list(zip(self._methods, self._components, atoms, strict=True))

    def possible(self, parts: Parts, seed: int = 0, stop: StopToken | None = None) -> Parts:
        """Give up as few hard clauses as must be given up to leave a possible state; note them."""
        if can_reach_every_state(parts.network).all():
            return (
                parts  # there are no hard clauses, or all can be satisfied by literals that no other denies
            )
        _, dropped = satisfy(parts.network, seed=seed, stop=stop)
        if not len(dropped):
            return parts
        self.given_up += clauses_at(parts.network, dropped, parts.atoms)
        return parts.without_clauses(dropped)
