"""The growing objective and its screening against the plain objective of weight learning."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logicoder import KnowledgeBase
from logicoder.mln import Formula, MarkovLogicNetwork
from logicoder.mln.counting import Counter, canonical
from logicoder.mln.formula_weights import learn_weights, wpll
from logicoder.mln.likelihood import pseudo_likelihood
from logicoder.mln.structure.exhaustive import Screening
from logicoder.mln.structure.lasso import together
from logicoder.mln.structure.objective import Data, Fit, GrowingObjective, likelihood_of
from logicoder.mln.structure.skeletons import clause_of, sign_patterns, skeletons
from logicoder.mln.structure.structure_settings import Settings
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
    objective = GrowingObjective(Data(Counter(worlds)), sigma=2.0)
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
    objective = GrowingObjective(data, sigma=1.0)
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
        _, slope, curve = likelihood_of(rows.values(), len(fit.clauses) + 1).second_order(
            weights := np.append(fit.weights, 0.0)
        )
        slope = slope - weights
        expected = 0.5 * slope @ np.linalg.solve(curve + np.eye(len(weights)), slope)
        assert promised.get(clause, 0.0) == pytest.approx(expected, rel=1e-5, abs=1e-7)


def test_an_l1_penalty_keeps_one_of_two_clauses_that_say_the_same() -> None:
    people = [f"c{i}" for i in range(40)]
    facts = [("all", c) for c in people] + [("p", c) for c in people[:20]] + [("s", c) for c in people[:18]]
    facts += [("copy", c) for c in people[:18]] + [("hat", c) for c in people[::2]]
    objective = GrowingObjective(Data(Counter(worlds_of(KnowledgeBase.from_facts(facts)))))
    units = [clause_of([(name, (0,))], [True]) for name in ("all", "copy", "hat", "p", "s")]
    fit = objective.of(units)
    clauses = [
        canonical(clause_of([(a, (0,)), (b, (0,))], [False, True]))
        for a, b in (("p", "s"), ("s", "p"), ("hat", "p"), ("p", "hat"))
    ]
    kept = [clause for _, clause in together(objective, fit, [(1.0, c) for c in clauses], 0.01)]
    assert set(kept) & set(clauses[:2]), "p and s go together"
    assert not set(kept) & set(clauses[2:]), "p and hat do not"


@settings(max_examples=3, deadline=None)
@given(knowledge_bases())
def test_promises_and_slopes_agree(kb: KnowledgeBase) -> None:
    counter = Counter([world_of(kb)])
    fit = GrowingObjective(Data(counter), sigma=1.0).of(UNITS)
    whole = network(fit)
    grown = replace(whole, formulas=(*whole.formulas, *map(Formula, CLAUSES)))
    weights = np.array([formula.weight for formula in whole.formulas] + [0.0] * len(CLAUSES))
    slopes = pseudo_likelihood(grown, counter).value_and_gradient(weights)[1][len(whole.formulas) :]
    screening = Screening(Data(counter), fit, Settings(sigma=1.0, length_penalty=0.0))
    promised = {clause for skeleton in SKELETONS for _, clause in screening.promising(skeleton)}
    for clause, slope in zip(CLAUSES, slopes.tolist(), strict=True):
        if clause not in UNITS and abs(slope) > 1e-6:
            assert clause in promised


def test_a_promise_is_close_to_the_gain_of_a_weak_clause() -> None:
    people = [f"c{i}" for i in range(40)]
    facts = [("p", c) for c in people[:20]] + [("s", c) for c in people[:22:2]] + [("s", people[30])]
    facts += [("all", c) for c in people]
    data = Data(Counter(worlds_of(KnowledgeBase.from_facts(facts))))
    units = [clause_of([(name, (0,))], [True]) for name in ("all", "p", "s")]
    objective = GrowingObjective(data)
    fit = objective.of(units)
    [(promise, clause), *_] = Screening(data, fit, Settings(length_penalty=0.0)).promising(
        (("p", (0,)), ("s", (0,)))
    )
    gain = objective.with_clause(fit, clause).value - fit.value
    assert promise == pytest.approx(gain, rel=0.35)


def test_only_the_best_are_kept() -> None:
    data = Data(Counter(worlds_of(KnowledgeBase.from_facts([("p", "a"), ("s", "b")]))))
    screening = Screening(data, GrowingObjective(data).empty(), Settings(max_candidates=2))
    found = [(float(i), clause) for i, clause in enumerate(CLAUSES[:5])]
    assert screening.kept(found) == [found[4], found[3]]
    assert screening.kept(found[:2]) == found[:2]
