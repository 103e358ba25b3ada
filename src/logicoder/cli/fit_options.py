"""The options of `fit` that say which programs are wanted, and what concerns the run.

How programs are sought is in `search_options`. Unset is None, so that a preset or the library can say what
holds then.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from logicoder.cli.config import load_config
from logicoder.cli.options import (
    Preset,
    bottleneck_text,
    compression_text,
    predicate_limit_text,
    weight_text,
    whole,
)

_PROGRAMS = "Programs"
_CONSTRAINTS = "Constraints"
_RUN = "Run"

EncoderLength = Annotated[
    int | None,
    typer.Option(
        "--encoder-length",
        metavar="N",
        parser=whole(1),
        help="Most literals in an encoder body.",
        show_default="2",
        rich_help_panel=_PROGRAMS,
    ),
]
DecoderLength = Annotated[
    int | None,
    typer.Option(
        "--decoder-length",
        metavar="N",
        parser=whole(1),
        help="Most literals in a decoder body.",
        show_default="2",
        rich_help_panel=_PROGRAMS,
    ),
]
Compression = Annotated[
    str | None,
    typer.Option(
        "--compression",
        metavar="G",
        parser=compression_text,
        help="The bottleneck: how large the latent representation may be, as a multiple of the data.",
        show_default="0.8",
        rich_help_panel=_PROGRAMS,
    ),
]
MaxLatentArity = Annotated[
    int | None,
    typer.Option(
        "--max-latent-arity",
        metavar="N",
        parser=whole(1),
        help="Most arguments of a latent predicate.",
        show_default="as in the data",
        rich_help_panel=_PROGRAMS,
    ),
]
Constants = Annotated[
    int | None,
    typer.Option(
        "--constants",
        metavar="N",
        parser=whole(0),
        help="Name constants of types that have at most so many, in encoder bodies and decoder heads.",
        show_default="0",
        rich_help_panel=_PROGRAMS,
    ),
]
Negation = Annotated[
    bool | None,
    typer.Option(
        "--negation/--no-negation",
        help="Allow negated literals.",
        show_default="no",
        rich_help_panel=_PROGRAMS,
    ),
]
Inequality = Annotated[
    bool | None,
    typer.Option(
        "--inequality/--no-inequality",
        help="Allow that two variables of a type are said to differ.",
        show_default="no",
        rich_help_panel=_PROGRAMS,
    ),
]
Recursion = Annotated[
    bool | None,
    typer.Option(
        "--recursion/--no-recursion",
        help="Allow recursive definitions.",
        show_default="no",
        rich_help_panel=_PROGRAMS,
    ),
]
Layers = Annotated[
    int | None,
    typer.Option(
        "--layers",
        metavar="N",
        parser=whole(1),
        help="Auto-encoders on top of each other, each on the latent facts of the one below.",
        show_default="1",
        rich_help_panel=_PROGRAMS,
    ),
]
Generality = Annotated[
    bool | None,
    typer.Option(
        "--generality/--no-generality",
        help="Select at most one of two comparable clauses.",
        show_default="yes",
        rich_help_panel=_PROGRAMS,
    ),
]
ReconstructAll = Annotated[
    bool | None,
    typer.Option(
        "--reconstruct-all/--no-reconstruct-all",
        help="Demand a decoder for every predicate that has a fair one.",
        show_default="yes",
        rich_help_panel=_PROGRAMS,
    ),
]
Bottlenecks = Annotated[
    list[str] | None,
    typer.Option(
        "--bottleneck",
        metavar="TEXT",
        parser=bottleneck_text,
        help="What is limited: average, total or bits, each also with a value of its own such as total=0.8; "
        "latents=N, largest=N, none; may be repeated.",
        show_default="total",
        rich_help_panel=_CONSTRAINTS,
    ),
]
Weights = Annotated[
    list[str] | None,
    typer.Option(
        "--weight",
        metavar="TEXT",
        parser=weight_text,
        help="What a mistake of a predicate counts, such as advisedby=5, or balanced; may be repeated.",
        show_default="1 for each",
        rich_help_panel=_CONSTRAINTS,
    ),
]
Limits = Annotated[
    list[str] | None,
    typer.Option(
        "--limit",
        metavar="TEXT",
        parser=predicate_limit_text,
        help="Limit of a predicate on clauses, loss, missing or false: advisedby:clauses=3, "
        "advisedby:missing=10%; may be repeated.",
        show_default=False,
        rich_help_panel=_CONSTRAINTS,
    ),
]
Require = Annotated[
    list[str] | None,
    typer.Option(
        "--require",
        metavar="FILE|TEXT",
        help="Clauses, predicates (takes/2) or shapes (:- p(X,X).) that must be selected; may be repeated.",
        show_default=False,
        rich_help_panel=_CONSTRAINTS,
    ),
]
Forbid = Annotated[
    list[str] | None,
    typer.Option(
        "--forbid",
        metavar="FILE|TEXT",
        help="Clauses, predicates or shapes that must not be selected; may be repeated.",
        show_default=False,
        rich_help_panel=_CONSTRAINTS,
    ),
]
BackgroundFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--background",
        metavar="FILE",
        help="Prolog facts and clauses that encoders may use; may be repeated.",
        show_default=False,
        rich_help_panel=_PROGRAMS,
        readable=False,
    ),
]
PresetName = Annotated[
    Preset | None,
    typer.Option(
        "--preset",
        help="Settings to start from; other options override them.",
        show_default=False,
        rich_help_panel=_PROGRAMS,
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        metavar="N",
        parser=whole(1),
        help="Threads that evaluate candidates; the result does not depend on it.",
        show_default="one per core",
        rich_help_panel=_RUN,
    ),
]
OutputFolder = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="DIR",
        help="Save the model as DIR/model.alp and the record of the run as DIR/run.json.",
        show_default=False,
        rich_help_panel=_RUN,
        readable=False,
    ),
]
ReportFile = Annotated[
    Path | None,
    typer.Option(
        "--report",
        metavar="FILE",
        help="Write a page that shows the result, as `logicoder report` does.",
        show_default=False,
        rich_help_panel=_RUN,
        readable=False,
    ),
]
CheckpointFolder = Annotated[
    Path | None,
    typer.Option(
        "--checkpoint",
        metavar="DIR",
        help="Keep the state of the run in this folder.",
        show_default=False,
        rich_help_panel=_RUN,
        readable=False,
    ),
]
Resume = Annotated[
    bool,
    typer.Option("--resume", help="Take up the state in the checkpoint folder.", rich_help_panel=_RUN),
]
ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        is_eager=True,
        callback=load_config,
        help="TOML file with the same options, at its top or under [fit]; the command line counts more.",
        show_default=False,
        rich_help_panel=_RUN,
        readable=False,
    ),
]
