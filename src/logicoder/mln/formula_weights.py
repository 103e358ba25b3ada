"""Learning the weights of a network by pseudo-likelihood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from logicoder.logic.terms import Atom, Literal, Variable
from logicoder.mln.formulas import Formula
from logicoder.mln.likelihood import Data, Objective, counter_of, pseudo_likelihood, violations
from logicoder.mln.network import MarkovLogicNetwork
from logicoder.mln.optimum import fit
from logicoder.mln.priors import Numbers, Prior, PriorName
from logicoder.mln.weight_parameters import WEIGHTS


@dataclass(frozen=True)
class WeightLearning:
    """What weight learning found.

    Attributes:
        network: the network with the weights.
        value: the log-likelihood minus the penalty of the prior.
        gradient_norm: the largest partial derivative of that value, zero at an optimum.
        iterations: the iterations of the optimiser.
        converged: whether it stopped at an optimum rather than at the limit.
        atoms: the ground atoms, of which equal ones are one row.
        rows: the rows.
        fixed: the ground atoms that a hard formula decides given all others; uninformative about weights.
        violations: the groundings of hard formulas that the data violates.
    """

    network: MarkovLogicNetwork
    value: float
    gradient_norm: float
    iterations: int
    converged: bool
    atoms: int
    rows: int
    fixed: int
    violations: int

    @property
    def weights(self) -> np.ndarray:
        """The weights of the soft formulas, in their order."""
        return np.array([formula.weight for formula in self.network.soft])


def learn_weights(
    network: MarkovLogicNetwork,
    data: Data,
    *,
    objective: Objective = WEIGHTS.objective,
    query: Sequence[str] | None = WEIGHTS.query,
    prior: PriorName = WEIGHTS.prior,
    sigma: Numbers = WEIGHTS.sigma,
    mean: Numbers = WEIGHTS.mean,
    unit_clauses: bool = WEIGHTS.unit_clauses,
    start: Sequence[float] | None = None,
    tolerance: float = 1e-6,
    iterations: int = 1000,
) -> WeightLearning:
    """Return the network with the weights of the largest likelihood.

    The data is taken to be complete: what is not true is false, also among unknown atoms and open predicates.

    Args:
        network: its formulas; hard ones stay hard.
        data: a knowledge base, worlds, or a counter of worlds (which keeps its counts).
        objective: `wpll`, the weighted pseudo-log-likelihood: for each world and predicate the mean over
            the ground atoms of log P(atom | all others); `pll`, their sum; `cll`, the sum over the query
            predicates only. Where query atoms interact, `cll` is the pseudo-likelihood of the query atoms
            given everything else, other query atoms included.
        query: the predicates that are asked for (needed for `cll`); without it, all but background ones.
        prior: `gaussian`, `l1` (which makes weights exactly `mean`) or `none`.
        sigma: the standard deviation of the Gaussian, or the scale of `l1`: |w - mean| / sigma. One number,
            or one for each soft formula (such as a wider prior for unit clauses).
        mean: the mean of the prior, likewise: `[f.weight for f in network.soft]` stays close to these.
        unit_clauses: whether every predicate without a unit clause gets one, as in Alchemy.
        start: weights to start from; without it, those of the prior's mean.
        tolerance: the partial derivative at which to stop.
        iterations: the most iterations.

    >>> from logicoder.kb.knowledge_base import KnowledgeBase
    >>> names = {"smokes": "ab", "cancer": "a", "person": "abc"}
    >>> kb = KnowledgeBase.from_facts((name, person) for name in names for person in names[name])
    >>> empty = MarkovLogicNetwork(kb.schema)
    >>> found = learn_weights(empty, kb, query=["smokes", "cancer"], unit_clauses=True)
    >>> [(str(formula.literals[0]), round(formula.weight, 2)) for formula in found.network]
    [('smokes(A1)', 0.69), ('cancer(A1)', -0.69)]
    """
    if unit_clauses:
        network = with_unit_clauses(network, query)
    counter = counter_of(network, data)
    likelihood = pseudo_likelihood(network, counter, objective, query)
    fitted = fit(likelihood, Prior(prior, sigma, mean), start, tolerance=tolerance, iterations=iterations)
    return WeightLearning(
        network.with_weights(fitted.weights.tolist()),
        fitted.value,
        fitted.gradient_norm,
        fitted.iterations,
        fitted.gradient_norm <= tolerance,
        likelihood.atoms,
        len(likelihood.shares),
        likelihood.fixed,
        violations(network, counter),
    )


def with_unit_clauses(
    network: MarkovLogicNetwork, predicates: Sequence[str] | None = None
) -> MarkovLogicNetwork:
    """Return the network with a formula `p(A1,...)` of weight 0 for every predicate without one."""
    present = {
        formula.literals[0].atom.predicate
        for formula in network.soft
        if len(formula.literals) == 1 and len(formula.variables()) == formula.literals[0].atom.arity
    }
    wanted = predicates or [name for name, predicate in network.schema.items() if not predicate.background]
    added = tuple(
        Formula(
            (Literal(Atom(name, tuple(Variable(f"A{i + 1}") for i in range(network.schema[name].arity)))),)
        )
        for name in wanted
        if name not in present
    )
    return replace(network, formulas=network.formulas + added)


def wpll(
    network: MarkovLogicNetwork,
    data: Data,
    *,
    objective: Objective = "wpll",
    query: Sequence[str] | None = None,
    prior: PriorName = "none",
    sigma: Numbers = WEIGHTS.sigma,
    mean: Numbers = 0.0,
) -> float:
    """Return the weighted pseudo-log-likelihood of a network, minus the penalty of a prior if there is one.

    Atoms that a hard formula decides count zero, as if they had the required value; `violations` counts where
    they are not.
    """
    weights = np.array([formula.weight for formula in network.soft])
    likelihood = pseudo_likelihood(network, counter_of(network, data), objective, query)
    return likelihood.value(weights) - Prior(prior, sigma, mean).for_weights(len(weights)).penalty(weights)
