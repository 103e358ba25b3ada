"""Loss weights of predicates, in fractions."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.selection.random_problems import REPEATABLE, Rules, World, worlds

from logicoder.base.errors import UsageError
from logicoder.problem.evaluate import mistakes_of, weighted_loss_of
from logicoder.problem.weights import weights_of, with_weights

from .choices import SHARES, bare, choices


@settings(REPEATABLE, max_examples=100)
@given(worlds(), st.data())
def test_weighted_losses_are_in_proportion(world, data) -> None:
    problem = bare(world.problem())
    chosen = data.draw(choices(problem))
    names = [target.name for target in problem.targets]
    weights = {name: data.draw(SHARES) for name in data.draw(st.sets(st.sampled_from(names)))}
    weighted = with_weights(problem, weights)
    mistakes = mistakes_of(problem, chosen)
    expected = sum(weights.get(n, Fraction(1)) * (m + f) for n, m, f in zip(names, *mistakes, strict=True))
    assert Fraction(weighted_loss_of(weighted, mistakes), weighted.weight_unit) == expected


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("advisedby", "PREDICATE=NUMBER"),
        ("advisedby=0", "greater than 0"),
        ({"advisedby": "much"}, "must be a number"),
        (["balanced", "p=2"], "not both"),
        (7, "mapping"),
    ],
)
def test_wrong_weights_are_refused(given, said) -> None:
    with pytest.raises(UsageError, match=said):
        weights_of(given)


def test_balanced_weights_are_inverse_to_the_facts() -> None:
    world = World(
        truth=(frozenset({0, 1, 2, 3}), frozenset({0}), frozenset({1, 2, 3})),
        latents=(frozenset({0}),),
        decoders=(),
        rules=Rules(None, None, True, True),
    )
    problem = with_weights(world.problem(), "balanced")
    assert [Fraction(t.weight, problem.weight_unit) for t in problem.targets] == [
        1,
        4,
        Fraction(1333, 1000),  # four thirds, to thousandths
    ]
    exact = with_weights(world.problem(), weights_of({"p0": "1/3", "p1": 2.5}))
    assert [Fraction(t.weight, exact.weight_unit) for t in exact.targets] == [
        Fraction(1, 3),
        Fraction(5, 2),
        1,
    ]
    with pytest.raises(UsageError, match="does not name a predicate to reconstruct; these are: p0, p1, p2"):
        with_weights(world.problem(), weights_of({"q": 2}))
    with pytest.raises(UsageError, match="too far apart"):
        with_weights(world.problem(), weights_of({"p0": 10**13}))
