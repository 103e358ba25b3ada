"""Pseudo-likelihoods and weights against brute force, finite differences and hand-made optima."""

from __future__ import annotations

from dataclasses import replace
from math import exp, log, log1p
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logicoder.base.errors import UsageError
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.kb.schema import Predicate, Schema
from logicoder.logic.terms import Atom, Literal, Variable
from logicoder.mln.formula_weights import learn_weights, with_unit_clauses, wpll
from logicoder.mln.formulas import Formula, Literals
from logicoder.mln.inference import infer
from logicoder.mln.likelihood import PseudoLikelihood, pseudo_likelihood, violations
from logicoder.mln.network import MarkovLogicNetwork
from logicoder.mln.optimum import fit, lbfgs, newton
from logicoder.mln.priors import Prior
from logicoder.mln.worlds import World
from mln import brute_force, random_worlds
from mln.counting.test_counter import clause, people

SEEDS = st.integers(0, 2**32)


def random_network(rng: Random, formulas: int = 3) -> MarkovLogicNetwork:
    schema = random_worlds.BINARY
    soft = [Formula(random_worlds.random_clause(rng, schema), rng.gauss(0, 1)) for _ in range(formulas)]
    return MarkovLogicNetwork(schema, tuple(soft))


def by_enumeration(
    network: MarkovLogicNetwork, worlds: list[World], *, weighted: bool = True, query: set[str] | None = None
) -> float:
    """Return the likelihood from the sums of weights of whole worlds with each atom true and false.

    Atoms of which one truth value violates a hard formula that the other does not make false are left out.
    """
    total = 0.0
    for world in worlds:
        truth = brute_force.truth_of(world)

        def energy(state: set[tuple[str, ...]], world: World = world) -> float:
            return sum(f.weight * brute_force.satisfied(f.literals, world, state) for f in network.soft)

        for name in query or network.schema:
            atoms = brute_force.ground_atoms(name, world.schema, world.domains)
            for ground in atoms:
                margin = energy(truth | {ground}) - energy(truth - {ground})
                margin = margin if ground in truth else -margin
                total -= log1p(exp(-margin)) / (len(atoms) if weighted else 1)
    return total


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_likelihoods_against_enumeration(seed: int) -> None:
    rng = random_worlds.seeded(seed)
    network = random_network(rng)
    worlds = [random_worlds.random_world(rng, network.schema) for _ in range(rng.choice((1, 2)))]
    assert wpll(network, worlds) == pytest.approx(by_enumeration(network, worlds), abs=1e-9)
    found = wpll(network, worlds, objective="pll")
    assert found == pytest.approx(by_enumeration(network, worlds, weighted=False), abs=1e-9)
    found = wpll(network, worlds, objective="cll", query=["q", "p"])
    assert found == pytest.approx(by_enumeration(network, worlds, weighted=False, query={"p", "q"}), abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_derivatives_against_finite_differences(seed: int) -> None:
    rng = random_worlds.seeded(seed)
    network = random_network(rng)
    likelihood = pseudo_likelihood(network, [random_worlds.random_world(rng, network.schema, (2, 3))])
    weights, width = np.array([f.weight for f in network.soft]), 1e-5
    value, gradient, hessian = likelihood.second_order(weights)
    assert value == likelihood.value(weights) == likelihood.value_and_gradient(weights)[0]
    assert gradient.tolist() == likelihood.value_and_gradient(weights)[1].tolist()
    for i in range(len(weights)):
        step = width * np.eye(len(weights))[i]
        slope = (likelihood.value(weights + step) - likelihood.value(weights - step)) / (2 * width)
        assert gradient[i] == pytest.approx(slope, abs=1e-6)
        bend = (
            likelihood.value_and_gradient(weights + step)[1]
            - likelihood.value_and_gradient(weights - step)[1]
        ) / (2 * width)
        assert (-hessian[i]).tolist() == pytest.approx(bend.tolist(), abs=1e-6)


@settings(max_examples=20, deadline=None)
@given(SEEDS)
def test_newton_and_lbfgs_find_the_same_optimum(seed: int) -> None:
    rng = random_worlds.seeded(seed)
    network = random_network(rng, 4)
    likelihood = pseudo_likelihood(network, [random_worlds.random_world(rng, network.schema, (2, 3, 4))])
    prior = Prior("gaussian", sigma=2.0, mean=rng.choice((0.0, 0.5)))
    start = np.array([rng.gauss(0, 2) for _ in range(4)])
    first, _ = newton(likelihood, prior, start, 1e-9, 100)
    second, _ = lbfgs(likelihood, prior, start, 1e-6, 200)
    assert first.tolist() == pytest.approx(second.tolist(), abs=1e-4)
    found = fit(likelihood, prior, tolerance=1e-9)
    assert found.gradient_norm <= 1e-9
    assert found.weights.tolist() == pytest.approx(first.tolist(), abs=1e-6)


@settings(max_examples=25, deadline=None)
@given(SEEDS, st.sampled_from([0.5, 3.0, 30.0]))
def test_l1_optima_have_exact_zeros_and_no_better_neighbour(seed: int, sigma: float) -> None:
    rng = random_worlds.seeded(seed)
    network = random_network(rng, 4)
    likelihood = pseudo_likelihood(network, [random_worlds.random_world(rng, network.schema, (2, 3, 4))])
    prior = Prior("l1", sigma=sigma)
    found = fit(likelihood, prior)
    assert found.gradient_norm <= 1e-5
    _, gradient = likelihood.value_and_gradient(found.weights)
    for weight, slope in zip(found.weights, gradient, strict=True):
        if weight:
            assert slope == pytest.approx(np.sign(weight) / sigma, abs=1e-5)
        else:
            assert abs(slope) <= 1 / sigma + 1e-5
    for _ in range(20):
        other = found.weights + np.array([rng.gauss(0, 0.1) for _ in range(4)])
        assert likelihood.value(other) - prior.penalty(other) <= found.value + 1e-9


def test_a_strong_l1_prior_leaves_exactly_its_mean() -> None:
    world = people(5, [(0, 1), (1, 2)], [0, 1])
    network = MarkovLogicNetwork(world.schema, (Formula(clause("smokes X")), Formula(clause("friends X Y"))))
    assert learn_weights(network, [world], prior="l1", sigma=0.1).weights.tolist() == [0.0, 0.0]
    assert learn_weights(network, [world], prior="l1", sigma=0.1, mean=0.5).weights.tolist() == [0.5, 0.5]


def test_priors_of_single_formulas() -> None:
    world = people(5, [(0, 1), (1, 2)], [0, 1])
    network = MarkovLogicNetwork(world.schema, (Formula(clause("smokes X")), Formula(clause("friends X Y"))))
    wide = learn_weights(network, [world], sigma=50.0, mean=1.5).weights
    tight = learn_weights(network, [world], sigma=[50.0, 1e-4], mean=[1.5, -3.0]).weights
    assert tight.tolist() == pytest.approx([wide[0], -3.0], abs=1e-5)
    sparse = learn_weights(network, [world], prior="l1", sigma=[100.0, 0.1], mean=[0.0, 0.25]).weights
    assert sparse[0] != 0
    assert sparse[1] == 0.25
    learned = network.with_weights([0.5, -0.5])
    penalised = wpll(learned, [world], prior="gaussian", sigma=[1.0, 2.0])
    assert penalised == pytest.approx(wpll(learned, [world]) - 0.125 - 0.03125)


def test_a_unit_clause_learns_the_log_odds() -> None:
    world = people(10, [(i, j) for i in range(10) for j in range(10) if (i + j) % 4 == 0], [0, 1, 2])
    network = MarkovLogicNetwork(world.schema, (Formula(clause("smokes X")), Formula(clause("friends X Y"))))
    found = learn_weights(network, [world], prior="none", tolerance=1e-9)
    density = len(world.relations["friends"]) / 100
    assert found.converged
    assert found.weights.tolist() == pytest.approx([log(0.3 / 0.7), log(density / (1 - density))], abs=1e-6)
    assert (found.atoms, found.rows) == (110, 4)
    assert found.value == pytest.approx(wpll(found.network, [world]))
    again = learn_weights(network, [world], prior="none", tolerance=1e-9, start=found.weights.tolist())
    assert again.iterations == 0


def test_unit_clauses_are_added_where_they_are_missing() -> None:
    schema = people(1, [], []).schema
    diagonal = Formula(clause("friends X X"), 2.0)
    network = with_unit_clauses(MarkovLogicNetwork(schema, (diagonal, Formula(clause("smokes X"), 1.0))))
    assert [str(f) for f in network] == ["2 friends(x,x)", "1 smokes(x)", "0 friends(a1,a2)"]
    assert with_unit_clauses(network) == network


def test_hard_formulas_decide_atoms_and_are_never_weighed() -> None:
    world = people(4, [(0, 1), (1, 2), (2, 3)], [0, 1, 2])
    hard = Formula(clause("!friends X Y", "!smokes X", "smokes Y"), hard=True)
    network = MarkovLogicNetwork(world.schema, (Formula(clause("smokes X")), hard))
    # 0 smokes, so 1 must, so 2 must, so 3 must: which it does not. Person 0 alone is free as a smoker were it
    # not that 1 smokes, which forces nothing upon 0: smoking follows the arrows.
    found = learn_weights(network, [world], query=["smokes"], prior="none", iterations=5)
    assert violations(network, [world]) == found.violations == 1
    assert (found.atoms, found.fixed) == (4, 3)
    likelihood = pseudo_likelihood(network, [world], query=["smokes"])
    assert likelihood.shares.tolist() == [0.25]
    assert likelihood.signed.tolist() == [[1.0]]
    assert all(f.hard == g.hard for f, g in zip(network, found.network, strict=True))
    # Of two hard formulas that want the opposite neither is obeyed, and the atom is in no row.
    against = replace(network, formulas=(*network.formulas, Formula(clause("!smokes p00001"), hard=True)))
    assert pseudo_likelihood(against, [world], query=["smokes"]).fixed == 3


def renamed(world: World, names: dict[str, str], constants: dict[str, str]) -> World:
    schema = Schema.of(*(Predicate(names[n], p.types) for n, p in world.schema.items()))
    domains = {k: tuple(sorted(constants[c] for c in symbols)) for k, symbols in world.domains.items()}
    relations = {}
    for name, predicate in world.schema.items():
        rows = [
            [
                domains[k].index(constants[world.domains[k][i]])
                for k, i in zip(predicate.types, row, strict=True)
            ]
            for row in world.relations[name].tolist()
        ]
        relations[names[name]] = np.array(sorted(rows), np.int32).reshape(len(rows), predicate.arity)
    return World(world.name, schema, domains, relations)


def renamed_clause(literals: Literals, names: dict[str, str], constants: dict[str, str]) -> Literals:
    return tuple(
        Literal(
            Atom(
                x.atom.predicate if x.inequality else names[x.atom.predicate],
                tuple(
                    t if isinstance(t, Variable) else replace(t, symbol=constants.get(t.symbol, t.symbol))
                    for t in x.atom.arguments
                ),
            ),
            x.positive,
            x.inequality,
        )
        for x in literals
    )


@settings(max_examples=30, deadline=None)
@given(SEEDS)
def test_names_of_predicates_and_constants_change_nothing(seed: int) -> None:
    rng = random_worlds.seeded(seed)
    network, world = random_network(rng), random_worlds.random_world(rng, random_worlds.BINARY, (2, 3, 4))
    names = dict(zip(network.schema, rng.sample("klmno", 5), strict=True))
    constants = dict(zip(random_worlds.SYMBOLS, rng.sample(["w", "d", "e", "f"], 4), strict=True))
    other = renamed(world, names, constants)
    formulas = tuple(
        replace(f, literals=renamed_clause(f.literals, names, constants)) for f in network.formulas
    )
    twin = MarkovLogicNetwork(other.schema, formulas)
    assert wpll(network, [world]) == pytest.approx(wpll(twin, [other]), abs=1e-12)
    first, second = (learn_weights(n, [w], sigma=5.0) for n, w in ((network, world), (twin, other)))
    assert first.weights.tolist() == pytest.approx(second.weights.tolist(), abs=1e-5)
    assert first.rows == second.rows


def test_a_formula_given_twice_shares_its_weight() -> None:
    world = people(6, [(0, 1), (1, 2), (3, 3)], [0, 1])
    one = MarkovLogicNetwork(world.schema, (Formula(clause("smokes X")), Formula(clause("friends X Y"))))
    two = replace(one, formulas=(*one.formulas, one.formulas[0]))
    alone = learn_weights(one, [world], prior="gaussian", sigma=1e4, tolerance=1e-10).weights
    shared = learn_weights(two, [world], prior="gaussian", sigma=1e4, tolerance=1e-10).weights
    assert shared[0] == pytest.approx(shared[2], abs=1e-6)
    assert shared[0] + shared[2] == pytest.approx(alone[0], abs=1e-4)


def test_extreme_weights_neither_overflow_nor_warn() -> None:
    likelihood = PseudoLikelihood(np.array([[1000.0], [-1000.0]]), np.ones(2))
    value, gradient = likelihood.value_and_gradient(np.array([1e4]))
    assert value == -1e7
    assert gradient.tolist() == [-1000.0]


def test_constants_that_only_the_network_declares_exist() -> None:
    """As in inference: two of four people smoke, and nobody drinks, though the data do not know the word."""
    network = MarkovLogicNetwork.parse("person = {A, B, C, D}\nsmokes(person)\ndrinks(person)\n0 smokes(x)")
    kb = KnowledgeBase.from_facts([("smokes", "A"), ("smokes", "B")])
    kb = kb.with_schema(Schema.of(Predicate("smokes", ("person",))))
    found = learn_weights(network, kb, prior="none", unit_clauses=False)
    assert found.atoms == 8
    assert found.value == pytest.approx(2 * log(0.5))
    assert wpll(network, kb) == pytest.approx(found.value)
    assert infer(network, kb, "smokes").truth("smokes").tolist() == [True, True, False, False]


def test_background_predicates_are_given_and_not_scored() -> None:
    schema = Schema.of(Predicate("p", ("a",)), Predicate("q", ("a",), background=True))
    kb = KnowledgeBase.from_facts([("p", "x"), ("q", "x"), ("q", "y")], schema=schema)
    assert pseudo_likelihood(MarkovLogicNetwork(schema), kb).atoms == 2


def test_mistakes_are_named() -> None:
    world = people(2, [], [])
    network = MarkovLogicNetwork(world.schema, (Formula(clause("smokes X")),))
    for options, text in (
        ({"objective": "map"}, "no objective 'map'; choose from: wpll, pll, cll"),
        ({"objective": "cll"}, "name them in query"),
        ({"query": ["drinks"]}, "no predicate drinks; choose from: friends, smokes"),
        ({"prior": "cauchy"}, "no prior 'cauchy'; choose from: gaussian, l1, none"),
        ({"sigma": 0.0}, "sigma must be a positive number, or one for each formula, not 0.0"),
        ({"mean": float("nan")}, "the mean must be a number, or one for each formula, not nan"),
        ({"sigma": [1.0, 2.0]}, "sigma has 2 numbers for 1 soft formulas"),
        ({"start": [1.0, 2.0]}, "must be 1 numbers"),
    ):
        with pytest.raises(UsageError, match=text):
            learn_weights(network, [world], **options)
    other = random_worlds.random_world(random_worlds.seeded(0))
    with pytest.raises(UsageError, match="the predicates of world are not those of people"):
        learn_weights(network, [world, other])
    with pytest.raises(UsageError, match="the data has no predicate friends"):
        learn_weights(network, [other])
