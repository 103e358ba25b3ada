"""Which of many candidate clauses would help? Slopes at weight zero, and gains of one new weight.

The slope of the pseudo-likelihood at weight 0 of a clause is Σ (truth - probability) × difference over the
ground atoms. The first factor is the same for all candidates, and the second a sum of products of sparse
tensors which candidates share: each is multiplied with these residuals once, in however many clauses it is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from logicoder.mln.counting import Counter
from logicoder.mln.counting.tensors import Tensor
from logicoder.mln.formulas import Formula, Literals
from logicoder.mln.likelihood import (
    Objective,
    PseudoLikelihood,
    pseudo_likelihood,
    scored_predicates,
    share_of,
    undecided,
)
from logicoder.mln.network import MarkovLogicNetwork
from logicoder.mln.optimising import Fit, fit
from logicoder.mln.priors import Prior

_BATCH = 64
"""Candidates whose rows are made together where a predicate has too many atoms for an array."""


def gradients(
    counter: Counter,
    network: MarkovLogicNetwork,
    candidates: Sequence[Literals],
    *,
    objective: Objective = "wpll",
    query: Sequence[str] | None = None,
) -> np.ndarray:
    """Return the slope of the likelihood in the weight of each candidate, at weight zero.

    The network is taken with the weights that it has. A candidate whose slope is smaller than that of an L1
    prior (1 / sigma) stays at zero; a positive slope asks for a positive weight.

    >>> from logicoder.kb.knowledge_base import KnowledgeBase
    >>> from logicoder.logic.terms import Atom, Literal, Variable
    >>> from logicoder.mln.worlds import worlds_of
    >>> names = {"smokes": "ab", "cancer": "a", "person": "abc"}
    >>> kb = KnowledgeBase.from_facts((name, person) for name in names for person in names[name])
    >>> smokes, cancer = (Literal(Atom(name, (Variable("X"),))) for name in ("smokes", "cancer"))
    >>> gradients(Counter(worlds_of(kb)), MarkovLogicNetwork(kb.schema), [(smokes,), (cancer,)]).round(4)
    array([ 0.1667, -0.1667])
    """
    found = np.zeros(len(candidates))
    for predicate in scored_predicates(network, query):
        touched = [i for i, clause in enumerate(candidates) if _mentions(clause, predicate)]
        if not touched:
            continue
        clauses = [candidates[i] for i in touched]
        for number, world in enumerate(counter.worlds):
            share = share_of(world, predicate, objective)
            if world.groundings(predicate) <= counter.budget:
                slopes = _by_residuals(counter, network, clauses, predicate, number)
            else:
                slopes = _by_rows(counter, network, clauses, predicate, number)
            found[touched] += share * slopes
    return found


def gains(
    counter: Counter,
    network: MarkovLogicNetwork,
    candidates: Sequence[Literals],
    *,
    prior: Prior | None = None,
    objective: Objective = "wpll",
    query: Sequence[str] | None = None,
) -> list[Fit]:
    """Return the best weight of each candidate alone, all other weights as they are.

    The `value` of each is the gain: the likelihood less the penalty of the new weight, compared with 0.
    """
    found = []
    weights = np.array([formula.weight for formula in network.soft])
    for clause in candidates:
        grown = MarkovLogicNetwork(network.schema, (*network.formulas, Formula(clause)))
        touched = [p for p in scored_predicates(network, query) if _mentions(clause, p)]
        if not touched:
            found.append(Fit(np.zeros(1), 0.0, 0.0, 0))
            continue
        every = pseudo_likelihood(grown, counter, "wpll" if objective == "wpll" else "pll", touched)
        one = PseudoLikelihood(every.signed[:, -1:], every.shares, every.signed[:, :-1] @ weights)
        best = fit(one, prior or Prior(), np.zeros(1))
        before = one.value(np.zeros(1)) - (prior or Prior()).penalty(np.zeros(1))
        found.append(Fit(best.weights, best.value - before, best.gradient_norm, best.iterations))
    return found


def _mentions(clause: Literals, predicate: str) -> bool:
    return any(not literal.inequality and literal.atom.predicate == predicate for literal in clause)


def _by_residuals(
    counter: Counter, network: MarkovLogicNetwork, clauses: Sequence[Literals], predicate: str, world: int
) -> np.ndarray:
    residuals = _Residuals(_residuals(counter, network, predicate, world))
    return np.array(
        [
            sum(
                coefficient * residuals.times(tensors)
                for coefficient, tensors in counter.terms(clause, predicate, world)
            )
            for clause in clauses
        ],
        float,
    )


def _residuals(counter: Counter, network: MarkovLogicNetwork, predicate: str, world: int) -> np.ndarray:
    """Return truth less probability of each atom; zero for atoms that a hard formula decides."""
    here = counter.worlds[world]
    margins = np.zeros(here.groundings(predicate))
    for formula in network.soft:
        if formula.weight and predicate in formula.predicates():
            margins += formula.weight * counter.differences(formula.literals, predicate, world)
    found = -_probability(margins)
    found[here.numbers(predicate)] += 1
    for formula in network.hard:
        if predicate in formula.predicates():
            for positive in (True, False):
                found[counter.differences(formula.literals, predicate, world, positive) != 0] = 0
    return found.reshape(here.shape(predicate))


def _probability(margins: np.ndarray) -> np.ndarray:
    return np.asarray(np.exp(-np.logaddexp(0.0, -margins)))


class _Residuals:
    """Residuals over all ground atoms of a predicate, to be multiplied with products of tensors."""

    def __init__(self, residuals: np.ndarray) -> None:
        self._residuals = residuals
        self._sums: dict[tuple[int, ...], np.ndarray] = {}
        self._known: dict[tuple[Tensor, ...], float] = {}

    def times(self, tensors: tuple[Tensor, ...]) -> float:
        """Return the sum over all atoms of the residual times the counts of these tensors."""
        if tensors not in self._known:
            positions = tuple(sorted(i for tensor in tensors for i in tensor.positions))
            left = self._summed(positions)
            for tensor in tensors:
                # Those positions to the front, as one axis of packed rows.
                axes = [positions.index(i) for i in tensor.positions]
                left = np.moveaxis(left, axes, range(len(axes)))
                left = left.reshape(-1, *left.shape[len(axes) :])[tensor.keys]
                left = np.tensordot(tensor.counts.astype(float), left, 1)
                positions = tuple(i for i in positions if i not in tensor.positions)
            self._known[tensors] = float(left)
        return self._known[tensors]

    def _summed(self, positions: tuple[int, ...]) -> np.ndarray:
        if positions not in self._sums:
            others = tuple(i for i in range(self._residuals.ndim) if i not in positions)
            self._sums[positions] = np.asarray(self._residuals.sum(axis=others))
        return self._sums[positions]


def _by_rows(
    counter: Counter, network: MarkovLogicNetwork, clauses: Sequence[Literals], predicate: str, world: int
) -> np.ndarray:
    found = []
    for start in range(0, len(clauses), _BATCH):
        batch = clauses[start : start + _BATCH]
        formulas = (*(Formula(clause) for clause in batch), *network.formulas)
        grown = MarkovLogicNetwork(network.schema, formulas)
        columns, rows, _ = undecided(counter, grown, predicate, world)
        weights = np.array([grown.soft[i].weight for i in columns])
        residuals = rows.truth - _probability(rows.differences @ weights)
        found.append((rows.multiplicity * residuals) @ rows.differences[:, : len(batch)])
    return np.concatenate(found)
