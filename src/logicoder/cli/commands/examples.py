"""`logicoder demo` and `generate`: something to try."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from logicoder.base.kinds import Choice, Number, Whole
from logicoder.cli.commands.apply import write_facts
from logicoder.cli.commands.fit import print_run
from logicoder.cli.declared import value
from logicoder.cli.fit_run import Learning, bars_wanted
from logicoder.cli.options import OutputFormat, file_option
from logicoder.cli.output import print_heading, print_lines

if TYPE_CHECKING:
    from logicoder import KnowledgeBase
    from logicoder.datasets import University

PLANTED_FILE = "planted.program"
NETWORK_FILE = "planted.mln"

Facts = Annotated[Any, value("--facts", Whole(1), "Number of facts, instead of people.", show_default=False)]
People = Annotated[Any, value("--people", Whole(1), "Professors and students.", show_default="40")]
Noise = Annotated[
    float, value("--noise", Number(0, 1), "Share of the facts to disturb, up to 0.5.", show_default="0")
]
WorldSeed = Annotated[int, value("--seed", Whole(0, 2**31 - 1), "Seed of the random numbers.")]
WorldCount = Annotated[int, value("--interpretations", Whole(1, metavar="K"), "Number of separate worlds.")]
Predicates = Annotated[str, value("--predicates", Choice(("core", "full")), "Six predicates, or ten.")]
GeneratedPath = Annotated[
    Path,
    file_option(
        "--output",
        "-o",
        metavar="PATH",
        help=f"File, or folder for several worlds; the planted program is written next to it as "
        f"{PLANTED_FILE}.",
    ),
]
SmokersPeople = Annotated[int, value("--people", Whole(2), "Number of people in all worlds together.")]
Degree = Annotated[
    float, value("--degree", Number(0, above=True), "Mean number of friends of a person.", show_default="10")
]
SmokersPath = Annotated[
    Path,
    file_option(
        "--output",
        "-o",
        metavar="PATH",
        help=f"File, or folder for several worlds; the planted network is written to the folder as "
        f"{NETWORK_FILE}.",
    ),
]

_SHOWN = 4
"""Facts of each predicate that the demo shows."""

Couples = Annotated[int, value("--couples", Whole(1), "Couples in the first generation.")]
Generations = Annotated[int, value("--generations", Whole(1), "Number of generations.")]
FamilyPath = Annotated[Path, file_option("--output", "-o", metavar="FILE", help="The file to write.")]

Orders = Annotated[int, value("--orders", Whole(9), "Number of orders.")]
ShopPath = Annotated[Path, file_option("--output", "-o", metavar="FILE", help="The database to write.")]


def demo(ctx: typer.Context) -> None:
    """Learn from a family of three generations, in a few seconds."""
    from logicoder import AutoEncoder  # noqa: PLC0415  (numpy takes its time)
    from logicoder.datasets import family  # noqa: PLC0415

    kb = family()
    print_heading("Facts")
    for name in kb.predicates:
        shown = " ".join(f"{fact}." for fact in islice(kb.facts(name), _SHOWN))
        print_lines([f"{shown} ... {kb.count(name):,} in all"])
    learning = Learning(bars=bars_wanted(ctx, as_json=False))
    with learning.until_interrupted():
        model = AutoEncoder()
        learning.learn(lambda: kb, model)
        print_heading("Result")
        print_run(model, learning.seconds(model)["total"], kb)


def university(
    output: GeneratedPath,
    facts: Facts = None,
    people: People = None,
    noise: Noise = 0.0,
    seed: WorldSeed = 0,
    interpretations: WorldCount = 1,
    predicates: Predicates = "core",
    output_format: OutputFormat = None,
) -> None:
    """Students, professors and courses, with a planted program."""
    from logicoder.base.files import write_text  # noqa: PLC0415
    from logicoder.datasets import university as generate  # noqa: PLC0415  (numpy takes its time)

    world = generate(
        people=people,
        facts=facts,
        noise=noise,
        seed=seed,
        interpretations=interpretations,
        predicates=predicates,
    )
    _write_world(world.kb, output, output_format)
    planted = output / PLANTED_FILE if output.is_dir() else output.with_name(f"{output.name}.program")
    write_text(planted, planted_text(world))
    print(f"{len(world.kb):,} facts: {output}")
    print(f"planted program: {planted}")


def smokers(
    output: SmokersPath,
    people: SmokersPeople = 100,
    degree: Degree = 10.0,
    seed: WorldSeed = 0,
    interpretations: WorldCount = 1,
    output_format: OutputFormat = None,
) -> None:
    """Friends and smokers, drawn from a Markov logic network."""
    from logicoder.datasets import smokers as generate  # noqa: PLC0415  (numpy takes its time)

    world = generate(people, degree, seed=seed, interpretations=interpretations)
    _write_world(world.kb, output, output_format)
    planted = output / NETWORK_FILE if output.is_dir() else output.with_name(f"{output.name}.{NETWORK_FILE}")
    world.network.save(planted)
    print(f"{len(world.kb):,} facts: {output}")
    print(f"planted network: {planted}")


def family(
    output: FamilyPath,
    couples: Couples = 3,
    generations: Generations = 3,
    seed: WorldSeed = 0,
    output_format: OutputFormat = None,
) -> None:
    """A family: sixteen relations, few of which are needed."""
    from logicoder.datasets import family as generate  # noqa: PLC0415  (numpy takes its time)

    kb = generate(couples, generations, seed=seed)
    write_facts(kb, output, output_format)
    print(f"{len(kb):,} facts: {output}")


def shop(output: ShopPath, orders: Orders = 300, seed: WorldSeed = 0) -> None:
    """A shop as an SQLite database with nine wrong orders.

    Some columns of its five tables follow from others.
    """
    from logicoder.datasets import shop as generate  # noqa: PLC0415

    made = generate(output, orders, seed)
    print(f"database: {made.path}")
    print(f"orders shipped to a wrong country: {', '.join(map(str, made.wrong_orders))}")


def _write_world(kb: KnowledgeBase, output: Path, output_format: str | None) -> None:
    from logicoder.base.errors import OutputError  # noqa: PLC0415
    from logicoder.base.files import is_special, read_text, write_text  # noqa: PLC0415
    from logicoder.kb.formats.alchemy.declarations import schema_text  # noqa: PLC0415

    if is_special(output):
        raise OutputError(f"{output}: a schema is written next to the facts; name a file or a folder")
    schema, text = output.parent / "schema.mln", schema_text(kb.schema)
    # A folder of data has its schema inside; beside a single file it is found as well.
    beside = not output.is_dir() and bool(output.suffix)
    if beside and schema.is_file() and read_text(schema) != text:
        raise OutputError(
            f"{schema}: this file declares other predicates; choose another folder for {output.name}"
        )
    write_facts(kb, output, output_format)
    if not output.is_dir():
        write_text(schema, text)


def planted_text(world: University) -> str:
    """Return the planted program of a world, with what is known about it."""
    return "\n".join(
        [
            "% The program that was planted in the data beside it.",
            f"% latent facts: {world.latent_facts}",
            f"% loss: {world.planted_loss} ({world.dropped} facts dropped and {world.added} added by noise)",
            f"% compression: {world.compression} is enough for it",
            "",
            "% encoder",
            *map(str, world.encoder),
            "",
            "% decoder",
            *map(str, world.decoder),
            "",
        ]
    )
