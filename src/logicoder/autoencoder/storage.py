"""Saved models: versioned text that people can read, Prolog can load, and nothing executes.

% logicoder model, version 1
% {
%   "parameters": {...}, "schema": [...], ...
% }
%% background
%% encoder
% X, Y: mother(X,Y) or father(X,Y)
father_or_mother(X,Y) :- mother(X,Y) ; father(X,Y).
...
%% decoder
mother(X,Y) :- father_or_mother(X,Y), woman_copy(X).
%% end
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from logicoder.base.errors import InputError, Location, location_of
from logicoder.base.files import read_text, write_text
from logicoder.base.progress import Improved
from logicoder.kb.schema import Predicate, Schema
from logicoder.learner.settings import plain
from logicoder.logic.gloss import glossed
from logicoder.logic.parser import parse_program
from logicoder.logic.terms import Program

VERSION = 1
MODEL_FILE = "model.alp"
SECTIONS = ("background", "encoder", "decoder", "end")
_FIRST_LINE = re.compile(r"% logicoder model, version (\d+)\s*\Z")


@dataclass(frozen=True)
class StoredModel:
    """The content of a model file."""

    header: dict[str, Any]
    background: Program
    encoder: Program
    decoder: Program


def model_path(path: str | Path) -> Path:
    """Return the model file of a path, which may be the folder that holds it."""
    path = Path(path)
    return path / MODEL_FILE if path.is_dir() else path


def write_model(path: str | Path, model: StoredModel) -> None:
    """Write a model file."""
    text = json.dumps(model.header, indent=2, sort_keys=True, ensure_ascii=False)
    lines = [f"% logicoder model, version {VERSION}", *(f"% {line}" for line in text.splitlines())]
    lines += ["%% background", *map(str, model.background)]
    lines += ["%% encoder", *glossed(model.encoder)]
    lines += ["%% decoder", *map(str, model.decoder)]
    lines.append("%% end")
    write_text(Path(path), "\n".join(lines) + "\n")


def read_model(path: str | Path) -> StoredModel:
    """Read a model file; a damaged or newer one is refused with the place of the trouble."""
    path = model_path(path)
    text = read_text(path)
    lines = text.splitlines()
    first = _FIRST_LINE.match(lines[0]) if lines else None
    if first is None:
        raise InputError("this is not a logicoder model", location_of(path, 1, 1))
    if int(first[1]) > VERSION:
        raise InputError(
            f"this model has version {first[1]}; this program reads up to version {VERSION}",
            location_of(path, 1, 1),
            "update logicoder",
        )
    starts = _section_starts(path, lines)
    header = _header(path, lines[1 : starts["background"]])
    programs = {}
    for section, following in pairwise(SECTIONS):
        low, high = starts[section] + 1, starts[following]
        # Blank lines before the section keep the line numbers of error messages right.
        programs[section] = parse_program("\n" * low + "\n".join(lines[low:high]), str(path))
    for section in ("encoder", "decoder"):
        expected = header.get(f"{section}_clauses")
        if expected != len(programs[section]):
            raise InputError(
                f"the header speaks of {expected} {section} clauses, but there are {len(programs[section])}",
                Location(str(path), starts[section] + 1, 1),
                "the file is damaged; after an edit by hand, mend the number in the header",
            )
    return StoredModel(header, programs["background"], programs["encoder"], programs["decoder"])


def _section_starts(path: Path, lines: list[str]) -> dict[str, int]:
    starts: dict[str, int] = {}
    for number, line in enumerate(lines):
        if line.startswith("%% ") and line[3:].strip() in SECTIONS:
            starts.setdefault(line[3:].strip(), number)
    for section in SECTIONS:
        if section not in starts:
            raise InputError(
                f"this model file is damaged: the line '%% {section}' is missing",
                location_of(path, len(lines), 1),
            )
    if sorted(SECTIONS, key=lambda s: starts[s]) != list(SECTIONS):
        raise InputError("this model file is damaged: its sections are out of order", location_of(path))
    return starts


def _header(path: Path, lines: list[str]) -> dict[str, Any]:
    try:
        found = json.loads("\n".join(line.removeprefix("%") for line in lines))
    except json.JSONDecodeError as error:
        raise InputError(
            f"the header of this model is damaged ({error.msg})",
            location_of(path, error.lineno + 1, error.colno + 1),
        ) from None
    if not isinstance(found, dict):
        raise InputError(
            "the header of this model is damaged: it is not a JSON object", location_of(path, 2, 1)
        )
    return found


# -- plain data ---------------------------------------------------------------------------------------


def plain_parameters(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of an estimator as plain data, without what belongs to one run only."""
    skipped = ("background", "checkpoint", "resume", "reporter")
    return {name: plain(value) for name, value in parameters.items() if name not in skipped}


def plain_schema(schema: Schema | None) -> dict[str, Any] | None:
    """Return a schema as plain data."""
    if schema is None:
        return None
    return {
        "predicates": [asdict(predicate) for predicate in schema.values()],
        "domains": {kind: list(symbols) for kind, symbols in schema.domains.items()},
    }


def schema_of_plain(data: Mapping[str, Any] | None) -> Schema | None:
    """Return the schema of plain data."""
    if data is None:
        return None
    predicates = [
        Predicate(
            p["name"],
            tuple(p["types"]),
            tuple(p["modes"]) if p["modes"] is not None else None,
            bool(p["background"]),
            bool(p["open_world"]),
        )
        for p in data["predicates"]
    ]
    return Schema({p.name: p for p in predicates}, {k: tuple(v) for k, v in data["domains"].items()})


def history_of_plain(data: list[dict[str, Any]]) -> list[Improved]:
    """Return the improvements of plain data."""
    return [Improved(**item) for item in data]
