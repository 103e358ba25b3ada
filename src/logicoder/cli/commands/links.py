"""`logicoder links`: how well latent features predict the links of a knowledge graph."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from logicoder.base.setting import settings_of
from logicoder.cli.commands.experiment import GOES_ON, ExperimentFolder
from logicoder.cli.declared import settings
from logicoder.cli.fit_run import prepared_folder
from logicoder.cli.interruption import Interruption
from logicoder.cli.options import Json
from logicoder.cli.output import print_json, print_lines
from logicoder.cli.watch import watched
from logicoder.evaluation.configuration import JOBS
from logicoder.evaluation.links.link_configuration import LinkConfiguration

GraphFolder = Annotated[
    Path,
    typer.Argument(metavar="DIR", help="A folder with triples: train, valid and test.", show_default=False),
]


def links(
    ctx: typer.Context,
    data: GraphFolder,
    output: ExperimentFolder,
    given: Annotated[dict[str, Any], settings([*settings_of(LinkConfiguration).values(), JOBS])],
    as_json: Json = False,
) -> None:
    """Predict links of a knowledge graph from latent features.

    Models are learned on train, chosen on valid by mean reciprocal rank, and tested once, beside baselines.
    Ranks are filtered. After Ctrl-C, the same command continues with what is not finished.
    """
    from logicoder.base.machine import available_cores  # noqa: PLC0415
    from logicoder.evaluation.links.link_configuration import LinkConfiguration  # noqa: PLC0415  (numpy)
    from logicoder.evaluation.links.link_prediction import PHASE, predict_links  # noqa: PLC0415
    from logicoder.evaluation.links.link_summary import text, write_results  # noqa: PLC0415
    from logicoder.evaluation.result_files import require_results  # noqa: PLC0415

    jobs = given.pop("jobs", None) or available_cores()
    configuration = LinkConfiguration(**given)
    interruption = Interruption((PHASE,), "unit")
    with interruption.handling(), prepared_folder(output):
        with watched(ctx, interruption, as_json=as_json) as report:
            found = predict_links(data, output, configuration, jobs=jobs, report=report, stop=interruption)
        results = write_results(found)
        if as_json:
            print_json(results)
        else:
            print_lines(text(results).splitlines())
    if not found.finished:
        interruption.leave(GOES_ON)
    require_results((cell.variant for cell in configuration.cells()), results["rows"])
