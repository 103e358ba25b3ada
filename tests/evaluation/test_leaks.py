"""Nothing of a predicate reaches the answers about it: a file without its facts gives the same ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.evaluation import worlds

from logicoder import AutoEncoder, KnowledgeBase, Program
from logicoder.engine.arrays.ground_atoms import GroundAtoms
from logicoder.evaluation.experiment_run import CEILING_SIGMA
from logicoder.evaluation.fold_scores import asked_predicates
from logicoder.logic.dependencies import depends_of
from logicoder.mln import learn_structure, worlds_of
from logicoder.mln.direct.conditions import Columns, atom_numbers
from logicoder.mln.direct.design import DirectSettings, learn_direct
from logicoder.mln.direct.predicate_networks import DirectModel, with_latents
from logicoder.mln.direct.vocabulary import Vocabulary, data_bodies, small_types
from logicoder.mln.generative import Asking, GenerativeModel
from logicoder.mln.predicate_questions import Question, question_of

DIRECT = ("plain", "hybrid", "learned hybrid", "ceiling")
KINDS = ("original", "latent", "learned latent", *DIRECT)
ASKING = Asking(samples=50, burn_in=10, chains=2, seconds=None)
QUICK = {"max_literals": 2, "max_variables": 2}


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
    learned = AutoEncoder(
        objective="masked", encoder_length=2, decoder_length=2, compression=1, effort=1, jobs=1
    ).fit(train)
    # Latents that tell a predicate itself, and some that do not: else nothing could leak, or nothing be said.
    depends = depends_of(learned.encoder_)
    assert 0 < sum("advisedby" in depends[name] for name in learned.encoder_.defined()) < len(depends)
    plain = Vocabulary(data_bodies(train, 2))
    everything = Vocabulary(
        data_bodies(train, 1, constants=5, disjunctions=True), constants=small_types(train, 5)
    )
    ceiling = DirectSettings(max_literals=2, max_variables=None, most=10**9, refined=10**9, least_gain=-1.0)
    return {
        "original": GenerativeModel(learn_structure(train, **QUICK).network, asking=ASKING),
        "latent": on_latents(train, model),
        "learned latent": on_latents(train, learned),
        "plain": learn_direct(train, Program(), plain, [1.0], DirectSettings())[0],
        "hybrid": hybrid(train, model),
        "learned hybrid": hybrid(train, learned),
        "ceiling": learn_direct(train, Program(), everything, [CEILING_SIGMA], ceiling)[0],
    }


def on_latents(train: KnowledgeBase, model: AutoEncoder) -> GenerativeModel:
    network = learn_structure(model.transform(train), **QUICK).network
    return GenerativeModel(network, model.encoder_, model.decoder_, ASKING)


def hybrid(train: KnowledgeBase, model: AutoEncoder) -> DirectModel:
    vocabulary = Vocabulary(data_bodies(train, 2), constants=small_types(train, 5))
    vocabulary.add_latents(train.schema, model.encoder_, model.decoder_)
    return learn_direct(train, model.encoder_, vocabulary, [1.0], DirectSettings())[0]


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


def with_other_facts(kb: KnowledgeBase, predicate: str) -> KnowledgeBase:
    """Return one interpretation with other facts of a predicate, about as many, over the same constants."""
    rng = np.random.default_rng(5)
    domains = [kb.constants()[kind] for kind in kb.schema[predicate].types]
    others = {tuple(str(rng.choice(domain)) for domain in domains) for _ in range(kb.count(predicate))}
    facts = [fact for fact in kb if fact.predicate != predicate]
    return KnowledgeBase.from_facts(
        [*facts, *((predicate, *arguments) for arguments in sorted(others))], schema=kb.schema
    )


@pytest.mark.parametrize("kind", DIRECT)
def test_other_facts_of_the_predicate_in_training_change_no_feature_of_it(folds, models, kind):
    """In training the latents are computed from all facts, those of the predicate included."""
    kb, found = folds[0], models[kind]
    for name, network in found.networks.items():
        other = with_other_facts(kb, name)
        assert set(map(str, other)) != set(map(str, kb))
        rows = []
        for source in (kb, other):
            columns = Columns(GroundAtoms(source, name, kb.constants()))
            columns.derive(network.features, with_latents(source, found.encoder))
            atoms = atom_numbers(columns.atoms, worlds_of(kb)[0].shape(name))
            rows.append(columns.packed(network.features)[np.argsort(atoms)])
        assert len(rows[0]) == worlds_of(kb)[0].groundings(name)
        np.testing.assert_array_equal(*rows, err_msg=name)


def test_constants_of_the_predicate_alone_exist_all_the_same(folds):
    fold = folds[2]
    asked = question_of(fold, "publication")
    assert not asked.evidence.count("publication")
    assert asked.world.domains == worlds_of(fold)[0].domains
