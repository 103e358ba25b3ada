"""SampleSAT: nearly uniform random states that satisfy clauses, by WalkSAT mixed with simulated annealing.

Wei, Erenrich and Selman (2004). WalkSAT alone finds solutions but prefers some of them; annealing alone is
uniform but slow.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random

import numpy as np

from logicoder.mln.inference.ground_network import Clauses

WALK = 0.5
"""How often a step is one of WalkSAT while some clause is violated."""

NOISE = 0.5
"""How often WalkSAT flips any atom of the violated clause, instead of the one that breaks fewest clauses."""

COOLING = 5.0
"""Annealing accepts a step that violates d more clauses with probability exp(-COOLING d)."""


class Walker:
    """Clauses over a few atoms, and a state that walks among their solutions.

    Args:
        clauses: the clauses; weights do not matter.
        atoms: how many atoms there are.
    """

    def __init__(self, clauses: Clauses, atoms: int) -> None:
        starts, literals = clauses.starts.tolist(), clauses.literals.tolist()
        self._clauses = [literals[a:b] for a, b in pairwise(starts)]
        self._occurrences: list[list[int]] = [[] for _ in range(2 * atoms)]
        for number, clause in enumerate(self._clauses):
            for literal in clause:
                self._occurrences[literal].append(number)
        self._atoms = atoms

    def sample(self, numbers: Random, most_flips: int) -> np.ndarray | None:
        """Return a random state that satisfies all clauses, or None if none was found in so many flips."""
        state = [numbers.random() < 0.5 for _ in range(self._atoms)]
        self._reset(state)
        threshold = np.exp(-COOLING * np.arange(20)).tolist()
        for _ in range(most_flips):
            if not self._broken:
                self._wander(numbers)
                return np.array(self._state, bool)
            if numbers.random() < WALK:
                clause = self._clauses[self._broken[int(numbers.random() * len(self._broken))]]
                if numbers.random() < NOISE:
                    atom = clause[int(numbers.random() * len(clause))] >> 1
                else:
                    atom = min(
                        (self._breaks(literal >> 1), numbers.random(), literal >> 1) for literal in clause
                    )[2]
                self._flip(atom)
            else:
                atom = int(numbers.random() * self._atoms)
                change = self._breaks(atom) - self._makes(atom)
                if change <= 0 or (change < 20 and numbers.random() < threshold[change]):
                    self._flip(atom)
        return None

    def shuffled(self, state: np.ndarray, numbers: Random) -> np.ndarray:
        """Return a solution reached from another one by random flips that keep all clauses satisfied."""
        self._reset(state.tolist())
        self._wander(numbers)
        return np.array(self._state, bool)

    def _wander(self, numbers: Random) -> None:
        """Try as many random flips as there are atoms, each with probability one half, among solutions."""
        for _ in range(self._atoms):
            atom = int(numbers.random() * self._atoms)
            if numbers.random() < 0.5 and not self._breaks(atom):
                self._flip(atom)

    def _reset(self, state: list[bool]) -> None:
        self._state = state
        self._true = [sum(state[x >> 1] != (x & 1) for x in clause) for clause in self._clauses]
        self._broken = [number for number, count in enumerate(self._true) if not count]
        self._place = {number: place for place, number in enumerate(self._broken)}

    def _breaks(self, atom: int) -> int:
        """Return how many clauses a flip would violate."""
        true = self._true
        return sum(true[number] == 1 for number in self._occurrences[2 * atom + (not self._state[atom])])

    def _makes(self, atom: int) -> int:
        """Return how many clauses a flip would satisfy."""
        true = self._true
        return sum(not true[number] for number in self._occurrences[2 * atom + self._state[atom]])

    def _flip(self, atom: int) -> None:
        was = self._state[atom]
        self._state[atom] = not was
        true, broken, place = self._true, self._broken, self._place
        for number in self._occurrences[2 * atom + (not was)]:
            true[number] -= 1
            if not true[number]:
                place[number] = len(broken)
                broken.append(number)
        for number in self._occurrences[2 * atom + was]:
            if not true[number]:
                here, last = place.pop(number), broken.pop()
                if last != number:
                    broken[here] = last
                    place[last] = here
            true[number] += 1
