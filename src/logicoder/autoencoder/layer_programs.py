"""Programs of layers on top of each other: names that fit together, and the same as one program."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from logicoder.autoencoder.layer import Layer
from logicoder.base.errors import InputError, UsageError, location_of
from logicoder.logic.latent_names import renamed
from logicoder.logic.terms import Program
from logicoder.logic.unfolding import unfold

_NUMBERED = re.compile(r"latent_*(\d+)\Z")


def require_latents(encoder: Program, decoder: Program) -> None:
    """Refuse a decoder that speaks of what the encoder does not define."""
    latent = set(encoder.defined())
    for clause in decoder:
        strangers = sorted(clause.body_predicates() - latent - set(decoder.defined()))
        if strangers:
            raise InputError(
                f"in the clause {clause}\n  the encoder defines no latent predicate {strangers[0]}",
                hint=f"it defines: {', '.join(sorted(latent))}",
            )


def require_known(layer: Layer, path: Path) -> None:
    """Refuse a saved model whose decoder speaks of what nothing represents."""
    known = {*layer.represented, *layer.decoder.defined()}
    for clause in layer.decoder:
        strangers = sorted(clause.body_predicates() - known)
        if strangers:
            raise InputError(
                f"in the clause {clause}\n  {strangers[0]} is not defined",
                location_of(path),
                "the model is damaged or was edited by hand",
            )


def require_layers_that_fit(layers: Sequence[Layer]) -> None:
    """Refuse layers of which one speaks of what the one below does not define, or takes a name again."""
    if not layers:
        raise UsageError("a stack needs at least one layer")
    taken = _mentioned(layers[0].encoder) - set(layers[0].encoder.defined())
    taken |= set(layers[0].decoder.defined()) | set(layers[0].background.defined())
    for number, layer in enumerate(layers, start=1):
        latents = set(layer.encoder.defined())
        if number > 1:
            below = layers[number - 2].encoder.defined()
            strangers = _mentioned(layer.encoder) - latents - set(below) - set(layer.background.defined())
            if strangers:
                raise InputError(
                    f"layer {number} uses {min(strangers)}, which the layer below does not define",
                    hint=f"it defines: {', '.join(below)}",
                )
        if latents & taken:
            raise InputError(
                f"the latent predicate {min(latents & taken)} of layer {number} has the name of another",
                hint="rename it",
            )
        taken |= latents


def with_own_names(
    encoder: Program, decoder: Program, number: int, taken: Collection[str]
) -> tuple[Program, Program]:
    """Return the programs of a layer with names of latent predicates that no other layer has.

    Numbered ones tell the layer: `latent2_1` is the first latent predicate of layer 2.
    """
    names: dict[str, str] = {}
    for name in encoder.defined():
        numbered = _NUMBERED.match(name)
        new = f"latent{number}_{numbered[1]}" if numbered and number > 1 else name
        names[name] = _free(new, {*taken, *names.values()})
    return _renamed(encoder, names), _renamed(decoder, names)


def flattened(layers: Sequence[Layer]) -> tuple[Program, Program]:
    """Return encoder and decoder without what lies between the data and the topmost latent predicates."""
    encoders = Program(tuple(clause for layer in layers for clause in layer.encoder))
    top, latents = layers[-1].encoder.defined(), set(encoders.defined())
    inputs = _mentioned(layers[0].encoder) - latents
    bottom = layers[0].decoder.defined()
    taken = latents | set(bottom) | inputs
    decoders = list(layers[0].decoder)
    for below, layer in pairwise(layers):
        own = set(layer.decoder.defined()) - set(below.encoder.defined())
        names = {name: _free(name, taken) for name in sorted(own)}
        taken |= set(names.values())
        decoders = [*_renamed(layer.decoder, names), *decoders]
    return unfold(encoders, top, inputs), unfold(Program(tuple(decoders)), bottom, top)


def _free(name: str, taken: Collection[str]) -> str:
    """Return a name that is not taken."""
    while name in taken:
        name += "_"
    return name


def _mentioned(program: Program) -> set[str]:
    """Return the predicates in the bodies of a program."""
    return {name for clause in program for name in clause.body_predicates()}


def _renamed(program: Program, names: Mapping[str, str]) -> Program:
    return Program(tuple(renamed(clause, names) for clause in program))
