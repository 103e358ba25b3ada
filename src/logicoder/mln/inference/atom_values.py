"""What is known of the atoms of a ground network while its components are dealt with, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from logicoder.base.stopping import StopToken
from logicoder.mln.inference.chain_estimates import Estimate
from logicoder.mln.inference.components import Parts, components_of
from logicoder.mln.inference.gibbs import can_reach_every_state
from logicoder.mln.inference.ground_network import GroundNetwork
from logicoder.mln.inference.ground_solver import satisfy
from logicoder.mln.inference.simplification import clauses_at, simplify

DECIDED = "hard formulas"
ALONE = "closed form"
SAMPLED = ("gibbs", "mc-sat")
SOLVED = "cp-sat"

ENUMERATED = 10
"""Components of at most so many atoms are enumerated, many at once."""


@dataclass(frozen=True)
class Method:
    """How some atoms were dealt with: name, number of components, number of atoms.

    `unproved` says that a search ended before its proof.
    """

    name: str
    components: int
    atoms: int
    unproved: bool = False

    @property
    def exact(self) -> bool:
        """Whether its numbers are exact, up to rounding."""
        return self.name not in SAMPLED and not self.unproved

    def __str__(self) -> str:
        exact = ", exact" if self.exact else ""
        return f"  {self.name}: {self.atoms:,} atoms in {self.components:,} components{exact}"


class AtomValues:
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

    def methods(self) -> list[Method]:
        """Return the methods, with the numbers of components and atoms that each was used for."""
        atoms = np.bincount(self._used, minlength=len(self._methods)).tolist()
        return list(map(Method, self._methods, self._components, atoms))

    def enumerate(self, solve: Callable[[Parts], tuple[np.ndarray, np.ndarray]]) -> Parts:
        """Solve the small components; return the others.

        Args:
            solve: returns the values of the atoms of components of one size, and which components have no
                possible state; of those, clauses are given up.
        """
        sizes = self.parts.sizes
        for size in np.unique(sizes[sizes <= ENUMERATED]).tolist():
            part = self.parts.select(sizes == size)
            found, impossible = solve(part)
            for number in np.flatnonzero(impossible).tolist():
                rescued = self.possible(part.select(np.array([number])))
                found[part.starts[number] : part.starts[number + 1]] = solve(rescued)[0]
            self.take("enumeration", len(part), part.atoms, found)
        return self.parts.select(sizes > ENUMERATED)

    def possible(self, parts: Parts, seed: int = 0, stop: StopToken | None = None) -> Parts:
        """Give up as few hard clauses as must be given up to leave a possible state; note them."""
        if can_reach_every_state(parts.network).all():
            # There are no hard clauses, or all can be satisfied by literals that no other denies.
            return parts
        _, dropped = satisfy(parts.network, seed=seed, stop=stop)
        if not len(dropped):
            return parts
        self.given_up += clauses_at(parts.network, dropped, parts.atoms)
        return parts.without_clauses(dropped)
