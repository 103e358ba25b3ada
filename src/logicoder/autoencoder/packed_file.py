"""Lossless encodings as bytes: a folder with the message, and what its receiver knows beforehand.

The message, `message.bin`, takes as many bits as were counted, but for one percent and a few bytes. What its
receiver is taken to know is in `known.json` beside it: predicates, types, interpretations, constants, and the
facts of background predicates.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from msgspec import Meta, Struct, json
from msgspec.structs import replace

from logicoder.autoencoder.encoding_forms import MESSAGE_FILE, refuse_other_forms
from logicoder.autoencoder.model_file import StoredSchema
from logicoder.base.errors import InputError, location_of
from logicoder.base.files import read_bytes, settle, staged_folder
from logicoder.base.saved_json import Count, read_json
from logicoder.compression.message import Message
from logicoder.compression.packed import doubtful, packed, unpacked
from logicoder.compression.plan import Plan
from logicoder.engine.arrays.database import Database
from logicoder.engine.interface import WORLD
from logicoder.kb.knowledge_base import TRUTHS, KnowledgeBase, Truth
from logicoder.kb.schema import Predicate, Schema
from logicoder.kb.table import FactTable

KNOWN_FILE = "known.json"
VERSION = 3
_MESSAGE_SUM = 2
"""Up to this version, the sum was that of the message alone."""
_WITHOUT_FUNCTIONS = 1
"""The version that said facts of all predicates as subsets."""
Index = Annotated[int, Meta(ge=0, le=2**31 - 1)]


def write_packed(plan: Plan, kb: KnowledgeBase, folder: Path) -> int:
    """Write data by a plan; return the number of bytes of the message."""
    message = Message.of(plan, kb)
    data = packed(message)
    refuse_other_forms(folder, MESSAGE_FILE)
    with staged_folder(folder) as stage:
        (stage / MESSAGE_FILE).write_bytes(data)
        (stage / KNOWN_FILE).write_bytes(json.encode(_known(message.database, data)) + b"\n")
    return len(data)


class Known(Struct):
    """What the receiver of a message knows beforehand; rows are numbers, that of the interpretation first.

    The sum is that of everything else here, followed by the message.
    """

    version: Count
    schema: StoredSchema
    interpretations: tuple[str, ...]
    symbols: tuple[str, ...]
    entities: dict[str, tuple[tuple[Index, Index], ...]]
    listed: tuple[tuple[str, Truth], ...]
    background: dict[str, tuple[tuple[Index, ...], ...]]
    sha256: str


def read_packed(folder: Path) -> KnowledgeBase:
    """Return the knowledge base that was written."""
    settle(folder)
    path = folder / KNOWN_FILE
    known = read_json(path, Known, "this packed data")
    if not _WITHOUT_FUNCTIONS <= known.version <= VERSION:
        raise InputError(
            f"this logicoder reads versions {_WITHOUT_FUNCTIONS} to {VERSION} of packed data",
            location_of(path, 1, 1),
        )
    data = read_bytes(folder / MESSAGE_FILE)
    if known.sha256 != (_sum(known, data) if known.version > _MESSAGE_SUM else sha256(data).hexdigest()):
        raise InputError(
            f"this message or the {KNOWN_FILE} next to it is damaged, or they do not belong together",
            location_of(folder / MESSAGE_FILE),
        )
    try:
        frame, database, background = _frame(known)
        functions = known.version != _WITHOUT_FUNCTIONS
        found = unpacked(data, database, background, known.listed, functions=functions)
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise InputError(f"this packed data is damaged: {error!r}", location_of(path, 1, 1)) from None
    tables: dict[Truth, dict[str, FactTable]] = {
        truth: {
            name: database.decode(relation, frame.schema[name].arity)
            for name, relation in found[truth].items()
        }
        for truth in TRUTHS
    }
    return KnowledgeBase(frame.schema, frame.symbols, frame.interpretations, tables)


def _known(database: Database, data: bytes) -> Known:
    kb = database.kb
    entities = {}
    for kind, number in database.types.items():
        pairs = zip(database.world_of[number].tolist(), database.symbol_of[number].tolist(), strict=True)
        entities[kind] = tuple(pairs)
    background = {}
    for name in (name for name, predicate in kb.schema.items() if predicate.background):
        table = kb.table(name)
        background[name] = tuple(map(tuple, np.column_stack([table.worlds, table.arguments]).tolist()))
    known = Known(
        VERSION,
        StoredSchema.of(kb.schema),
        tuple(kb.interpretations),
        tuple(kb.symbols),
        entities,
        tuple(doubtful(kb)),
        background,
        "",
    )
    return replace(known, sha256=_sum(known, data))


def _sum(known: Known, data: bytes) -> str:
    """Return a sum of what the receiver knows and of the message."""
    return sha256(json.encode(replace(known, sha256="")) + data).hexdigest()


def _frame(known: Known) -> tuple[KnowledgeBase, Database, dict[str, Any]]:
    """Return the data without facts to be said, its entities, and the background facts as relations."""
    schema = known.schema.schema()
    symbols, names = list(known.symbols), list(known.interpretations)
    for rows in (*known.background.values(), *known.entities.values()):
        for world, *row in rows:
            if world >= len(names) or max(row, default=0) >= len(symbols):
                raise ValueError(f"there is no interpretation or constant of number {max(world, *row)}")
    tables = {name: _table(rows, schema[name].arity) for name, rows in known.background.items()}
    frame = KnowledgeBase(schema, symbols, names, {"true": tables})
    # A predicate for each type makes the same entities, in the same order, as the facts do.
    kinds = {kind: pairs for kind, pairs in known.entities.items() if kind != WORLD}
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


def _table(rows: Sequence[Sequence[int]], arity: int) -> FactTable:
    found = np.array(rows, np.int32).reshape(len(rows), arity + 1)
    return FactTable(found[:, 0].copy(), found[:, 1:].copy())
