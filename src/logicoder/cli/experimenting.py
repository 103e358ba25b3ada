"""`logicoder experiment`: do latent representations help a network? The paper's experiment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer

from logicoder.base.progress import Reporter
from logicoder.cli import experiment_options as o
from logicoder.cli.interrupting import Interruption
from logicoder.cli.learning import bars_wanted, prepared_folder
from logicoder.cli.options import Json
from logicoder.cli.printing import print_json, print_lines
from logicoder.cli.progress import progress_bars

GOES_ON = "the same command goes on from here"


def experiment(
    ctx: typer.Context,
    data: o.DataFolder,
    output: o.ExperimentFolder,
    protocol: o.ProtocolOption = o.ProtocolName.PAPER,
    test: o.TestFold = None,
    validation: o.ValidationFold = None,
    grid: o.Grid = None,
    compressions: o.GridCompressions = None,
    hybrid_grid: o.HybridGrid = None,
    hybrid_compressions: o.HybridCompressions = None,
    hybrid_mask_weights: o.HybridMaskWeights = None,
    sigmas: o.Sigmas = None,
    representations: o.Representations = None,
    learners: o.Learners = None,
    mask_weight: o.MaskWeight = 1.0,
    formula_constants: o.FormulaConstants = None,
    max_literals: o.ExperimentLiterals = 3,
    max_variables: o.ExperimentVariables = 3,
    ceilings: o.Ceilings = None,
    ceiling_constants: o.CeilingConstants = 0,
    effort: o.SelectionEffort = 30.0,
    selection_seconds: o.SelectionSeconds = 45.0,
    learning_seconds: o.LearningSeconds = 60.0,
    asking_seconds: o.AskingSeconds = 20.0,
    jobs: o.Jobs = None,
    seed: o.ExperimentSeed = 0,
    figures: o.Figures = False,
    as_json: Json = False,
) -> None:
    """Compare networks learned on the data and on latent representations of it.

    Every predicate of the test fold is asked for in turn, given all others. The validation fold chooses the
    models. Ctrl-C keeps what is finished; the same command goes on from there.
    """
    from logicoder.base.machine import available_cores  # noqa: PLC0415
    from logicoder.evaluation.configuration import Configuration  # noqa: PLC0415  (numpy takes its time)
    from logicoder.evaluation.running import run_experiment  # noqa: PLC0415
    from logicoder.evaluation.summary import require_results, variant_of, write_results  # noqa: PLC0415

    given: dict[str, Any] = {
        "grid": grid,
        "compressions": compressions,
        "hybrid_grid": hybrid_grid,
        "hybrid_compressions": hybrid_compressions,
        "hybrid_mask_weights": hybrid_mask_weights,
        "sigmas": sigmas,
        "formula_constants": formula_constants,
        "representations": representations,
        "learners": learners,
        "ceilings": ceilings,
    }
    configuration = Configuration(
        protocol=protocol.value,
        test=test,
        validation=validation,
        mask_weight=mask_weight,
        max_literals=max_literals,
        max_variables=max_variables,
        ceiling_constants=ceiling_constants,
        effort=effort,
        selection_seconds=selection_seconds,
        learning_seconds=learning_seconds,
        asking_seconds=asking_seconds,
        seed=seed,
        **{name: value for name, value in given.items() if value is not None},
    )
    interruption = Interruption(("experiment",), "unit")
    with interruption.handling(), prepared_folder(output):
        with watched(ctx, interruption, as_json=as_json) as report:
            found = run_experiment(
                data,
                output,
                configuration,
                jobs=jobs or available_cores(),
                report=report,
                stop=interruption,
            )
        summary = write_results(found)
        if figures:
            from logicoder.evaluation.figures import save_figures  # noqa: PLC0415  (optional)

            save_figures([output], output / "figures")
        if as_json:
            print_json(summary)
        else:
            from logicoder.evaluation.tables import text  # noqa: PLC0415

            print_lines(text(summary).splitlines())
    if not found.finished:
        interruption.leave(GOES_ON)
    cells = (*configuration.cells(), *configuration.ceiling_cells())
    require_results(map(variant_of, cells), summary["rows"])


@contextmanager
def watched(ctx: typer.Context, interruption: Interruption, *, as_json: bool) -> Iterator[Reporter]:
    """Show the progress of a run that keeps its units; a signal before the first one ends it."""
    with (
        interruption.refusing(),
        progress_bars(shown=bars_wanted(ctx, as_json=as_json), remaining=lambda: None) as bars,
    ):
        yield interruption.watching(bars)
