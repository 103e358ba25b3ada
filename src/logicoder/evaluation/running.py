"""Running an experiment: all units of work, on several cores, and on again after a kill."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from time import perf_counter
from typing import Protocol

from logicoder.base.errors import LogicoderError
from logicoder.base.progress import PhaseAdvanced, PhaseFinished, PhaseStarted, Reporter, silent
from logicoder.base.stopping import StopToken
from logicoder.evaluation.choosing import chosen_cells
from logicoder.evaluation.configuration import Cell, Configuration
from logicoder.evaluation.splits import Protocol as Folds
from logicoder.evaluation.splits import Split, protocol_of
from logicoder.evaluation.store import ENCODING, TEST, VALIDATION, Store
from logicoder.evaluation.tasks import Task, Workplace, all_data
from logicoder.kb.sources import find_schemas, find_sources

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
    folds = all_data(str(data)).interpretations
    protocol = protocol_of(configuration.protocol, folds, configuration.test, configuration.validation)
    store.begin(data, _files(data), configuration)
    place = Workplace(str(data), str(store.folder), configuration)
    run = Run(place, store, jobs, report, stop or StopToken())
    cells = list(configuration.cells())
    ceilings = configuration.ceiling_cells()
    choosing = protocol.choosing
    to_choose = [*encoding_tasks(choosing, cells), *evaluation_tasks(choosing, cells, VALIDATION)]
    variants = len({cell.variant for cell in cells})
    later = len(protocol.testing) * (variants + len(ceilings))
    chosen: dict[str, Cell] = {}
    with run.working(len(to_choose) + later):
        run.do([task for task in to_choose if task.role == ENCODING])
        run.do([task for task in to_choose if task.role == VALIDATION])
        if not run.stopped:
            chosen = chosen_cells(store, choosing, cells)
        best = list(chosen.values())
        encodings = [
            t for split in protocol.testing for t in encoding_tasks(split, best) if not t.done(store)
        ]
        run.total += len(encodings)
        run.do(encodings)
        run.do(
            task for split in protocol.testing for task in evaluation_tasks(split, [*best, *ceilings], TEST)
        )
    return Experiment(store, chosen, not run.stopped, perf_counter() - started, protocol)


def _files(data: Path) -> list[Path]:
    return [*(source.path for source in find_sources([data], None, "auto")), *find_schemas([data])[:1]]


def encoding_tasks(split: Split, cells: Iterable[Cell]) -> list[Task]:
    """Return the tasks of auto-encoders: those that share candidates are one."""
    groups: dict[object, list[Cell]] = {}
    for cell in cells:
        if cell.objective is not None:
            key = (cell.objective, cell.encoder_length, cell.decoder_length)
            groups.setdefault(key, []).append(cell)
    # Long clauses take longest: they come first, so that no core is idle at the end.
    tasks = [Task(split, ENCODING, tuple(group)) for group in groups.values()]
    return sorted(tasks, key=lambda task: -_length(task.cells[0]))


def evaluation_tasks(split: Split, cells: Iterable[Cell], role: str) -> list[Task]:
    """Return the tasks of networks: those that differ in the prior only are one."""
    groups: dict[str, list[Cell]] = {}
    for cell in cells:
        groups.setdefault(cell.model_name, []).append(cell)
    return [Task(split, role, tuple(group)) for group in groups.values()]


def _length(cell: Cell) -> int:
    return (cell.encoder_length or 0) + (cell.decoder_length or 0)


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
        self._worked: list[float] = []
        self.total = 0

    @property
    def stopped(self) -> bool:
        """Whether somebody said stop."""
        return self._stop.stopped

    @contextmanager
    def working(self, total: int) -> Iterator[None]:
        """Keep the workers, and the time."""
        started = perf_counter()
        others = set(multiprocessing.active_children())
        self.total = total
        self._report(PhaseStarted(self._phase, total))
        try:
            if self._jobs > 1:
                for name in _THREADS:
                    os.environ.setdefault(name, "1")  # each worker has one core
                context = multiprocessing.get_context("spawn")
                self._pool = ProcessPoolExecutor(self._jobs, mp_context=context, initializer=_ignore_signals)
            yield
        finally:
            if self._pool is not None:
                if self.stopped:
                    for process in set(multiprocessing.active_children()) - others:
                        process.terminate()
                self._pool.shutdown(cancel_futures=True)
        self._report(PhaseFinished(self._phase, perf_counter() - started, {"units": self._done}))

    def do(self, tasks: Iterable[Task]) -> None:
        """Do tasks that do not depend on each other; those that are done already count as such."""
        waiting = []
        for task in tasks:
            if task.done(self._store):
                self._advanced(None)
            elif (
                not all(self._store.encoded(task.split, cell) for cell in task.cells)
                and task.role != ENCODING
            ):
                self._advanced(None)  # no auto-encoder, no network
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
            self._advanced(perf_counter() - started, task)

    def _at_once(self, tasks: Sequence[Task], submit: Callable[..., Future[float]]) -> None:
        running = {submit(_timed, self._place, task): task for task in tasks}
        while running and not self.stopped:
            ready, _ = wait(running, timeout=_PATIENCE, return_when=FIRST_COMPLETED)
            for future in ready:
                task = running.pop(future)
                try:
                    self._advanced(future.result(), task)
                except BrokenProcessPool:
                    raise BrokenWorkerError(
                        f"a worker ended while it did {', '.join(task.names)}; perhaps the memory was full: "
                        "the same command with --jobs 1 goes on from here"
                    ) from None

    def _advanced(self, seconds: float | None, task: Task | None = None) -> None:
        self._done += 1
        self._report(PhaseAdvanced(self._phase, self._done, self.total))
        if seconds is not None and task is not None:
            self._worked.append(seconds)
            left = (self.total - self._done) * sum(self._worked) / len(self._worked) / self._jobs
            logger.info(
                "%s of %s: %s %s in %.1f s; about %s left",
                self._done,
                self.total,
                task.role,
                ", ".join(task.names),
                seconds,
                timedelta(seconds=round(left)),
            )


def _timed(place: Place, task: Task) -> float:
    started = perf_counter()
    place.do(task)
    return perf_counter() - started


def _ignore_signals() -> None:
    """Leave Ctrl-C to the parent, which keeps what is finished and ends the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
