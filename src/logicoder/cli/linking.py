"""`logicoder links`: how well latent features predict the links of a knowledge graph."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from logicoder.cli import experiment_options as o
from logicoder.cli.experimenting import leave_if_interrupted, watched
from logicoder.cli.interrupting import Interruption
from logicoder.cli.learning import prepared_folder
from logicoder.cli.options import Json, positive, whole
from logicoder.cli.printing import print_json, print_lines

_GRID = "Grid"
_MODELS = "Models"

GraphFolder = Annotated[
    Path,
    typer.Argument(metavar="DIR", help="A folder with triples: train, valid and test.", show_default=False),
]
LinkGrid = Annotated[
    Any,
    typer.Option(
        "--grid",
        metavar="ExD,...",
        parser=o.list_of(o.lengths),
        help="Encoder and decoder lengths.",
        show_default="1x1,1x2,2x1",
        rich_help_panel=_GRID,
    ),
]
LinkCompressions = Annotated[
    Any,
    typer.Option(
        "--compressions",
        metavar="G,...",
        parser=o.list_of(o.compression_text),
        help="Values of the compression.",
        show_default="0.7,1.5",
        rich_help_panel=_GRID,
    ),
]
LinkSigmas = Annotated[
    Any,
    typer.Option(
        "--sigmas",
        metavar="X,...",
        parser=o.list_of(positive),
        help="Priors: standard deviations of weights.",
        show_default="0.1,0.3,1,3",
        rich_help_panel=_GRID,
    ),
]
LinkFormulaConstants = Annotated[
    int,
    typer.Option(
        "--formula-constants",
        metavar="N",
        parser=whole(0),
        help="Formulas name entities if there are at most N.",
        rich_help_panel=_MODELS,
    ),
]
BodyLiterals = Annotated[
    int,
    typer.Option(
        "--body-literals",
        metavar="N",
        parser=whole(1),
        help="Most literals of a body over the data.",
        rich_help_panel=_MODELS,
    ),
]
MostFeatures = Annotated[
    int,
    typer.Option(
        "--most-features",
        metavar="N",
        parser=whole(1),
        help="Most features of a relation, before pairs of the best.",
        rich_help_panel=_MODELS,
    ),
]


def links(
    ctx: typer.Context,
    data: GraphFolder,
    output: o.ExperimentFolder,
    grid: LinkGrid = None,
    compressions: LinkCompressions = None,
    sigmas: LinkSigmas = None,
    mask_weight: o.MaskWeight = 5.0,
    constants: o.LatentConstants = 0,
    formula_constants: LinkFormulaConstants = 0,
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
    from logicoder.evaluation.links.configuration import LinkConfiguration  # noqa: PLC0415  (numpy)
    from logicoder.evaluation.links.running import PHASE, predict_links  # noqa: PLC0415
    from logicoder.evaluation.links.summary import text, write_results  # noqa: PLC0415
    from logicoder.learner.enumerating import available_cores  # noqa: PLC0415

    given: dict[str, Any] = {"lengths": grid, "compressions": compressions, "sigmas": sigmas}
    configuration = LinkConfiguration(
        mask_weight=mask_weight,
        constants=constants,
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
    leave_if_interrupted(found.finished)
