"""Encoding, decoding and comparing data that stay where they are."""

from __future__ import annotations

from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from logicoder.base.address import is_address, masked
from logicoder.base.errors import UsageError
from logicoder.cli.output import print_compared, print_pairs

if TYPE_CHECKING:
    from logicoder import AutoEncoder, StackedAutoEncoder
    from logicoder.cli.inputs import DataOptions


def encode_stored(
    model: AutoEncoder | StackedAutoEncoder,
    data: DataOptions,
    engine: str,
    output: str | None,
    *,
    lossless: bool,
) -> None:
    """Write what represents data into a folder or into tables, each predicate by the engine itself."""
    from logicoder.autoencoder.stored_files import write_encoding  # noqa: PLC0415  (numpy takes its time)
    from logicoder.autoencoder.stored_layers import StoredLayers  # noqa: PLC0415
    from logicoder.export.stored_tables import write_stored_tables  # noqa: PLC0415

    layers, target = model.stack(), _target(output)
    if lossless and _is_database(target):
        raise typer.BadParameter("a lossless encoding is a folder: pass one with --output")
    _refuse_replacing(data, target)
    with data.stored(engine, schema=layers[0].schema) as stored:
        found = StoredLayers(layers, stored)
        latent = found.encoded()
        exceptions = found.exceptions(latent) if lossless else None
        if _is_database(target):
            write_stored_tables(stored, latent, target)
        else:
            write_encoding(layers, stored, latent, exceptions, Path(target))
        pairs = [("latent facts", sum(map(found.count, latent.values())), "")]
        if exceptions is not None:
            pairs += [
                ("missing", sum(map(found.count, exceptions.missing.values())), ""),
                ("false", sum(map(found.count, exceptions.false.values())), ""),
            ]
        print_pairs(pairs)


def decode_stored(
    model: AutoEncoder | StackedAutoEncoder, latent: DataOptions, engine: str, output: str | None
) -> None:
    """Write the facts that an encoding stands for into a folder or into tables.

    Args:
        model: the model.
        latent: the folder of an encoding, or a database that holds latent facts.
        engine: what decodes.
        output: a folder, a DuckDB file, or the address of the server that holds the data.
    """
    from logicoder.autoencoder.stored_files import (  # noqa: PLC0415  (numpy takes its time)
        is_encoding,
        read_encoding,
        write_relations,
    )
    from logicoder.autoencoder.stored_layers import StoredLayers  # noqa: PLC0415
    from logicoder.engine.sql.stored_data import StoredData  # noqa: PLC0415
    from logicoder.engine.sql.stored_sources import Opening  # noqa: PLC0415
    from logicoder.export.stored_tables import write_stored_tables  # noqa: PLC0415

    layers, target = model.stack(), _target(output)
    _refuse_replacing(latent, target)
    (where,) = latent.paths
    exceptions = None
    with ExitStack() as until_end:
        if isinstance(where, Path) and is_encoding(where):
            if engine == "postgresql" and not is_address(target):
                raise UsageError(
                    f"{where}: PostgreSQL decodes into its server: pass its URL with --output, or choose "
                    f"--engine duckdb, which reads what PostgreSQL wrote"
                )
            server = target if engine == "postgresql" else None
            session = until_end.enter_context(Opening(engine).session(server))
            facts, exceptions, worlds = read_encoding(layers, where, session)
            plain = StoredData(session, {}, str(where), layers[0].schema, worlds, plain=True)
        else:
            stored = until_end.enter_context(latent.stored(engine))
            facts = stored.relations
            plain = StoredData(
                stored.session, {}, stored.name, layers[0].schema, stored.interpretations, plain=True
            )
        back = StoredLayers(layers, plain).decoded(facts, exceptions)
        if _is_database(target):
            write_stored_tables(plain, back, target)
        else:
            write_relations(plain, back, Path(target))


def reconstruct_stored(
    model: AutoEncoder | StackedAutoEncoder, data: DataOptions, engine: str, show: int, *, as_json: bool
) -> None:
    """Tell how each predicate comes back, and list some of what is missing and false."""
    from logicoder.autoencoder.predicate_scores import Totals  # noqa: PLC0415
    from logicoder.autoencoder.stored_layers import StoredLayers  # noqa: PLC0415

    layers = model.stack()
    with data.stored(engine, schema=layers[0].schema) as stored:
        found = StoredLayers(layers, stored)
        latent = found.encoded()
        wrong = found.compared(latent, found.exceptions(latent))
        scores = found.counted(wrong)
        kept = sum(map(found.count, latent.values()))
        first = {name: found.first(getattr(wrong, name), show) for name in ("missing", "false")}
    print_compared(Totals(tuple(scores), kept).as_dict(), scores, first, as_json=as_json)


def _target(output: str | None) -> str:
    if output is None:
        raise typer.BadParameter(
            "this engine writes files or tables: pass a folder, a .duckdb file or the URL of the server "
            "with --output"
        )
    from logicoder.kb.formats import formats_of  # noqa: PLC0415  (numpy takes its time)

    if not is_address(output) and not _is_database(output) and (found := formats_of(Path(output))):
        raise UsageError(
            f"{output}: an engine writes a folder or tables of a database, not a file of {found[0].name}; "
            f"name a folder, which all commands read like other data"
        )
    return output


def _refuse_replacing(data: DataOptions, target: str) -> None:
    """Refuse to write facts into the database whose facts, written like these, are read."""
    from logicoder.kb.fact_tables import holds_facts  # noqa: PLC0415  (numpy takes its time)
    from logicoder.kb.mapping.table_reader import open_source  # noqa: PLC0415

    if _is_database(target) and any(str(path) == target for path in data.paths) and data.mapping is None:
        with closing(open_source(target)) as source:
            if holds_facts(source):
                raise UsageError(
                    f"{masked(target)}: the facts that are read there would be replaced; name another "
                    "database, or a folder"
                )


def _is_database(target: str) -> bool:
    from logicoder.kb.mapping.table_reader import is_database  # noqa: PLC0415  (numpy takes its time)

    return is_database(target)
