"""Pseudo-likelihoods of networks: each ground atom given all others, a concave function of the weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from logicoder.base.errors import UsageError, shown
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.mln.counting import AtomRows, Counter
from logicoder.mln.counting.classes import grouped
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
    """

    signed: np.ndarray
    shares: np.ndarray
    atoms: int = 0
    fixed: int = 0

    def value(self, weights: np.ndarray) -> float:
        """Return the log-likelihood."""
        return float(-self.shares @ np.logaddexp(0.0, -(self.signed @ weights)))

    def value_and_gradient(self, weights: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the log-likelihood and its gradient."""
        costs, wrong = self._wrong(weights)
        return float(-self.shares @ costs), (self.shares * wrong) @ self.signed

    def second_order(self, weights: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        """Return the log-likelihood, its gradient, and the negative of its matrix of second derivatives."""
        costs, wrong = self._wrong(weights)
        hessian = (self.signed.T * (self.shares * wrong * (1 - wrong))) @ self.signed
        return float(-self.shares @ costs), (self.shares * wrong) @ self.signed, hessian

    def _wrong(self, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return -log P of each row, and the probability of the opposite truth value, without overflow."""
        margins = self.signed @ weights
        costs = np.logaddexp(0.0, -margins)
        return costs, np.exp(-margins - costs)

    def curvature(self) -> np.ndarray:
        """Return the largest second derivative for each weight, a bound that holds everywhere."""
        return np.asarray(self.shares @ (self.signed**2) / 4)


def counter_of(network: MarkovLogicNetwork, data: Data) -> Counter:
    """Return a counter of the worlds of some data; constants that the network declares exist in all of them.

    They do so in inference, too. Worlds, and counters of them, are taken as they are.
    """
    if isinstance(data, Counter):
        return data
    if isinstance(data, KnowledgeBase):
        return Counter(worlds_of(data.with_schema(network.schema_with(data.schema))))
    return Counter(data)


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
        raise UsageError(f"there is no objective {shown(objective)}; choose from: {', '.join(OBJECTIVES)}")
    if objective == "cll" and not query:
        raise UsageError("cll is the likelihood of query predicates: name them in query")
    counter = counter_of(network, data)
    width = len(network.soft)
    signed, shares = [np.zeros((0, width), np.int64)], [np.zeros(0)]
    atoms = fixed = 0
    for predicate in scored_predicates(network, query):
        if predicate not in counter.schema:
            raise UsageError(
                f"the data has no predicate {predicate}: read it with the schema of the network, or name "
                f"the predicates to learn in query"
            )
        for number, world in enumerate(counter.worlds):
            columns, rows, decided = undecided(counter, network, predicate, number)
            matrix = np.zeros((len(rows), width), np.int64)
            matrix[:, columns] = np.where(rows.truth, 1, -1)[:, None] * rows.differences
            signed.append(matrix)
            shares.append(rows.multiplicity * share_of(world, predicate, objective))
            atoms, fixed = atoms + world.groundings(predicate), fixed + decided
    every, weights = np.concatenate(signed), np.concatenate(shares)
    first, places = grouped(every)
    return PseudoLikelihood(
        every[first].astype(float), np.bincount(places, weights, len(first)), atoms=atoms, fixed=fixed
    )


def scored_predicates(network: MarkovLogicNetwork, query: Sequence[str] | None) -> list[str]:
    """Return the predicates whose atoms a likelihood sums over, in the order of the schema."""
    for name in query or ():
        if name not in network.schema:
            raise UsageError(f"there is no predicate {name}; choose from: {', '.join(network.schema)}")
    return [name for name, p in network.schema.items() if (name in query if query else not p.background)]


def share_of(world: World, predicate: str, objective: Objective) -> float:
    """Return the weight of one ground atom in an objective."""
    return 1 / max(world.groundings(predicate), 1) if objective == "wpll" else 1.0


def undecided(
    counter: Counter, network: MarkovLogicNetwork, predicate: str, world: int
) -> tuple[list[int], AtomRows, int]:
    """Return the rows that no hard formula decides, and the number of atoms of the others.

    First come the numbers of the soft formulas that mention the predicate: the columns of the rows.
    """
    columns = [i for i, formula in enumerate(network.soft) if predicate in formula.predicates()]
    soft = [network.soft[i].literals for i in columns]
    hard = [formula.literals for formula in network.hard if predicate in formula.predicates()]
    signs = [*[None] * len(soft), *[True] * len(hard), *[False] * len(hard)]
    rows = counter.rows([*soft, *hard, *hard], predicate, world, signs)
    if not hard:
        return columns, rows, 0
    still = ~rows.differences[:, len(soft) :].any(axis=1)
    left = AtomRows(rows.truth[still], rows.differences[still, : len(soft)], rows.multiplicity[still])
    return columns, left, int(rows.multiplicity[~still].sum())


def violations(network: MarkovLogicNetwork, data: Data) -> int:
    """Return the number of groundings of hard formulas that the data violate."""
    counter = counter_of(network, data)
    return sum(
        sum(counter.groundings(formula.literals)) - sum(counter.satisfied(formula.literals))
        for formula in network.hard
    )
