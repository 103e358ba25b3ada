"""The options of the commands that ask Markov logic networks, and judge the answers."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from logicoder.cli.options import share, whole

_KNOWN = "What is asked and known"
_SAMPLING = "Sampling"


class InferenceMethod(StrEnum):
    """How probabilities are found; see `logicoder.mln.inference`."""

    AUTO = "auto"
    EXACT = "exact"
    GIBBS = "gibbs"
    MC_SAT = "mc-sat"


ResultsPath = Annotated[
    Path,
    typer.Argument(
        metavar="RESULTS",
        help="What `mln infer --output` wrote: a file, or a folder for several interpretations.",
        show_default=False,
        readable=False,
    ),
]
ResultsOutput = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="PATH",
        help="Write atoms and probabilities to this file, or folder for several interpretations, "
        "instead of printing them.",
        show_default=False,
        readable=False,
    ),
]
Query = Annotated[
    list[str] | None,
    typer.Option(
        "--query",
        metavar="NAME",
        help="Predicates whose atoms are asked for; may be repeated.",
        rich_help_panel=_KNOWN,
        show_default="all but background ones, each given the others",
    ),
]
Each = Annotated[
    bool,
    typer.Option(
        "--each",
        help="Ask for one predicate after the other, each given the facts of all others.",
        rich_help_panel=_KNOWN,
    ),
]
Open = Annotated[
    list[str] | None,
    typer.Option(
        "--open",
        metavar="NAME",
        help="Further predicates whose atoms are unknown where the data does not list them; may be repeated.",
        rich_help_panel=_KNOWN,
        show_default=False,
    ),
]
Closed = Annotated[
    list[str] | None,
    typer.Option(
        "--closed",
        metavar="NAME",
        help="Predicates whose atoms are false where the data does not list them, though declared open.",
        rich_help_panel=_KNOWN,
        show_default=False,
    ),
]
Hide = Annotated[
    bool,
    typer.Option(
        "--hide/--no-hide",
        help="Hide the facts of the query predicates; otherwise they are evidence.",
        rich_help_panel=_KNOWN,
    ),
]
Definitions = Annotated[
    list[Path] | None,
    typer.Option(
        "--definitions",
        metavar="FILE",
        help="Logic programs that define predicates of the network over the data: what they derive is "
        "evidence; may be repeated.",
        rich_help_panel=_KNOWN,
        show_default=False,
        readable=False,
    ),
]
Encoder = Annotated[
    Path | None,
    typer.Option(
        "--encoder",
        metavar="FILE",
        help="A logic program that defines the latents of the network; those that depend on the query are "
        "open.",
        rich_help_panel=_KNOWN,
        show_default=False,
        readable=False,
    ),
]
Decoder = Annotated[
    Path | None,
    typer.Option(
        "--decoder",
        metavar="FILE",
        help="A logic program over the latents of --encoder, whose clauses are hard formulas.",
        rich_help_panel=_KNOWN,
        show_default=False,
        readable=False,
    ),
]
MostProbable = Annotated[
    bool,
    typer.Option(
        "--map", help="The most probable world instead of probabilities: 1 for its true atoms, 0 for others."
    ),
]
Inference = Annotated[
    InferenceMethod,
    typer.Option(
        "--method",
        help="auto: exact where possible, else sampled; exact: never sampled; gibbs, mc-sat: sampled.",
        rich_help_panel=_SAMPLING,
    ),
]
Samples = Annotated[
    int,
    typer.Option(
        "--samples",
        metavar="N",
        parser=whole(1),
        help="States of each chain, at most.",
        rich_help_panel=_SAMPLING,
    ),
]
BurnIn = Annotated[
    int,
    typer.Option(
        "--burn-in",
        metavar="N",
        parser=whole(0),
        help="States of each chain that are forgotten first, at most.",
        rich_help_panel=_SAMPLING,
    ),
]
Chains = Annotated[
    int,
    typer.Option(
        "--chains",
        metavar="N",
        parser=whole(1),
        help="Independent chains, to see whether they agree.",
        rich_help_panel=_SAMPLING,
    ),
]
Precision = Annotated[
    float,
    typer.Option(
        "--precision",
        metavar="X",
        parser=share,
        help="Sampling ends once four chains or more agree and all standard errors are at most this; "
        "with 0 all states are drawn.",
        rich_help_panel=_SAMPLING,
    ),
]
LeaveOut = Annotated[
    list[str] | None,
    typer.Option(
        "--leave-out",
        metavar="NAME",
        help="Predicates, or patterns such as 'same*', to leave out of a second mean; may be repeated.",
        show_default=False,
    ),
]
