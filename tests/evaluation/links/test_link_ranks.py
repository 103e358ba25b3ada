"""Ranks of facts, and what they come to."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from logicoder.evaluation.links.link_ranks import by_relation, link_scores, ranks


def plain_rank(scores: list[float], place: int, filtered: set[int]) -> float:
    """Return the mean of the ranks that a place can have when ties are put in any order."""
    rivals = [s for other, s in enumerate(scores) if other != place and other not in filtered]
    first = 1 + sum(s > scores[place] for s in rivals)
    last = first + sum(s == scores[place] for s in rivals)
    return (first + last) / 2


@given(st.integers(0, 10_000), st.integers(1, 6), st.integers(1, 3), st.integers(1, 4))
def test_ranks_are_those_of_plain_python(seed, entities, relations, values):
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, values, (relations, entities, entities)).astype(float)
    facts = rng.random(scores.shape) < 0.4
    triples = np.argwhere(facts | (rng.random(scores.shape) < 0.1))
    found = ranks(scores, triples, facts)
    assert found.shape == (len(triples), 2)
    for (r, h, t), (tail, head) in zip(triples.tolist(), found.tolist(), strict=True):
        others = {e for e in range(entities) if facts[r, h, e]}
        assert tail == plain_rank(scores[r, h].tolist(), t, others)
        others = {e for e in range(entities) if facts[r, e, t]}
        assert head == plain_rank(scores[r, :, t].tolist(), h, others)


def test_a_constant_score_is_in_the_middle():
    facts = np.zeros((1, 9, 9), bool)
    assert ranks(np.zeros((1, 9, 9)), np.array([[0, 2, 3]]), facts).tolist() == [[5.0, 5.0]]


def test_scores_by_hand():
    found = np.array([[1.0, 2.0], [4.0, 11.0], [1.0, 1.5]])
    scores = link_scores(found)
    assert scores.mrr == pytest.approx((1 + 1 / 2 + 1 / 4 + 1 / 11 + 1 + 2 / 3) / 6)
    assert scores.hits == pytest.approx((2 / 6, 4 / 6, 5 / 6))
    own = by_relation(found, np.array([[0, 0, 0], [2, 0, 0], [0, 1, 1]]), ["a", "b", "c"])
    assert {name: part.facts for name, part in own.items()} == {"a": 2, "c": 1}
    assert own["c"].mrr == pytest.approx((1 / 4 + 1 / 11) / 2)
