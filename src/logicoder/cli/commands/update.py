"""`logicoder update`: bring an encoding up to date with data that change."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from copy import copy
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
    from logicoder.kb.mapping.data_mapping import DataMapping

_log = logging.getLogger("logicoder")

State = Annotated[
    DataOptions,
    data_options(
        name="state",
        argument=file_argument("STATE", "A folder of `fit --state` or `encode --lossless`, or the data."),
    ),
]
Added = Annotated[
    list[Path] | None, file_option("--add", metavar="FILE", help="Facts to add; may be repeated.")
]
Removed = Annotated[
    list[Path] | None, file_option("--remove", metavar="FILE", help="Facts to remove; may be repeated.")
]
Output = Annotated[
    Path | None,
    file_option("--output", "-o", metavar="DIR", help="Write the new state here instead of to STATE."),
]
Relearn = Annotated[
    bool,
    typer.Option("--relearn", help="Learn again, starting from the present program; MODEL is replaced."),
]
Prove = Annotated[
    bool,
    typer.Option("--prove", help="Prove a new bound, by a search that takes as long as learning."),
]
Tolerance = Annotated[
    float,
    value(
        "--tolerance",
        Number(0, 1),
        "Report if another program could save more than this share of the bits.",
    ),
]


def update(
    model: Model,
    state: State,
    add: Added = None,
    remove: Removed = None,
    output: Output = None,
    relearn: Relearn = False,
    prove: Prove = False,
    tolerance: Tolerance = 0.05,
    as_json: Json = False,
) -> None:
    """Bring an encoding up to date with facts added or removed."""
    from logicoder import StackedAutoEncoder  # noqa: PLC0415  (numpy takes its time)
    from logicoder.autoencoder.following.state_file import (  # noqa: PLC0415
        is_state,
        moment_of,
        read_history,
        write_state,
    )

    loaded = load(model)
    if isinstance(loaded, StackedAutoEncoder):
        raise UsageError("the encoding of a stack cannot be updated; update that of its first layer")
    folder = state.paths[0] if len(state.paths) == 1 else None
    folder = folder if isinstance(folder, Path) and is_state(folder) else None
    history = read_history(folder) if folder is not None else []
    kb = _data(loaded, state, folder, model)
    followed = loaded.follow(kb)
    if not history:
        history = [moment_of(followed.encoding())]
    come, gone = _read(add, kb, loaded, model), _read(remove, kb, loaded, model, removed=True)
    _warn_of_second_values(come, gone, kb, state.mapping_of(model))
    change = followed.update(come, gone)
    proved = None
    if relearn:
        proved = loaded.relearn(followed.data())
        loaded.save(model)
        followed = loaded.follow(followed.data())
    elif prove:
        proved = copy(loaded).relearn(followed.data())
    encoding = followed.encoding()
    moment = moment_of(encoding, change.added, change.removed, learned=relearn, proved=proved)
    if proved is None and not change.added + change.removed:  # then it still holds
        last = history[-1]
        moment = replace(moment, learned=last.learned, bound=last.bound, bound_scope=last.bound_scope)
    dropped = moment.bound is None and history[-1].bound is not None
    history.append(moment)
    target = output or folder
    if target is not None:
        write_state(target, encoding, history)
    told = [*_possible(moment, proved, tolerance), *_drift(history, tolerance)]
    bound = _bound_words(moment, dropped=dropped)
    if as_json:
        counts = {name: getattr(change, name) for name in ("added", "removed", "ignored", "facts")}
        shown = {"bound": moment.bound, "bound_scope": moment.bound_scope, "drift": " ".join(told)}
        print_json({**counts, "bits": followed.bits.as_dict(), "relearned": relearn, **shown})
        return
    print_pairs(
        [
            ("added", change.added, ""),
            ("removed", change.removed, ""),
            *(
                [("ignored", change.ignored, "added but there already, or removed but not there")]
                * bool(change.ignored)
            ),
            ("facts", change.facts, ""),
            ("latent facts", len(encoding.latent), ""),
            *((kind, number, "") for kind, number in encoding.exceptions.told().items()),
        ]
    )
    print_bits(followed.bits)
    print_pairs([("bound", *bound)] if bound else [])
    print_lines(told)
    if target is not None:
        print_lines([f"State: {target}"])


def _data(loaded: AutoEncoder, state: DataOptions, folder: Path | None, model: Path) -> KnowledgeBase:
    """Return the data of a state."""
    from logicoder import Schema  # noqa: PLC0415
    from logicoder.autoencoder.encoding_forms import EXCEPTIONS_FILE  # noqa: PLC0415
    from logicoder.autoencoder.lossless import LATENT_FOLDER  # noqa: PLC0415

    if folder is None:
        return read_for_model(loaded, state, model)
    latent = replace(state, paths=[folder / LATENT_FOLDER]).read(Schema(), empty=True)
    return loaded.decode_losslessly(latent, folder / EXCEPTIONS_FILE)


def _read(
    paths: list[Path] | None, kb: KnowledgeBase, loaded: AutoEncoder, model: Path, *, removed: bool = False
) -> KnowledgeBase | None:
    """Read facts to be added or removed; where the data are one interpretation, they belong to it."""
    from logicoder import KnowledgeBase as Facts  # noqa: PLC0415
    from logicoder.kb.mapping.binned import binned  # noqa: PLC0415
    from logicoder.kb.mapping.changed_rows import numbered_on, refuse_numbered  # noqa: PLC0415

    if not paths:
        return None
    one = len(kb.interpretations) == 1
    options = DataOptions(paths, interpretations="one" if one else "auto").of_model(loaded, model)
    found = options.read(loaded.schema_, empty=True)
    tables = options.of_tables()
    found = found.restricted(n for n in (found.learnable if tables else found.schema) if found.count(n))
    mapping = options.mapping_of(model)
    if mapping is not None and not tables:
        found = binned(found, mapping)
    elif mapping is not None and removed:
        refuse_numbered(found, mapping)
    elif mapping is not None:
        found = numbered_on(found, kb, mapping)
    if not one:
        return found
    facts = {name: found.table(name) for name in found.schema}
    return Facts(found.schema, found.symbols, kb.interpretations, {"true": facts})


def _warn_of_second_values(
    come: KnowledgeBase | None, gone: KnowledgeBase | None, kb: KnowledgeBase, mapping: DataMapping | None
) -> None:
    from logicoder.kb.mapping.changed_rows import second_values  # noqa: PLC0415

    for told in second_values(come, gone, kb, mapping) if come is not None and mapping is not None else ():
        _log.warning("a column has two values in one row: %s; remove the old one with --remove", told)


def _bound_words(moment: Moment, *, dropped: bool) -> tuple[str, str] | None:
    """Return the bound and what it is about; None where there never was one."""
    from logicoder.report.search_steps import gap_words  # noqa: PLC0415

    if moment.bound is not None:
        return f"{moment.bound:,.1f}", gap_words(moment.left or 0.0, moment.bound_scope)
    return ("dropped", "it was proved for other facts (--prove proves another one)") if dropped else None


def _possible(moment: Moment, proved: AutoEncoder | None, tolerance: float) -> Iterator[str]:
    """Iterate over what to say where, by the bound, another program may save much, or does."""
    from logicoder.report.search_steps import FAR  # noqa: PLC0415

    if moment.learned or moment.left is None or not tolerance < moment.left < FAR:
        return
    yield f"By the bound, another program could save up to {moment.left:.0%} of these bits (--relearn)."
    if proved is not None and proved.bits_ < (1 - tolerance) * moment.bits:
        found = 1 - proved.bits_ / moment.bits
        yield f"A search from the present one found a program that saves {found:.0%}."


def _drift(history: list[Moment], tolerance: float) -> Iterator[str]:
    """Iterate over what to say where the program has become worse than it was when it was learned."""
    learned = next((moment for moment in reversed(history) if moment.learned), history[0])
    if history[-1].share - learned.share > tolerance:
        yield (
            f"The message takes {history[-1].share:.0%} of the plain bits, and took {learned.share:.0%} when "
            "its program was learned: another program may save more (--relearn)."
        )
