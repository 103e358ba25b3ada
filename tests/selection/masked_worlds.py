"""Random problems whose latents depend on some predicates, and masked losses by looking at the sets."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

from hypothesis import strategies as st

from .random_problems import Selection, World, worlds


@st.composite
def masked_worlds(draw):
    """Return a world and, for each latent, the predicates that it depends on."""
    world = draw(worlds())
    names = st.frozensets(st.integers(0, len(world.truth) - 1), min_size=1)
    return world, tuple(draw(names) for _ in world.latents)


def problem_of(world: World, dependencies):
    problem = world.problem()
    encoders = tuple(
        replace(encoder, dependencies=tuple(f"p{p}" for p in sorted(known)))
        for encoder, known in zip(problem.encoders, dependencies, strict=True)
    )
    return replace(problem, encoders=encoders)


def masked(world: World, dependencies, selection: Selection) -> list[int]:
    """The facts of each predicate that no decoder derives whose latents do not depend on it."""
    found = []
    for predicate, facts in enumerate(world.truth):
        derived = set(
            chain.from_iterable(
                atoms
                for d, (head, latents, atoms) in enumerate(world.decoders)
                if d in selection
                and head == predicate
                and not any(predicate in dependencies[latent] for latent in latents)
            )
        )
        found.append(len(facts - derived))
    return found
