"""`logicoder explain`, `insights`, `suggest` and `diff`: what models say about data, and how they differ."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from logicoder.base.kinds import Whole
from logicoder.cli.commands.apply import load
from logicoder.cli.declared import value
from logicoder.cli.inputs import DataOptions, read_for_model
from logicoder.cli.options import Data, Json, Model, data_options, file_argument, file_option
from logicoder.cli.output import number_text, print_heading, print_json, print_lines, print_table

if TYPE_CHECKING:
    from logicoder.autoencoder.suggestions import Suggestion, Suggestions

AtomText = Annotated[
    str,
    typer.Argument(
        metavar="ATOM",
        help="The atom, such as 'mother(padme,leia)'; of one with variables, the first that match.",
        show_default=False,
    ),
]
WorldName = Annotated[
    str | None,
    typer.Option(
        "--interpretation",
        metavar="NAME",
        help="The interpretation to look at; otherwise all that have the atom.",
        show_default=False,
    ),
]
Limit = Annotated[int, value("--limit", Whole(1), "Most derivations of the atom to show.")]
Depth = Annotated[int, value("--depth", Whole(1), "Most clauses on the way down to the data.")]
Top = Annotated[int, value("--top", Whole(1), "Show so many suggestions of each kind.")]
PredicateNames = Annotated[
    list[str] | None,
    typer.Option(
        "--predicate",
        metavar="NAME",
        help="Only suggestions about this predicate; may be repeated.",
        show_default=False,
    ),
]
CsvFile = Annotated[
    Path | None,
    file_option(
        "--csv", metavar="FILE", help="Write all suggestions to this file as comma-separated values."
    ),
]
OtherModel = Annotated[Path, file_argument("OTHER", "Another model, to compare with.")]
OptionalData = Annotated[
    DataOptions,
    data_options(
        argument=file_argument("[DATA]...", "Facts to compare latent predicates and reconstructions on."),
        optional=True,
    ),
]


_KINDS = {
    "What follows from what": ("redundant", "nearly", "partly", "closed", "shorthand"),
    "What holds of the data": ("function", "key", "within"),
    "What nothing explains": ("kept",),
}
"""The kinds of insights, as they are shown."""


def explain(
    model: Model,
    data: Data,
    atom: AtomText,
    interpretation: WorldName = None,
    limit: Limit = 3,
    depth: Depth = 12,
    as_json: Json = False,
) -> None:
    """Say why an atom is rebuilt, missing or false: its derivation through latent facts, as a tree."""
    loaded = load(model)
    kb = read_for_model(loaded, data, model)
    found = loaded.explain(kb, atom, interpretation=interpretation, limit=limit, depth=depth)
    if as_json:
        print_json(found.as_dict())
    else:
        print(found)


def insights(model: Model, data: Data, as_json: Json = False) -> None:
    """Say in plain words what a model found: what follows from what, how often, and what nothing explains."""
    loaded = load(model)
    found = loaded.insights(read_for_model(loaded, data, model))
    if as_json:
        print_json(found.as_dict())
        return
    print(f"{found.bits:,.0f} bits say what takes {found.plain_bits:,.0f} plainly.")
    for heading, kinds in _KINDS.items():
        rows = found.of(*kinds)
        if rows:
            print_heading(heading)
        for row in rows:
            print_lines([row.text])
            print_lines(f"    not so: {atom}" for atom in row.exceptions)


def suggest(
    model: Model,
    data: Data,
    top: Top = 20,
    predicate: PredicateNames = None,
    csv: CsvFile = None,
    as_json: Json = False,
) -> None:
    """List atoms that may be missing from data, and facts that look odd, the best supported first."""
    from logicoder.base.files import write_text  # noqa: PLC0415

    loaded = load(model)
    kb = read_for_model(loaded, data, model)
    found = loaded.suggest(kb, predicates=predicate or ())
    if csv is not None:
        write_text(csv, found.csv())
    if as_json:
        print_json(found.top(top).as_dict())
        return
    _print_additions(found, top)
    _print_doubts(found, top)


def _print_additions(found: Suggestions, top: int) -> None:
    rows = found.of("add")
    print_heading(f"Perhaps missing from the data ({_shown(rows, top)})")
    if rows:
        columns = ("score", "atom", *_world_heading(found), "clauses", "derivations", "best clause", "facts")
        print_table(columns, (_cells(found, row) for row in rows[:top]))


def _print_doubts(found: Suggestions, top: int) -> None:
    rows = found.of("check")
    print_heading(f"Facts to check: they do not come back ({_shown(rows, top)})")
    if rows:
        columns = ("score", "atom", *_world_heading(found), "clauses", "literals", "nearest clause", "back")
        print_table(columns, (_cells(found, row) for row in rows[:top]))


def _cells(found: Suggestions, row: Suggestion) -> list[object]:
    where = [row.interpretation] if found.several else []
    share = f"{number_text(row.true)} of {number_text(row.derived)}"
    return [f"{row.score:.3f}", row.atom, *where, row.clauses, row.derivations, row.evidence or "-", share]


def _world_heading(found: Suggestions) -> list[str]:
    return ["interpretation"] if found.several else []


def _shown(rows: tuple[Suggestion, ...], top: int) -> str:
    return f"first {top:,} of {len(rows):,}" if len(rows) > top else f"{len(rows):,}"


def diff(
    model: Model,
    other: OtherModel,
    data: OptionalData,
    as_json: Json = False,
) -> None:
    """Compare two models: clauses up to names, and on data what both derive.

    `=` marks what both have, `<` what only MODEL has, `>` what only OTHER has.
    """
    first, second = load(model), load(other)
    kb = None
    if data.paths:
        kb = read_for_model(first, data, model)
    found = first.diff(second, kb)
    if as_json:
        print_json(found.as_dict())
    else:
        print(found)
