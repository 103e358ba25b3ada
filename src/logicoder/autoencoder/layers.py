"""Programs of layers on top of each other: names that fit together, and the same as one program."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from logicoder.autoencoder.coding import Coding
from logicoder.base.errors import InputError, UsageError
from logicoder.logic.terms import Atom, Clause, Program
from logicoder.logic.unfolding import unfold

_NUMBERED = re.compile(r"latent_*(\d+)\Z")


def require_layers_that_fit(layers: Sequence[Coding]) -> None:
    """Refuse layers of which one speaks of what the one below does not define, or takes a name again."""
    if not layers:
        raise UsageError("a stack needs at least one layer")
    taken = _mentioned(layers[0].encoder_) - set(layers[0].encoder_.defined())
    taken |= set(layers[0].decoder_.defined()) | layers[0].background_predicates()
    for number, layer in enumerate(layers, start=1):
        latents = set(layer.encoder_.defined())
        if number > 1:
            below = layers[number - 2].encoder_.defined()
            strangers = _mentioned(layer.encoder_) - latents - set(below) - layer.background_predicates()
            if strangers:
                raise InputError(
                    f"layer {number} speaks of {min(strangers)}, which the one below does not define",
                    hint=f"it defines: {', '.join(below)}",
                )
        if latents & taken:
            raise InputError(
                f"the latent predicate {min(latents & taken)} of layer {number} has the name of another",
                hint="rename it",
            )
        taken |= latents


def rename_latents(layer: Coding, number: int, taken: Collection[str]) -> None:
    """Give the latent predicates of a layer names that no other layer has.

    Numbered ones tell the layer: `latent2_1` is the first latent predicate of layer 2.
    """
    names: dict[str, str] = {}
    for name in layer.encoder_.defined():
        numbered = _NUMBERED.match(name)
        new = f"latent{number}_{numbered[1]}" if numbered and number > 1 else name
        names[name] = _free(new, {*taken, *names.values()})
    layer.encoder_ = _renamed(layer.encoder_, names)
    layer.decoder_ = _renamed(layer.decoder_, names)


def flattened(layers: Sequence[Coding]) -> tuple[Program, Program]:
    """Return encoder and decoder without what lies between the data and the topmost latent predicates."""
    encoders = Program(tuple(clause for layer in layers for clause in layer.encoder_))
    top, latents = layers[-1].encoder_.defined(), set(encoders.defined())
    inputs = _mentioned(layers[0].encoder_) - latents
    bottom = layers[0].decoder_.defined()
    taken = latents | set(bottom) | inputs
    decoders = list(layers[0].decoder_)
    for below, layer in pairwise(layers):
        own = set(layer.decoder_.defined()) - set(below.encoder_.defined())
        names = {name: _free(name, taken) for name in sorted(own)}
        taken |= set(names.values())
        decoders = [*_renamed(layer.decoder_, names), *decoders]
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
    def atom(old: Atom) -> Atom:
        return replace(old, predicate=names.get(old.predicate, old.predicate))

    return Program(
        tuple(
            Clause(
                atom(clause.head),
                tuple(tuple(replace(i, atom=atom(i.atom)) for i in body) for body in clause.alternatives),
            )
            for clause in program
        )
    )
