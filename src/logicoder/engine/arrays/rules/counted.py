"""What counting gives."""

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
