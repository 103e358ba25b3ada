"""Options that the commands for Markov logic networks share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from logicoder.cli.options import positive, whole

Network = Annotated[
    Path,
    typer.Argument(
        metavar="NETWORK",
        help="An .mln file: declarations, weighted and hard formulas.",
        show_default=False,
        readable=False,
    ),
]
TimeLimit = Annotated[
    float | None,
    typer.Option(
        "--time-limit",
        metavar="S",
        parser=positive,
        help="Seconds after which to end with the best so far.",
        show_default="no limit",
    ),
]
Seed = Annotated[
    int, typer.Option("--seed", metavar="N", parser=whole(0), help="Seed of the random numbers.")
]
