"""The most probable world: against brute force, with a proof, and without."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from logicoder.base.stopping import StopToken
from logicoder.mln import MarkovLogicNetwork
from logicoder.mln.inference import ground_solver, most_probable
from mln import brute_force
from mln.inference import drawing
from mln.inference.smokers import ring


@settings(max_examples=60, deadline=None)
@given(
    st.lists(drawing.formulas(hard=None), min_size=1, max_size=4),
    drawing.knowledge(),
    st.sets(st.sampled_from(["p", "q", "r", "s"]), min_size=1, max_size=3),
)
def test_the_most_probable_world(formulas, data, query):
    kb, domains, truths = data
    network = MarkovLogicNetwork(kb.schema, tuple(formulas))
    true, still = drawing.known_and_open(truths, query, ())
    assume(len(still) <= 12)
    probabilities, _ = brute_force.distribution(network, domains, true, still)
    assume(np.isfinite(probabilities).all())
    found = most_probable(network, kb, sorted(query))
    assert found.proved
    chosen = {atom.replace("(", ",").replace(")", "") for _, atom in found}
    number = sum(1 << place for place, atom in enumerate(still) if ",".join(atom) in chosen)
    assert probabilities[number] == pytest.approx(probabilities.max(), rel=1e-6)
    assert found.bound == pytest.approx(found.value, abs=1e-5)


def test_the_most_probable_world_of_a_large_component():
    network, kb = ring(30)
    found = most_probable(network, kb, ["smokes", "cancer"])
    assert [m.name for m in found.methods] == ["cp-sat"]
    assert found.proved
    assert found.value <= found.bound <= found.value + 2 * found.rounding
    assert not found.holds("smokes(p1)")
    token = StopToken()
    token.stop("interrupted")
    stopped = most_probable(network, kb, ["smokes", "cancer"], stop=token)
    assert stopped.value <= found.value + 1e-9
    assert found.value - 1e-9 <= stopped.bound < 1e6


def test_a_world_without_proof_is_not_said_to_be_exact(monkeypatch):
    network, kb = ring(30)
    monkeypatch.setattr(ground_solver, "_interruptible", lambda *_: "UNKNOWN")
    found = most_probable(network.extended("3 smokes(x)"), kb, ["smokes", "cancer"])
    assert not found.proved
    assert found.bound > found.value
    assert [(m.name, m.exact) for m in found.methods] == [("cp-sat", False)]
    assert not found.summary()["methods"][0]["exact"]
    assert "exact" not in str(found)
