"""Lossless encodings as bytes: a folder with the message, and what its receiver knows beforehand.

The message, `message.bin`, takes as many bits as were counted, but for one percent and a few bytes. What its
receiver is taken to know is in `known.json` beside it: predicates, types, interpretations, constants, and the
facts of background predicates.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from logicoder.autoencoder.model_file import plain_schema, schema_of_plain
from logicoder.base.errors import InputError, location_of
from logicoder.base.files import read_text, staged_folder
from logicoder.compression.message import Message
from logicoder.compression.packed import doubtful, packed, unpacked
from logicoder.compression.plan import Plan
from logicoder.engine.arrays.database import Database
from logicoder.engine.interface import WORLD
from logicoder.kb.knowledge_base import TRUTHS, KnowledgeBase, Truth
from logicoder.kb.schema import Predicate, Schema
from logicoder.kb.table import FactTable

MESSAGE_FILE = "message.bin"
KNOWN_FILE = "known.json"
VERSION = 1


def write_packed(plan: Plan, kb: KnowledgeBase, folder: Path) -> int:
    """Write data by a plan; return the number of bytes of the message."""
    message = Message.of(plan, kb)
    data = packed(message)
    with staged_folder(folder) as stage:
        (stage / MESSAGE_FILE).write_bytes(data)
        known = {**_known(message.database), "sha256": hashlib.sha256(data).hexdigest()}
        text = json.dumps(known, ensure_ascii=False, separators=(",", ":"))
        (stage / KNOWN_FILE).write_text(text + "\n", encoding="utf-8")
    return len(data)


def read_packed(folder: Path) -> KnowledgeBase:
    """Return the knowledge base that was written."""
    path = folder / KNOWN_FILE
    try:
        known = json.loads(read_text(path))
        if known["version"] != VERSION:
            raise InputError(f"this program reads version {VERSION} of packed data", location_of(path, 1, 1))
        data = (folder / MESSAGE_FILE).read_bytes()
        if hashlib.sha256(data).hexdigest() != known["sha256"]:
            raise InputError(
                f"this message is damaged, or belongs to another {KNOWN_FILE} than the one beside it",
                location_of(folder / MESSAGE_FILE),
            )
        frame, database, background = _frame(known)
        listed = [(str(name), truth) for name, truth in known["listed"]]
        found = unpacked(data, database, background, listed)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
        raise InputError(f"this packed data is damaged: {error!r}", location_of(path, 1, 1)) from None
    except OSError as error:
        raise InputError(f"{error.filename}: {error.strerror}") from None
    tables: dict[Truth, dict[str, FactTable]] = {
        truth: {
            name: database.decode(relation, frame.schema[name].arity)
            for name, relation in found[truth].items()
        }
        for truth in TRUTHS
    }
    return KnowledgeBase(frame.schema, frame.symbols, frame.interpretations, tables)


def _known(database: Database) -> dict[str, Any]:
    kb = database.kb
    entities = {}
    for kind, number in database.types.items():
        pairs = zip(database.world_of[number].tolist(), database.symbol_of[number].tolist(), strict=True)
        entities[kind] = list(map(list, pairs))
    return {
        "version": VERSION,
        "schema": plain_schema(kb.schema),
        "interpretations": list(kb.interpretations),
        "symbols": list(kb.symbols),
        "entities": entities,
        "listed": doubtful(kb),
        "background": {
            name: [
                [int(w), *map(int, row)]
                for w, row in zip(kb.table(name).worlds, kb.table(name).arguments, strict=True)
            ]
            for name, predicate in kb.schema.items()
            if predicate.background
        },
    }


def _frame(known: dict[str, Any]) -> tuple[KnowledgeBase, Database, dict[str, Any]]:
    """Return the data without facts to be said, its entities, and the background facts as relations."""
    schema = schema_of_plain(known["schema"])
    if schema is None:
        raise ValueError("there is no schema")
    symbols, names = list(map(str, known["symbols"])), list(map(str, known["interpretations"]))
    tables = {name: _table(rows, schema[name].arity) for name, rows in known["background"].items()}
    frame = KnowledgeBase(schema, symbols, names, {"true": tables})
    # A predicate for each type makes the same entities, in the same order, as the facts do.
    kinds = {kind: pairs for kind, pairs in known["entities"].items() if kind != WORLD}
    marks = {f"{kind} entities": kind for kind in kinds}
    database = Database(
        KnowledgeBase(
            Schema({**schema, **{mark: Predicate(mark, (kind,)) for mark, kind in marks.items()}}),
            symbols,
            names,
            {"true": {**tables, **{mark: _table(kinds[kind], 1) for mark, kind in marks.items()}}},
        )
    )
    database.kb = frame
    return (
        frame,
        database,
        {name: database.encode(schema[name].types, table) for name, table in tables.items()},
    )


def _table(rows: list[list[int]], arity: int) -> FactTable:
    found = np.array(rows, np.int32).reshape(len(rows), arity + 1)
    return FactTable(found[:, 0].copy(), found[:, 1:].copy())
