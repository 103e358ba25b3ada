"""Saving and loading a problem as a versioned JSON file (compressed when the name ends in `.gz`)."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from msgspec import Struct, structs

from logicoder.base.errors import InputError, location_of
from logicoder.base.files import atomic_writer, read_text
from logicoder.base.saved_json import Count, Whole, json_of
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
    Weight,
)

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
    """Read a problem from a file; a damaged or newer file is an error."""
    path = Path(path)
    text = read_text(path)
    mark = json_of(text, _Mark, "this problem file", path)
    if mark.format != FORMAT:
        raise InputError("this is not a logicoder problem file", location_of(path))
    if mark.version != VERSION:
        raise InputError(
            f"this problem file has version {mark.version}; this logicoder reads version {VERSION}",
            location_of(path),
            "update logicoder, or create the file again",
        )
    stored = json_of(text, _Stored, "this problem file", path)
    parts = {name: getattr(stored, name) for name in _Stored.__struct_fields__}
    parts["encoders"] = tuple(EncoderItem(*structs.astuple(item)) for item in stored.encoders)
    parts["decoders"] = tuple(DecoderItem(*structs.astuple(item)) for item in stored.decoders)
    problem = Problem(**parts)
    try:
        _check(problem)
    except ValueError as error:
        raise InputError(f"this problem file is damaged: {error}", location_of(path)) from None
    return problem


class _Mark(Struct):
    """What the file says that it is."""

    format: str = ""
    version: Count = 0


class _StoredEncoder(Struct):
    """An `EncoderItem`, its fields in the same order."""

    clause: str
    weight: Count
    literals: Count
    dependencies: tuple[str, ...]
    bits: Whole


class _StoredDecoder(Struct):
    """A `DecoderItem`, its fields in the same order."""

    clause: str
    predicate: str
    latents: tuple[Count, ...]
    literals: Count
    true: Count
    false: Count
    bits: Whole
    exclusive: bool


class _Stored(Struct):
    """A `Problem`."""

    targets: tuple[PredicateItem, ...]
    encoders: tuple[_StoredEncoder, ...]
    decoders: tuple[_StoredDecoder, ...]
    families: dict[str, tuple[CoverageClass, ...]]
    constraints: tuple[LinearConstraint, ...]
    encoder_generality: Inclusion | None
    decoder_generality: Inclusion | None
    requirements: tuple[Requirement, ...]
    demands: tuple[Demand, ...]
    irreparable: tuple[str, ...]
    atoms: Count
    weight_unit: Weight
    latent_cap: Count
    fixed_bits: Whole
    plain_bits: Whole
    mask: tuple[Count, Weight]
    statistics: dict[str, Whole]


def _check(problem: Problem) -> None:
    """Refuse parts that do not fit together."""
    encoders, decoders, targets = len(problem.encoders), len(problem.decoders), len(problem.targets)
    if "ordinary" not in problem.families:
        raise ValueError("the family of ordinary coverage classes is missing")
    for decoder in problem.decoders:
        _check_indices("encoder", decoder.latents, encoders)
        if decoder.predicate not in problem.positions:
            raise ValueError(f"there is no predicate {decoder.predicate!r}")
        if not decoder.true + decoder.false:
            raise ValueError(f"the decoder {decoder.clause!r} derives nothing")
    for covered in (item for classes in problem.families.values() for item in classes):
        _check_indices("decoder", covered.decoders, decoders)
        _check_indices("predicate", (covered.predicate,), targets)
    for requirement in problem.requirements:
        _check_indices("decoder", requirement.decoders, decoders)
    for demand in problem.demands:
        _check_indices("encoder", demand.encoders, encoders)
        _check_indices("decoder", demand.decoders, decoders)
    _check_sums(problem)


def _check_sums(problem: Problem) -> None:
    """Refuse constraints and orders that speak of other clauses than there are."""
    encoders, decoders, targets = len(problem.encoders), len(problem.decoders), len(problem.targets)
    for constraint in problem.constraints:
        counts = (encoders, decoders, targets, targets, targets)
        parts = (constraint.encoders, constraint.decoders, constraint.missing, constraint.false)
        for coefficients, count in zip((*parts, constraint.masked), counts, strict=True):
            if coefficients and len(coefficients) != count:
                raise ValueError(f"the constraint {constraint.name!r} needs {count} whole numbers")
    for order, clauses in ((problem.encoder_generality, encoders), (problem.decoder_generality, decoders)):
        if order is not None:
            if len(order.nodes) != clauses:
                raise ValueError(f"{clauses} clauses have {len(order.nodes)} nodes")
            for edge in order.edges:
                _check_indices("node", edge, max(order.nodes, default=-1) + 1)


def _check_indices(kind: str, indices: tuple[int, ...], count: int) -> None:
    if max(indices, default=-1) >= count:
        raise ValueError(f"there is no {kind} number {max(indices)}")
