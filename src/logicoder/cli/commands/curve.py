"""`logicoder curve`: loss against the size of the latent representation."""

from __future__ import annotations

import json
import shutil
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from logicoder.base.progress import PhaseFinished, PhaseStarted
from logicoder.base.setting import settings_of
from logicoder.cli.bars import progress_bars
from logicoder.cli.commands.apply import stored_engine
from logicoder.cli.commands.fit import with_files
from logicoder.cli.declared import settings
from logicoder.cli.fit_run import bars_wanted, prepared_folder
from logicoder.cli.interruption import Interruption
from logicoder.cli.options import Json, TypedData, file_option
from logicoder.cli.output import print_heading, print_json, print_lines, print_table
from logicoder.learner.parameters import COMPRESSIONS, CURVE, POINTS, LearnerParameters, Parameters

if TYPE_CHECKING:
    from logicoder.engine.sql.stored_data import StoredData
    from logicoder.kb import KnowledgeBase
    from logicoder.learner.bottleneck_curve import Curve

_DECLARED = settings_of(LearnerParameters)
_LEFT_OPEN = replace(
    _DECLARED["bottlenecks"],
    doc="what the compression limits: total, average or bits; you can add others with a value",
    group=CURVE,
)
_SETTINGS = settings(
    [
        *(item for name, item in _DECLARED.items() if name not in ("compression", "bottlenecks")),
        *(settings_of(Parameters)[name] for name in ("background", "engine", "max_sample")),
        COMPRESSIONS,
        POINTS,
        _LEFT_OPEN,
    ]
)

Plot = Annotated[
    Path | None,
    file_option(
        "--plot",
        metavar="FILE",
        help="Write a picture: .svg, .png or .pdf; needs matplotlib.",
        rich_help_panel=CURVE,
    ),
]
CurveFolder = Annotated[
    Path | None,
    file_option(
        "--output",
        "-o",
        metavar="DIR",
        help="Save everything, including programs, as DIR/curve.json.",
        rich_help_panel=CURVE,
    ),
]


def curve(
    ctx: typer.Context,
    data: TypedData,
    given: Annotated[dict[str, Any], _SETTINGS],
    plot: Plot = None,
    output: CurveFolder = None,
    as_json: Json = False,
) -> None:
    """Plot the loss against the number of latent facts.

    Candidates are enumerated once, and bounds are proved. Ctrl-C keeps the finished points.
    """
    from logicoder.learner.plotting import check_plot  # noqa: PLC0415

    if "compressions" in given and "points" in given:
        raise typer.BadParameter("--compressions and --points exclude each other")
    if plot is not None:
        check_plot(plot)
    engine = stored_engine(data, given.pop("engine", "auto"))
    parameters = with_files(given)
    interruption = Interruption()
    with interruption.handling(), prepared_folder(output), ExitStack() as until_end:
        started = perf_counter()
        with progress_bars(
            shown=bars_wanted(ctx, as_json=as_json), remaining=lambda: interruption.remaining
        ) as bars:
            report = interruption.watching(bars)
            report(PhaseStarted("read"))
            kb: KnowledgeBase | StoredData
            if engine is None:
                kb = data.read()
            else:
                stored = data.stored(engine, max_memory=given.get("max_memory"), stop=interruption)
                kb = until_end.enter_context(stored)
            report(PhaseFinished("read", perf_counter() - started, {"facts": len(kb)}))
            found = _computed(kb, interruption, {"report": report, "stop": interruption, **parameters})
        if output is not None:
            _save(found, output)
        if plot is not None:
            found.plot(plot)
        if as_json:
            print_json(found.as_dict())
        else:
            print_curve(found)
    interruption.leave(f"{len(found)} points are finished")


def _computed(kb: KnowledgeBase | StoredData, interruption: Interruption, arguments: dict[str, Any]) -> Curve:
    from logicoder.learner.bottleneck_curve import rate_distortion  # noqa: PLC0415  (numpy takes its time)

    with interruption.refusing("interrupted before any point was finished"):
        return rate_distortion(kb, **arguments)


def _save(found: Curve, folder: Path) -> None:
    from logicoder.base.files import write_text  # noqa: PLC0415
    from logicoder.learner.bottleneck_curve import CURVE_FILE  # noqa: PLC0415

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
    proven = (
        f"bounds are proven for the {found.bound_scope} candidates"
        if found.sample is None
        else f"all facts are counted, for programs chosen on a sample of {found.sample:,}; nothing is proven"
    )
    print_lines(["", f"{found.facts:,} facts, {found.plain_bits:,.1f} bits; {proven}"])
