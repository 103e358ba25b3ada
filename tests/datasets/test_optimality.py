import pytest

from logicoder.datasets import university

from .exhaustive import LosslessPrograms


@pytest.mark.parametrize(
    "options",
    [
        {"people": 20, "seed": 1},
        {"people": 25, "seed": 2},
        {"people": 40, "seed": 3},
        {"people": 27, "seed": 5, "predicates": "full"},
    ],
)
def test_no_other_lossless_program_is_as_small_as_the_planted_one(options) -> None:
    world = university(**options)
    programs = LosslessPrograms(world.kb, world.latent_facts)
    size, latents = programs.cheapest()
    assert size == world.planted_size
    assert sorted(len(programs.latents[n]) for n in latents) == sorted(world.sizes.values())
    next_size, _ = programs.cheapest(without=latents)
    assert next_size > size
