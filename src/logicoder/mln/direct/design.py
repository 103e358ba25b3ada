"""Learning networks that predict one predicate at a time.

Features are screened by what each alone would gain in likelihood, then the best of them are fitted together
under a Gaussian prior; constants and conjunctions refine those that were kept, screened by the
gradient of the fitted network. Several priors share all of this but the fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from logicoder.engine.arrays.ground_atoms import Booleans, GroundAtoms
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.logic.terms import Program
from logicoder.mln.direct.conditions import (
    Columns,
    Feature,
    Holds,
    distinct_rows,
)
from logicoder.mln.direct.predicate_networks import DirectModel, PredicateNetwork, signed_rows, with_latents
from logicoder.mln.direct.vocabulary import Vocabulary
from logicoder.mln.likelihood import PseudoLikelihood
from logicoder.mln.optimum import fit
from logicoder.mln.priors import Prior

BIAS_SIGMA = 100.0
"""The prior of the formula of the predicate alone is wide, as usual."""


@dataclass(frozen=True)
class DirectSettings:
    """How networks are learned.

    Attributes:
        max_literals: the most literals of a formula that combines two features.
        max_variables: the most variables of a formula.
        most: the most features that are kept for each predicate.
        refined: how many of the best ones are combined with each other and with constants.
        least_gain: what a feature must gain in log-likelihood to be kept.
    """

    max_literals: int = 3
    max_variables: int | None = 3
    most: int = 300
    refined: int = 30
    least_gain: float = 2.0


def learn_direct(
    kb: KnowledgeBase,
    encoder: Program,
    vocabulary: Vocabulary,
    sigmas: Sequence[float],
    settings: DirectSettings,
    predicates: Iterable[str] | None = None,
) -> list[DirectModel]:
    """Return one model for each of several priors.

    Args:
        kb: the data.
        encoder: defines the latents of the vocabulary.
        vocabulary: what formulas may say.
        sigmas: standard deviations of the Gaussian prior of the weights.
        settings: how much is looked at.
        predicates: those to be predicted; without it, all with facts and arguments.
    """
    names = [n for n in kb.learnable if kb.schema[n].arity] if predicates is None else list(predicates)
    source = with_latents(kb, encoder)
    found: list[dict[str, PredicateNetwork]] = [{} for _ in sigmas]
    for name in names:
        design = _Design(kb, source, name, vocabulary, settings)
        for networks, sigma in zip(found, sigmas, strict=True):
            networks[name] = design.fitted(sigma)
    return [DirectModel(encoder, networks) for networks in found]


class _Design:
    """The features of one predicate on the training data."""

    def __init__(
        self,
        kb: KnowledgeBase,
        source: KnowledgeBase,
        name: str,
        vocabulary: Vocabulary,
        settings: DirectSettings,
    ) -> None:
        self._atoms = GroundAtoms(kb, name)
        self._columns = Columns(self._atoms)
        self._settings = settings
        self._truth = self._atoms.truth
        for body in vocabulary.bodies:
            if name not in body.dependencies and body.relation is not None and body.database is not None:
                table = body.database.decode(body.relation, len(body.types))
                self._columns.know(body.name, self._atoms.database.encode(body.types, table))
        features = list(vocabulary.features(self._atoms, settings.max_variables))
        unknown = [f for f in features if any(isinstance(c, Holds) and not self._known(c) for c in f)]
        self._columns.derive(unknown, source)
        kept = self._screened(features)
        kept += self._screened(self._refinements(kept, vocabulary), known=kept)
        self.features = tuple(kept)
        rows = distinct_rows(self._columns.packed(self.features), len(self.features))
        signed, shares = signed_rows(rows, self._truth)
        # The best weights are combinations of rows: where these are fewer than features, so are unknowns.
        self._basis: np.ndarray | None = None
        if len(signed) < len(self.features):
            self._basis, coordinates = np.linalg.qr(signed[:, 1:].T)
            signed = np.column_stack([signed[:, :1], coordinates.T])
        self._likelihood = PseudoLikelihood(signed, shares, atoms=len(self._atoms))

    def _known(self, condition: Holds) -> bool:
        return self._columns.knows(condition.definition.head.predicate)

    def _screened(self, features: Iterable[Feature], known: Sequence[Feature] = ()) -> list[Feature]:
        """Return the best features, of those that hold of the same atoms the first."""
        seen = {_fingerprint(self._columns.of(feature)) for feature in known}
        found: list[tuple[float, int, Feature]] = []
        for number, feature in enumerate(features):
            column = self._columns.of(feature)
            mark = _fingerprint(column)
            if mark in seen:
                continue
            seen.add(mark)
            gain = gain_alone(column, self._truth)
            if gain >= self._settings.least_gain:
                found.append((-gain, number, feature))
        found.sort(key=lambda item: item[:2])
        return [feature for _, _, feature in found[: self._settings.most]]

    def _refinements(self, kept: Sequence[Feature], vocabulary: Vocabulary) -> list[Feature]:
        named = vocabulary.named(self._atoms)
        best = kept[: self._settings.refined]
        found: list[Feature] = [(condition,) for condition in named]
        found += [(*feature, condition) for feature in best for condition in named]
        most = self._settings.max_literals - 1
        found += [(*one, *two) for one, two in combinations(best, 2) if _literals((*one, *two)) <= most]
        return found

    def fitted(self, sigma: float) -> PredicateNetwork:
        """Return the network with the weights of the largest penalised likelihood."""
        widths = np.full(self._likelihood.signed.shape[1], sigma)
        widths[0] = BIAS_SIGMA
        found = fit(self._likelihood, Prior("gaussian", widths), tolerance=1e-4, iterations=200)
        weights = found.weights[1:] if self._basis is None else self._basis @ found.weights[1:]
        return PredicateNetwork(
            self._atoms.predicate, len(self._atoms.kinds), self.features, weights, float(found.weights[0])
        )


def _literals(feature: Feature) -> int:
    """Return the literals of a body: those of definitions, in which latents are literals like others."""
    return sum(condition.definition.length for condition in feature if isinstance(condition, Holds))


def _fingerprint(column: Booleans) -> bytes:
    return np.packbits(column).tobytes()


def gain_alone(column: Booleans, truth: Booleans) -> float:
    """Return what a feature alone gains in log-likelihood over the predicate alone.

    >>> round(gain_alone(np.array([True, True, False, False]), np.array([True, True, False, False])), 4)
    2.7726
    """
    total, positive, held = len(truth), int(truth.sum()), int(column.sum())
    both = int((column & truth).sum())
    table = np.array([[both, held - both], [positive - both, total - held - positive + both]], float)
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0, keepdims=True) / max(total, 1)
    some = table > 0
    return float((table[some] * np.log(table[some] / expected[some])).sum())
