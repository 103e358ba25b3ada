"""`logicoder export`: the programs of a model in other languages."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Annotated

import typer

from logicoder.base.kinds import Choice, Plugin
from logicoder.cli.commands.apply import load
from logicoder.cli.declared import value
from logicoder.cli.inputs import DataOptions, read_for_model
from logicoder.cli.options import Model, data_options, file_argument

_log = logging.getLogger("logicoder")

LANGUAGES = Plugin(
    (
        "prolog",
        "asp",
        "datalog",
        "sql:sqlite",
        "sql:duckdb",
        "sql:postgresql",
        "sql:spark",
        "alchemy",
        "sparql",
    ),
    "logicoder.export:EXPORTERS",
)
To = Annotated[str, value("--to", LANGUAGES, "The language to write.", show_default=False)]
Part = Annotated[
    str,
    value(
        "--part",
        Choice(("both", "encoder", "decoder")),
        "Which program; with both, rebuilt facts are called NAME_decoded.",
    ),
]
ExportFile = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write to this file instead of printing; or create views in a database: a .duckdb or .sqlite "
        "file, or the address of a PostgreSQL server.",
        show_default=False,
    ),
]
Facts = Annotated[
    DataOptions,
    data_options(
        argument=file_argument("DATA", "Facts of one interpretation to write along with the program."),
        optional=True,
    ),
]


def export(model: Model, data: Facts, to: To, part: Part = "both", output: ExportFile = None) -> None:
    """Write the programs of a model as Prolog, SQL, ASP and more.

    If a model was learned from tables, SQL views read these tables, unless you pass facts.
    """
    from logicoder import Schema  # noqa: PLC0415  (numpy takes its time)
    from logicoder.base.files import write_text  # noqa: PLC0415
    from logicoder.export import export_model  # noqa: PLC0415
    from logicoder.export.created import create_in, database_of  # noqa: PLC0415

    loaded = load(model)
    facts = mapping = None
    if data.paths:
        facts = data.read(Schema()) if part == "decoder" else read_for_model(loaded, data, model)
    else:
        mapping = data.mapping_of(model)
    if not any(map(len, (loaded.background_program(), loaded.encoder_, loaded.decoder_))):
        _log.warning("%s has no clauses: there is nothing to export", model)
    text = export_model(loaded, to, part=part, facts=facts, mapping=mapping).text
    if output is None:
        print(text, end="")
    elif database_of(output) is not None:
        create_in(text, to, output)
    else:
        write_text(Path(output), text)
