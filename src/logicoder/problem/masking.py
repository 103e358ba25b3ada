"""Masked reconstruction: what comes back of a predicate without looking at the predicate itself.

A decoder of p is *eligible* where none of its latents depends on p. The masked loss of p is the number of its
facts that no selected eligible decoder rebuilds; false atoms count once, in the ordinary loss. It is to
auto-encoding logic programs what masking is to neural auto-encoders: a representation with a small masked
loss predicts each predicate from the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from logicoder.problem.model import CoverageClass, DecoderItem, EncoderItem, Problem

MASKED = "masked"
"""The name of the family of coverage classes."""


def is_eligible(decoder: DecoderItem, encoders: Sequence[EncoderItem]) -> bool:
    """Whether a decoder uses no latent that depends on the predicate of its head."""
    return not any(decoder.predicate in encoders[latent].dependencies for latent in decoder.latents)


def with_masking(problem: Problem, weight: Fraction = Fraction(1)) -> Problem:
    """Return a problem with the family of masked coverage classes.

    Args:
        problem: what to choose from.
        weight: what a fact that is missing when masked counts, beside one for an ordinary mistake.
    """
    eligible = [is_eligible(decoder, problem.encoders) for decoder in problem.decoders]
    merged: dict[tuple[int, tuple[int, ...]], int] = {}
    for item in problem.classes:
        if item.true:
            # Facts that differ only in the decoders that do not count here are alike.
            key = (item.predicate, tuple(d for d in item.decoders if eligible[d]))
            merged[key] = merged.get(key, 0) + item.weight
    classes = tuple(
        CoverageClass(True, number, decoders, predicate) for (predicate, decoders), number in merged.items()
    )
    return replace(
        problem, families={**problem.families, MASKED: classes}, mask=(weight.numerator, weight.denominator)
    )
