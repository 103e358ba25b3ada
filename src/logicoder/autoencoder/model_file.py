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
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct, to_builtins

from logicoder.autoencoder.layer import Layer
from logicoder.autoencoder.saved_results import Results
from logicoder.base.errors import InputError, Location, LogicoderError, location_of, require
from logicoder.base.files import read_text, write_text
from logicoder.base.progress import Improved
from logicoder.base.saved_json import Count, Plain, json_of
from logicoder.compression.plan_data import StoredBase, StoredPlan
from logicoder.kb.schema import Predicate, Schema
from logicoder.learner.parameters import ONE_RUN
from logicoder.learner.settings import plain
from logicoder.logic.gloss import glossed
from logicoder.logic.parser import parse_program
from logicoder.logic.symbols import atom_text

T = TypeVar("T")

VERSION = 2
MODEL_FILE = "model.alp"
SECTIONS = ("background", "encoder", "decoder", "end")
_STACK_END = "%% end of the stack"


class StoredSchema(Struct):
    """A schema as plain data."""

    predicates: tuple[Predicate, ...]
    domains: dict[str, tuple[str, ...]] = {}

    @classmethod
    def of(cls, schema: Schema) -> StoredSchema:
        """Return what a file keeps of a schema."""
        return cls(tuple(schema.values()), dict(schema.domains))

    def schema(self) -> Schema:
        """Return the schema."""
        return Schema({predicate.name: predicate for predicate in self.predicates}, self.domains)


class ModelHeader(Struct, kw_only=True):
    """What the file of a model says before its programs; those of version 1 keep nothing beside latents."""

    parameters: dict[str, Plain]
    schema: StoredSchema | None = None
    results: Results
    history: tuple[Improved, ...]
    encoder_clauses: Count
    decoder_clauses: Count
    kept: tuple[str, ...] = ()
    bases: tuple[StoredBase, ...] = ()
    plan: StoredPlan | None = None
    mapping: dict[str, Plain] | None = None
    format: str | None = None


class StackHeader(Struct, kw_only=True):
    """What the file of a stack says before its layers."""

    layers: Count
    parameters: dict[str, Plain]
    results: Results


@dataclass(frozen=True)
class StoredModel:
    """The content of a model file."""

    header: ModelHeader
    layer: Layer
    line: int = 2
    """Where the header starts in the file."""

    @classmethod
    def of(
        cls,
        layer: Layer,
        parameters: Mapping[str, Any],
        results: Results,
        history: Sequence[Improved],
    ) -> StoredModel:
        """Return what the file of a model keeps; the parameters are plain data."""
        header = ModelHeader(
            parameters=portable(parameters),
            schema=None if layer.schema is None else StoredSchema.of(layer.schema),
            results=results,
            history=tuple(history),
            encoder_clauses=len(layer.encoder),
            decoder_clauses=len(layer.decoder),
            kept=layer.kept,
            bases=tuple(map(StoredBase.of, layer.bases)),
            plan=None if layer.plan is None else StoredPlan.of(layer.plan),
            mapping=None if layer.mapping is None else dict(layer.mapping),
            format=layer.format,
        )
        return cls(header, layer)

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

    header: StackHeader
    layers: tuple[StoredModel, ...]

    def lines(self) -> list[str]:
        """Return the lines of the file after its first."""
        lines = header_lines(self.header)
        for number, layer in enumerate(self.layers, start=1):
            lines += [f"%% layer {number}", *layer.lines()]
        return [*lines, _STACK_END]


def model_path(path: str | Path) -> Path:
    """Return the model file of a path, which may be the folder that holds it."""
    require("path", path, str, Path)
    return Path(path) / MODEL_FILE if os.path.isdir(path) else Path(path)


def write_model(path: str | Path, stored: StoredModel | StoredStack) -> None:
    """Write a model of one layer or several."""
    kind = "stack" if isinstance(stored, StoredStack) else "model"
    write_text(Path(path), "\n".join([f"% logicoder {kind}, version {VERSION}", *stored.lines()]) + "\n")


def is_stack(path: str | Path) -> bool:
    """Whether a model file, or the one in a folder, says that it holds several layers."""
    try:
        with model_path(path).open(encoding="utf-8", errors="replace") as stream:
            return _first_line("stack").match(stream.readline()) is not None
    except (OSError, ValueError):
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
    header = read_header(path, lines, 1, StackHeader, "the header of this stack")
    starts = [number for number, line in enumerate(lines) if line.startswith("%% layer ")]
    for number, start in enumerate(starts, start=1):
        if lines[start].rstrip() != f"%% layer {number}":
            raise InputError(
                f"this model file is damaged: expected the line '%% layer {number}'",
                location_of(path, start + 1, 1),
            )
    if lines[-1].rstrip() != _STACK_END or not starts or header.layers != len(starts):
        raise InputError(
            f"this model file is damaged: the header announces {header.layers} layers, there are "
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
            f"{told.format(what)} version {first[1]}; this logicoder reads up to version {VERSION}",
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
    what = "the header of this model"
    header = read_header(path, lines, low, ModelHeader, what)
    programs = {}
    for section, following in pairwise(SECTIONS):
        after, end = starts[section] + 1, starts[following]
        # Blank lines before the section keep the line numbers of error messages right.
        programs[section] = parse_program("\n" * after + "\n".join(lines[after:end]), str(path))
    for section, expected in (("encoder", header.encoder_clauses), ("decoder", header.decoder_clauses)):
        if expected != len(programs[section]):
            raise InputError(
                f"the header announces {expected} {section} clauses, but there are {len(programs[section])}",
                Location(str(path), starts[section] + 1, 1),
                "the file is damaged; if you edited it by hand, correct the number in the header",
            )
    with reading_header(what, path, low + 1):
        layer = Layer(
            **programs,
            schema=None if header.schema is None else header.schema.schema(),
            kept=header.kept,
            bases=tuple(base.base() for base in header.bases),
            plan=None if header.plan is None else header.plan.plan(),
            mapping=header.mapping,
            format=header.format,
        )
    return StoredModel(header, layer, low + 1)


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


def header_lines(header: Struct) -> list[str]:
    """Return a header as lines of comments."""
    text = json.dumps(to_builtins(header), indent=2, sort_keys=True, ensure_ascii=False)
    return [f"% {line}" for line in text.split("\n")]


def read_header(path: Path, lines: list[str], low: int, kind: type[T], what: str) -> T:
    """Read the header that starts at a line: all lines of comments up to the first that is none, or `%%`."""
    high = low
    while high < len(lines) and re.match(r"%(?!%)", lines[high]):
        high += 1
        if lines[high - 1].rstrip() == "% }":
            break
    text = "\n".join(" " + line.removeprefix("%") for line in lines[low:high])
    return json_of(text, kind, what, path, line=low + 1)


@contextmanager
def reading_header(what: str, path: Path, line: int) -> Iterator[None]:
    """Refuse a header whose content is not what it should be, with its place."""
    try:
        yield
    except (LogicoderError, ValueError) as error:
        raise InputError(f"{what} is damaged: {error}", location_of(path, line, 1)) from None


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


def given_parameters(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of plain data that belong to a model: what JSON keeps as a list is a tuple."""
    kept = portable(parameters)
    return {name: tuple(value) if isinstance(value, list) else value for name, value in kept.items()}
