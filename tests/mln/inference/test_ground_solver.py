"""CP-SAT on ground networks, against all states."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from logicoder.base.stopping import StopToken
from logicoder.mln.inference import ground_solver
from logicoder.mln.inference.ground_network import ClauseStore, GroundNetwork
from logicoder.mln.inference.ground_solver import maximise, satisfy
from mln import brute_force
from mln.inference.ground_networks import possible_networks, random_network


def test_as_few_hard_clauses_as_possible_are_given_up():
    impossible = 0
    for seed in range(60):
        network = random_network(seed, 4, 14, hard=1.0, longest=2)
        broken = [
            (~network.clauses.satisfied(state)).sum() for state in brute_force.assignments(network.atoms)
        ]
        state, dropped = satisfy(network)
        assert len(dropped) == min(broken)
        kept = np.setdiff1d(np.arange(len(network.clauses)), dropped)
        assert network.clauses.select(kept).satisfied(state).all()
        impossible += min(broken) > 0
    assert impossible > 10


def pigeons(number: int) -> GroundNetwork:
    """Each has a hole, and no two the same, but there is a hole less."""
    store = ClauseStore(number * (number - 1))
    atoms = 2 * np.arange(number * (number - 1)).reshape(number, number - 1)
    store.add(atoms, np.full(number, np.inf))
    pairs = [(one, two) for hole in atoms.T + 1 for one, two in combinations(hole.tolist(), 2)]
    store.add(np.array(pairs), np.full(len(pairs), np.inf))
    return store.network()


def test_contradictions_that_are_hard_to_see_are_not_looked_at_for_ever(monkeypatch):
    network = pigeons(6)
    assert len(satisfy(network)[1]) == 1
    stopped = StopToken()
    stopped.stop("interrupted")
    monkeypatch.setattr(ground_solver, "EFFORT", 0.0)
    for stop in (None, stopped):
        state, dropped = satisfy(pigeons(12), stop=stop)
        assert len(dropped) >= 1
        assert np.array_equal(dropped, np.flatnonzero(~pigeons(12).clauses.satisfied(state)))


@pytest.mark.parametrize("bias", [-1.0, 1.0])
def test_a_state_that_reaches_the_bound_is_proved_without_time(monkeypatch, bias):
    """All false is what is left where the solver finds nothing; nothing can be better if that is wanted."""
    store = ClauseStore(12)
    store.bias[:] = bias
    store.add(np.array([[2 * i, 2 * i + 3] for i in range(11)]), np.ones(11))
    monkeypatch.setattr(ground_solver, "_interruptible", lambda *_: "UNKNOWN")
    found = maximise(store.network(), seed=0, stop=StopToken())
    assert (found.value, found.bound, found.proved) == (0.0, 12 * max(bias, 0), bias < 0)


def test_the_most_probable_state():
    for network, _ in possible_networks(40):
        best = max(network.log_weight(state) for state in brute_force.assignments(network.atoms))
        found = maximise(network, seed=0, stop=StopToken())
        assert found.proved
        assert found.value == pytest.approx(best, abs=1e-6)
        assert found.value == pytest.approx(network.log_weight(found.state))
        assert best <= found.bound <= best + 1e-5
