"""Sampling the latent facts of a university: who works with whom, who may do what and who writes what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from logicoder.base.errors import UsageError
from logicoder.datasets.derived_rows import CONSTANT_BITS, WORLD_BITS, Rows, derive

if TYPE_CHECKING:
    from logicoder.datasets.planted import Planted

Numbers = NDArray[np.int64]

PEOPLE_PER_PROFESSOR = 5
COURSES_PER_LECTURER = 2
PROFESSORS_PER_LAB = 4
# The share of professors who do not teach and of students who do not write yet, and of professors who only
# supervise (and of those who only pay).
IDLE_SHARE = 0.2
ONE_ROLE_SHARE = 0.15
# Enough for the three kinds of professors and for one who does not teach.
FEWEST_PROFESSORS = 4
FEWEST_PEOPLE = FEWEST_PROFESSORS * PEOPLE_PER_PROFESSOR


@dataclass(frozen=True)
class Plan:
    """How much of everything there is in one interpretation.

    Attributes:
        people: professors and students together.
        courses: number of courses.
        papers: number of papers.
        facts: a number of facts: if given, there are as many papers as it takes to reach it.
    """

    people: int
    courses: int
    papers: int
    facts: int | None = None

    @property
    def professors(self) -> int:
        """One person in five is a professor, so that each has four or five students."""
        return self.people // PEOPLE_PER_PROFESSOR

    @property
    def students(self) -> int:
        """All others are students."""
        return self.people - self.professors

    @property
    def labs(self) -> int:
        """Labs grow with the world, so that none gets large."""
        return max(2, self.professors // PROFESSORS_PER_LAB)

    def domain_sizes(self, planted: Planted, papers: int) -> dict[str, int]:
        """Return the number of constants of each type."""
        sizes = {"person": self.people, "course": self.courses, "title": papers, "lab": self.labs}
        return {kind: size for kind, size in sizes.items() if kind in planted.inputs.types()}


def idle(people: int) -> int:
    """Return how many professors do not teach, or how many students do not write: never nobody.

    If all professors taught, or all students wrote, other programs would be as good as the planted one.
    """
    return max(1, round(IDLE_SHARE * people))


def usual_courses(people: int) -> int:
    """Return two courses for every professor who teaches."""
    professors = people // PEOPLE_PER_PROFESSOR
    return COURSES_PER_LECTURER * (professors - idle(professors))


def usual_papers(people: int) -> int:
    """Return three papers for every two students."""
    return 3 * (people - people // PEOPLE_PER_PROFESSOR) // 2


@dataclass(frozen=True)
class Domains:
    """The ids of the constants of each type: consecutive, and shared by all interpretations.

    Interpretations use the same names on purpose: a join that crosses them shows at once.
    """

    sizes: dict[str, int]

    @classmethod
    def of(cls, worlds: list[dict[str, int]]) -> Domains:
        """Return domains that are large enough for every interpretation."""
        sizes = {kind: max(world[kind] for world in worlds) for kind in worlds[0]}
        if sum(sizes.values()) >= 1 << CONSTANT_BITS or len(worlds) >= 1 << WORLD_BITS:
            raise UsageError(
                f"a generated data set has fewer than {1 << CONSTANT_BITS} constants "
                f"and {1 << WORLD_BITS} interpretations"
            )
        return cls(sizes)

    def first(self, kind: str) -> int:
        """Return the id of the first constant of a type."""
        kinds = list(self.sizes)
        return sum(self.sizes[before] for before in kinds[: kinds.index(kind)])

    def symbols(self) -> list[str]:
        """Return the names: p1, p2, ... for people, c for courses, t for titles, l for labs."""
        return [f"{kind[0]}{number}" for kind, size in self.sizes.items() for number in range(1, size + 1)]


def sample_latents(plan: Plan, planted: Planted, rng: np.random.Generator) -> dict[str, Numbers]:
    """Draw the latent facts of one interpretation, each type numbered from zero.

    Everything that belongs to somebody is dealt out like cards, so that degrees differ by one at most.
    """
    people = rng.permutation(plan.people)
    professors, students = people[: plan.professors], people[plan.professors :]
    one_role = max(1, round(ONE_ROLE_SHARE * plan.professors))
    writers = rng.permutation(students)[idle(plan.students) :]
    latents = {
        "works_with": np.column_stack([students, _dealt(professors, plan.students, rng)]),
        "supervisor": professors[one_role:, None],
        "funded": professors[: len(professors) - one_role, None],
    }
    lecturers = _without_some_of_both_roles(professors, one_role, rng)
    latents["lectures"] = np.column_stack([_dealt(lecturers, plan.courses, rng), np.arange(plan.courses)])
    if "belongs" in planted.latents:
        members = _without_some_of_both_roles(professors, one_role, rng)
        latents["belongs"] = np.column_stack([members, _dealt(np.arange(plan.labs), len(members), rng)])
    papers = plan.papers if plan.facts is None else _papers_to_reach(plan.facts, planted, latents)
    latents["leads"] = np.column_stack([_dealt(writers, papers, rng), np.arange(papers)])
    return latents


def _without_some_of_both_roles(professors: Numbers, one_role: int, rng: np.random.Generator) -> Numbers:
    """Leave out some of the professors who both supervise and pay.

    Were others left out, those who teach or have a lab might be just the supervisors or just the funded, and
    then `lectures` or `belongs` could replace `supervisor` or `funded`.
    """
    both = np.arange(one_role, len(professors) - one_role)
    return np.delete(professors, rng.choice(both, idle(len(professors)), replace=False))


def _dealt(owners: Numbers, things: int, rng: np.random.Generator) -> Numbers:
    """Return the owner of each thing, so that all owners get equally many, give or take one."""
    return rng.permutation(owners[np.arange(things) % len(owners)])


def _papers_to_reach(facts: int, planted: Planted, latents: dict[str, Numbers]) -> int:
    """Return the number of papers that brings the facts to their target: each paper has two authors."""
    relations = in_world({**latents, "leads": np.empty((0, 2), np.int64)}, 0)
    others = sum(len(rows) for rows in derive(planted.decoder, relations).values())
    return max(0, (facts - others) // 2)


def in_world(latents: dict[str, Numbers], world: int) -> dict[str, Rows]:
    """Return rows that begin with the interpretation."""
    return {name: np.insert(rows, 0, world, axis=1) for name, rows in latents.items()}
