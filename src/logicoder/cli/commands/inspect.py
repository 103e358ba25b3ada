"""`logicoder inspect` and `show`: what is in data, and what is in a model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from logicoder.base.address import masked
from logicoder.base.errors import one_line
from logicoder.base.progress import PhaseStarted
from logicoder.cli.bars import progress_bars
from logicoder.cli.commands.apply import load
from logicoder.cli.fit_run import bars_wanted
from logicoder.cli.inputs import AUTO, DataOptions
from logicoder.cli.message_output import message_fields, print_message_run, says_message
from logicoder.cli.options import Json, Model, TypedData
from logicoder.cli.output import (
    clause_texts,
    number_text,
    print_heading,
    print_json,
    print_layers,
    print_lines,
    print_pairs,
    print_programs,
    print_table,
)
from logicoder.cli.summary_output import print_summary
from logicoder.learner.goal import OF_BOTH
from logicoder.learner.parameters import ONE_RUN
from logicoder.logic.symbols import atom_text

if TYPE_CHECKING:
    from logicoder import AutoEncoder, StackedAutoEncoder
    from logicoder.kb.overview import Overview, PredicateOverview

_RESULTS = (
    "facts",
    "latent_facts",
    "loss",
    "missing",
    "false",
    "bound",
    "gap",
    "status",
    "bound_scope",
    "size",
    "size_bound",
    "stopped",
)


_ALL = "--json lists all"


def inspect(ctx: typer.Context, data: TypedData, as_json: Json = False) -> None:
    """Count facts and constants, and point out what looks odd.

    For tables, show what each table and column becomes, and why.
    """
    from logicoder.kb.overview import overview  # noqa: PLC0415  (numpy takes its time)

    wanted = data.mapping if isinstance(data.mapping, Path) else None
    new = wanted is not None and str(wanted) != AUTO and not wanted.exists()
    with progress_bars(shown=bars_wanted(ctx, as_json=as_json), remaining=lambda: None) as report:
        report(PhaseStarted("read"))
        kb = (replace(data, mapping=Path(AUTO)) if new else data).read()
        found = overview(kb)
    decisions = [row for mapping in data.used for row in mapping.decisions()]
    if new and wanted is not None:
        _write(data, wanted)
    if as_json:
        print_json({**found.as_dict(), **({"decisions": decisions} if decisions else {})})
        return
    if decisions:
        print_heading("Mapping")
        print_table(("of the tables", "becomes", "evidence"), decisions, _ALL)
        if new:
            print_heading(f"Written to {wanted}: edit it and pass it with --mapping")
        print_heading("Facts")
    print_pairs(
        [
            ("facts", found.facts, ""),
            ("predicates", len(found.predicates), ""),
            ("interpretations", len(found.interpretations), ""),
        ]
    )
    print_heading("Predicates")
    _print_predicates(found.predicates)
    print_heading("Constants")
    if found.evidence:
        rows = [
            (kind, number, found.evidence.get(kind, "declared")) for kind, number in found.constants.items()
        ]
        print_table(("type", "constants", "evidence"), rows, _ALL)
        print_lines([_how_to_change_types(found)])
    else:
        print_table(("type", "constants"), found.constants.items(), _ALL)
    print_heading("Interpretations")
    worlds = [(one_line(name), facts) for name, facts in found.interpretations.items()]
    print_table(("interpretation", "facts"), worlds, _ALL)
    if found.oddities:
        print_heading("Oddities")
        print_lines(found.oddities)


def _how_to_change_types(found: Overview) -> str:
    """Return what somebody does who knows better."""
    guessed = next(p for p in found.predicates if any(kind in found.evidence for kind in p.types))
    example = f"{atom_text(guessed.name)}({','.join(guessed.types)})"
    return (
        f"These types are not declared. To change them, declare the predicates ({example} and so on) "
        "in a schema.mln next to the data, or pass --types one."
    )


def _write(data: DataOptions, path: Path) -> None:
    """Write the mapping that was proposed."""
    from logicoder.kb.mapping.mapping_file import write_mapping  # noqa: PLC0415  (numpy takes its time)

    (mapping,) = data.used
    write_mapping(mapping, path, f"Proposed for {masked(' '.join(map(str, data.paths)))}.")


def _print_predicates(predicates: tuple[PredicateOverview, ...]) -> None:
    columns = ["predicate", "types", "facts"]
    rows: list[list[object]] = [[p.name, ", ".join(p.types), p.facts] for p in predicates]
    for name in ("negatives", "unknown"):
        if any(getattr(p, name) for p in predicates):
            columns.append(name)
            for row, p in zip(rows, predicates, strict=True):
                row.append(getattr(p, name))
    if any(p.background or p.open_world for p in predicates):
        columns.append("")
        for row, p in zip(rows, predicates, strict=True):
            words = ("background", p.background), ("open world", p.open_world)
            row.append(", ".join(word for word, holds in words if holds))
    print_table(columns, rows, _ALL)


Flat = Annotated[
    bool,
    typer.Option(
        "--flat", help="Show the layers of a stack as one program, without intermediate predicates."
    ),
]


def show(model: Model, flat: Flat = False, as_json: Json = False) -> None:
    """Show the settings, the result and the programs of a model."""
    loaded = load(model)
    own = OF_BOTH if says_message(loaded) else loaded.get_params().keys()
    parameters = {n: v for n, v in loaded.get_params().items() if n in own and n not in ONE_RUN}
    background = list(map(str, loaded.background_program()))
    layers = getattr(loaded, "layers_", None)
    if as_json:
        described: dict[str, Any] = {
            "parameters": parameters,
            "results": _results(loaded),
            "schema": None if loaded.schema_ is None else str(loaded.schema_).split("\n"),
            "background": background,
            **clause_texts(loaded),
            **(message_fields(loaded) if says_message(loaded) else {}),
        }
        if layers is not None:
            described["layers"] = [{"results": _results(layer), **clause_texts(layer)} for layer in layers]
        print_json(described)
        return
    if says_message(loaded):
        print_message_run(loaded, every=True)
    else:
        print_summary(loaded)
    if hasattr(loaded, "loss_"):  # the settings of a search; hand-written programs come without one
        print_heading("Settings")
        print_pairs((name.replace("_", "-"), _setting(value), "") for name, value in parameters.items())
    if background:
        print_heading("Background")
        print_lines(background)
    if says_message(loaded):
        return
    if layers is None or flat:
        print_programs(loaded.encoder_, loaded.decoder_)
    else:
        print_layers(layers)


def _results(model: AutoEncoder | StackedAutoEncoder) -> dict[str, Any]:
    return {name: getattr(model, f"{name}_") for name in _RESULTS if hasattr(model, f"{name}_")}


def _setting(value: object) -> str:
    """Return a setting as the command line takes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    return "none" if value is None else number_text(value)
