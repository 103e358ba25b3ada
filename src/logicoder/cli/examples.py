"""`logicoder demo` and `generate`: something to try."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from logicoder.cli.applying import write_facts
from logicoder.cli.fitting import print_run
from logicoder.cli.learning import Learning, bars_wanted
from logicoder.cli.options import OutputFormat, World, positive, share, whole
from logicoder.cli.printing import print_heading, print_lines

if TYPE_CHECKING:
    from logicoder import KnowledgeBase
    from logicoder.datasets import University

PLANTED_FILE = "planted.program"
NETWORK_FILE = "planted.mln"

People = Annotated[
    int | None,
    typer.Option(
        "--people", metavar="N", parser=whole(1), help="Professors and students.", show_default="40"
    ),
]
Facts = Annotated[
    int | None,
    typer.Option(
        "--facts",
        metavar="N",
        parser=whole(1),
        help="Number of facts, instead of people.",
        show_default=False,
    ),
]
Noise = Annotated[
    float,
    typer.Option("--noise", metavar="X", parser=share, help="Share of the facts to disturb, up to 0.5."),
]
WorldSeed = Annotated[
    int, typer.Option("--seed", metavar="N", parser=whole(0), help="Seed of the random numbers.")
]
WorldCount = Annotated[
    int, typer.Option("--interpretations", metavar="K", parser=whole(1), help="Number of separate worlds.")
]
Predicates = Annotated[World, typer.Option("--predicates", help="Six predicates, or ten.")]
GeneratedPath = Annotated[
    Path,
    typer.Option(
        "--output",
        "-o",
        metavar="PATH",
        help=f"File, or folder for several worlds; the planted program becomes {PLANTED_FILE} beside it.",
        show_default=False,
        readable=False,
    ),
]


SmokersPeople = Annotated[
    int, typer.Option("--people", metavar="N", parser=whole(2), help="People of all worlds together.")
]
Degree = Annotated[
    float, typer.Option("--degree", metavar="X", parser=positive, help="Friends of a person, in the mean.")
]
SmokersPath = Annotated[
    Path,
    typer.Option(
        "--output",
        "-o",
        metavar="PATH",
        help=f"File, or folder for several worlds; the planted network becomes {NETWORK_FILE} in the folder.",
        show_default=False,
        readable=False,
    ),
]


def demo(ctx: typer.Context) -> None:
    """Learn from a small Star Wars family: about ten seconds."""
    from logicoder import AutoEncoder  # noqa: PLC0415  (numpy takes its time)
    from logicoder.datasets import star_wars  # noqa: PLC0415

    kb = star_wars()
    print_heading("Facts")
    for name in kb.predicates:
        print_lines([" ".join(f"{fact}." for fact in kb.facts(name))])
    learning = Learning(bars=bars_wanted(ctx, as_json=False))
    with learning.until_interrupted():
        model = AutoEncoder(max_decoders=2000)
        learning.learn(lambda: kb, model)
        print_heading("Result")
        print_run(model, learning.seconds(model)["total"])


def university(
    output: GeneratedPath,
    facts: Facts = None,
    people: People = None,
    noise: Noise = 0.0,
    seed: WorldSeed = 0,
    interpretations: WorldCount = 1,
    predicates: Predicates = World.CORE,
    output_format: OutputFormat = None,
) -> None:
    """Students, professors, courses and papers, by a planted program."""
    from logicoder.base.files import write_text  # noqa: PLC0415
    from logicoder.datasets import university as generate  # noqa: PLC0415  (numpy takes its time)

    world = generate(
        people=people,
        facts=facts,
        noise=noise,
        seed=seed,
        interpretations=interpretations,
        predicates=predicates.value,
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
    """Friends who smoke or not, drawn from a planted Markov logic network."""
    from logicoder.datasets import smokers as generate  # noqa: PLC0415  (numpy takes its time)

    world = generate(people, degree, seed=seed, interpretations=interpretations)
    _write_world(world.kb, output, output_format)
    planted = output / NETWORK_FILE if output.is_dir() else output.with_name(f"{output.name}.{NETWORK_FILE}")
    world.network.save(planted)
    print(f"{len(world.kb):,} facts: {output}")
    print(f"planted network: {planted}")


def _write_world(kb: KnowledgeBase, output: Path, output_format: str | None) -> None:
    from logicoder.base.files import write_text  # noqa: PLC0415
    from logicoder.kb.formats.alchemy.declarations import schema_text  # noqa: PLC0415

    write_facts(kb, output, output_format)
    if not output.is_dir():
        # A folder of data has its schema inside; beside a single file it is found as well.
        write_text(output.parent / "schema.mln", schema_text(kb.schema))


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
