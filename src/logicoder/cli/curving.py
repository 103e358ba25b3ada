"""`logicoder curve`: loss against the size of the latent representation."""

from __future__ import annotations

import inspect
import json
import shutil
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from logicoder.base.progress import PhaseFinished, PhaseStarted
from logicoder.cli.fitting import fit, parameters_of
from logicoder.cli.interrupting import Interruption
from logicoder.cli.learning import bars_wanted, prepared_folder
from logicoder.cli.options import bottleneck_text, compression_text, whole
from logicoder.cli.printing import print_heading, print_json, print_lines, print_table
from logicoder.cli.progress import progress_bars
from logicoder.cli.reading import DataOptions, read_background

if TYPE_CHECKING:
    from logicoder.kb import KnowledgeBase
    from logicoder.learner.curve import Curve

_DATA = ("data", "schema", "data_format", "interpretations", "types")
_NOT_HERE = ("compression", "output", "report", "checkpoint", "resume", "preset", "config")
"""Options of `fit` that one of many fits cannot have."""

_CURVE = "Curve"


def _list_of_compressions(text: str) -> str:
    for part in str(text).split(","):
        compression_text(part.strip())
    return str(text)


Compressions = Annotated[
    str | None,
    typer.Option(
        "--compressions",
        metavar="G,G,...",
        parser=_list_of_compressions,
        help="Values of the compression.",
        show_default="--points of them, up to 1",
        rich_help_panel=_CURVE,
    ),
]
Points = Annotated[
    int | None,
    typer.Option(
        "--points",
        metavar="N",
        parser=whole(1),
        help="How many compressions, evenly apart.",
        show_default="10",
        rich_help_panel=_CURVE,
    ),
]
OpenBottlenecks = Annotated[
    list[str] | None,
    typer.Option(
        "--bottleneck",
        metavar="TEXT",
        parser=bottleneck_text,
        help="What the compression limits: total, average or bits; others with a value may be added.",
        show_default="total",
        rich_help_panel=_CURVE,
    ),
]
Plot = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        metavar="FILE",
        help="Write a picture: .svg, .png or .pdf; needs matplotlib.",
        show_default=False,
        rich_help_panel=_CURVE,
        readable=False,
    ),
]
CurveFolder = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="DIR",
        help="Save everything, programs included, as DIR/curve.json.",
        show_default=False,
        rich_help_panel=_CURVE,
        readable=False,
    ),
]


def curve(
    ctx: typer.Context,
    compressions: Compressions = None,
    points: Points = None,
    bottlenecks: OpenBottlenecks = None,
    plot: Plot = None,
    output: CurveFolder = None,
    as_json: bool = False,
    **options: Any,
) -> None:
    """Plot the loss against the size of the latent representation, with proven bounds.

    Candidates are enumerated once. Ctrl-C keeps the points that are finished.
    """
    from logicoder.learner.plotting import check_plot  # noqa: PLC0415

    if compressions is not None and points is not None:
        raise typer.BadParameter("--compressions and --points are two ways to say the same")
    if plot is not None:
        check_plot(plot)
    values = None if compressions is None else [part.strip() for part in compressions.split(",")]
    data = DataOptions(*(options.pop(name) for name in _DATA))
    background = read_background(options.pop("background") or [])
    parameters = parameters_of({**options, "bottlenecks": bottlenecks})
    interruption = Interruption()
    with interruption.handling(), prepared_folder(output):
        started = perf_counter()
        with progress_bars(
            shown=bars_wanted(ctx, as_json=as_json), remaining=lambda: interruption.remaining
        ) as bars:
            report = interruption.watching(bars)
            report(PhaseStarted("read"))
            kb = data.read()
            report(PhaseFinished("read", perf_counter() - started, {"facts": len(kb)}))
            found = _computed(
                kb,
                interruption,
                {
                    "compressions": values,
                    "points": points or 10,
                    "background": background,
                    "report": report,
                    "stop": interruption,
                    **parameters,
                },
            )
        if output is not None:
            _save(found, output)
        if plot is not None:
            found.plot(plot)
        if as_json:
            print_json(found.as_dict())
        else:
            print_curve(found)
    interruption.leave(f"{len(found)} points are finished")


def _computed(kb: KnowledgeBase, interruption: Interruption, arguments: dict[str, Any]) -> Curve:
    from logicoder.learner.curve import rate_distortion  # noqa: PLC0415  (numpy takes its time)

    with interruption.refusing("interrupted before any point was finished"):
        return rate_distortion(kb, **arguments)


def _save(found: Curve, folder: Path) -> None:
    from logicoder.base.files import write_text  # noqa: PLC0415
    from logicoder.learner.curve import CURVE_FILE  # noqa: PLC0415

    write_text(folder / CURVE_FILE, json.dumps(found.as_dict(), indent=2, ensure_ascii=False) + "\n")


def print_curve(found: Curve) -> None:
    """Print a curve for people: a table and a plot."""
    width = shutil.get_terminal_size((80, 24)).columns
    print_lines(found.text(min(width, 100)).splitlines())
    print_heading("Points")
    print_table(
        ("compression", "latent facts", "latents", "loss", "minimised", "bound", "bits", "status"),
        (
            (
                float(point.compression),
                *(point.latent_facts, point.latent_predicates, point.loss, point.objective, point.bound),
                None if point.bits is None else round(point.bits, 1),
                f"{point.status} ({point.stopped})" if point.stopped else point.status,
            )
            for point in found
        ),
    )
    print_lines(
        [
            "",
            f"{found.facts:,} facts, {found.plain_bits:,.1f} bits; "
            f"bounds are proven for the {found.bound_scope} candidates",
        ]
    )


def _signature() -> inspect.Signature:
    """Return the parameters of the command: its own, and those of `fit` that make sense here."""
    own = inspect.signature(curve, eval_str=True).parameters
    shared = inspect.signature(fit, eval_str=True).parameters
    kept = [p for name, p in shared.items() if name not in (*_NOT_HERE, *own)]
    mine = [
        shared["as_json"] if name == "as_json" else parameter
        for name, parameter in own.items()
        if name not in ("ctx", "options")
    ]
    keyword = inspect.Parameter.KEYWORD_ONLY
    return inspect.Signature([p.replace(kind=keyword) for p in (own["ctx"], *kept, *mine)])


curve.__signature__ = _signature()  # type: ignore[attr-defined]
