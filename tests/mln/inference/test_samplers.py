"""Gibbs sampling, MC-SAT and their errors on ground networks, against all states."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from logicoder.base.progress import silent
from logicoder.base.stopping import StopToken
from logicoder.mln.inference import mcsat, summed_heads
from logicoder.mln.inference.chain_estimates import Batches
from logicoder.mln.inference.conditionals import Conditionals, false_literals
from logicoder.mln.inference.gibbs import can_reach_every_state, gibbs
from logicoder.mln.inference.ground_network import ClauseStore
from logicoder.mln.inference.ground_solver import satisfy
from logicoder.mln.inference.mcsat import McSat
from logicoder.mln.inference.samplesat import Walker
from logicoder.mln.inference.schedule import Schedule
from mln.inference.ground_networks import all_weights, exact, possible_networks, random_network
from mln.random_worlds import seeded


def sampled_well(estimate, wanted) -> None:
    """Eight standard errors from at least 80 batches are beyond chance; .1 would be a mistake in any case."""
    difference = np.abs(estimate.probabilities - wanted)
    assert (difference <= 8 * estimate.errors + 1e-6).all()
    assert difference.max() < 0.1


SHORT = Schedule(samples=400, burn_in=50, chains=4)


@pytest.mark.parametrize(("most", "single"), [(0, 30), (6, 30), (6, 0)])
def test_gibbs_with_harmless_hard_clauses(monkeypatch, most, single):
    """With no bodies allowed, no factor of a head is written as clauses."""
    monkeypatch.setattr(summed_heads, "MOST_BODIES", most)
    monkeypatch.setattr(summed_heads, "MOST_SINGLE", single)
    several = 0
    for network, wanted in possible_networks(25, hard=0.6, positive=0.85):
        if network.clauses.hard.any() and can_reach_every_state(network).all():
            several += 1
            sampled_well(gibbs(network, SHORT, stop=StopToken(), progress=silent), wanted)
    assert several > 5


def test_progress_is_told_to_the_end():
    told = []
    network = random_network(0, 4, 5, hard=0.0)
    gibbs(network, Schedule(samples=40, burn_in=10, chains=2), stop=StopToken(), progress=told.append)
    assert [event.done for event in told] == sorted(event.done for event in told)
    assert (told[-1].done, told[-1].total) == (50, 50)


def test_no_weight_outweighs_a_hard_clause():
    """Evidence adds up: an atom may have a bias of millions, and soft clauses, too."""
    store = ClauseStore(2)
    store.bias[:] = 3e6
    store.add(np.array([[1, 3]]), np.array([np.inf]))
    store.add(np.array([[0, 3]]), np.array([-5e7]))
    rule = Conditionals(store.network(), [np.array([0]), np.array([1])])
    one_true, none_true = (np.array([[first], [False]]) for first in (True, False))
    assert rule.log_odds(1, false_literals(one_true), one_true.astype(float))[0, 0] < -1e6
    assert rule.log_odds(1, false_literals(none_true), none_true.astype(float))[0, 0] == 3e6 + 5e7


def test_a_head_with_many_bodies_does_not_slow_gibbs_down():
    """A head that is nearly never true, with all pairs of eight atoms as bodies."""
    store = ClauseStore(9)
    store.bias[:] = [-6.0] + [0.5] * 8
    pairs = [(0, 2 * i + 1, 2 * j + 1) for i, j in combinations(range(1, 9), 2)]
    store.add(np.array(pairs), np.full(len(pairs), np.inf))
    network = store.network()
    assert len(summed_heads.collapse(network, many=True)[2]) == 1
    estimate = gibbs(network, SHORT, stop=StopToken(), progress=silent)
    sampled_well(estimate, exact(network))
    assert estimate.effective.min() > 100


def test_a_head_with_hundreds_of_bodies_takes_little_memory():
    """Its bodies are literals of independent atoms; where all are false, the head is free."""
    store = ClauseStore(201)
    store.bias[1:] = -5.3
    bodies = 2 * np.arange(1, 201) + 1
    store.add(np.column_stack([np.zeros(200, np.int64), bodies]), np.full(200, np.inf))
    estimate = gibbs(store.network(), Schedule(samples=100, burn_in=10), stop=StopToken(), progress=silent)
    none_true = 2.0 / (1.0 + (1.0 + np.exp(-5.3)) ** 200)  # two states of the head, of all states
    assert estimate.probabilities[0] == pytest.approx(1 - none_true / 2, abs=8 * estimate.errors[0] + 1e-6)
    assert none_true == pytest.approx(0.54, abs=0.001)


def test_errors_are_calibrated_where_sampling_ends_early():
    """Over seeds and atoms: two standard errors hold for nine out of ten, and none is off by far."""
    ratios, ended = [], 0
    for network, wanted in possible_networks(8, hard=0.0):
        for seed in range(6):
            schedule = Schedule(samples=1000, seed=seed, precision=0.02)
            estimate = gibbs(network, schedule, stop=StopToken(), progress=silent)
            ended += estimate.samples < 8000
            ratios += ((estimate.probabilities - wanted) / estimate.errors).tolist()
    assert ended > 40
    assert np.mean(np.abs(ratios) <= 2) > 0.9
    assert np.abs(ratios).max() < 6


def test_far_modes_are_given_up_early_and_said_so():
    pairs = np.array([(2 * i, 2 * j + 1) for i in range(12) for j in range(12) if i != j])
    store = ClauseStore(12)
    store.add(pairs, np.full(len(pairs), 2.0))
    estimate = gibbs(store.network(), Schedule(samples=4000), stop=StopToken(), progress=silent)
    assert estimate.samples < 8 * 1000
    assert estimate.spread.min() > 2
    assert estimate.errors.min() > 0.1


def test_gibbs_tells_when_chains_disagree():
    """Two far corners, all true or all false, between which single atoms do not find a way."""
    pairs = np.array([(2 * i, 2 * j + 1) for i in range(12) for j in range(12) if i != j])
    store = ClauseStore(12)
    store.add(pairs, np.full(len(pairs), 2.0))
    estimate = gibbs(store.network(), SHORT, stop=StopToken(), progress=silent)
    assert estimate.spread.min() > 2
    assert estimate.effective.max() < 30


@pytest.mark.parametrize("small", [1, 10])
def test_mcsat(monkeypatch, small):
    """Components of a step are enumerated, or, with `small` 1, left to SampleSAT, which is nearly uniform."""
    monkeypatch.setattr(mcsat, "SMALL", small)
    monkeypatch.setattr(summed_heads, "MOST_BODIES", -1)
    for network, wanted in possible_networks(6, hard=0.5):
        estimate = mcsat.mcsat(network, SHORT, stop=StopToken(), progress=silent)
        if small > 1:
            sampled_well(estimate, wanted)
        assert np.abs(estimate.probabilities - wanted).max() < 0.1


def test_a_step_of_mcsat_keeps_hard_clauses():
    for network, _ in possible_networks(15, hard=0.6):
        sampler = McSat(network, 1)
        state = sampler.start(satisfy(network)[0])
        for _ in range(20):
            assert np.isfinite(network.log_weight(state))
            state = sampler.step(state)


def test_samplesat_is_nearly_uniform():
    for seed in range(4):
        network = random_network(seed, 6, 7, hard=1.0)
        solutions = np.flatnonzero(all_weights(network))
        walker = Walker(network.clauses, 6)
        numbers = seeded(seed)
        drawn = [walker.sample(numbers, 10_000) @ (1 << np.arange(6)) for _ in range(2000)]
        counts = np.bincount(drawn, minlength=64)
        assert counts[solutions].sum() == 2000
        assert np.abs(counts[solutions] / 2000 - 1 / len(solutions)).sum() / 2 < 0.2


def test_samplesat_gives_up_where_there_is_no_solution():
    store = ClauseStore(2)
    store.add(np.array([[0, 2], [0, 3], [1, 2], [1, 3]]), np.full(4, np.inf))
    assert Walker(store.network().clauses, 2).sample(seeded(0), 500) is None


@pytest.mark.parametrize("stages", [[(20, 50)], [(20, 1), (20, 1), (20, 8), (10, 80)]])
def test_errors_of_independent_draws_are_those_of_the_binomial(stages):
    """However many stages: all states count, and errors are those of all."""
    numbers = np.random.default_rng(0)
    batches = Batches(200, 8)
    for number, length in stages:
        batches.begin()
        for _ in range(number):
            for _ in range(length):
                batches.add((numbers.random((200, 8)) < 0.3).astype(float))
            batches.close()
    estimate = batches.estimate()
    error = np.sqrt(0.3 * 0.7 / 8000)
    assert estimate.samples == 8000
    assert np.median(estimate.errors) == pytest.approx(error, rel=0.1)
    assert np.median(estimate.effective) == pytest.approx(8000, rel=0.25)
    assert np.median(estimate.spread) == pytest.approx(1.0, abs=0.05)
    assert np.abs(estimate.probabilities - 0.3).max() < 6 * error


def test_what_was_never_seen_may_be_as_rare_as_one_state_of_all():
    batches = Batches(1, 4)
    for _ in range(25):
        batches.add(np.full((1, 4), 0.5))
        batches.close()
    estimate = batches.estimate()
    assert estimate.errors.tolist() == [pytest.approx(0.01)]
    batches.forget()
    assert batches.empty
