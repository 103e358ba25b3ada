"""`logicoder explain`, `insights`, `suggest`, `audit` and `diff`: what models say, and how they differ."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from logicoder.base.kinds import Choice, Whole
from logicoder.cli.commands.apply import load
from logicoder.cli.declared import value
from logicoder.cli.inputs import DataOptions, EngineOptions, asked_for_model, read_for_model
from logicoder.cli.options import Asking, Data, Json, Model, data_options, file_argument, file_option
from logicoder.cli.output import number_text, print_heading, print_json, print_lines, print_table

if TYPE_CHECKING:
    from logicoder.autoencoder.suggestions import Suggestion, Suggestions

AtomText = Annotated[
    str,
    typer.Argument(
        metavar="ATOM",
        help="The atom, such as 'mother(padme,leia)'; if it has variables, the first matches.",
        show_default=False,
    ),
]
WorldName = Annotated[
    str | None,
    typer.Option(
        "--interpretation",
        metavar="NAME",
        help="The interpretation to examine; by default, all that have the atom.",
        show_default=False,
    ),
]
Limit = Annotated[int, value("--limit", Whole(1), "Maximum number of derivations to show.")]
Depth = Annotated[int, value("--depth", Whole(1), "Maximum number of clauses on the way down to the data.")]
Top = Annotated[int, value("--top", Whole(1), "Show at most this many suggestions.")]
PredicateNames = Annotated[
    list[str] | None,
    typer.Option(
        "--predicate",
        metavar="NAME",
        help="Only suggestions about this predicate; may be repeated.",
        show_default=False,
    ),
]
Weak = Annotated[
    bool,
    typer.Option(
        "--weak",
        help="For models learned by description length: also list suggestions that are more "
        "likely wrong than right.",
    ),
]
CsvFile = Annotated[
    Path | None,
    file_option(
        "--csv", metavar="FILE", help="Write all suggestions to this file as comma-separated values."
    ),
]
Rules = Annotated[
    Path, file_argument("RULES", "Clauses to evaluate: Prolog, or a rule file of AMIE or AnyBURL.")
]
RuleFormat = Annotated[
    str,
    value(
        "--rule-format",
        Choice(("auto", "prolog", "amie", "anyburl")),
        "The syntax of the clauses; recognised automatically by default.",
    ),
]
OtherModel = Annotated[Path, file_argument("OTHER", "The model to compare with.")]
OptionalData = Annotated[
    DataOptions,
    data_options(
        argument=file_argument("DATA", "Facts on which to compare latent predicates and reconstructions."),
        optional=True,
    ),
]


_KINDS = {
    "What follows from what": ("redundant", "nearly", "partly", "closed", "among", "shorthand", "determined"),
    "What holds of the data": ("constant", "function", "key", "within"),
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
    asking: Asking = EngineOptions(),  # noqa: B008  (never changed)
    as_json: Json = False,
) -> None:
    """Show why an atom is rebuilt, missing or false, as a tree."""
    loaded = load(model)
    with asked_for_model(loaded, data, model, asking) as kb:
        found = loaded.explain(kb, atom, interpretation=interpretation, limit=limit, depth=depth)
    if as_json:
        print_json(found.as_dict())
    else:
        print(found)


def insights(model: Model, data: Data, asking: Asking = EngineOptions(), as_json: Json = False) -> None:  # noqa: B008
    """Say in plain words what a model found.

    What follows from what, how often, and what nothing explains.
    """
    loaded = load(model)
    with asked_for_model(loaded, data, model, asking) as kb:
        found = loaded.insights(kb)
    if as_json:
        print_json(found.as_dict())
        return
    share = f"{found.bits / max(1.0, found.plain_bits):.1%}"
    print(f"{found.bits:,.0f} bits describe what takes {found.plain_bits:,.0f} as plain facts: {share}.")
    for heading, kinds in _KINDS.items():
        rows = found.of(*kinds)
        if rows:
            print_heading(heading)
        for row in rows:
            print_lines([row.text, *(f"    {clause}" for clause in row.clauses)])
            for why, atoms in row.exceptions.items():
                print_lines(f"    {why}: {atom}" for atom in atoms)


def suggest(
    model: Model,
    data: Data,
    top: Top = 30,
    predicate: PredicateNames = None,
    weak: Weak = False,
    csv: CsvFile = None,
    asking: Asking = EngineOptions(),  # noqa: B008
    as_json: Json = False,
) -> None:
    """List likely errors in data, the best supported first.

    They are values to change, facts to add and facts to check.
    """
    from logicoder.base.files import write_text  # noqa: PLC0415

    loaded = load(model)
    with asked_for_model(loaded, data, model, asking) as kb:
        found = loaded.suggest(kb, predicates=predicate or (), weak=weak)
    if csv is not None:
        write_text(csv, found.csv())
    if as_json:
        print_json(found.top(top).as_dict())
        return
    if not found.rows:
        print_lines([f"{found.silence[:1].upper()}{found.silence[1:]}."])
        return
    total = len(found) + found.more
    shown = f"first {min(top, len(found)):,} of {total:,}" if total > top else f"{total:,}"
    print_heading(f"Likely errors ({shown})")
    worlds = ["interpretation"] if found.several else []
    columns = ("bits", "", "atom", "expected", *worlds, "because", "record")
    print_table(columns, (_cells(found, row) for row in found.rows[:top]))


def _cells(found: Suggestions, row: Suggestion) -> list[object]:
    where = [row.interpretation] if found.several else []
    record = f"{number_text(row.true)} of {number_text(row.derived)}"
    atom = "" if row.kind == "add" else row.atom
    because = row.evidence or "no clause derives it"
    return [f"{row.bits:.1f}", row.kind, atom, row.expected, *where, because, record]


def audit(
    model: Model,
    data: Data,
    rules: Rules,
    rule_format: RuleFormat = "auto",
    as_json: Json = False,
) -> None:
    """Evaluate clauses from any source by the bits that they save."""
    loaded = load(model)
    found = loaded.audit(read_for_model(loaded, data, model), rules, format=rule_format)
    if as_json:
        print_json(found.as_dict())
        return
    judged = [row for row in found if not row.problem]
    accepted = sum(row.accepted for row in judged)
    print(
        f"{accepted:,} of {len(judged):,} clauses would make the message of {found.bits:,.0f} bits shorter."
    )
    if judged:
        print_table(
            ("line", "clause", "right", "alone", "saves", "at most", "known by, or without"),
            (
                (
                    row.line,
                    row.clause,
                    f"{number_text(row.true)} of {number_text(row.derived)}",
                    f"{row.alone:,.1f}",
                    "-" if row.beside is None else f"{round(row.beside, 1) + 0.0:,.1f}",
                    "-" if row.bound is None else f"{row.bound:,.1f}",
                    row.implied or row.note,
                )
                for row in judged
            ),
        )
    best = [row for row in judged if row.accepted]
    if best:
        print_heading("The best program with each of those that make it shorter")
    for row in best:
        print_lines([f"line {row.line}:", *(f"    {clause}" for clause in row.program)])
    bad = [row for row in found if row.problem]
    if bad:
        print_heading("Not judged")
        print_lines(f"line {row.line}: {row.problem}: {row.clause}" for row in bad)


def diff(
    model: Model,
    other: OtherModel,
    data: OptionalData,
    as_json: Json = False,
) -> None:
    """Compare two models: their clauses, and what they derive.

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
