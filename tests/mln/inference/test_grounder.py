"""Grounding by joins against substituting every constant."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from logicoder.mln.inference import grounder
from logicoder.mln.inference.grounder import ground
from logicoder.mln.inference.known_atoms import evidence_of
from logicoder.mln.network import MarkovLogicNetwork
from mln import brute_force
from mln.inference import drawing


@settings(max_examples=150, deadline=None)
@given(
    st.lists(drawing.formulas(hard=None, most=4), min_size=1, max_size=3),
    drawing.knowledge(sizes=(3, 2)),
    st.sets(st.sampled_from(["p", "q", "r", "s"]), min_size=1, max_size=2),
    st.sets(st.sampled_from(["p", "q", "r", "s"]), max_size=1),
    st.booleans(),
    st.sampled_from([3, 1000]),
)
def test_ground_networks_give_the_same_weights_as_substitution(found, data, query, unlisted, hide, block):
    kb, domains, truths = data
    network = MarkovLogicNetwork(kb.schema, tuple(found))
    true, still = drawing.known_and_open(truths, query, unlisted, hide)
    before, grounder.BLOCK = grounder.BLOCK, block
    try:
        [evidence] = evidence_of(network, kb, sorted(query), open=sorted(unlisted), hide=hide)
        result, contradictions = ground(network, evidence)
    finally:
        grounder.BLOCK = before
    names = {evidence.atom_at(i).replace("(", ",").replace(")", ""): i for i in range(evidence.atoms)}
    places = [names[",".join(atom)] for atom in still]
    assert sorted(places) == list(range(len(still)))

    dropped = 0
    clauses = []
    for formula in network:
        for clause in brute_force.groundings(formula.literals, kb.schema, domains):
            if clause is None or any(a not in still and (a in true) == sign for a, sign in clause):
                continue
            if any(a in still for a, _ in clause):
                clauses.append((formula, clause))
            else:
                dropped += formula.hard
    assert sum(c.count for c in contradictions) == dropped
    assert all(1 <= len(c.examples) <= 3 for c in contradictions)

    random = np.random.default_rng(0)
    scores = []
    for state in random.random((12, len(still))) < 0.5:
        world = true | {atom for atom, value in zip(still, state, strict=True) if value}
        score = 0.0
        for formula, clause in clauses:
            holds = any((atom in world) == sign for atom, sign in clause)
            score += (0.0 if holds else -np.inf) if formula.hard else formula.weight * holds
        ours = np.zeros(len(still), bool)
        ours[places] = state
        scores.append((score, result.log_weight(ours)))
    expected, found_scores = np.array(scores).T
    possible = np.isfinite(expected)
    assert (possible == np.isfinite(found_scores)).all()
    if possible.any():
        difference = expected[possible] - found_scores[possible]
        np.testing.assert_allclose(difference, difference[0], atol=1e-9)
    literal_sets = [tuple(part) for part in np.split(result.clauses.literals, result.clauses.starts[1:-1])]
    soft = [c for c, hard in zip(literal_sets, result.clauses.hard, strict=False) if not hard]
    assert len(soft) == len(set(soft))
