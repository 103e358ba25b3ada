"""`logicoder encode`, `decode` and `reconstruct`: use a model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from logicoder.cli.options import (
    Data,
    DataFormat,
    Format,
    Interpretations,
    Json,
    Model,
    OutputFile,
    OutputFormat,
    SchemaFile,
    Types,
    Worlds,
    whole,
)
from logicoder.cli.printing import print_heading, print_json, print_lines, print_pairs, print_reconstruction
from logicoder.cli.reading import DataOptions, plain, read_for_model

if TYPE_CHECKING:
    from logicoder import AutoEncoder, KnowledgeBase

Latent = Annotated[
    list[Path],
    typer.Argument(
        metavar="LATENT", help="Latent facts: files, folders or patterns.", show_default=False, readable=False
    ),
]
Show = Annotated[
    int,
    typer.Option("--show", metavar="N", parser=whole(0), help="Show so many missing and false facts."),
]


def encode(
    model: Model,
    data: Data,
    output: OutputFile = None,
    output_format: OutputFormat = None,
    schema: SchemaFile = None,
    data_format: DataFormat = None,
    interpretations: Worlds = Interpretations.AUTO,
) -> None:
    """Print or write the latent facts of data. Its constants may be new to the model."""
    loaded = load(model)
    kb = read_for_model(loaded, DataOptions(data, schema, data_format, interpretations, Types.ONE))
    write_facts(loaded.transform(kb), output, output_format)


def decode(
    model: Model,
    latent: Latent,
    output: OutputFile = None,
    output_format: OutputFormat = None,
    data_format: DataFormat = None,
    interpretations: Worlds = Interpretations.AUTO,
) -> None:
    """Print or write the facts that latent facts stand for."""
    from logicoder import Schema  # noqa: PLC0415

    loaded = load(model)
    # An empty schema: one that lies with the file may be that of the data. The model knows the types.
    kb = DataOptions(latent, None, data_format, interpretations, Types.ONE).read(Schema())
    write_facts(loaded.inverse_transform(kb), output, output_format)


def reconstruct(
    model: Model,
    data: Data,
    show: Show = 10,
    schema: SchemaFile = None,
    data_format: DataFormat = None,
    interpretations: Worlds = Interpretations.AUTO,
    as_json: Json = False,
) -> None:
    """Encode and decode data, and list what is missing or false."""
    loaded = load(model)
    kb = read_for_model(loaded, DataOptions(data, schema, data_format, interpretations, Types.ONE))
    outcome = loaded.reconstruct(kb)
    first = {name: first_facts(getattr(outcome, name), show) for name in ("missing", "false")}
    if as_json:
        print_json({**outcome.as_dict(), "first_missing": first["missing"], "first_false": first["false"]})
        return
    missing, false = len(outcome.missing), len(outcome.false)
    print_pairs(
        [
            ("facts", outcome.facts, ""),
            ("latent facts", outcome.latent_facts, ""),
            ("loss", outcome.loss, f"= {missing:,} missing + {false:,} false"),
        ]
    )
    print_reconstruction(outcome)
    for name, total in (("missing", missing), ("false", false)):
        if first[name]:
            shown = len(first[name])
            which = f"first {shown:,} of {total:,}" if shown < total else f"{total:,}"
            print_heading(f"{name.capitalize()} ({which})")
            print_lines(first[name])


def load(path: Path) -> AutoEncoder:
    """Return a saved model."""
    from logicoder import AutoEncoder  # noqa: PLC0415  (numpy takes its time)

    return AutoEncoder.load(path)


def first_facts(kb: KnowledgeBase, count: int) -> list[str]:
    """Return some facts as text, with the interpretation if there are several."""
    several = len(kb.interpretations) > 1
    facts = (f"{fact}.  % {fact.interpretation}" if several else f"{fact}." for fact in kb)
    return [fact for fact, _ in zip(facts, range(count), strict=False)]


def write_facts(kb: KnowledgeBase, output: Path | None, output_format: Format | None) -> None:
    """Write facts to a file or a folder, or print them as Prolog."""
    if output is None:
        if output_format not in (None, Format.PROLOG):
            raise typer.BadParameter("--output-format needs --output; what is printed is Prolog")
        for part in kb.split():
            if len(kb.interpretations) > 1:
                print(f"% {part.interpretations[0]}")
            for fact in part:
                print(f"{fact}.")
        return
    kb.save(output, plain(output_format or _format_of(output)))


def _format_of(path: Path) -> Format | None:
    """Return the format to write: None where the ending of a file tells it, and Prolog for a folder."""
    suffix = Path(path.name.removesuffix(".gz")).suffix.lower()
    if suffix in (".csv", ".tsv", ".txt"):
        raise typer.BadParameter(f"{path}: --output-format is triples for such a file, tables for a folder")
    return None if suffix else Format.PROLOG
