"""All clauses within limits, screened by what the gradient at weight 0 promises.

A clause without positive literals is satisfied wherever one of its atoms is false. Clauses with positive
literals are signed sums of such: 1 - X for each positive literal, multiplied out. Counts and differences are
linear, so the differences of all sign patterns of a skeleton are sums of those of its subsets, taken all
negative, and the gradients and curvatures of all patterns follow from one small matrix of products.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from math import prod

import numpy as np

from logicoder.mln.formulas import Literals, variables_of
from logicoder.mln.network import types_of
from logicoder.mln.structure.clauses import Skeleton, canonical, clause_of, sign_patterns, skeletons
from logicoder.mln.structure.newton import sigmoid
from logicoder.mln.structure.objective import Data, Fit
from logicoder.mln.structure.settings import Settings


def skeletons_of(data: Data, settings: Settings, length: int) -> list[Skeleton]:
    """Return the skeletons up to two literals, or of just the given length beyond."""
    small = {}
    for kind in data.schema.types():
        symbols = sorted({symbol for world in data.worlds for symbol in world.domains[kind]})
        if len(symbols) <= settings.constants:
            small[kind] = symbols
    found = skeletons(
        data.schema,
        max_literals=min(length, settings.max_literals),
        max_variables=settings.max_variables,
        constants=small,
    )
    return [skeleton for skeleton in found if len(skeleton) == length or length == 2]


class Screening:
    """Estimates what clauses would gain on top of a network, without fitting weights.

    Args:
        data: the worlds.
        fit: the network at its best weights.
        settings: penalty, and how many clauses to keep.
    """

    def __init__(self, data: Data, fit: Fit, settings: Settings) -> None:
        self.data = data
        self.settings = settings
        self._slopes: dict[str, np.ndarray] = {}
        self._curves: dict[str, np.ndarray] = {}
        self._network: dict[str, np.ndarray] = {}
        width = len(fit.clauses)
        own = np.eye(width) / settings.sigma**2
        for name, rows in fit.rows.items():
            probability = sigmoid(rows.differences @ fit.weights[list(rows.clauses)])
            self._slopes[name] = rows.shares * (rows.truth - probability)[rows.places]
            self._curves[name] = rows.shares * (probability * (1.0 - probability))[rows.places]
            known = np.zeros((len(rows.truth), width))
            known[:, list(rows.clauses)] = rows.differences
            own += (known.T * (rows.weights * probability * (1.0 - probability))) @ known
            self._network[name] = known[rows.places]
        self._inverse = np.linalg.inv(own) if width else own
        self._cache: dict[Literals, dict[str, np.ndarray]] = {}

    def promising(self, skeleton: Skeleton) -> list[tuple[float, Literals]]:
        """Return the clauses of a skeleton that promise to gain more than their penalty.

        The promise is that of a Newton step of the new weight together with those of the network.
        """
        places = range(len(skeleton))
        subsets = [subset for size in places for subset in combinations(places, size + 1)]
        patterns = sign_patterns(skeleton)
        whole = clause_of(skeleton, [False] * len(skeleton))
        names = self.data.predicates_of(whole)
        slopes = np.zeros(len(subsets))
        products = np.zeros((len(subsets), len(subsets)))
        mixed = np.zeros((len(subsets), len(self._inverse)))
        for name in names:
            parts = np.array([self._differences(whole, subset, name) for subset in subsets])
            weighted = parts * self._curves[name]
            slopes += parts @ self._slopes[name]
            products += weighted @ parts.T
            mixed += weighted @ self._network[name]
        products -= mixed @ self._inverse @ mixed.T
        signs = np.array([[_coefficient(pattern, subset) for subset in subsets] for pattern in patterns])
        gains = (signs @ slopes) ** 2 / (2.0 * np.maximum(self._spread(signs, products), 1e-12))
        gains -= self.settings.length_penalty * len(skeleton)
        return [
            (float(gain), canonical(clause_of(skeleton, pattern)))
            for gain, pattern in zip(gains, patterns, strict=True)
            if gain > self.settings.min_gain
        ]

    def kept(self, found: Iterable[tuple[float, Literals]]) -> list[tuple[float, Literals]]:
        """Return the best of some clauses, as many as are to be scored."""
        listed = list(found)
        if len(listed) > self.settings.max_candidates:
            listed.sort(key=lambda item: (-item[0], len(item[1]), " ".join(map(str, item[1]))))
        return listed[: self.settings.max_candidates]

    def _spread(self, signs: np.ndarray, products: np.ndarray) -> np.ndarray:
        spread: np.ndarray = np.einsum("si,ij,sj->s", signs, products, signs)
        return spread + 1.0 / self.settings.sigma**2

    def _differences(self, whole: Literals, subset: tuple[int, ...], name: str) -> np.ndarray:
        """Return the differences of the all-negative clause of a subset, for each grounding of the rest."""
        clause = tuple(whole[i] for i in subset)
        if not any(literal.atom.predicate == name for literal in clause):
            return np.zeros(len(self._slopes[name]))
        found = self._all_negative(clause)[name]
        types = types_of(whole, self.data.schema)
        gone = [types[v] for v in variables_of(whole) if v not in variables_of(clause)]
        if not gone:
            return found
        factors = [prod(len(world.domains[kind]) for kind in gone) for world in self.data.worlds]
        return np.asarray(found * np.repeat(factors, [w.groundings(name) for w in self.data.worlds]))

    def _all_negative(self, clause: Literals) -> dict[str, np.ndarray]:
        key = canonical(clause)
        if len(key) > 2:
            return self.data.differences(key)
        if key not in self._cache:
            self._cache[key] = self.data.differences(key)
        return self._cache[key]


def _coefficient(pattern: tuple[bool, ...], subset: tuple[int, ...]) -> int:
    """Return how often the all-negative clause of a subset counts in a clause with signs."""
    positive = {i for i, sign in enumerate(pattern) if sign}
    if not {i for i in range(len(pattern)) if i not in positive}.issubset(subset):
        return 0
    return -1 if len(positive.intersection(subset)) % 2 else 1
