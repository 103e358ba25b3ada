"""Running an experiment: all units of work, on several cores, and on again after a kill."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from multiprocessing import connection
from pathlib import Path
from statistics import fmean
from threading import Thread
from time import perf_counter
from typing import Protocol

from logicoder.base.errors import LogicoderError
from logicoder.base.progress import PhaseAdvanced, PhaseFinished, PhaseStarted, Reporter, silent
from logicoder.base.stopping import StopToken
from logicoder.evaluation.choosing import chosen_cells
from logicoder.evaluation.configuration import Cell, Configuration, Lengths
from logicoder.evaluation.data import all_data, checked_files
from logicoder.evaluation.splits import Protocol as Folds
from logicoder.evaluation.splits import Split, protocol_of
from logicoder.evaluation.store import ENCODING, TEST, VALIDATION, Store
from logicoder.evaluation.tasks import Task, Workplace

logger = logging.getLogger("logicoder")

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_PATIENCE = 0.5


class BrokenWorkerError(LogicoderError):
    """A worker process was killed, perhaps because the memory was full."""


@dataclass(frozen=True)
class Outcome:
    """What a finished, or interrupted, run came to.

    Attributes:
        store: the folder.
        chosen: the cell of each variant that the validation fold chose.
        finished: whether all units are there.
        seconds: how long this run took.
    """

    store: Store
    chosen: dict[str, Cell]
    finished: bool
    seconds: float


@dataclass(frozen=True)
class Experiment(Outcome):
    """An experiment.

    Attributes:
        protocol: the splits.
    """

    protocol: Folds


def run_experiment(
    data: str | Path,
    folder: str | Path,
    configuration: Configuration | None = None,
    *,
    jobs: int = 1,
    report: Reporter = silent,
    stop: StopToken | None = None,
) -> Experiment:
    """Do all that is still to be done of an experiment.

    Args:
        data: a folder with a file for each fold.
        folder: keeps configuration, models and results; a later run with the same options goes on from it.
        configuration: what to do.
        jobs: processes at work.
        report: told of the progress.
        stop: ends the run early; finished units are kept.
    """
    started = perf_counter()
    data, configuration = Path(data), configuration or Configuration()
    store = Store(Path(folder))
    all_data.cache_clear()  # files may have changed since
    folds = all_data(str(data)).interpretations
    protocol = protocol_of(configuration.protocol, folds, configuration.test, configuration.validation)
    configuration = _without_usual_folds(configuration, folds)
    store.begin(data, checked_files(data, protocol), configuration)
    store.forget_failures()
    place = Workplace(str(data), str(store.folder), configuration)
    run = Run(place, store, jobs, report, stop or StopToken())
    cells = list(configuration.cells())
    ceilings = configuration.ceiling_cells()
    choosing = protocol.choosing
    to_encode = encoding_tasks(choosing, cells)
    models, variants = ({getattr(cell, name) for cell in cells} for name in ("model_name", "variant"))
    later = len(protocol.testing) * (len(variants) + len(ceilings))
    chosen: dict[str, Cell] = {}
    with run.working({ENCODING: len(to_encode), VALIDATION: len(models), TEST: later}):
        run.do(to_encode)
        to_compare = evaluation_tasks(store, choosing, cells, VALIDATION)
        run.expect(VALIDATION, len(to_compare) - len(models))
        run.do(to_compare)
        if not run.stopped:
            chosen = chosen_cells(store, choosing, cells)
        best = list(chosen.values())
        encodings = [
            task for split in protocol.testing for task in encoding_tasks(split, best) if not task.done(store)
        ]
        run.expect(ENCODING, len(encodings))
        run.do(encodings)
        to_test = [
            task
            for split in protocol.testing
            for task in evaluation_tasks(store, split, [*best, *ceilings], TEST)
        ]
        run.expect(TEST, len(to_test) - later)
        run.do(to_test)
    return Experiment(store, chosen, not run.stopped, perf_counter() - started, protocol)


def _without_usual_folds(chosen: Configuration, folds: Sequence[str]) -> Configuration:
    """Return the configuration without folds that are taken anyway: naming them is no other experiment."""
    usual = protocol_of(chosen.protocol, folds).choosing.test
    test = None if chosen.test == usual else chosen.test
    chooser = protocol_of(chosen.protocol, folds, test).choosing.validation
    validation = None if chosen.validation == chooser else chosen.validation
    return replace(chosen, test=test, validation=validation)


def encoding_tasks(split: Split, cells: Iterable[Cell]) -> list[Task]:
    """Return the tasks of auto-encoders: those that share candidates are one."""
    groups: dict[object, list[Cell]] = {}
    for cell in cells:
        if cell.objective is not None:
            groups.setdefault((cell.mask_weight is None, cell.lengths), []).append(cell)
    # Long clauses take longest: they come first, so that no core is idle at the end.
    tasks = [Task(split, ENCODING, tuple(group)) for group in groups.values()]
    return sorted(tasks, key=lambda task: -_length(task.cells[0]))


def evaluation_tasks(store: Store, split: Split, cells: Iterable[Cell], role: str) -> list[Task]:
    """Return the tasks of networks: those on the same programs, or that differ in the prior only, are one."""
    groups: dict[tuple[str, str, int], list[Cell]] = {}
    for cell in cells:
        programs = store.programs(split, cell)
        key = (cell.variant, programs or cell.model_name, cell.formula_constants)
        groups.setdefault(key, []).append(cell)
    return [Task(split, role, tuple(group)) for group in groups.values()]


def _length(cell: Cell) -> int:
    lengths = Lengths.parse(cell.lengths or "")
    return lengths.encoder + lengths.decoder


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
    def seconds(self) -> float:
        """What they will take together; a role without a task so far takes as long as all others."""
        every = [seconds for listed in self._took.values() for seconds in listed]
        return sum(
            number * fmean(self._took.get(role) or every) for role, number in self._left.items() if every
        )


class Place(Protocol):
    """Where tasks are done; it can be handed to another process."""

    def do(self, task: Task) -> None:
        """Do a task."""


class Run:
    """Does tasks, on one core or several, and tells of the progress.

    Args:
        place: where they are done.
        store: keeps their results.
        jobs: processes at work.
        report: told of the progress.
        stop: ends the run early.
        phase: what the work is called.
    """

    def __init__(
        self,
        place: Place,
        store: Store,
        jobs: int,
        report: Reporter,
        stop: StopToken,
        phase: str = "experiment",
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
                for name in _THREADS:
                    os.environ.setdefault(name, "1")  # each worker has one core
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
                        f"a worker ended while it did {', '.join(task.names)}; perhaps the memory was full: "
                        "the same command with --jobs 1 goes on from here"
                    ) from None

    def _advanced(self, task: Task, seconds: float | None = None) -> None:
        """Take note that a task is done; seconds, unless it was done before."""
        self._done += 1
        self._left.done(task.role, seconds)
        self._report(PhaseAdvanced(self._phase, self._done, self._total))
        if seconds is not None:
            left = self._left.seconds / self._jobs
            logger.info(
                "%s of %s: %s %s in %.1f s; about %s left",
                self._done,
                self._total,
                task.role,
                ", ".join(task.names),
                seconds,
                timedelta(seconds=round(left)),
            )


def _timed(place: Place, task: Task) -> float:
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
