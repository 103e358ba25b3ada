"""Rounds: which latents are combined when, where a program still misses facts, and which candidates stay."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from logicoder.candidates.pruning import Decoder
from logicoder.candidates.targets import Target
from logicoder.engine.database import Database
from logicoder.engine.relation import joint_keys
from logicoder.learner.settings import Settings

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

    def __init__(self, settings: Settings) -> None:
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


class Misses:
    """What a program misses, head by head.

    Args:
        database: the data.
        predicates: predicates to be reconstructed.
        present: the decoders of the program.
        counts: whether what a decoder rebuilds is not missing: where masked facts count, not if it looks at
            its own predicate.
    """

    def __init__(
        self,
        database: Database,
        predicates: Sequence[str],
        present: Sequence[Decoder],
        counts: Callable[[Decoder], bool],
    ) -> None:
        self._database = database
        self._predicates = predicates
        self._atoms: dict[int, list[tuple[np.ndarray, ...]]] = {}
        self._false: dict[int, int] = {}
        for decoder in present:
            if counts(decoder):
                self._atoms.setdefault(decoder.predicate, []).append(decoder.atoms)
            self._false[decoder.predicate] = self._false.get(decoder.predicate, 0) + decoder.false

    def focus(self, target: Target) -> Target | None:
        """Return a target with the facts that the program misses; None where the predicate has no loss."""
        facts = self._database.relation(self._predicates[target.predicate])
        if not self._missing(target.predicate, facts.columns).any() and not self._false.get(target.predicate):
            return None
        atoms = target.atoms(self._database, target.facts)
        return replace(target, wanted=self._missing(target.predicate, atoms))

    def _missing(self, predicate: int, atoms: Sequence[np.ndarray]) -> np.ndarray:
        """Return which atoms of a predicate the program does not derive."""
        parts = self._atoms.get(predicate, [])
        if not parts:
            return np.ones(len(atoms[0]), np.bool_)
        derived = [np.concatenate(columns) for columns in zip(*parts, strict=True)]
        types = self._database.relation(self._predicates[predicate]).types
        left, right = joint_keys(atoms, derived, [self._database.sizes[kind] for kind in types])
        return ~np.isin(left, right)


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
