"""Decoder candidates of large data: head by head over promising latents, counted on samples, listed at last.

The first candidates are judged by a sample of the atoms of each head that has many. A program chosen from
them tells which are worth listing in full; with the best of the others, as far as there is room, they make
the problem that is solved in the end, so that its loss is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from logicoder.base.memory import MemoryBudget
from logicoder.candidates.batches import Acceptance, Batch, DecoderStatistics
from logicoder.candidates.encoders import Latent
from logicoder.candidates.heads import HeadEnumeration
from logicoder.candidates.promises import Promises
from logicoder.candidates.pruning import Decoder
from logicoder.candidates.sampling import derived_atoms
from logicoder.candidates.targets import Focus, Target, targets_of
from logicoder.engine.database import Database
from logicoder.engine.join import JoinTooLargeError
from logicoder.engine.relation import Relation, joint_keys
from logicoder.learner.settings import Settings
from logicoder.problem.model import Problem

MOST_DECODERS = 6_000
"""Most decoder candidates of a problem of large data, unless `max_decoders` is less."""

_MOST_LATENTS = 128
"""Most latents that are combined with each other for a head."""

_MOST_FACTS = 1_000
"""About so many facts of a head are in the sample by which its candidates are judged."""

_MOST_LINKS = 4_000_000
"""Most pairs of values by which latents that lead from one to the other are found."""

_ATOMS_PER_FACT = 8
_LEAST_ATOMS = 10_000_000
"""All decoders of a problem together derive at most so many atoms for each fact, or so many in any case."""

_BYTES_PER_ATOM = 120
"""What a derived atom takes while coverage classes are made."""

_CORRUPTION = Fraction(1, 2)
"""Decoders of large data derive fewer false than true atoms, unless `max_corruption` is less."""

Chooser = Callable[[Sequence[Batch], int, DecoderStatistics], list[Decoder]]
"""Chooses at most so many decoders from accepted candidates."""


@dataclass
class ScreenedDecoders:
    """The decoder candidates of a run on large data.

    Attributes:
        database: the data.
        predicates: predicates to be reconstructed.
        names: names of the predicates that latents mention by number.
        latents: all latents.
        settings: what to consider.
        budget: how much memory there is.
        statistics: counts, updated.
        chooser: chooses the decoders of a head.
        jobs: number of threads.
        every: for each predicate, one in how many values of its first variable its candidates are judged by.
    """

    database: Database
    predicates: Sequence[str]
    names: Sequence[str]
    latents: Sequence[Latent]
    settings: Settings
    budget: MemoryBudget
    statistics: DecoderStatistics
    chooser: Chooser
    jobs: int
    every: dict[int, int] = field(default_factory=dict)

    def decoders(
        self, advanced: Callable[[int, int], None], focus: Focus | None = None, used: Collection[int] = ()
    ) -> list[Decoder]:
        """Return candidates for all heads, or for those of which something is wanted.

        Args:
            advanced: told how many heads are done, of how many.
            focus: what of each head is wanted.
            used: latents that come first.
        """
        targets: dict[int, list[Target]] = {}
        for found in targets_of(self.database, self.predicates, self.settings.switches, focus).values():
            for target in found:
                targets.setdefault(target.predicate, []).append(target)
        targets = dict(sorted(targets.items()))
        facts = {number: self._wanted(number, targets[number]) for number in targets}
        chosen = self._working_set(facts, used)
        most = min(self.settings.max_decoders or MOST_DECODERS, MOST_DECODERS)
        each = max(20, most // max(1, len(targets)))
        enumeration = HeadEnumeration(
            self.database,
            targets,
            facts,
            {number: self.latents[number].relation for number in chosen},
            self._own(chosen),
            min(2, self.settings.decoder_length),
            Acceptance(min(_CORRUPTION, self.settings.corruption or _CORRUPTION)),
            self.settings.switches,
            lambda batches, statistics: self.chooser(batches, each, statistics),
            _MOST_LATENTS,
            _MOST_FACTS,
            _MOST_LINKS,
            self.settings.seed,
            self.jobs,
            self.statistics,
        )
        decoders = enumeration.run(advanced)
        self.every |= {number: enumeration.sampled(number) for number in targets}
        return decoders

    def _wanted(self, predicate: int, targets: Sequence[Target]) -> Relation:
        """Return the facts of a predicate that are wanted."""
        facts = self.database.relation(self.predicates[predicate])
        whole = (t.wanted for t in targets if t.wanted is not None and len(t.facts[0]) == len(facts))
        missing = next(whole, None)
        return facts if missing is None or not missing.any() else facts.select(missing)

    def _working_set(self, facts: Mapping[int, Relation], used: Collection[int]) -> list[int]:
        """Return the latents to combine: those used, those of one literal, and the most promising others."""
        count = len(self.latents)
        most = self.settings.working_set or count
        scores = dict.fromkeys(range(count), 0.0)
        if count > most:
            promises = Promises(self.database, list(facts.values()))
            scores = promises.scores({n: latent.relation for n, latent in enumerate(self.latents)})
        present = set(used)
        order = sorted(
            range(count), key=lambda n: (n not in present, self.latents[n].literals > 1, -scores[n], n)
        )
        return order[:most]

    def _own(self, chosen: Sequence[int]) -> dict[int, list[int]]:
        """Return for each predicate the latents that mention no other."""
        place = {name: number for number, name in enumerate(self.predicates)}
        found: dict[int, list[int]] = {}
        for number in chosen:
            mentioned = [self.names[p] for p in self.latents[number].dependencies]
            if len(mentioned) == 1 and mentioned[0] in place:
                found.setdefault(place[mentioned[0]], []).append(number)
        return found

    @property
    def sampled(self) -> int:
        """Number of heads that were judged by a sample of their atoms."""
        return sum(every > 1 for every in self.every.values())

    def guide(self, problem: Problem) -> Problem:
        """Return the problem of the sampled atoms: each stands for many, and limits by predicate wait."""
        targets = tuple(
            replace(target, weight=target.weight * self.every.get(number, 1))
            for number, target in enumerate(problem.targets)
        )
        constraints = tuple(c for c in problem.constraints if c.family != "limit")
        return replace(problem, targets=targets, constraints=constraints)

    # -- listing --------------------------------------------------------------------------------------

    @property
    def most_atoms(self) -> int:
        """Most atoms that all decoders of a problem may derive together."""
        facts = sum(len(self.database.relation(name)) for name in self.predicates)
        wanted = max(_LEAST_ATOMS, _ATOMS_PER_FACT * facts)
        return max(1, min(wanted, self.budget.part(0.4) // _BYTES_PER_ATOM))

    def listed(
        self, decoders: Sequence[Decoder], present: Sequence[Decoder], share: int = 1
    ) -> list[Decoder]:
        """Return decoders with all their atoms: those of a program, and the best others there is room for.

        Args:
            decoders: the candidates.
            present: those of the program.
            share: the room is one part in so many of the whole.
        """
        chosen = {id(decoder) for decoder in present}
        others = self._in_turn([d for d in decoders if id(d) not in chosen])
        left = self.most_atoms // share
        wanted: list[Decoder] = []
        for decoder in (*present, *others):
            expected = (decoder.true + decoder.false) * self.every.get(decoder.predicate, 1)
            if id(decoder) in chosen or expected <= left:
                left -= expected
                wanted.append(decoder)
        with ThreadPoolExecutor(self.jobs, "logicoder-atoms") as pool:
            found = [decoder for decoder in pool.map(self._listed, wanted) if decoder is not None]
        self.statistics.limit += len(present) + len(others) - len(found)
        return found

    def _in_turn(self, decoders: Sequence[Decoder]) -> list[Decoder]:
        """Return decoders in turn by what they gain, by what they gain per latent fact, and by these."""

        def cost(decoder: Decoder) -> int:
            return sum(len(self.latents[number].relation) for number in decoder.latents)

        def gain(decoder: Decoder) -> int:
            return (decoder.true - decoder.false) * self.every.get(decoder.predicate, 1)

        orders = (
            sorted(decoders, key=lambda d: -gain(d)),
            sorted(decoders, key=lambda d: -gain(d) / max(1, cost(d))),
            sorted(decoders, key=cost),
        )
        mixed = (decoder for turn in zip(*orders, strict=True) for decoder in turn)
        return list({id(decoder): decoder for decoder in mixed}.values())

    def _listed(self, decoder: Decoder) -> Decoder | None:
        """Return a decoder with all its atoms; None where there are too many."""
        if self.every.get(decoder.predicate, 1) == 1:
            return decoder
        relations = {number: self.latents[number].relation for number in decoder.latents}
        limit = self.settings.join_limit(self.database.kb.size)
        memory = self.budget.part(0.3) // _BYTES_PER_ATOM
        whole = self._whole[form(decoder.target)]
        try:
            atoms = derived_atoms(
                self.database, whole, decoder.body, relations, memory if limit is None else min(limit, memory)
            )
        except JoinTooLargeError:
            return None
        true, false = self._counts(whole, atoms)
        return Decoder(whole, decoder.body, atoms, true, false)

    @cached_property
    def _whole(self) -> dict[Form, Target]:
        """The heads with all their facts."""
        found = targets_of(self.database, self.predicates, self.settings.switches).values()
        return {form(target): target for targets in found for target in targets}

    def _counts(self, target: Target, atoms: tuple[np.ndarray, ...]) -> tuple[int, int]:
        name = self.predicates[target.predicate]
        facts = self.database.relation(name)
        other = self.database.relation(name, "false" if target.open_world else "unknown")
        sizes = [self.database.sizes[kind] for kind in facts.types]
        found = []
        for table in (facts, other):
            left, right = joint_keys(atoms, table.columns, sizes)
            found.append(int(np.count_nonzero(np.isin(right, left))) if len(table) else 0)
        true, listed = found
        return true, listed if target.open_world else len(atoms[0]) - true - listed


Form = tuple[int, tuple[int, ...], tuple[tuple[int, str], ...], bool]


def form(target: Target) -> Form:
    """Return what tells a head from all others, whatever sample of its facts it has."""
    return target.predicate, target.arguments, target.constants, target.unequal
