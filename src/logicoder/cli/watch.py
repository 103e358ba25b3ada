"""Long work as a user sees it: progress bars, and what Ctrl-C does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from logicoder.base.progress import Reporter
from logicoder.cli.bars import progress_bars
from logicoder.cli.fit_run import bars_wanted
from logicoder.cli.interruption import Interruption


@contextmanager
def interruptible(
    ctx: typer.Context, phases: tuple[str, ...], what: str, *, as_json: bool
) -> Iterator[tuple[Interruption, Reporter]]:
    """Show progress, and let Ctrl-C in these phases end the work with what there is."""
    interruption = Interruption(phases, what)
    with (
        interruption.refusing(),
        interruption.handling(),
        progress_bars(
            shown=bars_wanted(ctx, as_json=as_json), remaining=lambda: interruption.remaining
        ) as bars,
    ):
        yield interruption, interruption.watching(bars)


@contextmanager
def watched(ctx: typer.Context, interruption: Interruption, *, as_json: bool) -> Iterator[Reporter]:
    """Show the progress of a run that keeps its units; a signal before the first one ends it."""
    with (
        interruption.refusing(),
        progress_bars(shown=bars_wanted(ctx, as_json=as_json), remaining=lambda: None) as bars,
    ):
        yield interruption.watching(bars)
