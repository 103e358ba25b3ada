"""Pseudo-likelihoods of networks: each ground atom given all others, a concave function of the weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from logicoder.base.errors import UsageError
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.mln.counting import Counter, Rows
from logicoder.mln.counting.classes import grouped
from logicoder.mln.formulas import Formula
from logicoder.mln.network import MarkovLogicNetwork
from logicoder.mln.worlds import World, worlds_of

Objective = Literal["wpll", "pll", "cll"]
OBJECTIVES: tuple[Objective, ...] = ("wpll", "pll", "cll")

Data = KnowledgeBase | Sequence[World] | Counter


@dataclass(frozen=True, eq=False)
class PseudoLikelihood:
    """A weighted sum of log P(atom | all other atoms) over ground atoms, equal ones taken together.

    Attributes:
        signed: for each row, the differences of the soft formulas, negated for false atoms.
        shares: for each row, the sum of the weights of its atoms.
        atoms: the number of ground atoms.
        fixed: how many of them a hard formula decides; they are in no row, for their probability is 1.
        violations: how many of these are not what the hard formula wants.
    """

    signed: np.ndarray
    shares: np.ndarray
    atoms: int
    fixed: int = 0
    violations: int = 0

    def value(self, weights: np.ndarray) -> float:
        """Return the log-likelihood."""
        return float(-self.shares @ np.logaddexp(0.0, -(self.signed @ weights)))

    def value_and_gradient(self, weights: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the log-likelihood and its gradient."""
        margins = self.signed @ weights
        costs = np.logaddexp(0.0, -margins)
        # The probability of the opposite truth value, σ(-margin), without overflow.
        wrong = np.exp(-margins - costs)
        return float(-self.shares @ costs), (self.shares * wrong) @ self.signed

    def curvature(self) -> np.ndarray:
        """Return the largest second derivative for each weight, a bound that holds everywhere."""
        return np.asarray(self.shares @ (self.signed**2) / 4)


def counter_of(data: Data) -> Counter:
    """Return a counter of the worlds of some data."""
    if isinstance(data, Counter):
        return data
    return Counter(worlds_of(data) if isinstance(data, KnowledgeBase) else data)


def pseudo_likelihood(
    network: MarkovLogicNetwork,
    data: Data,
    objective: Objective = "wpll",
    query: Sequence[str] | None = None,
) -> PseudoLikelihood:
    """Return the pseudo-likelihood of the weights of a network.

    Args:
        network: its formulas; their weights do not matter here.
        data: worlds, or a counter of them.
        objective: `wpll` divides the sum over the atoms of each predicate in each world by their number;
            `pll` does not; `cll` is `pll` over the atoms of the query predicates only.
        query: the predicates whose atoms are summed over; without it, all that are not background.
    """
    if objective not in OBJECTIVES:
        raise UsageError(f"there is no objective {objective!r}; choose from: {', '.join(OBJECTIVES)}")
    if objective == "cll" and not query:
        raise UsageError("cll is the likelihood of query predicates: name them in query")
    counter = counter_of(data)
    chosen = _predicates(network, query)
    soft, hard = network.soft, network.hard
    signed, shares = [np.zeros((0, len(soft)))], [np.zeros(0)]
    atoms = fixed = violations = 0
    for predicate in chosen:
        for number, world in enumerate(counter.worlds):
            rows, decided, wrong = _undecided(counter, soft, hard, predicate, number)
            groundings = world.groundings(predicate)
            atoms, fixed, violations = atoms + groundings, fixed + decided, violations + wrong
            scale = groundings if objective == "wpll" else 1
            signed.append(np.where(rows.truth, 1, -1)[:, None] * rows.differences)
            shares.append(rows.multiplicity / max(scale, 1))
    matrix, weights = np.concatenate(signed), np.concatenate(shares)
    first, places = grouped(matrix.astype(np.int64))
    return PseudoLikelihood(
        matrix[first].astype(float), np.bincount(places, weights, len(first)), atoms, fixed, violations
    )


def _predicates(network: MarkovLogicNetwork, query: Sequence[str] | None) -> list[str]:
    for name in query or ():
        if name not in network.schema:
            raise UsageError(f"there is no predicate {name}; known are: {', '.join(network.schema)}")
    return (
        [p for p in network.schema if p in query]
        if query
        else [name for name, predicate in network.schema.items() if not predicate.background]
    )


def _undecided(
    counter: Counter, soft: Sequence[Formula], hard: Sequence[Formula], predicate: str, world: int
) -> tuple[Rows, int, int]:
    """Return the rows that no hard formula decides, and of the others the atoms and the violations."""
    terms = [counter.terms(formula.literals, predicate, world) for formula in soft]
    for positive in (True, False):
        terms += [counter.terms(formula.literals, predicate, world, positive) for formula in hard]
    rows = counter.rows_of_terms(terms, predicate, world)
    wanted = rows.differences[:, len(soft) : len(soft) + len(hard)].any(axis=1)
    unwanted = rows.differences[:, len(soft) + len(hard) :].any(axis=1)
    open_rows = ~(wanted | unwanted)
    wrong = (wanted & ~rows.truth) | (unwanted & rows.truth)
    left = Rows(
        rows.truth[open_rows], rows.differences[open_rows][:, : len(soft)], rows.multiplicity[open_rows]
    )
    return left, int(rows.multiplicity[~open_rows].sum()), int(rows.multiplicity[wrong].sum())
