"""Each method of inference on ground networks, against all states."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from logicoder.base.progress import silent
from logicoder.base.stopping import StopToken
from logicoder.mln.inference import conditionals, ground_solver, mcsat, summed_heads
from logicoder.mln.inference.chain_estimates import Batches
from logicoder.mln.inference.components import components_of, neighbours_of
from logicoder.mln.inference.conditionals import Conditionals, colours, false_literals, hard_weight
from logicoder.mln.inference.elimination import _least_neighbours, eliminate, plan
from logicoder.mln.inference.exchangeable import exchangeable_marginals, like_atoms
from logicoder.mln.inference.gibbs import can_reach_every_state, gibbs
from logicoder.mln.inference.ground_network import ClauseStore, GroundNetwork
from logicoder.mln.inference.ground_solver import maximise, satisfy
from logicoder.mln.inference.mcsat import McSat
from logicoder.mln.inference.samplesat import Walker
from logicoder.mln.inference.schedule import Schedule
from logicoder.mln.inference.simplification import propagate, simplify
from mln import brute_force
from mln.inference.ground_networks import all_weights, exact, random_network
from mln.random_worlds import seeded

ROOM = 1 << 20


def possible_networks(count: int, **options: float):
    """Iterate over random networks that have a possible state."""
    found = 0
    for seed in range(10 * count):
        network = random_network(seed, 3 + seed % 6, 2 + seed % 9, **options)
        wanted = exact(network)
        if wanted is not None:
            yield network, wanted
            found += 1
            if found == count:
                return


def test_elimination():
    for network, wanted in possible_networks(60):
        chosen = plan(network, ROOM)
        np.testing.assert_allclose(eliminate(network, chosen), wanted, atol=1e-9)


def test_elimination_of_a_long_chain_and_its_limit():
    store = ClauseStore(2000)
    links = np.arange(1999)
    store.add(np.column_stack([2 * links + 1, 2 * links + 2]), np.full(1999, 0.7))
    store.bias[0] = 3.0
    network = store.network()
    chosen = plan(network, ROOM)
    assert max(map(len, chosen.cliques)) == 2
    found = eliminate(network, chosen)
    # The same by a transfer matrix from both ends.
    step = np.array([[1.0, 1.0], [np.exp(-0.7), 1.0]])
    left, right = [np.array([1.0, np.exp(3.0)])], [np.ones(2)]
    for _ in range(1999):
        left.append(left[-1] @ step / np.sum(left[-1] @ step))
        right.append(step @ right[-1] / np.sum(step @ right[-1]))
    both = np.array(left) * np.array(right[::-1])
    np.testing.assert_allclose(found, both[:, 1] / both.sum(axis=1), atol=1e-9)
    everybody = random_network(0, 30, 400, hard=0.0)
    assert plan(everybody, 1 << 12) is None


def test_like_atoms():
    """Networks of classes of like atoms: every clause together with all that exchanges make of it."""
    for seed in range(40):
        numbers = np.random.default_rng(seed)
        sizes = numbers.integers(1, 5, size=int(numbers.integers(1, 4)))
        classes = np.repeat(np.arange(len(sizes)), sizes)
        atoms = len(classes)
        store = ClauseStore(atoms)
        store.bias[:] = numbers.normal(size=atoms) if seed % 2 else numbers.normal(size=len(sizes))[classes]
        for _ in range(int(numbers.integers(1, 4))):
            pattern = sorted((int(numbers.integers(len(sizes))), int(numbers.integers(2))) for _ in range(2))
            weight = np.inf if numbers.random() < 0.2 else numbers.normal()
            for pair in combinations(range(2 * atoms), 2):
                kinds = sorted((int(classes[x >> 1]), x & 1) for x in pair)
                if kinds == pattern and pair[0] >> 1 != pair[1] >> 1:
                    store.add(np.array([pair]), np.array([weight]))
        network = store.network()
        wanted = exact(network)
        if wanted is None:
            continue
        found = like_atoms(network, ROOM)
        assert all(len(set(found[classes == number])) == 1 for number in range(len(sizes)))
        np.testing.assert_allclose(exchangeable_marginals(network, found), wanted, atol=1e-9)


def test_atoms_of_one_class_can_be_exchanged():
    several = 0
    for seed in range(150):
        network = GroundNetwork(np.zeros(6), random_network(seed, 6, 3, hard=0.2).clauses)
        classes = like_atoms(network, ROOM)
        weights = all_weights(network)
        states = brute_force.assignments(6)
        for one, two in combinations(range(6), 2):
            if classes[one] == classes[two]:
                several += 1
                order = np.arange(6)
                order[[one, two]] = two, one
                numbers = states[:, order] @ (1 << np.arange(6))
                np.testing.assert_allclose(weights, weights[numbers], atol=1e-12)
    assert several > 20


def test_propagation_changes_no_probability():
    changed = 0
    for seed in range(150):
        network = random_network(seed, 6, 6, longest=3)
        store = ClauseStore(6)
        store.bias[:] = network.bias
        store.add_clauses(network.clauses)
        store.add(np.array([[seed % 12], [(5 * seed) % 12]]), np.array([np.inf, np.inf]))
        network = store.network()
        wanted = exact(network)
        if wanted is None:
            continue
        found = propagate(network)
        assert not len(found.conflicts)
        changed += int((found.values >= 0).sum()) > 2
        values = np.where(found.values >= 0, found.values, exact(found.network))
        np.testing.assert_allclose(values, wanted, atol=1e-9)
    assert changed > 10


def test_conflicts_of_propagation_are_later_formulas():
    store = ClauseStore(2)
    store.add(np.array([[0]]), np.array([np.inf]), 4)  # the atom 0
    store.add(np.array([[1]]), np.array([np.inf]), 3)  # its negation, in an earlier formula
    store.add(np.array([[0, 2]]), np.array([np.inf]), 5)
    store.add(np.array([[0, 3]]), np.array([np.inf]), 6)
    found = propagate(store.network())
    assert found.values.tolist() == [0, 1]
    assert store.network().clauses.formulas[found.conflicts].tolist() == [4, 6]


def test_equal_atoms_are_merged():
    merged = 0
    for seed in range(300):
        network = random_network(seed, 6, 9, hard=0.8, longest=2)
        wanted = exact(network)
        if wanted is None:
            continue
        found = simplify(network)
        assert not found.given_up
        merged += int((found.same >> 1 != np.arange(6)).sum())
        assert not np.isin(found.network.clauses.atoms, np.flatnonzero(~found.free)).any()
        values = np.where(found.values >= 0, found.values, exact(found.network)[found.same >> 1])
        values = np.where((found.values < 0) & (found.same & 1 == 1), 1 - values, values)
        np.testing.assert_allclose(values, wanted, atol=1e-9)
    assert merged > 50


def test_equal_atoms_are_merged_through_others():
    """1 is not 2; that makes the clauses of three literals say that 0 is not 1; so 2 is 0."""
    store = ClauseStore(3)
    store.bias[:] = 0.3, 0.5, 0.7
    store.add(np.array([[2, 4], [3, 5]]), np.full(2, np.inf))
    store.add(np.array([[0, 2, 5], [1, 3, 4]]), np.full(2, np.inf))
    network = store.network()
    found = simplify(network)
    assert found.same.tolist() == [0, 1, 0]
    assert found.network.bias[0] == pytest.approx(0.3 - 0.5 + 0.7)
    np.testing.assert_allclose(exact(found.network)[0], exact(network)[0], atol=1e-12)


@pytest.mark.parametrize("positive", [0.2, 0.5, 0.8])
def test_collapsed_heads_have_their_probability(positive):
    several = 0
    for network, wanted in possible_networks(60, hard=0.7, positive=positive):
        left, heads, heavy = summed_heads.collapse(network)
        assert not len(heavy)
        if not len(heads):
            continue
        several += 1
        weights = all_weights(left)
        weights /= weights.sum()
        states = brute_force.assignments(network.atoms)
        found = weights @ states
        found[heads.atoms] = heads.probabilities(false_literals(states.T)) @ weights
        np.testing.assert_allclose(found, wanted, atol=1e-9)
        assert not np.isin(left.clauses.atoms, heads.atoms).any()
    assert several > 20


def test_log_odds_are_differences_of_log_weights():
    for seed in range(40):
        network = random_network(seed, 7, 12, hard=0.2)
        states = np.random.default_rng(seed).random((7, 5)) < 0.5
        groups = colours(network, np.arange(7), network.clauses.select(np.empty(0, np.int64)))
        rule = Conditionals(network, groups)
        clauses = network.clauses
        soft = GroundNetwork(network.bias, clauses.select(~clauses.hard))
        hard = clauses.select(clauses.hard)
        for number, group in enumerate(groups):
            found = rule.log_odds(number, false_literals(states), states.astype(float))
            for row, atom in enumerate(group.tolist()):
                for chain in range(5):
                    one, two = states[:, chain].copy(), states[:, chain].copy()
                    one[atom], two[atom] = True, False
                    broken = (~hard.satisfied(two)).sum() - (~hard.satisfied(one)).sum()
                    wanted = soft.log_weight(one) - soft.log_weight(two) + hard_weight(network) * broken
                    assert found[row, chain] == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("long", [0, 2, 8])
def test_no_two_neighbours_have_the_same_colour(monkeypatch, long):
    """Whether pairs of atoms are listed, or clauses keep the colours of their atoms."""
    monkeypatch.setattr(conditionals, "_LONG", long)
    for seed in range(20):
        network, other = random_network(seed, 12, 10 + seed), random_network(seed + 100, 12, seed)
        groups = colours(network, np.arange(12), other.clauses)
        assert sorted(np.concatenate(groups).tolist()) == list(range(12))
        for clauses in (network.clauses, other.clauses):
            for start, end in zip(clauses.starts[:-1], clauses.starts[1:], strict=True):
                inside = clauses.atoms[start:end]
                assert all(np.isin(group, inside).sum() <= 1 for group in groups)
        assert len(groups) < 12 or seed > 5


def test_the_least_number_of_neighbours_is_not_too_high():
    several = 0
    for seed in range(30):
        network = random_network(seed, 6, 60 + 20 * seed, hard=0.4, longest=2)
        starts, _ = neighbours_of(6, network.clauses)
        assert _least_neighbours(network) <= np.diff(starts).min()
        several += _least_neighbours(network) > 1
    assert several > 5


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


def test_components():
    network = random_network(3, 30, 14, hard=0.2)
    parts = components_of(network)
    assert np.diff(parts.sizes).min() >= 0
    graph = {atom: {atom} for atom in range(30)}
    for start, end in zip(network.clauses.starts[:-1], network.clauses.starts[1:], strict=True):
        group = set().union(*(graph[atom] for atom in network.clauses.atoms[start:end].tolist()))
        graph |= dict.fromkeys(group, group)
    wanted = {frozenset(group) for group in graph.values() if len(group) > 1}
    found = [parts.atoms[a:b].tolist() for a, b in zip(parts.starts[:-1], parts.starts[1:], strict=True)]
    assert {frozenset(group) for group in found} == wanted
    for number in range(len(parts)):
        part = parts.select(np.array([number]))
        state = np.random.default_rng(number).random(30) < 0.5
        chosen = np.isin(network.clauses.atoms[network.clauses.starts[:-1]], part.atoms)
        inside = GroundNetwork(np.where(np.isin(np.arange(30), part.atoms), network.bias, 0),
                               network.clauses.select(chosen))  # fmt: skip
        assert part.network.log_weight(state[part.atoms]) == pytest.approx(inside.log_weight(state))


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
