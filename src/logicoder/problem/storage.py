"""Saving and loading a problem as a versioned JSON file (compressed when the name ends in `.gz`)."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from logicoder.base.errors import InputError, location_of
from logicoder.base.files import atomic_writer, read_text
from logicoder.problem.model import (
    CoverageClass,
    DecoderItem,
    EncoderItem,
    Inclusion,
    LinearConstraint,
    Problem,
    Requirement,
)

FORMAT = "logicoder problem"
VERSION = 1


def save_problem(problem: Problem, path: str | Path) -> None:
    """Write a problem to a file."""
    data = {"format": FORMAT, "version": VERSION, **asdict(problem)}
    with atomic_writer(Path(path)) as stream:
        json.dump(data, stream, separators=(",", ":"))


def load_problem(path: str | Path) -> Problem:
    """Read a problem from a file; a damaged or newer file is refused."""
    path = Path(path)
    try:
        data = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise InputError(
            f"this is not a sound problem file ({error.msg})", location_of(path, error.lineno, error.colno)
        ) from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InputError("this is not a logicoder problem file", location_of(path))
    if data.get("version") != VERSION:
        raise InputError(
            f"this problem file has version {data.get('version')}; this program reads version {VERSION}",
            location_of(path),
            "update logicoder, or make the file anew",
        )
    try:
        return _problem(data)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"this problem file is damaged: {error!r}", location_of(path)) from None


def _problem(data: dict[str, Any]) -> Problem:
    return Problem(
        facts=int(data["facts"]),
        predicates=int(data["predicates"]),
        encoders=tuple(
            EncoderItem(e["clause"], int(e["weight"]), int(e["literals"]), tuple(e["dependencies"]))
            for e in data["encoders"]
        ),
        decoders=tuple(
            DecoderItem(
                d["clause"],
                d["predicate"],
                tuple(d["latents"]),
                int(d["literals"]),
                int(d["true"]),
                int(d["false"]),
            )
            for d in data["decoders"]
        ),
        families={
            name: tuple(
                CoverageClass(bool(c["true"]), int(c["weight"]), tuple(c["decoders"])) for c in classes
            )
            for name, classes in data["families"].items()
        },
        unreachable=int(data["unreachable"]),
        bottlenecks=tuple(
            LinearConstraint(b["name"], tuple(b["coefficients"]), int(b["bound"]))
            for b in data["bottlenecks"]
        ),
        encoder_generality=_inclusion(data["encoder_generality"]),
        decoder_generality=_inclusion(data["decoder_generality"]),
        requirements=tuple(Requirement(r["predicate"], tuple(r["decoders"])) for r in data["requirements"]),
        irreparable=tuple(data["irreparable"]),
        atoms=int(data["atoms"]),
        statistics=dict(data["statistics"]),
    )


def _inclusion(data: dict[str, Any] | None) -> Inclusion | None:
    if data is None:
        return None
    return Inclusion(tuple(data["nodes"]), tuple((int(a), int(b)) for a, b in data["edges"]))
