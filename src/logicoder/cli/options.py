"""Options that several commands share, and the checks of their values."""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer

FORMATS = "[prolog|alchemy|tables|triples|...]"
"""How data may be written; other packages may know more, see `logicoder.kb.formats`."""


class Interpretations(StrEnum):
    """What makes an interpretation; see `logicoder.kb.sources`."""

    AUTO = "auto"
    FILE = "file"
    FOLDER = "folder"
    ONE = "one"


class Types(StrEnum):
    """Where the types of undeclared predicates come from."""

    ONE = "one"
    INFER = "infer"


class Preset(StrEnum):
    """Named settings; see `logicoder.learner.settings`."""

    PAPER = "paper"


class Objective(StrEnum):
    """What is minimised."""

    LOSS = "loss"
    LEXICOGRAPHIC = "lexicographic"
    BITS = "bits"
    MASKED = "masked"
    LOSS_THEN_MASKED = "loss-then-masked"


SOLVERS = "[auto|exact|lns|highs|rc2|clingo|...]"
"""How clauses may be selected; other packages may know more, see `logicoder.selection.solvers`."""


class World(StrEnum):
    """Which predicates a generated university has."""

    CORE = "core"
    FULL = "full"


# -- values -------------------------------------------------------------------------------------------


def whole(least: int) -> Callable[[str], int]:
    """Return a parser of whole numbers of at least `least`."""

    def parse(text: str) -> int:
        try:
            number = int(str(text))
        except ValueError:
            number = least - 1
        if number < least:
            raise typer.BadParameter(f"{text!r} is not a whole number of at least {least}")
        return number

    return parse


def positive(text: str) -> float:
    """Return a number greater than zero."""
    number = number_of(text)
    if not 0 < number < math.inf:
        raise typer.BadParameter(f"{text!r} is not a number greater than 0")
    return number


def share(text: str) -> float:
    """Return a number between zero and one."""
    number = number_of(text)
    if not 0 <= number <= 1:
        raise typer.BadParameter(f"{text!r} is not a number between 0 and 1")
    return number


def number_of(text: str) -> float:
    """Return a number, or NaN where there is none."""
    try:
        return float(str(text))
    except ValueError:
        return math.nan


def compression_text(text: str) -> str:
    """Return the decimal text of a compression, unchanged: the library takes its exact fraction."""
    if _fraction(text) <= 0:
        raise typer.BadParameter(f"{text!r} is not a number greater than 0, such as 0.5")
    return str(text)


def mask_weight_text(text: str) -> str:
    """Return the decimal text of a weight that may be zero, unchanged."""
    if _fraction(text) < 0:
        raise typer.BadParameter(f"{text!r} is not a number of at least 0, such as 0.5")
    return str(text)


def corruption_text(text: str) -> str:
    """Return the decimal text of a corruption, unchanged, or `none`."""
    if str(text).lower() == "none":
        return "none"
    if not 0 <= _fraction(text) <= 1:
        raise typer.BadParameter(f"{text!r} is neither a number between 0 and 1 nor the word none")
    return str(text)


def _fraction(text: str) -> Fraction:
    try:
        return Fraction(str(text))
    except (ValueError, ZeroDivisionError):
        return Fraction(-1)


def limit_text(text: str) -> str:
    """Return the text of a whole number of at least one, or `none`."""
    if str(text).lower() == "none":
        return "none"
    try:
        return str(whole(1)(text))
    except typer.BadParameter:
        message = f"{text!r} is neither a whole number of at least 1 nor the word none"
        raise typer.BadParameter(message) from None


def memory_text(text: str) -> str:
    """Return the text of a size of memory, unchanged."""
    from logicoder.base.memory import bytes_of  # noqa: PLC0415

    return _understood(lambda size: bytes_of(size, "the memory"), text)


def bottleneck_text(text: str) -> str:
    """Return the text of a bottleneck, unchanged."""
    from logicoder.problem.bottlenecks import bottlenecks_of  # noqa: PLC0415

    return _understood(bottlenecks_of, text)


def format_text(text: str) -> str:
    """Return the name of a format, unchanged."""
    from logicoder.kb.formats import format_named  # noqa: PLC0415

    return _understood(format_named, text)


def solver_text(text: str) -> str:
    """Return the name of a solver, unchanged."""
    from logicoder.selection.solvers import solver_class  # noqa: PLC0415

    return _understood(solver_class, text)


def weight_text(text: str) -> str:
    """Return the text of a weight, unchanged."""
    from logicoder.problem.weights import weights_of  # noqa: PLC0415

    return _understood(weights_of, text)


def predicate_limit_text(text: str) -> str:
    """Return the text of a limit of a predicate, unchanged."""
    from logicoder.problem.limits import limits_of  # noqa: PLC0415

    return _understood(limits_of, text)


def _understood(read: Callable[[str], object], text: str) -> str:
    """Return a text that the library understands, or what it says against it."""
    from logicoder.base.errors import UsageError  # noqa: PLC0415

    try:
        read(str(text))
    except UsageError as error:
        raise typer.BadParameter(str(error)) from None
    return str(text)


# -- options ------------------------------------------------------------------------------------------
# Paths are declared as not readable so that typer does not look: the library's errors say more.

_DATA = "Data"

Data = Annotated[
    list[Path],
    typer.Argument(
        metavar="DATA",
        help="Files, folders or patterns of facts: .pl, .db, .csv, .tsv, .txt, each also as .gz.",
        show_default=False,
        readable=False,
    ),
]
Model = Annotated[
    Path,
    typer.Argument(
        metavar="MODEL",
        help="A model, or the folder that `fit --output` made.",
        show_default=False,
        readable=False,
    ),
]
SchemaFile = Annotated[
    Path | None,
    typer.Option(
        "--schema",
        metavar="FILE",
        help="The .mln file that declares the predicates; otherwise the one that lies with the data.",
        rich_help_panel=_DATA,
        show_default=False,
        readable=False,
    ),
]
DataFormat = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar=FORMATS,
        parser=format_text,
        help="Format of the data; .pl and .db tell theirs.",
        rich_help_panel=_DATA,
        show_default=False,
    ),
]
Worlds = Annotated[
    Interpretations,
    typer.Option(
        "--interpretations",
        help="What makes an interpretation: each file, each folder, or one for all; "
        "auto: the folder for tables, the file for everything else.",
        rich_help_panel=_DATA,
    ),
]
DataTypes = Annotated[
    Types,
    typer.Option(
        "--types",
        help="Types of undeclared predicates: one for all, or inferred from shared constants.",
        rich_help_panel=_DATA,
    ),
]
HeaderRow = Annotated[
    bool | None,
    typer.Option(
        "--header/--no-header",
        help="Whether the first row of each table or file of triples is a header.",
        rich_help_panel=_DATA,
        show_default="if it spells out the declared types",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")]
OutputFile = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="PATH",
        help="Write to this file, or folder for several interpretations, instead of printing Prolog.",
        show_default=False,
        readable=False,
    ),
]
OutputFormat = Annotated[
    str | None,
    typer.Option(
        "--output-format",
        metavar=FORMATS,
        parser=format_text,
        help="Format to write; .pl and .db tell theirs, a folder gets prolog unless told otherwise.",
        show_default=False,
    ),
]
