"""`logicoder encode`, `decode` and `reconstruct`: use a model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from logicoder.base.errors import UsageError, one_line
from logicoder.base.kinds import Whole
from logicoder.cli.declared import value
from logicoder.cli.inputs import DataOptions, read_for_model
from logicoder.cli.options import (
    Data,
    Engine,
    Json,
    Model,
    OutputFormat,
    data_options,
    file_argument,
    file_option,
)
from logicoder.cli.output import print_bits, print_compared, print_pairs
from logicoder.cli.stored_output import decode_stored, encode_stored, reconstruct_stored

if TYPE_CHECKING:
    from logicoder import AutoEncoder, KnowledgeBase, StackedAutoEncoder

PROLOG = "prolog"

Lossless = Annotated[
    bool,
    typer.Option(
        "--lossless",
        help="Write a folder with the latent facts and the exceptions, so that all facts come back exactly. "
        "Of tables, these are the facts of their mapping: numbers are ranges.",
    ),
]
Packed = Annotated[
    bool,
    typer.Option(
        "--packed",
        help="With --lossless: write bytes instead of text, taking about as many bits as reported.",
    ),
]
ExceptionsFile = Annotated[
    Path | None,
    file_option(
        "--exceptions",
        metavar="FILE",
        help="The exceptions of a lossless encoding; found automatically in the folder of one.",
    ),
]
Latent = Annotated[
    DataOptions,
    data_options(
        name="latent",
        argument=file_argument("LATENT", "Latent facts: files, folders or patterns."),
        schema=False,
    ),
]
FactsOutput = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="PATH",
        help="Write to this file, folder (for several interpretations) or database (a .sqlite file or a URL; "
        "with an engine, a .duckdb file or the server that holds the data) instead of printing Prolog.",
        show_default=False,
    ),
]
Show = Annotated[int, value("--show", Whole(0), "Show at most this many missing and false facts.")]


def encode(
    model: Model,
    data: Data,
    output: FactsOutput = None,
    output_format: OutputFormat = None,
    lossless: Lossless = False,
    packed: Packed = False,
    engine: Engine = "auto",
) -> None:
    """Print or write the latent facts of data.

    The data may contain constants that are new to the model.
    """
    if packed and not lossless:
        raise typer.BadParameter("--packed needs --lossless")
    stored = stored_engine(data, engine)
    if stored is not None:
        if packed or output_format is not None:
            raise typer.BadParameter(
                f"the engine {stored} writes files of its own: leave out --packed and --output-format, "
                f"or pass --engine arrays to read the data into memory"
            )
        loaded = load(model)
        encode_stored(loaded, data.of_model(loaded, model), stored, output, lossless=lossless)
        return
    if lossless:
        folder = None if output is None else Path(output)
        _encode_losslessly(model, data, folder, output_format, packed=packed)
        return
    loaded = load(model)
    write_facts(loaded.transform(read_for_model(loaded, data, model)), output, output_format)


def _encode_losslessly(
    model: Path, data: DataOptions, output: Path | None, output_format: str | None, *, packed: bool
) -> None:
    if output is None or Path(output.name.removesuffix(".gz")).suffix in (".pl", ".db"):
        raise typer.BadParameter("--lossless needs --output with a folder, for latent facts and exceptions")
    if output_format not in (None, PROLOG):
        raise typer.BadParameter("--lossless writes Prolog")
    # Under its own types, not those of the model: the data must come back as it is.
    loaded = load(model)
    kb = data.of_model(loaded, model).read()
    encoding = loaded.encode_losslessly(kb)
    if packed:
        size = loaded.encode_packed(kb, output)
        print_pairs([("bytes", size, f"{8 * size:,} bits")])
        print_bits(encoding.bits)
        return
    encoding.save(output)
    print_pairs(
        [
            ("latent facts", len(encoding.latent), ""),
            *((kind, number, "") for kind, number in encoding.exceptions.told().items()),
        ]
    )
    print_bits(encoding.bits)


def decode(
    model: Model,
    latent: Latent,
    output: FactsOutput = None,
    output_format: OutputFormat = None,
    exceptions: ExceptionsFile = None,
    engine: Engine = "auto",
) -> None:
    """Print or write the facts that latent facts represent."""
    from logicoder import Schema  # noqa: PLC0415
    from logicoder.autoencoder.encoding_forms import EXCEPTIONS_FILE, MESSAGE_FILE  # noqa: PLC0415
    from logicoder.autoencoder.lossless import LATENT_FOLDER, needs_exceptions  # noqa: PLC0415
    from logicoder.autoencoder.packed_file import read_packed  # noqa: PLC0415
    from logicoder.autoencoder.stored_files import is_encoding  # noqa: PLC0415
    from logicoder.kb.mapping.table_reader import is_database  # noqa: PLC0415

    loaded = load(model)
    folder = latent.paths[0] if len(latent.paths) == 1 else None
    encoded = isinstance(folder, Path) and is_encoding(folder)
    if folder is not None and (encoded or (engine not in ("auto", "arrays") and is_database(folder))):
        decode_stored(loaded, latent, "duckdb" if engine in ("auto", "arrays") else engine, output)
        return
    if engine not in ("auto", "arrays"):
        raise UsageError(
            f"{folder or latent.paths[0]}: an engine decodes a folder with encoding.json, or tables of a "
            "database, as encode --engine writes them; without --engine, latent facts of any format are read"
        )
    if isinstance(folder, Path) and (folder / MESSAGE_FILE).is_file():
        write_facts(_listed(read_packed(folder)), output, output_format)
        return
    if isinstance(folder, Path) and (folder / LATENT_FOLDER).is_dir():
        latent = replace(latent, paths=[folder / LATENT_FOLDER])
        if exceptions is None and (folder / EXCEPTIONS_FILE).exists():
            exceptions = folder / EXCEPTIONS_FILE
    marked = next((file for file in latent.files() if needs_exceptions(file)), None)
    if marked is not None and exceptions is None:
        raise UsageError(
            f"{marked}: these latent facts come from a lossless encoding and need their exceptions; pass "
            f"the file with --exceptions"
        )
    # An empty schema: one that lies with the file may be that of the data. The model knows the types.
    facts = latent.read(Schema(), empty=exceptions is not None)
    if exceptions is not None:
        write_facts(_listed(loaded.decode_losslessly(facts, exceptions)), output, output_format)
    else:
        write_facts(loaded.inverse_transform(facts), output, output_format)


def _listed(kb: KnowledgeBase) -> KnowledgeBase:
    """Return the facts without comparisons of bins, which are no data but follow from a mapping."""
    return kb.restricted(name for name, predicate in kb.schema.items() if not predicate.compares)


def reconstruct(
    model: Model,
    data: Data,
    show: Show = 10,
    as_json: Json = False,
    engine: Engine = "auto",
) -> None:
    """Encode and decode data, and list missing and false facts."""
    loaded = load(model)
    stored = stored_engine(data, engine)
    if stored is not None:
        reconstruct_stored(loaded, data.of_model(loaded, model), stored, show, as_json=as_json)
        return
    outcome = loaded.reconstruct(read_for_model(loaded, data, model))
    first = {name: first_facts(getattr(outcome, name), show) for name in ("missing", "false")}
    print_compared(outcome.as_dict(), outcome.predicates, first, as_json=as_json)


def load(path: Path) -> AutoEncoder | StackedAutoEncoder:
    """Return a saved model, of one layer or several."""
    from logicoder.autoencoder import load_model  # noqa: PLC0415  (numpy takes its time)

    return load_model(path)


def stored_engine(data: DataOptions, engine: str) -> str | None:
    """Return the engine that leaves data where they are; None for arrays."""
    from logicoder.engine.sql.choice import ARRAYS  # noqa: PLC0415  (numpy takes its time)

    chosen = data.engine(engine)
    return None if chosen == ARRAYS else chosen


def first_facts(kb: KnowledgeBase, count: int) -> list[str]:
    """Return some facts as text, with the interpretation if there are several."""
    several = len(kb.interpretations) > 1
    facts = (f"{fact}.  % {one_line(fact.interpretation)}" if several else f"{fact}." for fact in kb)
    return [fact for fact, _ in zip(facts, range(count), strict=False)]


def write_facts(kb: KnowledgeBase, output: str | Path | None, output_format: str | None) -> None:
    """Write facts to a file, a folder or a database, or print them as Prolog."""
    if output is None:
        if output_format not in (None, PROLOG):
            raise typer.BadParameter("--output-format needs --output; printed output is always Prolog")
        from logicoder.kb.formats.prolog import prolog_lines  # noqa: PLC0415

        for world, name in enumerate(kb.interpretations):
            if len(kb.interpretations) > 1:
                print(f"% {one_line(name)}")
            for line in prolog_lines(kb, world):
                print(line, end="")
        return
    from logicoder.export.written_tables import is_database_name, write_fact_tables  # noqa: PLC0415

    if output_format is None and is_database_name(output):
        write_fact_tables(kb, output)
        return
    path = Path(output)
    found: Any = output_format or _format_of(path)  # one of the formats that the library declares
    kb.save(path, found)


def _format_of(path: Path) -> str | None:
    """Return the format to write: None where the ending of a file tells it, and Prolog for a folder."""
    from logicoder.kb.formats import formats_of  # noqa: PLC0415

    if len(formats_of(path)) > 1:
        raise typer.BadParameter(f"{path}: --output-format is triples for such a file, tables for a folder")
    return None if Path(path.name.removesuffix(".gz")).suffix else PROLOG
