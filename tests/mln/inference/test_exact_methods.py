"""What is exact on ground networks, and what prepares it, against all states."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from logicoder.mln.inference import conditionals, summed_heads
from logicoder.mln.inference.components import components_of, neighbours_of
from logicoder.mln.inference.conditionals import Conditionals, colours, false_literals, hard_weight
from logicoder.mln.inference.elimination import _least_neighbours, eliminate, plan
from logicoder.mln.inference.exchangeable import exchangeable_marginals, like_atoms
from logicoder.mln.inference.ground_network import ClauseStore, GroundNetwork
from logicoder.mln.inference.simplification import propagate, simplify
from mln import brute_force
from mln.inference.ground_networks import all_weights, exact, possible_networks, random_network

ROOM = 1 << 20


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
