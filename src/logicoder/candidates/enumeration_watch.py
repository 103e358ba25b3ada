"""Watching over the making of candidates: told of progress, it ends what somebody wants to end."""

from __future__ import annotations

from dataclasses import dataclass

from logicoder.base.clock import Clock
from logicoder.base.errors import SearchError
from logicoder.base.progress import PhaseAdvanced
from logicoder.base.stopping import StopToken


@dataclass(frozen=True)
class Watch:
    """Reports progress, and refuses to go on where there is to be an end.

    Attributes:
        clock: told of progress.
        stop: says when to end.
    """

    clock: Clock
    stop: StopToken

    def encoders(self, done: int, total: int) -> None:
        """Report that so many of the bodies of encoders are evaluated."""
        self._report("encoders", done, total)

    def decoders(self, done: int, total: int) -> None:
        """Report that decoders of so many heads, or kinds of heads, are evaluated."""
        self._report("decoders", done, total)

    def _report(self, phase: str, done: int, total: int) -> None:
        """Report progress; where there is no program yet, a stop is the end of the run."""
        if self.stop.reason == "interrupted":
            raise KeyboardInterrupt
        if self.stop.reason is not None:
            raise SearchError(
                "the time limit passed long ago and the candidates are not enumerated yet; allow more time "
                "(`time_limit`), or ask for fewer candidates: shorter clauses, `max_latent_arity`, "
                "`types=infer`"
            )
        self.clock.report(PhaseAdvanced(phase, done, total))
