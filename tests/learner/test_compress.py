"""Learning by messages: what is told on the way, and what is kept in the end."""

from __future__ import annotations

import pytest

from logicoder.base.errors import InputError
from logicoder.base.progress import Improved
from logicoder.datasets import star_wars
from logicoder.kb import KnowledgeBase
from logicoder.learner.compress import compress
from logicoder.learner.settings import Settings


def test_every_improvement_is_told_with_its_gap() -> None:
    told: list[object] = []
    found = compress(star_wars(), Settings(effort=1.0), report=told.append)
    improvements = [event for event in told if isinstance(event, Improved)]
    assert improvements == found.history
    costs = [event.objective for event in improvements]
    assert len(costs) >= 2
    assert costs == sorted(costs, reverse=True)
    for event in improvements:
        assert 0 <= event.bound <= event.objective
        assert event.gap == pytest.approx((event.objective - event.bound) / event.objective)


def test_there_must_be_facts() -> None:
    with pytest.raises(InputError, match="no facts to learn from"):
        compress(KnowledgeBase.from_facts([]), Settings())
