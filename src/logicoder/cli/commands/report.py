"""`logicoder report` and `plot`: a result that one looks at."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from logicoder.base.errors import InputError, UsageError, location_of
from logicoder.base.kinds import Choice
from logicoder.cli.commands.apply import load
from logicoder.cli.declared import value
from logicoder.cli.fit_run import check_file, prepared_folder
from logicoder.cli.inputs import DataOptions, EngineOptions, asked_for_model, read_for_model
from logicoder.cli.options import Asking, Data, Model, data_options, file_argument, file_option
from logicoder.cli.output import print_lines

if TYPE_CHECKING:
    from logicoder.learner.bottleneck_curve import Curve


ReportFile = Annotated[
    Path, file_option("--output", "-o", metavar="FILE", help="The HTML file to write.", show_default=True)
]
Title = Annotated[
    str | None,
    typer.Option(
        "--title", metavar="TEXT", help="The heading of the page.", show_default="the name of the data"
    ),
]
CurvePath = Annotated[
    Path | None,
    file_option(
        "--curve",
        metavar="FILE",
        help="A curve saved by `curve --output`.",
        show_default="curve.json next to the model",
    ),
]
StateFolder = Annotated[
    Path | None,
    file_option("--state", metavar="DIR", help="A state maintained by `update`, to show its bits over time."),
]
RuleFile = Annotated[
    Path | None,
    file_option("--rules", metavar="FILE", help="Clauses to evaluate on the page, as `audit` reads them."),
]
OptionalData = Annotated[
    DataOptions,
    data_options(
        argument=file_argument("DATA", "Facts on which to show the model; plots of the search need none."),
        optional=True,
        data_format="--data-format",
    ),
]
PlotFolder = Annotated[
    Path, file_option("--output", "-o", metavar="DIR", help="The folder for the pictures.", show_default=True)
]
PictureFormat = Annotated[str, value("--format", Choice(("svg", "png", "pdf")), "Format of the pictures.")]
Wanted = Annotated[
    list[str] | None,
    value(
        "--what",
        Choice(("architecture", "predicates", "search", "candidates", "phases", "curve")),
        "Which plots; may be repeated.",
        show_default="all that are possible",
    ),
]


def report(
    model: Model,
    data: Data,
    output: ReportFile = Path("report.html"),
    title: Title = None,
    curve: CurvePath = None,
    state: StateFolder = None,
    rules: RuleFile = None,
    asking: Asking = EngineOptions(),  # noqa: B008
) -> None:
    """Write a self-contained HTML page that shows a model on data."""
    from logicoder.autoencoder.following.state_file import read_history  # noqa: PLC0415
    from logicoder.autoencoder.model_file import model_path  # noqa: PLC0415
    from logicoder.autoencoder.run_record import read_run_record  # noqa: PLC0415  (numpy takes its time)
    from logicoder.report import write_report  # noqa: PLC0415

    check_file(output)
    loaded = load(model)
    found = _curve(model, curve)
    history = () if state is None else read_history(state)
    if state is not None and not history:
        raise InputError(
            "there is no history of an encoding", location_of(state), "`fit --state` and `update` keep one"
        )
    with asked_for_model(loaded, data, model, asking) as kb:
        write_report(
            loaded,
            kb,
            output,
            title=title if title is not None else data.name or model_name(model),
            record=read_run_record(model_path(model)),
            curve=None if found is None else found.as_dict(),
            history=history,
            rules=rules,
        )
    print(f"Report: {output}")


def plot(
    model: Model,
    data: OptionalData,
    output: PlotFolder = Path("plots"),
    picture: PictureFormat = "svg",
    what: Wanted = None,
    curve: CurvePath = None,
) -> None:
    """Write plots of a model for a paper or slides."""
    from logicoder.learner.plotting import check_plot  # noqa: PLC0415  (numpy takes its time)
    from logicoder.report.content import Content  # noqa: PLC0415
    from logicoder.report.plots import OF_DATA, PLOTS, save_plots  # noqa: PLC0415

    check_plot(Path(f"plot.{picture}"))
    wanted = what or list(PLOTS)
    if what and not data.paths and set(wanted) & set(OF_DATA):
        needing = next(name for name in wanted if name in OF_DATA)
        raise typer.BadParameter(f"{needing} needs data: pass it after the model")
    loaded = load(model)
    content = None
    if data.paths and set(wanted) & set(OF_DATA):
        content = Content.of(loaded, read_for_model(loaded, data, model))
    found = _curve(model, curve)
    if what and "curve" in wanted and found is None:
        raise UsageError(
            "there is no curve to plot; make one with logicoder curve --output and pass it with --curve"
        )
    runs: list[Any] = getattr(loaded, "layers_", None) or [loaded]
    with prepared_folder(output):
        made = save_plots(output, picture, runs, wanted=wanted, content=content, curve=found)
    if not made:
        raise UsageError("this model has no search history; pass data to plot its architecture")
    print_lines(made)


def model_name(path: Path) -> str:
    """Return what a model may be called: its file, or the folder that holds it."""
    from logicoder.autoencoder.model_file import MODEL_FILE  # noqa: PLC0415

    path = path.resolve()
    if path.name == MODEL_FILE:
        path = path.parent
    return path.name.removesuffix(".alp")


def _curve(model: Path, given: Path | None) -> Curve | None:
    """Return the curve that was named, or the one that lies beside the model."""
    from logicoder.autoencoder.model_file import model_path  # noqa: PLC0415
    from logicoder.learner.bottleneck_curve import CURVE_FILE, Curve  # noqa: PLC0415

    if given is not None:
        return Curve.load(given)
    beside = model_path(model).parent / CURVE_FILE
    try:
        return Curve.load(beside) if beside.exists() else None
    except InputError:
        return None
