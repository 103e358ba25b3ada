"""Running a comparison: which units of work there are, and in what order they are done."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from logicoder.base.progress import Reporter
from logicoder.base.stopping import StopToken
from logicoder.evaluation.configuration import Cell
from logicoder.evaluation.splits import Protocol, Split
from logicoder.evaluation.store import ENCODING, TEST, VALIDATION, Store
from logicoder.evaluation.tasks import Workplace, encoding_tasks, evaluation_tasks
from logicoder.evaluation.workers import Run


@dataclass(frozen=True)
class Comparison:
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


def compare(
    place: Workplace,
    protocol: Protocol,
    cells: Sequence[Cell],
    measure: str,
    *,
    unchosen: Sequence[Cell] = (),
    phase: str,
    jobs: int,
    report: Reporter,
    stop: StopToken | None,
) -> tuple[dict[str, Cell], bool]:
    """Run everything that a comparison of link predictors still has to do.

    Auto-encoders first, then the models on them; the validation fold chooses one cell of each variant, and
    those are tested on every test fold.

    Args:
        place: where the tasks are done.
        protocol: the splits.
        cells: those among which the validation fold chooses.
        measure: by which it chooses.
        unchosen: cells that are tested without a choice.
        phase: what the work is called.
        jobs: number of processes.
        report: called with progress events.
        stop: ends the run early; finished units are kept.

    Returns:
        The chosen cell of each variant, and whether everything is done.
    """
    store, choosing = place.store, protocol.choosing
    store.forget_failures()
    run = Run(place, store, jobs, report, stop or StopToken(), phase)
    to_encode = encoding_tasks(choosing, cells)
    models, variants = ({getattr(cell, name) for cell in cells} for name in ("model_name", "variant"))
    later = len(protocol.testing) * (len(variants) + len(unchosen))
    chosen: dict[str, Cell] = {}
    with run.working({ENCODING: len(to_encode), VALIDATION: len(models), TEST: later}):
        run.do(to_encode)
        to_compare = evaluation_tasks(store, choosing, cells, VALIDATION)
        run.expect(VALIDATION, len(to_compare) - len(models))
        run.do(to_compare)
        if not run.stopped:
            chosen = chosen_cells(store, choosing, cells, measure)
        best = list(chosen.values())
        encodings = [
            task for split in protocol.testing for task in encoding_tasks(split, best) if not task.done(store)
        ]
        run.expect(ENCODING, len(encodings))
        run.do(encodings)
        to_test = [
            task
            for split in protocol.testing
            for task in evaluation_tasks(store, split, [*best, *unchosen], TEST)
        ]
        run.expect(TEST, len(to_test) - later)
        run.do(to_test)
    return chosen, not run.stopped


def chosen_cells(store: Store, split: Split, cells: Iterable[Cell], measure: str) -> dict[str, Cell]:
    """Return the cell of each variant with the largest mean of a measure on the validation fold.

    Of equal ones it is the first. Variants without any finished cell are left out.
    """
    found: dict[str, tuple[float, Cell]] = {}
    for cell in cells:
        if not store.has(split, cell.name, VALIDATION):
            continue
        unit = store.read(split, cell.name, VALIDATION)
        value = None if "failed" in unit else unit["mean"].get(measure)
        if value is None:
            continue
        if cell.variant not in found or value > found[cell.variant][0]:
            found[cell.variant] = (value, cell)
    return {variant: cell for variant, (_, cell) in found.items()}
