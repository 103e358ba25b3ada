"""Networks of one predicate: against plain queries, scikit-learn, and inference on the saved files."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from tests.evaluation.worlds import folds, hand_written

from logicoder import KnowledgeBase, Program
from logicoder.engine.arrays.ground_atoms import GroundAtoms
from logicoder.evaluation.fold_scores import asked_predicates
from logicoder.kb.schema import Predicate, Schema
from logicoder.logic.terms import Clause
from logicoder.mln import MarkovLogicNetwork, infer
from logicoder.mln.derived_evidence import with_definitions
from logicoder.mln.direct.conditions import Columns, Equal, Holds, Named, atom_numbers, distinct_rows
from logicoder.mln.direct.design import DirectSettings, gain_alone, learn_direct
from logicoder.mln.direct.vocabulary import Vocabulary, data_bodies, small_types
from logicoder.mln.predicate_questions import question_of

SCHEMA = Schema.of(
    Predicate("likes", ("person", "person")),
    Predicate("owns", ("person", "thing")),
    Predicate("mood", ("person", "state")),
)


def town(seed: int, name: str) -> KnowledgeBase:
    """Return a world in which people like those who own what they own, and mood follows from owning."""
    rng = np.random.default_rng(seed)
    people, things = [f"p{i}" for i in range(8)], [f"t{i}" for i in range(4)]
    owns = {(p, t) for p, t in product(people, things) if rng.random() < 0.3}
    facts = [("owns", *pair) for pair in sorted(owns)]
    for p, q in product(people, repeat=2):
        common = any((p, t) in owns and (q, t) in owns for t in things)
        if rng.random() < (0.7 if common else 0.1):
            facts.append(("likes", p, q))
    for p in people:
        rich = sum((p, t) in owns for t in things) > 1
        facts.append(("mood", p, "happy" if rich != (rng.random() < 0.1) else "sad"))
    return KnowledgeBase.from_facts(facts, schema=SCHEMA, interpretation=name)


@pytest.fixture(scope="module")
def train():
    return KnowledgeBase.union([town(1, "one"), town(2, "two")])


@pytest.fixture(scope="module")
def test_fold():
    return town(5, "three")


# -- features -----------------------------------------------------------------------------------------


def test_columns_are_what_queries_say(test_fold):
    atoms = GroundAtoms(test_fold, "likes")
    shared = Holds(Clause.parse("shared(X,Y) :- owns(X,Z), owns(Y,Z)."), (1, 0))
    happy = Holds(Clause.parse("happy(X) :- mood(X,happy)."), (1,))
    features = [(shared,), (happy, Equal(0, 1)), (Named(0, "p3"), shared)]
    columns = Columns(atoms)
    columns.derive(features, test_fold)
    pairs = {
        (x, y)
        for x, t in [f.arguments for f in test_fold.facts("owns")]
        for y, u in [f.arguments for f in test_fold.facts("owns")]
        if t == u
    }
    glad = {f.arguments[0] for f in test_fold.facts("mood") if f.arguments[1] == "happy"}
    arguments = [fact.arguments for fact in atoms.facts()]
    expected = [
        [(b, a) in pairs for a, b in arguments],
        [b in glad and a == b for a, b in arguments],
        [a == "p3" and (b, a) in pairs for a, b in arguments],
    ]
    for feature, told in zip(features, expected, strict=True):
        assert columns.of(feature).tolist() == told
    rows = distinct_rows(columns.packed(features), 3)
    assert rows.features[rows.which].tolist() == np.array(expected).T.tolist()


def test_atoms_are_numbered_as_in_worlds(test_fold):
    question = question_of(test_fold, "mood")
    atoms = GroundAtoms(question.evidence, "mood", question.domains)
    numbers = atom_numbers(atoms, question.world.shape("mood"))
    kinds = SCHEMA["mood"].types
    for fact, number in zip(atoms.facts(), numbers.tolist(), strict=True):
        places = [
            question.world.domains[kind].index(str(a)) for kind, a in zip(kinds, fact.arguments, strict=True)
        ]
        assert number == places[0] * 2 + places[1]
    assert sorted(numbers.tolist()) == list(range(len(atoms)))


def test_gains_are_differences_of_likelihoods():
    rng = np.random.default_rng(0)
    for _ in range(50):
        column, truth = rng.random(30) < rng.random(), rng.random(30) < rng.random()

        def best(which, truth=truth):
            part = truth[which]
            if not len(part):
                return 0.0
            p = part.mean()
            return sum(np.log(p if t else 1 - p) for t in part)

        expected = best(column) + best(~column) - best(np.ones(30, bool))
        assert gain_alone(column, truth) == pytest.approx(expected, abs=1e-9)


# -- learning -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("sigma", [0.5, 3.0])
@pytest.mark.parametrize(
    ("name", "least_gain", "more_than_rows"), [("likes", 2.0, False), ("mood", -1.0, True)]
)
def test_weights_are_those_of_a_logistic_regression(train, sigma, name, least_gain, more_than_rows):
    vocabulary = Vocabulary(data_bodies(train, 2), constants=small_types(train, 2))
    [model] = learn_direct(train, Program(), vocabulary, [sigma], DirectSettings(least_gain=least_gain))
    network = model.networks[name]
    assert len(network.features) > 3
    atoms = GroundAtoms(train, name)
    columns = Columns(atoms)
    columns.derive(network.features, train)
    matrix = np.column_stack([columns.of(feature) for feature in network.features]).astype(float)
    rows = np.unique(np.column_stack([matrix, atoms.truth]), axis=0)
    assert (len(rows) < len(network.features)) == more_than_rows
    # The bias is penalised a little here, and not at all there.
    other = LogisticRegression(C=sigma**2, max_iter=10_000, tol=1e-9).fit(matrix, atoms.truth)
    np.testing.assert_allclose(network.weights, other.coef_[0], atol=2e-2)
    assert network.bias == pytest.approx(other.intercept_[0], abs=5e-2)


def test_formulas_stay_within_the_language(train):
    [model] = learn_direct(train, Program(), Vocabulary(data_bodies(train, 2)), [1.0], DirectSettings())
    for name, network in model.networks.items():
        for formula in network.network(SCHEMA):
            unfolded = sum(
                len(clause.alternatives[0])
                for clause in network.definitions
                if any(x.atom.predicate == clause.head.predicate for x in formula.literals)
            )
            assert unfolded <= 2
            assert name not in {p for clause in network.definitions for p in clause.body_predicates()}


def test_constants_tell_moods_apart(train, test_fold):
    bodies = data_bodies(train, 2)
    plain, named = (
        learn_direct(train, Program(), Vocabulary(bodies, constants=constants), [3.0], DirectSettings())[0]
        for constants in ({}, small_types(train, 2))
    )
    question = question_of(test_fold, "mood")
    symmetric, told = (m.answer(question).probabilities.reshape(-1, 2) for m in (plain, named))
    np.testing.assert_allclose(symmetric[:, 0], symmetric[:, 1])
    assert np.abs(told[:, 0] - told[:, 1]).max() > 0.3


# -- saved networks -----------------------------------------------------------------------------------


def test_general_inference_on_the_saved_files_gives_the_same_probabilities(tmp_path):
    *some, fold = folds()
    train = KnowledgeBase.union(some)
    alp = hand_written(train.schema)
    vocabulary = Vocabulary(data_bodies(train, 2), constants=small_types(train, 3))
    vocabulary.add_latents(train.schema, alp.encoder_, alp.decoder_)
    [model] = learn_direct(train, alp.encoder_, vocabulary, [1.0], DirectSettings(most=40, refined=5))
    model.save(tmp_path, Schema(train.schema.predicates))
    for name in asked_predicates(fold):
        question = question_of(fold, name)
        network = MarkovLogicNetwork.load(tmp_path / f"{name}.mln")
        definitions = Program.parse((tmp_path / f"{name}.pl").read_text())
        both = Program((*alp.encoder_, *definitions))
        known = with_definitions(network, question.evidence, both, [name])
        found = infer(network, known, [name], domains=question.domains)
        assert found.exact
        np.testing.assert_allclose(
            found.array(name), model.answer(question).probabilities, atol=1e-9, err_msg=name
        )


def test_a_predicate_that_training_never_saw_has_even_odds():
    strange = KnowledgeBase.from_facts(
        [("owns", "a", "b"), ("likes", "a", "a")], schema=SCHEMA, interpretation="strange"
    )
    only = KnowledgeBase.from_facts([("owns", "a", "b")], schema=SCHEMA, interpretation="only")
    [model] = learn_direct(only, Program(), Vocabulary(data_bodies(only, 1)), [1.0], DirectSettings())
    assert model.answer(question_of(strange, "likes")).probabilities.tolist() == [0.5]
