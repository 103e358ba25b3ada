"""Random problems made from sets, and their optima by looking at every selection.

Encoders and decoders are sets of things; the problem is derived from them, and brute force looks at the sets,
never at the problem.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from logicoder.problem import (
    CoverageClass,
    DecoderItem,
    EncoderItem,
    Inclusion,
    LinearConstraint,
    Problem,
    Requirement,
)

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
    """Which constraints hold; the bottleneck is an average of at most `mean`, None for no bottleneck."""

    mean: Fraction | None
    total: int | None
    generality: bool
    requirements: bool


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

    def loss(self, selection: Selection) -> int:
        total = 0
        for predicate, facts in enumerate(self.truth):
            derived = frozenset[int]().union(
                *(self.decoders[d][2] for d in selection if self.decoders[d][0] == predicate)
            )
            total += len(derived ^ facts)
        return total

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

    def broken(self, selection: Selection) -> set[str]:
        """Return the families of constraints that a selection violates."""
        found = set()
        used = self.used(selection)
        rules = self.rules
        if used and rules.mean is not None and self.mean(selection) > rules.mean:
            found.add("bottleneck")
        if rules.total is not None and sum(len(self.latents[e]) for e in used) > rules.total:
            found.add("bottleneck")
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

    def optimum(self) -> tuple[int, int] | None:
        """Return the least loss and the least size at this loss."""
        allowed = [s for s in self.selections() if not self.broken(s)]
        return min(((self.loss(s), self.size(s)) for s in allowed), default=None)

    # -- the problem ----------------------------------------------------------------------------------

    def problem(self) -> Problem:
        reached: dict[tuple[int, int], list[int]] = {}
        for d, (predicate, _, atoms) in enumerate(self.decoders):
            for atom in atoms:
                reached.setdefault((predicate, atom), []).append(d)
        weights: dict[tuple[bool, tuple[int, ...]], int] = {}
        for (predicate, atom), covering in reached.items():
            key = (atom in self.truth[predicate], tuple(covering))
            weights[key] = weights.get(key, 0) + 1
        facts = {(p, atom) for p, things in enumerate(self.truth) for atom in things}
        rules = self.rules
        good = {p: tuple(sorted(self.good(p))) for p in range(len(self.truth))}
        return Problem(
            facts=len(facts),
            predicates=len(self.truth),
            encoders=tuple(
                EncoderItem(f"latent{e + 1}(X) :- p(X).", len(things), 1 + e % 2, ("p",))
                for e, things in enumerate(self.latents)
            ),
            decoders=tuple(self._decoder(d) for d in range(len(self.decoders))),
            families={
                "ordinary": tuple(CoverageClass(true, n, cover) for (true, cover), n in weights.items())
            },
            unreachable=len(facts - set(reached)),
            bottlenecks=tuple(self._bottlenecks()),
            encoder_generality=inclusion([(0, things) for things in self.latents])
            if rules.generality
            else None,
            decoder_generality=inclusion([(p, atoms) for p, _, atoms in self.decoders])
            if rules.generality
            else None,
            requirements=tuple(Requirement(f"p{p}", d) for p, d in good.items() if d)
            if rules.requirements
            else (),
            irreparable=tuple(f"p{p}" for p, d in good.items() if not d),
            atoms=len(reached),
        )

    def _decoder(self, number: int) -> DecoderItem:
        predicate, latents, atoms = self.decoders[number]
        true = len(atoms & self.truth[predicate])
        body = ", ".join(f"latent{latent + 1}(X)" for latent in latents)
        clause = f"p{predicate}(X) :- {body}."
        return DecoderItem(clause, f"p{predicate}", latents, 1 + number % 2, true, len(atoms) - true)

    def _bottlenecks(self) -> Iterator[LinearConstraint]:
        weights = [len(things) for things in self.latents]
        if self.rules.mean is not None:
            a, b = self.rules.mean.numerator, self.rules.mean.denominator
            yield LinearConstraint(f"average <= {self.rules.mean}", tuple(b * w - a for w in weights), 0)
        if self.rules.total is not None:
            yield LinearConstraint("all", tuple(weights), self.rules.total)


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
def worlds(draw, most_decoders: int = 8, most_latents: int = 5) -> World:
    """Small enough for brute force: at most 2^8 selections."""
    truth = tuple(draw(st.lists(things(5, 1), min_size=1, max_size=3)))
    latents = tuple(draw(st.lists(things(5, 1), min_size=1, max_size=most_latents)))
    decoders = []
    for _ in range(draw(st.integers(0, most_decoders))):
        predicate = draw(st.integers(0, len(truth) - 1))
        used = draw(st.frozensets(st.integers(0, len(latents) - 1), min_size=1, max_size=2))
        fact = draw(st.sampled_from(sorted(truth[predicate])))  # a decoder rebuilds some fact
        decoders.append((predicate, tuple(sorted(used)), draw(things(5)) | {fact}))
    return World(truth, latents, tuple(decoders), draw(rules()))
