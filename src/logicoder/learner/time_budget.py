"""How a time limit is divided between enumerating candidates and searching."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

from logicoder.base.stopping import StopToken
from logicoder.learner.settings import Settings

_GRACE = 10.0
"""Seconds beyond the time limit, or once more the limit if that is longer, that enumerating may take."""

_LEAST_SEARCH = 2.0
"""Seconds that the search gets even where enumerating candidates used up the time limit."""


@dataclass(frozen=True)
class TimeBudget:
    """Divides a time limit, if there is one.

    Candidates must be enumerated before there is any program: they get more than the limit if they need it,
    and the search gets its share in any case.
    """

    limit: float | None
    stop: StopToken
    started: float

    @classmethod
    def begin(cls, settings: Settings, stop: StopToken) -> TimeBudget:
        """Start the clock."""
        limit = settings.time_limit
        if limit is not None:
            stop.allow(enumeration_seconds(limit))
        return cls(limit, stop, perf_counter())

    def begin_search(self) -> None:
        """Give the search what is left."""
        if self.limit is not None:
            share = max(_LEAST_SEARCH, self.limit / 10)
            self.stop.allow(max(self.limit - (perf_counter() - self.started), share))


def enumeration_seconds(limit: float) -> float:
    """Return how long enumerating candidates may take under a time limit."""
    return max(2 * limit, limit + _GRACE)
