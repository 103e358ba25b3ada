"""Nothing of a predicate reaches the answers about it: a file without its facts gives the same ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.evaluation import worlds

from logicoder import KnowledgeBase, Program
from logicoder.evaluation.direct_learning import DirectSettings, learn_direct
from logicoder.evaluation.generative import Asking, GenerativeModel
from logicoder.evaluation.questions import Question, asked_predicates, question_of
from logicoder.evaluation.vocabulary import Vocabulary, data_bodies, depends_of, latent_bodies, small_types
from logicoder.mln import learn_structure, worlds_of

KINDS = ("original", "latent", "plain", "hybrid")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("leaks") / "data"
    KnowledgeBase.union(worlds.folds()).save(path, "alchemy")
    return path


@pytest.fixture(scope="module")
def folds(folder):
    return KnowledgeBase.from_path(folder).split()


@pytest.fixture(scope="module")
def model(folds):
    return worlds.hand_written(folds[0].schema)


@pytest.fixture(scope="module")
def models(folds, model):
    train = KnowledgeBase.union(folds[:2])
    latent = model.transform(train)
    depends = depends_of(model.encoder_)
    bodies = data_bodies(train, 2)
    constants = small_types(train, 5)
    wide = Vocabulary(
        [*bodies, *latent_bodies(latent.schema, model.encoder_, depends)], model.decoder_, depends, constants
    )
    asking = Asking(samples=50, burn_in=10, chains=2, seconds=None)
    quick = {"max_literals": 2, "max_variables": 2}
    return {
        "original": GenerativeModel(learn_structure(train, **quick).network, asking=asking),
        "latent": GenerativeModel(
            learn_structure(latent, **quick).network, model.encoder_, model.decoder_, asking
        ),
        "plain": learn_direct(train, Program(), Vocabulary(bodies), [1.0], DirectSettings())[0],
        "hybrid": learn_direct(train, model.encoder_, wide, [1.0], DirectSettings())[0],
    }


def file_without(folder: Path, fold: str, predicate: str, target: Path) -> Path:
    """Write a fold without the lines of a predicate."""
    target.mkdir()
    (target / "schema.mln").write_text((folder / "schema.mln").read_text())
    lines = (folder / f"{fold}.db").read_text().splitlines()
    kept = [line for line in lines if not line.startswith(f"{predicate}(")]
    assert len(kept) < len(lines)
    (target / f"{fold}.db").write_text("\n".join(kept) + "\n")
    return target


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_without_the_facts_gives_the_same_probabilities(folder, folds, models, kind, tmp_path):
    fold = folds[2]
    [name] = fold.interpretations
    for predicate in asked_predicates(fold):
        bare = KnowledgeBase.from_path(file_without(folder, name, predicate, tmp_path / predicate))
        assert not bare.count(predicate)
        asked = Question(predicate, bare, fold.constants())
        found = models[kind].answer(asked).probabilities
        expected = models[kind].answer(question_of(fold, predicate)).probabilities
        np.testing.assert_allclose(found, expected, atol=1e-9)
        assert len(found) == worlds_of(fold)[0].groundings(predicate)


@pytest.mark.parametrize("kind", ["plain", "hybrid"])
def test_other_facts_of_the_predicate_in_training_change_no_feature_of_it(models, model, kind):
    depends = depends_of(model.encoder_)
    for name, network in models[kind].networks.items():
        used = {other for clause in network.definitions for other in clause.body_predicates()}
        assert name not in used
        assert not any(name in depends.get(other, ()) for other in used)


def test_constants_of_the_predicate_alone_exist_all_the_same(folds):
    fold = folds[2]
    asked = question_of(fold, "publication")
    assert not asked.evidence.count("publication")
    assert asked.world.domains == worlds_of(fold)[0].domains
