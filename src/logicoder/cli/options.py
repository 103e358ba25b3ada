"""Options that several commands share: what the data is, where results go."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from logicoder.base.address import is_address
from logicoder.base.kinds import Choice, Plugin, Whole
from logicoder.base.setting import settings_of
from logicoder.cli.command import DATA
from logicoder.cli.declared import Bundle, parameter, value
from logicoder.cli.inputs import DataOptions, EngineOptions
from logicoder.learner.parameters import Parameters

FORMATS = Plugin(
    ("prolog", "alchemy", "tables", "triples", "jsonl", "parquet", "rdf", "popper", "aleph", "boostsrl"),
    "logicoder.kb.formats:FORMATS",
)
INTERPRETATIONS = Choice(("auto", "file", "folder", "one"))
TYPES = Choice(("auto", "one", "infer"))

# Paths are declared as not readable so that typer does not look: the library's errors say more.


def file_option(*names: str, metavar: str, help: str, **shared: Any) -> Any:  # noqa: A002  (as typer calls it)
    """Return an option that is a path."""
    return typer.Option(
        *names, metavar=metavar, help=help, readable=False, **{"show_default": False, **shared}
    )


def file_argument(metavar: str, help: str) -> Any:  # noqa: A002  (as typer calls it)
    """Return an argument that is a path."""
    return typer.Argument(metavar=metavar, help=help, show_default=False, readable=False)


_FACTS = (
    "Files, folders or patterns: .pl, .db, .csv, .tsv, .txt, .jsonl, .json, .nt, .ttl (each also as "
    ".gz), .parquet or .arrow; a folder of Popper, Aleph or BoostSRL; or a database: an SQLite or DuckDB "
    "file, or a URL such as postgresql://host/name."
)

_SCHEMA = Annotated[
    Path | None,
    file_option(
        "--schema",
        metavar="FILE",
        help="The .mln file that declares the predicates; by default, the one next to the data.",
        rich_help_panel=DATA,
    ),
]
_INTERPRETATIONS = Annotated[
    str,
    value(
        "--interpretations",
        INTERPRETATIONS,
        "What an interpretation is: each file, each folder, or all data; auto: each folder of tables, "
        "otherwise each file.",
        rich_help_panel=DATA,
    ),
]
_TYPES = Annotated[
    str,
    value(
        "--types",
        TYPES,
        "Types of undeclared predicates: those with strong evidence (auto), one for all, or inferred from "
        "shared constants (infer).",
        rich_help_panel=DATA,
    ),
]
_HEADER = Annotated[
    bool | None,
    typer.Option(
        "--header/--no-header",
        help="Whether the first row of each table or file of triples is a header.",
        rich_help_panel=DATA,
        show_default="if it spells out the declared types or looks like a header",
    ),
]


_LENIENT = Annotated[
    bool,
    typer.Option(
        "--lenient",
        help="Skip everything but facts in Prolog files (directives, rules, compound terms), and report how "
        "much.",
        rich_help_panel=DATA,
    ),
]


_MAPPING = Annotated[
    Path | None,
    file_option(
        "--mapping",
        metavar="FILE",
        help="The TOML file that says how tables become predicates; by default, that of the model or a "
        "proposal. `inspect` writes the file if it does not exist.",
        rich_help_panel=DATA,
    ),
]
_SAMPLE = Annotated[
    Any,
    value(
        "--sample",
        Whole(1),
        "Read at most this many rows of each table of a database.",
        rich_help_panel=DATA,
        show_default=False,
    ),
]


def data_options(
    *,
    name: str = "data",
    argument: Any = None,
    optional: bool = False,
    schema: bool = True,
    types: bool = False,
    data_format: str = "--format",
) -> Bundle:
    """Return the options that say what the data is: a command gets them as `DataOptions`.

    Args:
        name: what the argument is called.
        argument: its words, if it is not plain facts.
        optional: whether there may be none.
        schema: whether a schema may be named.
        types: whether types may be inferred.
        data_format: the option for the format.
    """
    told = argument or file_argument("DATA", _FACTS)
    format_help = "Format of the data; needed for .csv, .tsv and .txt files without column names."
    format_option = value(data_format, FORMATS, format_help, rich_help_panel=DATA, show_default=False)
    paths = list[str] | None if optional else list[str]
    parameters = [parameter(name, Annotated[paths, told], None if optional else ...)]
    parameters += [parameter("schema", _SCHEMA)] if schema else []
    parameters += [
        parameter("format", Annotated[Any, format_option]),
        parameter("interpretations", _INTERPRETATIONS, "auto"),
    ]
    parameters += [parameter("types", _TYPES, "auto")] if types else []
    parameters += [parameter("header", _HEADER), parameter("lenient", _LENIENT, False)]
    parameters += [parameter("mapping", _MAPPING), parameter("sample", _SAMPLE)] if schema else []

    def made(values: dict[str, Any]) -> DataOptions:
        given = values.pop(name) or ()
        return DataOptions([text if is_address(text) else Path(text) for text in given], **values)

    return Bundle(tuple(parameters), made)


Data = Annotated[DataOptions, data_options()]
TypedData = Annotated[DataOptions, data_options(types=True)]

Model = Annotated[Path, file_argument("MODEL", "A model file, or the folder written by `fit --output`.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")]
ENGINES = Choice(("auto", "arrays", "duckdb", "postgresql", "spark"))
Engine = Annotated[
    str,
    value(
        "--engine",
        ENGINES,
        "What runs the programs: arrays in memory, or a system that leaves the data where it is; auto "
        "decides by location and size.",
    ),
]


def _asking() -> Bundle:
    most = settings_of(Parameters)["max_sample"]
    option = value(
        "--max-sample",
        most.kind,
        "Maximum number of facts to read into memory with such an engine; it examines larger data itself.",
        show_default=f"{most.default:,}",
    )
    parameters = parameter("engine", Engine, "auto"), parameter("max_sample", Annotated[Any, option])
    return Bundle(parameters, lambda given: EngineOptions(given["engine"], given["max_sample"]))


Asking = Annotated[EngineOptions, _asking()]
OutputFormat = Annotated[
    Any,
    value(
        "--output-format",
        FORMATS,
        "Format to write; by default, the file extension decides, and a folder gets prolog.",
        show_default=False,
    ),
]
