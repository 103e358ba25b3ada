"""Structure learning on data of any shape: no or three arguments, empty types, worlds of other sizes."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logicoder import KnowledgeBase
from logicoder.kb import Predicate, Schema
from logicoder.mln.formula_weights import wpll
from logicoder.mln.structure.structure_learner import learn_structure

SCHEMA = Schema.of(
    Predicate("rain", ()),
    Predicate("p", ("t",)),
    Predicate("q", ("t", "t")),
    Predicate("r", ("t", "u", "t")),
    Predicate("never", ("v",)),
)
DOMAINS = {"t": "abc", "u": "xy", "v": ""}
ATOMS = [
    (name, *values)
    for name, predicate in SCHEMA.items()
    for values in product(*(DOMAINS[kind] for kind in predicate.types))
]
WORLDS = st.lists(
    st.lists(st.sampled_from(ATOMS), min_size=1, max_size=12, unique=True), min_size=1, max_size=3
)


@pytest.mark.parametrize("method", ["busl", "exhaustive"])
@settings(max_examples=6, deadline=None)
@given(WORLDS)
def test_any_data(method: str, worlds: list[list[tuple[str, ...]]]) -> None:
    kb = KnowledgeBase.union(
        [
            KnowledgeBase.from_facts(facts, schema=SCHEMA, interpretation=f"w{i}")
            for i, facts in enumerate(worlds)
        ]
    )
    found = learn_structure(kb, method=method, max_literals=2, length_penalty=0.05)
    assert found.finished
    assert {step.clause[0].atom.predicate for step in found.history if step.action == "unit"} == set(SCHEMA)
    assert found.value == pytest.approx(wpll(found.network, kb, prior="gaussian"), abs=1e-8)
    units = [step.score for step in found.history if step.action == "unit"]
    assert found.score >= units[-1] - 1e-9
