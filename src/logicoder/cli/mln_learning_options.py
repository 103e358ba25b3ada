"""The options of the commands that learn Markov logic networks."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from logicoder.cli.options import number_of, positive, share, whole

_LEARNING = "Structure"
_WEIGHTS = "Weights"


class StructureMethod(StrEnum):
    """Where candidate clauses come from; see `logicoder.mln.structure`."""

    BUSL = "busl"
    EXHAUSTIVE = "exhaustive"


class Selection(StrEnum):
    """Which candidates are tried; see `logicoder.mln.structure`."""

    GREEDY = "greedy"
    L1 = "l1"


class Symmetry(StrEnum):
    """When two columns are neighbours; see `logicoder.mln.structure`."""

    EITHER = "either"
    BOTH = "both"


class WeightObjective(StrEnum):
    """What weights maximise; see `logicoder.mln.formula_weights`."""

    WPLL = "wpll"
    PLL = "pll"
    CLL = "cll"


class PriorName(StrEnum):
    """What is thought of weights before; see `logicoder.mln.priors`."""

    GAUSSIAN = "gaussian"
    L1 = "l1"
    NONE = "none"


def zero_or_more(text: str) -> float:
    """Return a number of at least zero."""
    value = number_of(text)
    if not 0 <= value < float("inf"):
        raise typer.BadParameter(f"{text!r} is not a number of at least 0")
    return value


def any_number(text: str) -> float:
    """Return a number."""
    value = number_of(text)
    if not abs(value) < float("inf"):
        raise typer.BadParameter(f"{text!r} is not a number")
    return value


NetworkOutput = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write the network to this .mln file.",
        show_default=False,
        readable=False,
    ),
]
Method = Annotated[
    StructureMethod,
    typer.Option(
        "--method",
        help="busl: bottom-up from the data; exhaustive: all clauses within the limits, screened.",
        rich_help_panel=_LEARNING,
    ),
]
MaxLiterals = Annotated[
    int,
    typer.Option(
        "--max-literals", metavar="N", parser=whole(1), help="Most literals.", rich_help_panel=_LEARNING
    ),
]
MaxVariables = Annotated[
    int,
    typer.Option(
        "--max-variables", metavar="N", parser=whole(1), help="Most variables.", rich_help_panel=_LEARNING
    ),
]
Constants = Annotated[
    int,
    typer.Option(
        "--constants",
        metavar="N",
        parser=whole(0),
        help="exhaustive: name constants of types that have at most N of them.",
        rich_help_panel=_LEARNING,
    ),
]
LengthPenalty = Annotated[
    float,
    typer.Option(
        "--length-penalty",
        metavar="X",
        parser=zero_or_more,
        help="What each literal of a clause costs.",
        rich_help_panel=_LEARNING,
    ),
]
MinGain = Annotated[
    float,
    typer.Option(
        "--min-gain",
        metavar="X",
        parser=zero_or_more,
        help="What a clause must gain beyond its cost.",
        rich_help_panel=_LEARNING,
    ),
]
MinSupport = Annotated[
    float,
    typer.Option(
        "--min-support",
        metavar="X",
        parser=share,
        help="Share of its groundings that a clause must satisfy.",
        rich_help_panel=_LEARNING,
    ),
]
IndependenceLevel = Annotated[
    float,
    typer.Option(
        "--independence-level",
        metavar="X",
        parser=share,
        help="busl: chance of error below which two columns depend on each other.",
        rich_help_panel=_LEARNING,
    ),
]
TnodeAtoms = Annotated[
    int,
    typer.Option(
        "--tnode-atoms",
        metavar="N",
        parser=whole(1),
        help="busl: 1 for single atoms around the head, 2 for chains of two as well.",
        rich_help_panel=_LEARNING,
    ),
]
FreeVariables = Annotated[
    int,
    typer.Option(
        "--free-variables",
        metavar="N",
        parser=whole(0),
        help="busl: most variables that only one atom of a chain has.",
        rich_help_panel=_LEARNING,
    ),
]
SymmetryName = Annotated[
    Symmetry,
    typer.Option(
        "--symmetry",
        help="busl: two columns are neighbours if either or both are in the blanket of the other.",
        rich_help_panel=_LEARNING,
    ),
]
Cliques = Annotated[
    bool,
    typer.Option(
        "--cliques/--no-cliques",
        help="busl: all members of a clause must be neighbours, as in the paper.",
        rich_help_panel=_LEARNING,
    ),
]
InOrder = Annotated[
    bool,
    typer.Option(
        "--in-order/--best-first",
        help="Add candidates in the order of what they gain alone, not of what they still gain.",
        rich_help_panel=_LEARNING,
    ),
]
SelectionName = Annotated[
    Selection,
    typer.Option(
        "--selection",
        help="greedy: from all candidates that gain; l1: from those that keep a weight under an L1 penalty.",
        rich_help_panel=_LEARNING,
    ),
]
MaxRows = Annotated[
    int,
    typer.Option(
        "--max-rows",
        metavar="N",
        parser=whole(1),
        help="busl: most ground atoms of a predicate and world; of more a sample is taken.",
        rich_help_panel=_LEARNING,
    ),
]
MaxCandidates = Annotated[
    int,
    typer.Option(
        "--max-candidates",
        metavar="N",
        parser=whole(1),
        help="exhaustive: clauses of each length that are scored after screening.",
        rich_help_panel=_LEARNING,
    ),
]
CheckpointFile = Annotated[
    Path | None,
    typer.Option(
        "--checkpoint",
        metavar="FILE",
        help="Keep the state of the run in this file; the same command goes on from it.",
        rich_help_panel=_LEARNING,
        show_default=False,
        readable=False,
    ),
]
Sigma = Annotated[
    float,
    typer.Option(
        "--sigma",
        metavar="X",
        parser=positive,
        help="Standard deviation of the prior of the weights, or scale of l1.",
        rich_help_panel=_WEIGHTS,
    ),
]
Objective = Annotated[
    WeightObjective,
    typer.Option(
        "--objective",
        help="wpll: mean over the atoms of each predicate; pll: sum over all; cll: query predicates only.",
        rich_help_panel=_WEIGHTS,
    ),
]
WeightQuery = Annotated[
    list[str] | None,
    typer.Option(
        "--query",
        metavar="NAME",
        help="Predicates that the network is to predict; may be repeated.",
        rich_help_panel=_WEIGHTS,
        show_default="all",
    ),
]
Prior = Annotated[PriorName, typer.Option("--prior", help="Prior of the weights.", rich_help_panel=_WEIGHTS)]
Mean = Annotated[
    float,
    typer.Option(
        "--mean",
        metavar="X",
        parser=any_number,
        help="Mean of the prior.",
        rich_help_panel=_WEIGHTS,
    ),
]
UnitClauses = Annotated[
    bool,
    typer.Option(
        "--unit-clauses/--no-unit-clauses",
        help="Add a formula of its own for every predicate without one, as Alchemy does.",
        rich_help_panel=_WEIGHTS,
    ),
]
