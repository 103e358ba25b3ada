"""Encodings of stored data as folders of files, which the engine writes and reads itself."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from logicoder.autoencoder.lossless import fingerprint
from logicoder.autoencoder.stored_layer import StoredExceptions
from logicoder.base.errors import InputError, location_of
from logicoder.base.files import staged_folder, write_text
from logicoder.engine.sql.relations import Relation, listed
from logicoder.kb.file_names import file_stem

if TYPE_CHECKING:
    from logicoder.autoencoder.layer import Layer
    from logicoder.engine.sql.session import Session
    from logicoder.engine.sql.stored_data import StoredData

TOLD_FILE = "encoding.json"
_VERSION = 1
_PARTS = ("latent", "missing", "false")


def write_relations(data: StoredData, relations: Mapping[str, Relation], folder: Path) -> None:
    """Write facts into a folder, a file or a folder of files for each predicate."""
    with staged_folder(folder) as stage:
        _write(data, relations, stage)


def _write(data: StoredData, relations: Mapping[str, Relation], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, relation in relations.items():
        columns = relation.columns(worlds=data.several)
        query = f"SELECT {listed(columns)} FROM {relation.table}"
        data.session.write(query, columns, str(folder), file_stem(name))


def write_encoding(
    layer: Layer,
    data: StoredData,
    latent: Mapping[str, Relation],
    exceptions: StoredExceptions | None,
    folder: Path,
) -> None:
    """Write what represents data and, of a lossless encoding, its exceptions; all of it or nothing."""
    parts: dict[str, Mapping[str, Relation]] = {"latent": latent}
    if exceptions is not None:
        parts |= {"missing": exceptions.missing, "false": exceptions.false}
    told = {
        "version": _VERSION,
        "model": fingerprint([layer]),
        "lossless": exceptions is not None,
        "interpretations": list(data.interpretations),
        **{part: {name: own.arity for name, own in parts.get(part, {}).items()} for part in _PARTS},
    }
    with staged_folder(folder) as stage:
        for part, relations in parts.items():
            _write(data, relations, stage / part)
        write_text(stage / TOLD_FILE, json.dumps(told, indent=1) + "\n")


def is_encoding(folder: Path) -> bool:
    """Whether an engine wrote an encoding there."""
    return (folder / TOLD_FILE).is_file()


def read_encoding(
    layer: Layer, folder: Path, session: Session
) -> tuple[dict[str, Relation], StoredExceptions | None, Sequence[str]]:
    """Return what represents data, the exceptions of a lossless encoding, and the interpretations.

    Raises:
        InputError: for files that are no encoding, or that of another model.
    """
    where = location_of(folder / TOLD_FILE)
    told = _told(folder / TOLD_FILE)
    if told["model"] != fingerprint([layer]):
        raise InputError("this encoding was made by another model", where, "name the model that made it")
    worlds = told["interpretations"]
    found = {
        part: {
            name: _read(session, folder / part / file_stem(name), arity, several=len(worlds) > 1)
            for name, arity in told[part].items()
        }
        for part in _PARTS
    }
    exceptions = StoredExceptions(found["missing"], found["false"]) if told["lossless"] else None
    return found["latent"], exceptions, worlds


def _told(path: Path) -> dict[str, Any]:
    try:
        told: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"this is no encoding ({error})", location_of(path)) from None
    kinds = {"version": int, "model": str, "lossless": bool, "interpretations": list}
    kinds |= dict.fromkeys(_PARTS, dict)
    for name, kind in kinds.items():
        if not isinstance(told, dict) or not isinstance(told.get(name), kind):
            raise InputError(f"this is no encoding: {name} is missing or wrong", location_of(path))
    if told["version"] != _VERSION:
        raise InputError(f"encodings of version {told['version']} are not known", location_of(path))
    for part in _PARTS:
        if not all(isinstance(arity, int) and 0 <= arity < 1000 for arity in told[part].values()):
            raise InputError(f"this is no encoding: {part} is wrong", location_of(path))
    if not all(isinstance(name, str) for name in told["interpretations"]):
        raise InputError("this is no encoding: interpretations are wrong", location_of(path))
    return told


def _read(session: Session, stem: Path, arity: int, *, several: bool) -> Relation:
    for suffix, kind in ((".parquet", "parquet"), (".csv", "csv")):
        path = stem.with_name(stem.name + suffix)
        if path.exists():
            # Spark writes folders, and its own reader or a pattern reads them.
            table, columns = session.scanned(str(path), kind, ",", header=True)
            wanted = Relation("", arity).columns(worlds=several)
            if columns != wanted:
                raise InputError(f"this file has not the columns {', '.join(wanted)}", location_of(path))
            texts = ", ".join(f"{session.as_text(column)} AS {column}" for column in wanted)
            return Relation(session.table(f"SELECT {texts} FROM {table}", f"reading {path.name}"), arity)
    raise InputError("a file of this encoding is missing", location_of(stem))
