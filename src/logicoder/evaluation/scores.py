"""How good are probabilities of atoms? Areas under curves, average precision and conditional log-likelihood.

Two numbers are called the area under the precision-recall curve, and they differ:

- `auc_pr` is that of Davis and Goadrich (2006), which the literature on Markov logic reports. Atoms of equal
  probability are one point; between two points the false positives grow linearly with the true ones, and the
  precision is integrated on the way. So it is constant from recall 0 to the first point.
- `average_precision` is the sum that scikit-learn computes, without interpolation.

All of these but `cll` depend on the order of the probabilities only; those that differ by rounding are equal.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, fields

import numpy as np

from logicoder.base.errors import UsageError

_ALIKE = 1e-9
_LAST_DIGITS = 1e-15
CLIP = 1e-6
"""Probabilities nearer to 0 or 1 than this count as this in the conditional log-likelihood."""

Numbers = Sequence[float] | np.ndarray
Truths = Sequence[bool] | np.ndarray


@dataclass(frozen=True)
class Scores:
    """The scores of the atoms of one predicate, or their means over predicates; NaN where undefined.

    Attributes:
        positives: the number of true atoms.
        negatives: the number of false atoms.
        auc_pr: area under the precision-recall curve, after Davis and Goadrich.
        average_precision: average precision, as scikit-learn defines it.
        auc_roc: area under the ROC curve.
        cll: mean logarithm of the probability of the truth, which is clipped (see `cll`).
    """

    positives: int
    negatives: int
    auc_pr: float
    average_precision: float
    auc_roc: float
    cll: float

    def as_dict(self) -> dict[str, float | int | None]:
        """Return the scores for JSON, which has no NaN: None stands for it."""
        return {name: None if math.isnan(value) else value for name, value in asdict(self).items()}


def score(truth: Truths, probabilities: Numbers, *, clip: float = CLIP) -> Scores:
    """Return all scores.

    >>> found = score([True, False, True], [0.9, 0.8, 0.7])
    >>> found.auc_pr, found.average_precision, found.auc_roc
    (0.7972674459459178, 0.8333333333333333, 0.5)
    """
    true, given = _checked(truth, probabilities)
    positives = int(true.sum())
    return Scores(
        positives,
        len(true) - positives,
        auc_pr(true, given),
        average_precision(true, given),
        auc_roc(true, given),
        cll(true, given, clip=clip),
    )


def mean_scores(scores: Mapping[str, Scores], leave_out: Collection[str] = ()) -> Scores:
    """Return the means over predicates, leaving some out; each score over the predicates that have it.

    The numbers of atoms are sums.

    >>> one, two = Scores(1, 1, 1.0, 1.0, 1.0, -0.1), Scores(1, 3, 0.5, 0.5, 0.5, -0.3)
    >>> mean_scores({"p": one, "q": two, "same": one}, leave_out=["same"]).auc_pr
    0.75
    """
    kept = [found for name, found in scores.items() if name not in leave_out]
    means = {}
    for name in (field.name for field in fields(Scores) if field.type == "float"):
        values = [value for found in kept if not math.isnan(value := getattr(found, name))]
        means[name] = math.fsum(values) / len(values) if values else math.nan
    return Scores(sum(s.positives for s in kept), sum(s.negatives for s in kept), **means)


def auc_pr(truth: Truths, probabilities: Numbers) -> float:
    """Return the area under the precision-recall curve after Davis and Goadrich; NaN without true atoms.

    Where all atoms are tied it is the share of true atoms.

    >>> auc_pr([True, False, False, False], [0.5, 0.5, 0.5, 0.5])
    0.25
    """
    tp, fp = _curve(*_checked(truth, probabilities))
    if not tp[-1]:
        return math.nan
    before_tp, before_fp = np.append(0, tp[:-1]), np.append(0, fp[:-1])
    rising = tp > before_tp
    tp, fp, before_tp, before_fp = (x[rising].astype(float) for x in (tp, fp, before_tp, before_fp))
    # With x true positives there are s·x + c false ones, so the precision is x / (a·x + c), a = 1 + s, and
    # its integral x/a - c/a²·log(a·x + c). The line from the origin has c = 0 and constant precision 1/a.
    width = tp - before_tp
    slope = (fp - before_fp) / width
    a = 1 + slope
    c = before_fp - slope * before_tp
    flat = before_fp * width == (fp - before_fp) * before_tp
    growth = np.log((tp + fp) / np.where(flat, 1, before_tp + before_fp))
    areas = width / a - np.where(flat, 0, c / a**2 * growth)
    return float(areas.sum() / tp[-1])


def average_precision(truth: Truths, probabilities: Numbers) -> float:
    """Return Σ (R_i - R_{i-1})·P_i over the distinct probabilities, descending; NaN without true atoms.

    >>> average_precision([True, False, True], [0.9, 0.8, 0.7])
    0.8333333333333333
    """
    tp, fp = _curve(*_checked(truth, probabilities))
    if not tp[-1]:
        return math.nan
    return float((np.diff(tp, prepend=0) * (tp / (tp + fp))).sum() / tp[-1])


def auc_roc(truth: Truths, probabilities: Numbers) -> float:
    """Return the chance that a true atom is ranked before a false one, ties counting half; NaN without both.

    >>> auc_roc([True, False, True, False], [0.9, 0.8, 0.8, 0.1])
    0.875
    """
    tp, fp = _curve(*_checked(truth, probabilities))
    if not tp[-1] or not fp[-1]:
        return math.nan
    heights = tp + np.append(0, tp[:-1])
    return float((heights * np.diff(fp, prepend=0)).sum() / (2 * tp[-1] * fp[-1]))


def cll(truth: Truths, probabilities: Numbers, *, clip: float = CLIP) -> float:
    """Return the mean logarithm of the probability of what is true of each atom; NaN without atoms.

    Probabilities are taken between `clip` and 1 - `clip`, so that a confident mistake is not infinitely bad.

    >>> round(cll([True, False], [0.9, 0.1]), 6), round(cll([True], [0.0]), 6)
    (-0.105361, -13.815511)
    """
    if not 0 < clip < 0.5:
        raise UsageError(f"clip must be between 0 and 0.5, not {clip}")
    true, given = _checked(truth, probabilities)
    if given.size and not (given.min() >= 0 and given.max() <= 1):
        wrong = given[(given < 0) | (given > 1)][0]
        raise UsageError(f"probabilities are between 0 and 1, not {wrong}")
    if not true.size:
        return math.nan
    inside = np.clip(given, clip, 1 - clip)
    return float(np.log(np.where(true, inside, 1 - inside)).mean())


def _checked(truth: Truths, probabilities: Numbers) -> tuple[np.ndarray, np.ndarray]:
    true, given = np.asarray(truth, bool), np.asarray(probabilities, float)
    if true.ndim != 1 or true.shape != given.shape:
        raise UsageError(f"{true.size} truth values do not match {given.size} probabilities")
    if np.isnan(given).any():
        raise UsageError("some probabilities are not numbers (NaN)")
    return true, given


def _rounding(given: np.ndarray) -> np.ndarray:
    """Return how far apart numbers may be that differ by rounding only.

    Exact inference sums in different orders for atoms that are alike: without this, the last digits of equal
    probabilities would decide about their ranks. Close to one, the distance to one tells atoms apart.
    """
    nearer = np.minimum(np.abs(given), np.abs(1.0 - given))
    return np.asarray(_ALIKE * nearer + _LAST_DIGITS * np.abs(given))


def _curve(true: np.ndarray, given: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return true and false positives at each distinct probability, from the highest to the lowest.

    Those that differ by rounding only are not distinct.
    """
    if not true.size:
        return np.zeros(1, np.int64), np.zeros(1, np.int64)
    order = np.argsort(-given, kind="stable")
    sorted_scores = given[order]
    last = np.append(np.flatnonzero(np.diff(sorted_scores) < -_rounding(sorted_scores[:-1])), len(order) - 1)
    tp = np.cumsum(true[order], dtype=np.int64)[last]
    return tp, last + 1 - tp
