from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from logicoder.base.errors import UsageError
from logicoder.datasets import University, university

from . import naive

WORLDS = [
    {},
    {"people": 20},
    {"people": 23, "seed": 1, "predicates": "full"},
    {"people": 57, "seed": 2},
    {"people": 100, "courses": 7, "papers": 12, "seed": 3, "predicates": "full"},
    {"people": 100, "seed": 4, "interpretations": 4},
    {"people": 75, "seed": 5, "interpretations": 3, "predicates": "full"},
    {"facts": 600, "seed": 6},
]


def loss_by_hand(world: University) -> int:
    facts = naive.ground_atoms(world.kb)
    return len(naive.derive(world.decoder, naive.derive(world.encoder, facts)) ^ facts)


@pytest.mark.parametrize("options", WORLDS)
def test_without_noise_the_planted_program_is_exact(options) -> None:
    world = university(**options)
    facts, latent = naive.ground_atoms(world.kb), naive.ground_atoms(world.latent)
    assert naive.derive(world.encoder, facts) == latent
    assert naive.derive(world.decoder, latent) == facts
    assert world.planted_loss == world.noise_facts == 0
    assert world.sizes == {name: world.latent.count(name) for name in world.encoder.defined()}


@pytest.mark.parametrize("options", WORLDS)
def test_the_planted_program_compresses(options) -> None:
    world = university(**options)
    assert world.latent_facts <= Fraction(6, 10) * world.kb.size
    assert world.compression <= 0.7
    average = Fraction(world.kb.size, len(world.kb.learnable))
    mean = Fraction(world.latent_facts, len(world.sizes))
    assert mean <= Fraction(str(world.compression)) * average
    assert mean > (Fraction(str(world.compression)) - Fraction(1, 20)) * average


@pytest.mark.parametrize("options", WORLDS)
def test_the_planted_program_is_in_the_language(options) -> None:
    world = university(**options)
    for clause in world.encoder:
        assert clause.length <= 2
        assert not clause.is_disjunction or all(len(body) == 1 for body in clause.alternatives)
    assert all(clause.length <= 2 and not clause.is_disjunction for clause in world.decoder)
    assert set(world.encoder.defined()).isdisjoint(world.kb.schema)
    assert set(world.decoder.defined()) == set(world.kb.predicates)


@pytest.mark.parametrize("options", WORLDS)
def test_no_latent_predicate_is_more_general_than_another(options) -> None:
    latent = university(**options).latent
    rows = {name: {(f.interpretation, *f.arguments) for f in latent.facts(name)} for name in latent.schema}
    for one, other in combinations(latent.schema.values(), 2):
        if one.types == other.types:
            assert not rows[one.name] <= rows[other.name]
            assert not rows[other.name] <= rows[one.name]


def test_core_has_six_predicates_and_full_has_ten() -> None:
    assert len(university(predicates="core").kb.learnable) == 6
    assert len(university(predicates="full").kb.learnable) == 10


def test_the_schema_and_the_constants_are_typed() -> None:
    kb = university(people=20, courses=3, papers=5, predicates="full").kb
    assert str(kb.schema["ta"]) == "ta(course,person)"
    assert {kind: len(symbols) for kind, symbols in kb.constants().items()} == {
        "course": 3,
        "lab": 2,
        "person": 20,
        "title": 5,
    }
    assert set(kb.constants()["course"]) == {"c1", "c2", "c3"}


def test_the_same_seed_gives_the_same_world_and_another_seed_another() -> None:
    options = {"people": 60, "noise": 0.1, "interpretations": 2, "predicates": "full"}
    first, again, other = (university(seed=seed, **options) for seed in (7, 7, 8))
    assert first == again
    assert first.kb.symbols == again.kb.symbols
    for name in first.kb.schema:
        assert np.array_equal(first.kb.table(name).arguments, again.kb.table(name).arguments)
    assert first.kb != other.kb


def test_noise_leaves_the_world_behind_it_as_it_was() -> None:
    clean, noisy = university(people=50, seed=3), university(people=50, seed=3, noise=0.2)
    assert clean.latent == noisy.latent


