"""Dominance: decoder candidates that another one can stand for in every selection.

A candidate is dominated by one for the same predicate that uses some of its latents and no others, rebuilds
at least its true atoms and at most its false ones, and is no longer. Whatever selection holds the dominated
one is no worse with the other in its place: no atom is lost, none goes wrong, no latent is added. Under a
bottleneck on the *mean* size of latents a small latent can make room for a larger one, so that a surplus
latent that is smaller than that mean allows must stay available.

Generality may forbid the exchange, where a third clause of the selection is comparable with the new one. Then
one of the two is enough: the more general one. But the other may be the one that a predicate must have, which
is false in less than half of its atoms; `stands_for` says when that cannot happen.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain, combinations

from logicoder.engine.handles import Decoder
from logicoder.engine.interface import Engine
from logicoder.engine.questions import stands_for


def undominated(engine: Engine, decoders: Sequence[Decoder], needed: Collection[int] = ()) -> list[Decoder]:
    """Return the candidates that no other one dominates; of two equal ones the first stays.

    Args:
        engine: holds what they derive.
        decoders: the candidates.
        needed: latents that must not lose users: a bottleneck on the mean could need them.
    """
    by_latents: dict[tuple[str, tuple[int, ...]], list[int]] = {}
    for number, decoder in enumerate(decoders):
        by_latents.setdefault((decoder.predicate, decoder.latents), []).append(number)
    dominates = engine.dominance(decoders)
    kept = set(needed)
    dominated: set[int] = set()
    for number, decoder in enumerate(decoders):
        latents = decoder.latents
        rivals = (
            rival
            for part in chain.from_iterable(combinations(latents, n) for n in range(1, len(latents) + 1))
            if kept.isdisjoint(set(latents) - set(part))
            for rival in by_latents.get((decoder.predicate, part), ())
            if rival != number and rival not in dominated
        )
        if any(_could(decoders[rival], decoder) and dominates(rival, number) for rival in rivals):
            dominated.add(number)
    return [decoder for number, decoder in enumerate(decoders) if number not in dominated]


def _could(better: Decoder, worse: Decoder) -> bool:
    """Whether the numbers allow that one candidate dominates another."""
    # A recursive definition excludes other clauses of its head, so it cannot stand for one of them.
    if better.body.step is not None and worse.body.step is None:
        return False
    return bool(stands_for(better.true, better.false, worse.true, worse.false)) and (
        better.true >= worse.true
        and better.false <= worse.false
        and better.body.literals <= worse.body.literals
    )
