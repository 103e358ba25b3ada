"""`logicoder inspect` and `show`: what is in data, and what is in a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from logicoder.cli.applying import load
from logicoder.cli.options import (
    Data,
    DataFormat,
    DataTypes,
    Interpretations,
    Json,
    Model,
    SchemaFile,
    Types,
    Worlds,
)
from logicoder.cli.printing import (
    number_text,
    print_heading,
    print_json,
    print_lines,
    print_pairs,
    print_programs,
    print_summary,
    print_table,
)
from logicoder.cli.reading import DataOptions

if TYPE_CHECKING:
    from logicoder import AutoEncoder
    from logicoder.kb.overview import PredicateOverview

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
_OF_ONE_RUN = ("background", "checkpoint", "resume", "reporter")


def inspect(
    data: Data,
    schema: SchemaFile = None,
    data_format: DataFormat = None,
    interpretations: Worlds = Interpretations.AUTO,
    types: DataTypes = Types.ONE,
    as_json: Json = False,
) -> None:
    """Count what is in data, and point out what looks odd."""
    from logicoder.kb.overview import overview  # noqa: PLC0415  (numpy takes its time)

    found = overview(DataOptions(data, schema, data_format, interpretations, types).read())
    if as_json:
        print_json(found.as_dict())
        return
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
    print_table(("type", "constants"), found.constants.items())
    print_heading("Interpretations")
    print_table(("interpretation", "facts"), found.interpretations.items())
    if found.oddities:
        print_heading("Oddities")
        print_lines(found.oddities)


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
    print_table(columns, rows)


def show(model: Model, as_json: Json = False) -> None:
    """Show the settings, the result and the programs of a model."""
    loaded = load(model)
    parameters = {n: v for n, v in loaded.get_params().items() if n not in _OF_ONE_RUN}
    background = list(map(str, loaded.background or ()))
    if as_json:
        print_json(
            {
                "parameters": parameters,
                "results": _results(loaded),
                "schema": None if loaded.schema_ is None else list(map(str, loaded.schema_.values())),
                "background": background,
                "encoder": list(map(str, loaded.encoder_)),
                "decoder": list(map(str, loaded.decoder_)),
            }
        )
        return
    print_summary(loaded)
    print_heading("Settings")
    print_pairs((name.replace("_", "-"), _setting(value), "") for name, value in parameters.items())
    if background:
        print_heading("Background")
        print_lines(background)
    print_programs(loaded.encoder_, loaded.decoder_)


def _results(model: AutoEncoder) -> dict[str, Any]:
    return {name: getattr(model, f"{name}_") for name in _RESULTS if hasattr(model, f"{name}_")}


def _setting(value: object) -> str:
    """Return a setting as the command line takes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else number_text(value)
