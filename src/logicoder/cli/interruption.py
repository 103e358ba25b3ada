"""Ctrl-C, SIGTERM and SIGHUP while learning: the best program so far is kept, whatever is running."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

import typer

from logicoder.base.errors import LogicoderError
from logicoder.base.progress import Event, PhaseStarted, Reporter
from logicoder.base.stopping import StopToken
from logicoder.cli.guard import INTERRUPTED, InterruptedRunError, QuitError

SIGNALS = (signal.SIGINT, signal.SIGTERM)
_HANGUP = getattr(signal, "SIGHUP", None)
"""The terminal is gone. `nohup` has it ignored, and then it stays so."""

_HAS_ALARM = hasattr(signal, "setitimer")

# Wrappers pass on a Ctrl-C that the terminal has sent to everybody already: one keystroke, two signals.
_ECHO = 0.5
# Before the search a signal is an exception; what does not give way to it is left behind after so long.
_PATIENCE = 1.0


class Interruption(StopToken):
    """Stops the search when a signal comes; before the search, the signal interrupts the run.

    The handler only sets a flag, which the search looks at many times a second: it takes no lock that the
    interrupted code may hold.

    Args:
        phases: those of the search.
        what: what it finds.
    """

    def __init__(self, phases: Collection[str] = ("rules", "solve"), what: str = "program") -> None:
        super().__init__()
        self._phases = frozenset(phases)
        self._what = what
        self._requested: float | None = None
        self._searching = False

    @property
    def requested(self) -> bool:
        """Whether a signal has come."""
        return self._requested is not None

    def watch(self, event: Event) -> None:
        """Learn from a progress event that the search begins; from then on there is something to keep."""
        if isinstance(event, PhaseStarted) and event.phase in self._phases:
            self.begin()

    def begin(self) -> None:
        """Take note that from now on there is something to keep."""
        self._searching = True

    def watching(self, bars: Reporter) -> Reporter:
        """Return what shows progress by these bars and is watched."""

        def report(event: Event) -> None:
            self.watch(event)
            bars(event)

        return report

    @property
    def nothing(self) -> str:
        """What to say of a signal that came before there was anything to keep."""
        return f"interrupted before any {self._what} was found"

    @property
    def reason(self) -> str | None:
        """Why the work should stop, if it should."""
        return "interrupted" if self.requested else super().reason

    @contextmanager
    def handling(self) -> Iterator[None]:
        """Receive the signals. Also where they were ignored, as shells have it for commands behind `&`."""
        before = {number: signal.signal(number, self._handle) for number in SIGNALS}
        if _HANGUP is not None and signal.getsignal(_HANGUP) is not signal.SIG_IGN:
            before[_HANGUP] = signal.signal(_HANGUP, self._handle)
        if _HAS_ALARM:
            before[signal.SIGALRM] = signal.signal(signal.SIGALRM, self._leave)
        try:
            yield
        finally:
            if _HAS_ALARM:
                signal.setitimer(signal.ITIMER_REAL, 0)
            for number, handler in before.items():
                signal.signal(number, handler if handler is not None else signal.SIG_DFL)

    @contextmanager
    def refusing(self, nothing: str | None = None) -> Iterator[None]:
        """End the run where a signal came before the block found anything to keep.

        Args:
            nothing: what to say then.
        """
        try:
            yield
        except (KeyboardInterrupt, LogicoderError):
            if not self.requested:
                raise
            raise InterruptedRunError(nothing or self.nothing) from None

    def leave(self, kept: str | None = None) -> None:
        """End a command that a signal cut short, after all was shown.

        Args:
            kept: what there is all the same.
        """
        if self.requested:
            with suppress(OSError):  # the terminal may be gone
                print(f"interrupted: {kept or f'this is the best {self._what} so far'}", file=sys.stderr)
            raise typer.Exit(INTERRUPTED)

    def _handle(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002
        now = time.monotonic()
        if self._requested is not None:
            if now - self._requested < _ECHO:
                return
            raise QuitError("stopped immediately")
        self._requested = now
        if not self._searching:
            if _HAS_ALARM:
                signal.setitimer(signal.ITIMER_REAL, _PATIENCE)
            raise KeyboardInterrupt
        if os.isatty(2):
            os.write(
                2, f"\nstopping: the best {self._what} so far is kept (Ctrl-C again to leave)\n".encode()
            )

    def _leave(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002
        raise QuitError(self.nothing)
