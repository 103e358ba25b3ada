"""Progress bars on a terminal, fed by the events of the library."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from time import monotonic
from typing import TYPE_CHECKING

from logicoder.base.progress import (
    Event,
    Improved,
    LayerStarted,
    PhaseAdvanced,
    PhaseFinished,
    PhaseStarted,
    Reporter,
    silent,
)

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn, Task, TaskID
    from rich.text import Text

_LABELS = {
    "read": "Reading",
    "encoders": "Encoders",
    "decoders": "Decoders",
    "problem": "Building the problem",
    "solve": "Selecting",
    "candidates": "Candidates",
    "scoring": "Scoring",
    "adding": "Adding",
    "pruning": "Pruning",
    "weights": "Learning weights",
    "ground": "Grounding",
    "gibbs": "Gibbs sampling",
    "mc-sat": "MC-SAT",
    "cp-sat": "CP-SAT",
    "experiment": "Experiment",
    "links": "Links",
    "sample": "Sampling",
    "rules": "Rules",
    "counts": "Counting",
    "programs": "Programs",
}
# What is said about a finished phase: counts that the library reports, and words for them.
_WORDS = {
    "facts": "facts",
    "after_naming_variants": "kept",
    "decoders": "kept",
    "classes": "classes",
    "points": "points",
    "atoms": "atoms",
    "clauses": "clauses",
    "units": "units of work",
}
_INTERVAL = 0.1


@contextmanager
def progress_bars(*, shown: bool, remaining: Callable[[], float | None]) -> Iterator[Reporter]:
    """Show a bar for each phase while the block runs, and yield what receives the events.

    Args:
        shown: otherwise nothing is shown, nor where standard error is no terminal.
        remaining: returns the seconds until a time limit ends the search, if there is one.
    """
    if not shown or sys.stderr is None or not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console  # noqa: PLC0415  (only where somebody watches)
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    console = Console(stderr=True, highlight=False)
    columns = (
        (0, TextColumn("{task.description}", markup=False)),
        (100, BarColumn(bar_width=24)),
        (70, TimeElapsedColumn()),
        (90, _remaining_column(remaining)),
        (0, TextColumn("{task.fields[note]}", markup=False)),
    )
    with Progress(
        *(column for least, column in columns if console.width >= least),  # words before ornaments
        console=console,
        refresh_per_second=8,
    ) as progress:
        yield _Bars(progress)


class _Bars:
    """One bar for each phase."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._tasks: dict[str, TaskID] = {}
        self._next = 0.0
        self._layer = ""

    def __call__(self, event: Event) -> None:
        """Show an event; of the many small steps only some."""
        if isinstance(event, PhaseAdvanced):
            now = monotonic()
            if now >= self._next:
                self._next = now + _INTERVAL
                note = f"{event.done:,}" + (f" of {event.total:,}" if event.total else "")
                note += f": {event.what}" if event.what else ""
                ends = None if event.left is None else now + event.left
                self._progress.update(
                    self._task(event.phase), completed=event.done, total=event.total, note=note, ends=ends
                )
        elif isinstance(event, Improved):
            note = f"loss {event.loss:,}  bound {event.bound:,}  gap {event.gap:.1%}  size {event.size:,}"
            if event.objective not in (None, event.loss):
                note = f"minimised {event.objective:,}  {note}"
            self._progress.update(self._task("solve"), note=note)
        elif isinstance(event, PhaseStarted):
            self._next = 0.0
            self._progress.update(self._task(event.phase), total=event.total)
        elif isinstance(event, PhaseFinished):
            self._finish(event)
        elif isinstance(event, LayerStarted):
            self._tasks.clear()  # the bars so far stay as they are; this layer gets its own
            self._layer = f"Layer {event.layer}: "

    def _task(self, phase: str) -> TaskID:
        if phase not in self._tasks:
            self._tasks[phase] = self._progress.add_task(
                self._layer + _LABELS.get(phase, phase), total=None, note="", phase=phase, ends=None
            )
        return self._tasks[phase]

    def _finish(self, event: PhaseFinished) -> None:
        task = self._task(event.phase)
        said = [f"{event.counts[key]:,} {word}" for key, word in _WORDS.items() if key in event.counts]
        if said:
            self._progress.update(task, note=", ".join(said))
        self._progress.update(task, total=1, completed=1)


def _remaining_column(remaining: Callable[[], float | None]) -> ProgressColumn:
    """Return a column with the remaining time: estimated from the steps done, or until a time limit."""
    from rich.progress import TimeRemainingColumn  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    class Remaining(TimeRemainingColumn):
        def render(self, task: Task) -> Text:
            if task.finished:
                return Text("")
            limit = remaining() if task.fields["phase"] == "solve" else None
            if limit is not None:
                return Text(f"at most {timedelta(seconds=round(limit))} left")
            if task.fields["ends"] is not None:
                left = max(0.0, task.fields["ends"] - monotonic())
                return Text(f"about {timedelta(seconds=round(left))} left")
            if task.time_remaining is None:
                return Text("")
            return Text("about ") + super().render(task) + Text(" left")

    return Remaining()
