"""Encodings of stored data as folders of files, which the engine writes and reads itself."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, Struct, to_builtins
from msgspec.json import encode
from msgspec.structs import replace

from logicoder.autoencoder.encoding_forms import TOLD_FILE, refuse_other_forms
from logicoder.autoencoder.lossless import fingerprint
from logicoder.autoencoder.stored_layer import StoredExceptions
from logicoder.base.errors import InputError, location_of
from logicoder.base.files import settle, sha256_of, staged_folder, write_text
from logicoder.base.saved_json import Count, read_json
from logicoder.engine.sql.relations import Relation
from logicoder.engine.sql.written_files import write_each
from logicoder.kb.file_names import file_stem
from logicoder.kb.formats.records import fields_of_any_length

if TYPE_CHECKING:
    from logicoder.autoencoder.layer import Layer
    from logicoder.engine.sql.session import Session
    from logicoder.engine.sql.stored_data import StoredData

_VERSION = 1
_PARTS = ("latent", "missing", "false")
_Arities = dict[str, Annotated[int, Meta(ge=0, le=1000)]]


class _Told(Struct):
    """What `encoding.json` says.

    The parts have the arity of each predicate, `sums` has those of all other files, and `sha256` is that of
    the rest of this one; earlier encodings lack it.
    """

    version: Count
    model: str
    lossless: bool
    interpretations: tuple[str, ...]
    latent: _Arities
    missing: _Arities
    false: _Arities
    sums: dict[str, str] | None = None
    sha256: str | None = None


def write_encoding(
    layers: Sequence[Layer], latent: StoredData, exceptions: StoredExceptions | None, folder: Path
) -> None:
    """Write what represents data and, of a lossless encoding, its exceptions; all of it or nothing."""
    parts: dict[str, Mapping[str, Relation]] = {"latent": latent.relations}
    if exceptions is not None:
        parts |= {"missing": exceptions.missing, "false": exceptions.false}
    arities = {part: {name: own.arity for name, own in parts.get(part, {}).items()} for part in _PARTS}
    worlds = tuple(latent.interpretations)
    refuse_other_forms(folder, TOLD_FILE)
    with staged_folder(folder) as stage:
        for part, relations in parts.items():
            write_each(latent, relations, stage / part)
        sums = _sums(stage, parts)
        latent_arities, missing, false = (arities[part] for part in _PARTS)
        lossless = exceptions is not None
        told = _Told(_VERSION, fingerprint(layers), lossless, worlds, latent_arities, missing, false, sums)
        told.sha256 = _sum_of(told)
        write_text(stage / TOLD_FILE, json.dumps(to_builtins(told), indent=1) + "\n")
    for name, file in _files(folder, parts):
        if name not in sums:  # another engine wrote other files for the same facts
            file.unlink()


def is_encoding(folder: Path) -> bool:
    """Whether an engine wrote an encoding there."""
    settle(folder)
    return (folder / TOLD_FILE).is_file()


def read_encoding(
    layers: Sequence[Layer], folder: Path, session: Session
) -> tuple[dict[str, Relation], StoredExceptions | None, Sequence[str]]:
    """Return what represents data, the exceptions of a lossless encoding, and the interpretations.

    Raises:
        InputError: for files that are no encoding, or that of another model.
    """
    where = location_of(folder / TOLD_FILE)
    told = read_json(folder / TOLD_FILE, _Told, "this encoding")
    if told.version != _VERSION:
        raise InputError(f"encodings of version {told.version} are not known", where)
    if told.model != fingerprint(layers):
        raise InputError("another model made this encoding", where, "pass the model that made it")
    if told.sha256 not in (None, _sum_of(told)):
        raise InputError("this file of an encoding was changed after it was written", where)
    worlds = told.interpretations
    sums = {} if told.sums is None else _sums(folder, to_builtins(told))
    for name in sorted((told.sums or {}).keys() | sums.keys()):
        if sums.get(name) != (told.sums or {}).get(name):
            what = "was changed after it was written" if name in sums else "is missing"
            raise InputError(f"this file of an encoding {what}", location_of(folder / name))
    found = {
        part: {
            name: _read(session, folder / part / file_stem(name), arity, several=len(worlds) > 1)
            for name, arity in getattr(told, part).items()
        }
        for part in _PARTS
    }
    exceptions = StoredExceptions(found["missing"], found["false"]) if told.lossless else None
    return found["latent"], exceptions, worlds


def _read(session: Session, stem: Path, arity: int, *, several: bool) -> Relation:
    for suffix, kind in ((".parquet", "parquet"), (".csv", "csv")):
        path = stem.with_name(stem.name + suffix)
        if path.exists():
            # Spark writes folders, and its own reader or a pattern reads them.
            table, columns = session.scanned(str(path), kind, ",", header=True)
            wanted = Relation("", arity).columns(worlds=several)
            if (columns if kind == "parquet" else _header(path)) != wanted:
                raise InputError(
                    f"this file does not have the columns {', '.join(wanted)}", location_of(path)
                )
            pairs = zip(columns, wanted, strict=True)
            texts = ", ".join(f"{session.as_text(session.quoted(own))} AS {column}" for own, column in pairs)
            return Relation(session.table(f"SELECT {texts} FROM {table}", f"reading {path.name}"), arity)
    raise InputError("a file of this encoding is missing", location_of(stem))


def _sum_of(told: _Told) -> str:
    return sha256(encode(replace(told, sha256=None))).hexdigest()


def _sums(folder: Path, parts: Mapping[str, Any]) -> dict[str, str]:
    """Return a sum of each file of an encoding, by the place in its folder."""
    return {name: sha256_of(file) for name, file in _files(folder, parts)}


def _files(folder: Path, parts: Mapping[str, Any]) -> Iterator[tuple[str, Path]]:
    """Iterate over the files that may hold predicates of the parts of an encoding, whoever wrote them."""
    for part in _PARTS:
        for predicate in parts.get(part, ()):
            for suffix in (".parquet", ".csv"):
                path = folder / part / f"{file_stem(predicate)}{suffix}"
                for file in sorted(path.glob("*")) if path.is_dir() else [path]:
                    if file.is_file() and not file.name.startswith((".", "_")):
                        yield file.relative_to(folder).as_posix(), file


def _header(path: Path) -> list[str]:
    """Return the first row of a CSV file, or of one of the files in a folder."""
    files = sorted(path.glob("*.csv")) if path.is_dir() else [path]
    for file in files[:1]:
        with fields_of_any_length(), file.open(newline="", encoding="utf-8", errors="replace") as stream:
            try:
                return next(csv.reader(stream), [])
            except csv.Error:
                return []
    return []
