"""The options of `fit` that say how programs are sought. Unset is None, as in `fit_options`."""

from __future__ import annotations

from typing import Annotated

import typer

from logicoder.cli.options import (
    SOLVERS,
    Objective,
    corruption_text,
    limit_text,
    mask_weight_text,
    memory_text,
    positive,
    share,
    solver_text,
    whole,
)

_PRUNING = "Pruning"
_SEARCH = "Search"

MaxCorruption = Annotated[
    str | None,
    typer.Option(
        "--max-corruption",
        metavar="X|none",
        parser=corruption_text,
        help="Drop decoders whose share of false atoms is not below this.",
        show_default="none",
        rich_help_panel=_PRUNING,
    ),
]
NamingVariants = Annotated[
    bool | None,
    typer.Option(
        "--naming-variants/--no-naming-variants",
        help="Keep one of the encoders that derive the same from the same predicates.",
        show_default="yes",
        rich_help_panel=_PRUNING,
    ),
]
SignatureVariants = Annotated[
    bool | None,
    typer.Option(
        "--signature-variants/--no-signature-variants",
        help="Keep one of the decoders that rebuild the same with the same latent predicates.",
        show_default="yes",
        rich_help_panel=_PRUNING,
    ),
]
Dominance = Annotated[
    bool | None,
    typer.Option(
        "--dominance/--no-dominance",
        help="Drop decoders that another one can stand for in every selection.",
        show_default="yes",
        rich_help_panel=_PRUNING,
    ),
]
DropExtensions = Annotated[
    bool | None,
    typer.Option(
        "--drop-extensions/--keep-extensions",
        help="Drop decoders of which a part derives no more false atoms.",
        show_default="with dominance",
        rich_help_panel=_PRUNING,
    ),
]
MaxDecoders = Annotated[
    str | None,
    typer.Option(
        "--max-decoders",
        metavar="N|none",
        parser=limit_text,
        help="Most decoder candidates to select from.",
        show_default="20000",
        rich_help_panel=_PRUNING,
    ),
]
WorkingSet = Annotated[
    str | None,
    typer.Option(
        "--working-set",
        metavar="N|none",
        parser=limit_text,
        help="Most latents combined with each other at once; others follow in rounds.",
        show_default="1500",
        rich_help_panel=_PRUNING,
    ),
]
Rounds = Annotated[
    int | None,
    typer.Option(
        "--rounds",
        metavar="N",
        parser=whole(0),
        help="Most rounds of further candidates, made where a program still loses facts.",
        show_default="8",
        rich_help_panel=_PRUNING,
    ),
]
MaxBodies = Annotated[
    str | None,
    typer.Option(
        "--max-bodies",
        metavar="N|none",
        parser=limit_text,
        help="Most bodies of one length to look at for each head, for decoders of three literals or more.",
        show_default="10000",
        rich_help_panel=_PRUNING,
    ),
]
MaxTuples = Annotated[
    str | None,
    typer.Option(
        "--max-tuples",
        metavar="N|none",
        parser=limit_text,
        help="Leave out encoder bodies whose join has more tuples; grows beyond a million facts.",
        show_default="5000000",
        rich_help_panel=_PRUNING,
    ),
]
MaxEncoders = Annotated[
    str | None,
    typer.Option(
        "--max-encoders",
        metavar="N|none",
        parser=limit_text,
        help="Most encoder candidates to evaluate.",
        show_default="100000",
        rich_help_panel=_PRUNING,
    ),
]
MaxWork = Annotated[
    str | None,
    typer.Option(
        "--max-work",
        metavar="N|none",
        parser=limit_text,
        help="With more tuples of latents times predicates, look for decoders head by head, on samples.",
        show_default="8000000",
        rich_help_panel=_PRUNING,
    ),
]
MaxMemory = Annotated[
    str | None,
    typer.Option(
        "--max-memory",
        metavar="SIZE",
        parser=memory_text,
        help="Most memory of the process, such as 4GiB or 500MB; what does not fit is left out.",
        show_default="60% of what is free",
        rich_help_panel=_SEARCH,
    ),
]
ObjectiveName = Annotated[
    Objective | None,
    typer.Option(
        "--objective",
        help="Minimise the loss alone, or then also latent facts plus body literals, or the bits, or also "
        "what is missing when a predicate is rebuilt without looking at it.",
        show_default="lexicographic",
        rich_help_panel=_SEARCH,
    ),
]
MaskWeight = Annotated[
    str | None,
    typer.Option(
        "--mask-weight",
        metavar="W",
        parser=mask_weight_text,
        help="What a fact that is missing when masked counts, with --objective masked.",
        show_default="1",
        rich_help_panel=_SEARCH,
    ),
]
SolverName = Annotated[
    str | None,
    typer.Option(
        "--solver",
        metavar=SOLVERS,
        parser=solver_text,
        help="How to select the clauses.",
        show_default="auto",
        rich_help_panel=_SEARCH,
    ),
]
TimeLimit = Annotated[
    float | None,
    typer.Option(
        "--time-limit",
        metavar="S",
        parser=positive,
        help="Stop the search after so many seconds and keep the best program.",
        show_default="no limit",
        rich_help_panel=_SEARCH,
    ),
]
Effort = Annotated[
    float | None,
    typer.Option(
        "--effort",
        metavar="E",
        parser=positive,
        help="Limit on the search in the solver's deterministic seconds: the same result on every run.",
        show_default="120",
        rich_help_panel=_SEARCH,
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="N",
        parser=whole(0),
        help="Seed of the search.",
        show_default="0",
        rich_help_panel=_SEARCH,
    ),
]
Alpha = Annotated[
    float | None,
    typer.Option(
        "--alpha",
        metavar="X",
        parser=share,
        help="Large neighbourhood search: share of the selected decoders that stay selected.",
        show_default="0.5",
        rich_help_panel=_SEARCH,
    ),
]
Beta = Annotated[
    float | None,
    typer.Option(
        "--beta",
        metavar="X",
        parser=share,
        help="Large neighbourhood search: share of the unselected encoders that stay unselected.",
        show_default="0.9",
        rich_help_panel=_SEARCH,
    ),
]
