"""Encoding, decoding and comparing data that stay where they are."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from logicoder.base.errors import UsageError
from logicoder.cli.output import print_json, print_pairs, print_reconstruction

if TYPE_CHECKING:
    from logicoder import AutoEncoder, StackedAutoEncoder
    from logicoder.autoencoder.layer import Layer
    from logicoder.cli.inputs import DataOptions


def encode_stored(
    model: AutoEncoder | StackedAutoEncoder,
    data: DataOptions,
    engine: str,
    output: str | None,
    *,
    lossless: bool,
) -> None:
    """Write what represents data into a folder, each predicate by the engine itself."""
    from logicoder.autoencoder.stored_files import write_encoding  # noqa: PLC0415  (numpy takes its time)
    from logicoder.autoencoder.stored_layer import StoredLayer  # noqa: PLC0415

    layer = _only_layer(model)
    with data.stored(engine, schema=layer.schema) as stored:
        found = StoredLayer(layer, stored)
        latent = found.encoded()
        exceptions = found.exceptions(latent) if lossless else None
        write_encoding(layer, stored, latent, exceptions, _folder(output))
        pairs = [("latent facts", sum(map(found.count, latent.values())), "")]
        if exceptions is not None:
            pairs += [
                ("missing", sum(map(found.count, exceptions.missing.values())), ""),
                ("false", sum(map(found.count, exceptions.false.values())), ""),
            ]
        print_pairs(pairs)


def decode_stored(
    model: AutoEncoder | StackedAutoEncoder, folder: Path, engine: str, output: str | None
) -> None:
    """Write the facts that an encoding stands for into a folder."""
    from logicoder.autoencoder.stored_files import read_encoding, write_relations  # noqa: PLC0415
    from logicoder.autoencoder.stored_layer import StoredLayer  # noqa: PLC0415
    from logicoder.engine.sql.sources import Opening  # noqa: PLC0415
    from logicoder.engine.sql.stored_data import StoredData  # noqa: PLC0415

    layer, target = _only_layer(model), _folder(output)
    with ExitStack() as until_end:
        session = until_end.enter_context(Opening(engine).session())
        latent, exceptions, worlds = read_encoding(layer, folder, session)
        data = StoredData(session, {}, str(folder), layer.schema, worlds)
        write_relations(data, StoredLayer(layer, data).decoded(latent, exceptions), target)


def reconstruct_stored(
    model: AutoEncoder | StackedAutoEncoder, data: DataOptions, engine: str, *, as_json: bool
) -> None:
    """Tell how each predicate comes back."""
    from logicoder.autoencoder.stored_layer import StoredLayer  # noqa: PLC0415

    layer = _only_layer(model)
    with data.stored(engine, schema=layer.schema) as stored:
        found = StoredLayer(layer, stored)
        latent = found.encoded()
        scores = found.scores(latent, found.exceptions(latent))
        facts, kept = sum(score.facts for score in scores), sum(map(found.count, latent.values()))
    missing, false = sum(score.missing for score in scores), sum(score.false for score in scores)
    if as_json:
        print_json(
            {
                "facts": facts,
                "latent_facts": kept,
                "loss": missing + false,
                "missing": missing,
                "false": false,
            }
        )
        return
    print_pairs(
        [
            ("facts", facts, ""),
            ("latent facts", kept, ""),
            ("loss", missing + false, f"= {missing:,} missing + {false:,} false"),
        ]
    )
    print_reconstruction(scores)


def _only_layer(model: AutoEncoder | StackedAutoEncoder) -> Layer:
    layers = model.stack()
    if len(layers) > 1:
        raise UsageError("data that stay where they are are encoded by models of one layer")
    return layers[0]


def _folder(output: str | None) -> Path:
    if output is None:
        raise typer.BadParameter("such an engine writes files: name a folder with --output")
    return Path(output)
