"""What a search may cost: work, memory, patience, and when somebody says stop."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from logicoder.base.memory import MemoryBudget
from logicoder.base.stopping import StopToken

_WORK, _WORK_PER_FACT = 1_000_000_000, 10_000
"""What a search may take: a unit is about twenty to sixty nanoseconds."""

_LARGEST = 4_000_000
"""Most tuples of one operation: about half a second, after which a stop is noticed."""

_TUPLE_BYTES = 64
"""Bytes of a tuple while a join, its keys, their order and their columns are made."""


_SOLVER_BYTES = 96 << 20
"""What a solver takes while it chooses rules, and memory that is not given back."""


class StoppedError(Exception):
    """Somebody said stop, in the middle of some work."""


@dataclass
class Effort:
    """Carries all limits of a search.

    Attributes:
        work: how much is left: tuples of joins and atoms that are looked at. It is counted, not measured, so
            that a search does the same whenever and wherever it runs.
        memory: what the process may take.
        stop: tells when to end.
        patience: the share of all bits that a further round of search must save; with less, it ends.
    """

    work: int = _WORK
    memory: MemoryBudget = field(default_factory=lambda: MemoryBudget.of(None, 0, 0))
    stop: StopToken = field(default_factory=StopToken)
    patience: float = 0.001
    spent: int = field(default=0, init=False)

    @classmethod
    def of(
        cls,
        facts: int,
        constants: int,
        max_memory: int | str | None = None,
        stop: StopToken | None = None,
    ) -> Effort:
        """Return what a search on data of some size may cost unless more is said.

        Args:
            facts: number of facts.
            constants: number of constants.
            max_memory: the most memory of the process; None for a share of what is free.
            stop: tells when to end.
        """
        memory = MemoryBudget.of(max_memory, facts, constants)
        return cls(_WORK + _WORK_PER_FACT * facts, memory, stop or StopToken())

    _least: int = field(default=0, init=False)

    def after(self, share: float) -> int:
        """Return the work that is left when a share of it is spent."""
        return self.work - int(share * self.work)

    @contextmanager
    def down_to(self, least: int) -> Iterator[None]:
        """Let something spend work until so much is left."""
        before, self._least = self._least, max(self._least, least)
        try:
            yield
        finally:
            self._least = before

    @property
    def left(self) -> int:
        """The work that may be spent now."""
        return max(0, self.work - self._least)

    def stopped(self) -> bool:
        """Whether to end now."""
        return self.stop.stopped

    def check(self) -> bool:
        """Raise StoppedError where somebody said stop; otherwise return False."""
        if self.stop.stopped:
            raise StoppedError
        return False

    @property
    def affords_solver(self) -> bool:
        """Whether there is room for a solver."""
        return self.memory.free >= _SOLVER_BYTES

    @property
    def largest(self) -> int:
        """Most tuples of one operation."""
        return min(_LARGEST, self.room(0.15, _TUPLE_BYTES))

    def room(self, share: float, each: int) -> int:
        """Return how many things of so many bytes fit into a share of the memory."""
        spare = max(self.memory.free - _SOLVER_BYTES, self.memory.free // 4)
        return int(share * spare) // each

    def spend(self, tuples: int) -> bool:
        """Whether an operation on so many tuples may be made; then it counts.

        Raises:
            StoppedError: where somebody said stop.
        """
        self.check()
        if tuples > min(self.largest, self.left):
            return False
        self.count(tuples)
        return True

    def count(self, tuples: int) -> None:
        """Count work that is done whatever is left."""
        self.work -= tuples
        self.spent += tuples
