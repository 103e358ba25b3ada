"""Saving and loading a problem as a versioned JSON file (compressed when the name ends in `.gz`)."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, TypeVar

from logicoder.base.errors import InputError, location_of
from logicoder.base.files import atomic_writer, read_text
from logicoder.problem.model import (
    CoverageClass,
    DecoderItem,
    Demand,
    EncoderItem,
    Inclusion,
    LinearConstraint,
    PredicateItem,
    Problem,
    Requirement,
)

T = TypeVar("T")

FORMAT = "logicoder problem"
VERSION = 3


def save_problem(problem: Problem, path: str | Path) -> None:
    """Write a problem to a file."""
    data = {"format": FORMAT, "version": VERSION, **asdict(problem)}
    for kind in ("encoders", "decoders"):
        data[kind] = [{"clause": str(item.pop("definition")), **item} for item in data[kind]]
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
        problem = _problem(data)
        _check(problem)
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
        raise InputError(f"this problem file is damaged: {error!r}", location_of(path)) from None
    return problem


_PARTS: dict[str, type[Any]] = {
    "targets": PredicateItem,
    "encoders": EncoderItem,
    "decoders": DecoderItem,
    "constraints": LinearConstraint,
    "requirements": Requirement,
    "demands": Demand,
}
_NUMBERS = ("atoms", "weight_unit", "latent_cap", "fixed_bits", "plain_bits")


def _problem(data: dict[str, Any]) -> Problem:
    parts: dict[str, Any] = {name: _items(kind, data[name]) for name, kind in _PARTS.items()}
    parts |= {name: int(data[name]) for name in _NUMBERS}
    return Problem(
        **parts,
        families={name: _items(CoverageClass, classes) for name, classes in data["families"].items()},
        encoder_generality=_inclusion(data["encoder_generality"]),
        decoder_generality=_inclusion(data["decoder_generality"]),
        irreparable=tuple(data["irreparable"]),
        mask=_ratio(data["mask"]),
        statistics=dict(data["statistics"]),
    )


def _items(kind: type[T], several: list[dict[str, Any]]) -> tuple[T, ...]:
    """Return items of one kind, their fields converted to what they are declared as."""
    convert: dict[str, Callable[[Any], Any]] = {"int": int, "bool": bool, "tuple": tuple}
    in_files = {"definition": "clause"}
    how = []
    for field in fields(kind):  # type: ignore[arg-type]
        made = convert.get(str(field.type).partition("[")[0], lambda value: value)
        how.append((field.name, in_files.get(field.name, field.name), made))
    return tuple(kind(**{name: made(item[key]) for name, key, made in how}) for item in several)


def _check(problem: Problem) -> None:
    """Refuse parts that do not fit together."""
    encoders, decoders, targets = len(problem.encoders), len(problem.decoders), len(problem.targets)
    _check_clauses(problem)
    if "ordinary" not in problem.families:
        raise ValueError("the family of ordinary coverage classes is missing")
    for covered in (item for classes in problem.families.values() for item in classes):
        _check_indices("decoder", covered.decoders, decoders)
        _check_indices("predicate", (covered.predicate,), targets)
    for requirement in problem.requirements:
        _check_indices("decoder", requirement.decoders, decoders)
    for demand in problem.demands:
        _check_indices("encoder", demand.encoders, encoders)
        _check_indices("decoder", demand.decoders, decoders)
    if problem.weight_unit < 1 or any(target.weight < 1 for target in problem.targets):
        raise ValueError("weights must be positive")
    for constraint in problem.constraints:
        _check_constraint(constraint, encoders, decoders, targets)
    for order, clauses in ((problem.encoder_generality, encoders), (problem.decoder_generality, decoders)):
        if order is not None and len(order.nodes) != clauses:
            raise ValueError(f"{clauses} clauses have {len(order.nodes)} nodes")


def _check_clauses(problem: Problem) -> None:
    for clause in (*(e.definition for e in problem.encoders), *(d.definition for d in problem.decoders)):
        if not isinstance(clause, str):
            raise TypeError(f"the clause {clause!r} is not text")
    names = set(problem.positions)
    for decoder in problem.decoders:
        _check_indices("encoder", decoder.latents, len(problem.encoders))
        if decoder.predicate not in names:
            raise ValueError(f"there is no predicate {decoder.predicate!r}")


def _check_constraint(constraint: LinearConstraint, encoders: int, decoders: int, targets: int) -> None:
    parts = (
        (constraint.encoders, encoders),
        (constraint.decoders, decoders),
        (constraint.missing, targets),
        (constraint.false, targets),
        (constraint.masked, targets),
    )
    for coefficients, count in parts:
        if coefficients and (
            len(coefficients) != count or not all(isinstance(number, int) for number in coefficients)
        ):
            raise ValueError(f"the constraint {constraint.name!r} needs {count} whole numbers")
    if min((*constraint.missing, *constraint.false, *constraint.masked), default=0) < 0:
        raise ValueError(f"the constraint {constraint.name!r} rewards mistakes")


def _check_indices(kind: str, indices: tuple[int, ...], count: int) -> None:
    for index in indices:
        if not isinstance(index, int) or not 0 <= index < count:
            raise ValueError(f"there is no {kind} number {index!r}")


def _ratio(data: list[int]) -> tuple[int, int]:
    numerator, denominator = map(int, data)
    if numerator < 0 or denominator < 1:
        raise ValueError(f"{data!r} is no weight")
    return numerator, denominator


def _inclusion(data: dict[str, Any] | None) -> Inclusion | None:
    if data is None:
        return None
    return Inclusion(tuple(data["nodes"]), tuple((int(a), int(b)) for a, b in data["edges"]))
