"""Every method of inference against the enumeration of all worlds."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from logicoder import KnowledgeBase
from logicoder.kb.schema import Predicate, Schema
from logicoder.logic.terms import Atom, Literal, Variable
from logicoder.mln.counting import Counter
from logicoder.mln.formulas import Formula
from logicoder.mln.inference import atom_values, infer
from logicoder.mln.network import MarkovLogicNetwork
from logicoder.mln.worlds import worlds_of
from mln import brute_force
from mln.inference import drawing

QUERIES = st.sets(st.sampled_from(["p", "q", "r", "s"]), min_size=1, max_size=3)


def key_of(text: str) -> brute_force.Ground:
    return tuple(text.replace("(", ",").replace(")", "").split(","))


def clause(text: str, weight: float = 0.0, hard: bool = False) -> Formula:
    """Read `!p(X) v q(X,Y)`; variables are in capital letters."""
    literals = []
    for part in text.split(" v "):
        name, _, inner = part.strip("! )").partition("(")
        terms = tuple(Variable(x) for x in inner.split(",") if x)
        literals.append(Literal(Atom(name, terms), not part.startswith("!")))
    return Formula(tuple(literals), weight, hard)


def expected(network, data, query, unlisted, hide=True):
    _, domains, truths = data
    true, still = drawing.known_and_open(truths, query, unlisted, hide)
    assume(len(still) <= 13)
    probabilities, dropped = brute_force.distribution(network, domains, true, still)
    return (None if np.isinf(probabilities).any() else brute_force.marginals(probabilities, still)), dropped


def compare(found, wanted, dropped) -> None:
    assert found.exact
    assert sum(c.count for c in found.contradictions) == dropped
    rows = {key_of(row.atom): row.probability for row in found}
    assert rows.keys() == wanted.keys()
    for atom, probability in wanted.items():
        assert rows[atom] == pytest.approx(probability, abs=1e-9)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(drawing.formulas(hard=None), min_size=1, max_size=4),
    drawing.knowledge(),
    QUERIES,
    st.sets(st.sampled_from(["p", "q", "r", "s"]), max_size=1),
    st.booleans(),
    st.sampled_from([0, 1, 10]),
)
def test_exact_inference_is_that_of_the_definition(found, data, query, unlisted, hide, enumerated):
    """With `enumerated` 0 and 1 everything goes through elimination, with 10 through enumeration."""
    network = MarkovLogicNetwork(data[0].schema, tuple(found))
    wanted, dropped = expected(network, data, query, unlisted, hide)
    assume(wanted is not None)
    before, atom_values.ENUMERATED = atom_values.ENUMERATED, enumerated
    try:
        result = infer(network, data[0], sorted(query), open=sorted(unlisted), hide=hide, method="exact")
    finally:
        atom_values.ENUMERATED = before
    compare(result, wanted, dropped)


def test_the_toy_with_a_decoder():
    schema = Schema.of(*(Predicate(name, ("t",)) for name in ("d", "lat", "h")))
    network = MarkovLogicNetwork(
        schema, (clause("!d(X) v lat(X)", 2), clause("lat(X)", -1), clause("h(X) v !lat(X)", hard=True))
    )
    kb = KnowledgeBase.from_facts(["d(one)"], schema=schema)
    for method in ("auto", "exact"):
        found = infer(network, kb, ["h"], open=["lat"], method=method)
        assert found.exact
        # Z = e^0 (lat false, h free: 2 states) and e^(2-1) (lat and h true).
        lat = math.e / (2 + math.e)
        assert found.probability("lat(one)") == pytest.approx(lat, abs=1e-9)
        assert found.probability("h(one)") == pytest.approx((1 + lat) / 2, abs=1e-9)
    assert round(lat, 3) == 0.576
    assert round((1 + lat) / 2, 3) == 0.788


@settings(max_examples=40, deadline=None)
@given(
    st.lists(drawing.formulas(), min_size=1, max_size=4),
    drawing.knowledge(sizes=(3, 2)),
    st.sampled_from(["p", "q", "r"]),
)
def test_the_closed_form_is_that_of_counts(found, data, query):
    """Training counts the same groundings: P = σ(w·Δ) where the query occurs once in a clause."""
    kb, _, truths = data
    facts = [atom for atom, truth in truths.items() if truth == "true"]
    kb = KnowledgeBase.from_facts(facts, schema=kb.schema)
    formulas = [f for f in found if sum(x.atom.predicate == query for x in f.literals) <= 1]
    network = MarkovLogicNetwork(kb.schema, tuple(formulas))
    counter = Counter(worlds_of(kb))
    odds = sum(f.weight * counter.differences(f.literals, query, 0) for f in formulas)
    result = infer(network, kb, query)
    assert {m.name for m in result.methods} == {"closed form"}
    np.testing.assert_allclose(
        result.array(query), 1 / (1 + np.exp(-odds * np.ones(len(result)))), atol=1e-12
    )


SLOW = settings(max_examples=12, deadline=None, derandomize=True)


@SLOW
@given(
    st.lists(drawing.formulas(hard=False), min_size=2, max_size=4), drawing.knowledge(), QUERIES,
    st.integers(0, 2**32),
)  # fmt: skip
def test_gibbs_agrees_within_its_error_bars(found, data, query, seed):
    network = MarkovLogicNetwork(data[0].schema, tuple(found))
    wanted, _ = expected(network, data, query, ())
    check_sampled(infer(network, data[0], sorted(query), method="gibbs", seed=seed), wanted)


@SLOW
@given(
    st.lists(drawing.formulas(hard=None), min_size=2, max_size=4), drawing.knowledge(), QUERIES,
    st.integers(0, 2**32),
)  # fmt: skip
def test_mcsat_agrees_within_its_error_bars(found, data, query, seed):
    network = MarkovLogicNetwork(data[0].schema, tuple(found))
    wanted, _ = expected(network, data, query, ())
    assume(wanted is not None)
    result = infer(network, data[0], sorted(query), method="mc-sat", seed=seed, samples=400, chains=4)
    check_sampled(result, wanted)


def check_sampled(found, wanted) -> None:
    """Errors come from at least 80 batches: eight of them are beyond chance, and .1 is a real mistake."""
    for row in found:
        difference = abs(row.probability - wanted[key_of(row.atom)])
        assert difference <= 8 * row.error + 1e-6, (row, wanted[key_of(row.atom)])
        assert difference < 0.1
