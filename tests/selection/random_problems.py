"""Random problems made from sets, and their optima by looking at every selection.

Encoders and decoders are sets of things; the problem is derived from them, and brute force looks at the sets,
never at the problem.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, combinations
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from logicoder.problem import (
    AverageFacts,
    Bottleneck,
    CoverageClass,
    DecoderItem,
    Demand,
    DescriptionLength,
    EncoderItem,
    Inclusion,
    LargestLatent,
    MaxLatents,
    PredicateItem,
    Problem,
    Requirement,
    TotalFacts,
)
from logicoder.problem.bottlenecks import with_bottlenecks
from logicoder.problem.limits import limits_of, with_limits
from logicoder.problem.weights import with_weights

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

REPEATABLE = settings(
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)

Things = frozenset[int]
Selection = frozenset[int]


@dataclass(frozen=True)
class Rules:
    """Which constraints hold; the bottleneck is an average of at most `mean`, None for no bottleneck.

    Attributes:
        latents: most latents.
        largest: most facts of a latent.
        bits: most millibits.
        weights: loss weight of each predicate; empty for ones.
        limits: (predicate, kind, greatest number).
        demands: (encoders, decoders), of which one must be selected.
        exclusive: decoders that must be the only ones of their predicate.
    """

    mean: Fraction | None
    total: int | None
    generality: bool
    requirements: bool
    latents: int | None = None
    largest: int | None = None
    bits: int | None = None
    weights: tuple[Fraction, ...] = ()
    limits: tuple[tuple[int, str, int], ...] = ()
    demands: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = ()
    exclusive: frozenset[int] = frozenset()


@dataclass(frozen=True)
class World:
    """Everything that a problem is made of.

    Attributes:
        truth: the facts of each predicate.
        latents: the facts of each latent predicate.
        decoders: predicate, latents and derived atoms of each decoder.
        rules: the constraints.
    """

    truth: tuple[Things, ...]
    latents: tuple[Things, ...]
    decoders: tuple[tuple[int, tuple[int, ...], Things], ...]
    rules: Rules

    # -- brute force ----------------------------------------------------------------------------------

    def selections(self) -> Iterator[Selection]:
        numbers = range(len(self.decoders))
        return map(frozenset, chain.from_iterable(combinations(numbers, n) for n in range(len(numbers) + 1)))

    def used(self, selection: Selection) -> set[int]:
        return {latent for d in selection for latent in self.decoders[d][1]}

    def mistakes(self, selection: Selection) -> list[tuple[int, int]]:
        """Return missing and false atoms of each predicate."""
        found = []
        for predicate, facts in enumerate(self.truth):
            derived = frozenset[int]().union(
                *(self.decoders[d][2] for d in selection if self.decoders[d][0] == predicate)
            )
            found.append((len(facts - derived), len(derived - facts)))
        return found

    def loss(self, selection: Selection) -> int:
        return sum(map(sum, self.mistakes(selection)))

    def weighted(self, selection: Selection) -> Fraction:
        weights = self.rules.weights or (1,) * len(self.truth)
        return sum(
            (w * sum(pair) for w, pair in zip(weights, self.mistakes(selection), strict=True)), Fraction(0)
        )

    def bits(self, selection: Selection) -> int:
        """Return made-up millibits."""
        total = FIXED_BITS
        total += sum(encoder_bits(e, self.latents[e]) for e in self.used(selection))
        total += sum(decoder_bits(d) for d in selection)
        return total + sum(exception_bits(p) * sum(n) for p, n in enumerate(self.mistakes(selection)))

    def size(self, selection: Selection) -> int:
        encoders = sum(len(self.latents[e]) + 1 + e % 2 for e in self.used(selection))
        return encoders + sum(1 + d % 2 for d in selection)

    def mean(self, selection: Selection) -> Fraction:
        used = self.used(selection)
        return Fraction(sum(len(self.latents[e]) for e in used), len(used))

    def good(self, predicate: int) -> set[int]:
        """The decoders of a predicate with more true than false atoms."""
        return {
            d
            for d, (head, _, atoms) in enumerate(self.decoders)
            if head == predicate and 2 * len(atoms - self.truth[predicate]) < len(atoms)
        }

    def _wishes_broken(self, selection: Selection, used: set[int]) -> set[str]:
        found = set()
        rules = self.rules
        mistakes = self.mistakes(selection)
        for predicate, kind, most in rules.limits:
            own = sum(self.decoders[d][0] == predicate for d in selection)
            missing, false = mistakes[predicate]
            if {"clauses": own, "loss": missing + false, "missing": missing, "false": false}[kind] > most:
                found.add("limit")
        for encoders, decoders in rules.demands:
            if used.isdisjoint(encoders) and selection.isdisjoint(decoders):
                found.add("required")
        for d in selection & rules.exclusive:
            if any(self.decoders[other][0] == self.decoders[d][0] for other in selection - {d}):
                found.add("exclusive")
        return found

    def broken(self, selection: Selection) -> set[str]:
        """Return the families of constraints that a selection violates."""
        found = set()
        used = self.used(selection)
        rules = self.rules
        if used and rules.mean is not None and self.mean(selection) > rules.mean:
            found.add("bottleneck")
        if rules.total is not None and sum(len(self.latents[e]) for e in used) > rules.total:
            found.add("bottleneck")
        if rules.latents is not None and len(used) > rules.latents:
            found.add("bottleneck")
        if rules.largest is not None and any(len(self.latents[e]) > rules.largest for e in used):
            found.add("bottleneck")
        if rules.bits is not None and (self.bits(selection) > rules.bits or len(used) > CAP):
            found.add("bottleneck")
        found |= self._wishes_broken(selection, used)
        if rules.generality and (
            any(self.latents[a] <= self.latents[b] for a in used for b in used if a != b)
            or any(
                self.decoders[a][0] == self.decoders[b][0] and self.decoders[a][2] <= self.decoders[b][2]
                for a in selection
                for b in selection
                if a != b
            )
        ):
            found.add("generality")
        if rules.requirements and any(
            self.good(p) and not self.good(p) & selection for p in range(len(self.truth))
        ):
            found.add("reconstruction")
        return found

    def optimum(self) -> tuple[Fraction, int] | None:
        """Return the least weighted loss and the least size at this loss."""
        allowed = [s for s in self.selections() if not self.broken(s)]
        return min(((self.weighted(s), self.size(s)) for s in allowed), default=None)

    def least_bits(self) -> int | None:
        """Return the least description length that the code can express."""
        allowed = [s for s in self.selections() if not self.broken(s) and len(self.used(s)) <= CAP]
        return min(map(self.bits, allowed), default=None)

    # -- the problem ----------------------------------------------------------------------------------

    def problem(self) -> Problem:
        reached: dict[tuple[int, int], list[int]] = {}
        for d, (predicate, _, atoms) in enumerate(self.decoders):
            for atom in atoms:
                reached.setdefault((predicate, atom), []).append(d)
        weights: dict[tuple[int, bool, tuple[int, ...]], int] = {}
        for (predicate, atom), covering in reached.items():
            key = (predicate, atom in self.truth[predicate], tuple(covering))
            weights[key] = weights.get(key, 0) + 1
        rules = self.rules
        good = {p: tuple(sorted(self.good(p))) for p in range(len(self.truth))}
        problem = Problem(
            targets=tuple(
                PredicateItem(
                    f"p{p}",
                    len(things),
                    sum((p, atom) not in reached for atom in things),
                    exception_bits=exception_bits(p),
                )
                for p, things in enumerate(self.truth)
            ),
            encoders=tuple(
                EncoderItem(
                    f"latent{e + 1}(X) :- p(X).", len(things), 1 + e % 2, ("p",), encoder_bits(e, things)
                )
                for e, things in enumerate(self.latents)
            ),
            decoders=tuple(self._decoder(d) for d in range(len(self.decoders))),
            families={
                "ordinary": tuple(CoverageClass(true, n, cover, p) for (p, true, cover), n in weights.items())
            },
            encoder_generality=inclusion([(0, things) for things in self.latents])
            if rules.generality
            else None,
            decoder_generality=inclusion([(p, atoms) for p, _, atoms in self.decoders])
            if rules.generality
            else None,
            requirements=tuple(Requirement(f"p{p}", d) for p, d in good.items() if d)
            if rules.requirements
            else (),
            demands=tuple(Demand(f"demand {n}", *demand) for n, demand in enumerate(rules.demands)),
            irreparable=tuple(f"p{p}" for p, d in good.items() if not d),
            atoms=len(reached),
            latent_cap=CAP,
            fixed_bits=FIXED_BITS,
            plain_bits=PLAIN_BITS,
        )
        problem = with_weights(problem, {f"p{p}": weight for p, weight in enumerate(rules.weights)})
        problem = with_limits(problem, limits_of([f"p{p}:{kind}={most}" for p, kind, most in rules.limits]))
        return with_bottlenecks(problem, self._bottlenecks(problem))

    def _decoder(self, number: int) -> DecoderItem:
        predicate, latents, atoms = self.decoders[number]
        true = len(atoms & self.truth[predicate])
        body = ", ".join(f"latent{latent + 1}(X)" for latent in latents)
        clause = f"p{predicate}(X) :- {body}."
        return DecoderItem(
            clause,
            f"p{predicate}",
            latents,
            1 + number % 2,
            true,
            len(atoms) - true,
            decoder_bits(number),
            number in self.rules.exclusive,
        )

    def _bottlenecks(self, problem: Problem) -> Iterator[Bottleneck]:
        rules = self.rules
        if rules.mean is not None:
            yield AverageFacts(rules.mean * problem.predicates / problem.facts)
        if rules.total is not None:
            yield TotalFacts(Fraction(rules.total, problem.facts))
        if rules.latents is not None:
            yield MaxLatents(rules.latents)
        if rules.largest is not None:
            yield LargestLatent(rules.largest)
        if rules.bits is not None:
            yield DescriptionLength(Fraction(rules.bits, PLAIN_BITS))


FIXED_BITS = 50
PLAIN_BITS = 3000
CAP = 3


def encoder_bits(number: int, things: Things) -> int:
    return 90 * len(things) + 37 * (number % 3)


def decoder_bits(number: int) -> int:
    return 60 + 13 * (number % 4)


def exception_bits(predicate: int) -> int:
    return 150 + 41 * predicate


def inclusion(sets: Sequence[tuple[int, Things]]) -> Inclusion:
    """Equal sets of one kind share a node; edges lead from sets to their greatest proper subsets."""
    distinct = list(dict.fromkeys(sets))
    below = {
        (a, b)
        for a, (kind, larger) in enumerate(distinct)
        for b, (other, smaller) in enumerate(distinct)
        if kind == other and larger > smaller
    }
    reduced = [
        (a, b)
        for a, b in sorted(below)
        if not any((a, c) in below and (c, b) in below for c in range(len(distinct)))
    ]
    return Inclusion(tuple(distinct.index(item) for item in sets), tuple(reduced))


def things(size: int, least: int = 0) -> st.SearchStrategy[Things]:
    return st.frozensets(st.integers(0, size - 1), min_size=least, max_size=size)


@st.composite
def rules(draw) -> Rules:
    return Rules(
        draw(st.sampled_from((None, *(Fraction(n, 3) for n in (2, 4, 5, 6, 8))))),
        draw(st.sampled_from((None, None, 4, 7))),
        draw(st.booleans()),
        draw(st.integers(0, 3)) > 0,
    )


@st.composite
def worlds(draw, most_decoders: int = 8, most_latents: int = 5, wishes: bool = False) -> World:
    """Small enough for brute force: at most 2^8 selections.

    Args:
        draw: given by hypothesis.
        most_decoders: most decoders.
        most_latents: most latents.
        wishes: also weights, limits, demands, exclusive decoders and all kinds of bottlenecks.
    """
    truth = tuple(draw(st.lists(things(5, 1), min_size=1, max_size=3)))
    latents = tuple(draw(st.lists(things(5, 1), min_size=1, max_size=most_latents)))
    decoders = []
    for _ in range(draw(st.integers(0, most_decoders))):
        predicate = draw(st.integers(0, len(truth) - 1))
        used = draw(st.frozensets(st.integers(0, len(latents) - 1), min_size=1, max_size=2))
        fact = draw(st.sampled_from(sorted(truth[predicate])))  # a decoder rebuilds some fact
        decoders.append((predicate, tuple(sorted(used)), draw(things(5)) | {fact}))
    world = World(truth, latents, tuple(decoders), draw(rules()))
    return replace(world, rules=draw(wishful(world))) if wishes else world


@st.composite
def wishful(draw, world: World) -> Rules:
    """The rules of a world, and what a user may add to them."""
    predicates, encoders, decoders = map(len, (world.truth, world.latents, world.decoders))
    weight = st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(2), Fraction(7, 3)])
    numbers = st.frozensets(st.integers(0, max(0, decoders - 1)), max_size=2)
    demand = st.tuples(
        st.frozensets(st.integers(0, encoders - 1), max_size=2).map(lambda s: tuple(sorted(s))),
        (numbers if decoders else st.just(frozenset[int]())).map(lambda s: tuple(sorted(s))),
    )
    limit = st.tuples(
        st.integers(0, predicates - 1),
        st.sampled_from(("clauses", "loss", "missing", "false")),
        st.integers(0, 3),
    )
    return replace(
        world.rules,
        latents=draw(st.sampled_from((None, None, 1, 2))),
        largest=draw(st.sampled_from((None, None, 2, 3))),
        bits=draw(st.sampled_from((None, None, 700, 1100, 1500))),
        weights=draw(st.one_of(st.just(()), st.tuples(*[weight] * predicates))),
        limits=tuple(draw(st.lists(limit, max_size=2))),
        demands=tuple(draw(st.lists(demand, max_size=1))),
        exclusive=draw(numbers) if decoders else frozenset(),
    )
