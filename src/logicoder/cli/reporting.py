"""`logicoder report` and `plot`: a result that one looks at."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from logicoder.base.errors import InputError, UsageError
from logicoder.cli.applying import load
from logicoder.cli.learning import check_file, prepared_folder
from logicoder.cli.options import (
    FORMATS,
    Data,
    DataFormat,
    HeaderRow,
    Interpretations,
    Model,
    SchemaFile,
    Types,
    Worlds,
    format_text,
)
from logicoder.cli.printing import print_lines
from logicoder.cli.reading import DataOptions, read_for_model

if TYPE_CHECKING:
    from logicoder.learner.curve import Curve


class Picture(StrEnum):
    """Formats of pictures."""

    SVG = "svg"
    PNG = "png"
    PDF = "pdf"


class Plot(StrEnum):
    """What there is to plot; see `logicoder.report.plots`."""

    ARCHITECTURE = "architecture"
    PREDICATES = "predicates"
    SEARCH = "search"
    CANDIDATES = "candidates"
    PHASES = "phases"
    CURVE = "curve"


ReportFile = Annotated[
    Path,
    typer.Option("--output", "-o", metavar="FILE", help="The HTML file to write.", readable=False),
]
Title = Annotated[
    str | None,
    typer.Option(
        "--title", metavar="TEXT", help="The heading of the page.", show_default="the name of the model"
    ),
]
CurvePath = Annotated[
    Path | None,
    typer.Option(
        "--curve",
        metavar="FILE",
        help="A curve that `curve --output` saved.",
        show_default="curve.json beside the model",
        readable=False,
    ),
]
OptionalData = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="DATA",
        help="Facts to show the model on; the plots of the search need none.",
        show_default=False,
        readable=False,
    ),
]
PlotFolder = Annotated[
    Path,
    typer.Option("--output", "-o", metavar="DIR", help="The folder for the pictures.", readable=False),
]
PictureFormat = Annotated[Picture, typer.Option("--format", help="Format of the pictures.")]
Wanted = Annotated[
    list[Plot] | None,
    typer.Option(
        "--what",
        metavar=f"<{'|'.join(Plot)}>",
        help="Which plots; may be repeated.",
        show_default="all that are possible",
    ),
]
PlotDataFormat = Annotated[
    str | None,
    typer.Option(
        "--data-format",
        metavar=FORMATS,
        parser=format_text,
        help="Format of the data; .pl and .db tell theirs.",
        show_default=False,
    ),
]


def report(
    model: Model,
    data: Data,
    output: ReportFile = Path("report.html"),
    title: Title = None,
    curve: CurvePath = None,
    schema: SchemaFile = None,
    data_format: DataFormat = None,
    interpretations: Worlds = Interpretations.AUTO,
    header: HeaderRow = None,
) -> None:
    """Write a page that shows a model on data: one file, to keep, to mail and to open anywhere."""
    from logicoder.autoencoder.model_file import model_path  # noqa: PLC0415
    from logicoder.autoencoder.run_record import read_run_record  # noqa: PLC0415  (numpy takes its time)
    from logicoder.report import write_report  # noqa: PLC0415

    check_file(output)
    loaded = load(model)
    kb = read_for_model(loaded, DataOptions(data, schema, data_format, interpretations, Types.ONE, header))
    found = _curve(model, curve)
    write_report(
        loaded,
        kb,
        output,
        title=title if title is not None else model_name(model),
        record=read_run_record(model_path(model)),
        curve=None if found is None else found.as_dict(),
    )
    print(f"Report: {output}")


def plot(
    model: Model,
    data: OptionalData = None,
    output: PlotFolder = Path("plots"),
    picture: PictureFormat = Picture.SVG,
    what: Wanted = None,
    curve: CurvePath = None,
    schema: SchemaFile = None,
    data_format: PlotDataFormat = None,
    interpretations: Worlds = Interpretations.AUTO,
    header: HeaderRow = None,
) -> None:
    """Write static plots of a model, for a paper or slides; needs matplotlib."""
    from logicoder.learner.plotting import check_plot  # noqa: PLC0415  (numpy takes its time)
    from logicoder.report.content import Content  # noqa: PLC0415
    from logicoder.report.plots import OF_DATA, PLOTS, save_plots  # noqa: PLC0415

    check_plot(Path(f"plot.{picture.value}"))
    wanted = [item.value for item in what] if what else list(PLOTS)
    if what and not data and set(wanted) & set(OF_DATA):
        needing = next(name for name in wanted if name in OF_DATA)
        raise typer.BadParameter(f"{needing} needs data: name it after the model")
    loaded = load(model)
    content = None
    if data and set(wanted) & set(OF_DATA):
        options = DataOptions(data, schema, data_format, interpretations, Types.ONE, header)
        content = Content.of(loaded, read_for_model(loaded, options))
    found = _curve(model, curve)
    if what and "curve" in wanted and found is None:
        raise UsageError(
            "there is no curve to plot; make one with logicoder curve --output, and name it with --curve"
        )
    runs: list[Any] = getattr(loaded, "layers_", None) or [loaded]
    with prepared_folder(output):
        made = save_plots(output, picture.value, runs, wanted=wanted, content=content, curve=found)
    if not made:
        raise UsageError(
            "this model keeps no record of a search: name data after it to plot its architecture"
        )
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
    from logicoder.learner.curve import CURVE_FILE, Curve  # noqa: PLC0415

    if given is not None:
        return Curve.load(given)
    beside = model_path(model).parent / CURVE_FILE
    try:
        return Curve.load(beside) if beside.exists() else None
    except InputError:
        return None
