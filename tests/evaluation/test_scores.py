"""Scores against scikit-learn, numerical integration and values by hand."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logicoder.base.errors import UsageError
from logicoder.evaluation.scores import (
    Scores,
    auc_pr,
    auc_roc,
    average_precision,
    cll,
    mean_scores,
    score,
)

RANKED = st.lists(
    st.tuples(st.booleans(), st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.5001, 0.9, 1.0])), min_size=1
)


def apart(pairs):
    return [truth for truth, _ in pairs], [probability for _, probability in pairs]


def integrated(truth, scores, steps=2000):
    """Davis and Goadrich, by small steps: walk through the points, false positives linear in true ones."""
    positives = sum(truth)
    points = [(0, 0)]
    for threshold in sorted(set(scores), reverse=True):
        above = [t for t, s in zip(truth, scores, strict=True) if s >= threshold]
        points.append((sum(above), len(above) - sum(above)))
    area = 0.0
    for (tp, fp), (next_tp, next_fp) in pairwise(points):
        for step in range(steps):
            share = (step + 0.5) / steps
            t, f = tp + share * (next_tp - tp), fp + share * (next_fp - fp)
            area += (next_tp - tp) / steps * (t / (t + f) if t else 0)
    return area / positives


@settings(max_examples=60, deadline=None)
@given(RANKED)
def test_auc_pr_is_the_integral(pairs):
    truth, scores = apart(pairs)
    if any(truth):
        assert auc_pr(truth, scores) == pytest.approx(integrated(truth, scores), abs=2e-4)
    else:
        assert math.isnan(auc_pr(truth, scores))


@settings(max_examples=200, deadline=None)
@given(RANKED)
def test_average_precision_and_roc_are_those_of_scikit_learn(pairs):
    metrics = pytest.importorskip("sklearn.metrics")
    truth, scores = apart(pairs)
    if any(truth):
        expected = metrics.average_precision_score(truth, scores)
        assert average_precision(truth, scores) == pytest.approx(expected)
    if any(truth) and not all(truth):
        assert auc_roc(truth, scores) == pytest.approx(metrics.roc_auc_score(truth, scores))
        expected = -metrics.log_loss(truth, np.clip(scores, 1e-6, 1 - 1e-6))
        assert cll(truth, scores) == pytest.approx(expected)


@settings(max_examples=50, deadline=None)
@given(RANKED, st.randoms())
def test_the_order_of_tied_atoms_does_not_matter(pairs, random):
    shuffled = list(pairs)
    random.shuffle(shuffled)
    for function in (auc_pr, average_precision, auc_roc):
        assert function(*apart(pairs)) == pytest.approx(function(*apart(shuffled)), nan_ok=True)


def test_values_by_hand():
    # Points (1,0) and (2,1): precision 1 up to recall 1/2, then x / (2x - 1), from 1 to 2: (1 + ln(3)/2) / 2.
    assert auc_pr([1, 0, 1], [3, 2, 2]) == pytest.approx((1 + (1 + math.log(3) / 2) / 2) / 2)
    # A false atom first: precision starts from 0 at recall 0; x / (x + 1) from 0 to 1 is 1 - ln 2.
    assert auc_pr([0, 1], [2, 1]) == pytest.approx(1 - math.log(2))
    # The first segment is horizontal: one true of two tied atoms.
    assert auc_pr([1, 0, 0], [2, 2, 1]) == 0.5
    # The example of Davis and Goadrich: of 20 true atoms, 5 with 5 false ones, then 10 with 30.
    truth = [1] * 5 + [0] * 5 + [1] * 5 + [0] * 25 + [1] * 10
    scores = [9] * 10 + [8] * 30 + [7] * 10
    assert auc_pr(truth, scores) == pytest.approx(integrated(truth, scores, 20000), abs=1e-6)


def test_rounding_does_not_rank():
    """Equal probabilities that were summed in different orders, as in elimination; far ones stay apart."""
    truth = [False, True, False, False]
    for value in (0.1, 1e-30, 0.9999):
        noisy = value * (1 + np.array([3, -1, 2, 0]) * 2.0**-52)
        assert len(set(noisy)) > 1
        assert auc_pr(truth, noisy) == 0.25
    assert auc_pr(truth, [1e-30, 1.001e-30, 1e-31, 0.0]) == 1.0
    assert auc_pr(truth, 1 - np.array([1e-10, 0.99e-10, 1e-9, 1e-8])) == 1.0


def test_edges():
    assert auc_pr([1, 1], [0.2, 0.3]) == average_precision([1, 1], [0.2, 0.3]) == 1.0
    assert auc_pr([1, 0, 0, 0], [0.5] * 4) == average_precision([1, 0, 0, 0], [0.5] * 4) == 0.25
    assert auc_roc([1, 0, 0, 0], [0.5] * 4) == 0.5
    assert auc_pr([1, 0], [1, 0]) == auc_roc([1, 0], [1, 0]) == 1.0
    for function in (auc_pr, average_precision, auc_roc):
        assert math.isnan(function([0, 0], [0.1, 0.2]))
        assert math.isnan(function([], []))
    assert math.isnan(auc_roc([1, 1], [0.1, 0.2]))
    assert math.isnan(cll([], []))
    assert cll([1], [0.0]) == pytest.approx(math.log(1e-6))
    assert cll([0], [1.0], clip=0.01) == pytest.approx(math.log(0.01))


def test_large_rankings():
    rng = np.random.default_rng(0)
    truth = rng.random(200_000) < 0.01
    scores = np.round(rng.random(200_000) * 0.5 + truth * 0.3, 4)
    found = score(truth, scores)
    assert found.auc_pr == pytest.approx(found.average_precision, abs=0.005)
    assert (found.positives, found.negatives) == (truth.sum(), (~truth).sum())


def test_means_are_over_the_predicates_that_have_the_score():
    none = score([0, 0], [0.1, 0.2])
    good = score([1, 0], [0.9, 0.2])
    assert none.as_dict()["auc_pr"] is None
    mean = mean_scores({"a": none, "b": good, "c": Scores(1, 0, 0.5, 0.5, math.nan, -1.0)}, leave_out=["c"])
    assert (mean.auc_pr, mean.positives, mean.negatives) == (1.0, 1, 3)
    assert mean.cll == pytest.approx((none.cll + good.cll) / 2)
    assert math.isnan(mean_scores({}).auc_pr)


@pytest.mark.parametrize(
    ("truth", "scores", "message"),
    [
        ([1, 0], [0.1], "2 truth values do not match 1 probabilities"),
        ([1], [math.nan], "NaN"),
        ([1, 0], [1.0, 1.5], r"between 0 and 1, not 1\.5"),
        ([1, 0], [0.0, -0.5], r"between 0 and 1, not -0\.5"),
    ],
)
def test_what_is_no_probability_is_refused(truth, scores, message):
    with pytest.raises(UsageError, match=message):
        score(truth, scores)
    with pytest.raises(UsageError, match="clip"):
        cll([1], [0.5], clip=0.5)
