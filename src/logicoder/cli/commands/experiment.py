"""`logicoder experiment`: do latent representations help a network? The paper's experiment."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from logicoder.base.setting import settings_of
from logicoder.cli.declared import settings
from logicoder.cli.fit_run import prepared_folder
from logicoder.cli.interruption import Interruption
from logicoder.cli.options import Json, file_option
from logicoder.cli.output import print_json, print_lines
from logicoder.cli.watch import watched
from logicoder.evaluation.configuration import JOBS, Configuration

GOES_ON = "the same command continues from here"


DataFolder = Annotated[
    Path,
    typer.Argument(metavar="DATA-DIR", help="A folder with one file per fold.", show_default=False),
]
ExperimentFolder = Annotated[
    Path,
    file_option(
        "--output",
        "-o",
        metavar="DIR",
        help="The folder for models and results; the same command continues with what is not finished.",
    ),
]
Figures = Annotated[
    bool, typer.Option("--figures", help="Draw the figures of the paper into DIR/figures; needs matplotlib.")
]


def experiment(
    ctx: typer.Context,
    data: DataFolder,
    output: ExperimentFolder,
    given: Annotated[dict[str, Any], settings([*settings_of(Configuration).values(), JOBS])],
    figures: Figures = False,
    as_json: Json = False,
) -> None:
    """Compare networks learned on data and on latent facts.

    The networks predict every predicate of the test fold in turn, given all others. The validation fold
    chooses the models. After Ctrl-C, the same command continues with what is not finished.
    """
    from logicoder.base.machine import available_cores  # noqa: PLC0415
    from logicoder.evaluation.configuration import Configuration  # noqa: PLC0415  (numpy takes its time)
    from logicoder.evaluation.experiment_run import run_experiment  # noqa: PLC0415
    from logicoder.evaluation.experiment_summary import variant_of, write_results  # noqa: PLC0415
    from logicoder.evaluation.result_files import require_results  # noqa: PLC0415

    jobs = given.pop("jobs", None) or available_cores()
    configuration = Configuration(**given)
    interruption = Interruption(("experiment",), "unit")
    with interruption.handling(), prepared_folder(output):
        with watched(ctx, interruption, as_json=as_json) as report:
            found = run_experiment(
                data,
                output,
                configuration,
                jobs=jobs,
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
            from logicoder.evaluation.experiment_tables import text  # noqa: PLC0415

            print_lines(text(summary).splitlines())
    if not found.finished:
        interruption.leave(GOES_ON)
    cells = (*configuration.cells(), *configuration.ceiling_cells())
    require_results(map(variant_of, cells), summary["rows"])
