"""The options of `logicoder experiment`."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from logicoder.base.errors import UsageError
from logicoder.cli.options import compression_text, positive, whole

_FOLDS = "Folds"
_GRID = "Grid"
_MODELS = "Models"
_EFFORT = "Effort"


class ProtocolName(StrEnum):
    """How folds take turns; see `logicoder.evaluation.splits`."""

    PAPER = "paper"
    LEAVE_ONE_OUT = "leave-one-out"


def list_of(parse: Callable[[str], Any]) -> Callable[[str], tuple[Any, ...]]:
    """Return a parser of values with commas between them."""

    def parsed(text: str | tuple[Any, ...]) -> tuple[Any, ...]:
        if isinstance(text, tuple):
            return text
        return tuple(parse(part.strip()) for part in text.split(",") if part.strip())

    return parsed


def lengths(text: str) -> str:
    """Check a text such as `2x3` or `1x2c10`."""
    from logicoder.evaluation.configuration import Lengths  # noqa: PLC0415  (only this command needs it)

    try:
        return str(Lengths.parse(text))
    except UsageError as error:
        raise typer.BadParameter(str(error)) from None


DataFolder = Annotated[
    Path,
    typer.Argument(metavar="DATA-DIR", help="A folder with a file for each fold.", show_default=False),
]
ExperimentFolder = Annotated[
    Path,
    typer.Option(
        "--output",
        "-o",
        metavar="DIR",
        help="Keeps models and results; the same command goes on from what is there.",
        show_default=False,
        readable=False,
    ),
]
ProtocolOption = Annotated[
    ProtocolName, typer.Option("--protocol", help="How folds take turns.", rich_help_panel=_FOLDS)
]
TestFold = Annotated[
    str | None,
    typer.Option(
        "--test",
        metavar="FOLD",
        help="The test fold of the paper's protocol.",
        show_default="the last",
        rich_help_panel=_FOLDS,
    ),
]
ValidationFold = Annotated[
    str | None,
    typer.Option(
        "--validation",
        metavar="FOLD",
        help="The fold that chooses models.",
        show_default="the one after the test fold; the first for leave-one-out",
        rich_help_panel=_FOLDS,
    ),
]
Grid = Annotated[
    Any,
    typer.Option(
        "--grid",
        metavar="ExD,...",
        parser=list_of(lengths),
        help="Encoder and decoder lengths of latent and masked; 1x2c10 also names constants of types with at "
        "most 10.",
        show_default="2x2,2x3,3x2,3x3",
        rich_help_panel=_GRID,
    ),
]
GridCompressions = Annotated[
    Any,
    typer.Option(
        "--compressions",
        metavar="G,...",
        parser=list_of(compression_text),
        help="Values of the compression of latent and masked.",
        show_default="0.3,0.5,0.7",
        rich_help_panel=_GRID,
    ),
]
HybridGrid = Annotated[
    Any,
    typer.Option(
        "--hybrid-grid",
        metavar="ExD,...",
        parser=list_of(lengths),
        help="Encoder and decoder lengths of hybrid.",
        show_default="1x2c10,2x2,3x1",
        rich_help_panel=_GRID,
    ),
]
HybridCompressions = Annotated[
    Any,
    typer.Option(
        "--hybrid-compressions",
        metavar="G,...",
        parser=list_of(compression_text),
        help="Values of the compression of hybrid.",
        show_default="0.7,1.5",
        rich_help_panel=_GRID,
    ),
]
HybridMaskWeights = Annotated[
    Any,
    typer.Option(
        "--hybrid-mask-weights",
        metavar="X,...",
        parser=list_of(positive),
        help="Values of the mask weight of hybrid, where clauses are weighted.",
        show_default="1,5",
        rich_help_panel=_GRID,
    ),
]
Sigmas = Annotated[
    Any,
    typer.Option(
        "--sigmas",
        metavar="X,...",
        parser=list_of(positive),
        help="Priors of plain and hybrid networks: standard deviations of weights.",
        show_default="0.5,1,3",
        rich_help_panel=_GRID,
    ),
]
Representations = Annotated[
    Any,
    typer.Option(
        "--representations",
        metavar="NAME,...",
        parser=list_of(str),
        help="What models are over: original, latent, masked, plain, hybrid.",
        show_default="all",
        rich_help_panel=_MODELS,
    ),
]
Learners = Annotated[
    Any,
    typer.Option(
        "--learner",
        metavar="NAME,...",
        parser=list_of(str),
        help="Of networks on original, latent and masked: busl, exhaustive, or both.",
        show_default="busl",
        rich_help_panel=_MODELS,
    ),
]
MaskWeight = Annotated[
    float,
    typer.Option(
        "--mask-weight",
        metavar="X",
        parser=positive,
        help="Masked: what a fact that is missing when masked counts, beside 1 for a mistake.",
        rich_help_panel=_MODELS,
    ),
]
FormulaConstants = Annotated[
    int,
    typer.Option(
        "--formula-constants",
        metavar="N",
        parser=whole(0),
        help="Formulas of plain and hybrid networks name constants of types with at most N.",
        rich_help_panel=_MODELS,
    ),
]
ExperimentLiterals = Annotated[
    int,
    typer.Option(
        "--max-literals",
        metavar="N",
        parser=whole(2),
        help="Most literals of a formula.",
        rich_help_panel=_MODELS,
    ),
]
ExperimentVariables = Annotated[
    int,
    typer.Option(
        "--max-variables",
        metavar="N",
        parser=whole(1),
        help="Most variables of a formula.",
        rich_help_panel=_MODELS,
    ),
]
Ceilings = Annotated[
    Any,
    typer.Option(
        "--ceiling",
        metavar="K,...",
        parser=list_of(whole(1)),
        help="Measure what all bodies of up to K literals together can reach.",
        show_default="none",
        rich_help_panel=_MODELS,
    ),
]
CeilingConstants = Annotated[
    int,
    typer.Option(
        "--ceiling-constants",
        metavar="N",
        parser=whole(0),
        help="Bodies of ceilings name constants of types with at most N.",
        rich_help_panel=_MODELS,
    ),
]
SelectionEffort = Annotated[
    float,
    typer.Option(
        "--effort",
        metavar="X",
        parser=positive,
        help="Of each selection, in the solver's deterministic seconds.",
        rich_help_panel=_EFFORT,
    ),
]
SelectionSeconds = Annotated[
    float,
    typer.Option(
        "--selection-time",
        metavar="SECONDS",
        parser=positive,
        help="Most time of each selection.",
        rich_help_panel=_EFFORT,
    ),
]
LearningSeconds = Annotated[
    float,
    typer.Option(
        "--learning-time",
        metavar="SECONDS",
        parser=positive,
        help="Most time of learning one network with busl or exhaustive.",
        rich_help_panel=_EFFORT,
    ),
]
AskingSeconds = Annotated[
    float,
    typer.Option(
        "--asking-time",
        metavar="SECONDS",
        parser=positive,
        help="Most time of sampling for one question.",
        rich_help_panel=_EFFORT,
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        metavar="N",
        parser=whole(1),
        help="Processes at work.",
        show_default="as many as there are cores",
        rich_help_panel=_EFFORT,
    ),
]
ExperimentSeed = Annotated[
    int,
    typer.Option("--seed", metavar="N", parser=whole(0), help="Seed of everything.", rich_help_panel=_EFFORT),
]
Figures = Annotated[
    bool, typer.Option("--figures", help="Draw the figures of the paper into DIR/figures; needs matplotlib.")
]
