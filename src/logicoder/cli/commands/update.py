"""`logicoder update`: bring an encoding up to date with data that change."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from logicoder.base.errors import UsageError
from logicoder.base.kinds import Number
from logicoder.cli.commands.apply import load
from logicoder.cli.declared import value
from logicoder.cli.inputs import DataOptions, read_for_model
from logicoder.cli.options import Json, Model, data_options, file_argument, file_option
from logicoder.cli.output import print_bits, print_json, print_lines, print_pairs

if TYPE_CHECKING:
    from logicoder import AutoEncoder, KnowledgeBase
    from logicoder.autoencoder.following.state_file import Moment

State = Annotated[
    DataOptions,
    data_options(
        name="state",
        argument=file_argument("STATE", "A folder of `fit --state` or `encode --lossless`, or the data."),
    ),
]
Added = Annotated[
    list[Path] | None, file_option("--add", metavar="FILE", help="Facts to be added; may be repeated.")
]
Removed = Annotated[
    list[Path] | None, file_option("--remove", metavar="FILE", help="Facts to be removed; may be repeated.")
]
Output = Annotated[
    Path | None,
    file_option("--output", "-o", metavar="DIR", help="Write the new state here, instead of into STATE."),
]
Relearn = Annotated[
    bool,
    typer.Option("--relearn", help="Learn anew, starting from the present program; MODEL is replaced."),
]
Tolerance = Annotated[
    float,
    value("--tolerance", Number(0, 1), "Say so when the share of bits saved fell by more since learning."),
]


def update(
    model: Model,
    state: State,
    add: Added = None,
    remove: Removed = None,
    output: Output = None,
    relearn: Relearn = False,
    tolerance: Tolerance = 0.05,
    as_json: Json = False,
) -> None:
    """Add and remove facts: latent facts, exceptions and bits follow, without encoding everything anew."""
    from logicoder import StackedAutoEncoder  # noqa: PLC0415  (numpy takes its time)
    from logicoder.autoencoder.following.state_file import (  # noqa: PLC0415
        is_state,
        moment_of,
        read_history,
        write_state,
    )

    loaded = load(model)
    if isinstance(loaded, StackedAutoEncoder):
        raise UsageError("the encoding of a stack cannot be followed; follow that of its first layer")
    folder = state.paths[0] if len(state.paths) == 1 else None
    folder = folder if isinstance(folder, Path) and is_state(folder) else None
    history = read_history(folder) if folder is not None else []
    kb = _data(loaded, state, folder, model)
    followed = loaded.follow(kb)
    if not history:
        history = [moment_of(followed.encoding())]
    change = followed.update(_read(add, kb, loaded), _read(remove, kb, loaded))
    if relearn:
        loaded.relearn(followed.data())
        loaded.save(model)
        followed = loaded.follow(followed.data())
    encoding = followed.encoding()
    history.append(moment_of(encoding, change.added, change.removed, learned=relearn))
    target = output or folder
    if target is not None:
        write_state(target, encoding, history)
    told = _drift(history, tolerance)
    if as_json:
        counts = {name: getattr(change, name) for name in ("added", "removed", "ignored", "facts")}
        print_json({**counts, "bits": followed.bits.as_dict(), "relearned": relearn, "drift": told})
        return
    print_pairs(
        [
            ("added", change.added, ""),
            ("removed", change.removed, f"{change.ignored:,} ignored" if change.ignored else ""),
            ("facts", change.facts, ""),
            ("latent facts", len(encoding.latent), ""),
            *((kind, number, "") for kind, number in encoding.exceptions.counts().items()),
        ]
    )
    print_bits(followed.bits)
    print_lines([told] if told else [])
    if target is not None:
        print_lines([f"State: {target}"])


def _data(loaded: AutoEncoder, state: DataOptions, folder: Path | None, model: Path) -> KnowledgeBase:
    """Return the data of a state."""
    from logicoder import Schema  # noqa: PLC0415
    from logicoder.autoencoder.exceptions_file import EXCEPTIONS_FILE  # noqa: PLC0415
    from logicoder.autoencoder.lossless import LATENT_FOLDER  # noqa: PLC0415

    if folder is None:
        return read_for_model(loaded, state, model)
    latent = replace(state, paths=[folder / LATENT_FOLDER]).read(Schema(), empty=True)
    return loaded.decode_losslessly(latent, folder / EXCEPTIONS_FILE)


def _read(paths: list[Path] | None, kb: KnowledgeBase, loaded: AutoEncoder) -> KnowledgeBase | None:
    """Read facts to be added or removed; where the data are one interpretation, they belong to it."""
    from logicoder import KnowledgeBase as Facts  # noqa: PLC0415

    if not paths:
        return None
    one = len(kb.interpretations) == 1
    found = Facts.from_path(
        *paths, schema=loaded.schema_, interpretations="one" if one else "auto", empty=True
    )
    found = found.restricted(name for name in found.schema if found.count(name))
    if not one:
        return found
    tables = {name: found.table(name) for name in found.schema}
    return Facts(found.schema, found.symbols, kb.interpretations, {"true": tables})


def _drift(history: list[Moment], tolerance: float) -> str:
    """Return what to say where the program has become worse than it was when it was learned."""
    learned = next((moment for moment in reversed(history) if moment.learned), history[0])
    lost = history[-1].share - learned.share
    if lost <= tolerance:
        return ""
    return (
        f"The message takes {history[-1].share:.0%} of the plain bits, and took {learned.share:.0%} when its "
        "program was learned: another program may save more (--relearn)."
    )
