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
GRID = "Grid"
MODELS = "Models"
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


def list_option(
    name: str,
    metavar: str,
    parse: Callable[[str], Any],
    said: str,
    *,
    default: str,
    panel: str,
) -> Any:
    """Return an option of values with commas between them."""
    return typer.Option(
        name,
        metavar=metavar,
        parser=list_of(parse),
        help=said,
        show_default=default,
        rich_help_panel=panel,
    )


def count_option(name: str, least: int, said: str, *, panel: str) -> Any:
    """Return an option that is a whole number."""
    return typer.Option(name, metavar="N", parser=whole(least), help=said, rich_help_panel=panel)


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
    list_option(
        "--grid",
        "ExD,...",
        lengths,
        "Encoder and decoder lengths of latent and masked; 1x2c10 also names constants of types with at "
        "most 10.",
        default="2x2,2x3,3x2,3x3",
        panel=GRID,
    ),
]
GridCompressions = Annotated[
    Any,
    list_option(
        "--compressions",
        "G,...",
        compression_text,
        "Values of the compression of latent and masked.",
        default="0.3,0.5,0.7",
        panel=GRID,
    ),
]
HybridGrid = Annotated[
    Any,
    list_option(
        "--hybrid-grid",
        "ExD,...",
        lengths,
        "Encoder and decoder lengths of hybrid.",
        default="1x2c10,2x2,3x1",
        panel=GRID,
    ),
]
HybridCompressions = Annotated[
    Any,
    list_option(
        "--hybrid-compressions",
        "G,...",
        compression_text,
        "Values of the compression of hybrid.",
        default="0.7,1.5",
        panel=GRID,
    ),
]
HybridMaskWeights = Annotated[
    Any,
    list_option(
        "--hybrid-mask-weights",
        "X,...",
        positive,
        "Values of the mask weight of hybrid, where clauses are weighted.",
        default="1,5",
        panel=GRID,
    ),
]
Sigmas = Annotated[
    Any,
    list_option(
        "--sigmas",
        "X,...",
        positive,
        "Priors of plain and hybrid networks: standard deviations of weights.",
        default="0.5,1,3",
        panel=GRID,
    ),
]
Representations = Annotated[
    Any,
    list_option(
        "--representations",
        "NAME,...",
        str,
        "What models are over: original, latent, masked, plain, hybrid.",
        default="all",
        panel=MODELS,
    ),
]
Learners = Annotated[
    Any,
    list_option(
        "--learner",
        "NAME,...",
        str,
        "Of networks on original, latent and masked: busl, exhaustive, or both.",
        default="busl",
        panel=MODELS,
    ),
]
MaskWeight = Annotated[
    float,
    typer.Option(
        "--mask-weight",
        metavar="X",
        parser=positive,
        help="Masked: what a fact that is missing when masked counts, beside 1 for a mistake.",
        rich_help_panel=MODELS,
    ),
]
FormulaConstants = Annotated[
    Any,
    list_option(
        "--formula-constants",
        "N,...",
        whole(0),
        "Formulas of plain and hybrid networks name constants of types with at most N.",
        default="0,10",
        panel=GRID,
    ),
]
ExperimentLiterals = Annotated[
    int, count_option("--max-literals", 2, "Most literals of a formula.", panel=MODELS)
]
ExperimentVariables = Annotated[
    int, count_option("--max-variables", 1, "Most variables of a formula.", panel=MODELS)
]
Ceilings = Annotated[
    Any,
    list_option(
        "--ceiling",
        "K,...",
        whole(1),
        "Measure what all bodies of up to K literals together can reach.",
        default="none",
        panel=MODELS,
    ),
]
CeilingConstants = Annotated[
    int,
    count_option(
        "--ceiling-constants", 0, "Bodies of ceilings name constants of types with at most N.", panel=MODELS
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
