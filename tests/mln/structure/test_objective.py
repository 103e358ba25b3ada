"""The growing objective and its screening against the plain objective of weight learning."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logicoder import KnowledgeBase
from logicoder.mln import Formula, MarkovLogicNetwork
from logicoder.mln.counting import Counter
from logicoder.mln.structure.clauses import canonical, clause_of, sign_patterns, skeletons
from logicoder.mln.structure.exhaustive import Screening
from logicoder.mln.structure.newton import maximised, sigmoid
from logicoder.mln.structure.objective import Data, Fit, Objective, stacked
from logicoder.mln.structure.settings import Settings
from logicoder.mln.weights import learn_weights, wpll
from logicoder.mln.worlds import worlds_of

from .worlds import SCHEMA, knowledge_bases, world_of

SKELETONS = list(skeletons(SCHEMA, max_literals=3, max_variables=3))
CLAUSES = [canonical(clause_of(s, signs)) for s in SKELETONS for signs in sign_patterns(s)]
UNITS = [clause_of(s, [True]) for s in SKELETONS if len(s) == 1]


def network(fit: Fit) -> MarkovLogicNetwork:
    pairs = zip(fit.clauses, fit.weights.tolist(), strict=True)
    return MarkovLogicNetwork(SCHEMA, tuple(Formula(clause, weight) for clause, weight in pairs))


@settings(max_examples=20, deadline=None)
@given(
    st.lists(knowledge_bases(), min_size=1, max_size=2),
    st.lists(st.sampled_from(CLAUSES), min_size=1, max_size=4, unique=True),
)
def test_growing_rows_give_the_objective_of_weight_learning(kbs: list[KnowledgeBase], clauses: list) -> None:
    worlds = [world_of(kb) for kb in kbs]
    objective = Objective(Data(Counter(worlds)), sigma=2.0)
    fit = objective.empty()
    for clause in clauses:
        fit = objective.with_clause(fit, clause)
    assert fit.value == pytest.approx(wpll(network(fit), worlds, prior="gaussian", sigma=2.0), abs=1e-9)
    best = learn_weights(network(fit), worlds, sigma=2.0)
    assert fit.value == pytest.approx(best.value, abs=1e-7)
    assert fit.weights == pytest.approx(best.weights, abs=1e-3)
    again = objective.of(clauses, fit.weights)
    assert again.value == pytest.approx(fit.value, abs=1e-9)
    place = len(clauses) // 2
    smaller = objective.without(fit, place)
    assert smaller.clauses == (*clauses[:place], *clauses[place + 1 :])
    assert smaller.value == pytest.approx(objective.of(smaller.clauses).value, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(knowledge_bases(), st.sampled_from(SKELETONS), st.booleans())
def test_the_promise_is_a_newton_step(kb: KnowledgeBase, skeleton: tuple, with_network: bool) -> None:
    data = Data(Counter([world_of(kb)]))
    objective = Objective(data, sigma=1.0)
    fit = objective.of(UNITS if with_network else [])
    options = Settings(sigma=1.0, length_penalty=0.0)
    promised = dict(map(reversed, Screening(data, fit, options).promising(skeleton)))  # type: ignore[arg-type]
    for signs in sign_patterns(skeleton):
        clause = canonical(clause_of(skeleton, signs))
        if clause in fit.clauses:
            continue
        rows = dict(fit.rows)
        for name, values in data.differences(clause).items():
            rows[name] = rows[name].split(len(fit.clauses), values)
        matrix, truth, shares = stacked(rows.values(), len(fit.clauses) + 1)
        weights = np.append(fit.weights, 0.0)
        probability = sigmoid(matrix @ weights)
        slope = matrix.T @ (shares * ((truth > 0) - probability)) - weights
        curve = (matrix.T * (shares * probability * (1 - probability))) @ matrix + np.eye(len(weights))
        expected = 0.5 * slope @ np.linalg.solve(curve, slope)
        assert promised.get(clause, 0.0) == pytest.approx(expected, rel=1e-5, abs=1e-7)


def test_a_promise_is_close_to_the_gain_of_a_weak_clause() -> None:
    people = [f"c{i}" for i in range(40)]
    facts = [("p", c) for c in people[:20]] + [("s", c) for c in people[:22:2]] + [("s", people[30])]
    facts += [("all", c) for c in people]
    data = Data(Counter(worlds_of(KnowledgeBase.from_facts(facts))))
    units = [clause_of([(name, (0,))], [True]) for name in ("all", "p", "s")]
    objective = Objective(data)
    fit = objective.of(units)
    [(promise, clause), *_] = Screening(data, fit, Settings(length_penalty=0.0)).promising(
        (("p", (0,)), ("s", (0,)))
    )
    gain = objective.with_clause(fit, clause).value - fit.value
    assert promise == pytest.approx(gain, rel=0.35)


def test_only_the_best_are_kept() -> None:
    data = Data(Counter(worlds_of(KnowledgeBase.from_facts([("p", "a"), ("s", "b")]))))
    screening = Screening(data, Objective(data).empty(), Settings(max_candidates=2))
    found = [(float(i), clause) for i, clause in enumerate(CLAUSES[:5])]
    assert screening.kept(found) == [found[4], found[3]]
    assert screening.kept(found[:2]) == found[:2]


def test_newton_from_a_bad_start() -> None:
    rng = np.random.default_rng(0)
    matrix = rng.integers(-40, 40, (30, 3)).astype(float)
    truth, shares = np.where(rng.random(30) < 0.5, 1.0, -1.0), rng.random(30)
    near, value = maximised(matrix, truth, shares, np.zeros(3), 1e-4)
    far, other = maximised(matrix, truth, shares, np.array([30.0, -50.0, 20.0]), 1e-4)
    assert far == pytest.approx(near, abs=1e-5)
    assert other == pytest.approx(value, abs=1e-9)
