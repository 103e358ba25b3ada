"""What choices need: which predicates do not depend on one, and an order in which all needs are met."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from logicoder.compression.plan import Definition
from logicoder.compression.ways import Choice

Choices = Mapping[str, Choice]


def _needs(choices: Choices, latents: Sequence[Definition]) -> dict[str, frozenset[str]]:
    """Return the predicates that each one needs, by shorthands too."""
    parts: dict[str, frozenset[str]] = {}
    for latent in latents:
        if not latent.stored:
            parts[latent.name] = frozenset[str]().union(*(parts.get(n, {n}) for n in latent.needs))
    return {
        name: frozenset[str]().union(*(parts.get(other, {other}) for other in choice.needs))
        for name, choice in choices.items()
    }


def independent(name: str, choices: Choices, latents: Sequence[Definition]) -> frozenset[str]:
    """Return the predicates that do not need one, not even by others."""
    needs = _needs(choices, latents)
    bound = {name}
    while more := {other for other, own in needs.items() if other not in bound and own & bound}:
        bound |= more
    return frozenset(choices) - bound


def in_order_of_needs(choices: Choices, latents: Sequence[Definition]) -> dict[str, Choice]:
    """Return choices in an order in which all they need comes before, otherwise as they are."""
    needs = _needs(choices, latents)
    found: dict[str, Choice] = {}

    def add(name: str) -> None:
        if name in choices and name not in found:
            for other in choices:
                if other in needs[name]:
                    add(other)
            found[name] = choices[name]

    for name in choices:
        add(name)
    return found
