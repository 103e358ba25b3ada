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
    from logicoder.autoencoder.stored_codec import StoredEncoding, encoded_in_place  # noqa: PLC0415  (numpy takes its time)
    from logicoder.autoencoder.stored_files import write_encoding  # noqa: PLC0415
    from logicoder.export.stored_tables import write_stored_tables  # noqa: PLC0415

    layers, target = model.stack(), _target(output)
    if lossless and _is_database(target):
        raise typer.BadParameter("a lossless encoding is a folder: pass one with --output")
    _refuse_replacing(data, target)
    with data.stored(engine, schema=layers[0].schema) as stored:
        encoding = StoredEncoding.of(layers, stored) if lossless else None
        latent = encoding.latent if encoding is not None else encoded_in_place(layers, stored)
        if _is_database(target):
            write_stored_tables(latent, target)
        else:
            write_encoding(layers, latent, None if encoding is None else encoding.exceptions, Path(target))
        pairs = [("latent facts", len(latent), "")]
        if encoding is not None:
            parts = {"missing": encoding.exceptions.missing, "false": encoding.exceptions.false}
            pairs += [(name, len(latent.having(part, None)), "") for name, part in parts.items()]
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
    from logicoder.autoencoder.stored_codec import decoded_in_place  # noqa: PLC0415  (numpy takes its time)
    from logicoder.autoencoder.stored_files import is_encoding, read_encoding  # noqa: PLC0415
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
            relations, exceptions, worlds = read_encoding(layers, where, session)
            facts = StoredData(session, relations, str(where), None, worlds, plain=True)
        else:
            facts = until_end.enter_context(latent.stored(engine))
        back = decoded_in_place(layers, facts, exceptions)
        if _is_database(target):
            write_stored_tables(back, target)
        else:
            back.save(target)


def reconstruct_stored(
    model: AutoEncoder | StackedAutoEncoder, data: DataOptions, engine: str, show: int, *, as_json: bool
) -> None:
    """Tell how each predicate comes back, and list some of what is missing and false."""
    from logicoder.autoencoder.stored_codec import StoredReconstruction  # noqa: PLC0415  (numpy takes its time)

    layers = model.stack()
    with data.stored(engine, schema=layers[0].schema) as stored:
        found = StoredReconstruction(layers, stored)
        told = found.as_dict()
        first = {name: found.first(getattr(found, name), show) for name in ("missing", "false")}
    print_compared(told, found.predicates, first, as_json=as_json)


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
