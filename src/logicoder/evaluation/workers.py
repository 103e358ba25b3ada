"""Doing units of work: on several cores, with an estimate of the time left, until somebody says stop."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from datetime import timedelta
from multiprocessing import connection
from statistics import fmean
from threading import Thread
from time import perf_counter

from logicoder.base.errors import LogicoderError
from logicoder.base.progress import PhaseAdvanced, PhaseFinished, PhaseStarted, Reporter
from logicoder.base.stopping import StopToken
from logicoder.base.threads import use_one_thread
from logicoder.evaluation.store import ENCODING, Store
from logicoder.evaluation.tasks import Task, Workplace

logger = logging.getLogger("logicoder")

_PATIENCE = 0.5


class BrokenWorkerError(LogicoderError):
    """A worker process was killed, perhaps because the memory was full."""


class TimeLeft:
    """Estimates the time of all tasks that are left: each role takes about as long as it took so far.

    >>> left = TimeLeft()
    >>> left.expect("encoding", 2)
    >>> left.expect("test", 3)
    >>> left.done("encoding", 60.0)
    >>> left.done("test", 1.0)
    >>> left.tasks, left.seconds
    (3, 62.0)
    """

    def __init__(self) -> None:
        self._left: dict[str, int] = {}
        self._took: dict[str, list[float]] = {}

    def expect(self, role: str, number: int) -> None:
        """Take note of further tasks."""
        self._left[role] = self._left.get(role, 0) + number

    def done(self, role: str, seconds: float | None) -> None:
        """Take note of a task that is done; seconds, unless it was done before."""
        self._left[role] -= 1
        if seconds is not None:
            self._took.setdefault(role, []).append(seconds)

    @property
    def tasks(self) -> int:
        """How many tasks are left."""
        return sum(self._left.values())

    @property
    def known(self) -> bool:
        """Whether anything was done yet that tells how long tasks take."""
        return bool(self._took)

    @property
    def seconds(self) -> float:
        """What they will take together; a role without a task so far takes as long as all others."""
        every = [seconds for listed in self._took.values() for seconds in listed]
        return sum(
            number * fmean(self._took.get(role) or every) for role, number in self._left.items() if every
        )


class Run:
    """Does tasks, on one core or several, and tells of the progress.

    Args:
        place: where they are done.
        store: keeps their results.
        jobs: number of processes.
        report: called with progress events.
        stop: ends the run early.
        phase: what the work is called.
    """

    def __init__(
        self,
        place: Workplace,
        store: Store,
        jobs: int,
        report: Reporter,
        stop: StopToken,
        phase: str,
    ) -> None:
        self._phase = phase
        self._place = place
        self._store = store
        self._jobs = jobs
        self._report = report
        self._stop = stop
        self._pool: ProcessPoolExecutor | None = None
        self._done = 0
        self._left = TimeLeft()

    @property
    def stopped(self) -> bool:
        """Whether somebody said stop."""
        return self._stop.stopped

    @contextmanager
    def working(self, expected: Mapping[str, int]) -> Iterator[None]:
        """Keep the workers, and the time; told how many tasks of each role there will be."""
        started = perf_counter()
        others = set(multiprocessing.active_children())
        for role, number in expected.items():
            self._left.expect(role, number)
        self._report(PhaseStarted(self._phase, self._total))
        try:
            if self._jobs > 1:
                use_one_thread()
                context = multiprocessing.get_context("spawn")
                self._pool = ProcessPoolExecutor(
                    self._jobs, mp_context=context, initializer=_belong_to_parent
                )
            yield
        finally:
            if self._pool is not None:
                if self.stopped:
                    for process in set(multiprocessing.active_children()) - others:
                        process.terminate()
                self._pool.shutdown(cancel_futures=True)
        self._report(PhaseFinished(self._phase, perf_counter() - started, {"units": self._done}))

    @property
    def _total(self) -> int:
        return self._done + self._left.tasks

    def expect(self, role: str, number: int) -> None:
        """Take note of further tasks."""
        self._left.expect(role, number)

    def do(self, tasks: Iterable[Task]) -> None:
        """Do tasks that do not depend on each other; those that are done already count as such."""
        waiting = []
        for task in tasks:
            if task.done(self._store):
                self._advanced(task)
            elif (
                not all(self._store.encoded(task.split, cell) for cell in task.cells)
                and task.role != ENCODING
            ):
                self._advanced(task)  # no auto-encoder, no network
            else:
                waiting.append(task)
        if self._pool is None:
            self._in_turn(waiting)
        else:
            self._at_once(waiting, self._pool.submit)

    def _in_turn(self, tasks: Sequence[Task]) -> None:
        for task in tasks:
            if self.stopped:
                return
            started = perf_counter()
            self._place.do(task)
            self._advanced(task, perf_counter() - started)

    def _at_once(self, tasks: Sequence[Task], submit: Callable[..., Future[float]]) -> None:
        running = {submit(_timed, self._place, task): task for task in tasks}
        while running and not self.stopped:
            ready, _ = wait(running, timeout=_PATIENCE, return_when=FIRST_COMPLETED)
            for future in ready:
                task = running.pop(future)
                try:
                    self._advanced(task, future.result())
                except BrokenProcessPool:
                    raise BrokenWorkerError(
                        f"a worker process died during {', '.join(task.names)}; it may have run out of "
                        "memory: run again with `jobs=1` to continue from here"
                    ) from None

    def _advanced(self, task: Task, seconds: float | None = None) -> None:
        """Take note that a task is done; seconds, unless it was done before."""
        self._done += 1
        self._left.done(task.role, seconds)
        left = self._left.seconds / self._jobs
        self._report(PhaseAdvanced(self._phase, self._done, self._total, left if self._left.known else None))
        if seconds is not None:
            logger.info(
                "%s of %s: %s %s in %.1f s; about %s left",
                self._done,
                self._total,
                task.role,
                ", ".join(task.names),
                seconds,
                timedelta(seconds=round(left)),
            )


def _timed(place: Workplace, task: Task) -> float:
    started = perf_counter()
    place.do(task)
    return perf_counter() - started


def _belong_to_parent() -> None:
    """Leave Ctrl-C to the parent, which keeps what is finished and ends the workers; do not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    """End this process as soon as another one has ended, if only by a kill: nobody waits for it any more."""
    connection.wait([sentinel])
    os._exit(1)
