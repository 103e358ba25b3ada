"""Spaces whose counts come from elsewhere: seen in a sample, counted in all of the data."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from logicoder.engine.arrays.rules.spaces import Space
from logicoder.engine.sql.space_counts import Look, LookCounts


@dataclass(frozen=True, eq=False)
class CountedSpace(Space):
    """A way to look at a predicate, with counts of all data; masks and keys are those of a sample.

    Attributes:
        counted: number of facts.
        told: number of values and of entities of the type, for each domain that is told.
        each: number of values that each place may have.
    """

    counted: int = 0
    told: tuple[tuple[int, int], ...] = ()
    each: tuple[int, ...] = ()

    @property
    def facts(self) -> int:
        """Number of facts among the atoms."""
        return self.counted

    @property
    def domains(self) -> tuple[tuple[int, int], ...]:
        """Number of values and of entities of the type, for each domain that is told."""
        return self.told

    @property
    def values(self) -> tuple[int, ...]:
        """Number of values that each place may have."""
        return self.each


def look_of(space: Space) -> Look:
    """Return how a space looks at its predicate."""
    told = (0, 1) if space.symmetric and space.places else space.places
    return Look(space.predicate, told, space.apart, space.symmetric)


def counted_space(space: Space, counts: LookCounts) -> CountedSpace:
    """Return a space of a sample with the counts of all data."""
    given = {field.name: getattr(space, field.name) for field in fields(Space)}
    given |= {"atoms": counts.atoms, "diagonal": counts.diagonal, "one_sided": counts.one_sided}
    return CountedSpace(**given, counted=counts.facts, told=counts.domains, each=counts.values)


def bare_space(look: Look, counts: LookCounts, types: tuple[int, ...]) -> CountedSpace:
    """Return a space that has counts and no atoms.

    Args:
        look: how the predicate is looked at.
        counts: what that comes to.
        types: a number for the type of each place.
    """
    nothing = np.empty(0, np.int64)
    masks = tuple(np.empty(0, np.bool_) if place in look.told else None for place in range(len(types)))
    return CountedSpace(
        look.predicate,
        types,
        (0,) * len(types),
        masks,
        look.apart,
        look.symmetric,
        counts.atoms,
        nothing,
        counts.diagonal,
        counts.one_sided,
        counted=counts.facts,
        told=counts.domains,
        each=counts.values,
    )
