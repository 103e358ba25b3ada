"""Friends and smokers: the worlds are what the planted network says."""

import math
from itertools import product

import numpy as np
import pytest

from logicoder.base.errors import UsageError
from logicoder.datasets import smokers
from logicoder.mln.formula_weights import learn_weights


def test_friends_are_symmetric_and_of_the_degree():
    world = smokers(60, 7, seed=3)
    friends = {fact.arguments for fact in world.kb.facts("friends")}
    assert len(friends) == 60 * 7
    assert all((b, a) in friends and a != b for a, b in friends)
    assert len(world.kb.schema.domains["person"]) == 60


@pytest.mark.parametrize(("people", "degree"), [(2, 1), (5, 4), (6, 4.0), (30, 29)])
def test_dense_worlds(people, degree):
    friends = {fact.arguments for fact in smokers(people, degree).kb.facts("friends")}
    assert len(friends) == people * degree
    assert all((b, a) in friends and a != b for a, b in friends)


def test_the_seed_decides():
    assert smokers(50, 4, seed=1).kb == smokers(50, 4, seed=1).kb
    assert smokers(50, 4, seed=1).kb != smokers(50, 4, seed=2).kb


def test_worlds_are_drawn_from_the_planted_network():
    """Three people who are all friends: how often how many smoke and have cancer, against enumeration."""
    count = 1200
    options = {"friends_weight": 0.4, "cancer_weight": 1.5, "sweeps": 10}
    world = smokers(3 * count, 2, interpretations=count, seed=5, **options)
    found = np.zeros((4, 4))
    for part in world.kb.split():
        found[part.count("smokes"), part.count("cancer")] += 1 / count
    expected = np.zeros((4, 4))
    for values in product((0, 1), repeat=6):
        smoking, cancer = values[:3], values[3:]
        pairs = [(i, j) for i in range(3) for j in range(3) if i != j]
        total = 1.0 * sum(smoking) - 2.0 * sum(cancer)
        total += 1.5 * sum(not s or c for s, c in zip(smoking, cancer, strict=True))
        total += 0.4 * sum(not smoking[i] or smoking[j] for i, j in pairs)
        expected[sum(smoking), sum(cancer)] += math.exp(total)
    expected /= expected.sum()
    # Four standard deviations of each frequency.
    assert (np.abs(found - expected) < 4 * np.sqrt(expected * (1 - expected) / count)).all()


def test_planted_weights_are_learned_again():
    world = smokers(4000, 6, seed=2)
    found = learn_weights(world.network, world.kb, objective="cll", query=["smokes", "cancer"])
    expected = [formula.weight for formula in world.network]
    assert found.weights == pytest.approx(expected, abs=0.25)
    assert found.weights[3] == pytest.approx(expected[3], abs=0.05)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"people": 1, "degree": 1}, "1 people are too few for 1 interpretations"),
        ({"people": 7, "degree": 1, "interpretations": 2}, "7 people are too few for 2 interpretations"),
        ({"people": 10, "degree": 10}, "at most 9"),
        ({"people": 10, "degree": 0}, "above 0"),
        ({"interpretations": 0}, "at least one interpretation"),
    ],
)
def test_what_cannot_be_is_refused(options, message):
    with pytest.raises(UsageError, match=message):
        smokers(**options)
