"""Stopping early without losing what was found: one token, shared by everybody who works for long."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class StopToken:
    """Asked by long work whether to go on; told by Ctrl-C or by a clock to stop.

    >>> token = StopToken()
    >>> token.stopped
    False
    >>> token.stop("interrupted")
    >>> token.stopped, token.reason
    (True, 'interrupted')
    """

    def __init__(self, seconds: float | None = None) -> None:
        self._deadline = None if seconds is None else time.monotonic() + seconds
        self._reason: str | None = None
        self._listeners: list[Callable[[], None]] = []
        self._lock = threading.RLock()

    def stop(self, reason: str) -> None:
        """Ask everybody to stop; the first reason given is kept."""
        with self._lock:
            self._reason = self._reason or reason
            listeners = list(self._listeners)
        for listener in listeners:
            listener()

    @property
    def stopped(self) -> bool:
        """Whether somebody said stop or the time is over."""
        return self.reason is not None

    @property
    def reason(self) -> str | None:
        """Why: `interrupted` or `time limit`; None while the work may go on."""
        if self._reason is None and self._deadline is not None and time.monotonic() >= self._deadline:
            self._reason = "time limit"
        return self._reason

    @property
    def remaining(self) -> float | None:
        """Seconds left, or None without a time limit."""
        return None if self._deadline is None else max(0.0, self._deadline - time.monotonic())

    def allow(self, seconds: float) -> None:
        """Set the time that is left, from now on."""
        self._deadline = time.monotonic() + seconds

    @contextmanager
    def listening(self, listener: Callable[[], None]) -> Iterator[None]:
        """Call `listener` at the moment somebody says stop."""
        with self._lock:
            self._listeners.append(listener)
        try:
            yield
        finally:
            with self._lock:
                self._listeners.remove(listener)
