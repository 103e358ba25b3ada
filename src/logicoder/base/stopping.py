"""Stopping early without losing what was found: one token, shared by everybody who works for long."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

TIME_LIMIT = "time limit"


class StopToken:
    """Tells long-running work to stop: on Ctrl-C, at a time limit, or when you ask for it.

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
        """Request a stop; the first reason given is kept."""
        with self._lock:
            self._reason = self._reason or reason
            listeners = list(self._listeners)
        for listener in listeners:
            listener()

    @property
    def stopped(self) -> bool:
        """Whether a stop was requested or the time is up."""
        return self.reason is not None

    @property
    def reason(self) -> str | None:
        """Why to stop: `interrupted`, `time limit` or your own text; None while the work may continue."""
        if self._reason is None and self._deadline is not None and time.monotonic() >= self._deadline:
            self._reason = TIME_LIMIT
        return self._reason

    @property
    def remaining(self) -> float | None:
        """Seconds left, or None without a time limit."""
        return None if self._deadline is None else max(0.0, self._deadline - time.monotonic())

    def allow(self, seconds: float) -> None:
        """Set the time that is left, counted from now; it replaces any earlier limit."""
        with self._lock:
            self._deadline = time.monotonic() + seconds
            if self._reason == TIME_LIMIT:
                self._reason = None

    @contextmanager
    def listening(self, listener: Callable[[], None]) -> Iterator[None]:
        """Call `listener` as soon as a stop is requested."""
        with self._lock:
            self._listeners.append(listener)
        try:
            yield
        finally:
            with self._lock:
                self._listeners.remove(listener)


class PartToken(StopToken):
    """Stops a part of some work when its own time is over, and when somebody stops the whole."""

    def __init__(self, whole: StopToken | None) -> None:
        super().__init__()
        self._whole = whole

    @property
    def reason(self) -> str | None:
        """Why the part should stop, if it should."""
        return (self._whole.reason if self._whole is not None else None) or super().reason

    @property
    def remaining(self) -> float | None:
        """Seconds left to the part."""
        whole = self._whole.remaining if self._whole is not None else None
        own = super().remaining
        return own if whole is None else whole if own is None else min(own, whole)

    @contextmanager
    def listening(self, listener: Callable[[], None]) -> Iterator[None]:
        """Call `listener` at the moment somebody says stop, to the part or to the whole."""
        with super().listening(listener):
            if self._whole is None:
                yield
                return
            with self._whole.listening(listener):
                yield


def run_beside(work: Callable[[], T], stop: StopToken, end: Callable[[], None]) -> T:
    """Run work that cannot be interrupted beside this thread, which receives Ctrl-C and watches the clock.

    Args:
        work: what to do; its result is returned, and its exception raised here.
        stop: told of Ctrl-C.
        end: makes the work end soon; called, more than once perhaps, when somebody says stop.

    >>> run_beside(lambda: 6 * 7, StopToken(), lambda: None)
    42
    """
    results: list[T] = []
    failures: list[BaseException] = []
    begun, finished = threading.Lock(), threading.Event()

    def run() -> None:
        if not begun.acquire(blocking=False):
            return
        try:
            results.append(work())
        except BaseException as error:
            failures.append(error)
        finally:
            finished.set()

    # A signal may come between any two steps, and nobody may go on as if the work were over.
    thread = threading.Thread(target=run, name="logicoder-solver", daemon=True)
    with stop.listening(end):
        try:
            thread.start()
        except KeyboardInterrupt:
            if begun.acquire(blocking=False):  # then it never begins
                raise
            stop.stop("interrupted")
        while not finished.is_set():
            try:
                finished.wait(0.1)
                if stop.stopped:
                    end()
            except KeyboardInterrupt:
                stop.stop("interrupted")
    thread.join()
    if failures:
        raise failures[0]
    return results[0]
