"""Saved models: versioned text that people can read, Prolog can load, and nothing executes.

% logicoder model, version 2
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

A stack of several layers is one such file, too: a header of its own, and after each of `%% layer 1`,
`%% layer 2`, ... what the file of that layer would hold after its first line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from logicoder.autoencoder.layer import Layer
from logicoder.base.errors import InputError, Location, location_of
from logicoder.base.files import read_text, write_text
from logicoder.base.progress import Improved
from logicoder.compression.plan_data import base_of_plain, plain_plan, plan_of_plain
from logicoder.kb.schema import Predicate, Schema
from logicoder.learner.parameters import ONE_RUN
from logicoder.learner.settings import plain
from logicoder.logic.gloss import glossed
from logicoder.logic.parser import parse_program
from logicoder.logic.symbols import atom_text
from logicoder.logic.terms import Program

VERSION = 2
MODEL_FILE = "model.alp"
SECTIONS = ("background", "encoder", "decoder", "end")
_STACK_END = "%% end of the stack"


@dataclass(frozen=True)
class StoredModel:
    """The content of a model file."""

    header: dict[str, Any]
    layer: Layer
    line: int = 2
    """Where the header starts in the file."""

    @classmethod
    def of(
        cls,
        layer: Layer,
        parameters: Mapping[str, Any],
        results: Mapping[str, Any],
        history: Sequence[Improved],
    ) -> StoredModel:
        """Return what the file of a model keeps; the parameters are plain data."""
        header = {
            "parameters": portable(parameters),
            "schema": plain_schema(layer.schema),
            "results": results,
            "history": [asdict(event) for event in history],
            "encoder_clauses": len(layer.encoder),
            "decoder_clauses": len(layer.decoder),
            "kept": list(layer.kept),
            "bases": [asdict(base) for base in layer.bases],
            "plan": None if layer.plan is None else plain_plan(layer.plan),
            **({"mapping": layer.mapping} if layer.mapping is not None else {}),
        }
        return cls(header, layer)

    def parameters(self) -> dict[str, Any]:
        """Return the parameters of the estimator."""
        return plain_tuples(portable(self.header["parameters"]))

    def history(self) -> list[Improved]:
        """Return the improvements of the search."""
        return [Improved(**item) for item in self.header["history"]]

    def lines(self) -> list[str]:
        """Return the lines of the file after its first."""
        lines = header_lines(self.header)
        lines += ["%% background", *map(str, self.layer.background)]
        lines += ["%% encoder", *glossed(self.layer.encoder)]
        lines += ["%% decoder", *map(str, self.layer.decoder)]
        if self.layer.kept:
            lines.append(f"% kept as they are: {', '.join(map(atom_text, self.layer.kept))}")
        return [*lines, "%% end"]


@dataclass(frozen=True)
class StoredStack:
    """The content of the file of a stack."""

    header: dict[str, Any]
    layers: tuple[StoredModel, ...]

    def lines(self) -> list[str]:
        """Return the lines of the file after its first."""
        lines = header_lines(self.header)
        for number, layer in enumerate(self.layers, start=1):
            lines += [f"%% layer {number}", *layer.lines()]
        return [*lines, _STACK_END]


def model_path(path: str | Path) -> Path:
    """Return the model file of a path, which may be the folder that holds it."""
    path = Path(path)
    return path / MODEL_FILE if path.is_dir() else path


def write_model(path: str | Path, stored: StoredModel | StoredStack) -> None:
    """Write a model of one layer or several."""
    kind = "stack" if isinstance(stored, StoredStack) else "model"
    write_text(Path(path), "\n".join([f"% logicoder {kind}, version {VERSION}", *stored.lines()]) + "\n")


def is_stack(path: str | Path) -> bool:
    """Whether a model file, or the one in a folder, says that it holds several layers."""
    try:
        with model_path(path).open(encoding="utf-8", errors="replace") as stream:
            return _first_line("stack").match(stream.readline()) is not None
    except OSError:
        return False


def read_model(path: str | Path) -> StoredModel:
    """Read a model file; a damaged or newer one is refused with the place of the trouble."""
    path = model_path(path)
    if is_stack(path):
        raise InputError(
            "this model has several layers", location_of(path, 1, 1), "load it with StackedAutoEncoder.load"
        )
    lines = read_lines(path, "model")
    return _model_of_lines(path, lines, 1, len(lines))


def read_stack(path: str | Path) -> StoredStack:
    """Read the file of a stack; a damaged or newer one is refused with the place of the trouble."""
    path = model_path(path)
    lines = read_lines(path, "stack")
    header = read_header(path, lines, 1)
    starts = [number for number, line in enumerate(lines) if line.startswith("%% layer ")]
    for number, start in enumerate(starts, start=1):
        if lines[start].rstrip() != f"%% layer {number}":
            raise InputError(
                f"this model file is damaged: expected the line '%% layer {number}'",
                location_of(path, start + 1, 1),
            )
    if lines[-1].rstrip() != _STACK_END or not starts or header.get("layers") != len(starts):
        raise InputError(
            f"this model file is damaged: the header speaks of {header.get('layers')} layers, there are "
            f"{len(starts)}, and the last line should be '{_STACK_END}'",
            location_of(path, len(lines), 1),
        )
    bounds = [*starts, len(lines) - 1]
    layers = [_model_of_lines(path, lines, low + 1, high) for low, high in pairwise(bounds)]
    return StoredStack(header, tuple(layers))


def read_lines(
    path: Path, what: str, told: str = "this {} has", refused: str = "this is not a logicoder {}"
) -> list[str]:
    """Return the lines of a file whose first line says what it is.

    Args:
        path: the file.
        what: the word for it in its first line: `model`, `stack` or `exceptions`.
        told: how a sentence about it starts.
        refused: what to say of another file.
    """
    # Not splitlines: a name in the header may hold one of the rarer marks that it takes for a line end.
    lines = read_text(path).rstrip("\n").split("\n")
    first = _first_line(what).match(lines[0])
    if first is None:
        raise InputError(refused.format(what), location_of(path, 1, 1))
    if int(first[1]) > VERSION:
        raise InputError(
            f"{told.format(what)} version {first[1]}; this program reads up to version {VERSION}",
            location_of(path, 1, 1),
            "update logicoder",
        )
    return lines


def version_of(lines: Sequence[str]) -> int:
    """Return the version that the first line of a file tells."""
    return int(lines[0].rsplit(maxsplit=1)[-1])


def _first_line(what: str) -> re.Pattern[str]:
    return re.compile(rf"% logicoder {what}, version (\d{{1,9}})\s*\Z")


def _model_of_lines(path: Path, lines: list[str], low: int, high: int) -> StoredModel:
    """Read the model between two lines."""
    starts = _section_starts(path, lines, low, high)
    header = read_header(path, lines, low)
    programs = {}
    for section, following in pairwise(SECTIONS):
        after, end = starts[section] + 1, starts[following]
        # Blank lines before the section keep the line numbers of error messages right.
        programs[section] = parse_program("\n" * after + "\n".join(lines[after:end]), str(path))
    for section in ("encoder", "decoder"):
        expected = header.get(f"{section}_clauses")
        if expected != len(programs[section]):
            raise InputError(
                f"the header speaks of {expected} {section} clauses, but there are {len(programs[section])}",
                Location(str(path), starts[section] + 1, 1),
                "the file is damaged; after an edit by hand, mend the number in the header",
            )
    with reading_header("this model", path, low + 1):
        return StoredModel(header, _layer(header, programs), low + 1)


def _layer(header: Mapping[str, Any], programs: Mapping[str, Program]) -> Layer:
    """Return the layer of a header and its programs; files of version 1 keep nothing beside latents."""
    plan = header.get("plan")
    return Layer(
        **programs,
        schema=schema_of_plain(header["schema"]),
        kept=tuple(map(str, header.get("kept", ()))),
        bases=tuple(base_of_plain(base) for base in header.get("bases", ())),
        plan=None if plan is None else plan_of_plain(plan),
        mapping=header.get("mapping"),
    )


def _section_starts(path: Path, lines: list[str], low: int, high: int) -> dict[str, int]:
    starts: dict[str, int] = {}
    for number, line in enumerate(lines[low:high], start=low):
        if line.startswith("%% ") and line[3:].strip() in SECTIONS:
            starts.setdefault(line[3:].strip(), number)
    for section in SECTIONS:
        if section not in starts:
            raise InputError(
                f"this model file is damaged: the line '%% {section}' is missing",
                location_of(path, high, 1),
            )
    if sorted(SECTIONS, key=lambda s: starts[s]) != list(SECTIONS):
        raise InputError("this model file is damaged: its sections are out of order", location_of(path))
    return starts


def header_lines(header: Mapping[str, Any]) -> list[str]:
    """Return a header as lines of comments."""
    text = json.dumps(header, indent=2, sort_keys=True, ensure_ascii=False)
    return [f"% {line}" for line in text.split("\n")]


def read_header(path: Path, lines: list[str], low: int, what: str = "this model") -> dict[str, Any]:
    """Read the header that starts at a line: all lines of comments up to the first that is none, or `%%`."""
    high = low
    while high < len(lines) and re.match(r"%(?!%)", lines[high]):
        high += 1
        if lines[high - 1].rstrip() == "% }":
            break
    try:
        found = json.loads("\n".join(line.removeprefix("%") for line in lines[low:high]))
    except json.JSONDecodeError as error:
        raise InputError(
            f"the header of {what} is damaged ({error.msg})",
            location_of(path, error.lineno + low, error.colno + 1),
        ) from None
    if not isinstance(found, dict):
        raise InputError(
            f"the header of {what} is damaged: it is not a JSON object", location_of(path, low + 1, 1)
        )
    return found


@contextmanager
def reading_header(what: str, path: Path, line: int) -> Iterator[None]:
    """Refuse a header whose content is not what it should be, with its place."""
    try:
        yield
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"the header of {what} is damaged: {error!r}", location_of(path, line, 1)) from None


# -- plain data ---------------------------------------------------------------------------------------


OF_ONE_MACHINE = (*ONE_RUN, "jobs", "max_memory", "time_limit")
"""Parameters that are no part of a model: a file from elsewhere must not say where to write, nor how much
of this machine to use. Files of version 0.1 name some of them; that is passed over."""


def plain_parameters(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of an estimator as plain data, without what belongs to one run only."""
    return {name: plain(value) for name, value in parameters.items() if name not in ONE_RUN}


def portable(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters that belong to a model, whatever the machine.

    >>> portable({"seed": 3, "jobs": 8, "checkpoint": "/somewhere"})
    {'seed': 3}
    """
    return {name: value for name, value in parameters.items() if name not in OF_ONE_MACHINE}


def plain_tuples(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of plain data: what JSON keeps as a list is a tuple."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in parameters.items()}


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
