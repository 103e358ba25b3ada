"""`logicoder links`: how well latent features predict the links of a knowledge graph."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from logicoder.cli import experiment_options as o
from logicoder.cli.experimenting import GOES_ON, watched
from logicoder.cli.interrupting import Interruption
from logicoder.cli.learning import prepared_folder
from logicoder.cli.options import Json, compression_text, positive
from logicoder.cli.printing import print_json, print_lines

GraphFolder = Annotated[
    Path,
    typer.Argument(metavar="DIR", help="A folder with triples: train, valid and test.", show_default=False),
]
Grid = Annotated[
    Any,
    o.list_option(
        "--grid",
        "ExD,...",
        o.lengths,
        "Encoder and decoder lengths; 1x2c10 also names constants.",
        default="1x1,1x2,2x1",
        panel=o.GRID,
    ),
]
Compressions = Annotated[
    Any,
    o.list_option(
        "--compressions",
        "G,...",
        compression_text,
        "Values of the compression.",
        default="0.7,1.5",
        panel=o.GRID,
    ),
]
Sigmas = Annotated[
    Any,
    o.list_option(
        "--sigmas",
        "X,...",
        positive,
        "Priors: standard deviations of weights.",
        default="0.1,0.3,1,3",
        panel=o.GRID,
    ),
]
FormulaConstants = Annotated[
    int,
    o.count_option(
        "--formula-constants", 0, "Formulas name entities if there are at most N.", panel=o.MODELS
    ),
]
BodyLiterals = Annotated[
    int, o.count_option("--body-literals", 1, "Most literals of a body over the data.", panel=o.MODELS)
]
MostFeatures = Annotated[
    int,
    o.count_option(
        "--most-features", 1, "Most features of a relation, before pairs of the best.", panel=o.MODELS
    ),
]


def links(
    ctx: typer.Context,
    data: GraphFolder,
    output: o.ExperimentFolder,
    grid: Grid = None,
    compressions: Compressions = None,
    sigmas: Sigmas = None,
    mask_weight: o.MaskWeight = 5.0,
    formula_constants: FormulaConstants = 0,
    body_literals: BodyLiterals = 1,
    most_features: MostFeatures = 150,
    effort: o.SelectionEffort = 10.0,
    selection_seconds: o.SelectionSeconds = 600.0,
    jobs: o.Jobs = None,
    seed: o.ExperimentSeed = 0,
    as_json: Json = False,
) -> None:
    """Predict links of a knowledge graph from latent features, beside baselines.

    Learned on train, chosen on valid by mean reciprocal rank, tested once. Ranks are filtered. Ctrl-C keeps
    what is finished; the same command goes on from there.
    """
    from logicoder.base.machine import available_cores  # noqa: PLC0415
    from logicoder.evaluation.links.configuration import LinkConfiguration  # noqa: PLC0415  (numpy)
    from logicoder.evaluation.links.running import PHASE, predict_links  # noqa: PLC0415
    from logicoder.evaluation.links.summary import text, write_results  # noqa: PLC0415
    from logicoder.evaluation.summary import require_results  # noqa: PLC0415

    given: dict[str, Any] = {"grid": grid, "compressions": compressions, "sigmas": sigmas}
    configuration = LinkConfiguration(
        mask_weight=mask_weight,
        formula_constants=formula_constants,
        body_literals=body_literals,
        most_features=most_features,
        effort=effort,
        selection_seconds=selection_seconds,
        seed=seed,
        **{name: value for name, value in given.items() if value is not None},
    )
    interruption = Interruption((PHASE,), "unit")
    with interruption.handling(), prepared_folder(output):
        with watched(ctx, interruption, as_json=as_json) as report:
            cores = jobs or available_cores()
            found = predict_links(data, output, configuration, jobs=cores, report=report, stop=interruption)
        results = write_results(found)
        if as_json:
            print_json(results)
        else:
            print_lines(text(results).splitlines())
    if not found.finished:
        interruption.leave(GOES_ON)
    require_results((cell.variant for cell in configuration.cells()), results["rows"])
