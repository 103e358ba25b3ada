"""The learner finds programs that are no worse than those planted in generated data."""

from __future__ import annotations

from itertools import permutations

import pytest

from logicoder import AutoEncoder, KnowledgeBase
from logicoder.datasets import university

SMALL = [
    {"people": 20, "seed": 1},
    {"people": 25, "seed": 2},
    {"people": 40, "seed": 3},
    {"people": 40, "seed": 4, "interpretations": 2},
]
NOISY = [
    {"people": 20, "seed": 5, "noise": 0.05},
    {"people": 25, "seed": 6, "noise": 0.1},
]


@pytest.mark.parametrize("options", SMALL, ids=str)
def test_without_noise_a_lossless_program_is_found(options) -> None:
    world = university(**options)
    assert world.planted_loss == 0
    learned = AutoEncoder.from_preset("paper", compression=world.compression, effort=20.0).fit(world.kb)
    assert (learned.loss_, learned.status_) == (0, "optimal")
    assert learned.reconstruct(world.kb).loss == 0
    assert learned.inverse_transform(learned.transform(world.kb)) == world.kb


@pytest.mark.parametrize("options", NOISY, ids=str)
def test_with_noise_it_is_at_least_as_good_as_the_planted_one(options) -> None:
    world = university(**options)
    assert world.planted_loss > 0
    learned = AutoEncoder.from_preset("paper", compression=world.compression, effort=6.0).fit(world.kb)
    assert learned.bound_ <= learned.loss_ <= world.planted_loss
    assert learned.reconstruct(world.kb).loss == learned.loss_


def extensions(kb: KnowledgeBase) -> list[list[tuple[str, ...]]]:
    """Return what each predicate holds of, in the column order that sorts first, whatever its name."""
    found = []
    for name in kb.predicates:
        facts = [(f.interpretation, *map(str, f.arguments)) for f in kb.facts(name)]
        orders = permutations(range(1, len(facts[0])))
        found.append(min(sorted((row[0], *(row[i] for i in order)) for row in facts) for order in orders))
    return sorted(found)


@pytest.mark.parametrize("options", SMALL, ids=str)
def test_with_the_second_goal_it_finds_the_planted_latents(options) -> None:
    """In these worlds the planted program is the only smallest lossless one (see the generator's tests)."""
    world = university(**options)
    learned = AutoEncoder(compression=world.compression, objective="lexicographic", effort=20.0).fit(world.kb)
    assert learned.loss_ == 0
    assert learned.size_ <= world.planted_size
    assert extensions(learned.transform(world.kb)) == extensions(world.latent)
