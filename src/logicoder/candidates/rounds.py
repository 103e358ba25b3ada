"""Rounds: which latents are combined when, and which candidates stay."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from logicoder.candidates.candidate_options import CandidateOptions
from logicoder.engine.handles import Decoder

_PAIRED = 400
"""Latents that a round combines in pairs with each other and with those of the present program."""

CHAINED = 24
"""Latents that a round combines into long bodies with those of the present program."""

_SCREENED_ROUNDS = 2
"""Most rounds on large data: each goes through all heads that still lose facts."""


@dataclass(frozen=True)
class Tried:
    """The latents that a round adds to those of the present program."""

    paired: list[int]
    chained: list[int]


class Rounds:
    """Which latents are combined when: in turn the smallest, the largest and random ones.

    Attributes:
        done: number of rounds so far.
        lazy: whether there are rounds at all.
        partly: latents that are combined with some others only.
    """

    def __init__(self, settings: CandidateOptions) -> None:
        self._most = settings.working_set
        self._long = settings.decoder_length > 2
        self._limit = settings.rounds
        self._random = random.Random(settings.seed)  # noqa: S311  (a search, not a secret)
        self._unpaired: list[int] = []
        self._unchained: list[int] = []
        self._screened = False
        self.done = 0
        self.lazy = False
        self.partly = 0

    def first(self, sizes: Sequence[int]) -> list[int]:
        """Return the latents of the first problem, given how many facts each has, the shortest first."""
        count = len(sizes)
        most = count if self._most is None else min(self._most, count)
        self._unpaired = self._in_turn(range(most, count), sizes)
        # Long bodies over many latents are never enumerated in full.
        self.lazy = most < count or (self._long and count > CHAINED)
        self._unchained = self._in_turn(range(count), sizes) if self._long and self.lazy else []
        # Even after all rounds, two latents that came in different rounds were never combined.
        self.partly = len(set(self._unpaired) | set(self._unchained))
        return list(range(most))

    def screen(self, latents: int) -> None:
        """Take note that each head is given some of the latents only, in every round anew."""
        self.lazy = True
        self.partly = latents
        self._limit = min(self._limit, _SCREENED_ROUNDS)
        self._screened = True

    def _in_turn(self, numbers: Sequence[int], sizes: Sequence[int]) -> list[int]:
        ascending = sorted(numbers, key=lambda i: (sizes[i], i))
        shuffled = list(numbers)
        self._random.shuffle(shuffled)
        queues = (ascending, ascending[::-1], shuffled)
        mixed = (item for turn in zip(*queues, strict=True) for item in turn)
        return list(dict.fromkeys(mixed))

    def next(self, used: Collection[int]) -> Tried | None:
        """Return the latents of the next round, or None after the last."""
        if self.done >= self._limit or not (self._screened or self._unpaired or self._unchained):
            return None
        self.done += 1
        present = set(used)
        paired, self._unpaired = _taken(self._unpaired, present, _PAIRED)
        chained, self._unchained = _taken(self._unchained, present, CHAINED)
        return Tried(paired, chained)


def _taken(queue: list[int], present: Collection[int], count: int) -> tuple[list[int], list[int]]:
    rest = [item for item in queue if item not in present]
    return rest[:count], rest[count:]


def merged(
    present: Sequence[Decoder], found: Sequence[Decoder], known: Sequence[Decoder], limit: int | None
) -> list[Decoder]:
    """Return the decoders of the present program, new ones, and as many of the known as there is room."""
    chosen = {id(decoder): decoder for decoder in (*present, *found)}
    for decoder in sorted(known, key=lambda d: d.false - d.true):
        if limit is not None and len(chosen) >= limit:
            break
        chosen.setdefault(id(decoder), decoder)
    return list(chosen.values())
