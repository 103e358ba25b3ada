"""How long the phases of a run take."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter

from logicoder.base.progress import PhaseFinished, PhaseStarted, Reporter

logger = logging.getLogger("logicoder")


@dataclass
class Clock:
    """Times the phases and tells the reporter about them."""

    report: Reporter
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def phase(self, name: str, total: int | None = None) -> Iterator[dict[str, int]]:
        """Time a phase, which may come again; what is put into the yielded dictionary is reported then."""
        counts: dict[str, int] = {}
        started = perf_counter()
        self.report(PhaseStarted(name, total))
        yield counts
        seconds = perf_counter() - started
        self.seconds[name] = self.seconds.get(name, 0.0) + seconds
        self.report(PhaseFinished(name, seconds, counts))
        logger.info("%s: %.2f s %s", name, seconds, counts)
