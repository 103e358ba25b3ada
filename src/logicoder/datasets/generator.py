"""A generator of university worlds of any size, with a planted program that compresses them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from logicoder.base.errors import UsageError
from logicoder.datasets.derived_rows import Rows, derive, difference
from logicoder.datasets.noise import Atoms, disturb
from logicoder.datasets.planted import Planted, planted
from logicoder.datasets.world import (
    FEWEST_PEOPLE,
    PEOPLE_PER_PROFESSOR,
    Domains,
    Plan,
    in_world,
    sample_latents,
    usual_courses,
    usual_papers,
)
from logicoder.kb import KnowledgeBase
from logicoder.kb.builder import KnowledgeBaseBuilder
from logicoder.kb.table import FactTable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from logicoder.kb import Schema
    from logicoder.logic import Program

# Facts per professor of a large world; from these a target number of facts becomes a number of people.
FACTS_PER_PROFESSOR = {"core": 30.8, "full": 53.1}


@dataclass(frozen=True)
class University:
    """A generated data set and the program that was planted in it.

    Attributes:
        kb: the data, noise included.
        encoder: the planted encoder.
        decoder: the planted decoder.
        latent: the latent facts that were drawn first; without noise, what `encoder` derives from `kb`.
        sizes: w, the number of facts of each latent predicate that `encoder` derives from `kb`.
        compression: γ, a multiple of 0.05: the smallest for which the planted program satisfies the paper's
            bottleneck on `kb`.
        planted_loss: the loss of the planted program on `kb`, by evaluation.
        dropped: the number of facts that noise took away.
        added: the number of facts that noise made up.
    """

    kb: KnowledgeBase
    encoder: Program
    decoder: Program
    latent: KnowledgeBase
    sizes: Mapping[str, int]
    compression: float
    planted_loss: int
    dropped: int
    added: int

    @property
    def latent_facts(self) -> int:
        """Σ w: the number of facts that the planted encoder derives."""
        return sum(self.sizes.values())

    @property
    def planted_size(self) -> int:
        """Latent facts plus body literals of the planted program: what is minimised after the loss."""
        literals = sum(clause.length for program in (self.encoder, self.decoder) for clause in program)
        return self.latent_facts + literals

    @property
    def noise_facts(self) -> int:
        """The number of facts that noise touched."""
        return self.dropped + self.added


def university(
    people: int | None = None,
    courses: int | None = None,
    papers: int | None = None,
    *,
    facts: int | None = None,
    noise: float = 0.0,
    seed: int = 0,
    interpretations: int = 1,
    predicates: str = "core",
) -> University:
    """Generate a university: latent facts are drawn, and the planted decoder derives the data from them.

    What is planted. One person in five is a professor, with four or five students. A professor may supervise,
    have money, or both; those who work with a supervisor are advised, and those who work with a funded
    professor are paid. Students assist in all courses of their professor and write papers with their
    professor. So five latent predicates say everything about the six predicates of `core`:

        works_with(S,P) :- advisedby(S,P) ; paidby(S,P).   advisedby(S,P) :- works_with(S,P), supervisor(P).
        supervisor(P) :- advisedby(S,P).                   paidby(S,P) :- works_with(S,P), funded(P).
        funded(P) :- paidby(S,P).                          student(S) :- works_with(S,P).
        lectures(P,C) :- taughtby(C,P).                    taughtby(C,P) :- lectures(P,C).
        leads(S,T) :- publication(T,S), student(S).        ta(C,S) :- works_with(S,P), lectures(P,C).
                                                           publication(T,S) :- leads(S,T).
                                                           publication(T,P) :- leads(S,T), works_with(S,P).

    `full` adds the predicates professor, colleague (who has the same professor, oneself included), inlab and
    offers, and the latent `belongs(P,L) :- inlab(P,L), professor(P)`.

    Why it compresses. `ta`, `student` and half of `publication` follow from the rest. Seven in ten professors
    both supervise and pay, so copying `advisedby` and `paidby` takes 1.7 facts for each pair of student and
    professor; one fact of `works_with` for each pair and 1.7 for each professor are fewer.

    Why no other program (two literals in a body, no negation, no constants) does as well without loss. Some
    pairs are in `advisedby` only and some in `paidby` only, so no single predicate holds all pairs; joining
    `ta` with `taughtby` misses the professors who do not teach, and joining `publication` with itself gives
    pairs in both orders. Professors who do not teach or have no lab both supervise and pay, so `lectures` or
    `belongs` cannot stand for `supervisor` or `funded`. The student of a paper must be stored, for the
    professor has four; and only `student` tells the students among all authors from the professors. Some
    students do not write, so `student` does not follow from `leads`. The tests prove it for small worlds by
    exhaustive search. (With negation, three disjoint kinds of pairs would take fewer facts.)

    Everything is dealt out evenly, so degrees do not grow with the world and joins grow as the facts do.

    Args:
        people: professors and students of all interpretations together; 40 unless `facts` is given.
        courses: by default two for each professor who teaches (four in five).
        papers: by default three for every two students.
        facts: choose people, courses and papers so that there are this many facts (give or take one for each
            interpretation; the noise keeps the number).
        noise: between 0 and 0.5: this share of the facts is disturbed, half of it facts lost and half of it
            spurious facts.
        seed: of the random numbers; the same arguments give the same data.
        interpretations: number of separate worlds, equally large, over the same names.
        predicates: `core` (six predicates) or `full` (ten).

    Raises:
        UsageError: if a parameter is out of range.

    >>> world = university(people=40)
    >>> world.kb, world.latent_facts, world.compression, world.planted_loss
    (<KnowledgeBase: 244 facts, 6 predicates, 1 interpretation>, 106, 0.55, 0)
    >>> university(facts=1000, noise=0.1, interpretations=2).kb
    <KnowledgeBase: 1,000 facts, 6 predicates, 2 interpretations>
    """
    program = planted(predicates)
    if not 0 <= noise <= 0.5:
        raise UsageError(f"noise must be between 0 and 0.5, not {noise}")
    if interpretations < 1:
        raise UsageError(f"there must be at least one interpretation, not {interpretations}")
    plans = _plans(people, courses, papers, facts, interpretations=interpretations, predicates=predicates)
    # Too large a world is refused before it is drawn, and not only after.
    Domains.of([plan.domain_sizes(program, plan.papers) for plan in plans])
    *streams, noise_stream = np.random.default_rng(seed).spawn(interpretations + 1)
    drawn = [sample_latents(plan, program, rng) for plan, rng in zip(plans, streams, strict=True)]
    worlds = [plan.domain_sizes(program, len(part["leads"])) for plan, part in zip(plans, drawn, strict=True)]
    domains = Domains.of(worlds)
    latents = _merged([in_world(part, index) for index, part in enumerate(drawn)], program.latents, domains)
    data = derive(program.decoder, latents)
    dropped = added = 0
    if noise:
        data, dropped, added = disturb(data, noise, Atoms(program.inputs, domains, worlds), noise_stream)
    encoded = derive(program.encoder, data)
    kb = _knowledge_base(program.inputs, data, domains, interpretations)
    sizes = {name: len(encoded[name]) for name in program.latents}
    return University(
        kb,
        program.encoder,
        program.decoder,
        _latent_knowledge_base(program, latents, kb),
        sizes,
        _compression(sizes, kb),
        difference(derive(program.decoder, encoded), data),
        dropped,
        added,
    )


def _plans(
    people: int | None,
    courses: int | None,
    papers: int | None,
    facts: int | None,
    *,
    interpretations: int,
    predicates: str,
) -> list[Plan]:
    """Divide the sizes among the interpretations."""
    per_professor = FACTS_PER_PROFESSOR[predicates]
    if facts is not None:
        if not people is courses is papers is None:
            raise UsageError("pass either facts, or people, courses and papers")
        people = PEOPLE_PER_PROFESSOR * interpretations * round(facts / interpretations / per_professor)
    elif people is None:
        people = 40
    if people < FEWEST_PEOPLE * interpretations:
        fewest = math.ceil(per_professor * FEWEST_PEOPLE / PEOPLE_PER_PROFESSOR)
        raise UsageError(
            f"each interpretation needs at least {FEWEST_PEOPLE} people, which is about {fewest} facts; "
            f"asked for: {interpretations} with {people} people in all"
        )
    for name, number in (("courses", courses), ("papers", papers)):
        if number is not None and number < interpretations:
            raise UsageError(f"each interpretation needs {name}, but there are {number} in all")
    shares = _shares(people, interpretations)
    plans = [Plan(share, usual_courses(share), usual_papers(share)) for share in shares]
    if courses is not None:
        plans = [
            replace(plan, courses=n) for plan, n in zip(plans, _shares(courses, interpretations), strict=True)
        ]
    if papers is not None:
        plans = [
            replace(plan, papers=n) for plan, n in zip(plans, _shares(papers, interpretations), strict=True)
        ]
    if facts is not None:
        plans = [
            replace(plan, facts=n) for plan, n in zip(plans, _shares(facts, interpretations), strict=True)
        ]
    return plans


def _shares(total: int, parts: int) -> list[int]:
    """Return equal shares, give or take one."""
    return [total // parts + (index < total % parts) for index in range(parts)]


def _merged(parts: Sequence[Mapping[str, Rows]], schema: Schema, domains: Domains) -> dict[str, Rows]:
    """Join the interpretations, with the ids that the constants of each type have in common."""
    return {
        name: np.concatenate([part[name] for part in parts])
        + np.array([0, *(domains.first(kind) for kind in predicate.types)])
        for name, predicate in schema.items()
    }


def _interpretation_names(number: int) -> list[str]:
    return [f"university{index}" for index in range(1, number + 1)] if number > 1 else ["university"]


def _knowledge_base(
    schema: Schema, data: Mapping[str, Rows], domains: Domains, interpretations: int
) -> KnowledgeBase:
    builder = KnowledgeBaseBuilder(schema)
    for symbol in domains.symbols():
        builder.intern(symbol)
    for index, world in enumerate(map(builder.interpretation, _interpretation_names(interpretations))):
        for name in schema:
            rows = data[name]
            builder.add_rows(name, rows[rows[:, 0] == index, 1:].astype(np.int32), world)
    return builder.build()


def _latent_knowledge_base(program: Planted, latents: Mapping[str, Rows], kb: KnowledgeBase) -> KnowledgeBase:
    """Return the latent facts over the constants of the data, which need no second interning."""
    tables = {
        name: FactTable(rows[:, 0].astype(np.int32), rows[:, 1:].astype(np.int32))
        for name, rows in latents.items()
    }
    return KnowledgeBase(program.latents, kb.symbols, kb.interpretations, {"true": tables})


def _compression(sizes: Mapping[str, int], kb: KnowledgeBase) -> float:
    """Return the smallest multiple of 0.05 that bounds the mean size of a latent predicate, relative to G."""
    ratio = Fraction(sum(sizes.values()) * len(kb.learnable), len(sizes) * kb.size)
    return math.ceil(ratio * 20) / 20
