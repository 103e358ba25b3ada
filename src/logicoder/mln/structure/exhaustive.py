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

from logicoder.mln.counting import canonical
from logicoder.mln.formulas import Literals, variables_of
from logicoder.mln.network import types_of
from logicoder.mln.structure.objective import Data, Fit
from logicoder.mln.structure.skeletons import Skeleton, clause_of, sign_patterns, skeletons
from logicoder.mln.structure.structure_settings import Settings


def stages(settings: Settings) -> list[tuple[bool, int]]:
    """Return the kinds of clauses in the order in which they are looked at: repetition, and length.

    The atoms of a predicate that occurs twice in a clause explain each other. The pseudo-likelihood, to which
    all other atoms are known, thinks much of such clauses; whoever asks for the predicate knows none of its
    atoms. So first comes what can be said without them. Short clauses come before long ones, so that these do
    not merely repeat what a part of them says.
    """
    lengths = range(1, settings.max_literals + 1)
    return [(repeated, n) for repeated in (False, True) for n in lengths if n > 1 or not repeated]


def skeletons_of(data: Data, settings: Settings, *, repeated: bool, length: int) -> list[Skeleton]:
    """Return the skeletons of one length, with or without a predicate that occurs twice."""
    small = {}
    for kind in data.schema.types():
        symbols = sorted({symbol for world in data.worlds for symbol in world.domains[kind]})
        if len(symbols) <= settings.constants:
            small[kind] = symbols
    found = skeletons(data.schema, max_literals=length, max_variables=settings.max_variables, constants=small)
    return [s for s in found if len(s) == length and (len({name for name, _ in s}) < length) == repeated]


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
        self._rows = fit.rows
        self._slopes: dict[str, np.ndarray] = {}
        self._curves: dict[str, np.ndarray] = {}
        self._width = len(fit.clauses)
        own = np.eye(self._width) / settings.sigma**2
        for name, rows in fit.rows.items():
            odds = rows.differences @ fit.weights[list(rows.clauses)]
            probability = 0.5 * (1.0 + np.tanh(0.5 * odds))
            spread = probability * (1.0 - probability)
            self._slopes[name] = rows.shares * (rows.truth - probability)[rows.places]
            self._curves[name] = rows.shares * spread[rows.places]
            both = np.ix_(rows.clauses, rows.clauses)
            own[both] += (rows.differences.T * (rows.weights * spread)) @ rows.differences
        self._inverse = np.linalg.inv(own) if self._width else own
        self._cache: dict[Literals, dict[str, np.ndarray]] = {}

    def promising(self, skeleton: Skeleton) -> list[tuple[float, Literals]]:
        """Return the clauses of a skeleton that promise to gain more than their penalty.

        The promise is that of a Newton step of the new weight together with those of the network.
        """
        places = range(len(skeleton))
        subsets = [subset for size in places for subset in combinations(places, size + 1)]
        whole = clause_of(skeleton, [False] * len(skeleton))
        found = [self._subset(whole, subset) for subset in subsets]
        slopes = np.zeros(len(subsets))
        products = np.zeros((len(subsets), len(subsets)))
        mixed = np.zeros((len(subsets), self._width))
        for name in self.data.predicates_of(whole):
            used = [i for i, part in enumerate(found) if name in part]
            parts = np.array([found[i][name] for i in used])
            weighted = parts * self._curves[name]
            slopes[used] += parts @ self._slopes[name]
            products[np.ix_(used, used)] += weighted @ parts.T
            rows = self._rows[name]
            sums = np.array([np.bincount(rows.places, line, len(rows.truth)) for line in weighted])
            mixed[np.ix_(used, rows.clauses)] += sums @ rows.differences
        products -= mixed @ self._inverse @ mixed.T
        patterns = sign_patterns(skeleton)
        signs = np.array([[_coefficient(pattern, subset) for subset in subsets] for pattern in patterns])
        spread = np.einsum("si,ij,sj->s", signs, products, signs) + 1.0 / self.settings.sigma**2
        gains = (signs @ slopes) ** 2 / (2.0 * np.maximum(spread, 1e-12))
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

    def _subset(self, whole: Literals, subset: tuple[int, ...]) -> dict[str, np.ndarray]:
        """Return the differences of the all-negative clause of a subset, for each grounding of the rest."""
        clause = tuple(whole[i] for i in subset)
        found = self._all_negative(clause)
        types = types_of(whole, self.data.schema)
        kept = variables_of(clause)
        gone = [kind for variable, kind in types.items() if variable not in kept]
        if not gone:
            return found
        factors = [prod(len(world.domains[kind]) for kind in gone) for world in self.data.worlds]
        return {
            name: values * np.repeat(factors, [world.groundings(name) for world in self.data.worlds])
            for name, values in found.items()
        }

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
