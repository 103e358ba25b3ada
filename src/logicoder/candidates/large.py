"""Decoder candidates of large data: head by head, over the latents that promise most for it.

All pairs of all latents for all heads are too many where there are hundreds of predicates, and all their
atoms are too many where there are millions of facts. So each head gets some latents, and its candidates are
judged by a sample of its atoms if there are many. A program chosen from them tells which are worth listing in
full; with the best of the others, as far as there is room, they make the problem that is solved in the end,
so that its loss is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice, zip_longest

from logicoder.base.memory import MemoryBudget
from logicoder.candidates.decoders import DecoderSource, Focus
from logicoder.engine.clauses import Head
from logicoder.engine.handles import Counted, Decoder, Extension
from logicoder.engine.questions import Acceptance, DecoderQuestion, DecoderStatistics, Sampling
from logicoder.problem.model import Problem

MOST_DECODERS = 6_000
"""Most decoder candidates of a problem of large data, unless `max_decoders` is less."""

_MOST_LATENTS = 128
"""Most latents that are combined with each other for a head."""

_FEW_LATENTS = 8
"""So many latents are combined in any case, further ones as long as there is memory for their tuples."""

_TUPLE_BYTES = 600
"""Measured: what a tuple of a latent takes in all of its views while it is combined with others."""

_MOST_FACTS = 1_000
"""About so many facts of a head are in the sample by which its candidates are judged."""

_ATOMS_PER_FACT = 8
_LEAST_ATOMS = 10_000_000
"""All decoders of a problem together derive at most so many atoms for each fact, or so many in any case."""

_BYTES_PER_ATOM = 120
"""What a derived atom takes while coverage classes are made."""

_CORRUPTION = Fraction(1, 2)
"""Decoders of large data derive fewer false than true atoms, unless `max_corruption` is less."""

_LINKS = 4_000_000
_LINK_BYTES = 80
"""At most so many pairs of values that latents link are looked at, and what each takes."""

_LOOKED_AT_BYTES = 120
"""What a tuple takes while it is looked at."""

_HEAD_BYTES = 200 << 20
"""What the decoders of a head of large data take while they are evaluated."""


@dataclass
class LargeDecoders:
    """The decoder candidates of a run on large data.

    Attributes:
        source: asks the engine and applies the rules.
        budget: how much memory there is.
        jobs: number of threads; the result does not depend on it.
        every: for each predicate, one in how many values of its first variable its candidates are judged by.
    """

    source: DecoderSource
    budget: MemoryBudget
    jobs: int
    every: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.jobs = max(1, min(self.jobs, self.budget.free // _HEAD_BYTES))

    def decoders(self, focus: Focus | None = None, used: Collection[int] = ()) -> list[Decoder]:
        """Return candidates for all heads, or for those that can gain; of sampled heads, on the sample.

        Args:
            focus: where a program can still gain.
            used: latents that come first.
        """
        source, options = self.source, self.source.options
        heads: dict[str, list[Head]] = {}
        every = source.heads(options.switches, focus)
        for name in source.kb.learnable:
            if own := [head for head in every if head.predicate == name]:
                heads[name] = own
        counts = dict(zip(every, source.engine.fact_counts(every), strict=True))
        self.every |= {
            name: max(1, max(counts[head] for head in own) // _MOST_FACTS) for name, own in heads.items()
        }
        chosen = self._working_set(list(heads), focus, used)
        latents_of = self._latents_of(chosen, list(heads), focus)
        most = min(options.max_decoders or MOST_DECODERS, MOST_DECODERS)
        each = max(20, most // max(1, len(heads)))

        def of_head(name: str) -> tuple[list[Decoder], DecoderStatistics]:
            statistics = DecoderStatistics()
            question = self._question(heads[name], latents_of(name), focus, self.every[name], statistics)
            counted: list[Counted] = list(source.engine.count(question, lambda done, total: None))  # noqa: ARG005
            return source.pruned(counted, each, statistics, thrifty=True), statistics

        source.watch.decoders(0, len(heads))
        found: list[Decoder] = []
        with ThreadPoolExecutor(self.jobs, "logicoder-heads") as pool:
            pending = [pool.submit(of_head, name) for name in heads]
            try:
                for done, future in enumerate(pending, start=1):
                    decoders, statistics = future.result()
                    found += decoders
                    source.statistics.add(statistics)
                    source.watch.decoders(done, len(heads))
            finally:
                for future in pending:
                    future.cancel()
        return found

    def _question(
        self,
        heads: Sequence[Head],
        latents: Mapping[int, Extension],
        focus: Focus | None,
        every: int,
        statistics: DecoderStatistics,
    ) -> DecoderQuestion:
        options = self.source.options
        return DecoderQuestion(
            heads,
            latents,
            min(2, options.decoder_length),
            Acceptance(min(_CORRUPTION, options.corruption or _CORRUPTION)),
            statistics,
            options.switches.negation,
            None if focus is None else focus.missed,
            Sampling(every, _MOST_FACTS, options.seed, together=self._together // self.jobs),
        )

    def _working_set(self, predicates: list[str], focus: Focus | None, used: Collection[int]) -> list[int]:
        """Return the latents to combine: those used, those of one literal, and the most promising others."""
        latents = self.source.latents
        count = len(latents)
        most = self.source.options.working_set or count
        scores = dict.fromkeys(range(count), 0.0)
        if count > most:
            missed = None if focus is None else focus.missed
            scores = self.source.engine.promises(self.source.extensions(range(count)), predicates, missed)
        present = set(used)
        order = sorted(range(count), key=lambda n: (n not in present, latents[n].literals > 1, -scores[n], n))
        return order[:most]

    def _latents_of(
        self, chosen: list[int], predicates: list[str], focus: Focus | None
    ) -> Callable[[str], dict[int, Extension]]:
        """Return what gives the latents that are combined for a predicate."""
        extensions = self.source.extensions(chosen)
        if len(chosen) <= _MOST_LATENTS:
            return lambda name: extensions  # noqa: ARG005
        rankings = self.source.engine.promising(
            extensions,
            predicates,
            None if focus is None else focus.missed,
            self._own(chosen),
            links=self._links if self.source.options.decoder_length > 1 else 0,
            together=self._together,
        )

        def best(name: str) -> dict[int, Extension]:
            mixed = (n for turn in zip_longest(*rankings(name)) for n in turn if n is not None)
            left = self.budget.part(0.3) // (self.jobs * _TUPLE_BYTES)
            found: dict[int, Extension] = {}
            for number in islice(dict.fromkeys(mixed), _MOST_LATENTS):
                left -= extensions[number].size
                if left >= 0 or len(found) < _FEW_LATENTS:
                    found[number] = extensions[number]
            return {number: found[number] for number in sorted(found)}

        return best

    @property
    def _links(self) -> int:
        return max(1, min(_LINKS, self.budget.part(0.15) // _LINK_BYTES))

    @property
    def _together(self) -> int:
        return max(1, self.budget.part(0.2) // _LOOKED_AT_BYTES)

    def _own(self, chosen: Sequence[int]) -> dict[str, list[int]]:
        """Return for each predicate the latents that mention no other."""
        found: dict[str, list[int]] = {}
        for number in chosen:
            mentioned = list(self.source.latents[number].dependencies)
            if len(mentioned) == 1:
                found.setdefault(self.source.kb.predicates[mentioned[0]], []).append(number)
        return found

    @property
    def sampled(self) -> int:
        """Number of heads that were judged by a sample of their atoms."""
        return sum(every > 1 for every in self.every.values())

    def guide(self, problem: Problem) -> Problem:
        """Return the problem of the sampled atoms: each stands for many, and limits by predicate wait."""
        targets = tuple(
            replace(target, weight=target.weight * self.every.get(target.name, 1))
            for target in problem.targets
        )
        constraints = tuple(c for c in problem.constraints if c.family != "limit")
        return replace(problem, targets=targets, constraints=constraints)

    # -- listing --------------------------------------------------------------------------------------

    @property
    def most_atoms(self) -> int:
        """Most atoms that all decoders of a problem may derive together."""
        facts = sum(self.source.engine.facts(name).size for name in self.source.kb.learnable)
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
        self.source.statistics.limit += len(present) + len(others) - len(found)
        return found

    def _in_turn(self, decoders: Sequence[Decoder]) -> list[Decoder]:
        """Return decoders in turn by what they gain, by what they gain per latent fact, and by these."""

        def cost(decoder: Decoder) -> int:
            return sum(self.source.latents[number].extension.size for number in decoder.latents)

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
        limit = self.source.options.join_limit(self.source.kb.size)
        memory = self.budget.part(0.3) // _BYTES_PER_ATOM
        return self.source.engine.complete(
            decoder,
            self.source.extensions(decoder.latents),
            memory if limit is None else min(limit, memory),
        )