@pytest.mark.parametrize("noise", [0.01, 0.1, 0.3, 0.5])
@pytest.mark.parametrize("options", WORLDS)
def test_noise_is_counted_exactly(options, noise: float) -> None:
    clean = naive.ground_atoms(university(**options).kb)
    world = university(**options, noise=noise)
    noisy = naive.ground_atoms(world.kb)
    assert len(clean - noisy) == world.dropped == round(noise * len(clean)) // 2
    assert len(noisy - clean) == world.added <= round(noise * len(clean)) - world.dropped
    assert world.planted_loss == loss_by_hand(world)
    encoded = naive.derive(world.encoder, noisy)
    assert world.sizes == {
        name: sum(predicate == name for _, predicate, _ in encoded) for name in world.encoder.defined()
    }


def test_moderate_noise_is_fully_spent_and_costs_loss() -> None:
    world = university(people=200, noise=0.1)
    assert world.noise_facts == round(0.1 * len(university(people=200).kb))
    assert world.planted_loss > 0


def test_spurious_facts_use_the_constants_of_their_world() -> None:
    clean = university(people=41, interpretations=2, seed=1)
    noisy = university(people=41, interpretations=2, seed=1, noise=0.5)
    for before, after in zip(clean.kb.split(), noisy.kb.split(), strict=True):
        for kind, symbols in after.constants().items():
            assert set(symbols) <= set(before.constants()[kind])


@pytest.mark.parametrize("facts", [124, 250, 1_000, 4_321, 100_000])
@pytest.mark.parametrize("noise", [0.0, 0.1])
@pytest.mark.parametrize("predicates", ["core", "full"])
def test_a_target_number_of_facts_is_met(facts: int, noise: float, predicates: str) -> None:
    if predicates == "full":
        facts *= 2
    for seed in range(3):
        world = university(facts=facts, noise=noise, predicates=predicates, seed=seed)
        assert abs(len(world.kb) - facts) <= max(1, 0.05 * facts if noise else 0)
        assert (world.planted_loss > 0) == (noise > 0)
        assert 3 * world.latent_facts < 2 * len(world.kb)


def test_a_target_is_divided_among_the_interpretations() -> None:
    world = university(facts=3_000, interpretations=6)
    parts = world.kb.split()
    assert world.kb.interpretations == tuple(f"university{number}" for number in range(1, 7))
    assert all(abs(len(part) - 500) <= 1 for part in parts)
    assert sum(map(len, parts)) == len(world.kb)


def test_interpretations_share_names_but_not_facts() -> None:
    first, second = university(people=80, interpretations=2).kb.split()
    assert first.constants()["person"] == second.constants()["person"]
    assert {atom[1:] for atom in naive.ground_atoms(first)} != {
        atom[1:] for atom in naive.ground_atoms(second)
    }


@pytest.mark.parametrize("predicates", ["core", "full"])
def test_degrees_do_not_grow_with_the_world(predicates: str) -> None:
    small, large = (largest_degree(university(people=n, predicates=predicates)) for n in (50, 5_000))
    # The world grows a hundredfold.
    assert all(large[place] <= 2 * degree for place, degree in small.items())


def largest_degree(world: University) -> dict[tuple[str, int], int]:
    return {
        (name, column): int(np.bincount(world.kb.table(name).arguments[:, column]).max())
        for name, predicate in world.kb.schema.items()
        for column in range(predicate.arity)
    }


def test_the_size_of_the_planted_program_counts_latent_facts_and_literals() -> None:
    world = university()
    assert world.planted_size == world.latent_facts + 7 + 11 == 124
    assert replace(world, sizes={}).planted_size == 18


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"people": 19}, "at least 20 people"),
        ({"people": 30, "interpretations": 2}, "30 people in all"),
        ({"facts": 50}, "about 124 facts"),
        ({"interpretations": 0}, "at least one interpretation"),
        ({"noise": 0.6}, "between 0 and 0.5"),
        ({"noise": float("nan")}, "between 0 and 0.5"),
        ({"predicates": "all"}, "'core' or 'full'"),
        ({"courses": 0}, "needs courses"),
        ({"papers": 0}, "needs papers"),
        ({"facts": 1_000, "people": 40}, "either facts"),
        ({"people": 40_000_000}, "16777216 constants"),
        ({"people": 20 * 32_768, "interpretations": 32_768}, "and 32768 interpretations"),
    ],
)
def test_a_wrong_parameter_is_refused(options, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        university(**options)
