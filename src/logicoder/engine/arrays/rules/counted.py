"""What counting gives and what it may cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from logicoder.logic.rules import Rule

Counts = NDArray[np.float64]
Numbers = NDArray[np.int64]
Worth = Callable[[Numbers, Counts, Counts, int], Counts]
"""What rules of some number of literals can save at most, given spaces, derived and true atoms."""


@dataclass(frozen=True)
class Counted:
    """A rule for one of the spaces and what it derives in it.

    Attributes:
        space: number of the space.
        rule: the rule.
        derived: atoms in the space that it derives.
        true: facts among them.
    """

    space: int
    rule: Rule
    derived: int
    true: int


@dataclass
class Effort:
    """What counting may cost: tuples of joins, and whether somebody said stop.

    Attributes:
        tuples: how many are left.
        largest: most tuples of one join.
        stopped: whether to end now.
    """

    tuples: int = 200_000_000
    largest: int = 5_000_000
    stopped: Callable[[], bool] = lambda: False

    def spend(self, tuples: int) -> bool:
        """Whether a join of so many tuples may be made."""
        if tuples > self.largest or tuples > self.tuples or self.stopped():
            return False
        self.tuples -= tuples
        return True
