"""Running an experiment: which units of work there are, and in what order they are done."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from logicoder.base.progress import Reporter, silent
from logicoder.base.stopping import StopToken
from logicoder.evaluation.choosing import chosen_cells
from logicoder.evaluation.configuration import Cell, Configuration, Lengths
from logicoder.evaluation.data import all_data, checked_files
from logicoder.evaluation.splits import Protocol as Folds
from logicoder.evaluation.splits import Split, protocol_of
from logicoder.evaluation.store import ENCODING, TEST, VALIDATION, Store
from logicoder.evaluation.tasks import Task, Workplace
from logicoder.evaluation.working import Run


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
