"""What a bound is about."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from logicoder.datasets import star_wars_figure
from logicoder.learner.bound_scope import bound_scope
from logicoder.learner.learn import learn
from logicoder.learner.settings import Settings


@pytest.mark.parametrize(("objective", "scope"), [(0, "language"), (47, "none")])
def test_a_bound_of_zero_is_one_of_everything_or_of_nothing(objective: int, scope: str) -> None:
    """No loss is below zero: where something is lost, that is no result."""
    learned = learn(star_wars_figure(), Settings(compression=1))
    solution = SimpleNamespace(objective=objective, bound=0)
    assert bound_scope(learned.candidates, Settings(), solution) == scope


@pytest.mark.parametrize(
    ("pruned", "rounds", "scope"),
    [
        ({}, 0, "enumerated"),
        ({"repeated": 3, "empty": 2, "limit": 0}, 0, "enumerated"),
        ({"repeated": 3, "limit": 1, "memory": 0}, 0, "pruned"),
        ({}, 2, "pruned"),
    ],
)
def test_candidates_that_could_matter(pruned, rounds, scope) -> None:
    """One rule that dropped something is enough; rounds look at a part only."""
    solution = SimpleNamespace(objective=3, bound=1)
    assert bound_scope({"pruned": pruned, "rounds": rounds}, Settings(), solution) == scope
